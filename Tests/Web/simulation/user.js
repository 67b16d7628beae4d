/** A simulated user who changes notes at random, and logs each change before it happens. */

import { wholeText } from "./write-log.js";
import { anyOf, deleted, inserted, newText, rewritten } from "./writer.js";

/** @import { NoteRecord } from "../../../Sources/Web/notes/sync/record.js" */
/** @import { Text } from "../../../Sources/Web/notes/sync/text.js" */
/** @import { TagLog, WordLog } from "./write-log.js" */

/**
 * The notes of a device, through any interface.
 * @typedef {object} Notes
 * @property {() => Promise<NoteRecord[]>} all the notes in the list and in the trash
 * @property {(text: Partial<Text>) => Promise<unknown>} create
 * @property {(id: string, read: Text, text: Text) => Promise<unknown>} edit
 * @property {(id: string, after: string | null) => Promise<unknown>} move
 * @property {(id: string) => Promise<NoteRecord>} moveToTrash
 * @property {(id: string) => Promise<unknown>} takeOutOfTrash
 */

/**
 * @typedef {object} SimulatedUser
 * @property {WordLog} log
 * @property {TagLog} tags
 * @property {(below: number) => number} random
 * @property {number} lines the number of lines in a new note
 */

/**
 * Decides on a change to the present notes.
 * @param {Notes} notes
 * @param {SimulatedUser} user
 * @returns {Promise<() => Promise<unknown>>} performs the change
 */
export async function decideChange(notes, { log, tags, random, lines }) {
    const all = await notes.all();
    const [list, trash] = ["list", "trash"].map((wanted) => all.filter(({ place }) => place === wanted));
    const create = (/** @type {Partial<Text>} */ text) => () => notes.create(text);
    if (list.length === 0) return create({ body: newText(lines, log, random) });
    const { id, text } = anyOf(list, random);
    const write = (/** @type {string} */ body) => () => notes.edit(id, text, { ...text, body });
    const what = random(30);
    if (what === 0) return create({ title: "new", body: newText(lines, log, random) });
    if (what === 1) {
        // A user who is killed during the deletion has seen at least this text.
        log.deleteNote(id, wholeText(text));
        return async () => log.deleteNote(id, wholeText((await notes.moveToTrash(id)).text));
    }
    if (what === 2) return async () => trash.length > 0 && notes.takeOutOfTrash(anyOf(trash, random).id);
    if (what < 5) {
        const others = list.filter((other) => other.id !== id);
        return () => notes.move(id, others.length === 0 ? null : anyOf(others, random).id);
    }
    if (what < 9) return write(deleted(text.body, log, random));
    if (what < 12) return write(rewritten(text.body, log, random));
    if (what < 24) return write(inserted(text.body, log, random));
    if (what < 28) {
        // A change of tags does not restore a note from the trash.
        const note = random(4) === 0 && trash.length > 0 ? anyOf(trash, random) : { id, text };
        const changed = tagged(note, tags, random);
        return () => notes.edit(note.id, note.text, { ...note.text, tags: changed });
    }
    tags.pin(id, !text.pinned);
    return () => notes.edit(id, text, { ...text, pinned: !text.pinned });
}

/**
 * Returns the tags of a note with one added or removed.
 * @param {{ id: string, text: Text }} note
 * @param {TagLog} tags
 * @param {(below: number) => number} random
 */
function tagged({ id, text }, tags, random) {
    if (text.tags.length > 0 && random(2) === 0) {
        const tag = anyOf(text.tags, random);
        tags.remove(tag, id);
        return text.tags.filter((each) => each !== tag);
    }
    return [...text.tags, tags.newTag(id)];
}
