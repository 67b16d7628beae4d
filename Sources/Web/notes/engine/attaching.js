/** Sends and reads attachments while this tab leads, beside the sync of notes, so that neither waits for the other. */

import { Attachments } from "../attachments/attachments.js";
import { attachmentsIn } from "../attachments/references.js";
import { SyncSchedule } from "./schedule.js";
import { outcomeOfFailure } from "./syncing.js";

/** @import { AttachmentServer } from "../attachments/attachment-server.js" */
/** @import { AttachmentView } from "../attachments/attachment-view.js" */
/** @import { Database, NotesStore } from "../sync/store.js" */
/** @import { Outcome, Reason } from "./schedule.js" */
/** @import { State } from "./types.js" */

/** The number of notes whose previews are kept on the device. */
const newestNotes = 200;
/** The pause between two searches for previews to keep, in milliseconds. */
const betweenPrefetches = 60_000;

export class Attaching {
    #notes;
    #newest;
    #now;
    #schedule;
    #timers;
    /** The timer of the next search for previews. @type {any} */
    #timer = null;
    #hooks;
    #isLeading = false;
    /** The reasons for the next run. @type {Set<Reason>} */
    #reasons = new Set();
    #prefetchedAt = Number.NEGATIVE_INFINITY;
    #haveNotesSynced = false;
    /** The revision up to which the server's changes were read, and the latest revision of an event. */
    #receivedRevision = -1;
    #latestEventRevision = -1;

    /**
     * @param {object} parts
     * @param {Database<AttachmentView>} parts.store
     * @param {AttachmentServer} parts.server
     * @param {NotesStore} parts.notes
     * @param {(limit: number) => Promise<readonly string[]>} parts.newest returns the ids of the newest notes
     * @param {() => number} parts.now returns milliseconds of a monotonic clock
     * @param {() => number} parts.wallClock returns milliseconds since 1970
     * @param {() => number} parts.random returns a number below 1
     * @param {{ set: (call: () => void, milliseconds: number) => any, clear: (timer: any) => void }} parts.timers
     * @param {(bytes: BufferSource) => Promise<string>} parts.hash returns the SHA-256 in hexadecimal digits
     * @param {object} parts.hooks
     * @param {(ids: string[]) => void} parts.hooks.changed
     * @param {(counts: Pick<State, "files" | "refusedFiles">) => void} parts.hooks.counted
     * @param {(reason: Reason) => void} parts.hooks.wanted asks the leading tab for a run
     * @param {(failure: unknown) => void} parts.hooks.failed
     */
    constructor({ store, server, notes, newest, now, wallClock, random, timers, hash, hooks }) {
        this.#notes = notes;
        this.#newest = newest;
        this.#now = now;
        this.#timers = timers;
        this.#hooks = hooks;
        const changed = (/** @type {string[]} */ ids) => {
            hooks.changed(ids);
            this.count();
        };
        const isLeading = () => this.#isLeading;
        /** The attachments, which handle calls of the page. */
        this.attachments = new Attachments({
            ...{ store, server, now: wallClock, hash, isLeading },
            hooks: { changed, wanted: hooks.wanted },
        });
        this.#schedule = new SyncSchedule({ now, random, timers, run: () => this.#run(), announce: () => {} });
    }

    start() {
        this.#isLeading = true;
        this.#schedule.start();
    }

    stop() {
        this.#isLeading = false;
        this.#schedule.stop();
        this.#disarm();
    }

    close() {
        this.stop();
        this.attachments.close();
    }

    /** @param {Reason} reason */
    request(reason) {
        if (!this.#isLeading) return;
        // The user does not wait for the pause between two searches.
        if (reason === "told") this.#prefetchedAt = Number.NEGATIVE_INFINITY;
        this.#reasons.add(reason);
        this.#schedule.requestSync(reason);
    }

    /** Reads the server's changes after an event, unless they are known. @param {number | null} revision */
    onEvent(revision) {
        this.#latestEventRevision = Math.max(this.#latestEventRevision, revision ?? Number.POSITIVE_INFINITY);
        if (this.#latestEventRevision > this.#receivedRevision) this.request("event");
    }

    /** Searches for previews to keep, because the notes may have changed. */
    onNotesSynced() {
        this.#haveNotesSynced = true;
        this.request("write");
    }

    /** @param {boolean} isLive true while the server announces changes */
    onLive(isLive) {
        this.#schedule.hasEvents = isLive;
        if (!isLive) this.#schedule.wait();
    }

    /** Counts the attachments that the server lacks. */
    async count() {
        try {
            this.#hooks.counted(await this.attachments.counts());
        } catch (failure) {
            this.#hooks.failed(failure);
        }
    }

    /** @returns {Promise<Outcome>} */
    async #run() {
        // A write on this device changes nothing on the server.
        const isSendOnly = this.#reasons.size === 1 && this.#reasons.has("write");
        this.#reasons.clear();
        try {
            if (!isSendOnly) await this.#receive();
            await this.attachments.send();
            await this.#prefetch();
            return { kind: "done" };
        } catch (failure) {
            this.#hooks.failed(failure);
            return outcomeOfFailure(failure).outcome;
        }
    }

    async #receive() {
        this.#latestEventRevision = -1;
        this.#receivedRevision = await this.attachments.receive();
    }

    async #prefetch() {
        if (!this.#haveNotesSynced) return;
        const pause = this.#prefetchedAt + betweenPrefetches - this.#now();
        if (pause > 0) {
            this.#timer ??= this.#timers.set(() => {
                this.#disarm();
                this.request("write");
            }, pause);
            return;
        }
        this.#disarm();
        this.#prefetchedAt = this.#now();
        const ids = await this.#newest(newestNotes);
        const notes = await this.#notes.read((view) => view.existingNotes([...ids]));
        await this.attachments.prefetch(new Set(notes.flatMap(({ text }) => [...attachmentsIn(text.body)])));
    }

    #disarm() {
        if (this.#timer !== null) this.#timers.clear(this.#timer);
        this.#timer = null;
    }
}
