/**
 * Coordinates an account's tabs on this device: a Web Lock elects the tab that syncs, and a channel names the data to
 * reread. The channel never carries data; the database is the only truth.
 */

/** @import { Reason } from "./schedule.js" */
/** @import { State } from "./types.js" */

/**
 * A message between tabs. `changed`: the ids of written notes; `attachments`: those of written attachments; `state`: the leader's state; `asks`:
 * a request for this state; `wants` and `wantsAttachments`: requests for a sync; `wiped`: the notes are being removed from
 * this device.
 * @typedef {{ changed?: string[], attachments?: string[], state?: State, asks?: true, wants?: Reason,
 *     wantsAttachments?: Reason, wiped?: true }} Message
 */

/** The time in which the leader must answer before another tab takes its place, in milliseconds. */
const silenceLimit = 10_000;
/** The limits of the backoff after a failed lock request, in milliseconds. */
const [firstPause, maxPause] = [1_000, 60_000];

export class Tabs {
    #name;
    #locks;
    #channel;
    #pause;
    #hooks;
    #closing = new AbortController();
    /** @type {(() => void) | null} */
    #release = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #deadline;

    /**
     * @param {string} name
     * @param {LockManager} locks
     * @param {BroadcastChannel} channel a channel of this name
     * @param {(milliseconds: number) => Promise<void>} pause
     * @param {{ lead: () => void, follow: () => void, onMessage: (message: Message) => void }} hooks
     */
    constructor(name, locks, channel, pause, hooks) {
        this.#name = name;
        this.#locks = locks;
        this.#channel = channel;
        this.#pause = pause;
        this.#hooks = hooks;
        channel.onmessage = ({ data }) => {
            if (data.state) this.#clearDeadline();
            hooks.onMessage(data);
        };
    }

    get isLeader() {
        return this.#release !== null;
    }

    /** Waits for the lock and leads, until closed. */
    async join() {
        let pause = firstPause;
        while (!this.#closing.signal.aborted) {
            const failure = await this.#locks
                .request(this.#name, { signal: this.#closing.signal }, () => this.#lead())
                .then(
                    () => null,
                    (failure) => failure,
                );
            this.#stepDown();
            // Another tab has taken the lead, or this tab closes.
            if (failure === null || failure?.name === "AbortError") {
                pause = firstPause;
            } else {
                await this.#pause(pause);
                pause = Math.min(maxPause, 2 * pause);
            }
        }
    }

    /** Requests a sign of life from the leader, because a browser may freeze a tab that holds the lock. */
    requestState() {
        if (this.isLeader) return;
        this.send({ asks: true });
        this.#deadline ??= setTimeout(() => this.#stealLock(), silenceLimit);
    }

    /** @param {Message} message */
    send(message) {
        if (!this.#closing.signal.aborted) this.#channel.postMessage(message);
    }

    close() {
        this.#closing.abort();
        this.#clearDeadline();
        this.#release?.();
        this.#channel.close();
    }

    #clearDeadline() {
        clearTimeout(this.#deadline);
        this.#deadline = undefined;
    }

    #lead() {
        this.#clearDeadline();
        if (this.#closing.signal.aborted) return;
        return new Promise((/** @type {(value: void) => void} */ resolve) => {
            this.#release = resolve;
            this.#hooks.lead();
        });
    }

    #stepDown() {
        if (!this.#release) return;
        this.#release = null;
        this.#hooks.follow();
    }

    async #stealLock() {
        this.#deadline = undefined;
        if (this.isLeader || this.#closing.signal.aborted) return;
        try {
            await this.#locks.request(this.#name, { steal: true }, () => this.#lead());
        } catch {
            // Another tab was faster.
        }
        this.#stepDown();
    }
}
