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
 * Returns a signal that is aborted when its time has passed, when `end` is called, or with another signal.
 *
 * @param {number} milliseconds
 * @param {AbortSignal} parent
 */
function deadline(milliseconds, parent) {
    const controller = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const end = () => {
        clearTimeout(timer);
        parent.removeEventListener("abort", end);
        controller.abort();
    };
    /** @param {number} time the new time in milliseconds, counted from now */
    const extend = (time) => {
        clearTimeout(timer);
        timer = setTimeout(end, time);
    };
    parent.addEventListener("abort", end);
    if (parent.aborted) end();
    else extend(milliseconds);
    return { signal: controller.signal, extend, end };
}

/**
 * Sends a request. Calls that are too slow, and answers other than 2xx and 304, throw a CallFailure.
 *
 * @template T
 * @param {string} address
 * @param {RequestInit} options
 * @param {(response: Response) => Promise<T>} read reads the body, within the same time-out
 * @param {AbortSignal} parent
 * @returns {Promise<T>}
 */
export async function call(address, options, read, parent) {
    const { signal, end } = deadline(callTimeout, parent);
    try {
        const response = await fetch(address, { ...options, signal });
        await refuse(response);
        return await read(response);
    } finally {
        end();
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
 * @param {AbortSignal} parent
 */
export const wait = (milliseconds, parent) =>
    new Promise((/** @type {(value?: undefined) => void} */ done) => {
        const { signal } = deadline(milliseconds, parent);
        if (signal.aborted) done();
        signal.addEventListener("abort", () => done());
    });

/**
 * Reads an event stream until it ends, is silent, or the signal is aborted. Returns true if an event has arrived.
 *
 * @param {string} address
 * @param {RequestInit} options
 * @param {(event: any) => void} receive
 * @param {AbortSignal} parent
 */
async function listen(address, options, receive, parent) {
    const { signal, extend, end } = deadline(firstEventTimeout, parent);
    let hasHeard = false;
    try {
        const response = await fetch(address, { ...options, cache: "no-store", signal });
        await refuse(response);
        const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
        const decoder = new TextDecoder();
        const parse = eventParser();
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
            for (const event of parse(decoder.decode(piece.value, { stream: true }))) {
                hasHeard = true;
                receive(event);
            }
            if (hasHeard) extend(nextEventTimeout);
        }
    } catch (failure) {
        if (!hasHeard && failure instanceof CallFailure) throw failure;
    } finally {
        end();
    }
    return hasHeard;
}

/**
 * Follows changes while the page is visible, until the signal is aborted. A stream that is refused or silent is replaced
 * by calls of `update`, whose distance grows to a minute; each round tries the stream again.
 *
 * @param {{ stream: () => [string, RequestInit] | undefined, receive: (event: any) => void,
 *     update: () => Promise<number | undefined>, tell: (live: "stream" | "poll", pause?: number) => void }} parts
 *     `stream` gives the stream's address, or undefined without one; `update` returns the pause that the server asks
 *     for after a failure, in milliseconds, and undefined after a success; `tell` is called for each event, and with
 *     the milliseconds until the next round
 * @param {AbortSignal} signal
 */
export function follow(parts, signal) {
    /** @type {AbortController | undefined} */
    let period;
    const page = typeof document === "undefined" ? undefined : document;
    const change = () => {
        period?.abort();
        if (signal.aborted || page?.visibilityState === "hidden") return;
        period = new AbortController();
        run(parts, period.signal);
    };
    page?.addEventListener("visibilitychange", change);
    globalThis.addEventListener?.("online", change);
    signal.addEventListener("abort", () => {
        change();
        page?.removeEventListener("visibilitychange", change);
        globalThis.removeEventListener?.("online", change);
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
        /** @param {any} event */
        const hear = (event) => {
            if (event.type === "bye") pause = Math.random() * (event.spreadMs ?? 0);
            tell("stream");
            receive(event);
        };
        if (source && pause === undefined && !signal.aborted) {
            try {
                hasHeard = await listen(...source, hear, signal);
            } catch (failure) {
                pause = /** @type {CallFailure} */ (failure).pause;
            }
        }
        if (signal.aborted) return;
        failures = hasHeard ? 0 : failures + 1;
        const time = Math.max(backOff(failures, Math.random()), pause ?? 0);
        tell("poll", time);
        await wait(time, signal);
    }
}
