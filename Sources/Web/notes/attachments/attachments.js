/** The attachments of one account on this device, for the page and for the tab that syncs. */

import { AttachmentCache } from "./attachment-cache.js";
import { AttachmentFeed } from "./attachment-feed.js";
import { pieceLength } from "./attachment-view.js";
import { Uploading } from "./uploading.js";

/** @import { Database } from "../sync/store.js" */
/** @import { AttachmentServer } from "./attachment-server.js" */
/** @import { Attachment, AttachmentView, Part } from "./attachment-view.js" */

/**
 * A file to attach, with a preview if it is a large picture.
 * @typedef {object} GivenFile
 * @property {string} id
 * @property {string} name
 * @property {string} type
 * @property {number | null} width
 * @property {number | null} height
 * @property {ArrayBuffer} file
 * @property {ArrayBuffer | null} preview
 */

export class Attachments {
    #store;
    #now;
    #hash;
    #hooks;
    #cache;
    #feed;
    #uploading;
    #isLeading;

    /**
     * @param {object} parts
     * @param {Database<AttachmentView>} parts.store
     * @param {AttachmentServer} parts.server
     * @param {() => number} parts.now returns milliseconds since 1970
     * @param {(bytes: BufferSource) => Promise<string>} parts.hash returns the SHA-256 in hexadecimal digits
     * @param {() => boolean} parts.isLeading returns true while this tab syncs
     * @param {{ changed: (ids: string[]) => void, wanted: (reason: "told" | "event" | "write") => void }} parts.hooks
     *     `wanted` requests a run
     */
    constructor({ store, server, now, hash, isLeading, hooks }) {
        this.#store = store;
        this.#now = now;
        this.#hash = hash;
        this.#hooks = hooks;
        this.#isLeading = isLeading;
        const announce = hooks.changed;
        this.#cache = new AttachmentCache({ store, server, announce, now, hash });
        this.#feed = new AttachmentFeed({ store, server, announce, now });
        this.#uploading = new Uploading({ store, server, announce, isLeading });
    }

    // Calls of the page.

    /** Adds a file, which is on disk when the promise resolves. @param {GivenFile} given */
    async attach({ file, preview, ...given }) {
        const [sha256, previewHash] = await Promise.all([this.#hash(file), preview && this.#hash(preview)]);
        /** @type {Attachment} */
        const attachment = {
            ...given,
            bytes: file.byteLength,
            sha256,
            preview: preview && previewHash ? { bytes: preview.byteLength, sha256: previewHash } : null,
            ...{ state: "kept", problem: null, sent: 0, unsent: this.#now() },
            has: { file: true, preview: preview !== null },
        };
        const isNew = await this.#store.write(async (view) => {
            if (await view.attachment(given.id)) return false;
            await view.addPieces(given.id, "file", piecesOf(file));
            if (preview) await view.addPieces(given.id, "preview", piecesOf(preview));
            await view.save(attachment);
            return true;
        });
        if (!isNew) return;
        this.#hooks.changed([given.id]);
        this.#hooks.wanted("write");
    }

    /** Returns an attachment, or null while this device does not know it. @param {string} id */
    async attachment(id) {
        const found = await this.#store.read((view) => view.attachment(id));
        if (!found) this.#hooks.wanted("event");
        return found;
    }

    /** @param {string} id @param {Part} part */
    attachmentContent(id, part) {
        return this.#cache.content(id, part);
    }

    /** Returns the attachments that the server lacks. */
    unsentAttachments() {
        return this.#store.read((view) => view.unsent());
    }

    /** Sends an attachment again that the server refused. @param {string} id */
    async resendAttachment(id) {
        await this.#store.write(async (view) => {
            const known = await view.attachment(id);
            if (known?.state === "refused") await view.save({ ...known, state: "kept", problem: null });
        });
        this.#hooks.changed([id]);
        this.#hooks.wanted("write");
    }

    /** Removes an attachment from this device that the server refused. @param {string} id */
    async discardAttachment(id) {
        await this.#store.write(async (view) => {
            if ((await view.attachment(id))?.state === "refused") await view.remove(id);
        });
        this.#hooks.changed([id]);
    }

    /** Returns the bytes of files on this device, and true if all files are kept here. */
    attachmentUsage() {
        return this.#store.read(async (view) => {
            const all = await view.all();
            const bytes = all.reduce(
                (sum, { bytes, preview, has }) =>
                    sum + (has.file ? bytes : 0) + (has.preview ? (preview?.bytes ?? 0) : 0),
                0,
            );
            return { bytes, keepsAll: await view.keepsAll() };
        });
    }

    /** Returns the server's limit on a file, in bytes, or null while it is unknown. */
    maxAttachmentBytes() {
        return this.#store.read((view) => view.maxBytes());
    }

    /** Keeps all files on this device, or only those used last. @param {boolean} keepsAll */
    async keepAllAttachments(keepsAll) {
        await this.#store.write((view) => view.saveKeepsAll(keepsAll));
        if (keepsAll) this.#hooks.wanted("told");
        else await this.#cache.evict();
    }

    // Calls of the tab that syncs.

    /** Returns the numbers of attachments that are not sent, and of those that the server refuses. */
    async counts() {
        const unsent = await this.unsentAttachments();
        const refused = unsent.filter(({ state }) => state === "refused").length;
        return { files: unsent.length - refused, refusedFiles: refused };
    }

    /** Sends what is not sent. */
    send() {
        return this.#uploading.run();
    }

    /** Reads the server's changes, and returns the revision up to which they are known. */
    receive() {
        return this.#feed.read();
    }

    /** Downloads previews, or all files. @param {Set<string>} ids the attachments of the newest notes */
    prefetch(ids) {
        return this.#cache.prefetch(ids, this.#isLeading);
    }

    close() {
        this.#store.abandon();
    }
}

/** Cuts bytes into pieces. @param {ArrayBuffer} bytes */
function piecesOf(bytes) {
    /** @type {ArrayBuffer[]} */
    const pieces = [];
    for (let at = 0; at < bytes.byteLength; at += pieceLength) pieces.push(bytes.slice(at, at + pieceLength));
    return pieces;
}
