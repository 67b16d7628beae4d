/** Parts of the tests of import and export. */

/** @import { PortableFile, PortableNote } from "../../../Sources/Web/notes/move/portable-notes.js" */
/** @import { NoteRecord } from "../../../Sources/Web/notes/sync/record.js" */

/**
 * Returns the files of a folder.
 * @param {URL} place
 * @param {string} [base]
 * @returns {PortableFile[]}
 */
export function tree(place, base = "") {
    const entries = [...Deno.readDirSync(place)].sort((one, other) => (one.name < other.name ? -1 : 1));
    return entries.flatMap(({ name, isDirectory }) => {
        const url = new URL(`${encodeURIComponent(name)}${isDirectory ? "/" : ""}`, place);
        return isDirectory ? tree(url, `${base}${name}/`) : [{ path: base + name, bytes: Deno.readFileSync(url) }];
    });
}

/**
 * @param {PortableNote} note
 * @returns {NoteRecord}
 */
export const record = ({ id, title, body, tags, pinned, trashed, createdAt, updatedAt }, index = 0) =>
    /** @type {any} */ ({
        position: String(index).padStart(5, "0"),
        move: null,
        id,
        text: { title, body, tags, pinned },
        place: trashed ? "trash" : "list",
        createdAt,
        updatedAt,
    });

/** Returns an account's notes. @param {PortableNote[]} notes */
export const known = (notes) => new Map(notes.map((note) => [note.id, record(note)]));

/** @param {{ note: PortableNote }[]} found */
export const only = (found) => found.map(({ note }) => note);
