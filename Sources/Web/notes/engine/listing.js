/**
 * The list of notes in memory, kept as the database is: it reads again what has been written, here or in other tabs.
 */

import { listed, pieces } from "../sync/shelf.js";
import { Catalog } from "./catalog.js";

/** @import { Listed } from "../sync/shelf.js" */
/** @import { NotesStore } from "../sync/store.js" */
/** @import { Query } from "./types.js" */

/** How long the search is prepared while the page may ask for something, in milliseconds. */
const slice = 8;

export class Listing {
    #store;
    #now;
    #pause;
    #hooks;
    #isWarming = false;
    #catalog = new Catalog();
    /** What lists show of all notes. */
    #heads = new Once(() => this.#read());
    /** The rest of them, which the first list does not need. */
    #bodies = new Once(() => this.#readBodies());
    /** Notes that have changed since they were read. @type {Set<string>} */
    #stale = new Set();
    /** @type {Promise<void> | null} */
    #refreshing = null;
    /** What is not on the server, and whether it needs attention. @type {Map<string, boolean>} */
    #unsynced = new Map();
    #isFirstSync = false;

    /**
     * @param {NotesStore} store
     * @param {() => number} now milliseconds of a clock that never jumps
     * @param {() => Promise<void>} pause lets the page ask for something
     * @param {{ changed: (ids: string[]) => void, counted: () => void, failed: (failure: unknown) => void }} hooks
     */
    constructor(store, now, pause, hooks) {
        this.#store = store;
        this.#now = now;
        this.#pause = pause;
        this.#hooks = hooks;
    }

    /** How many notes have something that is not on the server, and how many of these it refuses. */
    get counts() {
        const attention = [...this.#unsynced.values()].filter((needsAttention) => needsAttention).length;
        return { pending: this.#unsynced.size, attention };
    }

    /** How many notes have come, while not all have yet; else null. */
    get firstSync() {
        return this.#isFirstSync ? { done: this.#catalog.size } : null;
    }

    /** Of all notes that are shown somewhere. */
    get ids() {
        return this.#catalog.ids;
    }

    /** Reads what lists show of all notes, the first time; a failure is tried anew the next time. */
    load() {
        return this.#heads.done();
    }

    /** Reads all notes anew. */
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

    /**
     * Reads notes again.
     * @param {string[]} ids
     */
    refresh(ids) {
        for (const id of ids) this.#stale.add(id);
        this.#refreshing ??= this.#readAgain();
    }

    /**
     * Counts notes as not on the server that have just been written, until they are read again.
     * @param {Iterable<string>} ids
     */
    mark(ids) {
        for (const id of ids) if (!this.#unsynced.has(id)) this.#unsynced.set(id, false);
        this.#hooks.counted();
    }

    /** @param {string} [words] with these, the bodies are needed */
    async #upToDate(words) {
        await this.load();
        if (words?.trim()) await this.#bodies.done();
        await this.#refreshing;
    }

    async #readBodies() {
        for (let piece = 0; piece < pieces; piece += 1)
            this.#catalog.take(await this.#store.read((view) => view.bodies(piece)));
    }

    async #read() {
        const notes = await this.#store.read((view) => view.listed());
        this.#catalog.load(notes);
        this.#unsynced.clear();
        this.#count(notes);
        this.#hooks.counted();
        this.#warm();
    }

    /** Prepares the search, a little at a time. */
    async #warm() {
        if (this.#isWarming) return;
        this.#isWarming = true;
        try {
            do {
                await this.#pause();
                await this.#bodies.done();
            } while (!this.#catalog.warm(slice, this.#now));
        } catch {
            // Whoever searches is told.
        } finally {
            this.#isWarming = false;
        }
    }

    async #readAgain() {
        // What is being read may be older; and nobody is to wait for something that has not begun.
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
                found: (await view.some(ids)).map(listed),
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
            // The next change reads them too.
            for (const id of ids) this.#stale.add(id);
            throw failure;
        }
    }

    /** @param {Listed[]} notes */
    #count(notes) {
        for (const { id, isUnsynced, problem } of notes) {
            if (isUnsynced) this.#unsynced.set(id, problem !== null);
            else this.#unsynced.delete(id);
        }
    }
}

/** Something that is done once; what failed is done anew for whoever wants it next. */
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
            // Meanwhile it may have been begun anew.
            if (this.begun === begun) this.begun = null;
            throw failure;
        }
    }

    forget() {
        this.begun = null;
    }
}
