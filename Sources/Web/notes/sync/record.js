/**
 * Everything that is known of one note: its text here, the server's, and what lies between them.
 *
 * The same state machine as `NoteRecord` of the library AlmanacNotes; `record-vectors.json` in its tests says what both
 * do. A record is a plain value, so that IndexedDB keeps it as it is. What a user does is here, what became of an
 * action and what others have changed in received.js: functions that change it; nothing in them reads or writes
 * anything else.
 */

import { empty, hasSameWords, isSame } from "./text.js";

/** @import { Text } from "./text.js" */

/** @typedef {{ revision: number, lineage: string }} Cursor */
/** @typedef {{ type: string, detail: string }} Problem the last part of its type, and the server's words for people */

/** @typedef {"create" | "update" | "spelledUpdate" | "delete" | "restore" | "move" | "purge"} ActionKind */

/**
 * An action of ours, with what it needs to be sent again: the text when it was sent, and for a move the note that it goes
 * behind (null for the first place), with the number of the wish.
 * @typedef {{ id: string, kind: ActionKind, text: Text, after: string | null, moveNumber: number | null }} Action
 */

/**
 * A state of the note on the server that others have made; without a text it is in the trash, or gone.
 * @typedef {{ cursor: Cursor, text: Text | null, position: string | null }} Change
 */

/**
 * A place in the list that the server's list does not have yet. Later ones have higher numbers; `acknowledged` is the
 * revision of the move, once the server has it.
 * @typedef {{ number: number, after: string | null, acknowledged: number | null }} Move
 */

/**
 * @typedef {object} NoteRecord
 * @property {string} id
 * @property {Text} text
 * @property {"list" | "trash" | "removed"} place where its user sees it; "removed": taken out of the trash for good, and
 *     here until the server has removed it too
 * @property {string | null} position its place in the server's list; null before the server has given it one
 * @property {number} createdAt in milliseconds since 1970
 * @property {number} updatedAt
 * @property {number} [imported] its place among the notes that it was imported with, in whose order they are sent; its
 *     times come from elsewhere, and not from this device's clock, so the server is told them
 * @property {{ text: Text, cursor: Cursor } | null} shadow the last text known to be the server's; null before the server
 *     knows the note
 * @property {boolean} isInServersTrash
 * @property {number} lastReceived the revision of the last change that came from the server; it may have had no text
 * @property {Action | null} action the one that was sent, or is about to be, and has no result yet
 * @property {Change | null} waiting what others have changed while the action was pending
 * @property {Move | null} move
 * @property {Problem | null} problem why the server refused the last action
 * @property {boolean} spellsBase the server could not find the base of an update, so the next one spells it out
 */

/**
 * The outcome of an action: the state of the note on the server after it, whose text is null where it is what was sent, or
 * why it was refused.
 * @typedef {{ kind: "accepted", cursor: Cursor, text: Text | null, isInTrash: boolean, isPurged: boolean }
 *     | { kind: "rejected", problem: Problem }} Outcome
 */

/** @typedef {"keep" | "remove"} Disposition whether anything of a record is worth keeping */

/** The server knows no such note, or has removed it for good. */
export const gone = "note-gone";

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

/**
 * Its user sees it in the list no more.
 * @param {NoteRecord} record
 */
export const isInTrash = (record) => record.place !== "list";

/**
 * Whether the text here is the server's.
 * @param {NoteRecord} record
 */
export const isClean = ({ shadow, text }) => shadow !== null && isSame(shadow.text, text);

/**
 * Whether its title or body is not what the server has.
 * @param {NoteRecord} record
 */
export const hasUnsentWords = ({ shadow, text }) => shadow === null || !hasSameWords(shadow.text, text);

/**
 * The action to send next; null when there is none, or not before the pending action has its result.
 * @param {NoteRecord} record
 * @returns {ActionKind | null}
 */
export function nextAction(record) {
    if (record.action || record.problem) return null;
    const { shadow } = record;
    // A note that was deleted before it was ever sent goes to the server's trash, as any other.
    if (!shadow) return isInTrash(record) && isSame(record.text, empty) ? null : "create";
    // With its base, a deletion gives way to an edit that was not seen here; removing for good does not.
    if (record.place === "removed") return record.isInServersTrash ? "purge" : "delete";
    // Unsent text goes first even when the note was deleted: the trash is to hold all of it. Words take the note out of
    // the server's trash, tags and the pin do not.
    const isToBeRestored = record.isInServersTrash && !isInTrash(record);
    if (isToBeRestored && !hasUnsentWords(record)) return "restore";
    if (!isSame(shadow.text, record.text)) return record.spellsBase ? "spelledUpdate" : "update";
    if (isInTrash(record) && !record.isInServersTrash) return "delete";
    return record.move && record.move.acknowledged === null && !isInTrash(record) ? "move" : null;
}

/**
 * Whether something of it has to be sent yet, or has no result.
 * @param {NoteRecord} record
 */
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
 * Changes the text; an edit of its words takes the note out of the trash, and one that was refused is sent again.
 * @param {NoteRecord} record
 * @param {Text} text
 * @param {number} time
 */
export function edit(record, text, time) {
    if (isSame(text, record.text)) return;
    if (!hasSameWords(text, record.text)) record.place = "list";
    record.text = text;
    record.updatedAt = Math.max(time, record.createdAt);
    record.problem = null;
}

/** @param {NoteRecord} record */
export function moveToTrash(record) {
    if (!isInTrash(record)) record.place = "trash";
    record.move = null;
}

/**
 * Takes it out of the trash for good; it is kept where the server knows the note, or is about to.
 * @param {NoteRecord} record
 * @returns {Disposition}
 */
export function removeForGood(record) {
    record.place = "removed";
    record.problem = null;
    return record.shadow || record.action ? "keep" : "remove";
}

/** @param {NoteRecord} record */
export function takeOutOfTrash(record) {
    record.place = "list";
    record.problem = null;
}

/**
 * Moves it behind another note, or with null to the first place; in the trash there are no places.
 * @param {NoteRecord} record
 * @param {string | null} after
 * @param {number} number
 */
export function move(record, after, number) {
    if (!isInTrash(record)) record.move = { number, after, acknowledged: null };
}

/**
 * Lets go of a change that the server refused; "remove" when the server has no such note either.
 * @param {NoteRecord} record
 * @returns {Disposition}
 */
export function discardChange(record) {
    if (!record.problem) return "keep";
    if (!record.shadow || record.problem.type === gone) return "remove";
    record.text = record.shadow.text;
    setTrash(record, record.isInServersTrash);
    record.problem = null;
    return "keep";
}

/**
 * Begins the next action; null when nothing has to be sent, or not yet.
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
 * Whether a server that does not list it any more may take it out of the list here.
 * @param {NoteRecord} record
 */
export const mayLeaveList = (record) =>
    isClean(record) && !record.action && !isInTrash(record) && record.problem === null;

/**
 * Forgets which revisions were received, so that the server's state is taken whatever its revision.
 * @param {NoteRecord} record
 * @param {string | null} [lineage] of a history that the text may be known of already: an older state of that is still
 *     no news
 */
export function forgetHistory(record, lineage = null) {
    const known = record.shadow?.cursor;
    record.lastReceived = known && known.lineage === lineage ? known.revision : 0;
    record.waiting = null;
    if (record.move && record.move.acknowledged !== null) record.move = null;
}

/**
 * The server does not list it any more, and neither does its user.
 * @param {NoteRecord} record
 */
export function leaveList(record) {
    moveToTrash(record);
    record.isInServersTrash = true;
}

/**
 * The server does not list it any more, and its user wants it there.
 * @param {NoteRecord} record
 */
export function stayInList(record) {
    record.shadow = null;
    record.isInServersTrash = false;
    record.position = null;
    forgetHistory(record);
}
