/**
 * Google Keep's export by Takeout: a JSON file for each note, with an HTML file of the same text and pictures beside it.
 *
 * The folder's name depends on the language, so the fields of a file identify a note. Texts are plain and stay unchanged.
 */

import { addressText, escaped } from "../markdown/escapes.js";
import { sortedTags } from "../sync/text.js";
import { FoundFiles } from "./found-files.js";
import { guarded } from "./markdown-form.js";
import { archived, derivedID, isAddress, text } from "./portable-notes.js";

/** @import { Found, PortableFile, PortableNote } from "./portable-notes.js" */

/** The maximum size of a note's file, in bytes; Keep's notes have at most 20,000 characters. */
const maxKeepBytes = 4 << 20;
const lastYear = Date.UTC(9999, 11, 31);

/** Returns true for a file of an archive by Takeout that may be a note. @param {string} path */
export const isInTakeout = (path) => /(?:^|\/)Takeout\/[^/]+\/[^/]+\.json$/.test(path);

/**
 * Returns true for a file that may be a note: in an archive by Takeout, in a folder, or alone.
 * @param {string} path
 * @param {number} size
 */
export const mayBeKeep = (path, size) =>
    size <= maxKeepBytes && (isInTakeout(path) || /^(?:[^./][^/]*\/)?[^/]+\.json$/i.test(path));

/**
 * Reads all notes of Keep among files. Returns the other files too.
 * @param {PortableFile[]} files
 * @param {FoundFiles} [attached] receives the files of notes
 * @returns {Promise<Found & { others: PortableFile[] }>}
 */
export async function readKeep(files, attached = new FoundFiles()) {
    /** @type {Found} */
    const found = { notes: [], remarks: [] };
    const paths = new Map(files.map((file) => [file.path, file]));
    /** @type {Set<string>} */
    const used = new Set();
    const ids = new Set();
    for (const { path, bytes } of files.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
        if (!mayBeKeep(path, bytes.length)) continue;
        const remark = (/** @type {string} */ what, detail = "") => found.remarks.push({ source: path, what, detail });
        const page = path.replace(/json$/i, "html");
        const entry = parsed(bytes);
        if (entry === undefined && paths.has(page)) remark("damaged");
        else if (!isKeep(entry)) continue;
        else {
            const note = await readNote(entry, path, ids);
            const folder = path.replace(/[^/]*$/, "");
            /** @type {string[]} */
            const references = [];
            for (const { filePath } of list(entry.attachments)) {
                const name = textOf(filePath);
                const [file] = namesOf(name).flatMap((each) => paths.get(folder + each) ?? []);
                const reference = file?.read && (await attached.reference(file));
                if (reference) references.push(reference);
                else if (!file) remark("file-missing", name);
                for (const each of namesOf(name)) used.add(folder + each);
            }
            note.body = [note.body, ...references].filter((part) => part !== "").join("\n\n");
            if (note.title === "" && note.body === "") remark("no-text");
            else found.notes.push({ note, source: path });
            if (entry.isArchived) remark("archived");
            const lost = detailsOf(entry);
            if (lost.length > 0) remark("details", lost.join(", "));
        }
        for (const each of [path, page, path.replace(/[^/]*$/, "Labels.txt")]) used.add(each);
    }
    return { ...found, others: files.filter(({ path }) => !used.has(path)) };
}

/** Returns the names that a picture may have: Takeout writes `.jpeg` into the note of a file that ends with `.jpg`. */
const namesOf = (/** @type {string} */ name) => [name, name.replace(/\.jpeg$/, ".jpg")];

/** Returns the value of a JSON file, or undefined if it is damaged. @param {Uint8Array} bytes */
function parsed(bytes) {
    try {
        return JSON.parse(text(bytes) ?? "");
    } catch {
        return undefined;
    }
}

/** @param {any} entry */
const isKeep = (entry) =>
    typeof entry?.isTrashed === "boolean" && typeof entry.isArchived === "boolean" && typeof entry.title === "string";

/** @param {unknown} value */
const textOf = (value) => (typeof value === "string" ? value : "");

/** @param {unknown} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : []);

/**
 * @param {any} entry
 * @param {string} path
 * @param {Set<unknown>} ids the ids of the notes before
 * @returns {Promise<PortableNote>}
 */
async function readNote(entry, path, ids) {
    const createdAt = timeOf(entry.createdTimestampUsec);
    const updatedAt = timeOf(entry.userEditedTimestampUsec);
    const labels = list(entry.labels).flatMap(({ name }) => (typeof name === "string" ? name : []));
    const body = bodyOf(entry);
    // Exports before 2021 have no time of creation.
    let id = await derivedID("keep-", createdAt === null ? path : String(entry.createdTimestampUsec));
    if (ids.has(id)) id = await derivedID("keep-", `${entry.createdTimestampUsec}\n${path}\n${entry.title}\n${body}`);
    ids.add(id);
    return {
        id,
        title: entry.title.replace(/\s+/g, " ").trim(),
        body: guarded(body),
        tags: sortedTags(entry.isArchived ? [...labels, archived] : labels),
        pinned: entry.isPinned === true,
        trashed: entry.isTrashed,
        createdAt: createdAt ?? updatedAt,
        updatedAt: updatedAt ?? createdAt,
    };
}

/** Returns the details that notes here lack. @param {any} entry */
function detailsOf({ color, sharees, textContentHtml }) {
    const isFormatted =
        /<h[1-6]|font-weight:\s*(?:bold|[6-9]00)|font-style:\s*italic|text-decoration:\s*(?:underline|line)/;
    return [
        typeof color === "string" && color !== "DEFAULT" ? "color" : [],
        list(sharees).length > 0 ? "sharing" : [],
        typeof textContentHtml === "string" && isFormatted.test(textContentHtml) ? "formatting" : [],
    ].flat();
}

/** Returns the text, the tasks, and the links that the text lacks. @param {any} entry */
function bodyOf(entry) {
    const written = textOf(entry.textContent).replaceAll("\r\n", "\n").replace(/\n+$/, "");
    const tasks = list(entry.listContent)
        .map(({ text, isChecked }) => `- [${isChecked === true ? "x" : " "}] ${textOf(text).replace(/\n/g, "\n  ")}`)
        .join("\n");
    const links = list(entry.annotations)
        .filter(({ url }) => typeof url === "string" && !`${written}\n${tasks}`.includes(url))
        .map(({ title, url }) => link(textOf(title), url))
        .join("\n");
    return [written, tasks, links].filter((part) => part !== "").join("\n\n");
}

/** Returns a link, or only the words if the target is no address. @param {string} title @param {string} target */
function link(title, target) {
    const words = title.replace(/\s+/g, " ").trim() || target;
    if (words === target) return words;
    return isAddress(target) ? `[${escaped(words)}](${addressText(target)})` : `${escaped(words)}: ${target}`;
}

/** Converts microseconds since 1970. Returns null for no time. @param {unknown} value */
function timeOf(value) {
    const time = Math.floor(Number(value) / 1000);
    return time > 0 && time <= lastYear ? time : null;
}
