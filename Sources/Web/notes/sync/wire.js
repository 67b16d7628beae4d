/** The encoding of actions and the decoding of their results, like `WireAction` and `ActionResults` of AlmanacNotes. */

import { empty, sortedTags } from "./text.js";

/** @import { Action, ActionKind, Cursor, NoteRecord, Outcome } from "./record.js" */
/** @import { Text } from "./text.js" */

/** @typedef {(from: string, to: string) => (number | string)[]} Diff returns the delta from one text to another */

/** @type {Record<ActionKind, string>} */
const names = {
    create: "createNote",
    update: "updateNote",
    spelledUpdate: "updateNote",
    delete: "deleteNote",
    restore: "restoreNote",
    move: "moveNote",
    purge: "purgeNote",
};

/**
 * Encodes a note's pending action, always in the same way: `["updateNote", {"action_id": …, "id": …, …}]`.
 * @param {Action} action
 * @param {NoteRecord} record
 * @param {Diff} diff
 * @returns {[string, Record<string, unknown>]}
 */
export function encodedAction(action, record, diff) {
    const { shadow } = record;
    const base = shadow?.text ?? empty;
    /** @type {Record<string, unknown>} */
    const fields = { action_id: action.id, id: record.id };
    if (shadow && (action.kind === "update" || action.kind === "delete")) fields.base = cursorText(shadow.cursor);
    if (action.kind === "create") {
        const { title, body, tags, pinned } = action.text;
        // A server older than tags accepts a note without them.
        Object.assign(fields, { title, body }, tags.length > 0 && { tags }, pinned && { pinned });
        // Only imported notes have times of their own; a server older than these members refuses them.
        if (record.imported !== undefined) {
            Object.assign(fields, time("created_at", record.createdAt), time("updated_at", record.updatedAt));
        }
    }
    if (action.kind === "move") fields.after = action.after;
    if (action.kind === "update" || action.kind === "spelledUpdate") {
        for (const part of /** @type {const} */ (["title", "body"])) {
            const [from, to] = [base[part], action.text[part]];
            // The server reports others' changes of an omitted part only if it knows the base, so spell out both parts.
            if (action.kind === "spelledUpdate") fields[part] = deltaWithBase(from, diff(from, to));
            else if (from !== to) fields[part] = diff(from, to);
        }
        const { tags, pinned } = action.text;
        const add = tags.filter((tag) => !base.tags.includes(tag));
        const remove = base.tags.filter((tag) => !tags.includes(tag));
        if (add.length + remove.length > 0) fields.tags = { add, remove };
        if (pinned !== base.pinned) fields.pinned = pinned;
    }
    return [names[action.kind], fields];
}

/**
 * Returns a member with a time, or no member if a server cannot read the time.
 * @param {string} name
 * @param {number} milliseconds since 1970
 */
const time = (name, milliseconds) =>
    milliseconds > 0 && milliseconds < lastTime ? { [name]: new Date(milliseconds).toISOString() } : {};

/** The end of the year 9999, in milliseconds since 1970. */
const lastTime = 253402300800000;

/** @param {Cursor} cursor */
export const cursorText = ({ revision, lineage }) => `${revision}.${lineage}`;

/**
 * Parses a cursor with its lineage; returns null for any other value.
 * @param {unknown} text
 * @returns {Cursor | null}
 */
export function cursor(text) {
    const found = typeof text === "string" ? /^(\d{1,15})\.([a-z0-9]{4,24})$/.exec(text) : null;
    return found ? { revision: Number(found[1]), lineage: found[2] } : null;
}

/**
 * Returns a delta that contains its base, even an empty one: `[[0, "kept"], [-1, "gone"], [1, "new"]]`.
 * @param {string} text
 * @param {(number | string)[]} delta
 */
function deltaWithBase(text, delta) {
    let offset = 0;
    if (delta.length === 0) return [[0, ""]];
    return delta.map((part) => {
        if (typeof part === "string") return [1, part];
        const piece = text.slice(offset, offset + Math.abs(part));
        offset += piece.length;
        return [part > 0 ? 0 : -1, piece];
    });
}

/** A response that a server of this kind never sends. */
export class UnexpectedAnswer extends Error {}

/** The server refuses an action for now; the same action is sent again later. */
export class TemporaryRefusal extends Error {
    /**
     * @param {string} problem
     * @param {number} code
     */
    constructor(problem, code) {
        super(problem);
        this.status = code;
    }
}

/**
 * @typedef {{ title?: unknown, body?: unknown, tags?: unknown, pinned?: unknown, revision?: unknown }} WrittenNote
 */

/**
 * @typedef {{ status?: unknown, action_id?: unknown, revision?: unknown, deleted?: unknown, title?: unknown, body?: unknown,
 *     tags?: unknown, pinned?: unknown, note?: (WrittenNote & { deleted_at?: unknown }) | null,
 *     problem?: { type?: unknown, title?: unknown, status?: unknown, detail?: unknown } | null }} Result
 */

/**
 * Returns the revision at which to read the note's text if the results were too long to contain it; otherwise null.
 * @param {Result} result
 */
export function revisionToRead(result) {
    const needsText =
        result.status === "duplicate" ||
        (result.status === "merged" && result.title === undefined && result.body === undefined);
    return needsText && !result.note && typeof result.revision === "number" ? result.revision : null;
}

/**
 * Marks a result for reading if it lacks tags that other results have: it was too long to contain them.
 * @param {Result} result
 * @param {ActionKind} kind
 * @param {Result[]} all the results of the response
 * @returns {Result}
 */
export function withTagsToRead(result, kind, all) {
    const isWritten = kind === "create" || kind === "update" || kind === "spelledUpdate";
    const isLeftOut = result.status === "applied" && result.tags === undefined;
    if (!isWritten || !isLeftOut || all.every((each) => each?.tags === undefined)) return result;
    return { ...result, status: "merged", title: undefined, body: undefined };
}

/**
 * Returns the outcome that a result means for its note.
 * @param {Result} result
 * @param {Action} action
 * @param {string} lineage
 * @returns {Outcome}
 * @throws {UnexpectedAnswer | TemporaryRefusal} the action is then sent again
 */
export function outcome(result, action, lineage) {
    const sent = action.text;
    if (result.status === "rejected") return rejection(result);
    if (!["applied", "merged", "duplicate"].includes(String(result.status))) {
        throw new UnexpectedAnswer("a result has no known status");
    }
    const known = revisionOrNull(result.revision);
    if (action.kind === "purge") return accepted({ revision: known ?? 0, lineage });
    if (revisionToRead(result) !== null) throw new UnexpectedAnswer("the text of a note could not be read");
    const note = result.note ?? null;
    const isPurged = result.status === "duplicate" && !note;
    const revision = revisionOrNull(note?.revision) ?? known ?? (isPurged ? 0 : null);
    if (revision === null) throw new UnexpectedAnswer("a result has no revision");
    const isInTrash = result.deleted === true || (note?.deleted_at ?? null) !== null;
    const place = { revision, lineage };
    if (note) {
        return accepted(place, { text: noteText(note), isInTrash, isPurged });
    }
    const parts = /** @type {const} */ (["title", "body", ...(action.kind === "delete" ? [] : ["tags", "pinned"])]);
    if (parts.some((part) => result[/** @type {keyof WrittenNote} */ (part)] !== undefined)) {
        const changed = (/** @type {"title" | "body"} */ part) =>
            result[part] === undefined ? sent[part] : applied(sent[part], result[part]);
        const { tags = sent.tags, pinned = sent.pinned } = result;
        const text = noteText({ title: changed("title"), body: changed("body"), tags, pinned });
        return accepted(place, { text, isInTrash, isPurged });
    }
    if (result.status === "merged") throw new UnexpectedAnswer("a merged result lacks the text");
    return accepted(place, { text: null, isInTrash, isPurged });
}

/**
 * Returns the text of a note in the server's encoding. A server older than tags omits them.
 * @param {WrittenNote} note
 * @returns {Text}
 * @throws {UnexpectedAnswer} the note cannot be stored
 */
export function noteText({ title, body, tags = [], pinned = false }) {
    const isKept = isText(title) && isText(body) && Array.isArray(tags) && tags.every(isText);
    if (!isKept || typeof pinned !== "boolean") throw new UnexpectedAnswer("a note has an invalid member");
    return { title, body, tags: sortedTags(tags), pinned };
}

/**
 * @param {Cursor} place
 * @param {{ text: Text | null, isInTrash: boolean, isPurged: boolean }} [state]
 * @returns {Outcome}
 */
const accepted = (place, state = { text: null, isInTrash: false, isPurged: false }) => ({
    kind: "accepted",
    cursor: place,
    ...state,
});

/**
 * @param {Result} result
 * @returns {Outcome}
 */
function rejection({ problem }) {
    if (!problem) throw new UnexpectedAnswer("an action was rejected without a reason");
    const type = shortType(problem.type);
    const code = problem.status;
    // The problem concerns the server, not the action, so send the action again.
    if (typeof code === "number" && (code === 429 || code >= 500)) throw new TemporaryRefusal(type, code);
    const detail = problem.detail ?? problem.title ?? "";
    return { kind: "rejected", problem: { type, detail: typeof detail === "string" ? detail : "" } };
}

/** Returns the last part of a problem's type: `note-gone`. @param {unknown} type */
export const shortType = (type) => (typeof type === "string" ? type.replace(/^urn:almanac:problem:/, "") : "unknown");

/** @param {unknown} value */
const revisionOrNull = (value) =>
    Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0 ? Number(value) : null;

/** @type {(value: unknown) => value is string} */
const isText = (value) => typeof value === "string" && value.isWellFormed() && !value.includes("\0");

/**
 * Applies a delta from the server. Refuses a delta that does not cover the whole text or leaves an unpaired surrogate.
 * @param {string} text
 * @param {unknown} delta
 */
export function applied(text, delta) {
    if (!Array.isArray(delta)) throw new UnexpectedAnswer("the merged text is not a valid delta");
    let result = "";
    let offset = 0;
    for (const part of delta) {
        if (isText(part)) {
            result += part;
        } else if (Number.isSafeInteger(part) && part !== 0) {
            const end = offset + Math.abs(part);
            if (part > 0) result += text.slice(offset, end);
            offset = end;
        } else {
            throw new UnexpectedAnswer("the merged text is not a valid delta");
        }
    }
    if (offset !== text.length || !result.isWellFormed()) {
        throw new UnexpectedAnswer("a merge does not fit the text that was sent");
    }
    return result;
}
