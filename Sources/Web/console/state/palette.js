// The search of the command palette.

import { prepare, search } from "./fuzzy.js";

/**
 * A target or an action. `words` are searched like the label, but not shown.
 * @typedef {{section: string, label: string, words?: string, hint?: string, run: () => void}} Item
 * @typedef {{items: Item[], index: import("./fuzzy.js").FuzzyIndex, weight: number}} SearchGroup
 */

/**
 * Prepares items for the search.
 * @param {Item[]} items
 * @param {number} weight a bonus for each hit, so that a few actions are found among many keys
 * @returns {SearchGroup}
 */
export function searchGroup(items, weight) {
    return { items, index: prepare(items.map(({ label, words }) => (words ? `${label} ${words}` : label))), weight };
}

/**
 * Returns the matching items, the best first. Items of one section stay together, in the order of their best match.
 * @param {SearchGroup[]} groups
 * @param {string} query
 * @param {number} limit
 * @returns {Item[]}
 */
export function find(groups, query, limit) {
    const hits = groups.flatMap(({ items, index, weight }) =>
        search(index, query, limit).map((hit) => ({ item: items[hit.index], score: hit.score + weight })),
    );
    hits.sort((one, other) => other.score - one.score);
    /** @type {Map<string, Item[]>} */
    const sections = new Map();
    for (const { item } of hits.slice(0, limit)) {
        const section = sections.get(item.section);
        if (section) section.push(item);
        else sections.set(item.section, [item]);
    }
    return [...sections.values()].flat();
}

/**
 * Returns the selection after a key; it wraps around at both ends.
 * @param {number} at
 * @param {number} step
 * @param {number} count
 */
export function moved(at, step, count) {
    return count === 0 ? -1 : (((at + step) % count) + count) % count;
}
