/**
 * Notes in files of Markdown with front matter: Almanac's own form, and Joplin's export "Markdown + front matter".
 *
 * In Joplin's a notebook is a folder; here it is a tag that begins with a slash. What Almanac has no field for, such as
 * where a note was written, stays at the top of its text as front matter, and goes out again from there.
 */

import { isNoteID } from "../../shared/forms.js";
import { byCodePoints, sortedTags } from "../sync/text.js";
import { isPrintable, joined, scalar, split, time } from "./front-matter.js";
import { derivedID, FileNames, fileName, folded, text } from "./moved-notes.js";

/** @import { Field } from "./front-matter.js" */
/** @import { Found, MovedFile, MovedNote } from "./moved-notes.js" */

const isNote = /\.(?:md|markdown)$/i;
const resources = "_resources";

/**
 * Reads the notes of a folder of Markdown files.
 * @param {MovedFile[]} files
 * @returns {Promise<Found>}
 */
export async function readMarkdown(files) {
    /** @type {Found} */
    const found = { notes: [], remarks: [] };
    const wrapper = wrapperOf(files);
    const places = new Map(files.map((file, index) => [file, index]));
    /** @type {Map<MovedNote, number>} the places of notes that Almanac has written */
    const ours = new Map();
    /** @type {Map<string, string>} */
    const spellings = new Map();
    for (const file of files.toSorted(inNameOrder)) {
        // File systems of Apple hand out names with their accents apart.
        const path = file.path.slice(wrapper.length).normalize();
        const parts = path.split("/");
        const remark = (/** @type {string} */ what, detail = "") => found.remarks.push({ source: path, what, detail });
        if (parts.includes(resources)) remark("resource");
        else if (!isNote.test(path) || isSystems(parts)) remark("not-a-note");
        else {
            const content = text(file.bytes);
            if (content === null) remark("not-text");
            else {
                const { note, isOurs, kept } = await readNote(path, content.replaceAll("\r\n", "\n"));
                found.notes.push({ note, source: path });
                if (isOurs) ours.set(note, places.get(file) ?? 0);
                else complete(note, file.time ?? null, spellings);
                if (kept === null) remark("front-matter");
                else if (kept.length > 0) remark("fields", kept.join(", "));
            }
        }
    }
    // An archive of Almanac has its files in the order of the list.
    const place = (/** @type {{ note: MovedNote }} */ { note }) => ours.get(note) ?? 0;
    if (ours.size === found.notes.length) found.notes.sort((one, other) => place(one) - place(other));
    return found;
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
 * Whether a file is of the system, or of another program, and not of the one who has made the notes.
 * @param {string[]} parts of its path
 */
const isSystems = (parts) =>
    parts.at(-1)?.startsWith("._") || parts.slice(0, -1).some((part) => part.startsWith(".") || part === "__MACOSX");

/**
 * The folder that an export as a whole was put into: the one above its `_resources`.
 * @param {MovedFile[]} files
 */
function wrapperOf(files) {
    const first = files[0]?.path.split("/") ?? [];
    const wrapper = first.length > 1 ? `${first[0]}/` : "";
    const holds = (/** @type {string} */ folder) => files.some(({ path }) => path.startsWith(folder));
    return wrapper && files.every(({ path }) => path.startsWith(wrapper)) && holds(`${wrapper}${resources}/`)
        ? wrapper
        : "";
}

/**
 * Reads a file. `kept` names the fields that stay in the note's text; null where all of the front matter does.
 * @param {string} path
 * @param {string} content
 */
async function readNote(path, content) {
    const parts = path.replace(isNote, "").split("/");
    const name = parts.at(-1) ?? "";
    const front = split(content);
    /** @type {MovedNote} */
    const note = {
        id: "",
        title: /^Untitled(-\d+)?$/.test(name) && front ? "" : name,
        body: front ? front.rest : content,
        tags: [],
        pinned: false,
        trashed: false,
        createdAt: null,
        updatedAt: null,
    };
    // A day of publication counts only where nothing else says when a note was made.
    const fields = (front?.fields ?? []).toSorted((one, other) => Number(isDate(one)) - Number(isDate(other)));
    const taken = new Set(fields.filter((field) => take(field, note)));
    const kept = (front?.fields ?? []).filter((field) => !taken.has(field));
    const isOurs = note.id !== "";
    if (!isOurs) {
        const folder = parts.slice(0, -1).join("/");
        note.tags = note.tags.map((tag) => tag.replace(/^# */, "").replace(/^\//, "//"));
        if (folder) note.tags.push(`/${folder}`);
        note.id = await derivedID("md-", `${path}\n${note.createdAt ?? ""}`);
    }
    const isGuarded = !isOurs && front && lifted(note.body, () => true).rest !== note.body;
    if (kept.length > 0 || isGuarded) {
        const lines = kept.flatMap((field) => field.lines);
        note.body = joined(lines, note.body);
    }
    note.tags = sortedTags(note.tags);
    const names = kept.map(({ name, lines }) => name || lines[0].trim());
    return { note, isOurs, kept: front !== null || !/^---[ \t]*\n/.test(content) ? names : null };
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
    if (key === "tags") {
        note.tags = typeof value === "string" ? value.split(/,| (?=#)/).flatMap((tag) => tag.trim() || []) : [...value];
        return true;
    }
    if (typeof value !== "string") return false;
    const bare = key.replace(/[ _-]/g, "");
    const part = created.has(bare) ? "createdAt" : updated.has(bare) ? "updatedAt" : null;
    if (part) {
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
 * Joplin's form; it has no trash and no pins.
 * @param {MovedNote[]} notes
 * @returns {MovedFile[]}
 */
export function writeJoplin(notes) {
    const names = new FileNames();
    return notes
        .filter(({ trashed }) => !trashed)
        .map((note) => {
            const notebook = note.tags.find(isNotebook);
            const folder = (notebook ?? "")
                .split("/")
                .slice(1)
                .map((part) => `${fileName(part)}/`);
            const tags = note.tags
                .filter((tag) => tag !== notebook)
                .map((tag) => (tag.startsWith("//") ? tag.slice(1) : tag));
            const { fields, rest } = lifted(note.body, ({ name }) => isForeign(name.toLowerCase()));
            /** @type {[string, string[]][]} */
            const lines = fields.map((field) => [field.name.toLowerCase(), field.lines]);
            if (note.title !== "") lines.push(["title", [`title: ${dumped(note.title, 2)}`]]);
            if (note.updatedAt !== null) lines.push(["updated", [`updated: ${seconds(note.updatedAt)}`]]);
            if (note.createdAt !== null) lines.push(["created", [`created: ${seconds(note.createdAt)}`]]);
            if (tags.length > 0) {
                lines.push(["tags", ["tags:", ...tags.sort().map((tag) => `  - ${dumped(tag, 4)}`)]]);
            }
            lines.sort(([one], [other]) => place(one) - place(other));
            const header = lines.flatMap(([name, written]) => (isForeign(name) ? written : unquoted(written)));
            return file(names.unique(folder.join("") + fileName(note.title), ".md"), joined(header, rest));
        });
}

const order = ["title", "id", "updated", "created", "source", "author", "latitude", "longitude", "altitude"].concat([
    "completed?",
    "due",
]);
const place = (/** @type {string} */ name) => (name === "tags" ? 100 : order.includes(name) ? order.indexOf(name) : 99);

/** @param {string} tag */
const isNotebook = (tag) => /^\/[^/]/.test(tag);

/** Whether a field is none that a note has itself. */
const isForeign = (/** @type {string} */ name) => !["title", "id", "updated", "created", "tags"].includes(name);

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

/** @param {number} milliseconds */
const seconds = (milliseconds) => `${timestamp(milliseconds).slice(0, 19).replace("T", " ")}Z`;

/**
 * @param {string} path
 * @param {string} content
 * @returns {MovedFile}
 */
export const file = (path, content) => ({ path, bytes: new TextEncoder().encode(content) });

// What follows writes texts as the library js-yaml does, which Joplin writes with: plain if they can be, in single quotes
// otherwise, blocks for long ones and several lines.

/**
 * @param {string} text not empty
 * @param {number} indent of the lines of a block
 */
export function dumped(text, indent) {
    const width = 80 - indent;
    const lines = text.split("\n");
    const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
    if (codes.some((code) => !isPrintable(code) && code !== 10)) return `"${escaped(text)}"`;
    const isLong = lines.some((line) => line.length > width && line[0] !== " ");
    if (lines.length === 1 && !isLong) return isPlain(text) ? text : `'${text.replaceAll("'", "''")}'`;
    const content = isLong ? foldedLines(lines, width) : lines;
    const ending = text.endsWith("\n") ? (/^\n$|\n\n$/.test(text) ? "+" : "") : "-";
    const body = content.map((line) => (line === "" ? "" : " ".repeat(indent) + line)).join("\n");
    return `${isLong ? ">" : "|"}${/^\n* /.test(text) ? "2" : ""}${ending}\n${body.replace(/\n$/, "")}`;
}

/** @param {string} text a single line */
const isPlain = (text) => /^[^ \-?:,[\]{}#&*!|=>'"%@`]/.test(text) && !/: | #|[ :]$/.test(text);

/**
 * @param {string[]} lines
 * @param {number} width
 */
function foldedLines(lines, width) {
    /** @type {string[]} */
    const found = [];
    let wasIndented = lines[0] === "" || lines[0][0] === " ";
    for (const [index, line] of lines.entries()) {
        const isIndented = line[0] === " ";
        if (index > 0 && line !== "") {
            if (!wasIndented && !isIndented) found.push("");
            wasIndented = isIndented;
        }
        found.push(...foldedLine(line, width));
    }
    return found;
}

/**
 * @param {string} line
 * @param {number} width
 */
function foldedLine(line, width) {
    if (line === "" || line[0] === " ") return [line];
    const found = [];
    let [start, last] = [0, 0];
    for (const { index } of line.matchAll(/ (?=[^ ])/g)) {
        if (index - start > width) {
            const end = last > start ? last : index;
            found.push(line.slice(start, end));
            start = end + 1;
        }
        last = index;
    }
    if (line.length - start > width && last > start) found.push(line.slice(start, last), line.slice(last + 1));
    else found.push(line.slice(start));
    return found;
}

/** @type {Record<string, string>} */
const escapes = {
    "\0": "0",
    "\x07": "a",
    "\b": "b",
    "\t": "t",
    "\n": "n",
    "\v": "v",
    "\f": "f",
    "\r": "r",
    "\x1b": "e",
    '"': '"',
    "\\": "\\",
    "\x85": "N",
    "\xa0": "_",
    "\u2028": "L",
    "\u2029": "P",
};

/** @param {string} text */
function escaped(text) {
    return [...text]
        .map((character) => {
            const code = character.codePointAt(0) ?? 0;
            if (escapes[character]) return `\\${escapes[character]}`;
            if (isPrintable(code)) return character;
            const digits = code.toString(16).toUpperCase();
            return code <= 0xff ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
        })
        .join("");
}

/**
 * Joplin takes the quotes away from texts with a hyphen in front, as of negative numbers.
 * @param {string[]} written
 */
function unquoted(written) {
    return written
        .join("\n")
        .split("\n")
        .map((line) => {
            const index = line.indexOf(": '-");
            if (index < 0 || index === line.indexOf(": '- ")) return line;
            return line.slice(0, index + 2) + line.slice(index + 3, -1);
        });
}
