/**
 * The databases of one account on this device, in IndexedDB. The notes' database contains records, pending work and the
 * progress of syncing. Every tab writes to them directly.
 */

import { pieceOf } from "./list-index.js";
import { stores, View } from "./view.js";

/** A failure of the database: made by a newer version of the app, full, blocked by another tab, or broken. */
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

/**
 * The form of a database. `upgrade` makes the stores that an older version lacks; `view` reads and writes in one
 * transaction, and knows the unique id of the database.
 * @template {{ made(): Promise<string | null> }} View
 * @typedef {object} Schema
 * @property {number} version
 * @property {string[]} stores
 * @property {(request: IDBOpenDBRequest, oldVersion: number) => void} upgrade
 * @property {(transaction: IDBTransaction) => View} view
 */

/**
 * The error names by which a connection shows that the browser dropped it, as iOS does in the background. The
 * transaction at that time was not committed.
 */
const dropped = new Set(["InvalidStateError", "UnknownError", "AbortError"]);
/** The number of attempts, the last after a second, because the browser may be removing the database. */
const maxAttempts = 7;
/** The pause before the second attempt, in milliseconds; doubles for each further attempt. */
const firstPause = 16;

/**
 * A database that reopens after the browser dropped it.
 * @template {{ made(): Promise<string | null> }} View
 */
export class Database {
    #name;
    #factory;
    /** @type {Schema<View>} */
    #schema;
    /** @type {Promise<IDBDatabase> | null} */
    #opening = null;
    #isAbandoned = false;
    /** The id of the database that was opened last; a recreated one differs. @type {string | null | undefined} */
    #made;
    #onLost;
    #onRemoved;

    /**
     * @param {string} name identifies environment and account
     * @param {IDBFactory} factory
     * @param {Schema<View>} schema
     * @param {() => void} [onLost] runs after the browser closed the database, which may have been removed
     * @param {() => void} [onRemoved] runs when another tab removes the database; the store is abandoned then
     */
    constructor(name, factory, schema, onLost = () => {}, onRemoved = () => {}) {
        this.#name = name;
        this.#factory = factory;
        this.#schema = schema;
        this.#onLost = onLost;
        this.#onRemoved = onRemoved;
    }

    /**
     * Reads in one transaction.
     * @template Result
     * @param {(view: View) => Promise<Result>} body awaits only the view
     * @returns {Promise<Result>}
     */
    read(body) {
        return this.#run("readonly", body, "default");
    }

    /**
     * Writes in one atomic transaction, which is on disk when the promise resolves.
     * @template Result
     * @param {(view: View) => Promise<Result>} body awaits only the view
     * @param {IDBTransactionDurability} [durability] "relaxed" for data that also exists elsewhere: a power failure may
     *     lose the transaction, but never a part of it
     * @returns {Promise<Result>}
     */
    write(body, durability = "strict") {
        return this.#run("readwrite", body, durability);
    }

    /** Closes the database; the next call opens it again. */
    async close() {
        const opening = this.#opening;
        this.#opening = null;
        (await opening?.catch(() => null))?.close();
    }

    /** Closes the database for good. Writes that have not finished are lost. */
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
                const { stores, view } = this.#schema;
                const transaction = (await opening).transaction(stores, mode, { durability });
                return await finished(transaction, view, body);
            } catch (failure) {
                if (attempt === maxAttempts || !isDropped(failure))
                    throw failure instanceof DOMException ? StorageFailure.of(failure) : failure;
                // Another call may have reopened the database meanwhile.
                if (this.#opening === opening) await this.close();
                await new Promise((resolve) => setTimeout(resolve, firstPause * 2 ** (attempt - 1)));
            }
        }
    }

    #database() {
        if (this.#isAbandoned) throw new StorageFailure("broken", "the database was closed for good");
        this.#opening ??= this.#open().catch((failure) => {
            this.#opening = null;
            throw StorageFailure.of(failure);
        });
        return this.#opening;
    }

    async #open() {
        const database = await this.#opened();
        try {
            const { stores, view } = this.#schema;
            const made = await finished(database.transaction(stores), view, (opened) => opened.made());
            // A connection dropped during a transaction sends no event, and another tab may have recreated the
            // database.
            const isLost = this.#made !== undefined && this.#made !== made;
            this.#made = made;
            if (isLost && !this.#isAbandoned) this.#onLost();
        } catch (failure) {
            database.close();
            throw failure;
        }
        return database;
    }

    /** @returns {Promise<IDBDatabase>} */
    #opened() {
        return new Promise((resolve, reject) => {
            const request = this.#factory.open(this.#name, this.#schema.version);
            request.onupgradeneeded = ({ oldVersion }) => this.#schema.upgrade(request, oldVersion);
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
                // A newer version of the app in another tab, or a removal, must not wait for this tab.
                database.onversionchange = ({ newVersion }) => {
                    if (newVersion !== null) return this.close();
                    // Reopening would recreate the database, empty.
                    this.abandon();
                    this.#onRemoved();
                };
                database.onclose = () => {
                    this.#opening = null;
                    this.#made = undefined;
                    if (!this.#isAbandoned) this.#onLost();
                };
                resolve(database);
            };
        });
    }
}

/** @type {Schema<View>} */
const notesSchema = {
    version: 2,
    stores,
    upgrade(request, oldVersion) {
        if (oldVersion < 1) makeStores(request.result);
        if (oldVersion < 2) request.result.createObjectStore("bodies");
        if (oldVersion === 1) clearShelf(/** @type {IDBTransaction} */ (request.transaction));
    },
    view: (transaction) => new View(transaction),
};

/** The notes' database. @extends {Database<View>} */
export class NotesStore extends Database {
    /**
     * @param {string} name
     * @param {IDBFactory} factory
     * @param {() => void} [onLost]
     * @param {() => void} [onRemoved]
     */
    constructor(name, factory, onLost, onRemoved) {
        super(name, factory, notesSchema, onLost, onRemoved);
    }
}

/** @param {IDBDatabase} database */
function makeStores(database) {
    database.createObjectStore("notes", { keyPath: "id" }).createIndex("dirty", "dirty");
    for (const name of ["manifest", "shelf", "beside"]) database.createObjectStore(name);
    database.createObjectStore("meta").put(crypto.randomUUID(), "made");
}

/** Empties the shelf of version 1, which contained bodies too. @param {IDBTransaction} transaction */
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
 * @template View
 * @template Result
 * @param {IDBTransaction} transaction
 * @param {(transaction: IDBTransaction) => View} view
 * @param {(view: View) => Promise<Result>} body
 */
async function finished(transaction, view, body) {
    const end = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was aborted"));
    });
    // The caller sees the body's error first, so mark this rejection as handled.
    end.catch(() => {});
    /** @type {Result} */
    let result;
    try {
        result = await body(view(transaction));
    } catch (failure) {
        try {
            transaction.abort();
        } catch {
            // The transaction has already ended.
        }
        // A request only reports the abort; the transaction has the reason.
        throw failure instanceof DOMException ? StorageFailure.of(transaction.error ?? failure) : failure;
    }
    try {
        await end;
    } catch (failure) {
        throw StorageFailure.of(failure);
    }
    return result;
}
