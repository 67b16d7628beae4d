/** The server's event stream with reconnection. Each event means that notes may have changed. */

/** The types of events that may mean a change of notes. */
const changeTypes = new Set(["hello", "noteCreated", "noteUpdated", "noteDeleted", "notesReordered", "resync"]);
/** The types of events that may mean a change of attachments. */
const attachmentTypes = new Set(["hello", "attachmentStored", "attachmentRemoved", "resync"]);
/** The limits of the reconnection backoff, in milliseconds. */
const [firstPause, maxPause] = [2_000, 300_000];
/** The longest ping interval that a server may announce, in seconds. */
const maxPingSeconds = 300;

export class LiveStream {
    #open;
    #random;
    #timers;
    #hooks;
    /** @type {EventSource | null} */
    #source = null;
    #isStopped = true;
    #failures = 0;
    #silenceLimit = 50_000;
    /** @type {any} */
    #timer = null;
    #isConnected = false;

    /**
     * @param {object} parts
     * @param {() => EventSource} parts.open
     * @param {() => number} parts.random returns a number below 1
     * @param {{ set: (call: () => void, milliseconds: number) => any, clear: (timer: any) => void }} parts.timers
     * @param {{ onChange: (revision: number | null) => void, onAttachments: (revision: number | null) => void,
     *     onStateChange: (isLive: boolean) => void }} parts.hooks `onChange` runs when notes may have changed, and
     *     `onAttachments` when attachments may have, with the revision of the change if it is known
     */
    constructor({ open, random, timers, hooks }) {
        this.#open = open;
        this.#random = random;
        this.#timers = timers;
        this.#hooks = hooks;
    }

    start() {
        if (!this.#isStopped) return;
        this.#isStopped = false;
        this.#begin();
    }

    stop() {
        this.#isStopped = true;
        this.#end();
    }

    /** Reconnects at once if the stream waits for its next attempt. */
    reconnectNow() {
        if (this.#isStopped || this.#source) return;
        this.#failures = 0;
        this.#begin();
    }

    #begin() {
        this.#clearTimer();
        const source = this.#open();
        this.#source = source;
        this.#restartWatchdog();
        source.onmessage = ({ data }) => this.#receive(data);
        source.onerror = () => {
            this.#setConnected(false);
            // The browser itself reconnects once the network is back.
            if (source.readyState === source.CLOSED) this.#retry();
        };
    }

    #end() {
        this.#clearTimer();
        this.#source?.close();
        this.#source = null;
        this.#setConnected(false);
    }

    /** @param {string} text */
    #receive(text) {
        /** @type {any} */
        let event;
        try {
            event = JSON.parse(text);
        } catch {
            return;
        }
        this.#failures = 0;
        const seconds = event?.pingSeconds;
        if (typeof seconds === "number" && seconds > 0) this.#silenceLimit = Math.min(seconds, maxPingSeconds) * 2_500;
        this.#restartWatchdog();
        this.#setConnected(true);
        if (event?.type === "bye") {
            const spread = typeof event.spreadMs === "number" ? Math.min(Math.max(event.spreadMs, 0), 60_000) : 0;
            this.#end();
            this.#timer = this.#timers.set(() => this.#begin(), spread * this.#random());
            return;
        }
        const revision = Number.isSafeInteger(event?.revision) && event.type !== "resync" ? event.revision : null;
        if (attachmentTypes.has(event?.type)) this.#hooks.onAttachments(revision);
        if (changeTypes.has(event?.type)) this.#hooks.onChange(revision);
    }

    /** Restarts the watchdog. A silent stream is dropped because a proxy may buffer it. */
    #restartWatchdog() {
        this.#clearTimer();
        this.#timer = this.#timers.set(() => this.#retry(), this.#silenceLimit);
    }

    #retry() {
        this.#end();
        const delay = Math.min(maxPause, firstPause * 2 ** Math.min(this.#failures, 20));
        this.#failures += 1;
        this.#timer = this.#timers.set(() => this.#begin(), (delay / 2) * (1 + this.#random()));
    }

    #clearTimer() {
        if (this.#timer !== null) this.#timers.clear(this.#timer);
        this.#timer = null;
    }

    /** @param {boolean} isConnected */
    #setConnected(isConnected) {
        if (isConnected === this.#isConnected) return;
        this.#isConnected = isConnected;
        this.#hooks.onStateChange(isConnected);
    }
}
