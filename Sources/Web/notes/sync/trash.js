/**
 * Fetches the notes in the server's trash that this device never had: deleted before its first sync, or created and
 * deleted between two syncs. Deletions of the device's own notes come with the changes.
 */

import { checkedPage } from "./page.js";
import { newRecord } from "./record.js";

/** @import { Page } from "./page.js" */
/** @import { NotesServer } from "./server.js" */
/** @import { NotesStore } from "./store.js" */
/** @import { View } from "./view.js" */

/**
 * The lineage of the history whose trash was read. `isWhole`: every note of the server's trash is on this device.
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
     * @param {(ids: Set<string>) => void} parts.announce receives the ids of the new notes
     */
    constructor({ store, server, announce }) {
        this.#store = store;
        this.#server = server;
        this.#announce = announce;
    }

    /** Reads the trash if a part of it is missing. Requires that all changes have been received. */
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
     * @returns {Promise<string | null>} the next page that may contain new notes
     */
    async #receive(page) {
        const { revision, lineage } = page.cursor;
        /** @type {Set<string>} */
        const come = new Set();
        const next = await this.#store.write(async (view) => {
            come.clear();
            const { cursor } = await view.progress();
            // After a restored backup, or if another tab has synced since, only the next sync can read the trash.
            if (cursor?.lineage !== lineage || cursor.revision > revision) return null;
            const known = new Set((await view.existingNotes(page.notes.map(({ id }) => id))).map(({ id }) => id));
            for (const { id, text, revision, createdAt, updatedAt } of page.notes) {
                if (known.has(id)) continue;
                const record = newRecord(id, text, { createdAt, updatedAt });
                const shadow = { text, cursor: { revision, lineage } };
                Object.assign(record, { place: "trash", isInServersTrash: true, lastReceived: revision, shadow });
                await view.save(record);
                come.add(id);
            }
            // Deletions come newest first. No new note follows a page without new notes, unless an earlier read of the
            // trash was interrupted.
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
