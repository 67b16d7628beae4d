/**
 * What is typed into the search: words, `"words in a row"`, `-without`, `tag:work`, `tag:"two words"`, and `or`, which
 * parts alternatives.
 */
import { wordsOf } from "./fold.js";

/**
 * Words in a row, as `wordsOf` gives them without the last space. The last of them may be the beginning of one, unless
 * it is meant whole.
 * @typedef {{ words: string, isWhole: boolean }} Term
 */

/**
 * All of it must be in a note, or must not be. Tags are compared as they are written.
 * @typedef {{ terms: Term[], without: Term[], tags: string[], withoutTags: string[] }} Alternative
 */

const term = /(-?)(tag:)?(?:"([^"]*)("?)|(\S+))/giu;

/**
 * @param {string} text
 * @returns {Alternative[]} one of which a note must fit; none where nothing is looked for
 */
export function readQuery(text) {
    // Without those that are not typed to their end yet.
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
        // The beginning of a word that no note may have is asked for with a star; of one that it must have, without.
        const isWhole = quoted === undefined ? minus !== "" && !bare.endsWith("*") : closing !== "";
        if (words !== "") alternative[minus ? "without" : "terms"].push({ words, isWhole });
    }
    return alternatives.filter((one) => Object.values(one).some((part) => part.length > 0));
}

/**
 * What a note may have that is found.
 * @param {Alternative[]} query
 */
export const soughtBy = (query) => query.flatMap(({ terms }) => terms);

/**
 * Whether all that fits one query fits another one, as far as can be told without a look at notes.
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
