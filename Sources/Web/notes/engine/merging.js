/** TextMerge for the notes of a tab, once it has been loaded, and what it did to the texts that the page sent. */

import { apply } from "../text/textmerge.js";

/** @import { TextMerge } from "../text/textmerge.js" */
/** @import { Delta } from "./types.js" */

/** So many merges are remembered, for the edits that wait for them. */
const remembered = 16;

export class Merging {
    /** @type {TextMerge | null} */
    #loaded = null;
    /** @type {{ mine: string, merged: string, fromMine: Delta }[]} */
    #latest = [];

    /** @param {Promise<TextMerge>} loading */
    constructor(loading) {
        /** Kept even where it could not be loaded: texts that only one side has changed need no merge. */
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
     * The delta that makes the text that a merge has given of the one that it was given.
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
 * A delta that takes all out and puts the other text in, but for what is the same at both ends.
 * @param {string} from
 * @param {string} to
 * @returns {Delta}
 */
function replaced(from, to) {
    const most = Math.min(from.length, to.length);
    let start = 0;
    while (start < most && from[start] === to[start]) start += 1;
    let end = 0;
    while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
    const delta = [start, start + end - from.length, to.slice(start, to.length - end), end];
    return delta.filter((part) => part !== 0 && part !== "");
}
