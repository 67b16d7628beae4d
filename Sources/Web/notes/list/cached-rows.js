/**
 * A cache of the list's first rows. A starting page shows these rows at once, long before the database is open, and
 * replaces them by the database's. The cache omits the sync status, which may be stale. Formatted times are cached for
 * the same day.
 */

import { dayKey, formatNoteDate } from "./note-date.js";

/** @import { DeviceAccounts } from "../account/accounts.js" */
/** @import { Texts } from "../../shared/texts.js" */
/** @import { Listing, Summary } from "../engine/types.js" */
/** @import { ListQuery } from "./note-view.js" */

/** The number of cached rows; more than most screens show. */
const maxRows = 24;
/** The time without changes before the list is cached, in milliseconds. */
const saveDelay = 500;

export class CachedRows {
    #device;
    #environment;
    #account;
    #texts;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {DeviceAccounts} device
     * @param {string} environment
     * @param {string} account
     * @param {Texts} texts
     */
    constructor(device, environment, account, texts) {
        this.#device = device;
        this.#environment = environment;
        this.#account = account;
        this.#texts = texts;
    }

    /**
     * Returns the cached rows if they belong to the same query.
     * @param {ListQuery} query
     * @returns {{ pinned: number, rows: Summary[] }}
     */
    find(query) {
        /** @type {any} */
        const cached = this.#device.rows(this.#environment, this.#account);
        const fits = cached?.question === keyOf(query) && Array.isArray(cached.rows) && cached.rows.every(isSummary);
        if (!fits) return { pinned: 0, rows: [] };
        const isOfToday = cached.day === dayKey(this.#texts);
        const rows = isOfToday
            ? cached.rows
            : cached.rows.map((/** @type {Summary} */ each) => ({ ...each, moment: undefined }));
        return { pinned: Number(cached.pinned) || 0, rows };
    }

    /**
     * Caches the rows after a pause without changes, but only those of the whole list, with which a page starts.
     * @param {ListQuery} query
     * @param {Listing} listing
     * @param {(id: string) => Summary | undefined} known
     */
    save(query, { ids, pinned }, known) {
        if (query.place !== "list" || query.tag !== undefined || query.words !== "") return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            const day = dayKey(this.#texts);
            const date = (/** @type {number} */ at) => formatNoteDate(this.#texts, new Date(at));
            const rows = ids
                .slice(0, maxRows)
                .map((id) => known(id))
                .filter((each) => each !== undefined)
                .map((each) => ({ ...each, status: null, problem: null, moment: date(each.updatedAt) }));
            this.#device.cacheRows(this.#environment, this.#account, { question: keyOf(query), pinned, day, rows });
        }, saveDelay);
    }

    close() {
        clearTimeout(this.#timer);
    }
}

/** @param {ListQuery} query */
const keyOf = ({ place, tag, words, order }) => JSON.stringify([place, tag ?? null, words, order]);

/**
 * @param {any} value
 * @returns {value is Summary}
 */
function isSummary(value) {
    const { id, title, excerpt, tags, moment } = value ?? {};
    const texts = [id, title, excerpt, moment?.short ?? "", moment?.full ?? ""];
    return texts.every((each) => typeof each === "string") && Array.isArray(tags);
}
