/** An environment's event stream, which reconnects when it ends. */

/** The first and the longest backoff before a reconnect, in milliseconds; half of each backoff is random. */
const minBackoff = 1000;
const maxBackoff = 30_000;

/** Events: `release` (detail: the event's data), `open`, `lost` (detail: milliseconds until the next attempt). */
export class EventStream extends EventTarget {
    /**
     * @param {string} environment
     * @param {(from: number, to: number) => number} random returns a number between `from` and `to`
     */
    constructor(environment, random) {
        super();
        this.environment = environment;
        this.random = random;
        this.backoff = minBackoff;
        /** The number of failed attempts since the stream was last open. */
        this.failures = 0;
        /** @type {EventSource | null} */
        this.source = null;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.timer = undefined;
        this.state = /** @type {"closed" | "connecting" | "open" | "lost"} */ ("closed");
    }

    start() {
        this.stop();
        this.state = "connecting";
        const source = new EventSource(`/${encodeURIComponent(this.environment)}/events`);
        this.source = source;
        source.addEventListener("message", (event) => this.receive(event));
        // `EventSource` reconnects after some failures only, so always reconnect here.
        source.addEventListener("error", () => this.reconnect());
    }

    stop() {
        clearTimeout(this.timer);
        this.source?.close();
        this.source = null;
        this.state = "closed";
    }

    /** @param {MessageEvent<string>} event */
    receive(event) {
        const data = JSON.parse(event.data);
        if (data.type === "hello" || data.type === "resync") {
            this.backoff = minBackoff;
            this.failures = 0;
            this.state = "open";
            this.dispatchEvent(new CustomEvent("open", { detail: data }));
        } else if (data.type === "refetchEvaluation") this.dispatchEvent(new CustomEvent("release", { detail: data }));
        else if (data.type === "bye") this.reconnect();
    }

    reconnect() {
        this.stop();
        this.state = "lost";
        this.failures += 1;
        const wait = this.random(this.backoff / 2, this.backoff);
        this.backoff = Math.min(this.backoff * 2, maxBackoff);
        this.timer = setTimeout(() => this.start(), wait);
        this.dispatchEvent(new CustomEvent("lost", { detail: wait }));
    }
}
