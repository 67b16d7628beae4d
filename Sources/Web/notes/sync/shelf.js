/**
 * A copy of what lists need of the notes, in a few large pieces: IndexedDB reads those in a fraction of the time that
 * it takes for as many small ones. What a row shows is apart from the bodies, which only a search needs: it is a small
 * part of the whole, and nothing is seen before it has been read. What has been written since a piece was made is noted
 * beside them, in the same transaction, so that the two always make the whole.
 */

import { beginning } from "../text/beginning.js";
import { isDirty, status } from "./record.js";

/** @import { NoteRecord } from "./record.js" */
/** @import { NotesStore } from "./store.js" */

/**
 * What a row of a list shows of a note, and what puts it in its place. `name`: its title, or the first line of its body;
 * `isUnsynced`: something of it is not on the server.
 * @typedef {Pick<NoteRecord, "id" | "place" | "position" | "move" | "createdAt" | "updatedAt" | "problem">
 *     & Pick<NoteRecord["text"], "title" | "tags" | "pinned">
 *     & { name: string, status: ReturnType<typeof status>, isUnsynced: boolean }} Head
 */

/**
 * What a list needs of a note; the excerpt or the body may have been left out, never both.
 * @typedef {Head & { excerpt: string | null, body: string | null }} Listed
 */

/** How many pieces there are, numbered from 0. */
export const pieces = 32;
/** By so much of its name a note is put in its place, in UTF-16 units. */
const longestName = 500;
/** So many notes beside the pieces are read one by one; with more, the pieces are made anew. */
const mostBeside = 100;

/**
 * @param {NoteRecord} record
 * @returns {Listed}
 */
export function listed(record) {
    const { id, place, position, move, createdAt, updatedAt, problem } = record;
    const { title, body, tags, pinned } = record.text;
    return {
        ...{ id, title, tags, pinned, place, position, move, createdAt, updatedAt, problem },
        // A first line may be the whole text.
        name: (title.trim() || (/\S.*/u.exec(body)?.[0] ?? "")).slice(0, longestName),
        status: status(record),
        isUnsynced: problem !== null || isDirty(record),
        excerpt: null,
        body,
    };
}

/**
 * @param {NoteRecord} record
 * @returns {Listed} without its body
 */
export function shelved(record) {
    return { ...listed(record), excerpt: beginning(record.text.body), body: null };
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
