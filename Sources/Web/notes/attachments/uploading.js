/** Sends the bytes of attachments that the server lacks, one after the other, in pieces. */

import { Refusal } from "../sync/server.js";
import { UnexpectedAnswer } from "../sync/wire.js";
import { offsetOf } from "./attachment-server.js";
import { pieceLength } from "./attachment-view.js";

/** @import { Database } from "../sync/store.js" */
/** @import { AttachmentServer } from "./attachment-server.js" */
/** @import { Attachment, AttachmentView, Part } from "./attachment-view.js" */

/** The number of lost offsets, hashes and uploads after which sending ends until the next attempt. */
const maxLosses = 4;

export class Uploading {
    #store;
    #server;
    #announce;
    #isLeading;

    /**
     * @param {object} parts
     * @param {Database<AttachmentView>} parts.store
     * @param {AttachmentServer} parts.server
     * @param {(ids: string[]) => void} parts.announce
     * @param {() => boolean} parts.isLeading returns false once another tab sends
     */
    constructor({ store, server, announce, isLeading }) {
        this.#store = store;
        this.#server = server;
        this.#announce = announce;
        this.#isLeading = isLeading;
    }

    /** Sends what is not sent. Throws the reason if the server can't take it now; the next run resumes there. */
    async run() {
        for (const attachment of await this.#store.read((view) => view.unsent())) {
            if (!this.#isLeading()) return;
            if (attachment.state === "kept") await this.#upload(attachment);
        }
    }

    /** @param {Attachment} attachment */
    async #upload(attachment) {
        const { id } = attachment;
        try {
            for (let losses = 0; ; losses += 1) {
                try {
                    await this.#sendParts(attachment);
                    break;
                } catch (failure) {
                    // The server forgets an upload after a day.
                    const isForgotten = failure instanceof Refusal && failure.status === 404;
                    if (!isForgotten || losses >= maxLosses) throw failure;
                }
            }
            if (this.#isLeading()) await this.#change(id, { state: "stored", problem: null });
        } catch (failure) {
            const refused = refusalOf(failure);
            if (!refused) throw failure;
            await this.#change(id, refused);
        }
    }

    /** @param {Attachment} attachment */
    async #sendParts(attachment) {
        const { id, bytes, preview } = attachment;
        await this.#sendPart(id, "file", await this.#server.declare(attachment), bytes);
        if (preview) await this.#sendPart(id, "preview", 0, preview.bytes);
    }

    /**
     * @param {string} id
     * @param {Part} part
     * @param {number} offset
     * @param {number} length
     */
    async #sendPart(id, part, offset, length) {
        let at = offset;
        for (let losses = 0; at < length && this.#isLeading(); ) {
            const index = Math.floor(at / pieceLength);
            const piece = await this.#store.read((view) => view.piece(id, part, index));
            if (!piece) throw new UnexpectedAnswer("the offset is beyond the bytes");
            try {
                at = await this.#server.send(id, part, at, piece.slice(at - index * pieceLength));
            } catch (failure) {
                losses += 1;
                if (!(failure instanceof Refusal) || losses >= maxLosses) throw failure;
                if (failure.problem === "hash-mismatch") at = 0;
                else if (failure.problem === "wrong-offset") at = offsetOf(failure.headers);
                else throw failure;
            }
            if (part === "file") await this.#change(id, { sent: at }, "relaxed");
        }
    }

    /**
     * @param {string} id
     * @param {Partial<Attachment>} change
     * @param {IDBTransactionDurability} [durability]
     */
    async #change(id, change, durability) {
        await this.#store.write(async (view) => {
            const known = await view.attachment(id);
            if (!known) return;
            const changed = { ...known, ...change };
            if (changed.state === "stored") Object.assign(changed, { cached: known.unsent, unsent: undefined });
            if (changed.state === "removed") {
                changed.unsent = undefined;
                changed.has = { file: false, preview: false };
                await Promise.all([view.removePieces(id, "file"), view.removePieces(id, "preview")]);
            }
            await view.save(withoutUndefined(changed));
        }, durability);
        this.#announce([id]);
    }
}

/** Removes members without a value, which an index would refuse. @param {Attachment} attachment */
export const withoutUndefined = (attachment) =>
    /** @type {Attachment} */ (
        Object.fromEntries(Object.entries(attachment).filter(([, value]) => value !== undefined))
    );

/**
 * Returns the state that follows from a permanent refusal, or null for a failure that may pass.
 * @param {unknown} failure
 * @returns {Pick<Attachment, "state" | "problem"> | null}
 */
export function refusalOf(failure) {
    if (!(failure instanceof Refusal)) return null;
    const { status, problem, detail } = failure;
    if (status === 410) return { state: "removed", problem: null };
    // A proxy may have a lower limit, and a different response body.
    if (status === 413) return { state: "refused", problem: { type: problem || "attachment-too-large", detail } };
    const isPassing = status < 400 || status >= 500 || [404, 408, 429].includes(status);
    return isPassing || !problem || problem === "wrong-offset" || problem === "hash-mismatch"
        ? null
        : { state: "refused", problem: { type: problem, detail } };
}
