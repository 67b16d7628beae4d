/** Copies files of another account in this browser, whose text was pasted into a note. */

import { addFile, Unfit } from "./adding.js";
import { attachmentSchema, attachmentsName } from "./attachment-view.js";

/** @import { Account } from "../account/accounts.js" */
/** @import { Keeper } from "./adding.js" */
/** @import { Attachment, AttachmentView } from "./attachment-view.js" */

/**
 * The attachments of another account. `file` returns null unless the bytes are on this device.
 * @typedef {object} Source
 * @property {(ids: string[]) => Promise<(Attachment | null)[]>} attachments
 * @property {(id: string) => Promise<ArrayBuffer | null>} file
 */

/**
 * The references in a pasted text.
 * @typedef {object} PastedReferences
 * @property {(id: string) => boolean} has returns false once the text is closed or the reference is gone
 * @property {(id: string, other: string) => void} replace
 */

/**
 * Returns the attachments of another account that this account lacks or has removed.
 * @param {Iterable<string>} ids
 * @param {Pick<Keeper, "attachment">} engine
 * @param {Pick<Source, "attachments">} source
 */
export async function missingHere(ids, engine, source) {
    /** @type {string[]} */
    const missing = [];
    for (const id of ids) if (isFree(await engine.attachment(id))) missing.push(id);
    const found = missing.length > 0 ? await source.attachments(missing) : [];
    return found.flatMap((one) => (one === null || one.state === "removed" ? [] : [one]));
}

/**
 * Adds files of another account, one after the other, under their ids. A file that this account has removed gets a new
 * id. Returns the names of files that are not on this device, and true if a reference to a removed file is gone.
 * @param {Attachment[]} files
 * @param {Keeper} engine
 * @param {Source | null} source null after its user signed out
 * @param {PastedReferences} pasted
 */
export async function copyFiles(files, engine, source, pasted) {
    /** @type {string[]} */
    const away = [];
    let isChanged = false;
    for (const { id, name, type } of files) {
        const own = await engine.attachment(id);
        if (!isFree(own)) continue;
        if (own && !pasted.has(id)) {
            isChanged = true;
            continue;
        }
        const bytes = await source?.file(id);
        if (!bytes) {
            away.push(name);
            continue;
        }
        const given = { bytes, type, name, ...(own ? {} : { id }) };
        const added = await addFile(engine, given).catch((failure) => {
            // The other account kept the damaged picture as a file.
            if (failure instanceof Unfit) return addFile(engine, given, { asFile: true });
            throw failure;
        });
        if (own) pasted.replace(id, added.id);
    }
    return { away, isChanged };
}

/** @param {Attachment | null} own */
const isFree = (own) => own === null || own.state === "removed";

/** The attachments' database of another account in this browser. */
export class OtherAttachments {
    #name;

    /** @param {Account} account */
    constructor({ environment, name }) {
        this.#name = attachmentsName(environment, name);
    }

    /** @param {string[]} ids */
    async attachments(ids) {
        return (await this.#read((view) => Promise.all(ids.map((id) => view.attachment(id))))) ?? [];
    }

    /** @param {string} id */
    async file(id) {
        const pieces = await this.#read(async (view) => {
            const known = await view.attachment(id);
            return known?.has.file ? await view.pieces(id, "file") : [];
        });
        return pieces && pieces.length > 0 ? await new Blob(pieces).arrayBuffer() : null;
    }

    /**
     * Reads in one transaction. Returns null if the database does not exist.
     * @template Result
     * @param {(view: AttachmentView) => Promise<Result>} body
     */
    async #read(body) {
        const database = await existing(this.#name);
        if (!database) return null;
        try {
            const { stores, view } = attachmentSchema;
            return await body(view(database.transaction(stores)));
        } finally {
            database.close();
        }
    }
}

/**
 * Opens a database in its version, or returns null without making it.
 * @param {string} name
 * @returns {Promise<IDBDatabase | null>}
 */
function existing(name) {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open(name);
        let isMissing = false;
        request.onupgradeneeded = () => {
            isMissing = true;
            request.transaction?.abort();
        };
        request.onerror = () => (isMissing ? resolve(null) : reject(request.error));
        request.onsuccess = () => resolve(request.result);
    });
}
