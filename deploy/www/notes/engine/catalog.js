/** The notes of this device in memory, as lists and rows show them. */

import { withPendingMoves } from "../sync/notes.js";
import { status } from "../sync/record.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Query, Summary } from "./types.js" */

export class Catalog {
    /** @type {Map<string, NoteRecord>} */
    #records = new Map();

    /** @param {NoteRecord[]} records */
    load(records) {
        this.#records.clear();
        this.apply(records, []);
    }

    /**
     * @param {NoteRecord[]} records
     * @param {string[]} removedIds
     */
    apply(records, removedIds) {
        for (const record of records) this.#records.set(record.id, record);
        for (const id of removedIds) this.#records.delete(id);
    }

    /**
     * @param {Query} query
     * @returns {{ ids: string[], tags: [string, number][], total: number }}
     */
    list({ place, words, order }) {
        const all = [...this.#records.values()].filter((record) => record.place === place);
        const positions = (/** @type {NoteRecord} */ one, /** @type {NoteRecord} */ other) =>
            (one.position ?? "~") < (other.position ?? "~") ? -1 : 1;
        const sorted = order === "hand" ? withPendingMoves(all.sort(positions)) : all.sort((a, b) => b.updatedAt - a.updatedAt);
        const wanted = words?.toLowerCase() ?? "";
        const found = sorted.filter(({ text }) => `${text.title}\n${text.body}`.toLowerCase().includes(wanted));
        return { ids: found.map(({ id }) => id), tags: [], total: all.length };
    }

    /**
     * @param {string[]} ids
     * @returns {Summary[]}
     */
    summaries(ids) {
        return ids.flatMap((id) => {
            const record = this.#records.get(id);
            if (!record || record.place === "removed") return [];
            const { text, createdAt, updatedAt, place, problem } = record;
            const excerpt = text.body.slice(0, 200);
            const [tags, pinned] = [/** @type {string[]} */ ([]), false];
            return [{ id, title: text.title, excerpt, tags, pinned, createdAt, updatedAt, place, status: status(record), problem }];
        });
    }
}
