/**
 * The notes of one account on this device, in IndexedDB: records, what they are waiting for, and how far the device has
 * followed the server. Every tab writes here itself.
 */

import { pieceOf } from "./shelf.js";
import { stores, View } from "./view.js";

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

const version = 2;
/**
 * How a connection shows that the browser has dropped it, as iOS does in the background. What was being written then
 * has not been.
 */
const dropped = new Set(["InvalidStateError", "UnknownError", "AbortError"]);
/** So often something is tried then, the last time after a second: the browser may be removing the database. */
const mostAttempts = 7;
/** Before the second attempt, in milliseconds; twice as long before each further one. */
const firstPause = 16;

export class NotesStore {
    #name;
    #factory;
    /** @type {Promise<IDBDatabase> | null} */
    #opening = null;
    #isAbandoned = false;
    /** Tells the database that was opened last from one that is made in its place. @type {string | null | undefined} */
    #made;
    #lost;
    #removed;

    /**
     * @param {string} name tells environments and accounts apart
     * @param {IDBFactory} factory
     * @param {() => void} [lost] is called when the browser has taken the database away, which may have removed it
     * @param {() => void} [removed] is called when another tab removes the database; the store is abandoned then
     */
    constructor(name, factory, lost = () => {}, removed = () => {}) {
        this.#name = name;
        this.#factory = factory;
        this.#lost = lost;
        this.#removed = removed;
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
            const opening = this.#database();
            try {
                return await finished((await opening).transaction(stores, mode, { durability }), body);
            } catch (failure) {
                if (attempt === mostAttempts || !isDropped(failure))
                    throw failure instanceof DOMException ? StorageFailure.of(failure) : failure;
                // Somebody else may have opened it again by now.
                if (this.#opening === opening) await this.close();
                await new Promise((resolve) => setTimeout(resolve, firstPause * 2 ** (attempt - 1)));
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

    async #open() {
        const database = await this.#opened();
        try {
            const made = await finished(database.transaction(stores), (view) => view.made());
            // A connection that is taken away in the middle of a transaction does not say so, and another tab may have
            // made the database anew.
            const isLost = this.#made !== undefined && this.#made !== made;
            this.#made = made;
            if (isLost && !this.#isAbandoned) this.#lost();
        } catch (failure) {
            database.close();
            throw failure;
        }
        return database;
    }

    /** @returns {Promise<IDBDatabase>} */
    #opened() {
        return new Promise((resolve, reject) => {
            const request = this.#factory.open(this.#name, version);
            request.onupgradeneeded = ({ oldVersion }) => {
                if (oldVersion < 1) makeStores(request.result);
                if (oldVersion < 2) request.result.createObjectStore("bodies");
                if (oldVersion === 1) clearShelf(/** @type {IDBTransaction} */ (request.transaction));
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
                // Neither a newer version of the app in another tab nor a removal may wait for this tab.
                database.onversionchange = ({ newVersion }) => {
                    if (newVersion !== null) return this.close();
                    // Opened once more, it would be made anew, empty.
                    this.abandon();
                    this.#removed();
                };
                database.onclose = () => {
                    this.#opening = null;
                    this.#made = undefined;
                    if (!this.#isAbandoned) this.#lost();
                };
                resolve(database);
            };
        });
    }
}

/** @param {IDBDatabase} database */
function makeStores(database) {
    database.createObjectStore("notes", { keyPath: "id" }).createIndex("dirty", "dirty");
    for (const name of ["manifest", "shelf", "beside"]) database.createObjectStore(name);
    database.createObjectStore("meta").put(crypto.randomUUID(), "made");
}

/** Of version 1, which had the bodies there too: the shelf is made anew. @param {IDBTransaction} transaction */
function clearShelf(transaction) {
    const beside = transaction.objectStore("beside");
    transaction.objectStore("shelf").clear();
    transaction.objectStore("notes").getAllKeys().onsuccess = ({ target }) => {
        const ids = /** @type {IDBRequest<IDBValidKey[]>} */ (target).result;
        for (const id of ids) beside.put(true, [pieceOf(String(id)), id]);
    };
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
