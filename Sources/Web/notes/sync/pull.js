/** Fetches changes from the server and compares the copy with the server's list after a change of lineage. */

import { checkedPage } from "./page.js";
import * as progressOf from "./progress.js";
import { receiveChange } from "./received.js";
import * as records from "./record.js";
import { Refusal } from "./server.js";

/** @import { Page } from "./page.js" */
/** @import { Progress } from "./progress.js" */
/** @import { NoteRecord } from "./record.js" */
/** @import { NotesServer } from "./server.js" */
/** @import { NotesStore } from "./store.js" */
/** @import { View } from "./view.js" */
/** @import { Merge } from "./text.js" */

/** Many notes are missing on the server, so the user must decide whether to remove them here. */
export class DecisionNeeded extends Error {
    /**
     * @param {number} missing
     * @param {number} total
     */
    constructor(missing, total) {
        super(`${missing} of ${total} notes are not on the server any more`);
        this.missing = missing;
        this.total = total;
    }
}

/** The number of lost histories that end a sync. */
const maxLosses = 4;

/** The length of text merged between two pauses, in UTF-16 units. */
const lengthBetweenPauses = 64 << 10;

export class Pull {
    #store;
    #server;
    #merge;
    #announce;

    /**
     * @param {object} parts
     * @param {NotesStore} parts.store
     * @param {NotesServer} parts.server
     * @param {Merge} parts.merge
     * @param {(ids: Set<string>) => void} parts.announce receives the ids of the changed notes
     */
    constructor({ store, server, merge, announce }) {
        this.#store = store;
        this.#server = server;
        this.#merge = merge;
        this.#announce = announce;
    }

    /** Receives pages until the copy is up to date. */
    async run() {
        for (let losses = 0; ; ) {
            const requested = await this.#store.read((view) => view.progress());
            const query = progressOf.query(requested);
            if (!query) throw await this.#store.read((view) => this.#decisionNeeded(view));
            let page;
            try {
                page = await this.#server.page(query);
            } catch (failure) {
                losses += 1;
                if (!(failure instanceof Refusal) || failure.status !== 410 || losses >= maxLosses) throw failure;
                await this.#store.write((view) => loseHistory(view, requested));
                continue;
            }
            if (await this.#receivePage(checkedPage(page), requested)) return;
        }
    }

    /**
     * @param {Page} page
     * @param {Progress} requested
     * @returns {Promise<boolean>} `true` if the copy is up to date
     */
    async #receivePage(page, requested) {
        /** @type {Set<string>} */
        const changed = new Set();
        const isUpToDate = await this.#store.write(async (view) => {
            changed.clear();
            const progress = await view.progress();
            if (!isSameProgress(progress, requested)) return false;
            if (progress.phase === "changes" && progress.cursor && progress.cursor.lineage !== page.cursor.lineage) {
                // The account was created after this device's first request.
                await changeAll(view, (record) => records.forgetHistory(record, page.cursor.lineage));
            }
            await this.#saveNotes(view, page, changed);
            if (requested.phase === "manifest") await view.addToManifest(page.manifest);
            const next = page.more || requested.phase === "manifest" ? page.next : null;
            const isLast = progressOf.receivePage(progress, page.cursor, next);
            if (isLast && requested.phase === "first") progress.phase = "changes";
            if (isLast && requested.phase === "manifest") {
                for (const id of await this.#compare(view, progress, page.cursor.lineage)) changed.add(id);
            }
            await view.saveProgress(progress);
            return isLast && requested.phase === "changes";
        }, "relaxed");
        this.#announce(changed);
        return isUpToDate;
    }

    /**
     * @param {View} view
     * @param {Page} page
     * @param {Set<string>} changed
     */
    async #saveNotes(view, page, changed) {
        const { lineage } = page.cursor;
        const ids = [...page.notes.map(({ id }) => id), ...page.deleted];
        const known = new Map((await view.existingNotes(ids)).map((record) => [record.id, record]));
        /** @type {NoteRecord[]} */
        const saved = [];
        let size = 0;
        for (const { id, text, revision, position, createdAt, updatedAt } of page.notes) {
            size += text.body.length;
            if (size > lengthBetweenPauses) size = await view.pause();
            const before = JSON.stringify(known.get(id));
            const record = known.get(id) ?? records.newRecord(id, text, { createdAt, updatedAt });
            receiveChange(record, { cursor: { revision, lineage }, text, position }, this.#merge);
            if (!records.hasUnsentWords(record)) Object.assign(record, { createdAt, updatedAt });
            known.set(id, record);
            if (JSON.stringify(record) !== before) saved.push(record);
        }
        // The deletion's revision is at most the page's. While more pages follow, the deletion is only known to precede
        // the page's last revision.
        const revision = page.cursor.revision + (page.next === null ? 0 : 1);
        if (page.deleted.some((id) => !known.has(id))) await missTrash(view);
        for (const id of page.deleted) {
            const record = known.get(id);
            if (!record) continue;
            const before = JSON.stringify(record);
            receiveChange(record, { cursor: { revision, lineage }, text: null, position: null }, this.#merge);
            if (JSON.stringify(record) !== before) saved.push(record);
        }
        for (const { id } of saved) changed.add(id);
        await Promise.all([...new Set(saved)].map((record) => view.save(record)));
    }

    /**
     * Answers `DecisionNeeded`: moves notes that the server lost to the trash, or sends them again. The next sync
     * continues from there.
     * @param {"moveToTrash" | "keep"} decision
     */
    async decide(decision) {
        const changed = await this.#store.write(async (view) => {
            const progress = await view.progress();
            if (progress.phase !== "deciding") return [];
            return await this.#settleMissing(view, progress, decision);
        });
        this.#announce(new Set(changed));
    }

    // Reconciliation after a change of lineage.

    /**
     * Compares the copy with the manifest.
     * @param {View} view
     * @param {Progress} progress
     * @param {string} lineage
     */
    async #compare(view, progress, lineage) {
        const manifest = await view.manifest();
        for (const record of await view.notes()) {
            const revision = manifest.get(record.id) ?? null;
            const shadow = record.shadow?.cursor ?? null;
            const isSame = shadow ? shadow.revision === revision && shadow.lineage === lineage : revision === null;
            if (isSame && record.lastReceived === revision) continue;
            records.forgetHistory(record);
            await view.save(record);
        }
        const { ids, total } = await missingNotes(view);
        if (ids.length * 5 <= total) return await this.#settleMissing(view, progress, "moveToTrash");
        progress.phase = "deciding";
        return [];
    }

    /**
     * @param {View} view
     * @param {Progress} progress
     * @param {"moveToTrash" | "keep"} decision
     */
    async #settleMissing(view, progress, decision) {
        const { ids } = await missingNotes(view);
        for (const id of ids) {
            const record = await view.note(id);
            if (!record) continue;
            if (decision === "keep") records.stayInList(record);
            else records.leaveList(record);
            await view.save(record);
        }
        await view.clearManifest();
        progressOf.restart(progress);
        await view.saveProgress(progress);
        return ids;
    }

    /** @param {View} view */
    async #decisionNeeded(view) {
        const { ids, total } = await missingNotes(view);
        return new DecisionNeeded(ids.length, total);
    }
}

/**
 * @param {View} view
 * @param {Progress} requested
 */
async function loseHistory(view, requested) {
    // Another tab may have advanced the progress meanwhile.
    const progress = await view.progress();
    if (!isSameProgress(progress, requested)) return;
    progressOf.loseHistory(progress);
    await view.clearManifest();
    await view.saveProgress(progress);
}

/**
 * @param {View} view
 * @param {(record: NoteRecord) => void} change
 */
async function changeAll(view, change) {
    for (const record of await view.notes()) {
        change(record);
        await view.save(record);
    }
}

/** Marks the trash as incomplete: another device deleted a note that this device never had. @param {View} view */
async function missTrash(view) {
    const read = await view.trashRead();
    if (read?.isWhole) await view.saveTrashRead({ ...read, isWhole: false });
}

/** @param {View} view */
async function missingNotes(view) {
    const [manifest, all] = [await view.manifest(), await view.notes()];
    const known = all.filter((record) => !records.isInTrash(record) && record.shadow);
    const missing = known.filter((record) => records.mayLeaveList(record) && !manifest.has(record.id));
    return { ids: missing.map((record) => record.id), total: known.length };
}

/**
 * @param {Progress} one
 * @param {Progress} other
 */
const isSameProgress = (one, other) =>
    one.phase === other.phase &&
    one.next === other.next &&
    JSON.stringify([one.cursor, one.destination]) === JSON.stringify([other.cursor, other.destination]);
