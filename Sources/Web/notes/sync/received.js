/** Applies messages of the server to a note's record: outcomes of its actions and changes by other devices. */

import { derivedId, forget, gone, hasUnsentWords, isInTrash, moveToTrash } from "./record.js";
import { empty, hasSameTitleAndBody, isSame, mergedText } from "./text.js";

/** @import { Action, Change, Cursor, Disposition, NoteRecord, Outcome, Problem } from "./record.js" */
/** @import { Merge, Text } from "./text.js" */

/** The problem type of a create action for a note that the server already has. */
const exists = "note-exists";
/** The problem types of an update whose base revision the server does not know or no longer stores. */
const ofBase = new Set(["resync", "revision-not-kept", "delta-mismatch"]);

/**
 * Applies the outcome of the pending action. An outcome of any other action is a stale copy and ignored.
 * @param {NoteRecord} record
 * @param {Outcome} outcome
 * @param {string} id
 * @param {Merge} merge
 * @returns {Disposition}
 */
export function receiveOutcome(record, outcome, id, merge) {
    const { action } = record;
    if (action?.id !== id) return "keep";
    record.action = null;
    if (outcome.kind === "rejected") return reject(record, outcome.problem, action, merge);
    if (action.kind === "purge") return forget(record);
    if (outcome.isPurged)
        return reject(record, { type: gone, detail: "the note was removed permanently" }, action, merge);
    accept(record, outcome, action, merge);
    applyWaiting(record, merge);
    return "keep";
}

/**
 * @param {NoteRecord} record
 * @param {Extract<Outcome, { kind: "accepted" }>} state
 * @param {Action} action
 * @param {Merge} merge
 */
function accept(record, state, action, merge) {
    const adoptState = () =>
        adopt(record, state.text ?? action.text, { ...state, base: action.text, position: null }, merge);
    switch (action.kind) {
        case "create":
        case "update":
        case "spelledUpdate":
            record.spellsBase = false;
            adoptState();
            break;
        case "delete":
            if (state.isInTrash) {
                record.isInServersTrash = true;
                record.lastReceived = Math.max(record.lastReceived, state.cursor.revision);
            } else {
                // An edit that the deleting device had not seen restored the note.
                record.place = "list";
                if (state.text) adoptState();
            }
            break;
        case "restore":
            // The text comes with the next change.
            record.isInServersTrash = state.isInTrash;
            if (state.isInTrash) moveToTrash(record);
            break;
        case "move":
            if ((record.move?.number ?? null) !== action.moveNumber) break;
            if (state.cursor.revision <= record.lastReceived) record.move = null;
            else if (record.move) record.move.acknowledged = state.cursor.revision;
    }
}

/**
 * @param {NoteRecord} record
 * @param {Problem} problem
 * @param {Action} action
 * @param {Merge} merge
 * @returns {Disposition}
 */
function reject(record, problem, action, merge) {
    const isGone = problem.type === gone;
    if (record.place === "removed" && isGone) return forget(record);
    if (record.place === "removed" && !record.shadow && problem.type !== exists) return "remove";
    const { waiting } = record;
    if (action.kind === "move") {
        // The target of the move is gone; the note stays where the server has it.
        if ((record.move?.number ?? null) === action.moveNumber) record.move = null;
    } else if (action.kind === "delete" && isGone) {
        if (isInTrash(record)) return forget(record);
        record.problem = problem;
    } else if (action.kind === "create" && problem.type === exists && waiting?.text) {
        // The result of an earlier copy of the action got lost, and the server already has the note; or another device
        // made the note of the same derived id, whose text has no common base with this one.
        const isOther = derivedId.test(record.id) && !isSame(waiting.text, action.text);
        record.waiting = null;
        adopt(record, waiting.text, { ...waiting, base: isOther ? empty : action.text, isInTrash: false }, merge);
    } else if (action.kind === "update" && ofBase.has(problem.type)) {
        record.spellsBase = true;
    } else if (action.kind === "purge") {
        // The note returns to the trash, where the user may try again.
        record.place = "trash";
    } else {
        if (isGone && isInTrash(record)) return forget(record);
        if (record.place !== "removed") record.problem = problem;
    }
    applyWaiting(record, merge);
    return "keep";
}

/**
 * Applies another device's change. A change that arrives while an action is pending waits for the action's outcome.
 * @param {NoteRecord} record
 * @param {Change} change
 * @param {Merge} merge
 */
export function receiveChange(record, change, merge) {
    const { revision } = change.cursor;
    if (revision < record.lastReceived) return;
    if (!record.action) apply(record, change, merge);
    else if (revision >= (record.waiting?.cursor.revision ?? 0)) record.waiting = change;
}

/**
 * @param {NoteRecord} record
 * @param {Merge} merge
 */
function applyWaiting(record, merge) {
    const { waiting } = record;
    record.waiting = null;
    if (waiting) apply(record, waiting, merge);
}

/**
 * @param {NoteRecord} record
 * @param {Change} change
 * @param {Merge} merge
 */
function apply(record, change, merge) {
    const { revision, lineage } = change.cursor;
    if (revision === record.lastReceived && (record.shadow?.cursor.lineage === lineage || !change.text)) {
        // This device already has the state as the outcome of an action; only the place in the list is new.
        settle(record, change.position, revision);
        return;
    }
    if (revision <= record.lastReceived) return;
    if (change.text) {
        // Another note has the same id because the server never answered its creation, so no common base is known.
        const base = record.shadow?.text ?? (isSame(change.text, record.text) ? change.text : empty);
        adopt(record, change.text, { ...change, base, isInTrash: false }, merge);
        record.problem = null;
    } else {
        record.lastReceived = revision;
        takeServersTrash(record);
    }
}

/**
 * Adopts a text of the server and merges local changes into it.
 * @param {NoteRecord} record
 * @param {Text} server
 * @param {{ cursor: Cursor, base: Text, isInTrash: boolean, position: string | null }} state `base`: the common base of
 *     the server's text and the local text
 * @param {Merge} merge
 */
function adopt(record, server, { cursor, base, isInTrash: isTrash, position }, merge) {
    const merged = mergedText(base, server, record.text, merge);
    const bringsBack = !hasSameTitleAndBody(merged, record.text) || record.isInServersTrash;
    record.text = merged;
    record.shadow = { text: server, cursor };
    record.lastReceived = Math.max(record.lastReceived, cursor.revision);
    if (isTrash) {
        takeServersTrash(record);
    } else {
        record.isInServersTrash = false;
        // An edit that the deleting device had not seen wins.
        if (bringsBack) record.place = "list";
    }
    settle(record, position, cursor.revision);
}

/**
 * Records that the note is in the server's trash. If that was known before, a local restore is deliberate and stays.
 * @param {NoteRecord} record
 */
function takeServersTrash(record) {
    const isNews = !record.isInServersTrash;
    record.isInServersTrash = true;
    if (isNews && !hasUnsentWords(record)) moveToTrash(record);
}

/**
 * @param {NoteRecord} record
 * @param {string | null} position
 * @param {number} revision
 */
function settle(record, position, revision) {
    if (position === null) return;
    record.position = position;
    const acknowledged = record.move?.acknowledged ?? null;
    if (acknowledged !== null && acknowledged <= revision) record.move = null;
}
