/**
 * Notes in files of Markdown: Almanac's own form, and what other programs write, with front matter or without.
 *
 * A folder, such as a notebook of Joplin's, becomes a tag that begins with a slash. What Almanac has no field for, such as
 * where a note was written, stays at the top of its text as front matter, and goes out again from there.
 */

import { isNoteID } from "../../shared/forms.js";
import { byCodePoints, sortedTags } from "../sync/text.js";
import { joined, scalar, split, time } from "./front-matter.js";
import { derivedID, FileNames, fileName, folded, text } from "./moved-notes.js";
import { isTable, splitTOML, withoutEmptyTables } from "./toml.js";

/** @import { Field } from "./front-matter.js" */
/** @import { Found, MovedFile, MovedNote } from "./moved-notes.js" */

const isNote = /\.(?:md|markdown)$/i;
const resources = "_resources";
/** Bear's backups have a folder for each note, with its text, its times and its attachments. */
const bundle = /^(.*\.textbundle)\/(?:(text\.\w+)|(info\.json)|assets\/.*)$/i;

/**
 * Reads the notes of a folder of Markdown files.
 * @param {MovedFile[]} files
 * @returns {Promise<Found>}
 */
export async function readMarkdown(files) {
    /** @type {Found} */
    const found = { notes: [], remarks: [] };
    const wrapper = wrapperOf(files);
    const isVault = files.some(({ path }) => /(?:^|\/)\.obsidian\//.test(path));
    const places = new Map(files.map((file, index) => [file, index]));
    const infos = new Map(files.map(({ path, bytes }) => [path.toLowerCase(), bytes]));
    /** @type {Map<MovedNote, number>} the places of notes that Almanac has written */
    const ours = new Map();
    /** @type {Map<string, string>} */
    const spellings = new Map();
    for (const file of files.toSorted(inNameOrder)) {
        // File systems of Apple hand out names with their accents apart.
        const path = (file.path.startsWith(wrapper) ? file.path.slice(wrapper.length) : file.path).normalize();
        const parts = path.split("/");
        const remark = (/** @type {string} */ what, detail = "") => found.remarks.push({ source: path, what, detail });
        const [, folder, bundled, isInfo] = bundle.exec(file.path) ?? [];
        if (isInfo) continue;
        if (parts.includes(resources) || (folder && !bundled)) remark("resource");
        else if (!isNote.test(path) || isSystems(parts)) remark("not-a-note");
        else {
            const content = text(file.bytes);
            if (content === null) remark("not-text");
            else {
                const { note, isOurs, kept, inText } = await readNote(path, content.replaceAll("\r\n", "\n"), isVault);
                found.notes.push({ note, source: path });
                if (isOurs) ours.set(note, places.get(file) ?? 0);
                else {
                    if (folder) takeInfo(note, infos.get(`${folder}/info.json`.toLowerCase()));
                    complete(note, file.time ?? null, spellings);
                }
                if (kept === null) remark("front-matter");
                else if (kept.length > 0) remark("fields", kept.join(", "));
                if (inText.length > 0) remark("text-tags", inText.join(", "));
            }
        }
    }
    // An archive of Almanac has its files in the order of the list.
    const place = (/** @type {{ note: MovedNote }} */ { note }) => ours.get(note) ?? 0;
    if (ours.size === found.notes.length) found.notes.sort((one, other) => place(one) - place(other));
    return found;
}

/**
 * Takes what Bear's backup says beside a note's text.
 * @param {MovedNote} note
 * @param {Uint8Array | undefined} info
 */
function takeInfo(note, info) {
    let bear;
    try {
        bear = JSON.parse(text(info ?? new Uint8Array()) ?? "")?.["net.shinyfrog.bear"];
    } catch {
        return;
    }
    const timeOf = (/** @type {unknown} */ value) => (typeof value === "string" ? time(value) : null);
    note.createdAt ??= timeOf(bear?.creationDate);
    note.updatedAt ??= timeOf(bear?.modificationDate);
    note.pinned ||= Number(bear?.pinned) === 1;
    note.trashed ||= Number(bear?.trashed) === 1;
}

/**
 * Gives a note that another program has written what its text doesn't say: its file's time, and one spelling for tags that
 * differ in letter case alone, which those programs take for one.
 * @param {MovedNote} note
 * @param {number | null} time the file's
 * @param {Map<string, string>} spellings of the tags so far, by their folded forms
 */
function complete(note, time, spellings) {
    note.updatedAt ??= time === null ? null : Math.max(time, note.createdAt ?? time);
    note.createdAt ??= note.updatedAt;
    note.tags = sortedTags(
        note.tags.map((tag) => {
            const key = folded(tag);
            if (!spellings.has(key)) spellings.set(key, tag);
            // Notebooks are folders, whose names may differ so.
            return tag.startsWith("/") ? tag : (spellings.get(key) ?? tag);
        }),
    );
}

/**
 * By name, and those of one name by the number behind it, so that they get the same numbers when they go out.
 * @param {MovedFile} one
 * @param {MovedFile} other
 */
function inNameOrder(one, other) {
    const [left, right] = [one, other].map(
        ({ path }) => /^(.*?)(?:-(\d{1,9}))?(\.[^./]*)?$/su.exec(path) ?? [path, path],
    );
    return (
        byCodePoints(left[1], right[1]) ||
        Number(left[2] ?? 0) - Number(right[2] ?? 0) ||
        byCodePoints(one.path, other.path)
    );
}

/**
 * Tells files of the system or of another program from those of the one who has made the notes.
 * @param {string[]} parts of its path
 */
const isSystems = (parts) =>
    parts.at(-1)?.startsWith("._") || parts.slice(0, -1).some((part) => part.startsWith(".") || part === "__MACOSX");

/**
 * Finds the folder that an export as a whole was put into: the one above its `_resources`, or above Obsidian's settings.
 * @param {MovedFile[]} files
 */
function wrapperOf(files) {
    const paths = files.map(({ path }) => path);
    // An archive that was made on a Mac has the system's files beside the folder.
    const own = paths.filter((path) => !isSystems(path.split("/")));
    const wrapper = /^[^/]+\//.exec(own[0] ?? "")?.[0] ?? "";
    const isAbove = [`${wrapper}${resources}/`, `${wrapper}.obsidian/`].some((folder) =>
        paths.some((path) => path.startsWith(folder)),
    );
    return isAbove && own.every((path) => path.startsWith(wrapper)) ? wrapper : "";
}

/**
 * Reads a file. `kept` names the fields that stay in the note's text; null where all of the front matter does. `inText` are
 * the tags that only the text has.
 * @param {string} path
 * @param {string} content
 * @param {boolean} isVault whether the file is one of Obsidian's
 */
async function readNote(path, content, isVault) {
    const parts = path
        .replace(/\.textbundle\/text(?=\.\w+$)/i, "")
        .replace(isNote, "")
        .split("/")
        // Notion puts the ids of its pages behind their names.
        .map((part) => part.replace(/ [0-9a-f]{32}$/, ""));
    const name = parts.at(-1) ?? "";
    const toml = splitTOML(content);
    const front = toml ?? split(content);
    const fileTitle = /^Untitled(-\d+)?$/.test(name) && front ? "" : name;
    /** @type {MovedNote} */
    const note = {
        id: "",
        title: fileTitle,
        body: front ? front.rest : content,
        tags: [],
        pinned: false,
        trashed: false,
        createdAt: null,
        updatedAt: null,
    };
    // A day of publication counts only where nothing else says when a note was made.
    const fields = (front?.fields ?? []).toSorted((one, other) => Number(isDate(one)) - Number(isDate(other)));
    // Other programs have ids of their own, which are not those of notes here; Almanac writes its own behind the title.
    const isOurForm = !toml && ["title", "id"].every((name, index) => front?.fields[index]?.name === name);
    const taken = new Set(fields.filter((field) => (isOurForm || !/^id$/i.test(field.name)) && take(field, note)));
    const kept = withoutEmptyTables((front?.fields ?? []).filter((field) => !taken.has(field)));
    const isOurs = note.id !== "";
    /** @type {string[]} */
    let inText = [];
    if (!isOurs) {
        const folder = parts.slice(0, -1).join("/");
        note.tags = note.tags.map((tag) => tag.replace(/^# */, "").replace(/^\//, "//"));
        // A template's title that nobody has filled in is none. Joplin writes none for untitled notes.
        const isTitle = (/** @type {Field} */ { name, value }) => name.toLowerCase() === "title" && value !== "";
        const hasTitle = fileTitle === "" || fields.some(isTitle);
        if (!hasTitle) note.title ||= fileTitle;
        const known = new Set(note.tags.map(folded));
        if ((isVault || !hasTitle) && /#[^\s#]/.test(note.body)) {
            // The parser of Markdown comes with the editor, which is large.
            const { tagsIn } = await import("./text-tags.js");
            inText = tagsIn(note.body).filter((tag) => !known.has(folded(tag)));
        }
        note.tags.push(...inText);
        if (!hasTitle) takeHeading(note);
        if (folder) note.tags.push(`/${folder}`);
        note.id = await derivedID("md-", `${path}\n${note.createdAt ?? ""}`);
    }
    const isGuarded = !isOurs && lifted(note.body, () => true).rest !== note.body;
    if (kept.length > 0 || isGuarded) {
        const lines = kept.flatMap((field) => field.lines);
        note.body = joined(lines, note.body, toml && kept.length > 0 ? "+++" : "---");
    }
    note.tags = sortedTags(note.tags);
    const names = kept.filter((field) => !isTable(field)).map(({ name, lines }) => name || lines[0].trim());
    return { note, isOurs, inText, kept: front !== null || !/^(?:---|\+\+\+)[ \t]*\n/.test(content) ? names : null };
}

/**
 * Takes a note's title from the heading that its text begins with, where the file is named after it: names of files lack
 * some characters, or the end. Bear, Notion and others write such a heading, which would be there twice.
 * @param {MovedNote} note
 */
function takeHeading(note) {
    const end = note.body.indexOf("\n");
    const line = end < 0 ? note.body : note.body.slice(0, end);
    const heading = /^# +(\S.*)$/.exec(line)?.[1].trim().replace(/ #+$/, "") ?? "";
    const [title, name] = [heading, note.title].map((each) => folded(each).replace(/[^\p{L}\p{N}]+/gu, ""));
    const isCut = note.title.length >= 40 && title.startsWith(name);
    if (heading === "" || (heading !== note.title && (name === "" || (title !== name && !isCut)))) return;
    note.title = heading;
    note.body = note.body.slice(line.length + 1).replace(/^\n/, "");
}

/** The names for times in the front matter of several programs, without spaces, hyphens and underscores. */
const created = new Set(["created", "createdat", "createddate", "creationdate", "datecreated", "date"]);
const updated = new Set(
    ["updated", "updatedat", "lastupdated", "dateupdated"].concat([
        ...["modified", "modifiedat", "lastmodified", "lastmod", "datemodified", "modificationdate"],
    ]),
);
const isDate = (/** @type {Field} */ { name }) => name.toLowerCase() === "date";

/**
 * Takes a field that Almanac has too; false for any other.
 * @param {Field} field
 * @param {MovedNote} note
 */
function take({ name, value }, note) {
    if (value === null) return false;
    const key = name.toLowerCase();
    if (key === "tags" || key === "tag") {
        const isNone = value === "null" || value === "~";
        const list = typeof value === "string" ? value.split(/,| (?=#)/).flatMap((tag) => tag.trim() || []) : value;
        if (!isNone) note.tags.push(...list);
        return true;
    }
    if (typeof value !== "string") return false;
    const bare = key.replace(/[ _-]/g, "");
    const part = created.has(bare) ? "createdAt" : updated.has(bare) ? "updatedAt" : null;
    if (part) {
        if (value === "") return true;
        if (note[part] !== null) return false;
        note[part] = time(value);
        return note[part] !== null;
    }
    switch (key) {
        case "title":
            note.title = value;
            return true;
        case "id":
            if (isNoteID(value)) note.id = value;
            return isNoteID(value);
        case "pinned":
        case "trashed":
            note[key] = value === "true";
            return value === "true" || value === "false";
        default:
            return false;
    }
}

/** @param {number} milliseconds */
export const timestamp = (milliseconds) => new Date(milliseconds).toISOString();

/**
 * Almanac's own form: a file for each note, those in the trash too.
 * @param {MovedNote[]} notes
 * @returns {MovedFile[]}
 */
export function writeMarkdown(notes) {
    const names = new FileNames();
    return notes.map((note) => {
        const lines = [`title: ${scalar(note.title)}`, `id: ${scalar(note.id)}`];
        if (note.createdAt !== null) lines.push(`created: ${timestamp(note.createdAt)}`);
        if (note.updatedAt !== null) lines.push(`updated: ${timestamp(note.updatedAt)}`);
        if (note.tags.length > 0) lines.push("tags:", ...note.tags.map((tag) => `  - ${scalar(tag)}`));
        if (note.pinned) lines.push("pinned: true");
        if (note.trashed) lines.push("trashed: true");
        return file(names.unique(fileName(note.title), ".md"), joined(lines, note.body));
    });
}

/**
 * The front matter that a note's text begins with, where all of it may go out as such.
 * @param {string} body
 * @param {(field: Field) => boolean} mayGo
 * @returns {{ fields: Field[], rest: string }}
 */
export function lifted(body, mayGo) {
    const front = split(body);
    return front?.fields.every((field) => field.value !== null && mayGo(field)) ? front : { fields: [], rest: body };
}

/**
 * @param {string} path
 * @param {string} content
 * @returns {MovedFile}
 */
export const file = (path, content) => ({ path, bytes: new TextEncoder().encode(content) });
