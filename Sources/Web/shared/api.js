/** A client of Almanac's API for its pages. It turns problem documents into errors and calls into curl lines. */
import { parseResponse } from "./json.js";

/**
 * @typedef {object} Call the request that was sent, without secrets
 * @property {string} method
 * @property {string} path including its query
 * @property {Record<string, string>} headers
 * @property {string | null} body
 */

/**
 * @typedef {object} RequestOptions
 * @property {Record<string, string | number | boolean | undefined>} [query]
 * @property {string | object} [body] JSON text, or an object to serialize
 * @property {string} [type] the media type of the body; JSON by default
 * @property {string} [ifMatch] a cursor
 * @property {string} [ifNoneMatch] an entity tag
 * @property {number} [revision] the server responds once it knows this revision
 * @property {string} [message] a message for the history
 * @property {AbortSignal} [signal]
 * @property {() => (piece: string) => void | Promise<void>} [sink] creates a consumer of the response's text for each
 * attempt; `APIResponse.text` is then empty
 */

/** A call that the server refused, with the server's own message. */
export class Problem extends Error {
    /**
     * @param {number} status
     * @param {any} document a problem document (RFC 9457)
     */
    constructor(status, document) {
        super(sentence(String(document.detail || document.title || `HTTP ${status}`)));
        this.status = status;
        /** The problem's type, such as `config-moved-on`. */
        this.kind = String(document.type ?? "").replace("urn:almanac:problem:", "");
        this.title = String(document.title ?? "");
        this.detail = String(document.detail ?? "");
        this.instance = String(document.instance ?? "");
        this.document = document;
    }
}

/**
 * Returns the text with a capital letter and a full stop.
 * @param {string} text
 */
function sentence(text) {
    const end = /[.!?…]$/.test(text) ? "" : ".";
    return text.charAt(0).toUpperCase() + text.slice(1) + end;
}

/** A failure to get a response: the server or the network is unavailable. */
export class Unreachable extends Error {}

/** A successful response. */
export class APIResponse {
    /**
     * @param {Response} response
     * @param {string} text
     */
    constructor(response, text) {
        this.status = response.status;
        this.headers = response.headers;
        this.text = text;
        this.etag = response.headers.get("ETag") ?? "";
        this.cursor = response.headers.get("Almanac-Cursor") ?? "";
        this.revision = Number(response.headers.get("Almanac-Revision") ?? 0);
        this.version = response.headers.get("Almanac-Version") ?? "";
    }

    /** The parsed document. Its members `value`, `before` and `after` are JSON texts, so that no digit is lost. */
    get document() {
        return this.text === "" ? null : parseResponse(this.text);
    }
}

/** The number of attempts for a read, and the delay that the backoff doubles, in milliseconds. */
const maxAttempts = 3;
const retryDelay = 250;

/**
 * Sends calls.
 *
 * Events: `ended` when the session of an environment has ended (detail: its name); `removed` when the signed-in person
 * was removed from an environment (detail: its name); `away` when the server stops
 * responding, `back` when it responds again.
 */
export class API extends EventTarget {
    /**
     * @param {typeof fetch} fetcher
     * @param {(milliseconds: number) => Promise<void>} sleep
     */
    constructor(fetcher, sleep) {
        super();
        this.fetcher = fetcher;
        this.sleep = sleep;
        this.away = false;
        this.signIns = 0;
    }

    /**
     * @param {string} environment
     * @param {{ token: string } | { code: string, replaces?: true }} proof an API token, or the code of a one-time
     * link, which ends another user's session only with `replaces`
     */
    async signIn(environment, proof) {
        const answer = await this.send("POST", `/${encodeURIComponent(environment)}/session`, { body: proof });
        this.signIns += 1;
        return answer;
    }

    /**
     * @param {string} path such as `/staging/config`, with encoded segments
     * @param {RequestOptions} [question]
     */
    get(path, question) {
        return this.send("GET", path, question);
    }

    /**
     * Sends a request and retries reads that get no response or status 503. Repeats any request whose session had ended
     * if a sign-in succeeded in the meantime.
     * Throws a `Problem` or `Unreachable`.
     * @param {string} method
     * @param {string} path
     * @param {RequestOptions} [question]
     * @returns {Promise<APIResponse>}
     */
    async send(method, path, question = {}) {
        for (let attempt = 1; ; attempt += 1) {
            const signIns = this.signIns;
            try {
                return await this.sendOnce(method, path, question);
            } catch (failure) {
                const tell = (/** @type {string} */ event) =>
                    this.dispatchEvent(
                        new CustomEvent(event, { detail: decodeURIComponent(path.split("/")[1] ?? "") }),
                    );
                if (failure instanceof Problem && failure.kind === "person-removed") tell("removed");
                if (failure instanceof Problem && failure.status === 401 && failure.kind !== "token-refused") {
                    if (signIns !== this.signIns) continue;
                    tell("ended");
                }
                const passing =
                    failure instanceof Unreachable || (failure instanceof Problem && failure.status === 503);
                if (method !== "GET" || !passing || attempt >= maxAttempts) throw failure;
                await this.sleep(retryDelay * 2 ** attempt);
            }
        }
    }

    /**
     * Sends one request without a retry and without the event `ended`.
     * @param {string} method
     * @param {string} path
     * @param {RequestOptions} question
     */
    async sendOnce(method, path, question) {
        const call = this.call(method, path, question);
        const headers = new Headers();
        for (const [name, value] of Object.entries(call.headers)) headers.set(name, bytes(value));
        if (method !== "GET") headers.set("Almanac-Session", "1");
        /** @type {Response} */
        let response;
        let text = "";
        try {
            const options = {
                method,
                headers,
                body: call.body,
                signal: question.signal,
                cache: /** @type {const} */ ("no-store"),
            };
            response = await this.fetcher.call(globalThis, call.path, options);
            if (question.sink && response.ok) await pipeText(response, question.sink());
            else text = await response.text();
        } catch (failure) {
            if (question.signal?.aborted) throw failure;
            this.setAway(true);
            throw new Unreachable();
        }
        const problem = response.headers.get("Content-Type")?.startsWith("application/problem+json");
        // A proxy responds with these statuses while the server is down; the server itself sends 503 only as a problem.
        if ([502, 504].includes(response.status) || (response.status === 503 && !problem)) {
            this.setAway(true);
            throw new Unreachable();
        }
        this.setAway(false);
        if (response.ok || response.status === 304) return new APIResponse(response, text);
        throw new Problem(response.status, problem ? JSON.parse(text) : {});
    }

    /**
     * @param {string} method
     * @param {string} path
     * @param {RequestOptions} question
     * @returns {Call}
     */
    call(method, path, question) {
        /** @type {Record<string, string>} */
        const headers = {};
        const body =
            question.body === undefined || typeof question.body === "string"
                ? question.body
                : JSON.stringify(question.body);
        if (body !== undefined) headers["Content-Type"] = question.type ?? "application/json";
        if (question.ifMatch) headers["If-Match"] = `"${question.ifMatch}"`;
        if (question.ifNoneMatch) headers["If-None-Match"] = question.ifNoneMatch;
        if (question.revision) headers["Almanac-Min-Revision"] = String(question.revision);
        const query = Object.entries(question.query ?? {}).filter(([, value]) => value !== undefined);
        const words = query.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
        const address = words ? `${path}?${words}` : path;
        // Curl lines show the message as typed; `once` encodes it as bytes.
        if (question.message) headers["Almanac-Message"] = question.message;
        return { method, path: address, headers, body: body ?? null };
    }

    /** @param {boolean} isAway */
    setAway(isAway) {
        if (isAway === this.away) return;
        this.away = isAway;
        this.dispatchEvent(new Event(isAway ? "away" : "back"));
    }
}

/**
 * Passes the text of a response to a consumer as it arrives.
 * @param {Response} response
 * @param {(piece: string) => void | Promise<void>} consumer
 */
async function pipeText(response, consumer) {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    for (;;) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) return;
        await consumer(decoder.decode(value, { stream: true }));
    }
}

/**
 * Encodes a header's value for fetch: one character per byte of UTF-8.
 * @param {string} text
 */
function bytes(text) {
    return String.fromCharCode(...new TextEncoder().encode(text));
}

/**
 * Quotes a text as one word of a POSIX shell.
 * @param {string} text
 */
function quoted(text) {
    return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns a curl command that makes the same call with the token of the user who runs it.
 * @param {Pick<Call, "method" | "path" | "headers" | "body">} call
 * @param {string} origin
 */
export function curlLine(call, origin) {
    const words = ["curl"];
    if (call.method !== "GET") words.push("-X", call.method);
    words.push(quoted(`${origin}${call.path}`), "-H", '"Authorization: Bearer $ALMANAC_TOKEN"');
    for (const [name, value] of Object.entries(call.headers)) words.push("-H", quoted(`${name}: ${value}`));
    if (call.body !== null) words.push("--data-binary", quoted(call.body));
    return words.join(" ");
}
