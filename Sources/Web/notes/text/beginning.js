/** The first words of a text, as one line. */

/** How much of a text a line shows, in UTF-16 units. */
const longest = 200;
/** So much of a text is looked at for its first words. */
const looked = 1000;

/** What of Markdown says how a text looks, at the start of its lines and inside them. */
const lineSigns = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|`{3,}.*$|[-=|: ]{3,}$)/gmu;
const signs = /\*\*|~~|`|!?\[([^\]\n]*)\]\([^)\s]*\)/gu;
/** @param {string} text */
const plain = (text) => text.replace(lineSigns, "").replace(signs, (_, words) => words ?? "");

/**
 * A part of a text that begins and ends between characters, as one line.
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
    let end = Math.min(part.length, longest);
    if ((part.charCodeAt(end) & 0xfc00) === 0xdc00) end -= 1;
    const isAll = end === part.length && start + looked >= text.length;
    return part.slice(0, end) + (isAll ? "" : "…");
}

/**
 * The first words of a body, without the signs of its Markdown.
 * @param {string} body
 */
export function beginning(body) {
    const start = body.search(/\S/u);
    return start < 0 ? "" : line(body, start, plain) || line(body, start);
}
