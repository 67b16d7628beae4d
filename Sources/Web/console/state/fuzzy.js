// Fuzzy search over many short texts: keys, screens, environments, actions.

import { wordsOf } from "./filter.js";

/**
 * Texts prepared for `search`, each with the initials of its words, and a bit set of its characters, which excludes
 * most texts without reading them.
 * @typedef {{texts: string[], folded: string[], initials: string[], bits: Int32Array}} FuzzyIndex
 * @typedef {{index: number, score: number}} FuzzyHit
 */

const wordStartScore = 8;
const adjacentScore = 5;
const wholeScore = 24;

/** @param {string} text @returns {number} */
function bitsOf(text) {
    let bits = 0;
    for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31);
    return bits;
}

/** @param {string} text @param {number} at @returns {boolean} true if a word starts there */
function beginsWord(text, at) {
    if (at === 0) return true;
    const before = text.charCodeAt(at - 1);
    return before === 46 || before === 95 || before === 45 || before === 32 || before === 47;
}

/** @param {string[]} texts @returns {FuzzyIndex} */
export function prepare(texts) {
    const folded = texts.map((text) => text.toLowerCase());
    const initials = folded.map((text) => text.replace(/(^|[._\- /])([^._\- /]?)[^._\- /]*/g, "$2"));
    return { texts, folded, initials, bits: Int32Array.from(folded, bitsOf) };
}

/**
 * Returns the offsets of a word's characters in a text, in order: as one piece, as initials, or apart.
 * @param {string} text @param {string} word @returns {number[] | undefined}
 */
function places(text, word) {
    const whole = wholeAt(text, word);
    if (whole >= 0) return Array.from(word, (_, offset) => whole + offset).slice(0, word.length);
    return initialsAt(text, word) ?? apart(text, word);
}

/** @param {string} text @param {string} word @returns {number[] | undefined} */
function apart(text, word) {
    let at = -1;
    for (let next = 0; next < word.length; next++) {
        at = text.indexOf(word[next], at + 1);
        if (at < 0) return undefined;
    }
    /** @type {number[]} */
    const result = new Array(word.length);
    at += 1;
    for (let next = word.length - 1; next >= 0; next--) {
        at = text.lastIndexOf(word[next], at - 1);
        result[next] = at;
    }
    return result;
}

/** @param {string} text @param {string} word @returns {number[] | undefined} the start of a word for each character */
function initialsAt(text, word) {
    const result = [];
    for (let at = 0; at < text.length && result.length < word.length; at++) {
        if (text[at] === word[result.length] && beginsWord(text, at)) result.push(at);
    }
    return result.length === word.length ? result : undefined;
}

/**
 * @param {string} text @param {string} word @returns {number} offset of the whole word, preferably at a word's start
 */
function wholeAt(text, word) {
    const first = text.indexOf(word);
    for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) if (beginsWord(text, at)) return at;
    return first;
}

/** @param {string} text @param {string} word @returns {boolean} true if the characters occur in this order */
function hasInOrder(text, word) {
    let at = -1;
    for (let next = 0; next < word.length; next++) {
        at = text.indexOf(word[next], at + 1);
        if (at < 0) return false;
    }
    return true;
}

/** @param {string} text @param {string} initials @param {string} word @returns {number} 0 for no match */
function score(text, initials, word) {
    const whole = wholeAt(text, word);
    if (whole >= 0) {
        const exact = text.length === word.length ? wholeScore : 0;
        return (
            wholeScore +
            exact +
            word.length * adjacentScore +
            (beginsWord(text, whole) ? wordStartScore : 0) -
            whole / 64
        );
    }
    if (hasInOrder(initials, word)) return 1 + word.length * wordStartScore;
    const at = apart(text, word);
    if (!at) return 0;
    let sum = 1;
    for (let next = 0; next < at.length; next++) {
        if (beginsWord(text, at[next])) sum += wordStartScore;
        else if (next > 0 && at[next] === at[next - 1] + 1) sum += adjacentScore;
    }
    const spread = at[at.length - 1] - at[0] + 1 - word.length;
    return Math.max(sum - spread / 4, 0.01);
}

/**
 * Returns the texts that contain the characters of every query word in order, the best first; shorter texts win ties.
 * @param {FuzzyIndex} index @param {string} query @param {number} limit @returns {FuzzyHit[]}
 */
export function search(index, query, limit) {
    const words = wordsOf(query);
    if (words.length === 0) return index.texts.slice(0, limit).map((_, at) => ({ index: at, score: 0 }));
    const needed = bitsOf(words.join(""));
    /** @type {FuzzyHit[]} */
    const hits = [];
    for (let at = 0; at < index.folded.length; at++) {
        if ((index.bits[at] & needed) !== needed) continue;
        let sum = 0;
        for (const word of words) {
            const part = score(index.folded[at], index.initials[at], word);
            if (part === 0) {
                sum = 0;
                break;
            }
            sum += part;
        }
        if (sum > 0) hits.push({ index: at, score: sum - index.folded[at].length / 256 });
    }
    return hits.sort((one, other) => other.score - one.score || one.index - other.index).slice(0, limit);
}

/**
 * Splits a text into parts that alternate between unmatched and matched.
 * @param {string} text @param {string} query @returns {string[]}
 */
export function marked(text, query) {
    const folded = text.toLowerCase();
    const at = new Set(wordsOf(query).flatMap((word) => places(folded, word) ?? []));
    const parts = [""];
    for (let next = 0; next < text.length; next++) {
        if (at.has(next) !== (parts.length % 2 === 0)) parts.push("");
        parts[parts.length - 1] += text[next];
    }
    return parts;
}
