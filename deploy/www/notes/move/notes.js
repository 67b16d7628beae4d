/**
 * What every form of an export is made of: notes, the files that they are in, and names for those files.
 */

/**
 * A note on its way. Times are in milliseconds since 1970, null where nobody knows.
 * @typedef {{ id: string, title: string, body: string, tags: string[], pinned: boolean, trashed: boolean,
 *     createdAt: number | null, updatedAt: number | null }} MovedNote
 */

/** @typedef {{ path: string, bytes: Uint8Array }} MovedFile its path with slashes, relative and without `..` */

/**
 * Something that does not come in, or not as it is. `what` is one of the reasons that the page and the command line have
 * words for.
 * @typedef {{ source: string, what: string, detail: string }} Remark
 */

/** @typedef {{ notes: { note: MovedNote, source: string }[], remarks: Remark[] }} Found */

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

/** @param {string} id */
export const isID = (id) => /^[A-Za-z0-9_-]{1,64}$/.test(id);

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
 * The text of a file; null where it is none.
 * @param {Uint8Array} bytes
 */
export function text(bytes) {
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        return null;
    }
}

/** @param {string} text in lower case, character by character */
export const lowered = (text) => [...text].map((character) => character.toLowerCase()).join("");

const reserved = new Set(
    [".", "..", "con", "prn", "aux", "nul"].concat(
        [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((number) => [`com${number}`, `lpt${number}`]),
    ),
);

/**
 * A title as the name of a file, as Joplin makes it: on every system, and still readable.
 * @param {string} title
 */
export function fileName(title) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    let name = title.replace(/[/<>:'"\\|?*#\u0000-\u001f]/g, "_");
    if (reserved.has(lowered(name))) name = "___";
    name = name.replace(/[ .]+$/, "").replace(/^ +/, "");
    if (name === "") return "Untitled";
    return name.slice(0, 50).replace(/[\ud800-\udbff]$/, "");
}

/** Names of files, each once, also where upper and lower case are the same. */
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
            if (this.taken.has(lowered(name))) continue;
            this.taken.add(lowered(name));
            return name;
        }
    }
}
