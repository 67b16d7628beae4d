/** Notes whose text may not be on this device's disk: those being closed, and those that the disk has refused. */

/** @import { OpenNote } from "./note.js" */

/** Event: `changed` when others are refused than before. */
export class Unsaved extends EventTarget {
    /** By their ids. @type {Map<string, OpenNote>} */
    #notes = new Map();
    #said = "";

    /** Those with text that stands in this tab alone, since the disk has refused it. */
    get refused() {
        return [...this.#notes.values()].filter(({ keeping }) => keeping.isRefused);
    }

    /** @param {string} id */
    find(id) {
        return this.#notes.get(id);
    }

    /** @param {OpenNote} note */
    add(note) {
        this.#notes.set(note.id, note);
        this.#tell();
    }

    /** @param {OpenNote} note */
    delete(note) {
        this.#notes.delete(note.id);
        this.#tell();
    }

    clear() {
        this.#notes.clear();
        this.#tell();
    }

    /** The disk has taken something again: it is tried with what it refused. */
    retry() {
        for (const { keeping } of this.refused) keeping.saving.retry();
    }

    /** Is kept when all is on the disk; rejected where it cannot be. */
    async flush() {
        for (const note of [...this.#notes.values()]) await note.keeping.flush();
    }

    #tell() {
        const ids = this.refused.map(({ id }) => id).join();
        if (ids === this.#said) return;
        this.#said = ids;
        this.dispatchEvent(new Event("changed"));
    }
}
