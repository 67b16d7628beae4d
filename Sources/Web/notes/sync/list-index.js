/**
 * A copy of the data that lists need, in a few large pieces, because IndexedDB reads a large piece in a fraction of the
 * time of as many small records. Rows are stored apart from bodies: rows are a small part of the data and are needed
 * first, while only a search needs bodies. A write also adds its note to the store `beside` in the same transaction, so
 * that the pieces and that store are complete together.
 */

import { beginning } from "../text/beginning.js";
import { isDirty, status } from "./record.js";

/** @import { NoteRecord } from "./record.js" */
/** @import { NotesStore } from "./store.js" */

/**
 * The data of a row, and of its place in the list. `name`: the title, or the first line of the body; `isUnsynced`: the
 * server lacks a change of the note.
 * @typedef {Pick<NoteRecord, "id" | "place" | "position" | "move" | "createdAt" | "updatedAt" | "problem">
 *     & Pick<NoteRecord["text"], "title" | "tags" | "pinned">
 *     & { name: string, status: ReturnType<typeof status>, isUnsynced: boolean }} Head
 */

/**
 * A note in a list. The excerpt or the body may be missing, but never both.
 * @typedef {Head & { excerpt: string | null, body: string | null }} ListEntry
 */

/** The number of pieces. */
export const pieceCount = 32;
/** The length of a name for sorting, in UTF-16 units. */
const maxNameLength = 500;
/** The number of notes beside the pieces from which the pieces are rebuilt. */
const rebuildThreshold = 100;

/**
 * @param {NoteRecord} record
 * @returns {ListEntry}
 */
export function listEntry(record) {
    const { id, place, position, move, createdAt, updatedAt, problem } = record;
    const { title, body, tags, pinned } = record.text;
    return {
        ...{ id, title, tags, pinned, place, position, move, createdAt, updatedAt, problem },
        // A first line may be the whole text.
        name: (title.trim() || (/\S.*/u.exec(body)?.[0] ?? "")).slice(0, maxNameLength),
        status: status(record),
        isUnsynced: problem !== null || isDirty(record),
        excerpt: null,
        body,
    };
}

/**
 * @param {NoteRecord} record
 * @returns {ListEntry} a note without its body
 */
export function entryWithoutBody(record) {
    return { ...listEntry(record), excerpt: beginning(record.text.body), body: null };
}

/** Returns the index of a note's piece. @param {string} id */
export function pieceOf(id) {
    let hash = 0;
    for (let index = 0; index < id.length; index += 1) hash = (Math.imul(hash, 31) + id.charCodeAt(index)) >>> 0;
    return hash % pieceCount;
}

/**
 * Rebuilds the pieces with many changed notes, in one transaction each, so that no other waits for long.
 * @param {NotesStore} store
 * @param {() => Promise<void>} pause runs between two pieces
 */
export async function rebuildPieces(store, pause) {
    const changed = await store.read((view) => view.changedNotes());
    if (changed.length < rebuildThreshold) return;
    for (const piece of new Set(changed.map(([piece]) => piece))) {
        await store.write((view) => view.rebuildPiece(piece), "relaxed");
        await pause();
    }
}
