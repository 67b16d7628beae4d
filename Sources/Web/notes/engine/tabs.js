/**
 * The tabs of one account on this device: a Web Lock says which of them syncs, and a channel says what to read again.
 * The channel never carries what is true; that is in the database.
 */

/** @import { Reason } from "./schedule.js" */
/** @import { State } from "./types.js" */

/**
 * `changed`: notes that were written; `state`: how the tab that leads stands; `asks` for that; `wants` a sync; `wiped`:
 * the notes are being removed from this device.
 * @typedef {{ changed?: string[], state?: State, asks?: true, wants?: Reason, wiped?: true }} Message
 */

/**
 * How long the tab that leads may stay silent when it is asked, before another one takes its place; in milliseconds.
 */
const longestSilence = 10_000;
/** How long it waits for its turn anew where the browser has no lock to give, in milliseconds; twice as long each time. */
const [firstPause, longestPause] = [1_000, 60_000];

export class Tabs {
    #name;
    #locks;
    #channel;
    #pause;
    #hooks;
    #closing = new AbortController();
    /** @type {(() => void) | null} */
    #resign = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #waiting;

    /**
     * @param {string} name
     * @param {LockManager} locks
     * @param {BroadcastChannel} channel of this name
     * @param {(milliseconds: number) => Promise<void>} pause
     * @param {{ lead: () => void, follow: () => void, hear: (message: Message) => void }} hooks
     */
    constructor(name, locks, channel, pause, hooks) {
        this.#name = name;
        this.#locks = locks;
        this.#channel = channel;
        this.#pause = pause;
        this.#hooks = hooks;
        channel.onmessage = ({ data }) => {
            if (data.state) this.#heard();
            hooks.hear(data);
        };
    }

    get isLeader() {
        return this.#resign !== null;
    }

    /** Waits for its turn to lead. */
    async join() {
        let pause = firstPause;
        while (!this.#closing.signal.aborted) {
            const failure = await this.#locks
                .request(this.#name, { signal: this.#closing.signal }, () => this.#lead())
                .then(
                    () => null,
                    (failure) => failure,
                );
            this.#step();
            // Another tab has taken the lead, or this one closes.
            if (failure === null || failure?.name === "AbortError") {
                pause = firstPause;
            } else {
                await this.#pause(pause);
                pause = Math.min(longestPause, 2 * pause);
            }
        }
    }

    /** Asks the tab that leads whether it is there: a browser may have put it to sleep together with its lock. */
    ask() {
        if (this.isLeader) return;
        this.say({ asks: true });
        this.#waiting ??= setTimeout(() => this.#take(), longestSilence);
    }

    /** @param {Message} message */
    say(message) {
        if (!this.#closing.signal.aborted) this.#channel.postMessage(message);
    }

    close() {
        this.#closing.abort();
        this.#heard();
        this.#resign?.();
        this.#channel.close();
    }

    #heard() {
        clearTimeout(this.#waiting);
        this.#waiting = undefined;
    }

    #lead() {
        this.#heard();
        if (this.#closing.signal.aborted) return;
        return new Promise((/** @type {(value: void) => void} */ resolve) => {
            this.#resign = resolve;
            this.#hooks.lead();
        });
    }

    #step() {
        if (!this.#resign) return;
        this.#resign = null;
        this.#hooks.follow();
    }

    async #take() {
        this.#waiting = undefined;
        if (this.isLeader || this.#closing.signal.aborted) return;
        try {
            await this.#locks.request(this.#name, { steal: true }, () => this.#lead());
        } catch {
            // Yet another one was faster.
        }
        this.#step();
    }
}
