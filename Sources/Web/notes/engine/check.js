/** Compares the local notes with the server's list of all notes, without writing. A sync then repairs differences. */

import { checkedPage } from "../sync/page.js";
import * as progressOf from "../sync/progress.js";
import { forgetHistory } from "../sync/record.js";

/** @import { Cursor, NoteRecord } from "../sync/record.js" */
/** @import { NotesServer } from "../sync/server.js" */
/** @import { NotesStore } from "../sync/store.js" */
/** @import { Sync } from "../sync/sync.js" */

/** @typedef {{ id: string, revision: number, sha256?: string }} Entry an element of the server's list */

/** The time between two full checks, in milliseconds. */
const interval = 24 * 3600 * 1000;
const notesAtOnce = 250;

/**
 * Returns true if a check is due. A time in the future means that the clock was set back, so the check is due.
 * @param {number | null} last
 * @param {number} now
 */
export const isDue = (last, now) => last === null || last > now || now - last >= interval;

export class FullCheck {
    #store;
    #server;
    #sync;
    #hash;

    /**
     * @param {object} parts
     * @param {NotesStore} parts.store
     * @param {NotesServer} parts.server
     * @param {Sync} parts.sync
     * @param {(text: string) => Promise<string>} parts.hash returns the SHA-256 in hexadecimal digits
     */
    constructor({ store, server, sync, hash }) {
        this.#store = store;
        this.#server = server;
        this.#sync = sync;
        this.#hash = hash;
    }

    /** Runs the check; afterwards the local copy is correct. Throws the same errors as a sync. */
    async run() {
        const first = await this.#differing();
        if (first.size === 0) return;
        // Changes since the last sync arrive with this one.
        await this.#sync.run();
        const second = await this.#differing();
        const ids = [...second].filter((id) => first.has(id));
        if (ids.length === 0) return;
        await this.#store.write(async (view) => {
            const progress = await view.progress();
            if (progress.phase !== "changes") return;
            for (const record of await view.existingNotes(ids)) {
                forgetHistory(record);
                await view.save(record);
            }
            progressOf.loseHistory(progress);
            await view.clearManifest();
            await view.saveProgress(progress);
        });
        await this.#sync.run();
    }

    /** Returns the ids of the notes that differ from the server's. */
    async #differing() {
        const { cursor, phase } = await this.#store.read((view) => view.progress());
        /** @type {Set<string>} */
        const differing = new Set();
        if (!cursor || phase !== "changes") return differing;
        const entries = await this.#entries();
        let after = "";
        for (;;) {
            const some = await this.#store.read((view) => view.notesAfter(after, notesAtOnce));
            for (const record of some) {
                const entry = entries.get(record.id) ?? null;
                entries.delete(record.id);
                if (await this.#differs(record, entry, cursor)) differing.add(record.id);
            }
            if (some.length < notesAtOnce) break;
            after = some[some.length - 1].id;
        }
        for (const { id, revision } of entries.values()) if (revision <= cursor.revision) differing.add(id);
        return differing;
    }

    async #entries() {
        /** @type {Map<string, Entry>} */
        const entries = new Map();
        /** @type {string | null} */
        let next = null;
        do {
            const page = checkedPage(await this.#server.page(next === null ? { form: "manifest" } : { next }));
            for (const entry of page.manifest) entries.set(entry.id, entry);
            next = page.next;
        } while (next !== null);
        return entries;
    }

    /**
     * @param {NoteRecord} record
     * @param {Entry | null} entry
     * @param {Cursor} cursor the state up to which all changes are stored
     */
    async #differs(record, entry, cursor) {
        if (!record.shadow || record.action || record.problem) return false;
        if (!entry) return !record.isInServersTrash;
        if (entry.revision > cursor.revision) return false;
        if (entry.revision !== record.lastReceived || record.isInServersTrash) return true;
        const { title, body } = record.shadow.text;
        return entry.sha256 !== undefined && entry.sha256 !== (await this.#hash(`${title}\0${body}`));
    }
}
