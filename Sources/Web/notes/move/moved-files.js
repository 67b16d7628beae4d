/** Stores the files of an import, and reads those of an export. */

import { addFile, readFile, Unfit } from "../attachments/adding.js";
import { MoveFailure } from "./portable-notes.js";

/** @import { Keeper } from "../attachments/adding.js" */
/** @import { FoundFile } from "./found-files.js" */
/** @import { Remark } from "./portable-notes.js" */

/**
 * Adds the files of an import, one after the other, so that only one is in memory. Returns remarks on the files that
 * cannot be read, and on damaged pictures.
 * @param {Keeper} engine
 * @param {FoundFile[]} files
 * @param {(done: number) => void} report runs after each file
 */
export async function addedFiles(engine, files, report) {
    /** @type {Remark[]} */
    const remarks = [];
    const remark = (/** @type {string} */ source, /** @type {string} */ what) =>
        remarks.push({ source, what, detail: "" });
    for (const [index, { id, name, type, read }] of files.entries()) {
        const bytes = await content(read);
        if (!bytes) remark(name, "file-unread");
        else {
            try {
                await addFile(engine, { id, bytes, type, name });
            } catch (failure) {
                if (!(failure instanceof Unfit)) throw failure;
                await addFile(engine, { id, bytes, type, name }, { asFile: true });
                remark(name, "file-as-is");
            }
        }
        report(index + 1);
    }
    return remarks;
}

/** Returns a file's bytes, or null if it has changed or gone since it was chosen. @param {FoundFile["read"]} read */
async function content(read) {
    try {
        const bytes = await read();
        return bytes.buffer.byteLength === bytes.length
            ? /** @type {ArrayBuffer} */ (bytes.buffer)
            : bytes.slice().buffer;
    } catch (failure) {
        if (failure instanceof MoveFailure || failure instanceof DOMException) return null;
        throw failure;
    }
}

/**
 * Returns a function that reads an attached file for an export, from this device or the server.
 * @param {Keeper} engine
 * @param {Remark[]} lost receives the files that cannot be read now
 */
export const contentOf = (engine, lost) => async (/** @type {string} */ id, /** @type {string} */ path) => {
    const file = await readFile(engine, id);
    if (!file) lost.push({ source: path, what: "file-not-here", detail: "" });
    return file ? new Uint8Array(file.bytes) : null;
};
