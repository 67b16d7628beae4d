/** The TextMerge module of a tab, with the recent merges of the page's texts. */

import { apply } from "../text/textmerge.js";

/** @import { TextMerge } from "../text/textmerge.js" */
/** @import { Delta } from "./types.js" */

/** The number of recent merges that are retained for edits in progress. */
const remembered = 16;

export class Merging {
    /** @type {TextMerge | null} */
    #loaded = null;
    /** @type {{ mine: string, merged: string, fromMine: Delta }[]} */
    #latest = [];

    /** @param {Promise<TextMerge>} loading */
    constructor(loading) {
        /** Resolves even without the module, because a text that only one side changed needs no merge. */
        this.ready = loading.then(
            (loaded) => {
                this.#loaded = loaded;
            },
            () => {},
        );
    }

    /** @param {string} base @param {string} theirs @param {string} mine */
    merge = (base, theirs, mine) => {
        const { fromMine } = this.#ready().merge(base, theirs, mine);
        const merged = apply(mine, fromMine);
        this.#latest = [{ mine, merged, fromMine }, ...this.#latest.slice(0, remembered - 1)];
        return merged;
    };

    /** @param {string} from @param {string} to @returns {Delta} */
    diff = (from, to) => this.#ready().diff(from, to);

    /**
     * Returns the delta from a text before a merge to the merged text.
     * @param {string} mine
     * @param {string} merged
     * @returns {Delta}
     */
    fromMine(mine, merged) {
        if (mine === merged) return mine === "" ? [] : [mine.length];
        const known = this.#latest.find((each) => each.mine === mine && each.merged === merged);
        if (known) return known.fromMine;
        return this.#loaded ? this.#loaded.diff(mine, merged) : replaced(mine, merged);
    }

    #ready() {
        if (!this.#loaded) throw new Error("TextMerge could not be loaded");
        return this.#loaded;
    }
}

/**
 * Returns a delta that replaces everything between the common prefix and the common suffix.
 * @param {string} from
 * @param {string} to
 * @returns {Delta}
 */
function replaced(from, to) {
    const limit = Math.min(from.length, to.length);
    let start = 0;
    while (start < limit && from[start] === to[start]) start += 1;
    let end = 0;
    while (end < limit - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
    const delta = [start, start + end - from.length, to.slice(start, to.length - end), end];
    return delta.filter((part) => part !== 0 && part !== "");
}
