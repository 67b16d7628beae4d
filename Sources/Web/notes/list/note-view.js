/** The current query of the list, its ids, and the data of its visible rows. */

/** @import { Engine } from "../engine/client.js" */
/** @import { Listing, Order, Summary } from "../engine/types.js" */
/** @import { Route } from "../route.js" */
/** @import { CachedRows } from "./cached-rows.js" */

/** @typedef {{ place: "list" | "trash", tag?: string, words: string, order: Order }} ListQuery */

export const orders = /** @type {const} */ (["hand", "edited", "created", "title"]);

/** The number of rows read before a list is shown, and the number of cached rows. */
const initialRowCount = 24;
const maxCachedRows = 500;
/** The time between two reads after changes, in milliseconds. */
const refreshInterval = 250;

/**
 * @param {Route} route
 * @param {string | null} order
 * @returns {ListQuery}
 */
export function listQueryOf({ place, tag, query }, order) {
    const known = orders.find((each) => each === order) ?? "hand";
    const words = (query.q ?? "").trim();
    if (place === "trash") return { place: "trash", words, order: known === "hand" ? "edited" : known };
    return place === "tags" ? { place: "list", tag, words, order: known } : { place: "list", words, order: known };
}

/**
 * Returns the destination of a note that moves to a place in the list, or null if the note is already there. Pinned
 * notes stay among the pinned ones.
 * @param {Pick<Listing, "ids" | "pinned">} listing
 * @param {string} id
 * @param {number} place from 0 to the number of notes
 * @returns {{ after: string | null, at: number } | null}
 */
export function destinationOf({ ids, pinned }, id, place) {
    const from = ids.indexOf(id);
    if (from < 0) return null;
    const others = ids.toSpliced(from, 1);
    const [start, end] = from < pinned ? [0, pinned - 1] : [pinned, others.length];
    const at = Math.max(start, Math.min(place > from ? place - 1 : place, end));
    if (at === from) return null;
    // The first place of a part of the list means the first place of all.
    return { after: at === start ? null : others[at - 1], at };
}

/** Events: `shown` for a new list or order, `read` when more rows have their data. */
export class NoteView extends EventTarget {
    #engine;
    #cache;
    /** @type {Map<string, Summary>} */
    #summaries = new Map();
    /** @type {Set<string>} */
    #requested = new Set();
    /** @type {Set<string>} */
    #changed = new Set();
    #isRefreshing = false;
    /** @type {ListQuery | null} */
    #latestQuery = null;
    #readNumber = 0;
    #answeredRead = 0;
    #closing = new AbortController();

    /**
     * @param {Engine} engine
     * @param {CachedRows} cache
     */
    constructor(engine, cache) {
        super();
        this.#engine = engine;
        this.#cache = cache;
        /** The query of the shown list; null while only cached rows are shown. @type {ListQuery | null} */
        this.query = null;
        /** @type {Listing} */
        this.listing = {
            ids: [],
            tags: [],
            families: [],
            total: 0,
            places: { list: 0, trash: 0 },
            pinned: 0,
            first: [],
        };
        const { signal } = this.#closing;
        engine.addEventListener(
            "changed",
            (event) => this.#refresh(/** @type {CustomEvent<Set<string>>} */ (event).detail),
            { signal },
        );
    }

    close() {
        this.#closing.abort();
        this.#cache.close();
        this.#latestQuery = null;
    }

    /** Shows the results of a query, unless another query replaces it first. @param {ListQuery} query */
    async runQuery(query) {
        this.#latestQuery = query;
        if (!this.query) this.#showCached(query);
        await this.#read(query, new Set());
    }

    /** @param {ListQuery} query */
    #showCached(query) {
        const { pinned, rows } = this.#cache.find(query);
        if (rows.length === 0) return;
        this.listing = { ...this.listing, ids: rows.map(({ id }) => id), pinned };
        for (const each of rows) this.#summaries.set(each.id, each);
        this.dispatchEvent(new Event("shown"));
    }

    /**
     * @param {ListQuery} query
     * @param {Set<string>} changed
     */
    async #read(query, changed) {
        this.#readNumber += 1;
        const number = this.#readNumber;
        const isOther = query !== this.query;
        const listing = await this.#engine.list({ ...query, first: isOther ? initialRowCount : 0 });
        const known = [...changed].filter((id) => this.#summaries.has(id));
        const summaries = isOther ? listing.first : await this.#engine.summaries(known, query.words);
        // A later query may have been answered earlier.
        if (query !== this.#latestQuery || number < this.#answeredRead) return;
        this.#answeredRead = number;
        if (query !== this.query) {
            this.#summaries.clear();
            this.#requested.clear();
        }
        this.query = query;
        this.listing = listing;
        for (const id of changed) this.#summaries.delete(id);
        for (const each of summaries) this.#summaries.set(each.id, each);
        this.#cache.save(query, listing, (id) => this.#summaries.get(id));
        this.dispatchEvent(new Event("shown"));
    }

    /** @param {string} id */
    summary(id) {
        return this.#summaries.get(id);
    }

    /** Reads missing data of visible notes. @param {string[]} ids */
    async requestSummaries(ids) {
        const missing = ids.filter((id) => !this.#summaries.has(id) && !this.#requested.has(id));
        if (missing.length === 0 || !this.query) return;
        for (const id of missing) this.#requested.add(id);
        const { query } = this;
        const summaries = await this.#engine.summaries(missing, query.words);
        if (query !== this.query) return;
        for (const id of missing) this.#requested.delete(id);
        if (this.#summaries.size > maxCachedRows) {
            const visible = new Set(ids);
            for (const id of this.#summaries.keys()) if (!visible.has(id)) this.#summaries.delete(id);
        }
        for (const each of summaries) this.#summaries.set(each.id, each);
        if (summaries.length > 0) this.dispatchEvent(new Event("read"));
    }

    /** @param {Set<string>} changed */
    async #refresh(changed) {
        for (const id of changed) this.#changed.add(id);
        if (this.#isRefreshing) return;
        this.#isRefreshing = true;
        while (this.#changed.size > 0 && !this.#closing.signal.aborted) {
            const ids = this.#changed;
            this.#changed = new Set();
            try {
                if (this.#latestQuery) await this.#read(this.#latestQuery, ids);
            } catch {
                // The engine itself reports its failure.
                break;
            }
            await new Promise((done) => setTimeout(done, refreshInterval));
        }
        this.#isRefreshing = false;
    }
}
