/** The notes of the session's user on the server, and why it may not answer. */

import { Unreachable } from "../../shared/api.js";
import { pieces } from "../../shared/stream.js";
import { shortType, UnexpectedAnswer } from "./wire.js";

/** Whoever was signed in is not any more. */
export class SignInNeeded extends Error {}

/** The server answers, and not with what was asked for. */
export class Refusal extends Error {
    /**
     * @param {number} status
     * @param {string} problem the last part of its type
     * @param {string} detail
     * @param {number | null} wait seconds
     */
    constructor(status, problem, detail, wait) {
        super(`${status} ${problem} ${detail}`.trim());
        this.status = status;
        this.problem = problem;
        this.detail = detail;
        this.wait = wait;
    }
}

/** The longest answer that is kept in memory, in bytes; the longest silence and the longest answer, in milliseconds. */
const byteLimit = 32 << 20;
const longestSilence = 30_000;
const longestAnswer = 300_000;

export class NotesServer {
    #environment;
    #fetch;

    /**
     * @param {string} environment such as `/staging`
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
        return this.#ask(`/notes?${new URLSearchParams(query)}`);
    }

    /**
     * A note as of a revision.
     * @param {string} id
     * @param {number} revision
     * @returns {Promise<any>}
     */
    note(id, revision) {
        return this.#ask(`/notes/${id}?revision=${revision}`);
    }

    /**
     * @param {string} actions a JSON array
     * @returns {Promise<any>}
     */
    send(actions) {
        return this.#ask("/notes", {
            method: "POST",
            headers: { "Content-Type": "application/json", "Almanac-Session": "1" },
            body: actions,
        });
    }

    /**
     * @param {string} path
     * @param {RequestInit} [init]
     */
    async #ask(path, init = {}) {
        const silence = new Silence(longestSilence);
        /** @type {Response} */
        let response;
        /** @type {string} */
        let text;
        try {
            const options = { ...init, signal: silence.signal, cache: /** @type {const} */ ("no-store") };
            response = await this.#fetch(this.#environment + path, options);
            text = await whole(response, silence);
        } catch (failure) {
            if (failure instanceof UnexpectedAnswer) throw failure;
            throw new Unreachable(String(failure));
        } finally {
            silence.end();
        }
        const document = parsed(text);
        if (response.status === 200) {
            if (document === undefined) throw new UnexpectedAnswer("the answer is no JSON");
            return document;
        }
        if (response.status === 401) throw new SignInNeeded();
        const wait = Number(response.headers.get("Retry-After") ?? "0");
        const isOurs = typeof document?.type === "string" && document.type.startsWith("urn:almanac:problem:");
        const detail = typeof document?.detail === "string" && isOurs ? document.detail : "";
        throw new Refusal(response.status, isOurs ? shortType(document.type) : "", detail, wait > 0 ? wait : null);
    }
}

/** Ends a request that nothing has come of for a while. */
class Silence {
    #controller = new AbortController();
    #timer;
    #end;
    #milliseconds;

    /** @param {number} milliseconds */
    constructor(milliseconds) {
        this.#milliseconds = milliseconds;
        this.#timer = this.#started();
        this.#end = setTimeout(() => this.#controller.abort(new Error("the answer has no end")), longestAnswer);
    }

    get signal() {
        return this.#controller.signal;
    }

    heard() {
        clearTimeout(this.#timer);
        this.#timer = this.#started();
    }

    end() {
        clearTimeout(this.#timer);
        clearTimeout(this.#end);
    }

    #started() {
        return setTimeout(() => this.#controller.abort(new Error("nothing came for a while")), this.#milliseconds);
    }
}

/**
 * @param {Response} response
 * @param {Silence} silence
 */
async function whole(response, silence) {
    const decoder = new TextDecoder();
    let [text, bytes] = ["", 0];
    if (!response.body) return text;
    for await (const piece of pieces(response.body)) {
        silence.heard();
        bytes += piece.length;
        if (bytes > byteLimit) throw new UnexpectedAnswer("the answer has no end");
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
