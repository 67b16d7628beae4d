/** Excerpts of texts as one line. */

/** The maximum length of a line, in UTF-16 units. */
const maxLength = 200;
/** The length of text that is searched for words, in UTF-16 units. */
const looked = 1000;

/** The Markdown syntax at the start of lines and within lines. */
const lineSigns = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|`{3,}.*$|[-=|: ]{3,}$)/gmu;
const signs = /\*\*|~~|`|!?\[([^\]\n]*)\]\([^)\s]*\)/gu;
/** @param {string} text */
const plain = (text) => text.replace(lineSigns, "").replace(signs, (_, words) => words ?? "");

/**
 * Returns a part of a text as one line, without cutting a surrogate pair.
 * @param {string} text
 * @param {number} from
 * @param {(part: string) => string} [shown]
 */
export function line(text, from, shown = (part) => part) {
    const isLow = (/** @type {number} */ at) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
    const start = isLow(from) ? from + 1 : from;
    const part = shown(text.slice(start, start + looked))
        .replace(/\s+/gu, " ")
        .trim();
    let end = Math.min(part.length, maxLength);
    if ((part.charCodeAt(end) & 0xfc00) === 0xdc00) end -= 1;
    const isAll = end === part.length && start + looked >= text.length;
    return part.slice(0, end) + (isAll ? "" : "…");
}

/** Returns the beginning of a body without Markdown syntax. @param {string} body */
export function beginning(body) {
    const start = body.search(/\S/u);
    return start < 0 ? "" : line(body, start, plain) || line(body, start);
}
