/** The page's side of the worker that keeps the notes: a call of a method here is one of the same name there. */

import { NoSuchNote, UnfitText } from "../sync/notes.js";
import { StorageFailure } from "../sync/store.js";
import { ReceivedIds } from "./ids.js";
import { newState } from "./types.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { Delta, Edited, GivenNote, Listing, Query, State, Summary } from "./types.js" */

/**
 * The notes of one account on this device.
 *
 * Events: `changed` (detail: the ids of notes, a Set), `state` (detail: State), `failure` (detail: StorageFailure), `lost`
 * when the browser has taken the notes away, before anything that is read afterwards, `wiped` when a tab has removed them
 * from this device.
 */
export class Engine extends EventTarget {
    #worker;
    #state = newState();
    /** @type {Map<number, { resolve: (result: any) => void, reject: (failure: unknown) => void }>} */
    #calls = new Map();
    #ids = new ReceivedIds();
    #count = 0;
    /** @type {StorageFailure | null} */
    #broken = null;
    #listening = new AbortController();

    /** @param {Worker} worker of engine/worker.js, which has been told whose notes to open */
    constructor(worker) {
        super();
        this.#worker = worker;
        const { signal } = this.#listening;
        worker.addEventListener("message", ({ data }) => this.#receive(data), { signal });
        worker.addEventListener("error", (event) => this.#break(event.message || "the worker could not be started"), {
            signal,
        });
        worker.addEventListener("messageerror", () => this.#break("a message could not be read"), { signal });
        const page = globalThis.document;
        const tell = () => worker.postMessage({ told: page.visibilityState });
        page?.addEventListener("visibilitychange", tell, { signal });
        globalThis.addEventListener("pageshow", tell, { signal });
        // Chromium does not tell workers. What is asked for without a network finds nobody, and that is said at once.
        for (const what of ["online", "offline"])
            globalThis.addEventListener(what, () => worker.postMessage({ told: what }), { signal });
        worker.postMessage({ told: page?.visibilityState ?? "visible" });
        /** @type {Promise<void>} rejected with a StorageFailure */
        this.opened = this.#call("open");
        // Whoever waits for it hears of it.
        this.opened.catch(() => {});
    }

    /** Whether the worker could not be started, or has failed: nothing is answered any more. */
    get isBroken() {
        return this.#broken !== null;
    }

    /** Tries once more to open the notes, after `opened` was rejected. @returns {Promise<void>} */
    reopen() {
        this.opened = this.#call("open");
        return this.opened;
    }

    /** @param {Query} query @returns {Promise<Listing>} */
    async list(query) {
        const listing = await this.#call("list", query, this.#ids.turn);
        return { ...listing, ids: this.#ids.unpack(listing.ids) };
    }

    /** @param {string[]} ids @param {string} [words] @returns {Promise<Summary[]>} */
    summaries(ids, words) {
        return this.#call("summaries", ids, words);
    }

    /** @param {string} id @returns {Promise<NoteRecord | null>} */
    note(id) {
        return this.#call("note", id);
    }

    /** @param {Partial<Text>} text @returns {Promise<NoteRecord>} */
    create(text) {
        return this.#call("create", text);
    }

    /**
     * Gives a note another text; it is on the disk when this is kept.
     * @param {string} id
     * @param {Text} read as it was when its user began to change it
     * @param {Text} text
     * @returns {Promise<Edited>} `fromMine` makes the note's text of `text`
     */
    edit(id, read, text) {
        return this.#call("edit", id, read, text);
    }

    /** @param {string} id @param {string | null} after @returns {Promise<NoteRecord>} */
    move(id, after) {
        return this.#call("move", id, after);
    }

    /** @param {string} id @returns {Promise<NoteRecord>} */
    takeOutOfTrash(id) {
        return this.#call("takeOutOfTrash", id);
    }

    /**
     * Changes the tags of several notes.
     * @param {string[]} ids
     * @param {{ add?: string[], remove?: string[] }} tags
     * @returns {Promise<void>}
     */
    retag(ids, tags) {
        return this.#call("retag", ids, tags);
    }

    /** @param {string[]} ids @param {boolean} pinned @returns {Promise<void>} */
    pin(ids, pinned) {
        return this.#call("pin", ids, pinned);
    }

    /** @param {string[]} ids @returns {Promise<void>} */
    moveAllToTrash(ids) {
        return this.#call("moveAllToTrash", ids);
    }

    /** @param {string[]} ids @returns {Promise<void>} */
    takeAllOut(ids) {
        return this.#call("takeAllOut", ids);
    }

    /** @param {string[]} ids @returns {Promise<void>} */
    removeAllForGood(ids) {
        return this.#call("removeAllForGood", ids);
    }

    /** @param {string} id @returns {Promise<NoteRecord>} */
    discardChange(id) {
        return this.#call("discardChange", id);
    }

    /** @param {string} id @returns {Promise<NoteRecord>} */
    keepAsNew(id) {
        return this.#call("keepAsNew", id);
    }

    /** @param {string} from @param {string} to @returns {Promise<Delta>} */
    diff(from, to) {
        return this.#call("diff", from, to);
    }

    /**
     * Makes notes of an import, a hundred in a transaction.
     * @param {GivenNote[]} notes
     * @returns {Promise<{ made: number }>}
     */
    createAll(notes) {
        return this.#call("createAll", notes);
    }

    /** The notes of the list and of the trash. @returns {Promise<NoteRecord[]>} */
    all() {
        return this.#call("all");
    }

    /** @returns {Promise<void>} */
    syncNow() {
        return this.#call("syncNow");
    }

    /**
     * Says what becomes of notes that the server has lost.
     * @param {"moveToTrash" | "keep"} decision
     * @returns {Promise<void>}
     */
    decide(decision) {
        return this.#call("decide", decision);
    }

    state() {
        return this.#state;
    }

    /**
     * Removes the notes from this device, for all tabs; none of the other calls works from now on.
     * @returns {Promise<void>}
     */
    wipe() {
        return this.#call("wipe");
    }

    /** Ends the worker, after what was asked for before. */
    async close() {
        await this.#call("close").catch(() => {});
        this.#listening.abort();
        this.#worker.terminate();
    }

    /**
     * @param {string} method
     * @param {unknown[]} words
     * @returns {Promise<any>}
     */
    #call(method, ...words) {
        return new Promise((resolve, reject) => {
            if (this.#broken) throw this.#broken;
            this.#count += 1;
            this.#calls.set(this.#count, { resolve, reject });
            this.#worker.postMessage({ call: this.#count, method, words });
        });
    }

    /** @param {any} message */
    #receive(message) {
        if ("answer" in message) {
            const call = this.#calls.get(message.answer);
            this.#calls.delete(message.answer);
            if (message.failure) call?.reject(made(message.failure));
            else call?.resolve(message.result);
            return;
        }
        const { event, detail } = message;
        if (event === "state") this.#state = detail;
        this.dispatchEvent(new CustomEvent(event, { detail: event === "failure" ? made(detail) : detail }));
    }

    /**
     * The worker is not heard of any more: it lets go of the notes, so that another tab can go on with them.
     * @param {string} reason
     */
    #break(reason) {
        if (this.#broken) return;
        const failure = new StorageFailure("broken", reason);
        this.#broken = failure;
        this.#worker.terminate();
        for (const { reject } of this.#calls.values()) reject(failure);
        this.#calls.clear();
        this.dispatchEvent(new CustomEvent("failure", { detail: failure }));
    }
}

/** @param {{ name: string, message: string, kind?: any }} failure */
function made({ name, message, kind }) {
    if (name === "StorageFailure") return new StorageFailure(kind, message);
    if (name === "NoSuchNote") return new NoSuchNote(message);
    return name === "UnfitText" ? new UnfitText(message) : new Error(message);
}
