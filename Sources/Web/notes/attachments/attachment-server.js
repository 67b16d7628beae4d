/** A client of the server's attachments for the signed-in user. */

import { chunks } from "../../shared/chunks.js";
import { exchange } from "../sync/server.js";
import { UnexpectedAnswer } from "../sync/wire.js";
import { pieceLength } from "./attachment-view.js";

/** @import { ResponseWatchdog } from "../sync/server.js" */
/** @import { Attachment, Part } from "./attachment-view.js" */

/** The time in which a piece must be sent over a slow network, in milliseconds. */
const sendingLimit = 120_000;

export class AttachmentServer {
    #address;
    #fetch;

    /**
     * @param {string} environment a path such as `/staging`
     * @param {typeof fetch} fetcher
     */
    constructor(environment, fetcher) {
        this.#address = `${environment}/attachments`;
        this.#fetch = fetcher;
    }

    /**
     * Declares an attachment, and returns the number of the file's bytes that the server has.
     * @param {Attachment} attachment
     */
    async declare({ id, name, type, bytes, sha256, width, height, preview }) {
        const size = width === null || height === null ? {} : { width, height };
        const body = JSON.stringify({ bytes, sha256, type, name, ...size, ...(preview ? { preview } : {}) });
        const headers = { "Content-Type": "application/json", "Almanac-Session": "1" };
        const { content } = await exchange(this.#fetch, `${this.#address}/${id}`, { method: "PUT", headers, body });
        return offset(JSON.parse(content)?.offset);
    }

    /**
     * Sends a piece, and returns the new offset.
     * @param {string} id
     * @param {Part} part
     * @param {number} at
     * @param {ArrayBuffer} body
     */
    async send(id, part, at, body) {
        const headers = {
            "Content-Type": "application/octet-stream",
            "Almanac-Session": "1",
            "Upload-Offset": String(at),
        };
        const address = `${this.#address}/${id}?part=${part}`;
        const answer = await exchange(
            this.#fetch,
            address,
            { method: "PATCH", headers, body },
            undefined,
            sendingLimit,
        );
        return offsetOf(answer.headers);
    }

    /** Returns the bytes of a part as pieces. @param {string} id @param {Part} part */
    async bytes(id, part) {
        return (await exchange(this.#fetch, `${this.#address}/${id}?part=${part}`, {}, readPieces)).content;
    }

    /**
     * Reads a page of the attachments.
     * @param {Record<string, string>} query
     * @returns {Promise<any>}
     */
    async page(query) {
        const { content } = await exchange(this.#fetch, `${this.#address}?${new URLSearchParams(query)}`, {});
        return JSON.parse(content);
    }
}

/** Returns the offset of an answer. @param {Headers | undefined} headers */
export const offsetOf = (headers) => offset(Number(headers?.get("Upload-Offset") ?? "-1"));

/** @param {unknown} value */
function offset(value) {
    if (!Number.isSafeInteger(value) || /** @type {number} */ (value) < 0)
        throw new UnexpectedAnswer("there is no offset");
    return /** @type {number} */ (value);
}

/**
 * @param {Response} response
 * @param {ResponseWatchdog} watchdog
 */
async function readPieces(response, watchdog) {
    /** @type {ArrayBuffer[]} */
    const pieces = [];
    let piece = new Uint8Array(pieceLength);
    let length = 0;
    if (!response.body) return pieces;
    for await (const chunk of chunks(response.body)) {
        watchdog.restart();
        for (let at = 0; at < chunk.length; ) {
            const part = chunk.subarray(at, at + pieceLength - length);
            piece.set(part, length);
            at += part.length;
            length += part.length;
            if (length < pieceLength) continue;
            pieces.push(piece.buffer);
            piece = new Uint8Array(pieceLength);
            length = 0;
        }
    }
    if (length > 0) pieces.push(piece.buffer.slice(0, length));
    return pieces;
}
