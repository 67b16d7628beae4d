/** Formats shared with the server, the libraries and the command line. One file of cases tests them all. */

/** @param {string} text */
export const isKey = (text) => /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/.test(text);

/**
 * Returns true for a key, or for a key prefix followed by `*`.
 * @param {string} text
 */
export const isKeyPattern = (text) => isKey(text.replace(/\*$/, ""));

/** @param {string} text */
export const isNoteID = (text) => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** The limit on a note's tags. */
export const maxTags = 32;
/** The limit on a tag's length, in characters. */
export const maxTagLength = 64;

/** @param {string} text */
export const isTag = (text) =>
    text !== "" && [...text].length <= maxTagLength && text.isWellFormed() && !/\p{Cc}/u.test(text);
