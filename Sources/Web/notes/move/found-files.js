/** The files that imported notes refer to, with the limits of an import. */

import { extensionOf, pictureType } from "../attachments/pictures.js";
import { attachmentID, referenceTo } from "../attachments/references.js";
import { MoveFailure } from "./portable-notes.js";

/** @import { PortableFile, Remark } from "./portable-notes.js" */

/**
 * A file with the id that it gets, which is derived from its bytes: the same import has the same ids again.
 * @typedef {{ id: string, sha256: string, name: string, type: string, isPicture: boolean, read: () => Promise<Uint8Array> }} FoundFile
 */

/** The limits of an import: the size of all files, in bytes, and their number. */
const limits = { total: 1 << 30, count: 10_000 };
/** The server's usual limit on a file, in bytes. */
const usualMaxBytes = 25 << 20;

const ownName = /^([a-z2-7]{26})(?:\.\w{1,8})?$/;
/** The types of files by their endings. */
const types = new Map(
    Object.entries({
        ...{ pdf: "application/pdf", zip: "application/zip", txt: "text/plain", csv: "text/csv", svg: "image/svg+xml" },
        ...{ heic: "image/heic", mp3: "audio/mpeg", m4a: "audio/mp4", ogg: "audio/ogg", wav: "audio/wav" },
        ...{ "3gp": "video/3gpp", mp4: "video/mp4", mov: "video/quicktime", webm: "video/webm" },
    }),
);

/** Returns a name for a file of a type. @param {string} type */
export function nameOfType(type) {
    const ending = [...types].find(([, each]) => each === type)?.[0];
    return ending ? `file.${ending}` : "file";
}

/** Returns the name of a file, without its folders. @param {string} path */
export const baseName = (path) => path.replace(/^.*\//s, "");

/** Returns the id after an id that is taken. @param {string} id */
export async function followingID(id) {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
    return attachmentID(new Uint8Array(hash, 0, 16));
}

export class FoundFiles {
    /** @type {Map<string, FoundFile>} the files by their new ids */
    byID = new Map();
    /** @type {Map<string, FoundFile>} the files by the ids that an export by Almanac has given them */
    byOwnID = new Map();
    /** @type {Remark[]} the files that are left out */
    remarks = [];
    /** @type {Map<PortableFile, Promise<FoundFile | null>>} */
    #taken = new Map();
    #bytes = 0;

    /** @param {number | null} [maxBytes] the server's limit on a file, in bytes, or null while it is unknown */
    constructor(maxBytes = null) {
        this.maxBytes = maxBytes ?? usualMaxBytes;
    }

    /**
     * Takes a file that a note refers to. Returns null for a file that is left out.
     * @param {PortableFile} file
     * @param {string} [name] the name that people see
     */
    take(file, name = baseName(file.path)) {
        const known = this.#taken.get(file);
        if (known) return known;
        const taken = this.#read(file, name);
        this.#taken.set(file, taken);
        return taken;
    }

    /** Returns true if a note refers to the file. @param {PortableFile | undefined} file */
    has(file) {
        return file !== undefined && this.#taken.has(file);
    }

    /**
     * Returns the Markdown of a reference, or null for a file that is left out.
     * @param {PortableFile} file
     * @param {string} [name]
     */
    async reference(file, name) {
        const found = await this.take(file, name);
        return found && referenceTo({ id: this.idOf(file, found), name: found.name }, found.isPicture);
    }

    /**
     * Returns the id for a note's text. A file of an export by Almanac keeps its id until the import is planned.
     * @param {PortableFile} file
     * @param {FoundFile} found
     */
    idOf(file, found) {
        const [, id] = ownName.exec(baseName(file.path)) ?? [];
        if (id) this.byOwnID.set(id, found);
        return id ?? found.id;
    }

    /** @param {PortableFile} file @param {string} name @returns {Promise<FoundFile | null>} */
    async #read({ path, read, size = 0 }, name) {
        const refuse = (/** @type {string} */ what) => {
            this.remarks.push({ source: path, what, detail: "" });
            return null;
        };
        if (!read || size === 0) return refuse("file-empty");
        if (size > this.maxBytes) return refuse("file-too-large");
        if (this.#bytes + size > limits.total || this.byID.size >= limits.count) return refuse("file-no-room");
        this.#bytes += size;
        let bytes;
        try {
            bytes = await read();
        } catch (failure) {
            if (!(failure instanceof MoveFailure || failure instanceof DOMException)) throw failure;
            return refuse(failure instanceof MoveFailure ? failure.what : "file-unread");
        }
        const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
        const id = attachmentID(hash.slice(0, 16));
        const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        const picture = pictureType(bytes);
        const ending = /\.(\w{1,8})$/.exec(name)?.[1].toLowerCase();
        const type = picture ?? types.get(ending ?? "") ?? "application/octet-stream";
        const found = {
            ...{ id, sha256, type, isPicture: picture !== null, read },
            name: picture && !ending ? `${name}.${extensionOf(picture)}` : name,
        };
        if (!this.byID.has(id)) this.byID.set(id, found);
        return this.byID.get(id) ?? found;
    }
}
