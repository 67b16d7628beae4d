/** A client of the server's notes for the signed-in user, and the errors of its requests. */

import { Unreachable } from "../../shared/api.js";
import { chunks } from "../../shared/chunks.js";
import { shortType, UnexpectedAnswer } from "./wire.js";

/** The server no longer accepts the session. */
export class SignInNeeded extends Error {}

/** A response with an error status. */
export class Refusal extends Error {
    /**
     * @param {number} status
     * @param {string} problem the last part of the problem's type
     * @param {string} detail
     * @param {number | null} wait seconds before a retry
     * @param {Headers} [headers]
     */
    constructor(status, problem, detail, wait, headers) {
        super(`${status} ${problem} ${detail}`.trim());
        this.status = status;
        this.problem = problem;
        this.detail = detail;
        this.wait = wait;
        this.headers = headers;
    }
}

/** The response limit in bytes, the silence limit and the response deadline in milliseconds. */
const byteLimit = 32 << 20;
const silenceLimit = 30_000;
const responseDeadline = 300_000;

export class NotesServer {
    #environment;
    #fetch;

    /**
     * @param {string} environment a path such as `/staging`
     * @param {typeof fetch} fetcher
     */
    constructor(environment, fetcher) {
        this.#environment = environment;
        this.#fetch = fetcher;
    }

    /**
     * @param {Record<string, string>} query
     * @returns {Promise<any>}
     */
    page(query) {
        return this.#request(`/notes?${new URLSearchParams(query)}`);
    }

    /**
     * Reads a note as of a revision.
     * @param {string} id
     * @param {number} revision
     * @returns {Promise<any>}
     */
    note(id, revision) {
        return this.#request(`/notes/${id}?revision=${revision}`);
    }

    /**
     * @param {string} actions a JSON array
     * @returns {Promise<any>}
     */
    send(actions) {
        return this.#request("/notes", {
            method: "POST",
            headers: { "Content-Type": "application/json", "Almanac-Session": "1" },
            body: actions,
        });
    }

    /**
     * @param {string} path
     * @param {RequestInit} [init]
     */
    async #request(path, init = {}) {
        const { content } = await exchange(this.#fetch, this.#environment + path, init);
        const document = parsed(content);
        if (document === undefined) throw new UnexpectedAnswer("the response is not JSON");
        return document;
    }
}

/**
 * Sends a request and reads the content of a successful response.
 * @template [Content = string]
 * @param {typeof fetch} fetcher
 * @param {string} address
 * @param {RequestInit} init
 * @param {(response: Response, watchdog: ResponseWatchdog) => Promise<Content>} [read]
 * @param {number} [silence] the silence limit in milliseconds
 * @returns {Promise<{ headers: Headers, content: Content }>}
 */
export async function exchange(fetcher, address, init, read = /** @type {any} */ (readText), silence = silenceLimit) {
    const watchdog = new ResponseWatchdog(silence);
    /** @type {Response} */
    let response;
    let text = "";
    try {
        response = await fetcher(address, { ...init, signal: watchdog.signal, cache: "no-store" });
        if (response.ok) return { headers: response.headers, content: await read(response, watchdog) };
        text = await readText(response, watchdog);
    } catch (failure) {
        if (failure instanceof UnexpectedAnswer) throw failure;
        throw new Unreachable(String(failure));
    } finally {
        watchdog.end();
    }
    if (response.status === 401) throw new SignInNeeded();
    const document = parsed(text);
    const wait = Number(response.headers.get("Retry-After") ?? "0");
    const isOurs = typeof document?.type === "string" && document.type.startsWith("urn:almanac:problem:");
    const detail = typeof document?.detail === "string" && isOurs ? document.detail : "";
    const problem = isOurs ? shortType(document.type) : "";
    throw new Refusal(response.status, problem, detail, wait > 0 ? wait : null, response.headers);
}

/** Aborts a request after a period of silence or at the response deadline. */
export class ResponseWatchdog {
    #controller = new AbortController();
    #timer;
    #end;
    #milliseconds;

    /** @param {number} milliseconds */
    constructor(milliseconds) {
        this.#milliseconds = milliseconds;
        this.#timer = this.#startTimer();
        this.#end = setTimeout(
            () => this.#controller.abort(new Error("the response took more than 5 minutes")),
            responseDeadline,
        );
    }

    get signal() {
        return this.#controller.signal;
    }

    restart() {
        clearTimeout(this.#timer);
        this.#timer = this.#startTimer();
    }

    end() {
        clearTimeout(this.#timer);
        clearTimeout(this.#end);
    }

    #startTimer() {
        return setTimeout(() => this.#controller.abort(new Error("no data for 30 seconds")), this.#milliseconds);
    }
}

/**
 * @param {Response} response
 * @param {ResponseWatchdog} watchdog
 */
async function readText(response, watchdog) {
    const decoder = new TextDecoder();
    let [text, bytes] = ["", 0];
    if (!response.body) return text;
    for await (const piece of chunks(response.body)) {
        watchdog.restart();
        bytes += piece.length;
        if (bytes > byteLimit) throw new UnexpectedAnswer("the response exceeds 32 MiB");
        text += decoder.decode(piece, { stream: true });
    }
    return text + decoder.decode();
}

/** @param {string} text */
function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
