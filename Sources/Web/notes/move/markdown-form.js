/**
 * Notes as Markdown files: Almanac's own format and those of other programs, with or without front matter.
 *
 * A folder, such as a Joplin notebook, becomes a tag that begins with a slash. Fields that Almanac lacks, such as a
 * location, stay as front matter at the top of the note's text, from where an export writes them again.
 */

import { isNoteID } from "../../shared/formats.js";
import { byCodePoints, sortedTags } from "../sync/text.js";
import { attachedPaths, linkFiles, ownPath } from "./file-links.js";
import { FoundFiles } from "./found-files.js";
import { joined, scalar, split, time } from "./front-matter.js";
import { archived, derivedID, FileNames, fileName, folded, text } from "./portable-notes.js";
import { isTable, splitTOML, withoutEmptyTables } from "./toml.js";
import { linkNotes, withPaths } from "./wiki-links.js";

/** @import { Field } from "./front-matter.js" */
/** @import { Found, PortableFile, PortableNote, Remark } from "./portable-notes.js" */
/** @import { PlacedNote } from "./wiki-links.js" */

const isText = /\.txt$/i;
const resources = "_resources";
const isAttachment =
    /\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp|pdf|3gp|m4a|mov|mp3|mp4|ogg|wav|webm|docx?|pptx?|xlsx?)$/i;
/** A file in Bear's backup, which has a folder for each note with its text, times and attachments. */
const bundle = /^(.*\.textbundle)\/(?:(text\.\w+)|(info\.json)|assets\/.*)$/i;

/** Returns true for a file with a note. @param {string} path */
export const isNote = (path) => /\.(?:md|markdown)$/i.test(path) && !ownPath.test(path);

/**
 * Reads the notes of a folder of Markdown files.
 * @param {PortableFile[]} files
 * @param {FoundFiles} [attached] receives the files that notes refer to
 * @returns {Promise<Found>}
 */
export async function readMarkdown(files, attached = new FoundFiles()) {
    /** @type {Found} */
    const found = { notes: [], remarks: [] };
    const wrapper = wrapperOf(files);
    const isVault = files.some(({ path }) => /(?:^|\/)\.obsidian\//.test(path));
    const places = new Map(files.map((file, index) => [file, index]));
    const written = new Set(files.map(({ path }) => bundle.exec(path)).map((found) => found?.[2] && found[1]));
    const infos = new Map(files.map(({ path, bytes }) => [path.toLowerCase(), bytes]));
    /** @type {Map<PortableNote, number>} the positions of files that Almanac has written */
    const ours = new Map();
    /** @type {PlacedNote[]} */
    const placed = [];
    /** @type {Map<string, string>} */
    const spellings = new Map();
    /** @type {Map<string, PortableFile>} the files that are no notes, by path */
    const others = new Map();
    for (const file of files.toSorted(byNameAndNumber)) {
        // Apple's file systems return names with decomposed accents.
        const path = (file.path.startsWith(wrapper) ? file.path.slice(wrapper.length) : file.path).normalize();
        const parts = path.split("/");
        const remark = (/** @type {string} */ what, detail = "") => found.remarks.push({ source: path, what, detail });
        const [, folder, bundled, isInfo] = bundle.exec(file.path) ?? [];
        const isWritten = bundled ? isNote(path) || isText.test(path) : isNote(path);
        if (!isWritten && !isSystems(parts)) others.set(path, file);
        if (isInfo) {
            if (!written.has(folder)) remark("no-text");
        } else if (parts.includes(resources) || (folder && !bundled)) remark("resource");
        else if (isSystems(parts)) remark("not-a-note");
        else if (!isWritten) remark(isAttachment.test(path) ? "resource" : "not-a-note");
        else {
            const content = text(file.bytes);
            if (content === null) remark("not-text");
            else {
                const { note, isOurs, kept, inText } = await readNote(path, content.replaceAll("\r\n", "\n"), isVault);
                found.notes.push({ note, source: path });
                if (isOurs) {
                    ours.set(note, places.get(file) ?? 0);
                    placed.push({ note, path, isOurs });
                } else {
                    const info = folder ? infos.get(`${folder}/info.json`.toLowerCase()) : undefined;
                    const { identifier, isArchived } = readInfo(note, info);
                    // A backup's folder is named after its time, so that the path of a note changes.
                    if (identifier) note.id = await derivedID("bear-", identifier);
                    if (isArchived) remark("archived");
                    placed.push({ note, path: withoutBundle(path), filePath: path, identifier });
                    addDefaults(note, file.time ?? null, spellings);
                }
                if (kept === null) remark("front-matter");
                else if (kept.length > 0) remark("fields", kept.join(", "));
                if (inText.length > 0) remark("text-tags", inText.join(", "));
            }
        }
    }
    const missing = await linkFiles(placed, others, attached);
    const lost = linkNotes(placed);
    for (const { note, source } of found.notes)
        for (const [what, names] of /** @type {const} */ ([
            ["file-missing", missing.get(note)],
            ["wiki-links", lost.get(note)],
        ]))
            if (names) found.remarks.push({ source, what, detail: names.join(", ") });
    const isTaken = (/** @type {Remark} */ { source, what }) =>
        (what === "resource" || what === "not-a-note") &&
        (attached.has(others.get(source)) || attached.byOwnID.has(ownPath.exec(source)?.[1] ?? ""));
    found.remarks = found.remarks.filter((remark) => !isTaken(remark));
    // An archive by Almanac has its files in the order of the list.
    const place = (/** @type {{ note: PortableNote }} */ { note }) => ours.get(note) ?? 0;
    if (ours.size === found.notes.length) found.notes.sort((one, other) => place(one) - place(other));
    return found;
}

/** Adds the metadata of Bear's backup to a note. @param {PortableNote} note @param {Uint8Array | undefined} info */
function readInfo(note, info) {
    let bear;
    try {
        bear = JSON.parse(text(info ?? new Uint8Array()) ?? "")?.["net.shinyfrog.bear"];
    } catch {
        return {};
    }
    const timeOf = (/** @type {unknown} */ value) => (typeof value === "string" ? time(value) : null);
    const isArchived = Number(bear?.archived) === 1;
    note.createdAt ??= timeOf(bear?.creationDate);
    note.updatedAt ??= timeOf(bear?.modificationDate);
    note.pinned ||= Number(bear?.pinned) === 1;
    note.trashed ||= Number(bear?.trashed) === 1;
    if (isArchived) note.tags.push(archived);
    const identifier = bear?.uniqueIdentifier ?? bear?.["bear-note-unique-identifier"];
    return { identifier: typeof identifier === "string" ? identifier : undefined, isArchived };
}

/**
 * Completes a note by another program: sets the file's time if the note has none, and gives tags that differ only in
 * letter case one spelling, because those programs treat them as one tag.
 * @param {PortableNote} note
 * @param {number | null} time the file's time
 * @param {Map<string, string>} spellings the first spellings by folded tag
 */
function addDefaults(note, time, spellings) {
    note.updatedAt ??= time === null ? null : Math.max(time, note.createdAt ?? time);
    note.createdAt ??= note.updatedAt;
    note.tags = sortedTags(
        note.tags.map((tag) => {
            const key = folded(tag);
            if (!spellings.has(key)) spellings.set(key, tag);
            // A notebook is a folder, and folders may differ only in letter case.
            return tag.startsWith("/") ? tag : (spellings.get(key) ?? tag);
        }),
    );
}

/**
 * Compares files by name, then by the number after the name, so that an export numbers equal titles as before.
 * @param {PortableFile} one
 * @param {PortableFile} other
 */
function byNameAndNumber(one, other) {
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
 * Returns true for files of the operating system or of another program.
 * @param {string[]} parts the parts of the path
 */
const isSystems = (parts) =>
    parts.at(-1)?.startsWith("._") || parts.slice(0, -1).some((part) => part.startsWith(".") || part === "__MACOSX");

/**
 * Returns the folder that contains a whole export: the parent of `_resources`, of Obsidian's settings or of all bundles.
 * @param {PortableFile[]} files
 */
function wrapperOf(files) {
    const paths = files.map(({ path }) => path);
    // An archive made on a Mac contains system files beside the folder.
    const own = paths.filter((path) => !isSystems(path.split("/")));
    const wrapper = /^[^/]+\//.exec(own[0] ?? "")?.[0] ?? "";
    const isAbove = [`${wrapper}${resources}/`, `${wrapper}.obsidian/`].some((folder) =>
        paths.some((path) => path.startsWith(folder)),
    );
    const isOfBundles = !/\.textbundle\/$/i.test(wrapper) && own.every((path) => bundle.test(path));
    return (isAbove || isOfBundles) && own.every((path) => path.startsWith(wrapper)) ? wrapper : "";
}

/** Returns the path of a note without the folder that contains only this note. @param {string} path */
const withoutBundle = (path) => path.replace(/\.textbundle\/text(?=\.\w+$)/i, "");

/**
 * Reads a file. `kept` names the fields that stay in the note's text, or is null if all of the front matter stays.
 * `inText` contains the tags that only the text has.
 * @param {string} path
 * @param {string} content
 * @param {boolean} isVault true if the file belongs to an Obsidian vault
 */
async function readNote(path, content, isVault) {
    const parts = withoutBundle(path)
        .replace(/\.\w+$/, "")
        .split("/")
        // Notion appends the ids of its pages to their names.
        .map((part) => part.replace(/ [0-9a-f]{32}$/, ""));
    const name = parts.at(-1) ?? "";
    const toml = splitTOML(content);
    const front = toml ?? split(content);
    const fileTitle = /^Untitled(-\d+)?$/.test(name) && front ? "" : name;
    /** @type {PortableNote} */
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
    // A date of publication only counts if no other field has the time of creation.
    const fields = (front?.fields ?? []).toSorted((one, other) => Number(isDate(one)) - Number(isDate(other)));
    // Ids of other programs are not valid note ids here. Almanac writes its own after the title.
    const isOurForm = !toml && ["title", "id"].every((name, index) => front?.fields[index]?.name === name);
    const read = new Set(fields.filter((field) => (isOurForm || !/^id$/i.test(field.name)) && readField(field, note)));
    const kept = withoutEmptyTables((front?.fields ?? []).filter((field) => !read.has(field)));
    const isOurs = note.id !== "";
    /** @type {string[]} */
    let inText = [];
    if (!isOurs) {
        const folder = parts.slice(0, -1).join("/");
        note.tags = note.tags.map((tag) => tag.replace(/^# */, "").replace(/^\//, "//"));
        // An empty title from an unfilled template counts as none. Joplin writes no title for untitled notes.
        const isTitle = (/** @type {Field} */ { name, value }) => name.toLowerCase() === "title" && value !== "";
        const hasTitle = fileTitle === "" || fields.some(isTitle);
        if (!hasTitle) note.title ||= fileTitle;
        const known = new Set(note.tags.map(folded));
        if ((isVault || !hasTitle) && /#[^\s#]/.test(note.body)) {
            // Load the Markdown parser only when needed, because it comes with the editor, which is large.
            const { tagsIn } = await import("./text-tags.js");
            inText = tagsIn(note.body).filter((tag) => !known.has(folded(tag)));
        }
        note.tags.push(...inText);
        if (!hasTitle) moveHeadingToTitle(note);
        if (folder) note.tags.push(`/${folder}`);
        note.id = await derivedID("md-", `${path}\n${note.createdAt ?? ""}`);
    }
    if (kept.length > 0) {
        const lines = kept.flatMap((field) => field.lines);
        note.body = joined(lines, note.body, toml ? "+++" : "---");
    } else if (!isOurs) note.body = guarded(note.body);
    note.tags = sortedTags(note.tags);
    const names = kept.filter((field) => !isTable(field)).map(({ name, lines }) => name || lines[0].trim());
    return { note, isOurs, inText, kept: front !== null || !/^(?:---|\+\+\+)[ \t]*\n/.test(content) ? names : null };
}

/**
 * Moves a heading at the start of the text to the title if the file is named after it. File names lack some characters
 * or the end of a title. Bear, Notion and others write such a heading, which would otherwise appear twice.
 * @param {PortableNote} note
 */
function moveHeadingToTitle(note) {
    const end = note.body.indexOf("\n");
    const line = end < 0 ? note.body : note.body.slice(0, end);
    const heading = /^# +(\S.*)$/.exec(line)?.[1].trim().replace(/ #+$/, "") ?? "";
    const [title, name] = [heading, note.title].map((each) => folded(each).replace(/[^\p{L}\p{N}]+/gu, ""));
    const isCut = note.title.length >= 40 && title.startsWith(name);
    if (heading === "" || (heading !== note.title && (name === "" || (title !== name && !isCut)))) return;
    note.title = heading;
    note.body = note.body.slice(line.length + 1).replace(/^\n/, "");
}

/** The names of time fields in several programs' front matter, without spaces, hyphens and underscores. */
const created = new Set(["created", "createdat", "createddate", "creationdate", "datecreated", "date"]);
const updated = new Set(
    ["updated", "updatedat", "lastupdated", "dateupdated"].concat([
        ...["modified", "modifiedat", "lastmodified", "lastmod", "datemodified", "modificationdate"],
    ]),
);
const isDate = (/** @type {Field} */ { name }) => name.toLowerCase() === "date";

/**
 * Moves a field into the note. Returns false if Almanac has no such field.
 * @param {Field} field
 * @param {PortableNote} note
 */
function readField({ name, value }, note) {
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
 * Returns the files in Almanac's own format, one for each note, including the trash, and the attached files.
 * @param {PortableNote[]} notes
 * @returns {PortableFile[]}
 */
export function writeMarkdown(notes) {
    const names = new FileNames();
    const paths = new Map(notes.map((note) => [note.id, names.unique(fileName(note.title), ".md")]));
    const attached = [...attachedPaths(notes, "attachments")].map(([path, id]) => attachedFile(path, id));
    const written = notes.map((note) => {
        const lines = [`title: ${scalar(note.title)}`, `id: ${scalar(note.id)}`];
        if (note.createdAt !== null) lines.push(`created: ${timestamp(note.createdAt)}`);
        if (note.updatedAt !== null) lines.push(`updated: ${timestamp(note.updatedAt)}`);
        if (note.tags.length > 0) lines.push("tags:", ...note.tags.map((tag) => `  - ${scalar(tag)}`));
        if (note.pinned) lines.push("pinned: true");
        if (note.trashed) lines.push("trashed: true");
        return file(paths.get(note.id) ?? "", joined(lines, withPaths(note.body, paths)));
    });
    return [...written, ...attached];
}

/**
 * Returns the front matter at the start of a note's text if all of its fields may be exported as such.
 * @param {string} body
 * @param {(field: Field) => boolean} mayGo
 * @returns {{ fields: Field[], rest: string }}
 */
export function lifted(body, mayGo) {
    const front = split(body);
    return front?.fields.every((field) => field.value !== null && mayGo(field)) ? front : { fields: [], rest: body };
}

/**
 * Puts empty front matter before a text that would be read as front matter.
 * @param {string} body
 */
export const guarded = (body) => (lifted(body, () => true).rest === body ? body : joined([], body));

/**
 * @param {string} path
 * @param {string} content
 * @returns {PortableFile}
 */
export const file = (path, content) => ({ path, bytes: new TextEncoder().encode(content) });

/** Returns an attached file, whose content the export reads later. @param {string} path @param {string} attachment its id */
export const attachedFile = (path, attachment) => ({ path, bytes: new Uint8Array(0), attachment });
