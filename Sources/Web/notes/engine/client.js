/** The page's proxy of the worker that stores the notes. Each method calls the worker's method of the same name. */

import { NoSuchNote, UnfitText } from "../sync/notes.js";
import { StorageFailure } from "../sync/store.js";
import { ReceivedIds } from "./ids.js";
import { newState } from "./types.js";

/** @import { Content } from "../attachments/attachment-cache.js" */
/** @import { Attachment, Part } from "../attachments/attachment-view.js" */
/** @import { GivenFile } from "../attachments/attachments.js" */
/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { Delta, Edited, GivenNote, Listing, Query, State, Summary } from "./types.js" */

/** The number of summaries read per call. */
const readSize = 500;

/**
 * The notes of one account on this device.
 *
 * Events: `changed` (detail: a Set of note ids), `attachments` (detail: a Set of attachment ids), `state` (detail: State), `failure` (detail: StorageFailure), `lost`
 * when the browser has dropped the database, sent before anything read afterwards, `wiped` when a tab has removed the
 * notes from this device.
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

    /** @param {Worker} worker runs engine/worker.js and has received the account to open */
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
        const onVisibilityChange = () => worker.postMessage({ pageState: page.visibilityState });
        page?.addEventListener("visibilitychange", onVisibilityChange, { signal });
        globalThis.addEventListener("pageshow", onVisibilityChange, { signal });
        // Chromium sends these events only to pages. The worker needs them to fail or retry at once.
        for (const what of ["online", "offline"])
            globalThis.addEventListener(what, () => worker.postMessage({ pageState: what }), { signal });
        worker.postMessage({ pageState: page?.visibilityState ?? "visible" });
        /** @type {Promise<void>} rejected with a StorageFailure */
        this.opened = this.#call("open");
        // The callers of `opened` handle the rejection.
        this.opened.catch(() => {});
    }

    /** True if the worker failed or did not start, so no call is answered any more. */
    get isBroken() {
        return this.#broken !== null;
    }

    /** Retries opening the notes after `opened` was rejected. @returns {Promise<void>} */
    reopen() {
        this.opened = this.#call("open");
        return this.opened;
    }

    /** @param {Query} query @returns {Promise<Listing>} */
    async list(query) {
        const listing = await this.#call("list", query, this.#ids.listNumber);
        return { ...listing, ids: this.#ids.unpack(listing.ids) };
    }

    /** @param {string[]} ids @param {string} [words] @returns {Promise<Summary[]>} */
    summaries(ids, words) {
        return this.#call("summaries", ids, words);
    }

    /**
     * Returns the notes of the list whose titles contain all words: titles that begin with them first, then the latest.
     * @param {string} words
     * @param {string} except the id of a note to leave out
     * @returns {Promise<Summary[]>}
     */
    titled(words, except) {
        return this.#call("titled", words, except);
    }

    /** Returns the notes of the list whose texts link to a note. @param {string} id @returns {Promise<Summary[]>} */
    linkedFrom(id) {
        return this.#call("linkedFrom", id);
    }

    /** Yields the summaries of all notes in the list and the trash. @returns {AsyncGenerator<Summary>} */
    async *allSummaries() {
        for (const place of /** @type {const} */ (["list", "trash"])) {
            const { ids } = await this.list({ place, order: "edited" });
            for (let at = 0; at < ids.length; at += readSize) yield* await this.summaries(ids.slice(at, at + readSize));
        }
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
     * Changes a note's text, which is on disk when the promise resolves.
     * @param {string} id
     * @param {Text} read the text when the user began to edit
     * @param {Text} text
     * @returns {Promise<Edited>} `fromMine` is the delta from `text` to the note's new text
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

    /** Removes a new note if nobody has written into it. @param {string} id @returns {Promise<void>} */
    removeUnwritten(id) {
        return this.#call("removeUnwritten", id);
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
     * Creates the notes of an import, a hundred per transaction.
     * @param {GivenNote[]} notes
     * @returns {Promise<{ made: number }>}
     */
    createAll(notes) {
        return this.#call("createAll", notes);
    }

    /** Returns the notes of the list and of the trash. @returns {Promise<NoteRecord[]>} */
    all() {
        return this.#call("all");
    }

    /**
     * Adds a file, which is on disk when the promise resolves. Moves the bytes to the worker. An id that already exists
     * here keeps its bytes.
     * @param {GivenFile} given
     * @returns {Promise<void>}
     */
    attach(given) {
        return this.#call("attach", given);
    }

    /** Returns an attachment, or null while this device does not know it. @param {string} id @returns {Promise<Attachment | null>} */
    attachment(id) {
        return this.#call("attachment", id);
    }

    /**
     * Returns the bytes of an attachment's preview or file, from the disk or the server; null if they can't be read now.
     * @param {string} id
     * @param {Part} part the preview of an attachment without one is its file
     * @returns {Promise<Content | null>}
     */
    attachmentContent(id, part) {
        return this.#call("attachmentContent", id, part);
    }

    /** Returns the attachments that the server lacks, the oldest first. @returns {Promise<Attachment[]>} */
    unsentAttachments() {
        return this.#call("unsentAttachments");
    }

    /** Sends an attachment again that the server refused. @param {string} id @returns {Promise<void>} */
    resendAttachment(id) {
        return this.#call("resendAttachment", id);
    }

    /** Removes an attachment from this device that the server refused. @param {string} id @returns {Promise<void>} */
    discardAttachment(id) {
        return this.#call("discardAttachment", id);
    }

    /** Returns the bytes of files on this device. @returns {Promise<{ bytes: number, keepsAll: boolean }>} */
    attachmentUsage() {
        return this.#call("attachmentUsage");
    }

    /** Returns the server's limit on a file, in bytes, or null while it is unknown. @returns {Promise<number | null>} */
    maxAttachmentBytes() {
        return this.#call("maxAttachmentBytes");
    }

    /** Keeps all files on this device, or only those used last. @param {boolean} keepsAll @returns {Promise<void>} */
    keepAllAttachments(keepsAll) {
        return this.#call("keepAllAttachments", keepsAll);
    }

    /** @returns {Promise<void>} */
    syncNow() {
        return this.#call("syncNow");
    }

    /** Decides about notes that the server lost. @param {"moveToTrash" | "keep"} decision @returns {Promise<void>} */
    decide(decision) {
        return this.#call("decide", decision);
    }

    state() {
        return this.#state;
    }

    /** Removes the notes from this device, for all tabs. No call works afterwards. @returns {Promise<void>} */
    wipe() {
        return this.#call("wipe");
    }

    /** Ends the worker at once. The page loads again if the browser shows it again. */
    abandon() {
        this.#worker.terminate();
        globalThis.addEventListener("pageshow", () => location.reload(), { once: true });
    }

    /** Ends the worker after its pending calls. */
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

    /** Terminates a failed worker, which releases its lock, so that another tab can continue. @param {string} reason */
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
