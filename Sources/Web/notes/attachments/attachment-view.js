/** The reads and writes of one transaction of the attachments' database. */

import { answer } from "../sync/view.js";

/** @typedef {"file" | "preview"} Part */

/**
 * An attachment that this device knows. `kept` until the server has all bytes; `refused` by the server, which `problem`
 * explains; `removed` for all devices. `sent` is the number of the file's bytes that the server has. `unsent` is the
 * time of adding while the server lacks the attachment; `cached` is the time of the last use of bytes that the server
 * has too, in milliseconds since 1970. `has` names the parts whose bytes are here.
 * @typedef {object} Attachment
 * @property {string} id
 * @property {string} name
 * @property {string} type
 * @property {number} bytes
 * @property {string} sha256
 * @property {number | null} width
 * @property {number | null} height
 * @property {{ bytes: number, sha256: string } | null} preview
 * @property {"kept" | "stored" | "refused" | "removed"} state
 * @property {{ type: string, detail: string } | null} problem
 * @property {number} sent
 * @property {Record<Part, boolean>} has
 * @property {number} [unsent]
 * @property {number} [cached]
 */

/** The length of a piece of a file, here and in requests, in bytes. */
export const pieceLength = 1 << 20;

/** Returns the name of an account's database. @param {string} environment @param {string} account */
export const attachmentsName = (environment, account) => `almanac-attachments:${environment}:${account}`;

/** @type {import("../sync/store.js").Schema<AttachmentView>} */
export const attachmentSchema = {
    version: 1,
    stores: ["attachments", "pieces", "meta"],
    upgrade({ result: database }, oldVersion) {
        if (oldVersion > 0) return;
        const attachments = database.createObjectStore("attachments", { keyPath: "id" });
        for (const name of ["unsent", "cached"]) attachments.createIndex(name, name);
        database.createObjectStore("pieces");
        database.createObjectStore("meta").put(crypto.randomUUID(), "made");
    },
    view: (transaction) => new AttachmentView(transaction),
};

/** The attachments within one transaction. */
export class AttachmentView {
    #attachments;
    #pieces;
    #meta;

    /** @param {IDBTransaction} transaction */
    constructor(transaction) {
        this.#attachments = transaction.objectStore("attachments");
        this.#pieces = transaction.objectStore("pieces");
        this.#meta = transaction.objectStore("meta");
    }

    /** Returns the database's unique id. @returns {Promise<string | null>} */
    async made() {
        return (await answer(this.#meta.get("made"))) ?? null;
    }

    /** @param {string} id @returns {Promise<Attachment | null>} */
    async attachment(id) {
        return (await answer(this.#attachments.get(id))) ?? null;
    }

    /** @param {Attachment} attachment */
    async save(attachment) {
        await answer(this.#attachments.put(attachment));
    }

    /** Returns the attachments that the server lacks, the oldest first. @returns {Promise<Attachment[]>} */
    unsent() {
        return answer(this.#attachments.index("unsent").getAll());
    }

    /** Returns the attachments with bytes that the server has too, the least recently used first. */
    cached() {
        return /** @type {Promise<Attachment[]>} */ (answer(this.#attachments.index("cached").getAll()));
    }

    /** @returns {Promise<Attachment[]>} */
    all() {
        return answer(this.#attachments.getAll());
    }

    /**
     * Adds the bytes of a part.
     * @param {string} id
     * @param {Part} part
     * @param {ArrayBuffer[]} pieces each of `pieceLength` bytes, except for the last one
     */
    async addPieces(id, part, pieces) {
        await Promise.all(pieces.map((piece, index) => answer(this.#pieces.put(piece, [id, part, index]))));
    }

    /** @param {string} id @param {Part} part @param {number} index @returns {Promise<ArrayBuffer | undefined>} */
    piece(id, part, index) {
        return answer(this.#pieces.get([id, part, index]));
    }

    /** @param {string} id @param {Part} part @returns {Promise<ArrayBuffer[]>} */
    pieces(id, part) {
        return answer(this.#pieces.getAll(IDBKeyRange.bound([id, part], [id, part, []])));
    }

    /** @param {string} id @param {Part} part */
    async removePieces(id, part) {
        await answer(this.#pieces.delete(IDBKeyRange.bound([id, part], [id, part, []])));
    }

    /** @param {string} id */
    async remove(id) {
        await Promise.all([
            answer(this.#attachments.delete(id)),
            this.removePieces(id, "file"),
            this.removePieces(id, "preview"),
        ]);
    }

    /** Returns the cursor up to which the server's attachments are known. @returns {Promise<string | null>} */
    async feed() {
        return (await answer(this.#meta.get("feed"))) ?? null;
    }

    /** @param {string} cursor */
    async saveFeed(cursor) {
        await answer(this.#meta.put(cursor, "feed"));
    }

    /** Returns the server's limit on a file, in bytes, or null while it is unknown. @returns {Promise<number | null>} */
    async maxBytes() {
        return (await answer(this.#meta.get("maxBytes"))) ?? null;
    }

    /** @param {number} bytes */
    async saveMaxBytes(bytes) {
        await answer(this.#meta.put(bytes, "maxBytes"));
    }

    /** Returns true if all originals are kept on this device. @returns {Promise<boolean>} */
    async keepsAll() {
        return (await answer(this.#meta.get("keepsAll"))) === true;
    }

    /** @param {boolean} keepsAll */
    async saveKeepsAll(keepsAll) {
        await answer(this.#meta.put(keepsAll, "keepsAll"));
    }
}
