/**
 * What every form of an export is made of: notes, the files that they are in, and names for those files.
 */

/**
 * A note on its way. Times are in milliseconds since 1970, null where nobody knows.
 * @typedef {{ id: string, title: string, body: string, tags: string[], pinned: boolean, trashed: boolean,
 *     createdAt: number | null, updatedAt: number | null }} MovedNote
 */

/**
 * Its path with slashes, relative and without `..`; `time` of its last change in milliseconds since 1970, where known.
 * @typedef {{ path: string, bytes: Uint8Array, time?: number | null }} MovedFile
 */

/**
 * Something that does not come in, or not as it is. `what` is one of the reasons that the page and the command line have
 * words for.
 * @typedef {{ source: string, what: string, detail: string }} Remark
 */

/** @typedef {{ notes: { note: MovedNote, source: string }[], remarks: Remark[] }} Found */

/** The size of one file, in bytes; larger ones are left out. */
export const largestFile = 64 << 20;

/** An export that cannot be read at all. */
export class MoveFailure extends Error {
    /**
     * @param {string} what one of the reasons that there are words for
     * @param {string} [detail]
     */
    constructor(what, detail = "") {
        super(`${what} ${detail}`);
        this.what = what;
        this.detail = detail;
    }
}

/**
 * An id that is the same each time, of whatever tells a note from others where it comes from.
 * @param {string} prefix
 * @param {string} text
 */
export async function derivedID(prefix, text) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return prefix + [...digest.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Decodes a file in UTF-8, or in UTF-16 with a byte order mark as Windows writes it; null where it is no text.
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

/** @param {string} text in lower case, character by character */
export const lowered = (text) => [...text].map((character) => character.toLowerCase()).join("");

/**
 * A text as it is compared where letter case and the way in which accents are written make no difference.
 * @param {string} text
 */
export const folded = (text) => lowered(text.normalize().toUpperCase());

/** Names that Windows keeps for devices, also in front of an ending. */
export const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?= *(?:\.|$))/i;

/**
 * A title as the name of a file, as Joplin makes it: on every system, and still readable.
 * @param {string} title
 */
export function fileName(title) {
    if (/^\.\.?$/.test(title)) return "___";
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    const fit = title.replace(/[/<>:'"\\|?*#\u0000-\u001f]/g, "_").replace(/^ +/, "");
    // Files of Macs' own begin like this, and do not come in again.
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

/** Names of files, each once, also where letter case and the way in which accents are written make no difference. */
export class FileNames {
    constructor() {
        /** @type {Set<string>} */
        this.taken = new Set();
    }

    /**
     * @param {string} path without its ending
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
