/** Validates a page of notes from the server. */

import { isNoteID } from "../../shared/formats.js";
import { noteText, cursor as readCursor, UnexpectedAnswer } from "./wire.js";

/** @import { Cursor } from "./record.js" */
/** @import { Text } from "./text.js" */

/**
 * @typedef {object} Page
 * @property {Cursor} cursor
 * @property {{ id: string, text: Text, revision: number, position: string | null, createdAt: number,
 *     updatedAt: number }[]} notes
 * @property {string[]} deleted
 * @property {{ id: string, revision: number }[]} manifest
 * @property {boolean} more
 * @property {string | null} next
 */

/**
 * Returns the validated page. Throws `UnexpectedAnswer` if a server of this kind cannot have sent it.
 * @param {any} page
 * @returns {Page}
 */
export function checkedPage(page) {
    const cursor = readCursor(page?.cursor);
    if (!cursor) throw new UnexpectedAnswer("the notes have no cursor");
    const [order, deleted, manifest] = [page.order ?? [], page.deleted ?? [], page.manifest ?? []];
    if (![order, deleted, manifest].every(Array.isArray))
        throw new UnexpectedAnswer("order, deleted and manifest must be arrays");
    const ids = [...order, ...deleted, ...manifest.map((/** @type {any} */ each) => each?.id)];
    if (!ids.every((id) => typeof id === "string" && isNoteID(id))) {
        throw new UnexpectedAnswer("a note has an invalid id");
    }
    if (!manifest.every((/** @type {any} */ each) => isRevision(each.revision))) {
        throw new UnexpectedAnswer("a note has no revision");
    }
    const next = typeof page.next === "string" ? page.next : null;
    if (page.more === true && next === null) throw new UnexpectedAnswer("more is true, but next is missing");
    const notes = order.map((/** @type {string} */ id) => checkedNote(id, page.details?.[id]));
    return { cursor, notes, deleted, manifest, more: page.more === true, next };
}

/**
 * @param {string} id
 * @param {any} note
 */
function checkedNote(id, note) {
    const { revision } = note ?? {};
    if (!isRevision(revision)) throw new UnexpectedAnswer("a note has no revision");
    const time = (/** @type {unknown} */ text) => (typeof text === "string" ? Date.parse(text) || 0 : 0);
    const createdAt = time(note.created_at);
    const position = typeof note.position === "string" ? note.position : null;
    // A server older than the time of the last edit omits it.
    const updatedAt = time(note.edited_at ?? note.updated_at) || createdAt;
    return { id, text: noteText(note), revision, position, createdAt, updatedAt };
}

/** @param {unknown} value */
const isRevision = (value) => Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
