/** The notes of an account as one tab has them: the notes themselves, the list in memory, and what other tabs do. */

import { Notes } from "../sync/notes.js";
import { shelve } from "../sync/shelf.js";
import { StorageFailure } from "../sync/store.js";
import { Sync } from "../sync/sync.js";
import { FullCheck } from "./check.js";
import { Listing } from "./listing.js";
import { Merging } from "./merging.js";
import { Syncing } from "./syncing.js";
import { Tabs } from "./tabs.js";
import { newState } from "./types.js";

/** @import { NotesServer } from "../sync/server.js" */
/** @import { NotesStore } from "../sync/store.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { TextMerge } from "../text/textmerge.js" */
/** @import { Reason } from "./schedule.js" */
/** @import { Message } from "./tabs.js" */
/** @import { Delta, Edited, Query, State } from "./types.js" */

/**
 * How long nothing is done between the parts of something long, so that the page can ask for something; in
 * milliseconds.
 */
const pause = 8;
/** Between the rounds of a sync while somebody types, in milliseconds: as long as a sync waits after a write. */
const betweenRounds = 300;

export class Device {
    #name;
    #store;
    #merging;
    #emit;
    #factory;
    #sync;
    #syncing;
    #tabs;
    #pause;
    #listing;
    #state = newState();
    #isClosed = false;
    #hasJoined = false;

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
     * @param {(event: "changed" | "state" | "failure" | "lost" | "wiped", detail?: unknown) => void} parts.emit tells the page
     */
    constructor(parts) {
        const { name, store, factory, server, text, stream, now, random, identifier, timers, emit } = parts;
        this.#name = name;
        this.#store = store;
        this.#factory = factory;
        this.#emit = emit;
        const merging = new Merging(text);
        this.#merging = merging;
        this.#pause = (/** @type {number} */ milliseconds) =>
            /** @type {Promise<void>} */ (new Promise((resolve) => timers.set(() => resolve(), milliseconds)));
        this.#listing = new Listing(store, parts.steady, () => this.#pause(pause), {
            changed: (ids) => this.#emit("changed", new Set(ids)),
            counted: () => this.#setState({}),
            failed: (failure) => this.#fail(failure),
        });
        const changed = (/** @type {Set<string>} */ ids) => this.#changed([...ids]);
        const written = (/** @type {Set<string>} */ ids) => {
            // Before the page hears that it is written: nothing is to look as if it were on the server.
            this.#listing.mark(ids);
            changed(ids);
            if (this.#tabs.isLeader) this.#syncing.want("write");
        };
        /** The notes, which answer the page's calls by themselves where no list, merge or tab is needed. */
        this.notes = new Notes({ store, now, identifier, merge: merging.merge, announce: written });
        const pauseSync = () => this.#pause(betweenRounds);
        this.#sync = new Sync({ store, server, text: merging, identifier, announce: changed, pause: pauseSync });
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
            tidy: () => this.#tidy(),
        });
        this.#tabs = new Tabs(name, parts.locks, parts.channel, this.#pause, {
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
        await this.#listing.load();
        if (this.#isClosed) return;
        // A page that has come later than the worker knows nothing yet.
        this.#emit("state", this.#state);
        if (this.#hasJoined) return;
        this.#hasJoined = true;
        this.#tabs.join();
        this.#tabs.ask();
    }

    /** Another tab removes the notes from this device. */
    removed() {
        if (this.#isClosed) return;
        this.close();
        this.#emit("wiped");
    }

    /** The browser has taken the database away, perhaps with all that was in it: what is there now is read again. */
    async lost() {
        // Before anything that is read afterwards.
        this.#emit("lost");
        const before = this.#listing.ids;
        try {
            await this.#listing.reload();
        } catch (failure) {
            return this.#fail(failure);
        }
        this.#emit("changed", new Set([...before, ...this.#listing.ids]));
        this.#want("told");
    }

    /** @param {DocumentVisibilityState | "online" | "offline"} what the page says of itself */
    told(what) {
        if (what === "hidden") return;
        this.#tabs.ask();
        this.#want("seen");
    }

    // What the page asks for.

    /** @param {Query} query */
    async list(query) {
        await this.open();
        return this.#listing.list(query);
    }

    /** @param {string[]} ids @param {string} [words] */
    async summaries(ids, words) {
        await this.open();
        return this.#listing.summaries(ids, words);
    }

    /**
     * @param {string} id
     * @param {Text} read
     * @param {Text} text
     * @returns {Promise<Edited>}
     */
    async edit(id, read, text) {
        await this.#merging.ready;
        const record = await this.notes.edit(id, read, text);
        const fromMine = (/** @type {"title" | "body"} */ part) =>
            this.#merging.fromMine(text[part], record.text[part]);
        return { record, fromMine: { title: fromMine("title"), body: fromMine("body") } };
    }

    /** @param {string} from @param {string} to @returns {Promise<Delta>} */
    async diff(from, to) {
        await this.#merging.ready;
        return this.#merging.diff(from, to);
    }

    async syncNow() {
        this.#tabs.ask();
        this.#want("told");
    }

    /** Makes the store quick to be opened. */
    #tidy() {
        return shelve(this.#store, () => this.#pause(pause));
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

    /**
     * Something was written here, by its user or by a sync.
     * @param {string[]} ids
     */
    #changed(ids) {
        if (ids.length === 0) return;
        this.#tabs.say({ changed: ids });
        this.#listing.refresh(ids);
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

    async #lead() {
        this.#setState({ isLeader: true });
        // What an earlier tab had no time for.
        this.#tidy().catch((failure) => this.#fail(failure));
        await this.#merging.ready;
        if (this.#tabs.isLeader) this.#syncing.start();
    }

    /** @param {Message} message */
    #hear({ changed, state, asks, wants, wiped }) {
        if (changed) {
            this.#listing.refresh(changed);
            if (this.#tabs.isLeader) this.#syncing.want("write");
        }
        if (state && !this.#tabs.isLeader) {
            const { phase, live, retryAt, decision, problem, firstSync, lastFullCheck } = state;
            this.#setState({ phase, live, retryAt, decision, problem, firstSync, lastFullCheck });
        }
        if (asks && this.#tabs.isLeader) this.#tabs.say({ state: this.#state });
        if (wants && this.#tabs.isLeader) this.#syncing.want(wants);
        if (wiped) this.removed();
    }

    /** @param {Partial<State>} change */
    #setState(change) {
        const state = { ...this.#state, ...change, ...this.#listing.counts };
        // The tab that leads knows how far the first sync has come.
        if (this.#tabs?.isLeader) state.firstSync = state.phase === "syncing" ? this.#listing.firstSync : null;
        if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
        this.#state = state;
        if (this.#isClosed) return;
        this.#emit("state", state);
        if (this.#tabs.isLeader) this.#tabs.say({ state });
    }
}
