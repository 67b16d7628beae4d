/**
 * The state of one note: the local text, the server's text, and the actions and changes between them.
 *
 * The same state machine as `NoteRecord` of the library AlmanacNotes; its `record-vectors.json` tests both. A record is
 * a plain value, so IndexedDB stores it as it is. This file handles the user's actions; received.js handles outcomes
 * and changes by other devices. Their functions change a record and have no other effect.
 */

import { empty, hasSameTitleAndBody, isSame } from "./text.js";

/** @import { Text } from "./text.js" */

/** @typedef {{ revision: number, lineage: string }} Cursor */
/** @typedef {{ type: string, detail: string }} Problem the type's last part, and a message for users */

/** @typedef {"create" | "update" | "spelledUpdate" | "delete" | "restore" | "move" | "purge"} ActionKind */

/**
 * An action of this device, with the data to send it again: the text when it was sent, and for a move the note to stand
 * behind (null for the first place) and the number of the move.
 * @typedef {{ id: string, kind: ActionKind, text: Text, after: string | null, moveNumber: number | null }} Action
 */

/**
 * A state of the note on the server that other devices made. Without a text, the note is in the trash or gone.
 * @typedef {{ cursor: Cursor, text: Text | null, position: string | null }} Change
 */

/**
 * A place in the list that the server's list lacks. Later moves have higher numbers. `acknowledged` is the revision of
 * the move once the server has accepted it.
 * @typedef {{ number: number, after: string | null, acknowledged: number | null }} Move
 */

/**
 * @typedef {object} NoteRecord
 * @property {string} id
 * @property {Text} text
 * @property {"list" | "trash" | "removed"} place the place in which the user sees the note; "removed": deleted from the
 *     trash, but retained until the server has deleted it too
 * @property {string | null} position the place in the server's list; null until the server assigns one
 * @property {number} createdAt milliseconds since 1970
 * @property {number} updatedAt the time of the last edit of title or body
 * @property {number} [imported] the index within an import, which determines the sending order; the server receives the
 *     times of an imported note because they are not of this device's clock
 * @property {{ text: Text, cursor: Cursor } | null} shadow the server's last known text; null until the server knows
 *     the note
 * @property {boolean} isInServersTrash
 * @property {number} lastReceived the revision of the last change received from the server, which may have had no text
 * @property {Action | null} action the action that is being sent and has no result yet
 * @property {Change | null} waiting the change by another device that arrived while the action was pending
 * @property {Move | null} move
 * @property {Problem | null} problem the server's reason for refusing the last action
 * @property {boolean} spellsBase true if the server lost the base of an update, so the next update contains it
 * @property {boolean} [isUnwritten] true for a new note before its first change; such a note is not sent
 */

/**
 * The outcome of an action: the note's state on the server after it, or the reason for a refusal. The text is null if
 * it equals the sent text.
 * @typedef {{ kind: "accepted", cursor: Cursor, text: Text | null, isInTrash: boolean, isPurged: boolean }
 *     | { kind: "rejected", problem: Problem }} Outcome
 */

/** @typedef {"keep" | "remove"} Disposition the decision to retain or delete a record */

/** The problem type of a note that the server does not know or has removed for good. */
export const gone = "note-gone";
/** An id that each device derives alike: a UUID of version 8. Random ids have version 4. */
export const derivedId = /^[0-9a-f]{8}-[0-9a-f]{4}-8/;

/**
 * @param {string} id
 * @param {Text} text
 * @param {{ createdAt: number, updatedAt: number }} times
 * @returns {NoteRecord}
 */
export function newRecord(id, text, { createdAt, updatedAt }) {
    return {
        id,
        text,
        place: "list",
        position: null,
        createdAt,
        updatedAt,
        shadow: null,
        isInServersTrash: false,
        lastReceived: 0,
        action: null,
        waiting: null,
        move: null,
        problem: null,
        spellsBase: false,
    };
}

/** Returns true if the note is not in the list. @param {NoteRecord} record */
export const isInTrash = (record) => record.place !== "list";

/** Returns true if the local text equals the server's. @param {NoteRecord} record */
export const isClean = ({ shadow, text }) => shadow !== null && isSame(shadow.text, text);

/** Returns true if the title or body differs from the server's. @param {NoteRecord} record */
export const hasUnsentWords = ({ shadow, text }) => shadow === null || !hasSameTitleAndBody(shadow.text, text);

/**
 * Returns the action to send next, or null if there is none or an action is pending.
 * @param {NoteRecord} record
 * @returns {ActionKind | null}
 */
export function nextAction(record) {
    if (record.action || record.problem || record.isUnwritten) return null;
    const { shadow } = record;
    // A note that was deleted before it was ever sent still belongs in the server's trash.
    if (!shadow) return isInTrash(record) && isSame(record.text, empty) ? null : "create";
    // A deletion with a base gives way to an unseen edit of another device; a purge does not.
    if (record.place === "removed") return record.isInServersTrash ? "purge" : "delete";
    // Unsent text is sent before a deletion, so that the trash contains it. An edit of title or body restores a note
    // from the server's trash; an edit of tags or the pin does not.
    const isToBeRestored = record.isInServersTrash && !isInTrash(record);
    if (isToBeRestored && !hasUnsentWords(record)) return "restore";
    if (!isSame(shadow.text, record.text)) return record.spellsBase ? "spelledUpdate" : "update";
    if (isInTrash(record) && !record.isInServersTrash) return "delete";
    return record.move && record.move.acknowledged === null && !isInTrash(record) ? "move" : null;
}

/** Returns true if the note has an unsent or unanswered change. @param {NoteRecord} record */
export const isDirty = (record) => record.action !== null || nextAction(record) !== null;

/**
 * @param {NoteRecord} record
 * @returns {"onThisDevice" | "onServer" | "needsAttention"}
 */
export function status(record) {
    if (record.problem) return "needsAttention";
    return isDirty(record) || !record.shadow ? "onThisDevice" : "onServer";
}

/**
 * Changes the text. An edit of title or body restores the note from the trash, and has a time; a change of tags or the
 * pin does neither. A refused change is sent again.
 * @param {NoteRecord} record
 * @param {Text} text
 * @param {number} time
 */
export function edit(record, text, time) {
    if (isSame(text, record.text)) return;
    if (!hasSameTitleAndBody(text, record.text)) {
        record.place = "list";
        record.updatedAt = Math.max(time, record.createdAt);
    }
    record.text = text;
    record.problem = null;
    if (record.isUnwritten) record.isUnwritten = false;
}

/** @param {NoteRecord} record */
export function moveToTrash(record) {
    if (!isInTrash(record)) record.place = "trash";
    record.move = null;
}

/**
 * Removes the note from the trash for good. The record stays if the server knows the note or is about to.
 * @param {NoteRecord} record
 * @returns {Disposition}
 */
export function removeForGood(record) {
    record.place = "removed";
    record.problem = null;
    return record.shadow || record.action ? "keep" : "remove";
}

/**
 * Forgets a note that the server has removed for good. A derived id stays, so that this device does not make the note
 * of that id again: the server would refuse it.
 * @param {NoteRecord} record
 * @returns {Disposition}
 */
export function forget(record) {
    if (!derivedId.test(record.id)) return "remove";
    Object.assign(record, newRecord(record.id, empty, record), { place: "removed" });
    return "keep";
}

/** @param {NoteRecord} record */
export function takeOutOfTrash(record) {
    record.place = "list";
    record.problem = null;
}

/**
 * Moves the note behind another note, or to the first place if `after` is null. A note in the trash has no place.
 * @param {NoteRecord} record
 * @param {string | null} after
 * @param {number} number
 */
export function move(record, after, number) {
    if (!isInTrash(record)) record.move = { number, after, acknowledged: null };
}

/**
 * Discards a change that the server refused. Returns "remove" if the server has no such note either.
 * @param {NoteRecord} record
 * @returns {Disposition}
 */
export function discardChange(record) {
    if (!record.problem) return "keep";
    if (record.problem.type === gone) return forget(record);
    if (!record.shadow) return "remove";
    record.text = record.shadow.text;
    setTrash(record, record.isInServersTrash);
    record.problem = null;
    return "keep";
}

/**
 * Begins the next action. Returns null if there is none or an action is pending.
 * @param {NoteRecord} record
 * @param {string} id
 * @returns {Action | null}
 */
export function beginAction(record, id) {
    const kind = nextAction(record);
    if (!kind) return null;
    const moves = kind === "move" ? record.move : null;
    record.action = { id, kind, text: record.text, after: moves?.after ?? null, moveNumber: moves?.number ?? null };
    return record.action;
}

/**
 * @param {NoteRecord} record
 * @param {boolean} isTrash
 */
function setTrash(record, isTrash) {
    if (isTrash !== isInTrash(record)) record.place = isTrash ? "trash" : "list";
}

/**
 * Returns true if the note may leave the list here because the server no longer lists it.
 * @param {NoteRecord} record
 */
export const mayLeaveList = (record) =>
    isClean(record) && !record.action && !isInTrash(record) && record.problem === null;

/**
 * Forgets the received revisions, so that the next state of the server is accepted whatever its revision.
 * @param {NoteRecord} record
 * @param {string | null} [lineage] the server's current lineage; an older state of a text with this lineage stays stale
 */
export function forgetHistory(record, lineage = null) {
    const known = record.shadow?.cursor;
    record.lastReceived = known && known.lineage === lineage ? known.revision : 0;
    record.waiting = null;
    if (record.move && record.move.acknowledged !== null) record.move = null;
}

/** Moves a note that the server no longer lists to the trash. @param {NoteRecord} record */
export function leaveList(record) {
    moveToTrash(record);
    record.isInServersTrash = true;
}

/** Retains a note that the server no longer lists, so that it is sent again. @param {NoteRecord} record */
export function stayInList(record) {
    record.shadow = null;
    record.isInServersTrash = false;
    record.position = null;
    forgetHistory(record);
}
