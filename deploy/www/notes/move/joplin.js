/**
 * Notes in files of Markdown with front matter: Almanac's own form, and Joplin's export "Markdown + front matter".
 *
 * In Joplin's a notebook is a folder; here it is a tag that begins with a slash. What Almanac has no field for, such as
 * where a note was written, stays at the top of its text as front matter, and goes out again from there.
 */

import { byCodePoints, sortedTags } from "../sync/text.js";
import { isPrintable, joined, scalar, split, time } from "./front-matter.js";
import { derivedID, FileNames, fileName, isID, text } from "./notes.js";

/** @import { Field } from "./front-matter.js" */
/** @import { Found, MovedFile, MovedNote } from "./notes.js" */

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
    for (const file of files.toSorted(inNameOrder)) {
        const path = file.path.slice(wrapper.length);
        const parts = path.split("/");
        const remark = (/** @type {string} */ what) => found.remarks.push({ source: path, what, detail: "" });
        if (parts.includes(resources)) remark("resource");
        else if (!isNote.test(path) || isSystems(parts)) remark("not-a-note");
        else {
            const content = text(file.bytes);
            if (content === null) remark("not-text");
            else {
                const { note, isOurs, isUnderstood } = await readNote(path, content);
                found.notes.push({ note, source: path });
                if (isOurs) ours.set(note, places.get(file) ?? 0);
                if (!isUnderstood) remark("front-matter");
            }
        }
    }
    // An archive of Almanac has its files in the order of the list.
    const place = (/** @type {{ note: MovedNote }} */ { note }) => ours.get(note) ?? 0;
    if (ours.size === found.notes.length) found.notes.sort((one, other) => place(one) - place(other));
    return found;
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
    const kept = (front?.fields ?? []).filter((field) => !take(field, note)).flatMap(({ lines }) => lines);
    const isOurs = note.id !== "";
    if (!isOurs) {
        const folder = parts.slice(0, -1).join("/");
        note.tags = note.tags.map((tag) => (tag.startsWith("/") ? `/${tag}` : tag));
        if (folder) note.tags.push(`/${folder}`);
        note.id = await derivedID("md-", `${path}\n${note.createdAt ?? ""}`);
    }
    if (kept.length > 0 || (!isOurs && front && split(note.body))) note.body = joined(kept, note.body);
    note.tags = sortedTags(note.tags);
    return { note, isOurs, isUnderstood: front !== null || !/^---[ \t]*\r?\n/.test(content) };
}

/**
 * Takes a field that Almanac has too; false for any other.
 * @param {Field} field
 * @param {MovedNote} note
 */
function take({ name, value }, note) {
    const key = name.toLowerCase();
    if (Array.isArray(value) || (key === "tags" && value === "")) {
        if (key === "tags") note.tags = [...value];
        return key === "tags";
    }
    switch (key) {
        case "title":
            note.title = value;
            return true;
        case "id":
            if (isID(value)) note.id = value;
            return isID(value);
        case "created":
            note.createdAt = time(value);
            return note.createdAt !== null;
        case "updated":
            note.updatedAt = time(value);
            return note.updatedAt !== null;
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
    return front?.fields.every(mayGo) ? front : { fields: [], rest: body };
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
