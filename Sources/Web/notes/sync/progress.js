/**
 * How far a device has followed the server, and what it asks for next: a plain value, kept beside the notes. The same as
 * `SyncProgress` of the library AlmanacNotes.
 */

import { cursorText } from "./wire.js";

/** @import { Cursor } from "./record.js" */

/**
 * `first` reads all notes, the latest change first; `changes` what changed since the cursor; `manifest` the list of all
 * notes, to compare the copy with; `deciding` waits for its user to say whether many notes may go. The cursor is the state
 * up to which everything has been taken in, the destination the one that the pages being read lead to, `next` the page to
 * be asked for.
 * @typedef {{ phase: "first" | "changes" | "manifest" | "deciding", cursor: Cursor | null, destination: Cursor | null,
 *     next: string | null }} Progress
 */

/** @returns {Progress} */
export const newProgress = () => ({ phase: "first", cursor: null, destination: null, next: null });

/**
 * The query of the next request to the server; null while the user has to decide.
 * @param {Progress} progress
 * @returns {Record<string, string> | null}
 */
export function query({ phase, cursor, next }) {
    if (phase === "deciding") return null;
    if (next !== null) return { next };
    if (phase === "first") return { newest: "true", limit: "100" };
    if (phase === "manifest") return { form: "manifest" };
    return cursor ? { since: cursorText(cursor) } : { newest: "true" };
}

/**
 * Takes a page in.
 * @param {Progress} progress
 * @param {Cursor} cursor
 * @param {string | null} next
 * @returns {boolean} whether it was the last of its phase
 */
export function receivePage(progress, cursor, next) {
    if (!progress.destination || progress.phase === "changes") progress.destination = cursor;
    progress.next = next;
    if (next !== null) {
        // Everything up to here is in: a page that is closed now goes on from here.
        if (progress.phase === "changes") advance(progress, cursor);
        return false;
    }
    advance(progress, progress.destination);
    progress.destination = null;
    return true;
}

/**
 * Another history, or too long ago: the copy has to be compared with the server's list.
 * @param {Progress} progress
 */
export function loseHistory(progress) {
    progress.next = null;
    progress.destination = null;
    progress.phase = progress.cursor ? "manifest" : "first";
}

/**
 * Reads everything anew.
 * @param {Progress} progress
 */
export function restart(progress) {
    progress.phase = "first";
    progress.next = null;
    progress.destination = null;
}

/**
 * @param {Progress} progress
 * @param {Cursor} cursor
 */
function advance(progress, cursor) {
    const known = progress.cursor;
    // A stale response of some cache is no way back.
    if (known && known.lineage === cursor.lineage && known.revision > cursor.revision) return;
    if (progress.phase !== "manifest") progress.cursor = cursor;
}
