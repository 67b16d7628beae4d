/** Calls of Almanac's API from a page of its own: problems as errors, and any call as a curl line. */
import { readAnswer } from "./json.js";

/**
 * @typedef {object} Call what was asked, without secrets
 * @property {string} method
 * @property {string} path with its query
 * @property {Record<string, string>} headers
 * @property {string | null} body
 */

/**
 * @typedef {object} Question
 * @property {Record<string, string | number | boolean | undefined>} [query]
 * @property {string | object} [body] JSON as text, or to be made into it
 * @property {string} [type] of the body; JSON if left out
 * @property {string} [ifMatch] a cursor
 * @property {string} [ifNoneMatch] an entity tag
 * @property {number} [revision] the answer waits until it is known
 * @property {string} [message] for the history
 * @property {AbortSignal} [signal]
 * @property {() => (piece: string) => void | Promise<void>} [pieces] makes what takes the text of an answer while it
 *     arrives, once for each attempt; the answer has no text then
 */

/** A call refused by the server, in its words. */
export class Problem extends Error {
    /**
     * @param {number} status
     * @param {any} document of RFC 9457
     */
    constructor(status, document) {
        super(sentence(String(document.detail || document.title || `HTTP ${status}`)));
        this.status = status;
        /** Such as `config-moved-on`. */
        this.kind = String(document.type ?? "").replace("urn:almanac:problem:", "");
        this.title = String(document.title ?? "");
        this.detail = String(document.detail ?? "");
        this.instance = String(document.instance ?? "");
        this.document = document;
    }
}

/**
 * With a capital letter and a full stop.
 * @param {string} text
 */
function sentence(text) {
    const end = /[.!?…]$/.test(text) ? "" : ".";
    return text.charAt(0).toUpperCase() + text.slice(1) + end;
}

/** No answer came: the server or the network is away. */
export class Unreachable extends Error {}

/** What the server answered. */
export class Answer {
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

    /** The document; members `value`, `before` and `after` are JSON texts, so that numbers keep their digits. */
    get document() {
        return this.text === "" ? null : readAnswer(this.text);
    }
}

/** How often a read is asked again, and after how many milliseconds first. */
const attempts = 3;
const firstPause = 250;

/**
 * Sends calls and tells of what they meet.
 *
 * Events: `ended` when the session of an environment has ended (detail: its name); `away` and `back` when the server
 * stops and begins to answer.
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
        /** How often somebody has signed in. */
        this.signIns = 0;
    }

    /**
     * Begins a session.
     * @param {string} environment
     * @param {{ token: string } | { code: string, replaces?: true }} proof an API token, or the code of a one-time
     *     link, which ends somebody else's session only with `replaces`
     */
    async signIn(environment, proof) {
        const answer = await this.send("POST", `/${encodeURIComponent(environment)}/session`, { body: proof });
        this.signIns += 1;
        return answer;
    }

    /**
     * @param {string} path such as `/staging/config`; segments encoded
     * @param {Question} [question]
     */
    get(path, question) {
        return this.send("GET", path, question);
    }

    /**
     * Asks and answers, or throws a `Problem` or `Unreachable`. Reads that find nobody are asked again, and so is
     * whatever was asked in a session that has ended, where somebody has signed in before the answer came.
     * @param {string} method
     * @param {string} path
     * @param {Question} [question]
     * @returns {Promise<Answer>}
     */
    async send(method, path, question = {}) {
        for (let attempt = 1; ; attempt += 1) {
            const signIns = this.signIns;
            try {
                return await this.once(method, path, question);
            } catch (failure) {
                if (failure instanceof Problem && failure.status === 401 && failure.kind !== "token-refused") {
                    if (signIns !== this.signIns) continue;
                    const environment = decodeURIComponent(path.split("/")[1] ?? "");
                    this.dispatchEvent(new CustomEvent("ended", { detail: environment }));
                }
                const passing =
                    failure instanceof Unreachable || (failure instanceof Problem && failure.status === 503);
                if (method !== "GET" || !passing || attempt >= attempts) throw failure;
                await this.sleep(firstPause * 2 ** attempt);
            }
        }
    }

    /**
     * Asks once, and tells of no session's end.
     * @param {string} method
     * @param {string} path
     * @param {Question} question
     */
    async once(method, path, question) {
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
            if (question.pieces && response.ok) await pour(response, question.pieces());
            else text = await response.text();
        } catch (failure) {
            if (question.signal?.aborted) throw failure;
            this.reach(false);
            throw new Unreachable();
        }
        const problem = response.headers.get("Content-Type")?.startsWith("application/problem+json");
        // What stands before the server says so while nobody is behind it; the server itself has no problem but 503.
        if ([502, 504].includes(response.status) || (response.status === 503 && !problem)) {
            this.reach(false);
            throw new Unreachable();
        }
        this.reach(true);
        if (response.ok || response.status === 304) return new Answer(response, text);
        throw new Problem(response.status, problem ? JSON.parse(text) : {});
    }

    /**
     * @param {string} method
     * @param {string} path
     * @param {Question} question
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
        // Shown as it was typed; what is sent is its bytes.
        if (question.message) headers["Almanac-Message"] = question.message;
        return { method, path: address, headers, body: body ?? null };
    }

    /** @param {boolean} here */
    reach(here) {
        if (here === !this.away) return;
        this.away = !here;
        this.dispatchEvent(new Event(here ? "back" : "away"));
    }
}

/**
 * Hands the text of an answer on as it arrives.
 * @param {Response} response
 * @param {(piece: string) => void | Promise<void>} take
 */
async function pour(response, take) {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    for (;;) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) return;
        await take(decoder.decode(value, { stream: true }));
    }
}

/**
 * A header's text as fetch wants it: one character a byte of UTF-8.
 * @param {string} text
 */
function bytes(text) {
    return String.fromCharCode(...new TextEncoder().encode(text));
}

/**
 * A word that a POSIX shell reads as this text.
 * @param {string} text
 */
function quoted(text) {
    return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The line that makes the same call in a terminal, with the token of whoever runs it.
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
