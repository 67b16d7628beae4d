/**
 * Turns the references of imported notes to files into references to attachments: links and pictures with the path of a
 * file, HTML's pictures, and embedded files of Obsidian (`![[photo.png|300]]`). An export writes paths of files.
 *
 * Code stays as it is, except for the references of an export by Almanac, which count anywhere.
 */

import { attachmentsIn, endingOf, referenceTo } from "../attachments/references.js";
import { decoded } from "../markdown/decoding.js";
import { baseName } from "./found-files.js";
import { folded } from "./portable-notes.js";
import { code, startOf } from "./wiki-links.js";

/** @import { FoundFiles } from "./found-files.js" */
/** @import { PortableFile, PortableNote } from "./portable-notes.js" */
/** @import { PlacedNote } from "./wiki-links.js" */

const target = String.raw`(<[^<>\n]+>|(?:[^()\s<>]|\([^()\s<>]*\))+)`;
/** Code, an embedded file, the end of a link with Obsidian's size of a picture, a picture in HTML, or a definition. */
const pattern = new RegExp(
    [
        ...code,
        String.raw`(?<embed>!?)\[\[(?<wiki>[^[\]\n|]+?)(?:\\?\|(?<words>[^[\]\n]*))?\]\]`,
        String.raw`(?:\\?\|\d{1,5}(?:x\d{1,5})?)?\]\([ \t]*(?<link>${target})`,
        String.raw`<img\b[^<>]*?\bsrc=(?:"(?<double>[^"<>]*)"|'(?<single>[^'<>]*)')[^<>]*>`,
        String.raw`(?<start>^ {0,3}\[[^[\]\n]+\]:[ \t]*)(?<definition>${target})`,
    ].join("|"),
    "gim",
);
/** The words of a reference by Almanac, and its id. */
const ownReference = /\[((?:\\.|[^\\[\]\n])*)\]\(attachments\/([a-z2-7]{26})/g;
/** The path of a file in an export by Almanac. */
export const ownPath = /(?:^|\/)attachments\/([a-z2-7]{26})(?:\.\w{1,8})?$/;
/** A reference with its ending, as programs open it. */
const shownReference = /attachments\/(?=([a-z2-7]{26})(?![a-z2-7])((?:\.[A-Za-z0-9]{1,8}\b)?))/g;
/** Code, or such a reference in a link, a picture or a definition. */
const shownLink = new RegExp(
    [
        ...code,
        String.raw`(\]\([ \t]*<?|^ {0,3}\[[^[\]\n]+\]:[ \t]*<?|\bsrc=["'])attachments/([a-z2-7]{26}(?![a-z2-7]))`,
    ].join("|"),
    "gm",
);
const isScheme = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;
const looksLikeFile = /\.(?:avif|gif|heic|jpe?g|png|svg|webp|pdf|m4a|mov|mp3|mp4|ogg|wav|webm|docx?|pptx?|xlsx?|zip)$/i;

/**
 * Replaces the references to files in the notes' texts. Returns the references without a file, by note.
 * @param {PlacedNote[]} all
 * @param {Map<string, PortableFile>} files the files by path
 * @param {FoundFiles} found
 */
export async function linkFiles(all, files, found) {
    /** @type {Map<PortableNote, string[]>} */
    const lost = new Map();
    const index = new FileIndex(files);
    for (const { note, path, filePath, isOurs } of all) {
        await takeOwn(note.body, index, found);
        if (isOurs) continue;
        const from = startOf(note.body);
        /** @type {Set<string>} */
        const names = new Set();
        let text = note.body.slice(0, from);
        let at = from;
        for (const match of note.body.slice(from).matchAll(pattern)) {
            const written = await replaced(match, filePath ?? path, index, found, names);
            text += note.body.slice(at, from + match.index) + (written ?? match[0]);
            at = from + match.index + match[0].length;
        }
        note.body = text + note.body.slice(at);
        if (names.size > 0) lost.set(note, [...names]);
    }
    return lost;
}

/** Takes the files of an export by Almanac that a text refers to. @param {string} body @param {FileIndex} index @param {FoundFiles} found */
async function takeOwn(body, index, found) {
    const ids = attachmentsIn(body);
    if (ids.size === 0) return;
    const words = new Map([...body.matchAll(ownReference)].map(([, words, id]) => [id, words]));
    for (const id of ids) {
        const file = index.own.get(id);
        if (!file?.read) continue;
        const said = (words.get(id) ?? "").replace(/\\(.)/g, "$1").trim();
        const ending = endingOf(file.path);
        const name = said === "" ? baseName(file.path) : said.toLowerCase().endsWith(ending) ? said : said + ending;
        const taken = await found.take(file, name);
        if (taken) found.byOwnID.set(id, taken);
    }
}

/**
 * Returns the text in place of a reference, or null where it stays.
 * @param {RegExpExecArray} match
 * @param {string} path the path of the note's file
 * @param {FileIndex} index
 * @param {FoundFiles} found
 * @param {Set<string>} lost receives the names of missing files
 */
async function replaced({ groups = {}, 0: source }, path, index, found, lost) {
    const { embed, wiki, words, link, double, single, start, definition } = groups;
    const html = double ?? single;
    const name = wiki ?? link ?? definition ?? html?.replace(/&(?:amp|#\d{1,7}|quot);/g, decoded);
    if (name === undefined || isScheme.test(name.replace(/^</, ""))) return null;
    const file = wiki ? index.named(wiki, path) : index.placed(name.replace(/^<|>$/g, ""), path);
    if (!file) {
        const bare = name.replace(/^<|>$/g, "").replace(/[#?].*$/s, "");
        if (looksLikeFile.test(bare) && !ownPath.test(bare) && (!wiki || embed)) lost.add(bare);
        return null;
    }
    const taken = file.read && (await found.take(file));
    if (!taken) return null;
    const id = found.idOf(file, taken);
    const target = `attachments/${id}${endingOf(file.path)}`;
    if (link) return `](${target}`;
    if (definition) return `${start}${target}`;
    if (html !== undefined) {
        const [, one, other] = /\balt=(?:"([^"]*)"|'([^']*)')/i.exec(source) ?? [];
        return referenceTo({ id, name: file.path }, taken.isPicture, decoded(one ?? other ?? ""));
    }
    const said = (words ?? "").replace(/(?:^|\\?\|)\d{1,5}(?:x\d{1,5})?$/, "").trim();
    const isShown = Boolean(embed) && taken.isPicture;
    return referenceTo({ id, name: taken.name }, isShown, said || undefined);
}

/** Finds a file by its path, or by the end of its path. */
class FileIndex {
    /** @type {Map<string, PortableFile>} */
    #byPath = new Map();
    /** @type {Map<string, PortableFile>} the file with the shortest path that ends with a key */
    #byEnd = new Map();
    /** @type {Map<string, PortableFile>} the files of an export by Almanac, by id */
    own = new Map();

    /** @param {Map<string, PortableFile>} files */
    constructor(files) {
        const inOrder = [...files].sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1));
        for (const [path, file] of inOrder) {
            const key = folded(path);
            if (!this.#byPath.has(key)) this.#byPath.set(key, file);
            // A path may be long: files are found by their names and two folders above.
            const parts = key.split("/");
            for (const count of [1, 2, 3]) {
                const end = parts.slice(-count).join("/");
                if (!this.#byEnd.has(end)) this.#byEnd.set(end, file);
            }
            const [, id] = ownPath.exec(path) ?? [];
            if (id && !this.own.has(id)) this.own.set(id, file);
        }
    }

    /** Returns the file at a path that is relative to a note's file, or to the top. @param {string} target @param {string} path */
    placed(target, path) {
        const bare = target.replace(/[?#].*$/s, "");
        const folder = path.replace(/[^/]*$/, "");
        for (const name of new Set([unescaped(bare), bare, unescaped(target)]))
            for (const place of name.startsWith("/") ? [name] : [folder + name, name]) {
                const found = this.#byPath.get(folded(resolved(place)));
                if (found) return found;
            }
        return null;
    }

    /** Returns the file that an embedding of Obsidian names. @param {string} target @param {string} path */
    named(target, path) {
        const bare = target.replace(/#.*$/s, "").trim();
        return bare === "" ? null : (this.placed(bare, path) ?? this.#byEnd.get(folded(resolved(bare))) ?? null);
    }
}

/** Decodes an address and Markdown's escapes. @param {string} target */
function unescaped(target) {
    const plain = target.replace(/\\([!-/:-@[-`{-~])/g, "$1");
    try {
        return decodeURIComponent(plain);
    } catch {
        // A name may contain a percent sign.
        return plain;
    }
}

/** Resolves `.` and `..` in a path. @param {string} path */
function resolved(path) {
    /** @type {string[]} */
    const parts = [];
    for (const part of path.split("/")) {
        if (part === "..") parts.pop();
        else if (part !== "" && part !== ".") parts.push(part);
    }
    return parts.join("/");
}

/**
 * Returns the files that texts refer to, by path: the id with what follows it in a text, so that links lead to files.
 * @param {PortableNote[]} notes
 * @param {string} folder
 * @returns {Map<string, string>} the ids by path
 */
export function attachedPaths(notes, folder) {
    /** @type {Map<string, string>} */
    const paths = new Map();
    for (const { body } of notes)
        for (const [, id, ending] of body.matchAll(shownReference)) paths.set(`${folder}/${id}${ending}`, id);
    return paths;
}

/**
 * Replaces the folder in the references that programs open, which are links, pictures and definitions outside of code.
 * @param {string} body
 * @param {string} folder the path of the folder with the files
 */
export const withFolder = (body, folder) =>
    body.replace(shownLink, (whole, _fence, _code, before, rest) => (before ? `${before}${folder}/${rest}` : whole));
