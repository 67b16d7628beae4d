/** What can be read and written in one transaction of the database of notes. */

import { newProgress } from "./progress.js";
import { isDirty } from "./record.js";
import { listed, pieceOf, shelved } from "./shelf.js";

/** @import { Progress } from "./progress.js" */
/** @import { NoteRecord } from "./record.js" */
/** @import { Listed } from "./shelf.js" */
/** @import { TrashRead } from "./trash.js" */

/** Of objects, in each transaction. */
export const stores = ["notes", "meta", "manifest", "shelf", "bodies", "beside"];
/** With more notes beside the shelf, all are read anew. */
const mostOneByOne = 1000;

/** The notes as one transaction sees them. */
export class View {
    #notes;
    #meta;
    #manifest;
    #shelf;
    #bodies;
    #beside;
    /** @type {{ action?: Promise<{ last: number }>, move?: Promise<{ last: number }> }} */
    #numbers = {};

    /** @param {IDBTransaction} transaction */
    constructor(transaction) {
        this.#shelf = transaction.objectStore("shelf");
        this.#bodies = transaction.objectStore("bodies");
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

    /** All notes as lists need them; the bodies of most are left out. @returns {Promise<Listed[]>} */
    async listed() {
        const [pieces, beside] = await Promise.all([answer(this.#shelf.getAll()), this.besideShelf()]);
        if (beside.length > mostOneByOne) return (await this.notes()).map(listed);
        const ids = new Set(beside.map(([, id]) => id));
        const others = await Promise.all([...ids].map((id) => this.note(id)));
        const rest = pieces.flat().filter((/** @type {Listed} */ each) => !ids.has(each.id));
        return [...rest, ...others.flatMap((record) => (record ? [listed(record)] : []))];
    }

    /**
     * The notes that were written after their pieces of the shelf had been made, and in which these are.
     * @returns {Promise<[piece: number, id: string][]>}
     */
    async besideShelf() {
        return /** @type {any} */ (await answer(this.#beside.getAllKeys()));
    }

    /**
     * The bodies of the notes of a piece of the shelf.
     * @param {number} piece
     * @returns {Promise<[id: string, body: string][]>}
     */
    async bodies(piece) {
        const [kept, { ids, records }] = await Promise.all([answer(this.#bodies.get(piece)), this.#besidePiece(piece)]);
        return withChanges(kept, ([id]) => ids.has(id), records.map(bodyOf));
    }

    /**
     * Makes a piece of the shelf anew.
     * @param {number} piece
     */
    async shelve(piece) {
        const [heads, bodies, { range, ids, records }] = await Promise.all([
            answer(this.#shelf.get(piece)),
            answer(this.#bodies.get(piece)),
            this.#besidePiece(piece),
        ]);
        await Promise.all([
            answer(
                this.#shelf.put(
                    withChanges(heads, ({ id }) => ids.has(id), records.map(shelved)),
                    piece,
                ),
            ),
            answer(
                this.#bodies.put(
                    withChanges(bodies, ([id]) => ids.has(id), records.map(bodyOf)),
                    piece,
                ),
            ),
            answer(this.#beside.delete(range)),
        ]);
    }

    /**
     * The notes beside a piece, and those of them that are still there.
     * @param {number} piece
     */
    async #besidePiece(piece) {
        const range = IDBKeyRange.bound([piece], [piece + 1], false, true);
        const keys = /** @type {any} */ (await answer(this.#beside.getAllKeys(range)));
        const ids = new Set(/** @type {[number, string][]} */ (keys).map(([, id]) => id));
        return { range, ids, records: await this.some([...ids]) };
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

    /** Tells this database from others of its name; null in one of an earlier version. @returns {Promise<string | null>} */
    async made() {
        return (await answer(this.#meta.get("made"))) ?? null;
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

    /** How much of the server's trash has been read; null before all of it has. @returns {Promise<TrashRead | null>} */
    async trashRead() {
        return (await answer(this.#meta.get("trash"))) ?? null;
    }

    /** @param {TrashRead | null} read */
    async saveTrashRead(read) {
        await answer(this.#meta.put(read, "trash"));
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

/** @param {NoteRecord} record @returns {[id: string, body: string]} */
const bodyOf = ({ id, text }) => [id, text.body];

/**
 * @template Each
 * @param {Each[] | undefined} kept
 * @param {(each: Each) => boolean} isOld
 * @param {Each[]} others in the place of those
 */
const withChanges = (kept, isOld, others) => [...(kept ?? []).filter((each) => !isOld(each)), ...others];

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
