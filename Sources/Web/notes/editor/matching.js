/** Finds the matches of a text within the lines of a note. */
import { fold, foldWithPlaces } from "../engine/fold.js";

/** @import { Text } from "codemirror" */
/** @typedef {[from: number, to: number]} Place */
/** @typedef {(line: string) => Place[]} Finder */

/** @type {Finder} */
export const noFinder = () => [];

/** A letter, digit or mark of a script that separates words by spaces. */
const letter = String.raw`(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{N}\p{M}]`;
const insideWord = new RegExp(`(?<=${letter})(?=${letter})`, "uy");

/**
 * @param {string} text
 * @param {number} offset
 */
function isInsideWord(text, offset) {
    insideWord.lastIndex = offset;
    return insideWord.test(text);
}

/**
 * Returns the ranges of a text that match another text, ignoring case and accents.
 * @param {string} text
 * @param {string} sought the folded search text
 */
function foldedOccurrences(text, sought) {
    if (!fold(text).includes(sought)) return [];
    const { text: folded, places } = foldWithPlaces(text);
    /** @type {Place[]} */
    const found = [];
    for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + sought.length)) {
        // Combining marks that were folded away belong to the letter before them.
        let end = at + sought.length;
        while (places[end] === places[end - 1]) end += 1;
        found.push([places[at], places[end]]);
    }
    return found;
}

/**
 * @param {string} text
 * @param {string} sought
 */
function exactOccurrences(text, sought) {
    /** @type {Place[]} */
    const found = [];
    for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + sought.length))
        found.push([at, at + sought.length]);
    return found;
}

/**
 * Returns a function that finds a text in a line.
 * @param {string} words the search text
 * @param {{ isExact?: boolean, isWhole?: boolean }} options `isExact`: case and accents count; `isWhole`: matches are
 * whole words
 * @returns {Finder}
 */
export function finderOf(words, { isExact = false, isWhole = false }) {
    const sought = isExact ? words : fold(words);
    if (sought === "") return noFinder;
    return (line) => {
        const found = isExact ? exactOccurrences(line, sought) : foldedOccurrences(line, sought);
        return isWhole ? found.filter((place) => !place.some((end) => isInsideWord(line, end))) : found;
    };
}

/**
 * Returns the matches in a text of many lines.
 * @param {{ iterLines(): Iterable<string> }} text
 * @param {Finder} find
 */
export function placesIn(text, find) {
    /** @type {Place[]} */
    const found = [];
    let start = 0;
    for (const line of text.iterLines()) {
        for (const [from, to] of find(line)) found.push([start + from, start + to]);
        start += line.length + 1;
    }
    return found;
}

/** The length of a line whose matches are replaced by one change, in UTF-16 units: every change copies its line. */
const longLine = 1 << 14;

/**
 * Returns the changes that replace matches.
 * @param {Text} doc
 * @param {Place[]} places
 * @param {string} insert
 */
export function replacements(doc, places, insert) {
    /** @type {{ from: number, to: number, insert: string }[]} */
    const changes = [];
    for (const [from, to] of places) {
        const last = changes[changes.length - 1];
        const line = doc.lineAt(from);
        if (line.length > longLine && last?.from >= line.from) {
            last.insert += doc.sliceString(last.to, from) + insert;
            last.to = to;
        } else changes.push({ from, to, insert });
    }
    return changes;
}
