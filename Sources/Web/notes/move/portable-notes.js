/** The parts of every format: notes, files, and file names. */

/** @import { FoundFiles } from "./found-files.js" */

/**
 * A note in transfer. Times are in milliseconds since 1970, or null if unknown.
 * @typedef {{ id: string, title: string, body: string, tags: string[], pinned: boolean, trashed: boolean,
 *     createdAt: number | null, updatedAt: number | null }} PortableNote
 */

/**
 * A file with a relative path: slashes, no `..`. `time` is the last change in milliseconds since 1970, if known. `blob`
 * is the content of a file that is read as a stream, instead of `bytes`. `read` returns the content of a file of `size`
 * bytes that is only read where a note refers to it. `attachment` is the id of an attached file in an export.
 * @typedef {{ path: string, bytes: Uint8Array, time?: number | null, blob?: Blob, size?: number,
 *     attachment?: string, read?: () => Promise<Uint8Array> }} PortableFile
 */

/**
 * A remark on something that is left out or changed. `what` is a reason for which the page and the command line have
 * texts.
 * @typedef {{ source: string, what: string, detail: string }} Remark
 */

/** `attached` has the files that the notes refer to. */
/** @typedef {{ notes: { note: PortableNote, source: string }[], remarks: Remark[], attached?: FoundFiles }} Found */

/** The maximum size of a file, in bytes; larger files are left out. */
export const maxFileBytes = 64 << 20;

/** The tag of archived notes, because Almanac has no archive. */
export const archived = "archived";

/** An export that cannot be read at all. */
export class MoveFailure extends Error {
    /**
     * @param {string} what a reason for which there are texts
     * @param {string} [detail]
     */
    constructor(what, detail = "") {
        super(`${what} ${detail}`);
        this.what = what;
        this.detail = detail;
    }
}

/**
 * Returns a reproducible id derived from a text that identifies the note in its source.
 * @param {string} prefix
 * @param {string} text
 */
export async function derivedID(prefix, text) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return prefix + [...digest.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Decodes a file in UTF-8, or in UTF-16 with a byte order mark, as on Windows. Returns null if it is not text.
 * @param {Uint8Array} bytes
 */
export function text(bytes) {
    const mark = (bytes[0] << 8) | bytes[1];
    const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
    try {
        return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
        return null;
    }
}

/** Returns true for the address of a page or a mailbox. @param {string} address */
export const isAddress = (address) => /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(address);

/** Returns a text in lower case, character by character. @param {string} text */
export const lowered = (text) => [...text].map((character) => character.toLowerCase()).join("");

/**
 * Returns a key that is the same for texts which differ only in letter case or in Unicode normalization.
 * @param {string} text
 */
export const folded = (text) => lowered(text.normalize().toUpperCase());

/** Names that Windows reserves for devices, with or without an extension. */
export const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?= *(?:\.|$))/i;

/** Returns a file name for a title in Joplin's way: valid on every system and still readable. @param {string} title */
export function fileName(title) {
    if (/^\.\.?$/.test(title)) return "___";
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    const fit = title.replace(/[/<>:'"\\|?*#\u0000-\u001f]/g, "_").replace(/^ +/, "");
    // Files of macOS begin with this prefix and are skipped at import.
    const name = fit
        .replace(/^\._/, "__")
        .slice(0, 50)
        .replace(/[\ud800-\udbff]$/, "")
        .replace(/[ .]+$/, "");
    if (name === "") return "Untitled";
    const [reserved] = device.exec(name) ?? [];
    if (reserved === undefined) return name;
    return reserved === name ? "___" : `${reserved}_${name.slice(reserved.length)}`;
}

/** Makes file names unique, ignoring letter case and Unicode normalization. */
export class FileNames {
    constructor() {
        /** @type {Set<string>} */
        this.taken = new Set();
    }

    /**
     * @param {string} path the path without the extension
     * @param {string} ending
     * @param {(count: number) => string} [suffix]
     */
    unique(path, ending, suffix = (count) => `-${count}`) {
        for (let count = 0; ; count += 1) {
            const name = `${path}${count ? suffix(count) : ""}${ending}`;
            if (this.taken.has(folded(name))) continue;
            this.taken.add(folded(name));
            return name;
        }
    }
}
