/** What a row of the list shows of a note, and where in it is what was looked for. */
import { beginning, line } from "../text/beginning.js";
import { wordsOf, wordsWithPlaces } from "./fold.js";

/** @import { Term } from "./query.js" */
/** @typedef {[from: number, to: number]} Range in UTF-16 units */

/** How much of a body stands before what was found, in UTF-16 units. */
const ahead = 40;

/**
 * The part of a body around the first of the terms that it has; its beginning where it has none.
 * @param {string} body
 * @param {string} words those of the same body
 * @param {Term[]} terms
 */
export function around(body, words, terms) {
    const found = terms.map((term) => indexOfTerm(words, term, 0)).filter((at) => at >= 0);
    if (found.length === 0) return beginning(body);
    const first = Math.min(...found) + 1;
    const at = wordsWithPlaces(body, first).places[first];
    // As it is written: what was found may be a sign, or stand in one.
    if (at <= ahead * 2) return line(body, body.search(/\S/u));
    // From the beginning of a word, where there is one near.
    const space = body.slice(at - ahead, at).search(/\s\S/u);
    return `…${line(body, space < 0 ? at - ahead : at - ahead + space + 1)}`;
}

/**
 * Where a text has what is looked for.
 * @param {string} text
 * @param {Term[]} terms
 * @returns {Range[]}
 */
export function matches(text, terms) {
    const quickly = wordsOf(text);
    if (!terms.some((term) => indexOfTerm(quickly, term, 0) >= 0)) return [];
    const { words, places } = wordsWithPlaces(text);
    /** @type {Range[]} */
    const found = [];
    for (const term of terms) {
        for (let at = indexOfTerm(words, term, 0); at >= 0; at = indexOfTerm(words, term, at + 1)) {
            // Marks that were left out belong to the letter before them.
            let end = at + term.words.length;
            while (places[end] === places[end - 1]) end += 1;
            found.push([places[at + 1], places[end]]);
        }
    }
    return joined(found);
}

/**
 * @param {string} words
 * @param {Term} term
 * @param {number} from
 */
const indexOfTerm = (words, term, from) => words.indexOf(term.isWhole ? `${term.words} ` : term.words, from);

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
