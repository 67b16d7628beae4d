/** The notes of one account in one tab: the stored notes, the list in memory, and messages of other tabs. */

import { rebuildPieces } from "../sync/list-index.js";
import { Notes } from "../sync/notes.js";
import { StorageFailure } from "../sync/store.js";
import { Sync } from "../sync/sync.js";
import { Attaching } from "./attaching.js";
import { FullCheck } from "./check.js";
import { Listing } from "./listing.js";
import { Merging } from "./merging.js";
import { Syncing } from "./syncing.js";
import { Tabs } from "./tabs.js";
import { newState } from "./types.js";

/** @import { AttachmentServer } from "../attachments/attachment-server.js" */
/** @import { AttachmentView } from "../attachments/attachment-view.js" */
/** @import { NotesServer } from "../sync/server.js" */
/** @import { Database, NotesStore } from "../sync/store.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { TextMerge } from "../text/textmerge.js" */
/** @import { Reason } from "./schedule.js" */
/** @import { Message } from "./tabs.js" */
/** @import { Delta, Edited, Query, State } from "./types.js" */

/** The pause between the parts of a long task, in which calls of the page are answered, in milliseconds. */
const taskPause = 8;
/** The pause between two rounds of a sync while the user types, in milliseconds; as long as after a write. */
const betweenRounds = 300;

export class Device {
    #name;
    #attachmentsName;
    #store;
    #merging;
    #emit;
    #factory;
    #sync;
    #syncing;
    #attaching;
    #tabs;
    #pause;
    #listing;
    #state = newState();
    #isClosed = false;
    #hasJoined = false;

    /**
     * @param {object} parts
     * @param {string} parts.name the name of the database, the lock and the channel
     * @param {NotesStore} parts.store
     * @param {IDBFactory} parts.factory
     * @param {NotesServer} parts.server
     * @param {{ name: string, store: Database<AttachmentView>, server: AttachmentServer,
     *     hash: (bytes: BufferSource) => Promise<string> }} parts.attachments
     * @param {Promise<TextMerge>} parts.text
     * @param {() => EventSource} parts.stream opens the server's events
     * @param {LockManager} parts.locks
     * @param {BroadcastChannel} parts.channel
     * @param {() => number} parts.now returns milliseconds since 1970
     * @param {() => number} parts.steady returns milliseconds of a monotonic clock
     * @param {() => number} parts.random returns a number below 1
     * @param {() => string} parts.identifier
     * @param {(text: string) => Promise<string>} parts.hash returns the SHA-256 in hexadecimal digits
     * @param {{ set: (call: () => void, milliseconds: number) => any, clear: (timer: any) => void }} parts.timers
     * @param {(event: "changed" | "attachments" | "state" | "failure" | "lost" | "wiped", detail?: unknown) => void}
     *     parts.emit tells the page
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
        this.#listing = new Listing(store, parts.steady, () => this.#pause(taskPause), {
            changed: (ids) => this.#emit("changed", new Set(ids)),
            counted: () => this.#setState({}),
            failed: (failure) => this.#fail(failure),
        });
        const changed = (/** @type {Set<string>} */ ids) => this.#changed([...ids]);
        const written = (/** @type {Set<string>} */ ids) => {
            // Mark the notes before the page learns of the write, so that no note looks synced.
            this.#listing.mark(ids);
            changed(ids);
            if (this.#tabs.isLeader) this.#syncing.requestSync("write");
        };
        /** The notes, which handle those calls of the page that need no list, merge or tab. */
        this.notes = new Notes({ store, now, identifier, merge: merging.merge, announce: written });
        const pauseSync = () => this.#pause(betweenRounds);
        this.#attaching = new Attaching({
            ...parts.attachments,
            ...{ notes: store, now: parts.steady, wallClock: now, random, timers },
            newest: async (limit) => (await this.#listing.list({ place: "list", order: "edited", limit })).ids,
            hooks: {
                changed: (ids) => this.#attachmentsChanged(ids),
                counted: (counts) => this.#setState(counts),
                wanted: (reason) => this.#requestAttachments(reason),
                failed: (failure) => this.#fail(failure),
            },
        });
        /** The attachments, which handle their calls. */
        this.attachments = this.#attaching.attachments;
        this.#attachmentsName = parts.attachments.name;
        this.#sync = new Sync({ store, server, text: merging, identifier, announce: changed, pause: pauseSync });
        this.#syncing = new Syncing({
            sync: this.#sync,
            store,
            open: stream,
            now: parts.steady,
            wallClock: now,
            random,
            timers,
            announce: (change) => {
                this.#setState(change);
                if (change.live !== undefined) this.#attaching.onLive(change.live);
                if (change.phase === "upToDate") this.#attaching.onNotesSynced();
            },
            attachments: (revision) => this.#attaching.onEvent(revision),
            check: new FullCheck({ store, server, sync: this.#sync, hash: parts.hash }),
            compact: () => this.#compact(),
        });
        this.#tabs = new Tabs(name, parts.locks, parts.channel, this.#pause, {
            lead: () => this.#lead(),
            follow: () => {
                this.#syncing.stop();
                this.#attaching.stop();
                this.#setState({ isLeader: false, live: false });
            },
            onMessage: (message) => this.#onMessage(message),
        });
    }

    /** Opens the notes and joins the other tabs. */
    async open() {
        await this.#listing.load();
        if (this.#isClosed) return;
        // A page that started after the worker has no state yet.
        this.#emit("state", this.#state);
        if (this.#hasJoined) return;
        this.#hasJoined = true;
        this.#attaching.count();
        this.#tabs.join();
        this.#tabs.requestState();
    }

    /** Closes this device after another tab removed the notes. */
    removed() {
        if (this.#isClosed) return;
        this.close();
        this.#emit("wiped");
    }

    /** Reloads the list after the browser dropped the database, perhaps with its contents. */
    async onStoreLost() {
        // The page must receive this event before anything read afterwards.
        this.#emit("lost");
        const before = this.#listing.ids;
        try {
            await this.#listing.reload();
        } catch (failure) {
            return this.#fail(failure);
        }
        this.#emit("changed", new Set([...before, ...this.#listing.ids]));
        this.#requestSync("told");
    }

    /** Reads the attachments again after the browser dropped their database. */
    onAttachmentsLost() {
        this.#attaching.count();
        this.#requestAttachments("told");
    }

    /** @param {DocumentVisibilityState | "online" | "offline"} what the page's visibility or network state */
    onPageState(what) {
        if (what === "hidden") return;
        this.#tabs.requestState();
        this.#requestSync("seen");
    }

    // Calls of the page.

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

    /** @param {string} words @param {string} except */
    async titled(words, except) {
        await this.open();
        return this.#listing.titled(words, except);
    }

    /** @param {string} id */
    async linkedFrom(id) {
        await this.open();
        return this.#listing.linkedFrom(id);
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
        this.#tabs.requestState();
        this.#requestSync("told");
    }

    /** Compacts the store, so that it opens fast. */
    #compact() {
        return rebuildPieces(this.#store, () => this.#pause(taskPause));
    }

    /** @param {"moveToTrash" | "keep"} decision */
    async decide(decision) {
        await this.#sync.decide(decision);
        await this.syncNow();
    }

    async wipe() {
        this.#tabs.send({ wiped: true });
        this.close();
        await Promise.all([this.#deleteDatabase(this.#attachmentsName), this.#deleteDatabase(this.#name)]);
        this.#emit("wiped");
    }

    /** @param {string} name */
    #deleteDatabase(name) {
        return new Promise((resolve, reject) => {
            const request = this.#factory.deleteDatabase(name);
            request.onsuccess = resolve;
            request.onerror = () => reject(StorageFailure.of(request.error));
        });
    }

    close() {
        this.#isClosed = true;
        this.#syncing.stop();
        this.#attaching.close();
        this.#tabs.close();
        this.#store.abandon();
    }

    /** Handles a local write by the user or by a sync. @param {string[]} ids */
    #changed(ids) {
        if (ids.length === 0) return;
        this.#tabs.send({ changed: ids });
        this.#listing.refresh(ids);
    }

    /** @param {string[]} ids */
    #attachmentsChanged(ids) {
        this.#tabs.send({ attachments: ids });
        this.#emit("attachments", new Set(ids));
    }

    /** @param {unknown} failure */
    #fail(failure) {
        if (failure instanceof StorageFailure && !this.#isClosed) this.#emit("failure", failure);
    }

    // Messages of other tabs.

    /** @param {Reason} reason */
    #requestSync(reason) {
        if (this.#tabs.isLeader) this.#syncing.requestSync(reason);
        else this.#tabs.send({ wants: reason });
        this.#requestAttachments(reason);
    }

    /** @param {Reason} reason */
    #requestAttachments(reason) {
        if (this.#tabs.isLeader) this.#attaching.request(reason);
        else this.#tabs.send({ wantsAttachments: reason });
    }

    async #lead() {
        this.#setState({ isLeader: true });
        // An earlier tab may not have finished compacting the store.
        this.#compact().catch((failure) => this.#fail(failure));
        await this.#merging.ready;
        if (!this.#tabs.isLeader) return;
        this.#syncing.start();
        this.#attaching.start();
    }

    /** @param {Message} message */
    #onMessage({ changed, attachments, state, asks, wants, wantsAttachments, wiped }) {
        if (changed) {
            this.#listing.refresh(changed);
            if (this.#tabs.isLeader) this.#syncing.requestSync("write");
        }
        if (state && !this.#tabs.isLeader) {
            const { phase, live, retryAt, decision, problem, firstSync, lastFullCheck } = state;
            this.#setState({ phase, live, retryAt, decision, problem, firstSync, lastFullCheck });
        }
        if (asks && this.#tabs.isLeader) this.#tabs.send({ state: this.#state });
        if (wants && this.#tabs.isLeader) this.#syncing.requestSync(wants);
        if (wantsAttachments && this.#tabs.isLeader) this.#attaching.request(wantsAttachments);
        if (attachments) {
            this.#emit("attachments", new Set(attachments));
            this.#attaching.count();
        }
        if (wiped) this.removed();
    }

    /** @param {Partial<State>} change */
    #setState(change) {
        const state = { ...this.#state, ...change, ...this.#listing.counts };
        // The leading tab knows the progress of the first sync.
        if (this.#tabs?.isLeader) state.firstSync = state.phase === "syncing" ? this.#listing.firstSync : null;
        if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
        this.#state = state;
        if (this.#isClosed) return;
        this.#emit("state", state);
        if (this.#tabs.isLeader) this.#tabs.send({ state });
    }
}
