/** References to attachments in texts, such as `![A plan](attachments/<id>.png)`. */
import { escaped } from "../markdown/escapes.js";

/** The folder, with the id after it, which may end with the name of the folder; what follows the id is ignored. */
const pattern = "attachments/(?=([a-z2-7]{26})(?![a-z2-7]))";
const anywhere = new RegExp(pattern, "g");
const atStart = new RegExp(`^${pattern}`);

const digits = "abcdefghijklmnopqrstuvwxyz234567";

/** The largest picture that is drawn, in pixels. */
export const maxPixels = 50_000_000;

/** Returns the id that a link's target refers to, or null for any other target. @param {string} target */
export const attachmentOf = (target) => atStart.exec(target)?.[1] ?? null;

/** Returns the ids that a text refers to. @param {string} text @returns {Set<string>} */
export const attachmentsIn = (text) =>
    text.includes("attachments/") ? new Set([...text.matchAll(anywhere)].map(([, id]) => id)) : new Set();

/** Returns the id of 16 random bytes. @param {Uint8Array} bytes */
export function attachmentID(bytes) {
    let [id, value, bits] = ["", 0, 0];
    for (const byte of bytes) {
        value = (value << 8) | byte;
        for (bits += 8; bits >= 5; bits -= 5) id += digits[(value >> (bits - 5)) & 31];
        value &= (1 << bits) - 1;
    }
    return id + digits[(value << (5 - bits)) & 31];
}

/** Returns the ending of a file's name, such as `.pdf`, or nothing. @param {string} name */
export const endingOf = (name) => /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0].toLowerCase() ?? "";

/**
 * Returns the Markdown that shows a picture or links to a file.
 * @param {{ id: string, name: string }} attachment
 * @param {boolean} isPicture
 * @param {string} [words] the alternative text or the words of the link; the default is the name
 */
export function referenceTo({ id, name }, isPicture, words) {
    const target = `attachments/${id}${endingOf(name)}`;
    if (!isPicture) return `[${escaped(words ?? name)}](${target})`;
    // Browsers name each pasted picture alike.
    const said = /^(?:image|unknown)\.\w+$/.test(name) ? "" : name.slice(0, name.length - endingOf(name).length);
    return `![${escaped(words ?? said)}](${target})`;
}

/**
 * Returns a text with other ids in its references.
 * @param {string} text
 * @param {Map<string, string>} ids new ids by the ids in the text; other ids stay
 */
export const withOtherIDs = (text, ids) =>
    ids.size === 0 ? text : text.replace(/(?<=attachments\/)[a-z2-7]{26}(?![a-z2-7])/g, (id) => ids.get(id) ?? id);

/**
 * Returns the Markdown of a picture with another alternative text.
 * @param {string} source the whole reference, such as `![A plan](attachments/<id>.png)`
 * @param {string} words
 */
export function withAltText(source, words) {
    const target = source.lastIndexOf("](attachments/");
    const written = escaped(words.replace(/\s+/g, " ").trim());
    return source.startsWith("![") && target > 0 ? `![${written}${source.slice(target)}` : source;
}
