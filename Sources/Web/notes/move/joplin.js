/**
 * Writes Joplin's format "Markdown + front matter". A tag that begins with a slash becomes a folder: a notebook. Attached
 * files are in `_resources` beside the folders.
 */

import { attachedPaths, withFolder } from "./file-links.js";
import { isPrintable, joined } from "./front-matter.js";
import { attachedFile, file, lifted, timestamp } from "./markdown-form.js";
import { FileNames, fileName } from "./portable-notes.js";

/** @import { PortableFile, PortableNote } from "./portable-notes.js" */

/**
 * Returns the files in Joplin's format, which has no trash and no pins.
 * @param {PortableNote[]} notes
 * @returns {PortableFile[]}
 */
export function writeJoplin(notes) {
    const names = new FileNames();
    const list = notes.filter(({ trashed }) => !trashed);
    const attached = [...attachedPaths(list, "_resources")].map(([path, id]) => attachedFile(path, id));
    const written = list.map((note) => {
        const notebook = note.tags.find(isNotebook);
        const folder = (notebook ?? "")
            .split("/")
            .slice(1)
            // Hidden and reserved folders would be skipped at the next import.
            .map((part) => `${fileName(part).replace(/^\.|^(?=__MACOSX$|_resources$)/, "_")}/`);
        const tags = note.tags
            .filter((tag) => tag !== notebook)
            .map((tag) => (tag.startsWith("//") ? tag.slice(1) : tag));
        const { fields, rest } = lifted(note.body, ({ name }) => isForeign(name.toLowerCase()));
        /** @type {[string, string[]][]} */
        const lines = fields.map((field) => [field.name.toLowerCase(), field.lines]);
        if (note.title !== "") lines.push(["title", [`title: ${yamlScalar(note.title, 2)}`]]);
        if (note.updatedAt !== null) lines.push(["updated", [`updated: ${seconds(note.updatedAt)}`]]);
        if (note.createdAt !== null) lines.push(["created", [`created: ${seconds(note.createdAt)}`]]);
        if (tags.length > 0) {
            lines.push(["tags", ["tags:", ...tags.sort().map((tag) => `  - ${yamlScalar(tag, 4)}`)]]);
        }
        lines.sort(([one], [other]) => place(one) - place(other));
        const header = lines.flatMap(([name, written]) => (isForeign(name) ? written : unquoted(written)));
        const text = withFolder(rest, `${"../".repeat(folder.length)}_resources`);
        return file(names.unique(folder.join("") + fileName(note.title), ".md"), joined(header, text));
    });
    return [...written, ...attached];
}

const order = ["title", "id", "updated", "created", "source", "author", "latitude", "longitude", "altitude"].concat([
    "completed?",
    "due",
]);
const place = (/** @type {string} */ name) => (name === "tags" ? 100 : order.includes(name) ? order.indexOf(name) : 99);

/** @param {string} tag */
const isNotebook = (tag) => /^\/[^/]/.test(tag);

/** Returns true for a field that is not part of a note. */
const isForeign = (/** @type {string} */ name) => !["title", "id", "updated", "created", "tags"].includes(name);

/** @param {number} milliseconds */
const seconds = (milliseconds) => `${timestamp(milliseconds).slice(0, 19).replace("T", " ")}Z`;

// The functions below write texts like js-yaml, which Joplin uses: plain if possible, else in single quotes; long or
// multiline texts as blocks.

/**
 * @param {string} text not empty
 * @param {number} indent the indentation of a block's lines
 */
export function yamlScalar(text, indent) {
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
 * Removes quotes from texts with a leading hyphen, such as negative numbers, as Joplin does.
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
