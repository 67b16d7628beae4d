/**
 * Parses search queries: words, `"words in a row"`, `-without`, `tag:work`, `tag:"two words"`, and `or` between
 * alternatives.
 */
import { wordsOf } from "./fold.js";

/**
 * A phrase in the form of `wordsOf`, without the last space. Unless `isWhole`, the last word may be a prefix.
 * @typedef {{ words: string, isWhole: boolean }} Term
 */

/**
 * The conditions that a note must satisfy together. Tags are compared exactly.
 * @typedef {{ terms: Term[], without: Term[], tags: string[], withoutTags: string[] }} Alternative
 */

const term = /(-?)(tag:)?(?:"([^"]*)("?)|(\S+))/giu;

/**
 * @param {string} text
 * @returns {Alternative[]} the alternatives, of which a note must satisfy one; empty without conditions
 */
export function readQuery(text) {
    // Terms that are still being typed do not count.
    const written = [...text.matchAll(term)].filter(([whole]) => !/^-?(tag:)?"*$/i.test(whole));
    /** @type {Alternative[]} */
    const alternatives = [{ terms: [], without: [], tags: [], withoutTags: [] }];
    let isAfterTerm = false;
    for (const [index, [whole, minus, tag, quoted, closing, bare]] of written.entries()) {
        if (isAfterTerm && /^or$/i.test(whole) && index + 1 < written.length) {
            alternatives.push({ terms: [], without: [], tags: [], withoutTags: [] });
            isAfterTerm = false;
            continue;
        }
        isAfterTerm = true;
        const alternative = alternatives[alternatives.length - 1];
        if (tag) {
            alternative[minus ? "withoutTags" : "tags"].push(quoted ?? bare);
            continue;
        }
        const words = wordsOf(quoted ?? bare).trimEnd();
        // An excluded word is a prefix only with a star; an included word is always one.
        const isWhole = quoted === undefined ? minus !== "" && !bare.endsWith("*") : closing !== "";
        if (words !== "") alternative[minus ? "without" : "terms"].push({ words, isWhole });
    }
    return alternatives.filter((one) => Object.values(one).some((part) => part.length > 0));
}

/** Returns the terms that a found note may contain. @param {Alternative[]} query */
export const termsOf = (query) => query.flatMap(({ terms }) => terms);

/**
 * Returns true if every note that matches one query certainly matches another.
 * @param {Alternative[]} query
 * @param {Alternative[]} before
 */
export function narrows(query, before) {
    if (query.length !== 1 || before.length !== 1) return false;
    const [{ terms, ...others }] = query;
    const [{ terms: termsBefore, ...othersBefore }] = before;
    return (
        JSON.stringify(others) === JSON.stringify(othersBefore) &&
        termsBefore.every(({ words, isWhole }, index) =>
            isWhole ? terms[index]?.isWhole && terms[index].words === words : terms[index]?.words.startsWith(words),
        )
    );
}
