/** Almanac's flags as a provider for OpenFeature's web SDK. See flags.d.ts for the interface. */

import { CallFailure, call, follow, wait } from "./follow.js";
import { openStorage } from "./storage.js";

/** The part of OpenFeature's event emitter that its SDK uses. */
class Emitter {
    /** @type {Map<string, Set<(details: any) => void>>} */
    #handlers = new Map();

    /** @param {string} type @param {(details: any) => void} handler */
    addHandler(type, handler) {
        this.#handlers.set(type, (this.#handlers.get(type) ?? new Set()).add(handler));
    }
    /** @param {string} type @param {(details: any) => void} handler */
    removeHandler(type, handler) {
        this.#handlers.get(type)?.delete(handler);
    }
    /** @param {string} [type] */
    removeAllHandlers(type) {
        if (type) this.#handlers.delete(type);
        else this.#handlers.clear();
    }
    /** @param {string} type */
    getHandlers(type) {
        return [...(this.#handlers.get(type) ?? [])];
    }
    /** @param {string} type @param {object} [details] */
    emit(type, details) {
        for (const handler of this.getHandlers(type)) {
            try {
                handler({ ...details, providerName: "almanac" });
            } catch (failure) {
                console.error(failure);
            }
        }
    }

    setLogger() {
        return this;
    }
}

/** The provider of flags.d.ts. */
export class AlmanacProvider {
    metadata = { name: "almanac" };
    runsOn = /** @type {const} */ ("client");
    events = new Emitter();
    /** @type {Map<string, any>} */
    #flags = new Map();
    #etag = "";
    /** The cursor of the last answer, after which the stream starts. */
    #cursor = "";
    /** The newest cursor of the events; the server answers once it has this state. */
    #announced = "";
    #isCached = false;
    #isStale = false;
    /** The context as JSON. */
    #context = "{}";
    /** The number of evaluations that have started. An answer to any but the last one is dropped. */
    #started = 0;
    /** @type {Promise<any>} */
    #running = Promise.resolve();
    /** The evaluation after the running one. @type {Promise<any> | undefined} */
    #next;
    #closing = new AbortController();
    #base;
    #pin;
    /** @type {Record<string, string>} */
    #headers;
    #live;
    #storage;

    /** @param {import("./flags.d.ts").ProviderOptions} options */
    constructor({ url, environment, version, token, storage, live = true }) {
        this.#base = `${url.replace(/\/+$/, "")}/${environment}`;
        this.#pin = version ? `?${new URLSearchParams({ version })}` : "";
        this.#headers = token ? { Authorization: `Bearer ${token}` } : {};
        this.#live = live;
        this.#storage = openStorage(storage, `almanac:flags:${this.#base}${this.#pin}`);
    }

    /** Evaluates all flags. Without an answer, uses those of the last run, or throws if there are none. */
    async initialize(context = {}) {
        this.#context = JSON.stringify(context);
        const failure = await this.#update();
        if (failure && !this.#restore()) throw failure;
        follow(
            {
                stream: () =>
                    this.#live
                        ? [`${this.#base}/events?ofrep=true${this.#position}`, { headers: this.#headers }]
                        : undefined,
                receive: (event) => this.#hear(event),
                update: async () => {
                    const failed = await this.#update();
                    return failed && (failed.pause ?? 0);
                },
                tell: () => {},
            },
            this.#closing.signal,
        );
    }

    /** @param {object} _ @param {object} context */
    async onContextChange(_, context) {
        this.#context = JSON.stringify(context);
        this.#etag = "";
        this.#running = this.#evaluate();
        const failure = await this.#running;
        if (failure && !this.#restore()) throw failure;
    }

    async onClose() {
        this.#closing.abort();
        this.events.removeAllHandlers();
    }

    /** @param {string} key @param {boolean} value */
    resolveBooleanEvaluation(key, value) {
        return this.#resolve(key, value);
    }
    /** @param {string} key @param {string} value */
    resolveStringEvaluation(key, value) {
        return this.#resolve(key, value);
    }
    /** @param {string} key @param {number} value */
    resolveNumberEvaluation(key, value) {
        return this.#resolve(key, value);
    }
    /** @template T @param {string} key @param {T} value */
    resolveObjectEvaluation(key, value) {
        return this.#resolve(key, value);
    }

    /** @param {string} key @param {any} fallback @returns {any} */
    #resolve(key, fallback) {
        const flag = this.#flags.get(key);
        const failed = (/** @type {string} */ errorCode, /** @type {string} */ errorMessage) => ({
            value: fallback,
            reason: "ERROR",
            errorCode,
            errorMessage,
            flagMetadata: flag?.metadata ?? {},
        });
        if (!flag) return failed("FLAG_NOT_FOUND", `there is no flag '${key}'`);
        if (flag.errorCode) return failed(flag.errorCode, flag.errorDetails ?? "");
        const { value = fallback, variant, metadata: flagMetadata = {} } = flag;
        if (typeof value !== typeof fallback) {
            return failed("TYPE_MISMATCH", `flag '${key}' is a ${typeof value}, expected a ${typeof fallback}`);
        }
        return { value, variant, flagMetadata, reason: this.#isCached ? "CACHED" : flag.reason };
    }

    get #position() {
        return this.#cursor && `&lastEventId=${encodeURIComponent(`config=${this.#cursor}`)}`;
    }

    /** Evaluates after a release, and after an event with a cursor that is not here. @param {any} event */
    async #hear({ type, config, etag, spreadMs = 0 }) {
        const cursor = config ?? etag?.replaceAll('"', "");
        const isChange = type === "refetchEvaluation" || type === "resync";
        if (!isChange && (!cursor || cursor === this.#cursor)) return;
        this.#announced = cursor ?? "";
        await wait(Math.random() * spreadMs, this.#closing.signal);
        if (!this.#closing.signal.aborted) this.#update();
    }

    /** Evaluates after the running evaluation, which may be older than a change. Joins an evaluation that waits. */
    #update() {
        this.#next ??= this.#running.then(() => {
            this.#next = undefined;
            this.#running = this.#evaluate();
            return this.#running;
        });
        return this.#next;
    }

    /**
     * Evaluates all flags for the current context. Returns the failure, or that of a later evaluation if one has started.
     *
     * @returns {Promise<any>}
     */
    async #evaluate() {
        this.#started += 1;
        const number = this.#started;
        const context = this.#context;
        /** @type {Record<string, string>} */
        const headers = { ...this.#headers, "Content-Type": "application/json" };
        if (this.#etag) headers["If-None-Match"] = this.#etag;
        const query = new URLSearchParams(this.#pin);
        if (this.#announced && this.#announced !== this.#cursor) query.set("flagConfigEtag", this.#announced);
        const outcome = await call(
            `${this.#base}/ofrep/v1/evaluate/flags?${query}`,
            { method: "POST", body: `{"context":${context}}`, headers },
            async (response) => {
                const head = response.headers;
                if (response.status === 304) return { head };
                const { flags } = await response.json();
                if (!Array.isArray(flags)) throw new CallFailure("expected a list of flags");
                return { head, flags };
            },
            this.#closing.signal,
        ).catch((failure) => ({ failure }));
        if (number !== this.#started) return this.#running;
        if ("failure" in outcome) {
            if (!this.#closing.signal.aborted && !this.#isStale && this.#flags.size) {
                this.#isStale = true;
                this.events.emit("PROVIDER_STALE", { message: String(outcome.failure) });
            }
            return outcome.failure;
        }
        const { flags, head } = outcome;
        this.#cursor = head.get("Almanac-Cursor") ?? "";
        if (flags) {
            this.#etag = head.get("ETag") ?? "";
            this.#storage.write({ context, flags });
            this.#isCached = false;
            this.#use(flags);
        }
        if (this.#isStale) this.events.emit("PROVIDER_READY");
        this.#isStale = false;
        return undefined;
    }

    /** Uses the stored flags if they were evaluated for the current context. */
    #restore() {
        const { context, flags } = this.#storage.read() ?? {};
        if (context !== this.#context || !Array.isArray(flags)) return false;
        this.#isCached = true;
        this.#isStale = true;
        this.#use(flags);
        return true;
    }

    /** @param {any[]} flags */
    #use(flags) {
        const before = this.#flags;
        this.#flags = new Map(flags.map((flag) => [flag.key, flag]));
        const flagsChanged = [...new Set([...before.keys(), ...this.#flags.keys()])].filter(
            (key) => JSON.stringify(before.get(key)) !== JSON.stringify(this.#flags.get(key)),
        );
        if (before.size && flagsChanged.length) this.events.emit("PROVIDER_CONFIGURATION_CHANGED", { flagsChanged });
    }
}
