/** Forms of texts that the server, the libraries and the command line know too; one file of cases tests them all. */

/** @param {string} text */
export const isKey = (text) => /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/.test(text);

/**
 * A key, or the beginning of keys with a star behind it.
 * @param {string} text
 */
export const isKeyPattern = (text) => isKey(text.replace(/\*$/, ""));

/** @param {string} text */
export const isNoteID = (text) => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** The most tags of a note. */
export const mostTags = 32;
/** The most characters of a tag. */
export const longestTag = 64;

/** @param {string} text */
export const isTag = (text) =>
    text !== "" && [...text].length <= longestTag && text.isWellFormed() && !/\p{Cc}/u.test(text);
