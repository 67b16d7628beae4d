/**
 * When to sync: at once when something happens, but not all the time while others write, later after failures, and now
 * and then in any case. Reckons with a clock that never jumps.
 */

/**
 * How a sync ended: `done`; `more` when it can go on at once; `retry` later, after `wait` seconds at least where the
 * server says so; `person` when somebody has to do something first.
 * @typedef {{ kind: "done" | "more" | "person" } | { kind: "retry", wait: number | null }} Outcome
 */

/**
 * Why it is time: `told` by its user, who need not wait for anything; `seen` when the page comes into view or the
 * network comes back; `event` of the server; `write` on this device.
 * @typedef {"told" | "seen" | "event" | "write"} Reason
 */

/** In milliseconds. */
const [afterWrite, firstPause, longestPause] = [300, 1_000, 300_000];
/** From one sync to the next that an event asks for: as often as a device sends what is typed there. */
const betweenEvents = 300;
/** How often changes are asked for, while events are heard and else. */
const [withEvents, withoutEvents] = [600_000, 30_000];
/** The longest that a server may make a device wait, in seconds. */
const longestWait = 3_600;

export class SyncSchedule {
    #now;
    #random;
    #timers;
    #run;
    #announce;
    #isRunning = false;
    #isStopped = true;
    /** What came while a sync was running. @type {Set<Reason>} */
    #missed = new Set();
    #failures = 0;
    /** When the latest sync began. */
    #begun = Number.NEGATIVE_INFINITY;
    /** Before these times, writes and events change nothing, and nothing but its user. */
    #pause = 0;
    #wait = 0;
    #needsPerson = false;
    /** @type {any} */
    #timer = null;
    #at = Number.POSITIVE_INFINITY;
    /** Whether events of the server are heard. */
    hasEvents = false;

    /**
     * @param {object} parts
     * @param {() => number} parts.now milliseconds of a clock that never jumps
     * @param {() => number} parts.random below 1
     * @param {{ set: (call: () => void, milliseconds: number) => any, clear: (timer: any) => void }} parts.timers
     * @param {() => Promise<Outcome>} parts.run one sync; never rejected
     * @param {(milliseconds: number | null) => void} parts.announce is told how long a failed sync waits for its next
     *     attempt
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
        this.want("seen");
    }

    stop() {
        this.#isStopped = true;
        this.#missed.clear();
        this.#disarm();
    }

    /** @param {Reason} reason */
    want(reason) {
        if (this.#isStopped) return;
        if (this.#isRunning) {
            this.#missed.add(reason);
            return;
        }
        if (reason === "told") [this.#failures, this.#pause, this.#wait] = [0, 0, 0];
        if (reason === "told" || reason === "seen") this.#needsPerson = false;
        if (this.#needsPerson) return;
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
        for (const reason of missed) this.want(reason);
    }

    /** @param {Outcome} outcome */
    #end(outcome) {
        if (outcome.kind === "retry") {
            const most = Math.min(longestPause, firstPause * 2 ** Math.min(this.#failures, 20));
            this.#failures += 1;
            const now = this.#now();
            // Half of it at random, so that not all devices come back together.
            this.#pause = now + (most / 2) * (1 + this.#random());
            this.#wait = now + Math.min(outcome.wait ?? 0, longestWait) * 1000;
            const next = Math.max(this.#pause, this.#wait);
            this.#arm(next);
            this.#announce(next - now);
            return;
        }
        [this.#failures, this.#pause, this.#wait] = [0, 0, 0];
        this.#needsPerson = outcome.kind === "person";
        if (outcome.kind === "more") this.#arm(this.#now());
        else this.wait();
    }

    /** Waits for the usual time. */
    wait() {
        if (this.#isStopped || this.#isRunning || this.#needsPerson) return;
        const usual = this.hasEvents ? withEvents : withoutEvents;
        this.#arm(this.#now() + (usual / 2) * (1 + this.#random()));
    }
}
