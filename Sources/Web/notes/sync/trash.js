/**
 * Fetches the notes in the server's trash that this device never had: those that were deleted before it came, or made and
 * deleted while it was away. What is deleted of its own notes comes with the changes.
 */

import { checkedPage } from "./page.js";
import { newRecord } from "./record.js";

/** @import { Page } from "./page.js" */
/** @import { NotesServer } from "./server.js" */
/** @import { NotesStore } from "./store.js" */
/** @import { View } from "./view.js" */

/**
 * Of which history all of the trash was read, and whether no note has been put into it since that is not here.
 * @typedef {{ lineage: string, isWhole: boolean }} TrashRead
 */

export class Trash {
    #store;
    #server;
    #announce;

    /**
     * @param {object} parts
     * @param {NotesStore} parts.store
     * @param {NotesServer} parts.server
     * @param {(ids: Set<string>) => void} parts.announce is told which notes have come
     */
    constructor({ store, server, announce }) {
        this.#store = store;
        this.#server = server;
        this.#announce = announce;
    }

    /** Reads it where something of it is missing; once all changes are here. */
    async run() {
        if (await this.#store.read(isHere)) return;
        /** @type {Record<string, string> | null} */
        let query = { form: "trash" };
        while (query) {
            const page = checkedPage(await this.#server.page(query));
            const next = await this.#receive(page);
            query = next === null ? null : { next };
        }
    }

    /**
     * @param {Page} page
     * @returns {Promise<string | null>} the next page that may have something new
     */
    async #receive(page) {
        const { revision, lineage } = page.cursor;
        /** @type {Set<string>} */
        const come = new Set();
        const next = await this.#store.write(async (view) => {
            come.clear();
            const { cursor } = await view.progress();
            // Of what another tab has taken in since, or after a restored backup, the next sync knows more.
            if (cursor?.lineage !== lineage || cursor.revision > revision) return null;
            const known = new Set((await view.some(page.notes.map(({ id }) => id))).map(({ id }) => id));
            for (const { id, text, revision, createdAt, updatedAt } of page.notes) {
                if (known.has(id)) continue;
                const record = newRecord(id, text, { createdAt, updatedAt });
                const shadow = { text, cursor: { revision, lineage } };
                Object.assign(record, { place: "trash", isInServersTrash: true, lastReceived: revision, shadow });
                await view.save(record);
                come.add(id);
            }
            // The latest deletions come first. Behind a page that has nothing new there is nothing, unless this device was
            // cut off in the middle of reading.
            const isReread = (await view.trashRead())?.lineage === lineage;
            const isWhole = page.next === null || (isReread && come.size === 0);
            await view.saveTrashRead(isWhole ? { lineage, isWhole } : null);
            return isWhole ? null : page.next;
        }, "relaxed");
        this.#announce(come);
        return next;
    }
}

/** @param {View} view */
async function isHere(view) {
    const [read, { cursor }] = [await view.trashRead(), await view.progress()];
    return read?.isWhole === true && read.lineage === cursor?.lineage;
}
