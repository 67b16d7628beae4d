/**
 * A device's progress in following the server, as a plain value saved beside the notes. Mirrors `SyncProgress` of the
 * library AlmanacNotes.
 */

import { cursorText } from "./wire.js";

/** @import { Cursor } from "./record.js" */

/**
 * The phase is `first` while reading all notes, newest change first; `changes` while reading changes since the cursor;
 * `manifest` while reading the list of all notes to compare the copy with; `deciding` while the user decides whether
 * many missing notes may go. The cursor is the state up to which all changes are stored. The destination is the state
 * that the current pages lead to. `next` names the next page to request.
 * @typedef {{ phase: "first" | "changes" | "manifest" | "deciding", cursor: Cursor | null, destination: Cursor | null,
 *     next: string | null }} Progress
 */

/** @returns {Progress} */
export const newProgress = () => ({ phase: "first", cursor: null, destination: null, next: null });

/**
 * Returns the query of the next request to the server, or null while the user decides.
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
 * Records a received page.
 * @param {Progress} progress
 * @param {Cursor} cursor
 * @param {string | null} next
 * @returns {boolean} `true` if the page was the last of its phase
 */
export function receivePage(progress, cursor, next) {
    if (!progress.destination || progress.phase === "changes") progress.destination = cursor;
    progress.next = next;
    if (next !== null) {
        // Everything up to this cursor is stored, so a reloaded app resumes here.
        if (progress.phase === "changes") advance(progress, cursor);
        return false;
    }
    advance(progress, progress.destination);
    progress.destination = null;
    return true;
}

/**
 * Handles a changed lineage or an expired cursor: the copy must be compared with the server's list.
 * @param {Progress} progress
 */
export function loseHistory(progress) {
    progress.next = null;
    progress.destination = null;
    progress.phase = progress.cursor ? "manifest" : "first";
}

/** Starts again with the phase `first`. @param {Progress} progress */
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
    // A stale cached response must not move the cursor back.
    if (known && known.lineage === cursor.lineage && known.revision > cursor.revision) return;
    if (progress.phase !== "manifest") progress.cursor = cursor;
}
