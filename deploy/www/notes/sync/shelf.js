/**
 * A copy of what lists need of the notes, in a few large pieces: IndexedDB reads those in a fraction of the time that
 * it takes for as many small ones. What has been written since a piece was made is noted beside them, in the same
 * transaction, so that the two always make the whole.
 */

import { isDirty, status } from "./record.js";

/** @import { NoteRecord } from "./record.js" */
/** @import { NotesStore } from "./store.js" */

/**
 * What a list needs of a note. `isUnsynced`: something of it is not on the server.
 * @typedef {Pick<NoteRecord, "id" | "text" | "place" | "position" | "move" | "createdAt" | "updatedAt" | "problem">
 *     & { status: ReturnType<typeof status>, isUnsynced: boolean }} Listed
 */

const pieces = 32;
/** So many notes beside the pieces are read one by one; with more, the pieces are made anew. */
const mostBeside = 100;

/**
 * @param {NoteRecord} record
 * @returns {Listed}
 */
export function listed(record) {
    const { id, text, place, position, move, createdAt, updatedAt, problem } = record;
    const isUnsynced = problem !== null || isDirty(record);
    return { id, text, place, position, move, createdAt, updatedAt, problem, status: status(record), isUnsynced };
}

/**
 * The piece that a note belongs to.
 * @param {string} id
 */
export function pieceOf(id) {
    let hash = 0;
    for (let index = 0; index < id.length; index += 1) hash = (Math.imul(hash, 31) + id.charCodeAt(index)) >>> 0;
    return hash % pieces;
}

/**
 * Makes those pieces anew that lack many notes, each in a transaction of its own, so that nobody waits for long.
 * @param {NotesStore} store
 * @param {() => Promise<void>} pause between two of them
 */
export async function shelve(store, pause) {
    const beside = await store.read((view) => view.besideShelf());
    if (beside.length < mostBeside) return;
    for (const piece of new Set(beside.map(([piece]) => piece))) {
        await store.write((view) => view.shelve(piece), "relaxed");
        await pause();
    }
}
