/** What is typed into the search: words, `"words together"`, `-without`, `tag:work`, `tag:"two words"`. */
import { fold } from "./fold.js";

/**
 * `words` are folded, and so are those that no note may have; tags are compared as they are written.
 * @typedef {{ words: string[], without: string[], tags: string[], withoutTags: string[] }} Query
 */

const term = /(-?)(tag:)?(?:"([^"]*)"?|(\S+))/giu;

/**
 * @param {string} text
 * @returns {Query}
 */
export function readQuery(text) {
    /** @type {Query} */
    const query = { words: [], without: [], tags: [], withoutTags: [] };
    for (const [, minus, tag, quoted, bare] of text.matchAll(term)) {
        const written = quoted ?? bare;
        // Not all of it is typed yet.
        if (quoted === undefined && /^(-|tag:)$/i.test(bare)) continue;
        if (tag) {
            if (written !== "") (minus ? query.withoutTags : query.tags).push(written);
            continue;
        }
        // The server's way to ask for the beginning of a word; here every word may be one.
        const word = fold(quoted === undefined ? written.replace(/\*+$/, "") : written).trim();
        if (word !== "") (minus ? query.without : query.words).push(word);
    }
    return query;
}

/**
 * Whether all that fits one query fitted another one.
 * @param {Query} query
 * @param {Query} before
 */
export function narrows(query, before) {
    const same = (/** @type {"without" | "tags" | "withoutTags"} */ part) =>
        query[part].length === before[part].length && query[part].every((each, index) => each === before[part][index]);
    return (
        same("without") &&
        same("tags") &&
        same("withoutTags") &&
        before.words.every((word, index) => query.words[index]?.startsWith(word))
    );
}
