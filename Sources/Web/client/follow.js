/** The connection to an instance: calls with a time-out, and a loop that follows changes while the page is visible. */

import { backOff, eventParser } from "./sync.js";

/** The longest time for the first event, and between two later ones (the server sends one every 20 s). */
const firstEventTimeout = 10_000;
const nextEventTimeout = 45_000;
const callTimeout = 20_000;

/** A failure of a call. `pause` is the server's Retry-After in milliseconds. */
export class CallFailure extends Error {
    /** @param {string} message @param {number} pause */
    constructor(message, pause = 0) {
        super(message);
        this.pause = pause;
    }
}

/**
 * Sends a request. Calls that are too slow, and answers other than 2xx and 304, throw a CallFailure.
 *
 * @template T
 * @param {string} address
 * @param {RequestInit} options
 * @param {(response: Response) => Promise<T>} read reads the body, within the same time-out
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
export async function call(address, options, read, signal) {
    const timer = new AbortController();
    const abort = () => timer.abort();
    const timeout = setTimeout(abort, callTimeout);
    signal.addEventListener("abort", abort);
    try {
        if (signal.aborted) abort();
        const response = await fetch(address, { ...options, signal: timer.signal });
        await refuse(response);
        return await read(response);
    } finally {
        clearTimeout(timeout);
        signal.removeEventListener("abort", abort);
    }
}

/** @param {Response} response */
async function refuse(response) {
    if (response.ok || response.status === 304) return;
    const problem = await response.json().catch(() => ({}));
    throw new CallFailure(
        `${response.status} ${problem?.title ?? problem?.errorDetails ?? ""}`.trim(),
        Number(response.headers.get("Retry-After")) * 1000 || 0,
    );
}

/**
 * Waits, or until the signal is aborted.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
export function wait(milliseconds, signal) {
    return new Promise((/** @type {(value?: undefined) => void} */ done) => {
        const end = () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", end);
            done();
        };
        const timer = setTimeout(end, signal.aborted ? 0 : milliseconds);
        signal.addEventListener("abort", end);
    });
}

/**
 * Reads an event stream until it ends, is silent, or the signal is aborted. Returns true if an event has arrived.
 *
 * @param {string} address
 * @param {RequestInit} options
 * @param {(event: any) => void} receive
 * @param {AbortSignal} signal
 */
async function listen(address, options, receive, signal) {
    const silence = new AbortController();
    const abort = () => silence.abort();
    let timeout = setTimeout(abort, firstEventTimeout);
    let hasHeard = false;
    signal.addEventListener("abort", abort);
    try {
        const response = await fetch(address, { ...options, cache: "no-store", signal: silence.signal });
        await refuse(response);
        const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
        const decoder = new TextDecoder();
        const parse = eventParser();
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
            for (const event of parse(decoder.decode(piece.value, { stream: true }))) {
                hasHeard = true;
                receive(event);
            }
            if (hasHeard) {
                clearTimeout(timeout);
                timeout = setTimeout(abort, nextEventTimeout);
            }
        }
    } catch (failure) {
        if (!hasHeard && failure instanceof CallFailure) throw failure;
    } finally {
        clearTimeout(timeout);
        signal.removeEventListener("abort", abort);
    }
    return hasHeard;
}

/**
 * Follows changes while the page is visible, until the signal is aborted. A stream that is refused or silent is replaced
 * by calls of `update`, whose distance grows to a minute; each round tries the stream again.
 *
 * @param {{ stream: () => [string, RequestInit] | undefined, receive: (event: any) => void,
 *     update: () => Promise<number | undefined>, tell: (live: "stream" | "poll") => void }} parts
 *     `stream` gives the stream's address, or undefined without one; `update` returns the pause that the server asks
 *     for after a failure, in milliseconds, and undefined after a success
 * @param {AbortSignal} signal
 */
export function follow(parts, signal) {
    /** @type {AbortController | undefined} */
    let period;
    const page = typeof document === "undefined" ? undefined : document;
    const change = () => {
        if (signal.aborted || page?.visibilityState === "hidden") {
            period?.abort();
            period = undefined;
        } else if (!period) {
            period = new AbortController();
            run(parts, period.signal);
        }
    };
    const restart = () => {
        period?.abort();
        period = undefined;
        change();
    };
    page?.addEventListener("visibilitychange", change);
    globalThis.addEventListener?.("online", restart);
    signal.addEventListener("abort", () => {
        change();
        page?.removeEventListener("visibilitychange", change);
        globalThis.removeEventListener?.("online", restart);
    });
    change();
}

/** @param {Parameters<typeof follow>[0]} parts @param {AbortSignal} signal */
async function run({ stream, receive, update, tell }, signal) {
    for (let failures = 0; !signal.aborted; ) {
        let pause = await update();
        const source = stream();
        if (!source && pause === undefined) return;
        let hasHeard = false;
        if (source && pause === undefined && !signal.aborted) {
            try {
                hasHeard = await listen(
                    ...source,
                    (event) => {
                        tell("stream");
                        receive(event);
                    },
                    signal,
                );
            } catch (failure) {
                pause = /** @type {CallFailure} */ (failure).pause;
            }
        }
        if (signal.aborted) return;
        failures = hasHeard ? 0 : failures + 1;
        tell("poll");
        await wait(Math.max(backOff(failures, Math.random()), pause ?? 0), signal);
    }
}
