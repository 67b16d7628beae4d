/** The reads and writes of one transaction of the notes' database. */

import { entryWithoutBody, listEntry, pieceOf } from "./list-index.js";
import { byPosition } from "./notes.js";
import { newProgress } from "./progress.js";
import { isDirty } from "./record.js";

/** @import { Progress } from "./progress.js" */
/** @import { NoteRecord } from "./record.js" */
/** @import { ListEntry } from "./list-index.js" */
/** @import { TrashRead } from "./trash.js" */

/** The object stores of each transaction. */
export const stores = ["notes", "meta", "manifest", "shelf", "bodies", "beside"];
/** The number of notes changed since the pieces were built, above which all notes are read. */
const maxSingleReads = 1000;

/** The notes within one transaction. */
export class View {
    #notes;
    #meta;
    #manifest;
    #pieces;
    #bodies;
    #changed;
    /** @type {{ action?: Promise<{ last: number }>, move?: Promise<{ last: number }> }} */
    #numbers = {};

    /** @param {IDBTransaction} transaction */
    constructor(transaction) {
        this.#pieces = transaction.objectStore("shelf");
        this.#bodies = transaction.objectStore("bodies");
        this.#changed = transaction.objectStore("beside");
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

    /** Yields to other tasks of the worker within a transaction. */
    async pause() {
        await answer(this.#meta.get("progress"));
        return 0;
    }

    /** Returns the notes with these ids that exist here. @param {string[]} ids */
    async existingNotes(ids) {
        return (await Promise.all(ids.map((id) => this.note(id)))).filter((found) => found !== null);
    }

    /** @returns {Promise<NoteRecord[]>} */
    async notes() {
        return (await answer(this.#notes.getAll())).map((each) => /** @type {NoteRecord} */ (record(each)));
    }

    /**
     * Returns notes with something to send, first those with a pending action in the order of the actions.
     * @param {number} limit
     * @returns {Promise<NoteRecord[]>}
     */
    async dirty(limit) {
        const found = await answer(this.#notes.index("dirty").getAll(null, limit));
        return found.map((each) => /** @type {NoteRecord} */ (record(each)));
    }

    /**
     * Returns the notes after an id, in the order of ids.
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
        // A pending action sorts by its number. Notes without an action sort behind, imported notes first.
        const behind = record.imported === undefined ? Number.MAX_SAFE_INTEGER : 2 ** 52 + record.imported;
        const order = record.action ? await this.#order(record) : behind;
        await Promise.all([
            answer(this.#notes.put(isDirty(record) ? { ...record, dirty: order } : record)),
            this.#markChanged(record.id),
        ]);
    }

    /** @param {string} id */
    #markChanged(id) {
        return answer(this.#changed.put(true, [pieceOf(id), id]));
    }

    /** @param {NoteRecord} record */
    async #order(record) {
        const known = await answer(this.#notes.get(record.id));
        return known?.action?.id === record.action?.id ? known.dirty : this.next("action");
    }

    /** @param {string} id */
    async remove(id) {
        await Promise.all([answer(this.#notes.delete(id)), this.#markChanged(id)]);
    }

    /** Returns all notes for a list; most lack their bodies. @returns {Promise<ListEntry[]>} */
    async listEntries() {
        const [pieces, changed] = await Promise.all([answer(this.#pieces.getAll()), this.changedNotes()]);
        if (changed.length > maxSingleReads) return (await this.notes()).map(listEntry);
        const ids = new Set(changed.map(([, id]) => id));
        const others = await Promise.all([...ids].map((id) => this.note(id)));
        const rest = pieces.flat().filter((/** @type {ListEntry} */ each) => !ids.has(each.id));
        return [...rest, ...others.flatMap((record) => (record ? [listEntry(record)] : []))];
    }

    /**
     * Returns the notes written since their pieces were built, with the indexes of these pieces.
     * @returns {Promise<[piece: number, id: string][]>}
     */
    async changedNotes() {
        return /** @type {any} */ (await answer(this.#changed.getAllKeys()));
    }

    /** Returns the bodies of a piece's notes. @param {number} piece @returns {Promise<[id: string, body: string][]>} */
    async bodies(piece) {
        const [kept, { ids, records }] = await Promise.all([
            answer(this.#bodies.get(piece)),
            this.#changesOfPiece(piece),
        ]);
        return withChanges(kept, ([id]) => ids.has(id), records.map(bodyOf));
    }

    /** Rebuilds a piece. @param {number} piece */
    async rebuildPiece(piece) {
        const [heads, bodies, { range, ids, records }] = await Promise.all([
            answer(this.#pieces.get(piece)),
            answer(this.#bodies.get(piece)),
            this.#changesOfPiece(piece),
        ]);
        await Promise.all([
            answer(
                this.#pieces.put(
                    // Sorted pieces make sorting the list cheap.
                    withChanges(heads, ({ id }) => ids.has(id), records.map(entryWithoutBody)).sort(byPosition),
                    piece,
                ),
            ),
            answer(
                this.#bodies.put(
                    withChanges(bodies, ([id]) => ids.has(id), records.map(bodyOf)),
                    piece,
                ),
            ),
            answer(this.#changed.delete(range)),
        ]);
    }

    /**
     * Returns the range and the ids of a piece's changed notes, and the records of those that still exist.
     * @param {number} piece
     */
    async #changesOfPiece(piece) {
        const range = IDBKeyRange.bound([piece], [piece + 1], false, true);
        const keys = /** @type {any} */ (await answer(this.#changed.getAllKeys(range)));
        const ids = new Set(/** @type {[number, string][]} */ (keys).map(([, id]) => id));
        return { range, ids, records: await this.existingNotes([...ids]) };
    }

    /** Returns a number above all earlier ones. @param {"action" | "move"} of @returns {Promise<number>} */
    async next(of) {
        // Concurrent calls share one read.
        this.#numbers[of] ??= answer(this.#meta.get(of)).then((last) => ({ last: last ?? 0 }));
        const numbers = await this.#numbers[of];
        numbers.last += 1;
        const number = numbers.last;
        await answer(this.#meta.put(number, of));
        return number;
    }

    /** Returns the database's unique id; null in an earlier version. @returns {Promise<string | null>} */
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

    /** Returns the time of the last full check. @returns {Promise<number | null>} */
    async lastFullCheck() {
        return (await answer(this.#meta.get("lastFullCheck"))) ?? null;
    }

    /** @param {number} time */
    async saveLastFullCheck(time) {
        await answer(this.#meta.put(time, "lastFullCheck"));
    }

    /** Returns the state of reading the trash; null before a complete read. @returns {Promise<TrashRead | null>} */
    async trashRead() {
        return (await answer(this.#meta.get("trash"))) ?? null;
    }

    /** @param {TrashRead | null} read */
    async saveTrashRead(read) {
        await answer(this.#meta.put(read, "trash"));
    }

    /**
     * Returns the revisions of the server's notes by id, as of the last comparison.
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
 * @param {Each[]} others the replacements
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
export const answer = (request) =>
    new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
