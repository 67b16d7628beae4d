/** What its user does with the notes of this device. Each change is on the disk when its promise is kept. */

import { isTag, longestTag, mostTags } from "../../shared/forms.js";
import * as records from "./record.js";
import { empty, mergedText, sortedTags } from "./text.js";

/** @import { NoteRecord } from "./record.js" */
/** @import { NotesStore } from "./store.js" */
/** @import { Merge, Text } from "./text.js" */

/** @typedef {Pick<NoteRecord, "id" | "position" | "createdAt" | "move">} Placed what says where a note stands */

/** The note is not here, or has been removed for good. */
export class NoSuchNote extends Error {}

/** A text that no server takes: with U+0000 or half of a character in it, or with tags that are none, or too many. */
export class UnfitText extends Error {}

/** So many notes are made in one transaction. */
const mostAtOnce = 100;

export class Notes {
    #store;
    #now;
    #identifier;
    #merge;
    #announce;

    /**
     * @param {object} parts
     * @param {NotesStore} parts.store
     * @param {() => number} parts.now milliseconds since 1970
     * @param {() => string} parts.identifier makes the ids of notes
     * @param {Merge} parts.merge
     * @param {(ids: Set<string>) => void} parts.announce is told which notes have changed
     */
    constructor({ store, now, identifier, merge, announce }) {
        this.#store = store;
        this.#now = now;
        this.#identifier = identifier;
        this.#merge = merge;
        this.#announce = announce;
    }

    /** The notes of the list and of the trash, in no order. */
    async all() {
        return (await this.#store.read((view) => view.notes())).filter(shown);
    }

    /**
     * A note of the list or the trash.
     * @param {string} id
     */
    async note(id) {
        return shown(await this.#store.read((view) => view.note(id)));
    }

    /**
     * Makes a note at the end of the list.
     * @param {Partial<Text>} text
     */
    async create(text) {
        const record = this.#made(text);
        await this.#store.write((view) => view.save(record));
        this.#announce(new Set([record.id]));
        return record;
    }

    /**
     * Makes the notes of an import, some of them in the trash; one whose id a note here has already is left out.
     * @param {(Partial<Text> & { id?: string, createdAt?: number, updatedAt?: number, trashed?: boolean })[]} texts
     */
    async createAll(texts) {
        const all = texts.map(({ trashed, ...text }, index) => {
            const record = { ...this.#made(text), imported: index };
            if (trashed) records.moveToTrash(record);
            return record;
        });
        let made = 0;
        for (let index = 0; index < all.length; index += mostAtOnce) {
            const saved = await this.#store.write(async (view) => {
                /** @type {Set<string>} */
                const ids = new Set();
                for (const record of all.slice(index, index + mostAtOnce)) {
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
    #made({ id = this.#identifier(), createdAt = this.#now(), updatedAt = createdAt, ...text }) {
        return records.newRecord(id, fit(text), { createdAt, updatedAt });
    }

    /**
     * Gives a note new texts. What came in since it was read is merged with the change.
     * @param {string} id
     * @param {Text} read as it was when its user began to change it
     * @param {Text} text
     */
    edit(id, read, text) {
        const fitting = fit(text, read.tags);
        return this.#change(id, (record) =>
            records.edit(record, mergedText(read, record.text, fitting, this.#merge), this.#now()),
        );
    }

    /**
     * Moves a note behind another one, or with null to the first place. One in the trash stays as it is.
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
     * Puts a note into the trash. An edit from elsewhere that was not seen here takes it out again.
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
     * Gives notes some tags and takes others away.
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
        return this.#changeAll(ids, records.moveToTrash);
    }

    /** @param {string[]} ids */
    takeAllOut(ids) {
        return this.#changeAll(ids, records.takeOutOfTrash);
    }

    /**
     * Removes notes for good, here and everywhere.
     * @param {string[]} ids
     */
    removeAllForGood(ids) {
        return this.#changeAll(ids, records.removeForGood);
    }

    /**
     * Lets go of a change that the server refuses: the note is again what the server has, or gone if that has none.
     * @param {string} id
     */
    discardChange(id) {
        return this.#change(id, records.discardChange);
    }

    /**
     * Makes a new note of one that the server refuses, with its text, and lets go of the old one.
     * @param {string} id
     */
    async keepAsNew(id) {
        const made = await this.#store.write(async (view) => {
            const old = shown(await view.note(id));
            if (!old) throw new NoSuchNote(id);
            const times = { createdAt: old.createdAt, updatedAt: this.#now() };
            const record = records.newRecord(this.#identifier(), old.text, times);
            await view.remove(id);
            await view.save(record);
            return record;
        });
        this.#announce(new Set([id, made.id]));
        return made;
    }

    /**
     * Changes several notes, but those that are not here.
     * @param {string[]} ids
     * @param {(record: NoteRecord) => unknown} change "remove": nothing of it is kept
     */
    async #changeAll(ids, change) {
        for (let index = 0; index < ids.length; index += mostAtOnce) {
            const some = [...new Set(ids.slice(index, index + mostAtOnce))];
            const changed = await this.#store.write(async (view) => {
                const found = (await view.some(some)).filter(shown);
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
     * @param {(record: NoteRecord, view: import("./view.js").View) => unknown} change "remove": nothing of it is kept
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
 * A text as it is kept.
 * @param {Partial<Text>} text
 * @param {string[]} known tags that it had before: they came from the server, or were merged, and don't keep anybody
 *     from writing
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
        throw new UnfitText(`a tag has 1 to ${longestTag} characters, and no control characters among them`);
    }
    const sorted = sortedTags(tags);
    if (added.length > 0 && sorted.length > mostTags) throw new UnfitText(`a note has at most ${mostTags} tags`);
    return { title, body, tags: sorted, pinned };
}

/**
 * In the order of the server's list, which sorts byte by byte; what it has no place for comes last, the oldest first.
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
 * Notes in the order of the server's list, put into the order with the moves that the list does not have yet.
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
        // Without the note itself, what it goes behind may stand one place before.
        list.splice(move.after === null ? 0 : behind + (from < behind ? 0 : 1), 0, note);
    }
    return list;
}
