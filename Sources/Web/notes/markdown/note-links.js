/** Links between notes, such as `[Title](notes/<id>)`. */
import { isNoteID } from "../../shared/formats.js";

const prefix = "notes/";
/** The characters of a title that may begin Markdown. */
const special = /[\\[\]`*~<&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Returns the id of the note that a link's target names, or null for any other target. @param {string} target */
export function noteOf(target) {
    const id = target.startsWith(prefix) ? target.slice(prefix.length) : "";
    return isNoteID(id) ? id : null;
}

/**
 * Writes a link to a note.
 * @param {string} id
 * @param {string} title
 */
export const noteLink = (id, title) =>
    `[${title.replace(/\s+/g, " ").trim().replace(special, "\\$&")}](${prefix}${id})`;
