/** The bytes of attachments on this device: read from the disk or the server, and evicted when there are too many. */

import { Unreachable } from "../../shared/api.js";
import { Refusal } from "../sync/server.js";
import { StorageFailure } from "../sync/store.js";
import { UnexpectedAnswer } from "../sync/wire.js";

/** @import { Database } from "../sync/store.js" */
/** @import { AttachmentServer } from "./attachment-server.js" */
/** @import { Attachment, AttachmentView, Part } from "./attachment-view.js" */

/** The bytes of a part. @typedef {{ part: Part, pieces: ArrayBuffer[] }} Content */

/** The limit on bytes that the server has too, and the size of a file that is its own preview. */
const [maxCached, maxPreview] = [256 << 20, 512 << 10];
/** The age at which the time of the last use is renewed, in milliseconds. */
const renewal = 3_600_000;

export class AttachmentCache {
    #store;
    #server;
    #announce;
    #now;
    #hash;
    #limit;
    /** The running downloads by id and part. @type {Map<string, Promise<ArrayBuffer[]>>} */
    #downloads = new Map();

    /**
     * @param {object} parts
     * @param {Database<AttachmentView>} parts.store
     * @param {AttachmentServer} parts.server
     * @param {(ids: string[]) => void} parts.announce
     * @param {() => number} parts.now returns milliseconds since 1970
     * @param {(bytes: BufferSource) => Promise<string>} parts.hash
     * @param {number} [parts.limit] the limit on cached bytes
     */
    constructor({ store, server, announce, now, hash, limit = maxCached }) {
        this.#store = store;
        this.#server = server;
        this.#announce = announce;
        this.#now = now;
        this.#hash = hash;
        this.#limit = limit;
    }

    /**
     * Returns the bytes of a part, or of the file if it has no preview; null if they can't be read now.
     * @param {string} id
     * @param {Part} wanted
     * @returns {Promise<Content | null>}
     */
    async content(id, wanted) {
        const attachment = await this.#store.read((view) => view.attachment(id));
        if (!attachment || attachment.state === "removed") return null;
        const { has, preview } = attachment;
        const isPreview = wanted === "preview" && preview !== null && (has.preview || !has.file);
        const part = isPreview ? "preview" : "file";
        if (has[part]) {
            const pieces = await this.#store.read((view) => view.pieces(id, part));
            if (pieces.length > 0) {
                if (this.#now() - (attachment.cached ?? this.#now()) > renewal) await this.#renew(id);
                return { part, pieces };
            }
        }
        if (attachment.state !== "stored") return null;
        try {
            return { part, pieces: await this.#download(attachment, part) };
        } catch (failure) {
            if (failure instanceof Unreachable || failure instanceof Refusal) return null;
            throw failure;
        }
    }

    /**
     * Downloads the previews of attachments, or all files.
     * @param {Set<string>} ids
     * @param {() => boolean} isLeading returns false once another tab does this
     */
    async prefetch(ids, isLeading) {
        const { all, keepsAll } = await this.#store.read(async (view) => ({
            all: await view.all(),
            keepsAll: await view.keepsAll(),
        }));
        for (const attachment of all) {
            const { id, type, bytes, preview, state, has } = attachment;
            if (state !== "stored" || !isLeading()) continue;
            if (keepsAll && !has.file) await this.#download(attachment, "file");
            const isSmall = type.startsWith("image/") && bytes <= maxPreview;
            if (!ids.has(id) || has.file || has.preview) continue;
            if (preview) await this.#download(attachment, "preview");
            else if (isSmall && !keepsAll) await this.#download(attachment, "file");
        }
        await this.evict();
    }

    /** Removes bytes that the server has too, the least recently used first, and files before previews. */
    async evict() {
        await this.#store.write(async (view) => {
            if (await view.keepsAll()) return;
            const cached = await view.cached();
            const size = (/** @type {Attachment} */ { bytes, preview, has }) =>
                (has.file ? bytes : 0) + (has.preview ? (preview?.bytes ?? 0) : 0);
            let total = cached.reduce((sum, each) => sum + size(each), 0);
            for (const part of /** @type {const} */ (["file", "preview"])) {
                for (const attachment of cached) {
                    if (total <= this.#limit) return;
                    if (!attachment.has[part]) continue;
                    total -= size(attachment);
                    attachment.has[part] = false;
                    total += size(attachment);
                    if (size(attachment) === 0) delete attachment.cached;
                    await Promise.all([view.removePieces(attachment.id, part), view.save(attachment)]);
                }
            }
        }, "relaxed");
    }

    /** @param {string} id */
    async #renew(id) {
        await this.#store.write(async (view) => {
            const known = await view.attachment(id);
            if (known?.cached !== undefined) await view.save({ ...known, cached: this.#now() });
        }, "relaxed");
    }

    /**
     * @param {Attachment} attachment
     * @param {Part} part
     */
    #download(attachment, part) {
        const key = `${attachment.id} ${part}`;
        const running = this.#downloads.get(key);
        if (running) return running;
        const download = this.#fetch(attachment, part).finally(() => this.#downloads.delete(key));
        this.#downloads.set(key, download);
        return download;
    }

    /**
     * @param {Attachment} attachment
     * @param {Part} part
     */
    async #fetch({ id, sha256, preview }, part) {
        const pieces = await this.#server.bytes(id, part);
        const hash = await this.#hash(await new Blob(pieces).arrayBuffer());
        if (hash !== (part === "file" ? sha256 : preview?.sha256))
            throw new UnexpectedAnswer("the bytes do not match their hash");
        try {
            await this.#keep(id, part, pieces);
        } catch (failure) {
            // A full disk prevents only the next read without a network.
            if (!(failure instanceof StorageFailure) || failure.kind !== "full") throw failure;
        }
        return pieces;
    }

    /**
     * @param {string} id
     * @param {Part} part
     * @param {ArrayBuffer[]} pieces
     */
    async #keep(id, part, pieces) {
        await this.#store.write(async (view) => {
            const known = await view.attachment(id);
            if (known?.state !== "stored") return;
            await view.addPieces(id, part, pieces);
            await view.save({ ...known, cached: this.#now(), has: { ...known.has, [part]: true } });
        }, "relaxed");
        this.#announce([id]);
        await this.evict();
    }
}
