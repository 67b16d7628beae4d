/**
 * The notes of one account on this device, in IndexedDB: records, what they are waiting for, and how far the device has
 * followed the server. Every tab writes here itself.
 */

import { newProgress } from "./progress.js";
import { isDirty } from "./record.js";
import { listed, pieceOf } from "./shelf.js";

/** @import { Progress } from "./progress.js" */
/** @import { NoteRecord } from "./record.js" */
/** @import { Listed } from "./shelf.js" */

/** The database could not be used: `kind` says whether a newer version of the app made it, it has no room, or else. */
export class StorageFailure extends Error {
    /**
     * @param {"newer" | "full" | "blocked" | "broken"} kind
     * @param {unknown} cause
     */
    constructor(kind, cause) {
        super(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), { cause });
        this.kind = kind;
    }

    /** @param {unknown} cause */
    static of(cause) {
        if (cause instanceof StorageFailure) return cause;
        const name = cause instanceof DOMException ? cause.name : "";
        if (name === "VersionError") return new StorageFailure("newer", cause);
        return new StorageFailure(name === "QuotaExceededError" ? "full" : "broken", cause);
    }
}

const version = 1;
const stores = ["notes", "meta", "manifest", "shelf", "beside"];
/** With more notes beside the shelf, all are read anew. */
const mostOneByOne = 1000;
/**
 * How a connection shows that the browser has dropped it, as iOS does in the background. What was being written then
 * has not been.
 */
const dropped = new Set(["InvalidStateError", "UnknownError", "AbortError"]);

export class NotesStore {
    #name;
    #factory;
    /** @type {Promise<IDBDatabase> | null} */
    #opening = null;
    #isAbandoned = false;
    #lost;

    /**
     * @param {string} name tells environments and accounts apart
     * @param {IDBFactory} factory
     * @param {() => void} [lost] is told when the browser has taken the database away, which may have removed it
     */
    constructor(name, factory, lost = () => {}) {
        this.#name = name;
        this.#factory = factory;
        this.#lost = lost;
    }

    /**
     * Reads in one view of the notes.
     * @template Result
     * @param {(view: View) => Promise<Result>} body waits for nothing but the view
     * @returns {Promise<Result>}
     */
    read(body) {
        return this.#run("readonly", body, "default");
    }

    /**
     * Writes all or nothing; what is written is on the disk when this ends.
     * @template Result
     * @param {(view: View) => Promise<Result>} body waits for nothing but the view
     * @param {IDBTransactionDurability} [durability] "relaxed" for what the server or other stores have too: it may be
     *     lost with the power, never in part
     * @returns {Promise<Result>}
     */
    write(body, durability = "strict") {
        return this.#run("readwrite", body, durability);
    }

    /** Lets go of the database; the next call opens it again. */
    async close() {
        const opening = this.#opening;
        this.#opening = null;
        (await opening?.catch(() => null))?.close();
    }

    /** Lets go of it for good, as a page that is closed: what is not written by now will not be. */
    abandon() {
        this.#isAbandoned = true;
        this.close();
    }

    /**
     * @template Result
     * @param {"readonly" | "readwrite"} mode
     * @param {(view: View) => Promise<Result>} body
     * @param {IDBTransactionDurability} durability
     */
    async #run(mode, body, durability) {
        for (let attempt = 1; ; attempt += 1) {
            const database = await this.#database();
            try {
                return await finished(database.transaction(stores, mode, { durability }), body);
            } catch (failure) {
                if (attempt > 1 || !isDropped(failure))
                    throw failure instanceof DOMException ? StorageFailure.of(failure) : failure;
                await this.close();
            }
        }
    }

    #database() {
        if (this.#isAbandoned) throw new StorageFailure("broken", "this page has let go of the notes");
        this.#opening ??= this.#open().catch((failure) => {
            this.#opening = null;
            throw StorageFailure.of(failure);
        });
        return this.#opening;
    }

    /** @returns {Promise<IDBDatabase>} */
    #open() {
        return new Promise((resolve, reject) => {
            const request = this.#factory.open(this.#name, version);
            request.onupgradeneeded = ({ oldVersion }) => {
                if (oldVersion > 0) return;
                const database = request.result;
                database.createObjectStore("notes", { keyPath: "id" }).createIndex("dirty", "dirty");
                database.createObjectStore("meta");
                database.createObjectStore("manifest");
                database.createObjectStore("shelf");
                database.createObjectStore("beside");
            };
            let isLate = false;
            request.onblocked = () => {
                isLate = true;
                reject(new StorageFailure("blocked", "another tab has an older version open"));
            };
            request.onerror = () => reject(request.error);
            request.onsuccess = () => {
                const database = request.result;
                if (isLate) {
                    database.close();
                    return;
                }
                // A newer version of the app, in another tab, must not wait for this one.
                database.onversionchange = () => this.close();
                database.onclose = () => {
                    this.#opening = null;
                    if (!this.#isAbandoned) this.#lost();
                };
                resolve(database);
            };
        });
    }
}

/** @param {unknown} failure */
function isDropped(failure) {
    const cause = failure instanceof StorageFailure ? failure.cause : failure;
    return cause instanceof DOMException && dropped.has(cause.name);
}

/**
 * @template Result
 * @param {IDBTransaction} transaction
 * @param {(view: View) => Promise<Result>} body
 */
async function finished(transaction, body) {
    const end = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was given up"));
    });
    // Whoever waits for the body hears of it first.
    end.catch(() => {});
    /** @type {Result} */
    let result;
    try {
        result = await body(new View(transaction));
    } catch (failure) {
        try {
            transaction.abort();
        } catch {
            // It has ended by itself.
        }
        // Requests only say that all was given up; the transaction knows why.
        throw failure instanceof DOMException ? StorageFailure.of(transaction.error ?? failure) : failure;
    }
    try {
        await end;
    } catch (failure) {
        throw StorageFailure.of(failure);
    }
    return result;
}

/** The notes as one transaction sees them. */
export class View {
    #notes;
    #meta;
    #manifest;
    #shelf;
    #beside;
    /** @type {{ action?: Promise<{ last: number }>, move?: Promise<{ last: number }> }} */
    #numbers = {};

    /** @param {IDBTransaction} transaction */
    constructor(transaction) {
        this.#shelf = transaction.objectStore("shelf");
        this.#beside = transaction.objectStore("beside");
        this.#notes = transaction.objectStore("notes");
        this.#meta = transaction.objectStore("meta");
        this.#manifest = transaction.objectStore("manifest");
    }

    /**
     * @param {string} id
     * @returns {Promise<NoteRecord | null>}
     */
    async note(id) {
        return record(await answer(this.#notes.get(id)));
    }

    /** Lets others of this worker do something, in the middle of a transaction. */
    async pause() {
        await answer(this.#meta.get("progress"));
        return 0;
    }

    /** Those of some notes that are here. @param {string[]} ids */
    async some(ids) {
        return (await Promise.all(ids.map((id) => this.note(id)))).filter((found) => found !== null);
    }

    /** @returns {Promise<NoteRecord[]>} */
    async notes() {
        return (await answer(this.#notes.getAll())).map((each) => /** @type {NoteRecord} */ (record(each)));
    }

    /**
     * Notes with something to send: those with a pending action first, in the order of the actions.
     * @param {number} limit
     * @returns {Promise<NoteRecord[]>}
     */
    async dirty(limit) {
        const found = await answer(this.#notes.index("dirty").getAll(null, limit));
        return found.map((each) => /** @type {NoteRecord} */ (record(each)));
    }

    /**
     * Notes in the order of their ids, those behind one.
     * @param {string} id
     * @param {number} limit
     * @returns {Promise<NoteRecord[]>}
     */
    async notesAfter(id, limit) {
        const found = await answer(this.#notes.getAll(IDBKeyRange.lowerBound(id, true), limit));
        return found.map((each) => /** @type {NoteRecord} */ (record(each)));
    }

    /** @param {NoteRecord} record */
    async save(record) {
        // Actions have the numbers in whose order they were begun; what has none comes behind, imported notes first.
        const behind = record.imported === undefined ? Number.MAX_SAFE_INTEGER : 2 ** 52 + record.imported;
        const order = record.action ? await this.#order(record) : behind;
        await Promise.all([
            answer(this.#notes.put(isDirty(record) ? { ...record, dirty: order } : record)),
            this.#putBeside(record.id),
        ]);
    }

    /** @param {string} id */
    #putBeside(id) {
        return answer(this.#beside.put(true, [pieceOf(id), id]));
    }

    /** @param {NoteRecord} record */
    async #order(record) {
        const known = await answer(this.#notes.get(record.id));
        return known?.action?.id === record.action?.id ? known.dirty : this.next("action");
    }

    /** @param {string} id */
    async remove(id) {
        await Promise.all([answer(this.#notes.delete(id)), this.#putBeside(id)]);
    }

    /** All notes as lists need them. @returns {Promise<Listed[]>} */
    async listed() {
        const [pieces, beside] = await Promise.all([answer(this.#shelf.getAll()), this.besideShelf()]);
        if (beside.length > mostOneByOne) return (await this.notes()).map(listed);
        const ids = new Set(beside.map(([, id]) => id));
        const others = await Promise.all([...ids].map((id) => this.note(id)));
        const shelved = pieces.flat().filter((/** @type {Listed} */ each) => !ids.has(each.id));
        return [...shelved, ...others.flatMap((record) => (record ? [listed(record)] : []))];
    }

    /**
     * The notes that were written after their pieces of the shelf had been made, and in which these are.
     * @returns {Promise<[piece: number, id: string][]>}
     */
    async besideShelf() {
        return /** @type {any} */ (await answer(this.#beside.getAllKeys()));
    }

    /**
     * Makes a piece of the shelf anew.
     * @param {number} piece
     */
    async shelve(piece) {
        const range = IDBKeyRange.bound([piece], [piece + 1], false, true);
        const [kept, keys] = await Promise.all([
            answer(this.#shelf.get(piece)),
            answer(this.#beside.getAllKeys(range)),
        ]);
        const ids = new Set(keys.map((key) => /** @type {[number, string]} */ (key)[1]));
        const others = await Promise.all([...ids].map((id) => this.note(id)));
        const rest = (kept ?? []).filter((/** @type {Listed} */ each) => !ids.has(each.id));
        const all = [...rest, ...others.flatMap((record) => (record ? [listed(record)] : []))];
        await Promise.all([answer(this.#shelf.put(all, piece)), answer(this.#beside.delete(range))]);
    }

    /** A number that is higher than those before. @param {"action" | "move"} of @returns {Promise<number>} */
    async next(of) {
        // Several may want one at the same time.
        this.#numbers[of] ??= answer(this.#meta.get(of)).then((last) => ({ last: last ?? 0 }));
        const numbers = await this.#numbers[of];
        numbers.last += 1;
        const number = numbers.last;
        await answer(this.#meta.put(number, of));
        return number;
    }

    /** @returns {Promise<Progress>} */
    async progress() {
        return (await answer(this.#meta.get("progress"))) ?? newProgress();
    }

    /** @param {Progress} progress */
    async saveProgress(progress) {
        await answer(this.#meta.put(progress, "progress"));
    }

    /** When the copy was last compared with all that the server has. @returns {Promise<number | null>} */
    async lastFullCheck() {
        return (await answer(this.#meta.get("lastFullCheck"))) ?? null;
    }

    /** @param {number} time */
    async saveLastFullCheck(time) {
        await answer(this.#meta.put(time, "lastFullCheck"));
    }

    /**
     * The server's list of notes when the copy was last compared with it.
     * @returns {Promise<Map<string, number>>}
     */
    async manifest() {
        const [ids, revisions] = await Promise.all([
            answer(this.#manifest.getAllKeys()),
            answer(this.#manifest.getAll()),
        ]);
        return new Map(ids.map((id, index) => [String(id), revisions[index]]));
    }

    /** @param {{ id: string, revision: number }[]} entries */
    async addToManifest(entries) {
        await Promise.all(entries.map(({ id, revision }) => answer(this.#manifest.put(revision, id))));
    }

    async clearManifest() {
        await answer(this.#manifest.clear());
    }
}

/**
 * @param {any} stored
 * @returns {NoteRecord | null}
 */
function record(stored) {
    if (!stored) return null;
    const { dirty: _, ...rest } = stored;
    return rest;
}

/**
 * @template Value
 * @param {IDBRequest<Value>} request
 * @returns {Promise<Value>}
 */
const answer = (request) =>
    new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
