/** Notes whose text may not be on disk: notes being closed and notes that the storage refused. */

/** @import { OpenNote } from "./note.js" */

/** Unsaved notes. Event: `changed` when the set of refused notes changes. */
export class Unsaved extends EventTarget {
    /** The notes by id. @type {Map<string, OpenNote>} */
    #notes = new Map();
    #refusedIDs = "";

    /** The notes whose text exists only in this tab because the storage refused it. */
    get refused() {
        return [...this.#notes.values()].filter(({ lifetime }) => lifetime.isRefused);
    }

    /** @param {string} id */
    find(id) {
        return this.#notes.get(id);
    }

    /** @param {OpenNote} note */
    add(note) {
        this.#notes.set(note.id, note);
        this.#notifyIfChanged();
    }

    /** @param {OpenNote} note */
    delete(note) {
        this.#notes.delete(note.id);
        this.#notifyIfChanged();
    }

    clear() {
        this.#notes.clear();
        this.#notifyIfChanged();
    }

    /** Retries the refused notes after another write succeeded. */
    retry() {
        for (const { lifetime } of this.refused) lifetime.saving.retry();
    }

    /** Resolves when all texts are on disk; rejected if one cannot be written. */
    async flush() {
        for (const note of [...this.#notes.values()]) await note.lifetime.flush();
    }

    #notifyIfChanged() {
        const ids = this.refused.map(({ id }) => id).join();
        if (ids === this.#refusedIDs) return;
        this.#refusedIDs = ids;
        this.dispatchEvent(new Event("changed"));
    }
}
