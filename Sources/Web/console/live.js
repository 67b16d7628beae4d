/** An environment's event stream, which reconnects when it ends. */

/** The first and the longest backoff before a reconnect, in milliseconds; half of each backoff is random. */
const shortest = 1000;
const longest = 30_000;

/** Events: `release` (detail: the event's data), `open`, `lost` (detail: milliseconds until the next attempt). */
export class Live extends EventTarget {
    /**
     * @param {string} environment
     * @param {(from: number, to: number) => number} random returns a number between `from` and `to`
     */
    constructor(environment, random) {
        super();
        this.environment = environment;
        this.random = random;
        this.pause = shortest;
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
        source.addEventListener("error", () => this.lose());
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
            this.pause = shortest;
            this.failures = 0;
            this.state = "open";
            this.dispatchEvent(new CustomEvent("open", { detail: data }));
        } else if (data.type === "refetchEvaluation") this.dispatchEvent(new CustomEvent("release", { detail: data }));
        else if (data.type === "bye") this.lose();
    }

    lose() {
        this.stop();
        this.state = "lost";
        this.failures += 1;
        const wait = this.random(this.pause / 2, this.pause);
        this.pause = Math.min(this.pause * 2, longest);
        this.timer = setTimeout(() => this.start(), wait);
        this.dispatchEvent(new CustomEvent("lost", { detail: wait }));
    }
}
