/** Reads which attachments the server has stored and removed. */

import { Refusal } from "../sync/server.js";
import { cursor as readCursor, UnexpectedAnswer } from "../sync/wire.js";
import { withoutUndefined } from "./uploading.js";

/** @import { Database } from "../sync/store.js" */
/** @import { AttachmentServer } from "./attachment-server.js" */
/** @import { Attachment, AttachmentView } from "./attachment-view.js" */

/**
 * The server's changes. `maxBytes` is its limit on a file, or null.
 * @typedef {{ attachments: any[], removed: string[], cursor: string, maxBytes: number | null }} Changes
 */

export class AttachmentFeed {
    #store;
    #server;
    #announce;
    #now;

    /**
     * @param {object} parts
     * @param {Database<AttachmentView>} parts.store
     * @param {AttachmentServer} parts.server
     * @param {(ids: string[]) => void} parts.announce
     * @param {() => number} parts.now returns milliseconds since 1970
     */
    constructor({ store, server, announce, now }) {
        this.#store = store;
        this.#server = server;
        this.#announce = announce;
        this.#now = now;
    }

    /** Reads the changes since the last read, and returns the revision up to which they are known. */
    async read() {
        const since = await this.#store.read((view) => view.feed());
        try {
            return await this.#apply(await this.#changes(since), since === null);
        } catch (failure) {
            // The server was restored from a backup, or the cursor has expired.
            if (!(failure instanceof Refusal) || failure.status !== 410 || since === null) throw failure;
            return await this.#apply(await this.#changes(null), true);
        }
    }

    /** @param {string | null} since @returns {Promise<Changes>} */
    async #changes(since) {
        /** @type {Changes} */
        const all = { attachments: [], removed: [], cursor: "", maxBytes: null };
        /** @type {Record<string, string>} */
        let query = since === null ? {} : { since };
        for (;;) {
            const page = await this.#server.page(query);
            const { attachments, removed, cursor, more, next, limits } = page ?? {};
            const isPage = Array.isArray(attachments) && Array.isArray(removed) && typeof cursor === "string";
            if (!isPage || (more && typeof next !== "string") || !attachments.every(isAttachment))
                throw new UnexpectedAnswer("the attachments are not a page");
            all.attachments.push(...attachments);
            all.removed.push(...removed);
            all.cursor = cursor;
            all.maxBytes = Number.isSafeInteger(limits?.attachment_bytes) ? limits.attachment_bytes : null;
            if (!more) return all;
            query = { next };
        }
    }

    /**
     * @param {Changes} changes
     * @param {boolean} isAll true if the changes are all attachments of the server
     */
    async #apply({ attachments, removed, cursor, maxBytes }, isAll) {
        /** @type {string[]} */
        const changed = [];
        await this.#store.write(async (view) => {
            changed.length = 0;
            for (const stored of attachments) {
                const known = await view.attachment(stored.id);
                const merged = mergeStored(known, stored, this.#now());
                if (known && JSON.stringify(known) === JSON.stringify(merged)) continue;
                await view.save(merged);
                changed.push(stored.id);
            }
            for (const id of removed) {
                if ((await view.attachment(id))?.state === "removed") continue;
                await view.remove(id);
                await view.save(removedAttachment(id));
                changed.push(id);
            }
            if (isAll) changed.push(...(await this.#sendMissing(view, new Set(attachments.map(({ id }) => id)))));
            await view.saveFeed(cursor);
            if (maxBytes !== null) await view.saveMaxBytes(maxBytes);
        }, "relaxed");
        if (changed.length > 0) this.#announce(changed);
        return readCursor(cursor)?.revision ?? -1;
    }

    /**
     * Sends attachments again that the server has lost, and forgets those whose bytes are not here.
     * @param {AttachmentView} view
     * @param {Set<string>} there
     */
    async #sendMissing(view, there) {
        const lost = (await view.all()).filter(({ id, state }) => state === "stored" && !there.has(id));
        for (const known of lost) {
            const { id, preview, has } = known;
            const kept = {
                ...known,
                state: /** @type {const} */ ("kept"),
                sent: 0,
                unsent: this.#now(),
                cached: undefined,
            };
            if (has.file) await view.save(withoutUndefined({ ...kept, preview: has.preview ? preview : null }));
            else await view.remove(id);
        }
        return lost.map(({ id }) => id);
    }
}

/** @param {any} each */
const isAttachment = (each) =>
    typeof each?.id === "string" &&
    typeof each.name === "string" &&
    typeof each.type === "string" &&
    Number.isSafeInteger(each.bytes) &&
    typeof each.sha256 === "string";

/**
 * @param {Attachment | null} known
 * @param {any} stored
 * @param {number} now
 * @returns {Attachment}
 */
function mergeStored(known, { id, name, type, bytes, sha256, width, height, preview }, now) {
    const metadata = { id, name, type, bytes, sha256, width: width ?? null, height: height ?? null };
    // The preview is sent after the file.
    if (known?.state === "kept" && known.preview && !preview) return known;
    const has = known?.has ?? { file: false, preview: false };
    const merged = {
        ...metadata,
        preview: preview ?? null,
        state: /** @type {const} */ ("stored"),
        problem: null,
        sent: bytes,
        has,
        cached: has.file || has.preview ? (known?.cached ?? known?.unsent ?? now) : undefined,
    };
    return withoutUndefined(merged);
}

/** @param {string} id @returns {Attachment} */
const removedAttachment = (id) => ({
    ...{ id, name: "", type: "", bytes: 0, sha256: "", width: null, height: null, preview: null },
    ...{ state: /** @type {const} */ ("removed"), problem: null, sent: 0, has: { file: false, preview: false } },
});
