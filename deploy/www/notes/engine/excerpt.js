/** What a row of the list shows of a note, and where in it is what was looked for. */
import { fold, foldWithPlaces, indexOfWord, placeOfUnit } from "./fold.js";

/** @typedef {[from: number, to: number]} Range in UTF-16 units */

/** How much of a body is shown, and how much of that stands before what was found, in UTF-16 units. */
const longest = 200;
const ahead = 40;
/** So much of a body is looked at for its first words. */
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
function line(text, from, shown = (part) => part) {
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

/**
 * The part of a body around the first of the words that it has; its beginning where it has none.
 * @param {string} body
 * @param {string} folded the same body
 * @param {string[]} words
 */
export function around(body, folded, words) {
    const found = words.map((word) => indexOfWord(folded, word, 0)).filter((at) => at >= 0);
    if (found.length === 0) return beginning(body);
    const at = placeOfUnit(body, Math.min(...found));
    // As it is written: what was found may be a sign, or stand in one.
    if (at <= ahead * 2) return line(body, body.search(/\S/u));
    // From the beginning of a word, where there is one near.
    const space = body.slice(at - ahead, at).search(/\s\S/u);
    return `…${line(body, space < 0 ? at - ahead : at - ahead + space + 1)}`;
}

/**
 * Where a text has words that begin so.
 * @param {string} text
 * @param {string[]} words folded
 * @returns {Range[]}
 */
export function matches(text, words) {
    if (!words.some((word) => indexOfWord(fold(text), word, 0) >= 0)) return [];
    const folded = foldWithPlaces(text);
    /** @type {Range[]} */
    const found = [];
    for (const word of words) {
        for (let at = indexOfWord(folded.text, word, 0); at >= 0; at = indexOfWord(folded.text, word, at + 1)) {
            // Marks that were left out belong to the letter before them.
            let end = at + word.length;
            while (folded.places[end] === folded.places[end - 1]) end += 1;
            found.push([folded.places[at], folded.places[end]]);
        }
    }
    return joined(found);
}

/**
 * In their order, with those that touch as one.
 * @param {Range[]} ranges
 */
function joined(ranges) {
    /** @type {Range[]} */
    const whole = [];
    for (const range of ranges.sort((one, other) => one[0] - other[0])) {
        const last = whole.at(-1);
        if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
        else whole.push(range);
    }
    return whole;
}
