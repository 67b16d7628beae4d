/** The notes of an account as one tab has them: what its page asks for, the list in memory, and what other tabs do. */

import { Notes } from "../sync/notes.js";
import { listed, shelve } from "../sync/shelf.js";
import { StorageFailure } from "../sync/store.js";
import { Sync } from "../sync/sync.js";
import { Catalog } from "./catalog.js";
import { FullCheck } from "./check.js";
import { Merging } from "./merging.js";
import { Syncing } from "./syncing.js";
import { Tabs } from "./tabs.js";
import { newState } from "./types.js";

/** @import { NotesServer } from "../sync/server.js" */
/** @import { Listed } from "../sync/shelf.js" */
/** @import { NotesStore } from "../sync/store.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { TextMerge } from "../text/textmerge.js" */
/** @import { Reason } from "./schedule.js" */
/** @import { Message } from "./tabs.js" */
/** @import { Delta, Edited, GivenNote, Query, State } from "./types.js" */

/** How long one thing is done while the page may ask for another, and how long nothing then; in milliseconds. */
const [slice, pause] = [8, 8];
/** So often a database is opened that the browser has taken away; the last time after two seconds. */
const mostAttempts = 8;

export class Device {
    #name;
    #store;
    #merging;
    #emit;
    #factory;
    #notes;
    #sync;
    #syncing;
    #tabs;
    #steady;
    #pause;
    #catalog = new Catalog();
    #state = newState();
    /** @type {Promise<void> | null} */
    #loading = null;
    #isClosed = false;
    #hasJoined = false;
    /** Notes that have changed since the catalog read them. @type {Set<string>} */
    #stale = new Set();
    /** @type {Promise<void> | null} */
    #refreshing = null;
    /** What is not on the server, and whether it needs attention. @type {Map<string, boolean>} */
    #unsynced = new Map();

    /**
     * @param {object} parts
     * @param {string} parts.name of the database, the lock and the channel
     * @param {NotesStore} parts.store
     * @param {IDBFactory} parts.factory
     * @param {NotesServer} parts.server
     * @param {Promise<TextMerge>} parts.text
     * @param {() => EventSource} parts.stream opens the server's events
     * @param {LockManager} parts.locks
     * @param {BroadcastChannel} parts.channel
     * @param {() => number} parts.now milliseconds since 1970
     * @param {() => number} parts.steady milliseconds of a clock that never jumps
     * @param {() => number} parts.random below 1
     * @param {() => string} parts.identifier
     * @param {(text: string) => Promise<string>} parts.hash SHA-256 in hexadecimal digits
     * @param {{ set: (call: () => void, milliseconds: number) => any, clear: (timer: any) => void }} parts.timers
     * @param {(event: "changed" | "state" | "failure" | "wiped", detail?: unknown) => void} parts.emit tells the page
     */
    constructor(parts) {
        const { name, store, factory, server, text, stream, now, random, identifier, timers, emit } = parts;
        this.#name = name;
        this.#store = store;
        this.#factory = factory;
        this.#emit = emit;
        this.#steady = parts.steady;
        const merging = new Merging(text);
        this.#merging = merging;
        this.#pause = (/** @type {number} */ milliseconds) =>
            /** @type {Promise<void>} */ (new Promise((resolve) => timers.set(() => resolve(), milliseconds)));
        const announce = (/** @type {Set<string>} */ ids) => this.#changed([...ids]);
        this.#notes = new Notes({ store, now, identifier, merge: merging.merge, announce });
        this.#sync = new Sync({ store, server, text: merging, identifier, announce });
        this.#syncing = new Syncing({
            sync: this.#sync,
            store,
            open: stream,
            now: parts.steady,
            wallClock: now,
            random,
            timers,
            announce: (change) => this.#setState(change),
            check: new FullCheck({ store, server, sync: this.#sync, hash: parts.hash }),
            tidy: () => shelve(store, () => this.#pause(pause)),
        });
        this.#tabs = new Tabs(name, parts.locks, parts.channel, {
            lead: () => this.#lead(),
            follow: () => {
                this.#syncing.stop();
                this.#setState({ isLeader: false, live: false });
            },
            hear: (message) => this.#hear(message),
        });
    }

    /** Opens the notes and joins the other tabs. */
    async open() {
        const isFirst = this.#loading === null;
        this.#loading ??= this.#load();
        try {
            await this.#loading;
        } catch (failure) {
            this.#loading = null;
            throw failure;
        }
        if (!isFirst || this.#isClosed) return;
        this.#warm();
        if (this.#hasJoined) return;
        this.#hasJoined = true;
        this.#tabs.join();
        this.#tabs.ask();
    }

    /** The browser has taken the database away, perhaps with all that was in it: what is there now is read again. */
    async lost() {
        for (let attempt = 1; ; attempt += 1) {
            this.#loading = null;
            try {
                await this.open();
                break;
            } catch (failure) {
                // It may still be at it.
                if (attempt === mostAttempts) return this.#fail(failure);
                await this.#pause(pause * 2 ** attempt);
            }
        }
        this.#emit("changed", new Set());
        this.#want("told");
    }

    /** @param {DocumentVisibilityState | "online"} what the page says of itself */
    told(what) {
        if (what === "hidden") return;
        this.#tabs.ask();
        this.#want("seen");
    }

    // What the page asks for.

    /** @param {Query} query */
    async list(query) {
        await this.#upToDate();
        return this.#catalog.list(query);
    }

    /** @param {string[]} ids @param {string} [words] */
    async summaries(ids, words) {
        await this.#upToDate();
        return this.#catalog.summaries(ids, words);
    }

    /** @param {string} id */
    note(id) {
        return this.#notes.note(id);
    }

    /** @param {Partial<Text>} text */
    create(text) {
        return this.#notes.create(text);
    }

    /**
     * @param {string} id
     * @param {Text} read
     * @param {Text} text
     * @returns {Promise<Edited>}
     */
    async edit(id, read, text) {
        await this.#merging.ready;
        const record = await this.#notes.edit(id, read, text);
        const fromMine = (/** @type {"title" | "body"} */ part) =>
            this.#merging.fromMine(text[part], record.text[part]);
        return { record, fromMine: { title: fromMine("title"), body: fromMine("body") } };
    }

    /** @param {string} id @param {string | null} after */
    move(id, after) {
        return this.#notes.move(id, after);
    }

    /** @param {string} id */
    moveToTrash(id) {
        return this.#notes.moveToTrash(id);
    }

    /** @param {string} id */
    takeOutOfTrash(id) {
        return this.#notes.takeOutOfTrash(id);
    }

    /** @param {string} id */
    removeForGood(id) {
        return this.#notes.removeForGood(id);
    }

    /** @param {string[]} ids @param {{ add?: string[], remove?: string[] }} tags */
    retag(ids, tags) {
        return this.#notes.retag(ids, tags);
    }

    /** @param {string[]} ids @param {boolean} pinned */
    pin(ids, pinned) {
        return this.#notes.pin(ids, pinned);
    }

    /** @param {string[]} ids */
    trash(ids) {
        return this.#notes.moveAllToTrash(ids);
    }

    /** @param {string[]} ids */
    takeOut(ids) {
        return this.#notes.takeAllOut(ids);
    }

    /** @param {string[]} ids */
    removeAllForGood(ids) {
        return this.#notes.removeAllForGood(ids);
    }

    /** @param {string} id */
    discardChange(id) {
        return this.#notes.discardChange(id);
    }

    /** @param {string} id */
    keepAsNew(id) {
        return this.#notes.keepAsNew(id);
    }

    /** @param {string} from @param {string} to @returns {Promise<Delta>} */
    async diff(from, to) {
        await this.#merging.ready;
        return this.#merging.diff(from, to);
    }

    /**
     * Makes notes, but those that are here already.
     * @param {GivenNote[]} given
     */
    createAll(given) {
        return this.#notes.createAll(given);
    }

    /** @param {{ trash: boolean }} also */
    async all({ trash }) {
        const all = await this.#store.read((view) => view.notes());
        return all.filter(({ place }) => place === "list" || (trash && place === "trash"));
    }

    async syncNow() {
        this.#want("told");
    }

    /** @param {"moveToTrash" | "keep"} decision */
    async decide(decision) {
        await this.#sync.decide(decision);
        await this.syncNow();
    }

    async wipe() {
        this.#tabs.say({ wiped: true });
        this.close();
        await new Promise((resolve, reject) => {
            const request = this.#factory.deleteDatabase(this.#name);
            request.onsuccess = resolve;
            request.onerror = () => reject(StorageFailure.of(request.error));
        });
        this.#emit("wiped");
    }

    close() {
        this.#isClosed = true;
        this.#syncing.stop();
        this.#tabs.close();
        this.#store.abandon();
    }

    // The list in memory.

    /** Prepares the search, a little at a time. */
    async #warm() {
        while (!this.#isClosed && !this.#catalog.warm(slice, this.#steady)) await this.#pause(pause);
    }

    async #load() {
        const notes = await this.#store.read((view) => view.listed());
        this.#catalog.load(notes);
        this.#unsynced.clear();
        this.#count(notes);
        this.#setState({});
    }

    async #upToDate() {
        await this.open();
        await this.#refreshing;
    }

    /**
     * Something was written here.
     * @param {string[]} ids
     */
    #changed(ids) {
        if (ids.length === 0) return;
        this.#tabs.say({ changed: ids });
        this.#refresh(ids);
        if (this.#tabs.isLeader) this.#syncing.want("write");
    }

    /** @param {string[]} ids */
    #refresh(ids) {
        for (const id of ids) this.#stale.add(id);
        this.#refreshing ??= this.#readAgain().finally(() => {
            this.#refreshing = null;
        });
    }

    async #readAgain() {
        await this.#loading;
        while (this.#stale.size > 0 && !this.#isClosed) {
            const ids = [...this.#stale];
            this.#stale.clear();
            try {
                await this.#readSome(ids);
            } catch (failure) {
                for (const id of ids) this.#stale.add(id);
                this.#fail(failure);
                return;
            }
            this.#emit("changed", new Set(ids));
        }
    }

    /** @param {string[]} ids */
    async #readSome(ids) {
        const { found, progress } = await this.#store.read(async (view) => ({
            found: (await view.some(ids)).map(listed),
            progress: await view.progress(),
        }));
        const here = new Set(found.map(({ id }) => id));
        const gone = ids.filter((id) => !here.has(id));
        this.#catalog.apply(found, gone);
        for (const id of gone) this.#unsynced.delete(id);
        this.#count(found);
        this.#setState(
            this.#state.phase === "syncing" && progress.phase === "first"
                ? { firstSync: { done: this.#catalog.list({ place: "list", order: "edited" }).total } }
                : {},
        );
    }

    /** @param {Listed[]} notes */
    #count(notes) {
        for (const { id, isUnsynced, problem } of notes) {
            if (isUnsynced) this.#unsynced.set(id, problem !== null);
            else this.#unsynced.delete(id);
        }
    }

    /** @param {unknown} failure */
    #fail(failure) {
        if (failure instanceof StorageFailure && !this.#isClosed) this.#emit("failure", failure);
    }

    // Other tabs.

    /** @param {Reason} reason */
    #want(reason) {
        if (this.#tabs.isLeader) this.#syncing.want(reason);
        else this.#tabs.say({ wants: reason });
    }

    #lead() {
        this.#setState({ isLeader: true });
        this.#syncing.start();
    }

    /** @param {Message} message */
    #hear({ changed, state, asks, wants, wiped }) {
        if (changed) {
            this.#refresh(changed);
            if (this.#tabs.isLeader) this.#syncing.want("write");
        }
        if (state && !this.#tabs.isLeader) {
            const { phase, live, retryAt, decision, problem, firstSync, lastFullCheck } = state;
            this.#setState({ phase, live, retryAt, decision, problem, firstSync, lastFullCheck });
        }
        if (asks && this.#tabs.isLeader) this.#tabs.say({ state: this.#state });
        if (wants && this.#tabs.isLeader) this.#syncing.want(wants);
        if (wiped && !this.#isClosed) {
            this.close();
            this.#emit("wiped");
        }
    }

    /** @param {Partial<State>} change */
    #setState(change) {
        const attention = [...this.#unsynced.values()].filter((needsAttention) => needsAttention).length;
        const state = { ...this.#state, ...change, pending: this.#unsynced.size, attention };
        if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
        this.#state = state;
        if (this.#isClosed) return;
        this.#emit("state", state);
        if (this.#tabs.isLeader) this.#tabs.say({ state });
    }
}
