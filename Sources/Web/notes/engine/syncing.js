/** Syncs while this tab leads, and reports the state. */

import { Unreachable } from "../../shared/api.js";
import { DecisionNeeded } from "../sync/pull.js";
import { Refusal, SignInNeeded } from "../sync/server.js";
import { StorageFailure } from "../sync/store.js";
import { TemporaryRefusal, UnexpectedAnswer } from "../sync/wire.js";
import { isDue } from "./check.js";
import { LiveStream } from "./live.js";
import { SyncSchedule } from "./schedule.js";

/** @import { NotesStore } from "../sync/store.js" */
/** @import { Sync } from "../sync/sync.js" */
/** @import { FullCheck } from "./check.js" */
/** @import { Outcome, Reason } from "./schedule.js" */
/** @import { State } from "./types.js" */

/** @typedef {Pick<State, "phase" | "decision" | "problem">} SyncState */

export class Syncing {
    #sync;
    #store;
    #announce;
    #wallClock;
    #schedule;
    #live;
    #check;
    #compact;
    /** The revision up to which all changes are stored, and the latest revision of an event. */
    #storedRevision = -1;
    #latestEventRevision = -1;
    #isSyncing = false;
    #isStopped = true;

    /**
     * @param {object} parts
     * @param {Sync} parts.sync
     * @param {NotesStore} parts.store
     * @param {() => EventSource} parts.open
     * @param {() => number} parts.now returns milliseconds of a monotonic clock
     * @param {() => number} parts.wallClock returns milliseconds since 1970
     * @param {() => number} parts.random
     * @param {{ set: (call: () => void, milliseconds: number) => any, clear: (timer: any) => void }} parts.timers
     * @param {(change: Partial<State>) => void} parts.announce
     * @param {(revision: number | null) => void} parts.attachments runs when attachments may have changed
     * @param {FullCheck} parts.check
     * @param {() => Promise<void>} parts.compact compacts the store; runs when the notes are up to date
     */
    constructor({ sync, store, open, now, wallClock, random, timers, announce, attachments, check, compact }) {
        this.#check = check;
        this.#compact = compact;
        this.#sync = sync;
        this.#store = store;
        // A sync that outlives this tab's lead must not report its state, because another tab leads.
        this.#announce = (/** @type {Partial<State>} */ change) => this.#isStopped || announce(change);
        this.#wallClock = wallClock;
        this.#schedule = new SyncSchedule({
            now,
            random,
            timers,
            run: () => this.#run(),
            announce: (wait) => this.#announce({ retryAt: wait === null ? null : this.#wallClock() + wait }),
        });
        this.#live = new LiveStream({
            open,
            random,
            timers,
            hooks: {
                onChange: (revision) => this.#onRevision(revision ?? Number.POSITIVE_INFINITY),
                onAttachments: attachments,
                onStateChange: (isLive) => {
                    this.#schedule.hasEvents = isLive;
                    if (!isLive) this.#schedule.wait();
                    this.#announce({ live: isLive });
                },
            },
        });
    }

    start() {
        this.#isStopped = false;
        this.#schedule.start();
    }

    stop() {
        this.#isStopped = true;
        this.#live.stop();
        this.#schedule.stop();
    }

    /** @param {Reason} reason */
    requestSync(reason) {
        if (reason === "told" || reason === "seen") this.#live.reconnectNow();
        this.#schedule.requestSync(reason);
    }

    /** @param {number} revision */
    #onRevision(revision) {
        this.#latestEventRevision = Math.max(this.#latestEventRevision, revision);
        // A running sync finds these changes itself.
        if (!this.#isSyncing && this.#latestEventRevision > this.#storedRevision) this.#schedule.requestSync("event");
    }

    /** @returns {Promise<Outcome>} */
    async #run() {
        this.#isSyncing = true;
        // This sync's responses include the changes of all earlier events.
        this.#latestEventRevision = -1;
        const outcome = await this.#syncOnce();
        this.#isSyncing = false;
        if (outcome.kind === "done") this.#onRevision(this.#latestEventRevision);
        return outcome;
    }

    /** @returns {Promise<Outcome>} */
    async #syncOnce() {
        this.#announce({ phase: "syncing", retryAt: null });
        try {
            await this.#sync.run();
            const { cursor, isLeft, lastFullCheck } = await this.#store.read(async (view) => ({
                cursor: (await view.progress()).cursor,
                isLeft: (await view.dirty(1)).length > 0,
                lastFullCheck: await view.lastFullCheck(),
            }));
            this.#storedRevision = cursor?.revision ?? -1;
            this.#announce({
                ...{ phase: "upToDate", decision: null, problem: null, retryAt: null },
                lastFullCheck,
            });
            // Another tab may have taken the lead during this sync.
            if (!this.#isStopped) this.#live.start();
            await this.#compact();
            if (!isLeft && isDue(lastFullCheck, this.#wallClock())) await this.#checkAll();
            return { kind: isLeft ? "more" : "done" };
        } catch (failure) {
            const { state, outcome } = outcomeOfFailure(failure);
            this.#announce({ ...state, retryAt: null });
            if (state.phase === "signInNeeded") this.#live.stop();
            return outcome;
        }
    }

    async #checkAll() {
        await this.#check.run();
        const time = this.#wallClock();
        await this.#store.write((view) => view.saveLastFullCheck(time));
        this.#announce({ lastFullCheck: time });
    }
}

/**
 * Returns the state and the next step that follow from a failed sync.
 * @param {unknown} failure
 * @returns {{ state: SyncState, outcome: Outcome }}
 */
export function outcomeOfFailure(failure) {
    const none = { decision: null, problem: null };
    const later = (/** @type {number | null} */ wait) => ({ kind: /** @type {const} */ ("retry"), wait });
    const user = { kind: /** @type {const} */ ("user") };
    if (failure instanceof DecisionNeeded) {
        const { missing, total } = failure;
        return { state: { ...none, phase: "deciding", decision: { missing, total } }, outcome: user };
    }
    if (failure instanceof SignInNeeded) return { state: { ...none, phase: "signInNeeded" }, outcome: user };
    if (failure instanceof Unreachable) return { state: { ...none, phase: "offline" }, outcome: later(null) };
    if (failure instanceof Refusal || failure instanceof TemporaryRefusal) {
        const wait = failure instanceof Refusal ? failure.wait : null;
        const isPassing = failure.status === 429 || failure.status >= 500;
        const problem = (failure instanceof Refusal ? failure.problem : failure.message) || `http-${failure.status}`;
        return { state: { ...none, phase: isPassing ? "waiting" : "failed", problem }, outcome: later(wait) };
    }
    const problem =
        failure instanceof UnexpectedAnswer
            ? "unexpected-answer"
            : failure instanceof StorageFailure
              ? `storage-${failure.kind}`
              : "failure";
    return { state: { ...none, phase: "failed", problem }, outcome: later(null) };
}
