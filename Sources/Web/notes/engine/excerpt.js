/** The excerpt of a note in the list, and the ranges of search matches in the excerpt. */
import { beginning, oneLine, partOf } from "../text/beginning.js";
import { wordsOf, wordsWithPlaces } from "./fold.js";

/** @import { Term } from "./query.js" */
/** @typedef {[from: number, to: number]} Range in UTF-16 units */

/** The length of text before the first match, in UTF-16 units. */
const contextLength = 40;
/** The maximum length of a line before a match that is searched for marks, in UTF-16 units. */
const maxBefore = 400;

/**
 * Returns the part of a body around the first match of a term, or the beginning of the body if no term matches.
 * @param {string} body
 * @param {string} words the folded words of the same body
 * @param {Term[]} terms
 */
export function around(body, words, terms) {
    const found = terms.map((term) => indexOfTerm(words, term, 0)).filter((at) => at >= 0);
    if (found.length === 0) return beginning(body);
    const first = Math.min(...found) + 1;
    const at = wordsWithPlaces(body, first).places[first];
    const start = body.search(/\S/u);
    // Marks around the match begin in its line.
    const from = at <= contextLength * 2 ? start : Math.max(body.lastIndexOf("\n", at - 1) + 1, at - maxBefore);
    const part = partOf(body, from);
    const [match] = matches(part.text, terms);
    // A match in the marks or in an address is only in the source.
    const [text, place] = match ? [part.text, match[0]] : [part.source, at - from];
    // Begin at the start of a nearby word if there is one.
    const space = text.slice(Math.max(0, place - contextLength), place).search(/\s\S/u);
    const shown = place <= contextLength * 2 ? 0 : place - contextLength + space + 1;
    return (from + shown > start ? "…" : "") + oneLine(text.slice(shown), part.isCut);
}

/**
 * Returns the ranges of a text that match any term.
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
            // Combining marks that were folded away belong to the letter before them.
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

/** Sorts ranges and merges those that overlap or touch. @param {Range[]} ranges */
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
