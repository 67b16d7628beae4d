/**
 * Simplenote's export: `source/notes.json` with all notes, and a text file for each note.
 *
 * Simplenote has no titles, so the first line becomes one. The e-mail address of each person who shares a note becomes
 * a tag. Markdown notes get the tag `markdown`. A published note's address stays in the text as front matter.
 */

import { sortedTags } from "../sync/text.js";
import { joined, scalar, split, time } from "./front-matter.js";
import { file, lifted, timestamp } from "./markdown-form.js";
import { derivedID, device, FileNames, lowered, MoveFailure } from "./portable-notes.js";

/** @import { Field } from "./front-matter.js" */
/** @import { Found, PortableFile, PortableNote } from "./portable-notes.js" */

const markdown = "markdown";
const address = "publicURL";
/** @param {Field} field */
const isAddress = ({ name, value }) => name === address && typeof value === "string";
const mail = /^[^@]+@.+\.[^.]{2,}$/s;
/** The id prefixes of notes that come from Simplenote, and of Almanac's notes in Simplenote. */
const [theirs, ours] = ["sn-", "almanac-"];
const maxTitleBytes = 1024;

/** Reads `notes.json`. @param {string} content @returns {Promise<Found>} */
export async function readSimplenote(content) {
    let document;
    try {
        document = JSON.parse(content);
    } catch {
        throw new MoveFailure("not-json");
    }
    const { activeNotes } = document ?? {};
    const trashedNotes = document?.trashedNotes ?? [];
    if (!Array.isArray(activeNotes) || !Array.isArray(trashedNotes)) throw new MoveFailure("not-simplenote");
    /** @type {Found} */
    const found = { notes: [], remarks: [] };
    for (const [index, entry] of [...activeNotes, ...trashedNotes].entries()) {
        const isTrashed = index >= activeNotes.length;
        const source = isTrashed ? `trashedNotes[${index - activeNotes.length}]` : `activeNotes[${index}]`;
        const note = isFit(entry) ? await readNote(entry, isTrashed) : null;
        if (note) found.notes.push({ note, source });
        else found.remarks.push({ source, what: isFit(entry) ? "not-a-note" : "unfit-text", detail: "" });
    }
    if (found.notes.length === 0 && found.remarks.some(({ what }) => what === "unfit-text"))
        throw new MoveFailure("unfit-json");
    return found;
}

/**
 * @param {any} entry
 * @param {boolean} trashed
 * @returns {Promise<PortableNote | null>}
 */
async function readNote(entry, trashed) {
    if (typeof entry?.content !== "string" || Array.isArray(entry)) return null;
    const { title, body } = parts(entry.content.replaceAll("\r\n", "\n"));
    const published = typeof entry.publicURL === "string" ? [`${address}: ${scalar(entry.publicURL)}`] : [];
    const tags = [...texts(entry.tags), ...texts(entry.collaboratorEmails)];
    const isGuarded = split(body)?.fields.every(isAddress);
    return {
        id: await noteID(entry),
        title,
        body: published.length > 0 || isGuarded ? joined(published, body) : body,
        tags: sortedTags(entry.markdown === true ? [...tags, markdown] : tags),
        pinned: entry.pinned === true,
        trashed,
        createdAt: timeOf(entry.creationDate),
        updatedAt: timeOf(entry.lastModified),
    };
}

/** Returns true if a server accepts all texts of an entry. @param {unknown} entry */
const isFit = (entry) =>
    Object.values(Object(entry))
        .flat()
        .every((value) => typeof value !== "string" || (value.isWellFormed() && !value.includes("\0")));

/** @param {unknown} list */
const texts = (list) => (Array.isArray(list) ? list.filter((text) => typeof text === "string") : []);

/** @param {unknown} value */
const timeOf = (value) => (typeof value === "string" ? time(value) : null);

/** @param {any} entry */
async function noteID({ id, content, creationDate }) {
    const made = typeof creationDate === "string" ? creationDate : "";
    if (typeof id !== "string" || id === "") return derivedID(theirs, `${made}\n${content}`);
    if (id.startsWith(ours) && /^[A-Za-z0-9_-]{9,72}$/.test(id)) return id.slice(ours.length);
    return /^[A-Za-z0-9_-]{1,61}$/.test(id) ? theirs + id : derivedID(theirs, id);
}

/** Splits content into title and body; `contentOf` is the inverse. @param {string} content */
function parts(content) {
    const end = content.indexOf("\n");
    const title = end < 0 ? content : content.slice(0, end);
    // A long first line is a paragraph, not a title.
    if (title === "" || new TextEncoder().encode(title).length > maxTitleBytes) return { title: "", body: content };
    const rest = content.slice(title.length);
    return { title, body: /^\n*$/.test(rest) ? rest : rest.slice(1) };
}

/**
 * @param {string} title
 * @param {string} body
 */
const contentOf = (title, body) => (title === "" || /^\n*$/.test(body) ? title + body : `${title}\n${body}`);

/** Returns the files in Simplenote's format. @param {PortableNote[]} notes @returns {PortableFile[]} */
export function writeSimplenote(notes) {
    const entries = notes.map(writtenNote);
    const [active, trashed] = [false, true].map((place) =>
        entries.filter((_, index) => notes[index].trashed === place),
    );
    const document = JSON.stringify({ activeNotes: active, trashedNotes: trashed }, null, 2);
    return [
        file("source/notes.json", document.replaceAll("\n", "\r\n")),
        ...textFiles("", active),
        ...textFiles("trash/", trashed),
    ];
}

/** @param {PortableNote} note */
function writtenNote(note) {
    const { fields, rest } = lifted(note.body, isAddress);
    const inOrder = note.tags
        .map((tag) => ({ tag, key: lowered(tag) }))
        .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
        .map(({ tag }) => tag);
    const tags = inOrder.filter((tag) => tag !== markdown && !mail.test(tag));
    const shared = inOrder.filter((tag) => mail.test(tag));
    return {
        id: note.id.startsWith(theirs) ? note.id.slice(theirs.length) : ours + note.id,
        content: contentOf(note.title, rest).replaceAll("\n", "\r\n"),
        ...(note.createdAt === null ? {} : { creationDate: timestamp(note.createdAt) }),
        ...(note.updatedAt === null ? {} : { lastModified: timestamp(note.updatedAt) }),
        ...(note.pinned ? { pinned: true } : {}),
        ...(note.tags.includes(markdown) ? { markdown: true } : {}),
        ...(tags.length > 0 ? { tags } : {}),
        ...(fields.length > 0 ? { publicURL: fields[0].value } : {}),
        ...(shared.length > 0 ? { collaboratorEmails: shared } : {}),
    };
}

/**
 * Returns the texts as readable files, with tags at the end.
 * @param {string} folder
 * @param {ReturnType<typeof writtenNote>[]} entries
 */
function textFiles(folder, entries) {
    const names = new FileNames();
    return entries.map(({ content, tags }) => {
        const text = tags ? `${content}\n\nTags:\n  ${tagLines(tags).join("\n  ")}` : content;
        return file(
            names.unique(folder + textName(text), ".txt", (count) => ` (${count})`),
            text,
        );
    });
}

/** @param {string} content */
function textName(content) {
    for (const line of content.split("\n")) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
        const name = line.trim().replace(/[/?<>\\:*|"\u0000-\u001f\u0080-\u009f]/g, "");
        const clean = device.test(name) ? "" : name.replace(/[. ]+$/, "");
        if (clean !== "") {
            return clean
                .slice(0, 40)
                .replace(/[\ud800-\udbff]$/, "")
                .replace(/[.,:() [\]]/g, "-");
        }
    }
    return "untitled";
}

/** Joins tags into lines of about 75 characters. @param {string[]} tags */
function tagLines(tags) {
    /** @type {string[]} */
    const lines = [];
    let line = "";
    for (const tag of tags) {
        if (line.length + tag.length > 75) {
            lines.push(line);
            line = tag;
        } else line += `, ${tag}`;
    }
    return [...lines, line].map((text) => text.replace(/^, /, ""));
}
