/** Almanac's config in a web page or in Node. See config.d.ts for the interface. */

import { call, follow, wait } from "./follow.js";
import { openStorage } from "./storage.js";
import { changedKeys, fits, merge } from "./sync.js";

/**
 * @typedef {import("./config.d.ts").Options} Options
 * @typedef {import("./sync.js").Snapshot} Snapshot
 */

/** @param {Options} options @returns {import("./config.d.ts").Config} */
export function createConfig({ url, environment, version, token, defaults = {}, storage, live = true, apply = "now" }) {
    const base = `${url.replace(/\/+$/, "")}/${environment}`;
    const store = openStorage(storage, `almanac:config:${base}:${Number.parseInt(version, 10)}`);
    const closing = new AbortController();
    /** @type {Record<string, string>} */
    const credentials = token ? { Authorization: `Bearer ${token}` } : {};

    /** The newest snapshot of the server, the values in use, and their origin. */
    let latest = stored(store.read());
    let values = latest?.entries ?? new Map();
    /** @type {"server" | "cache" | "defaults"} */
    let source = latest ? "cache" : "defaults";
    /** @type {string | null} */
    let error = null;
    /** @type {"stream" | "poll" | "off"} */
    let mode = live ? "poll" : "off";
    /** @type {Promise<number | undefined> | undefined} */
    let fetching;
    /** The newest cursor of the events since the last fetch; empty while no fetch is due. */
    let wanted = "";
    /** @type {Set<{ keys: Set<string> | null, fn: (keys: string[]) => void }>} */
    const subscribers = new Set();

    /** Replaces the values in use and notifies the subscribers. @param {Map<string, any>} entries */
    function use(entries) {
        const changed = changedKeys(values, entries);
        values = entries;
        for (const { keys, fn } of [...subscribers]) {
            const theirs = keys ? changed.filter((key) => keys.has(key)) : changed;
            if (!theirs.length) continue;
            try {
                fn(theirs);
            } catch (failure) {
                console.error(failure);
            }
        }
    }

    /** @param {string} [end] the cursor of an event, which names an answer that caches may share */
    async function ask(end) {
        const query = new URLSearchParams({ version });
        if (latest) query.set("since", latest.cursor);
        if (latest && end) query.set("revision", end);
        /** @type {Record<string, string>} */
        const headers = { ...credentials };
        if (latest?.etag && !end) headers["If-None-Match"] = latest.etag;
        await call(
            `${base}/config?${query}`,
            { headers },
            async (response) => {
                if (response.status !== 304) receive(response.headers, await response.json());
            },
            closing.signal,
        );
    }

    /** @param {Headers} headers @param {any[]} changes */
    function receive(headers, changes) {
        const isFirst = !latest;
        const entries = merge(latest?.entries ?? new Map(), changes, isFirst || headers.has("Almanac-Full"));
        latest = {
            cursor: headers.get("Almanac-Cursor") ?? "",
            etag: headers.get("ETag") ?? "",
            version: headers.get("Almanac-Version") ?? "",
            entries,
        };
        store.write({ ...latest, entries: [...entries] });
        if (apply === "now" || isFirst) {
            source = "server";
            use(entries);
        }
    }

    /** Fetches what has changed. Joins a running fetch. @param {string} [end] @returns {Promise<number | undefined>} */
    function update(end) {
        fetching ??= ask(end)
            .then(
                () => {
                    error = null;
                    if (apply === "now") source = "server";
                    return undefined;
                },
                (failure) => {
                    error = String(failure.message ?? failure);
                    return failure.pause ?? 0;
                },
            )
            .finally(() => {
                fetching = undefined;
            });
        return fetching;
    }

    /** Fetches after an event unless its revision is here. @param {any} event */
    async function hear({ type, config, etag, spreadMs = 0 }) {
        const cursor = config ?? etag?.replaceAll('"', "");
        if (!cursor || cursor === latest?.cursor) return;
        const isDue = Boolean(wanted);
        wanted = cursor;
        if (isDue) return;
        await wait(Math.random() * spreadMs, closing.signal);
        await fetching;
        const end = wanted;
        wanted = "";
        if (!closing.signal.aborted && end !== latest?.cursor) update(type === "refetchEvaluation" ? end : undefined);
    }

    /** @returns {[string, RequestInit] | undefined} */
    const stream = () =>
        live
            ? [
                  `${base}/events${latest ? `?lastEventId=${encodeURIComponent(`config=${latest.cursor}`)}` : ""}`,
                  { headers: credentials },
              ]
            : undefined;

    const hadValues = Boolean(latest);
    /** The fetch at the start, which hidden pages make too. @type {Promise<number | undefined> | undefined} */
    let first = update();
    const ready = hadValues ? Promise.resolve() : first.then(() => {});
    const next = () => {
        const one = first ?? update();
        first = undefined;
        return one;
    };
    /** @param {"stream" | "poll"} now */
    const tell = (now) => {
        mode = live ? now : "off";
    };
    follow({ stream, receive: hear, update: next, tell }, closing.signal);

    return {
        ready,
        get(key, fallback) {
            const own = Object.hasOwn(defaults, key) ? defaults[key] : undefined;
            return [values.get(key), own].find((value) => fits(value, fallback)) ?? fallback;
        },
        entries: () => ({ ...defaults, ...Object.fromEntries(values) }),
        subscribe(keys, fn, { signal } = {}) {
            const one = { keys: keys ? new Set([keys].flat()) : null, fn };
            const end = () => void subscribers.delete(one);
            if (signal?.aborted) return end;
            subscribers.add(one);
            signal?.addEventListener("abort", end, { once: true });
            return end;
        },
        get status() {
            return { source, live: mode, storage: store.state, error, version: latest?.version ?? null };
        },
        refresh: () => update().then((pause) => pause === undefined),
        close() {
            mode = "off";
            closing.abort();
            subscribers.clear();
        },
    };
}

/** Returns a snapshot from the storage; undefined if its form is not the expected one. @param {any} value */
function stored(value) {
    if (typeof value?.cursor !== "string" || !Array.isArray(value.entries)) return undefined;
    const changes = value.entries.map((/** @type {any} */ [key, one]) => ({ key, value: one }));
    return /** @type {Snapshot} */ ({ ...value, entries: merge(new Map(), changes, true) });
}
