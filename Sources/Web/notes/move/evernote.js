/**
 * Evernote's export: an XML file (ENEX) of a notebook, with its notes, their tags and their files.
 *
 * The file is read as a stream, because it contains all pictures: besides the finished notes, one note with its files is
 * in memory. Files wait in blobs, which browsers may keep on disk. The file's name is the notebook's, and becomes a tag that begins with a slash, like other folders.
 */

import { chunks } from "../../shared/chunks.js";
import { attachmentsIn, endingOf } from "../attachments/references.js";
import { addressText, escaped } from "../markdown/escapes.js";
import { sortedTags } from "../sync/text.js";
import { markdownOf, parsedENML } from "./enml.js";
import { FoundFiles, nameOfType } from "./found-files.js";
import { guarded } from "./markdown-form.js";
import { md5 } from "./md5.js";
import { derivedID, isAddress, MoveFailure } from "./portable-notes.js";
import { XMLReader } from "./xml.js";

/** @import { Media } from "./enml.js" */
/** @import { Found, PortableNote, Remark } from "./portable-notes.js" */
/** @import { XMLToken } from "./xml.js" */

/** The maximum length of a note's content and of another field, in UTF-16 units. */
const [maxContent, maxField] = [16 << 20, 1 << 16];
/** The maximum depth of elements in a file; Evernote's have six. */
const maxDepth = 64;
const sourceAddress = "note-attributes/source-url";
const [taskTitle, taskStatus, taskGroup] = ["title", "taskStatus", "taskGroupNoteLevelID"].map(
    (name) => `task/${name}`,
);
const [fileName, fileType, fileData] = ["resource/resource-attributes/file-name", "resource/mime", "resource/data"];
/** The limit on the total size of the files of an import, in bytes. */
const maxBlobBytes = 256 << 20;
/** The fields that are read, by their paths in a note. */
const fields = new Set(
    ["title", "content", "created", "updated", "tag", "task", "resource", sourceAddress].concat([
        ...[taskTitle, taskStatus, taskGroup, fileName, fileType, fileData],
    ]),
);
/** The details that notes here lack, by their paths in a note; the page has a text for each. */
const details = new Map([
    ["note-attributes/author", "author"],
    ["note-attributes/latitude", "location"],
    ["note-attributes/reminder-time", "reminder"],
    ["task/dueDate", "due"],
    ["task/reminder", "reminder"],
]);
/** A link to a note, whose address names no note of an export. */
const noteLink = /\[((?:\\.|[^\\[\]])*)\]\(evernote:[^\s)]*\)/g;

/** The fields of a note in the file: pairs of a path and a text, in their order. @typedef {[string, string][]} Fields */
/** A note in the file, with the contents of its resources in their order. @typedef {{ fields: Fields, contents: Base64[] }} ReadNote */

/** Reads the files of an import. */
export class EvernoteReader {
    #room = maxBlobBytes;

    /** @param {FoundFiles} [attached] receives the files of notes */
    constructor(attached = new FoundFiles()) {
        this.attached = attached;
        /** @type {Found} */
        this.found = { notes: [], remarks: [] };
        /** @type {Remark[]} the files that cannot be read to their ends */
        this.failures = [];
        /** @type {Set<string>} */
        this.ids = new Set();
    }

    /**
     * Reads a file. If it is damaged, the notes before the damage stay.
     * @param {Blob} blob
     * @param {string} path
     */
    async read(blob, path) {
        const notes = new NoteParser(this.attached.maxBytes);
        const reader = new XMLReader();
        const decoder = /** @type {any} */ (new TextDecoderStream("utf-8", { fatal: true }));
        try {
            for await (const piece of chunks(blob.stream().pipeThrough(decoder))) {
                for (const token of reader.read(/** @type {string} */ (piece))) {
                    const note = notes.add(token);
                    if (note) await this.#finish(note, path);
                }
            }
            reader.end();
            notes.end();
        } catch (failure) {
            // A stream of other characters than UTF-8 fails with a TypeError.
            const what =
                failure instanceof MoveFailure ? failure.what : failure instanceof TypeError ? "not-text" : null;
            if (what === null) throw failure;
            this.failures.push({ source: path, what, detail: "" });
        }
    }

    /** @param {ReadNote} note @param {string} path */
    async #finish({ fields, contents }, path) {
        const all = (/** @type {string} */ name) => fields.flatMap(([key, text]) => (key === name ? text : []));
        const [first = "", content = "", source = ""] = ["title", "content", sourceAddress].map((name) => all(name)[0]);
        const title = first.replace(/\s+/g, " ").trim();
        const place = `${path}: ${title}`;
        const remark = (/** @type {string} */ what, detail = "") =>
            this.found.remarks.push({ source: place, what, detail });
        const media = await this.#filesOf(fields, contents, place);
        const lost = new Set(fields.flatMap(([key]) => details.get(key) ?? []));
        if (lost.size > 0) remark("details", [...lost].join(", "));
        if (/<en-crypt[\s/>]/.test(content)) remark("encrypted-text");
        let body;
        try {
            if (content.length > maxContent) return remark("body-too-long");
            body = withFiles(
                markdownOf(parsedENML(content), tasksOf(fields), (hash) => media.get(hash)),
                media,
            );
        } catch (failure) {
            if (!(failure instanceof MoveFailure)) throw failure;
            return remark("damaged");
        }
        const [createdAt, updatedAt] = ["created", "updated"].map((name) => timeOf(all(name)[0]));
        let id = await derivedID("en-", `${all("created")[0] ?? content}\n${title}`);
        if (this.ids.has(id)) id = await derivedID("en-", `${all("created")[0]}\n${title}\n${content}`);
        this.ids.add(id);
        const notebook = path.replace(/^.*\/|\.enex$/gi, "").normalize();
        /** @type {PortableNote} */
        const note = {
            id,
            title,
            body: guarded(withSource(body, source.trim())),
            tags: sortedTags([...all("tag").map((tag) => tag.trim().replace(/^\//, "//")), `/${notebook}`]),
            pinned: false,
            trashed: false,
            createdAt: createdAt ?? updatedAt,
            updatedAt: updatedAt ?? createdAt,
        };
        if (title === "" && body === "") remark("no-text");
        else this.found.notes.push({ note, source: place });
    }

    /**
     * Returns a note's files by their hashes.
     * @param {Fields} fields
     * @param {Base64[]} contents
     * @param {string} place
     */
    async #filesOf(fields, contents, place) {
        /** @type {Map<string, Media>} */
        const media = new Map();
        for (const [index, file] of groups(fields, "resource").entries()) {
            const type = (file.get(fileType) ?? "").trim();
            const name = file.get(fileName)?.trim() || nameOfType(type);
            const bytes = contents[index]?.end(this.#room) ?? null;
            const source = `${place}: ${name}`;
            if (bytes === null) {
                const what = contents[index]?.isDamaged ? "file-unread" : "file-no-room";
                this.found.remarks.push({ source, what, detail: "" });
                continue;
            }
            const blob = new Blob([bytes]);
            const given = { path: source, bytes: new Uint8Array(0), size: contents[index].size };
            const read = async () => new Uint8Array(await blob.arrayBuffer());
            const found = await this.attached.take({ ...given, read }, name);
            if (!found) continue;
            this.#room -= blob.size;
            const target = `attachments/${found.id}${endingOf(found.name)}`;
            media.set(md5(bytes), { name: found.name, target, isPicture: found.isPicture });
        }
        return media;
    }

    /** Returns all notes, with links between them. Evernote's addresses name no note, so a link's words must be a title. */
    end() {
        /** @type {Map<string, string | null>} */
        const ids = new Map();
        for (const { note } of this.found.notes) ids.set(note.title, ids.has(note.title) ? null : note.id);
        for (const { note, source } of this.found.notes) {
            /** @type {string[]} */
            const lost = [];
            note.body = note.body.replace(noteLink, (_, words) => {
                const id = ids.get(words.replace(/\\(.)/g, "$1"));
                if (!id) lost.push(words);
                return id ? `[${words}](notes/${id})` : words;
            });
            if (lost.length > 0) this.found.remarks.push({ source, what: "note-links", detail: lost.join(", ") });
        }
        const { notes, remarks } = this.found;
        return { notes, remarks: [...this.failures, ...remarks], failures: this.failures };
    }
}

/** Collects the fields of one note after the other. */
class NoteParser {
    /** @type {string[]} */
    #open = [];
    /** @type {Fields} */
    #fields = [];
    /** @type {Base64[]} */
    #contents = [];
    #path = "";
    #isStarted = false;
    #maxFileBytes;

    /** @param {number} maxFileBytes */
    constructor(maxFileBytes) {
        this.#maxFileBytes = maxFileBytes;
    }

    /** Returns a note that ends with a token. @param {XMLToken} token @returns {ReadNote | null} */
    add(token) {
        if (token.kind === "text") {
            if (this.#path === fileData) {
                this.#contents.at(-1)?.add(token.text);
                return null;
            }
            const field = this.#fields.at(-1);
            if (!field || field[0] !== this.#path || !fields.has(this.#path)) return null;
            if (field[1].length <= (this.#path === "content" ? maxContent : maxField)) field[1] += token.text;
            return null;
        }
        if (token.kind === "start") {
            if (!this.#isStarted && token.name !== "en-export") throw new MoveFailure("not-evernote");
            this.#isStarted = true;
            if (this.#open.length === maxDepth) throw new MoveFailure("xml-damaged");
            this.#open.push(token.name);
            this.#path = this.#open.slice(2).join("/");
            if (this.#open.length === 2) [this.#fields, this.#contents] = [[], []];
            else if (fields.has(this.#path) || details.has(this.#path)) this.#fields.push([this.#path, ""]);
            if (this.#path === "resource") this.#contents.push(new Base64(this.#maxFileBytes));
            return null;
        }
        if (this.#open.at(-1) !== token.name) throw new MoveFailure("xml-damaged");
        this.#open.pop();
        this.#path = this.#open.slice(2).join("/");
        if (this.#open.length > 1 || token.name !== "note") return null;
        return { fields: this.#fields, contents: this.#contents };
    }

    /** Throws if the file ended within an element, or has none. */
    end() {
        if (this.#open.length > 0 || !this.#isStarted) throw new MoveFailure("xml-damaged");
    }
}

/** Decodes a file piece by piece. Keeps nothing of a file that is larger than an attachment may be. */
class Base64 {
    #rest = "";
    /** @type {Uint8Array<ArrayBuffer>[]} */
    #pieces = [];
    size = 0;
    isDamaged = false;
    #maxBytes;

    /** @param {number} maxBytes */
    constructor(maxBytes) {
        this.#maxBytes = maxBytes;
    }

    /** @param {string} text */
    add(text) {
        const input = this.#rest + text.replace(/\s+/g, "");
        const end = input.length - (input.length % 4);
        this.#rest = input.slice(end);
        try {
            const decoded = Uint8Array.from(atob(input.slice(0, end)), (sign) => sign.charCodeAt(0));
            this.size += decoded.length;
            if (this.size <= this.#maxBytes) this.#pieces.push(decoded);
            else this.#pieces = [];
        } catch {
            this.isDamaged = true;
        }
    }

    /**
     * Returns the file, without content if it is too large; null if it is damaged, or if there is no room for it.
     * @param {number} room the limit on its size, in bytes
     */
    end(room) {
        this.isDamaged ||= this.#rest !== "";
        if (this.isDamaged || this.size > room) return null;
        const bytes = new Uint8Array(this.#pieces.reduce((sum, { length }) => sum + length, 0));
        let at = 0;
        for (const piece of this.#pieces) {
            bytes.set(piece, at);
            at += piece.length;
        }
        this.#pieces = [];
        return bytes;
    }
}

/** Adds the references to files that a text lacks. @param {string} body @param {Map<string, Media>} media */
function withFiles(body, media) {
    const there = attachmentsIn(body);
    const missing = [...media.values()].filter(({ target }) => [...attachmentsIn(target)].some((id) => !there.has(id)));
    const written = missing.map(
        ({ name, target, isPicture }) => `${isPicture ? "!" : ""}[${escaped(name)}](${target})`,
    );
    return [body, ...written].filter((part) => part !== "").join("\n\n");
}

/**
 * Adds the address of the page that a note was taken from, unless the text has it.
 * @param {string} body
 * @param {string} source
 */
function withSource(body, source) {
    if (!isAddress(source) || body.includes(source)) return body;
    const words = (URL.canParse(source) && new URL(source).host) || source;
    return `${body}${body === "" ? "" : "\n\n"}[${words}](${addressText(source)})`;
}

/**
 * Splits a note's fields into those of each task or file.
 * @param {Fields} fields
 * @param {"task" | "resource"} name
 */
function groups(fields, name) {
    /** @type {Map<string, string>[]} */
    const found = [];
    for (const [path, text] of fields) {
        if (path === name) found.push(new Map());
        else if (path.startsWith(`${name}/`)) found.at(-1)?.set(path, text);
    }
    return found;
}

/** @param {Fields} fields */
const tasksOf = (fields) =>
    groups(fields, "task").map((task) => ({
        title: (task.get(taskTitle) ?? "").trim(),
        isDone: task.get(taskStatus)?.trim() === "completed",
        group: (task.get(taskGroup) ?? "").trim(),
    }));

/** Converts a time such as `20240301T120000Z`. Returns null for none. @param {string | undefined} text */
function timeOf(text) {
    const [, year, month, day, clock] = /^\s*(\d{4})(\d\d)(\d\d)T(\d{6})Z\s*$/.exec(text ?? "") ?? [];
    const time = Date.parse(`${year}-${month}-${day}T${(clock ?? "").replace(/(..)(..)(..)/, "$1:$2:$3")}Z`);
    return Number.isNaN(time) ? null : time;
}
