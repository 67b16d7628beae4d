/** What a row of the list shows of a note, and where in it is what was looked for. */
import { beginning, line } from "../text/beginning.js";
import { fold, foldWithPlaces, indexOfWord, placeOfUnit } from "./fold.js";

/** @typedef {[from: number, to: number]} Range in UTF-16 units */

/** How much of a body stands before what was found, in UTF-16 units. */
const ahead = 40;

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
