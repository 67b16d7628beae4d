/** The user's actions on the notes of this device. A change is on disk when its promise resolves. */

import { isTag, maxTagLength, maxTags } from "../../shared/formats.js";
import * as records from "./record.js";
import { empty, hasSameTitleAndBody, mergedText, sortedTags } from "./text.js";

/** @import { NoteRecord } from "./record.js" */
/** @import { NotesStore } from "./store.js" */
/** @import { Merge, Text } from "./text.js" */

/** @typedef {Pick<NoteRecord, "id" | "position" | "createdAt" | "move">} Placed the data for sorting notes */

/** The note is missing on this device or was removed for good. */
export class NoSuchNote extends Error {}

/** A text that every server refuses: it contains U+0000 or an unpaired surrogate, an invalid tag or too many tags. */
export class UnfitText extends Error {}

/** The number of notes changed in one transaction. */
const maxAtOnce = 100;

export class Notes {
    #store;
    #now;
    #identifier;
    #merge;
    #announce;

    /**
     * @param {object} parts
     * @param {NotesStore} parts.store
     * @param {() => number} parts.now returns milliseconds since 1970
     * @param {() => string} parts.identifier makes the ids of notes
     * @param {Merge} parts.merge
     * @param {(ids: Set<string>) => void} parts.announce receives the ids of the changed notes
     */
    constructor({ store, now, identifier, merge, announce }) {
        this.#store = store;
        this.#now = now;
        this.#identifier = identifier;
        this.#merge = merge;
        this.#announce = announce;
    }

    /** Returns the notes of the list and of the trash, unordered. */
    async all() {
        return (await this.#store.read((view) => view.notes())).filter(shown);
    }

    /** Returns a note of the list or the trash, or null. @param {string} id */
    async note(id) {
        return shown(await this.#store.read((view) => view.note(id)));
    }

    /** Creates a note at the end of the list. @param {Partial<Text>} text */
    async create(text) {
        const record = this.#newRecord(text);
        if (hasSameTitleAndBody(record.text, empty)) record.isUnwritten = true;
        await this.#store.write((view) => view.save(record));
        this.#announce(new Set([record.id]));
        return record;
    }

    /**
     * Creates the notes of an import, some of them in the trash. Skips a note whose id already exists here.
     * @param {(Partial<Text> & { id?: string, createdAt?: number, updatedAt?: number, trashed?: boolean })[]} texts
     */
    async createAll(texts) {
        const all = texts.map(({ trashed, ...text }, index) => {
            const record = { ...this.#newRecord(text), imported: index };
            if (trashed) records.moveToTrash(record);
            return record;
        });
        let made = 0;
        for (let index = 0; index < all.length; index += maxAtOnce) {
            const saved = await this.#store.write(async (view) => {
                /** @type {Set<string>} */
                const ids = new Set();
                for (const record of all.slice(index, index + maxAtOnce)) {
                    if (await view.note(record.id)) continue;
                    await view.save(record);
                    ids.add(record.id);
                }
                return ids;
            });
            made += saved.size;
            this.#announce(saved);
        }
        return { made };
    }

    /**
     * @param {Partial<Text> & { id?: string, createdAt?: number, updatedAt?: number }} text
     * @returns {NoteRecord}
     */
    #newRecord({ id = this.#identifier(), createdAt = this.#now(), updatedAt = createdAt, ...text }) {
        return records.newRecord(id, fit(text), { createdAt, updatedAt });
    }

    /**
     * Changes a note. A change that arrived since the note was read is merged with the edit.
     * @param {string} id
     * @param {Text} read the text when the user began to edit
     * @param {Text} text
     */
    edit(id, read, text) {
        const fitting = fit(text, read.tags);
        return this.#change(id, (record) =>
            records.edit(record, mergedText(read, record.text, fitting, this.#merge), this.#now()),
        );
    }

    /**
     * Moves a note behind another note, or to the first place if `after` is null. A note in the trash does not move.
     * @param {string} id
     * @param {string | null} after
     */
    move(id, after) {
        return this.#change(id, async (record, view) => {
            if (after !== null && (after === id || !shown(await view.note(after)))) throw new NoSuchNote(after);
            records.move(record, after, await view.next("move"));
        });
    }

    /**
     * Puts a note into the trash. An edit from another device that this device has not seen restores the note.
     * @param {string} id
     */
    moveToTrash(id) {
        return this.#change(id, records.moveToTrash);
    }

    /** @param {string} id */
    takeOutOfTrash(id) {
        return this.#change(id, records.takeOutOfTrash);
    }

    /**
     * Adds tags to notes and removes others.
     * @param {string[]} ids
     * @param {{ add?: string[], remove?: string[] }} tags
     */
    retag(ids, { add = [], remove = [] }) {
        return this.#changeAll(ids, (record) => {
            const kept = record.text.tags.filter((tag) => !remove.includes(tag));
            records.edit(record, fit({ ...record.text, tags: [...kept, ...add] }), this.#now());
        });
    }

    /**
     * @param {string[]} ids
     * @param {boolean} pinned
     */
    pin(ids, pinned) {
        return this.#changeAll(ids, (record) => records.edit(record, { ...record.text, pinned }, this.#now()));
    }

    /** @param {string[]} ids */
    moveAllToTrash(ids) {
        return this.#changeAll(ids, (record) => (record.isUnwritten ? "remove" : records.moveToTrash(record)));
    }

    /** Removes a new note from this device if nobody has written into it. @param {string} id */
    removeUnwritten(id) {
        return this.#changeAll([id], (record) => record.isUnwritten && "remove");
    }

    /** @param {string[]} ids */
    takeAllOut(ids) {
        return this.#changeAll(ids, records.takeOutOfTrash);
    }

    /** Removes notes for good, on every device. @param {string[]} ids */
    removeAllForGood(ids) {
        return this.#changeAll(ids, records.removeForGood);
    }

    /**
     * Discards a change that the server refuses: the note returns to the server's state, or disappears without one.
     * @param {string} id
     */
    discardChange(id) {
        return this.#change(id, records.discardChange);
    }

    /** Replaces a note that the server refuses by a new note with the same text. @param {string} id */
    async keepAsNew(id) {
        const made = await this.#store.write(async (view) => {
            const old = shown(await view.note(id));
            if (!old) throw new NoSuchNote(id);
            const times = { createdAt: old.createdAt, updatedAt: this.#now() };
            const record = records.newRecord(this.#identifier(), old.text, times);
            const isKept = old.problem?.type === records.gone && records.forget(old) === "keep";
            await (isKept ? view.save(old) : view.remove(id));
            await view.save(record);
            return record;
        });
        this.#announce(new Set([id, made.id]));
        return made;
    }

    /**
     * Changes several notes; skips ids that are missing here.
     * @param {string[]} ids
     * @param {(record: NoteRecord) => unknown} change returns "remove" to delete the record
     */
    async #changeAll(ids, change) {
        for (let index = 0; index < ids.length; index += maxAtOnce) {
            const batch = [...new Set(ids.slice(index, index + maxAtOnce))];
            const changed = await this.#store.write(async (view) => {
                const found = (await view.existingNotes(batch)).filter(shown);
                await Promise.all(
                    found.map((record) => (change(record) === "remove" ? view.remove(record.id) : view.save(record))),
                );
                return found.map(({ id }) => id);
            });
            this.#announce(new Set(changed));
        }
    }

    /**
     * @param {string} id
     * @param {(record: NoteRecord, view: import("./view.js").View) => unknown} change returns "remove" to delete
     */
    async #change(id, change) {
        const changed = await this.#store.write(async (view) => {
            const record = shown(await view.note(id));
            if (!record) throw new NoSuchNote(id);
            if ((await change(record, view)) === "remove") await view.remove(id);
            else await view.save(record);
            return record;
        });
        this.#announce(new Set([id]));
        return changed;
    }
}

/** @param {NoteRecord | null} record */
const shown = (record) => (record && record.place !== "removed" ? record : null);

/**
 * Returns a complete, validated text with sorted tags.
 * @param {Partial<Text>} text
 * @param {string[]} known tags that the note already had; an invalid one among them came from the server and must not
 *     block an edit
 * @returns {Text}
 * @throws {UnfitText}
 */
function fit(text, known = []) {
    const { title, body, tags, pinned } = { ...empty, ...text };
    for (const part of [title, body]) {
        if (part.includes("\0") || !part.isWellFormed()) throw new UnfitText("a note is text without U+0000");
    }
    const added = tags.filter((tag) => !known.includes(tag));
    if (!added.every(isTag)) {
        throw new UnfitText(`a tag has 1 to ${maxTagLength} characters, and no control characters among them`);
    }
    const sorted = sortedTags(tags);
    if (added.length > 0 && sorted.length > maxTags) throw new UnfitText(`a note has at most ${maxTags} tags`);
    return { title, body, tags: sorted, pinned };
}

/**
 * Compares the places of two notes: by the bytes of the server's position, then, without a position, by age.
 * @param {Placed} one
 * @param {Placed} other
 */
export function byPosition(one, other) {
    if (one.position !== other.position) {
        if (one.position === null) return 1;
        if (other.position === null) return -1;
        return one.position < other.position ? -1 : 1;
    }
    return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

/**
 * Applies the moves that the server's list lacks to notes in the order of that list.
 * @template {Placed} Note
 * @param {Note[]} notes
 */
export function withPendingMoves(notes) {
    const list = [...notes];
    const moved = notes.flatMap(({ id, move }) => (move ? [{ id, move }] : []));
    for (const { id, move } of moved.sort((one, other) => one.move.number - other.move.number)) {
        const from = list.findIndex((record) => record.id === id);
        const behind = list.findIndex((record) => record.id === move.after);
        if (move.after !== null && behind < 0) continue;
        const [note] = list.splice(from, 1);
        // // Without the note itself, the target may have shifted by one.
        list.splice(move.after === null ? 0 : behind + (from < behind ? 0 : 1), 0, note);
    }
    return list;
}
