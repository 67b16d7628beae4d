/** An environment's entries and draft. The event stream updates them; truncated values load in the background. */
import { follow } from "../client/follow.js";
import { Problem } from "../shared/api.js";
import { whenIdle } from "../shared/dom.js";
import { ElementReader } from "../shared/json.js";
import { entriesProposal } from "./changes/forecast.js";
import { DraftStore } from "./drafts.js";
import { Bookmarks } from "./state/bookmarks.js";
import { EntryTable, entryOf, kindOf, readEntry } from "./state/entries.js";
import { searchTextOf } from "./state/filter.js";

/** The size of a config up to which the page loads all values and searches them itself, in bytes. */
const maxLoadedBytes = 16 * 1024 * 1024;
/** The time slice of that loading before the page may render, in milliseconds. */
const timeSlice = 6;
/** The limit on keys that are read one by one. */
const maxSingleReads = 16;

/** @typedef {"loading" | "ready" | "failed"} Status */
/**
 * @typedef {"partial" | "completing" | "whole" | "server"} Depth the extent of the loaded values; with `server`, the
 * server searches them
 */

/**
 * Events: `change` (detail: `{ keys }`, null for all) when entries, draft or status change; `depth` when more values
 * are loaded; `release` and `proposal` (detail: the stream's event); `hooks` when their screen has read them; `lost`
 * (detail: milliseconds until the next attempt) and `open` when the stream disconnects and reconnects.
 */
export class Workspace extends EventTarget {
    /**
     * @param {string} name
     * @param {object} parts
     * @param {import("../shared/api.js").API} parts.api
     * @param {Storage} parts.storage
     * @param {Storage} parts.tabStorage
     * @param {() => number} parts.now
     */
    constructor(name, parts) {
        super();
        const { api, storage, tabStorage, now } = parts;
        this.name = name;
        this.parts = parts;
        this.root = `/${encodeURIComponent(name)}`;
        this.api = api;
        this.now = now;
        this.table = new EntryTable();
        this.bookmarks = new Bookmarks(name, storage);
        this.draft = new DraftStore(name, storage, tabStorage);
        /** @type {AbortController | null} ends the event stream; null without one */
        this.following = null;
        /** The number of failed attempts since the stream was last open. */
        this.failures = 0;
        this.status = /** @type {Status} */ ("loading");
        this.depth = /** @type {Depth} */ ("partial");
        /** @type {unknown} */
        this.failure = null;
        this.cursor = "";
        this.version = "";
        this.revision = 0;
        this.etag = "";
        /** @type {Promise<void> | null} the pending read */
        this.reading = null;
        this.isStale = false;
        /** The number of proposals that wait for the viewer's review. */
        this.waiting = 0;
        /** The number of disabled hooks; known to administrators only. */
        this.disabledHooks = 0;
        this.closing = new AbortController();
        this.completing = new AbortController();
        this.draft.addEventListener("change", (event) => this.applyDraft(/** @type {CustomEvent} */ (event).detail));
    }

    /** Opens the stream, and reads the entries unless they are loaded. */
    open() {
        this.resume();
        if (!this.reading && this.status !== "ready") this.refresh();
    }

    /** Returns the workspace of another environment, which the caller refreshes and closes. @param {string} name */
    other(name) {
        return new Workspace(name, this.parts);
    }

    close() {
        this.closing.abort();
        this.completing.abort();
        this.pause();
        this.draft.close();
    }

    /** Closes the stream while a dialog asks for a sign-in. */
    pause() {
        this.following?.abort();
        this.following = null;
    }

    resume() {
        if (this.closing.signal.aborted || this.following) return;
        this.following = new AbortController();
        follow(
            {
                stream: () => [`${this.root}/events`, {}],
                receive: (event) => this.onEvent(event),
                update: async () => undefined,
                tell: (live, pause) => live === "poll" && this.onLost(pause),
            },
            this.following.signal,
        );
    }

    /** Retries at once instead of waiting for the backoff. */
    async reopen() {
        if (this.failures) this.pause();
        this.resume();
        if (this.status === "failed" || this.revision === 0) await this.refresh();
        else this.notify([]);
    }

    /** @param {string[] | null} [keys] */
    notify(keys = null) {
        this.dispatchEvent(new CustomEvent("change", { detail: { keys } }));
    }

    /**
     * Reads the whole config again, at the given revision or a later one. Only one read runs at a time; a call during a
     * read schedules another one.
     * @param {number} [revision]
     * @returns {Promise<void>}
     */
    refresh(revision) {
        if (this.reading) {
            this.isStale = true;
            return this.reading;
        }
        this.reading = this.read(revision).finally(() => {
            this.reading = null;
            if (!this.isStale) return;
            this.isStale = false;
            this.refresh(revision);
        });
        return this.reading;
    }

    /** @param {number} [revision] */
    async read(revision) {
        /** @type {import("./state/entries.js").Entry[]} */
        let entries = [];
        try {
            const question = {
                query: { form: "summary" },
                revision,
                ifNoneMatch: this.etag || undefined,
                signal: this.closing.signal,
                sink: () => {
                    const reader = new ElementReader();
                    entries = [];
                    return (/** @type {string} */ piece) => {
                        for (const item of reader.read(piece)) entries.push(readEntry(item));
                    };
                },
            };
            const answer = await this.api.get(`${this.root}/config`, question);
            if (this.closing.signal.aborted) return;
            this.status = "ready";
            this.failure = null;
            if (answer.status === 304) return this.notify([]);
            this.table.fill(entries, this.draft.changes);
            this.stamp(answer);
            this.etag = answer.etag;
            this.notify();
            await this.rebase(Object.keys(this.draft.changes));
            // The rows are rendered before the whole values compete with them.
            whenIdle(() => this.complete());
        } catch (failure) {
            if (this.closing.signal.aborted) return;
            this.failure = failure;
            // Earlier entries are still the best known state.
            if (this.status !== "ready") this.status = "failed";
            this.notify([]);
        }
    }

    /** @param {{ cursor: string, version: string, revision: number }} stamp */
    stamp({ cursor, version, revision }) {
        this.cursor = cursor;
        this.version = version;
        this.revision = revision;
    }

    /** @param {any} event */
    onEvent(event) {
        if (event.type === "refetchEvaluation") this.onRelease(event);
        else if (event.type === "proposalChanged") this.dispatchEvent(new CustomEvent("proposal", { detail: event }));
        else if (event.reason === "person-removed")
            this.api.dispatchEvent(new CustomEvent("removed", { detail: this.name }));
        else if (event.type === "hello" || event.type === "resync") this.onOpen(event);
    }

    /** @param {{ config?: string }} hello */
    onOpen(hello) {
        this.failures = 0;
        this.dispatchEvent(new Event("open"));
        if (this.status === "failed" || (this.cursor && hello.config && hello.config !== this.cursor))
            this.refresh(cursorRevision(hello.config));
    }

    /** @param {number} [pause] */
    onLost(pause) {
        this.failures += 1;
        // A restarting server is usually back at the second attempt. Only a request reveals an ended session.
        if (this.failures < 2) return;
        this.dispatchEvent(new CustomEvent("lost", { detail: pause }));
        this.api.get(`${this.root}/session`).catch(() => {});
    }

    /** @param {{ revision: number, version: string, keys?: string[], etag: string }} release */
    async onRelease(release) {
        if (release.revision <= this.revision) return;
        const next = release.revision === this.revision + 1 && this.status === "ready" && !this.reading;
        try {
            if (!next || !release.keys || release.keys.length > maxSingleReads) await this.refresh(release.revision);
            else await this.readKeys(release.keys, release);
        } catch {
            await this.refresh(release.revision);
        }
        this.dispatchEvent(new CustomEvent("release", { detail: release }));
    }

    /**
     * @param {string[]} keys
     * @param {{ revision: number, version: string, etag: string }} release
     */
    async readKeys(keys, release) {
        const found = await Promise.all(keys.map((key) => this.history(key, { limit: 1 })));
        // A newer release may have been read in the meantime.
        if (release.revision !== this.revision + 1) return;
        for (const [index, key] of keys.entries()) {
            const [item] = found[index];
            this.table.setEntry(key, item && item.value !== undefined ? entryOf(key, item) : null);
        }
        this.stamp({
            revision: release.revision,
            version: release.version,
            cursor: release.etag.replace(/^(W\/)?"|"$/g, ""),
        });
        this.etag = "";
        this.notify(keys);
        await this.rebase(keys);
    }

    /**
     * @param {string} key
     * @param {Record<string, string | number>} query
     * @returns {Promise<any[]>}
     */
    async history(key, query) {
        const answer = await this.api.get(`${this.root}/config/${encodeURIComponent(key)}/history`, {
            query,
            signal: this.closing.signal,
        });
        return answer.document;
    }

    /**
     * Returns an entry's complete content.
     * @param {string} key
     * @returns {Promise<import("./state/draft.js").Content | null>} null if there is no such entry
     */
    async content(key) {
        const entry = this.table.byKey.get(key)?.entry;
        if (!entry) return null;
        if (!entry.full) {
            try {
                const answer = await this.api.get(`${this.root}/config/${encodeURIComponent(key)}`, {
                    signal: this.closing.signal,
                });
                const now = answer.document;
                this.table.complete(key, now.value, now.updated_at);
                return { value: now.value, description: now.description ?? "", ...kindOf(now) };
            } catch (failure) {
                if (failure instanceof Problem && failure.status === 404) return null;
                throw failure;
            }
        }
        return { value: entry.text, description: entry.description, ...kindOf(entry) };
    }

    /**
     * Rebases the draft's changes of these keys onto the entries.
     * @param {string[]} keys
     */
    async rebase(keys) {
        for (const key of keys) {
            const change = this.draft.change(key);
            if (!change) continue;
            const entry = this.table.byKey.get(key)?.entry;
            try {
                this.draft.rebase(key, await this.content(key), entry?.author);
            } catch {
                // Without the value, a conflict cannot be detected now; saving sends If-Match and detects it.
            }
        }
    }

    /**
     * Applies a release of the draft, before the config is read again.
     * @param {import("./state/draft.js").Changes} sent
     * @param {number} revision the release's revision
     */
    saved(sent, revision) {
        const updated_at = new Date(this.now()).toISOString();
        // A newer config may have been read already.
        for (const [key, { after }] of Object.entries(this.revision < revision ? sent : {}))
            this.table.setEntry(key, after && entryOf(key, { ...after, revision, updated_at }));
        this.draft.saved(sent);
    }

    /** @param {string[] | null} keys */
    applyDraft(keys) {
        if (keys === null || keys.length > maxSingleReads) {
            const entries = this.table.rows.flatMap((row) => (row.entry ? [row.entry] : []));
            this.table.fill(entries, this.draft.changes);
        } else for (const key of keys) this.table.setChange(key, this.draft.change(key));
        this.notify(keys);
    }

    /** Loads the values that the summary truncates, unless they exceed `maxLoadedBytes`. */
    async complete() {
        if (this.closing.signal.aborted) return;
        this.completing.abort();
        this.completing = new AbortController();
        const { signal } = this.completing;
        const missing = this.table.rows.filter((row) => row.entry && !row.entry.full);
        if (missing.length === 0) return this.setDepth("whole");
        if (this.table.bytes > maxLoadedBytes) return this.setDepth("server");
        this.setDepth("completing");
        try {
            if (missing.length <= maxSingleReads) {
                await Promise.all(missing.map((row) => this.content(row.key)));
                return signal.aborted ? undefined : this.setDepth("whole");
            }
            await this.api.get(`${this.root}/config`, { signal, sink: () => this.completer() });
            if (signal.aborted) return;
            this.setDepth("whole");
        } catch {
            if (!signal.aborted) this.setDepth("server");
        }
    }

    /** Returns a consumer that completes the values and regularly yields to the page. */
    completer() {
        const reader = new ElementReader();
        let start = performance.now();
        return async (/** @type {string} */ piece) => {
            for (const item of reader.read(piece)) {
                this.table.complete(item.key, item.value, item.updated_at);
                // Build the search text now, so that the first keystroke in the filter is fast.
                const row = this.table.byKey.get(item.key);
                if (row) searchTextOf(row);
            }
            if (performance.now() - start < timeSlice) return;
            await new Promise((done) => setTimeout(done));
            start = performance.now();
        };
    }

    /** @param {Depth} depth */
    setDepth(depth) {
        this.depth = depth;
        this.dispatchEvent(new Event("depth"));
    }

    /** The request that saves the draft as one release. */
    get proposal() {
        return { ...entriesProposal(this.root, this.draft.body, this.cursor), changes: this.draft.changes };
    }
}

/** @param {string} [cursor] */
function cursorRevision(cursor) {
    return cursor ? Number.parseInt(cursor, 10) : undefined;
}
