/** The list of notes in memory. Rereads notes that this tab or another tab has written. */

import { listEntry, pieceCount } from "../sync/list-index.js";
import { Catalog } from "./catalog.js";

/** @import { ListEntry } from "../sync/list-index.js" */
/** @import { NotesStore } from "../sync/store.js" */
/** @import { Query } from "./types.js" */

/** The time budget of one step of indexing, in milliseconds. */
const stepBudget = 8;

export class Listing {
    #store;
    #now;
    #pause;
    #hooks;
    #isWarming = false;
    #catalog = new Catalog();
    /** The row data of all notes. */
    #heads = new Once(() => this.#read());
    /** The bodies of all notes, which the first list does not need. */
    #bodies = new Once(() => this.#readBodies());
    /** The ids of notes that changed since they were read. @type {Set<string>} */
    #stale = new Set();
    /** @type {Promise<void> | null} */
    #refreshing = null;
    /** The ids of unsynced notes; the value is true if the note needs attention. @type {Map<string, boolean>} */
    #unsynced = new Map();
    #isFirstSync = false;

    /**
     * @param {NotesStore} store
     * @param {() => number} now returns milliseconds of a monotonic clock
     * @param {() => Promise<void>} pause lets the worker answer calls of the page
     * @param {{ changed: (ids: string[]) => void, counted: () => void, failed: (failure: unknown) => void }} hooks
     */
    constructor(store, now, pause, hooks) {
        this.#store = store;
        this.#now = now;
        this.#pause = pause;
        this.#hooks = hooks;
    }

    /** The number of unsynced notes, and the number of those that the server refuses. */
    get counts() {
        const attention = [...this.#unsynced.values()].filter((needsAttention) => needsAttention).length;
        return { pending: this.#unsynced.size, attention };
    }

    /** The number of notes received during the first sync; otherwise null. */
    get firstSync() {
        return this.#isFirstSync ? { done: this.#catalog.size } : null;
    }

    /** The ids of all notes in the list or the trash. */
    get ids() {
        return this.#catalog.ids;
    }

    /** Reads the row data of all notes once. A failed read is retried by the next call. */
    load() {
        return this.#heads.done();
    }

    /** Rereads all notes. */
    reload() {
        this.#heads.forget();
        this.#bodies.forget();
        return this.load();
    }

    /** @param {Query} query */
    async list(query) {
        await this.#upToDate(query.words);
        return this.#catalog.list(query);
    }

    /** @param {string[]} ids @param {string} [words] */
    async summaries(ids, words) {
        await this.#upToDate(words);
        return this.#catalog.summaries(ids, words);
    }

    /** @param {string} words @param {string} except */
    async titled(words, except) {
        await this.#upToDate();
        return this.#catalog.titled(words, except);
    }

    /** @param {string} id */
    async linkedFrom(id) {
        await this.#upToDate();
        await this.#bodies.done();
        return this.#catalog.linkedFrom(id);
    }

    /** Rereads notes. @param {string[]} ids */
    refresh(ids) {
        for (const id of ids) this.#stale.add(id);
        this.#refreshing ??= this.#readAgain();
    }

    /** Counts just written notes as unsynced until they are reread. @param {Iterable<string>} ids */
    mark(ids) {
        for (const id of ids) if (!this.#unsynced.has(id)) this.#unsynced.set(id, false);
        this.#hooks.counted();
    }

    /** @param {string} [words] search words, which require the bodies */
    async #upToDate(words) {
        await this.load();
        if (words?.trim()) await this.#bodies.done();
        await this.#refreshing;
    }

    async #readBodies() {
        for (let piece = 0; piece < pieceCount; piece += 1)
            this.#catalog.addBodies(await this.#store.read((view) => view.bodies(piece)));
    }

    async #read() {
        const notes = await this.#store.read((view) => view.listEntries());
        this.#catalog.load(notes);
        this.#unsynced.clear();
        this.#count(notes);
        this.#hooks.counted();
        this.#warm();
    }

    /** Indexes the notes for the search in small steps. */
    async #warm() {
        if (this.#isWarming) return;
        this.#isWarming = true;
        try {
            do {
                await this.#pause();
                await this.#bodies.done();
            } while (!this.#catalog.warm(stepBudget, this.#now));
        } catch {
            // A search reports the failure.
        } finally {
            this.#isWarming = false;
        }
    }

    async #readAgain() {
        // Wait for a running read, whose data may be older, but do not start one.
        await this.#heads.begun?.catch(() => {});
        try {
            while (this.#stale.size > 0) {
                const ids = [...this.#stale];
                this.#stale.clear();
                await this.#readSome(ids);
                this.#hooks.changed(ids);
            }
            this.#warm();
        } catch (failure) {
            this.#hooks.failed(failure);
        } finally {
            this.#refreshing = null;
        }
    }

    /** @param {string[]} ids */
    async #readSome(ids) {
        try {
            const { found, progress } = await this.#store.read(async (view) => ({
                found: (await view.existingNotes(ids)).map(listEntry),
                progress: await view.progress(),
            }));
            const here = new Set(found.map(({ id }) => id));
            const gone = ids.filter((id) => !here.has(id));
            this.#catalog.apply(found, gone);
            for (const id of gone) this.#unsynced.delete(id);
            this.#count(found);
            this.#isFirstSync = progress.phase === "first";
            this.#hooks.counted();
        } catch (failure) {
            // Reread these notes with the next change.
            for (const id of ids) this.#stale.add(id);
            throw failure;
        }
    }

    /** @param {ListEntry[]} notes */
    #count(notes) {
        for (const { id, isUnsynced, problem } of notes) {
            if (isUnsynced) this.#unsynced.set(id, problem !== null);
            else this.#unsynced.delete(id);
        }
    }
}

/** A task that runs once. The next call retries a failed run. */
class Once {
    #run;
    /** @type {Promise<void> | null} */
    begun = null;

    /** @param {() => Promise<void>} run */
    constructor(run) {
        this.#run = run;
    }

    async done() {
        this.begun ??= this.#run();
        const { begun } = this;
        try {
            await begun;
        } catch (failure) {
            // Another call may have started a new run meanwhile.
            if (this.begun === begun) this.begun = null;
            throw failure;
        }
    }

    forget() {
        this.begun = null;
    }
}
