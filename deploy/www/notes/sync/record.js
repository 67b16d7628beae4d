/**
 * Everything that is known of one note: its text here, the server's, and what lies between them.
 *
 * The same state machine as `NoteRecord` of the library AlmanacNotes; `record.vectors.json` in its tests says what both
 * do. A record is a plain value, so that IndexedDB keeps it as it is. What a user does, what became of an action and what
 * others have changed are functions that change it; nothing here reads or writes anything else.
 */

/** @typedef {{ title: string, body: string }} Text */
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

/** @typedef {(base: string, theirs: string, mine: string) => string} Merge a text with the changes of both */

/** The server knows no such note, or has removed it for good. */
const gone = "note-gone";
/** The server has such a note already. */
const exists = "note-exists";
/** The server does not know, or not any more, the revision that an update was based on. */
const ofBase = new Set(["resync", "revision-not-kept", "delta-mismatch"]);

/** @type {Text} */
const empty = { title: "", body: "" };

/**
 * @param {Text} one
 * @param {Text} other
 */
export const isSame = (one, other) => one.title === other.title && one.body === other.body;

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
    // Unsent text goes first even when the note was deleted: the trash is to hold all of it.
    if (!isSame(shadow.text, record.text)) return record.spellsBase ? "spelledUpdate" : "update";
    if (isInTrash(record) !== record.isInServersTrash) return isInTrash(record) ? "delete" : "restore";
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
 * Changes the text; an edit takes the note out of the trash, and one that was refused is sent again.
 * @param {NoteRecord} record
 * @param {Text} text
 * @param {number} time
 */
export function edit(record, text, time) {
    if (isSame(text, record.text)) return;
    record.text = text;
    record.place = "list";
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
 * Takes the outcome of an action; that of another action than the pending one is an old copy, and ignored.
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
    if (action.kind === "purge") return "remove";
    if (outcome.isPurged) return reject(record, { type: gone, detail: "the note was removed for good" }, action, merge);
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
                // An edit that the deleter had not seen has brought it back.
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
    if (record.place === "removed" && (isGone || (!record.shadow && problem.type !== exists))) return "remove";
    const { waiting } = record;
    if (action.kind === "move") {
        // The place is gone; the note stays where the server has it.
        if ((record.move?.number ?? null) === action.moveNumber) record.move = null;
    } else if (action.kind === "delete" && isGone) {
        if (isInTrash(record)) return "remove";
        record.problem = problem;
    } else if (action.kind === "create" && problem.type === exists && waiting?.text) {
        // The result of an earlier copy got lost, and others have the note already.
        record.waiting = null;
        adopt(record, waiting.text, { ...waiting, base: action.text, isInTrash: false }, merge);
    } else if (action.kind === "update" && ofBase.has(problem.type)) {
        record.spellsBase = true;
    } else if (action.kind === "purge") {
        // Its user sees it again, and may try once more.
        record.place = "trash";
    } else {
        if (isGone && isInTrash(record)) return "remove";
        if (record.place !== "removed") record.problem = problem;
    }
    applyWaiting(record, merge);
    return "keep";
}

/**
 * Takes what others have changed; while an action is pending, that waits.
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
        // The state that this device knows as the outcome of an action, now with its place in the list.
        settle(record, change.position, revision);
        return;
    }
    if (revision <= record.lastReceived) return;
    if (change.text) {
        // A note of the same name whose creation the server never answered: nothing is known to be common.
        const base = record.shadow?.text ?? (isSame(change.text, record.text) ? change.text : empty);
        adopt(record, change.text, { ...change, base, isInTrash: false }, merge);
        record.problem = null;
    } else {
        record.lastReceived = revision;
        record.isInServersTrash = true;
        if (isClean(record)) moveToTrash(record);
    }
}

/**
 * Takes a text of the server's, and puts what was written here on top of it.
 * @param {NoteRecord} record
 * @param {Text} server
 * @param {{ cursor: Cursor, base: Text, isInTrash: boolean, position: string | null }} state `base`: what the server's text
 *     and the one here were both made from
 * @param {Merge} merge
 */
function adopt(record, server, { cursor, base, isInTrash: isTrash, position }, merge) {
    const merged = mergedText(base, server, record.text, merge);
    const bringsBack = !isSame(merged, record.text) || record.isInServersTrash;
    record.text = merged;
    record.shadow = { text: server, cursor };
    record.lastReceived = Math.max(record.lastReceived, cursor.revision);
    record.isInServersTrash = isTrash;
    if (isTrash) {
        if (isClean(record)) moveToTrash(record);
    } else if (bringsBack) {
        // An edit that the deleter had not seen wins.
        record.place = "list";
    }
    settle(record, position, cursor.revision);
}

/**
 * @param {Text} base
 * @param {Text} theirs
 * @param {Text} mine
 * @param {Merge} merge
 * @returns {Text}
 */
export function mergedText(base, theirs, mine, merge) {
    const merged = (/** @type {"title" | "body"} */ part) => {
        if (base[part] === mine[part]) return theirs[part];
        if (base[part] === theirs[part]) return mine[part];
        return merge(base[part], theirs[part], mine[part]);
    };
    return { title: merged("title"), body: merged("body") };
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
 */
export function forgetHistory(record) {
    record.lastReceived = 0;
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
