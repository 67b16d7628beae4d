/** Exports all notes of an account in one of three formats. */
import { byPosition, withPendingMoves } from "../sync/notes.js";
import { writeJoplin } from "./joplin.js";
import { writeMarkdown } from "./markdown-form.js";
import { writeSimplenote } from "./simplenote.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { PortableFile, PortableNote } from "./portable-notes.js" */

/** @typedef {"markdown" | "simplenote" | "joplin"} ExportForm */

/** @type {Record<ExportForm, (notes: PortableNote[]) => PortableFile[]>} */
const writers = { markdown: writeMarkdown, simplenote: writeSimplenote, joplin: writeJoplin };

/**
 * Returns the files of an export: the list in its order, then the trash, the latest change first.
 * @param {NoteRecord[]} records
 * @param {ExportForm} form
 */
export function exported(records, form) {
    const list = records.filter(({ place }) => place === "list").sort(byPosition);
    const trash = records
        .filter(({ place }) => place === "trash")
        .sort((one, other) => other.updatedAt - one.updatedAt);
    return writers[form]([...withPendingMoves(list), ...trash].map(moved));
}

/**
 * @param {NoteRecord} record
 * @returns {PortableNote}
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
