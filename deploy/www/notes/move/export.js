/** What goes out: all notes of an account, in one of three forms. */
import { writeJoplin, writeMarkdown } from "./joplin.js";
import { writeSimplenote } from "./simplenote.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { MovedFile, MovedNote } from "./notes.js" */

/** @typedef {"markdown" | "simplenote" | "joplin"} ExportForm */

/** @type {Record<ExportForm, (notes: MovedNote[]) => MovedFile[]>} */
const writers = { markdown: writeMarkdown, simplenote: writeSimplenote, joplin: writeJoplin };

/**
 * The files of an export.
 * @param {NoteRecord[]} records
 * @param {ExportForm} form
 */
export const exported = (records, form) => writers[form](records.map(moved));

/**
 * @param {NoteRecord} record
 * @returns {MovedNote}
 */
const moved = ({ id, text: { title, body, tags, pinned }, place, createdAt, updatedAt }) => ({
    id,
    title,
    body,
    tags,
    pinned,
    trashed: place !== "list",
    createdAt,
    updatedAt,
});
