/**
 * Schedules syncs: soon after an event or a write, with backoff after failures, and regularly in any case. Uses a
 * monotonic clock.
 */

/**
 * The result of a sync: `done`; `more` if the next sync can run at once; `retry` later, after at least the server's
 * `wait` in seconds; `user` if the user must act first.
 * @typedef {{ kind: "done" | "more" | "user" } | { kind: "retry", wait: number | null }} Outcome
 */

/**
 * The reason for a sync: `told` by the user, who need not wait; `seen` when the page becomes visible or the network
 * comes back; `event` of the server; `write` on this device.
 * @typedef {"told" | "seen" | "event" | "write"} Reason
 */

/** The delay after a write and the limits of the retry backoff, in milliseconds. */
const [afterWrite, firstPause, maxPause] = [300, 1_000, 300_000];
/** The time between two syncs caused by events, in milliseconds; equals the delay after a write. */
const betweenEvents = 300;
/** The polling interval with and without a live event stream, in milliseconds. */
const [withEvents, withoutEvents] = [600_000, 30_000];
/** The longest wait that a server may impose, in seconds. */
const maxWaitSeconds = 3_600;

export class SyncSchedule {
    #now;
    #random;
    #timers;
    #run;
    #announce;
    #isRunning = false;
    #isStopped = true;
    /** The reasons that arrived during a sync. @type {Set<Reason>} */
    #missed = new Set();
    #failures = 0;
    /** The start time of the latest sync. */
    #begun = Number.NEGATIVE_INFINITY;
    /** The end of the backoff for writes and events, and of the server's wait for all syncs but the user's. */
    #pause = 0;
    #wait = 0;
    #needsUser = false;
    /** @type {any} */
    #timer = null;
    #at = Number.POSITIVE_INFINITY;
    /** True while the event stream is live. */
    hasEvents = false;

    /**
     * @param {object} parts
     * @param {() => number} parts.now returns milliseconds of a monotonic clock
     * @param {() => number} parts.random returns a number below 1
     * @param {{ set: (call: () => void, milliseconds: number) => any, clear: (timer: any) => void }} parts.timers
     * @param {() => Promise<Outcome>} parts.run runs one sync; never rejected
     * @param {(milliseconds: number | null) => void} parts.announce receives the time until the next attempt after a
     *     failed sync
     */
    constructor({ now, random, timers, run, announce }) {
        this.#now = now;
        this.#random = random;
        this.#timers = timers;
        this.#run = run;
        this.#announce = announce;
    }

    start() {
        this.#isStopped = false;
        this.requestSync("seen");
    }

    stop() {
        this.#isStopped = true;
        this.#missed.clear();
        this.#disarm();
    }

    /** @param {Reason} reason */
    requestSync(reason) {
        if (this.#isStopped) return;
        if (this.#isRunning) {
            this.#missed.add(reason);
            return;
        }
        if (reason === "told") [this.#failures, this.#pause, this.#wait] = [0, 0, 0];
        if (reason === "told" || reason === "seen") this.#needsUser = false;
        if (this.#needsUser) return;
        const now = this.#now();
        const from = reason === "seen" ? this.#wait : Math.max(this.#wait, this.#pause);
        const soon = { told: now, seen: now, event: this.#begun + betweenEvents, write: now + afterWrite };
        this.#arm(Math.max(from, now, soon[reason]));
    }

    /** @param {number} at */
    #arm(at) {
        if (at >= this.#at) return;
        this.#disarm();
        this.#at = at;
        this.#timer = this.#timers.set(() => this.#begin(), Math.max(0, at - this.#now()));
    }

    #disarm() {
        if (this.#timer !== null) this.#timers.clear(this.#timer);
        this.#timer = null;
        this.#at = Number.POSITIVE_INFINITY;
    }

    async #begin() {
        this.#disarm();
        this.#isRunning = true;
        this.#begun = this.#now();
        const outcome = await this.#run();
        this.#isRunning = false;
        if (this.#isStopped) return;
        this.#end(outcome);
        const missed = [...this.#missed];
        this.#missed.clear();
        for (const reason of missed) this.requestSync(reason);
    }

    /** @param {Outcome} outcome */
    #end(outcome) {
        if (outcome.kind === "retry") {
            const delay = Math.min(maxPause, firstPause * 2 ** Math.min(this.#failures, 20));
            this.#failures += 1;
            const now = this.#now();
            // Randomize half of the backoff, so that devices do not retry together.
            this.#pause = now + (delay / 2) * (1 + this.#random());
            this.#wait = now + Math.min(outcome.wait ?? 0, maxWaitSeconds) * 1000;
            const next = Math.max(this.#pause, this.#wait);
            this.#arm(next);
            this.#announce(next - now);
            return;
        }
        [this.#failures, this.#pause, this.#wait] = [0, 0, 0];
        this.#needsUser = outcome.kind === "user";
        if (outcome.kind === "more") this.#arm(this.#now());
        else this.wait();
    }

    /** Schedules the next poll. */
    wait() {
        if (this.#isStopped || this.#isRunning || this.#needsUser) return;
        const interval = this.hasEvents ? withEvents : withoutEvents;
        this.#arm(this.#now() + (interval / 2) * (1 + this.#random()));
    }
}
