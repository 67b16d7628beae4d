/** Imports notes: detects the format of files and folders, and plans the notes that an account can accept. */
import { isTag, maxTags } from "../../shared/formats.js";
import { attachmentsIn, withOtherIDs } from "../attachments/references.js";
import { hasSameTitleAndBody, isSame, sortedTags } from "../sync/text.js";
import { FoundFiles, followingID } from "./found-files.js";
import { isInTakeout, mayBeKeep, readKeep } from "./keep.js";
import { isNote, readMarkdown } from "./markdown-form.js";
import { derivedID, folded, MoveFailure, maxFileBytes, text } from "./portable-notes.js";
import { readSimplenote } from "./simplenote.js";
import { isZip, maxFiles, maxUnpackedBytes, readZip } from "./zip.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { FoundFile } from "./found-files.js" */
/** @import { Found, PortableFile, PortableNote, Remark } from "./portable-notes.js" */

/** `files` are those that the account lacks. */
/** @typedef {{ add: PortableNote[], same: number, files: FoundFile[], remarks: Remark[] }} Plan */
/** An attachment of the account. @typedef {{ sha256: string, state: string }} Stored */

/** The server's limits: title and body in bytes, files in a text, notes per account. */
const limits = { title: 1024, body: 1 << 20, files: 1000, notes: 10_000 };
const isList = (/** @type {string} */ path) => /(?:^|\/)notes\.json$/.test(path);
const isENEX = (/** @type {string} */ path) => /\.enex$/i.test(path);
const isArchive = (/** @type {string} */ path) => /\.(?:zip|bear2?bk|textpack|textbundle)$/i.test(path);
const isOtherArchive = (/** @type {string} */ path) => /\.(?:7z|bz2|gz|jex|rar|tar|tgz|xz)$/i.test(path);
const isRead = (/** @type {string} */ path) =>
    isList(path) ||
    isInTakeout(path) ||
    isENEX(path) ||
    /\.textbundle\/(?:info\.json|text\.txt)$/i.test(path) ||
    (isNote(path) && !/(?:^|\/)_resources\//.test(path));
const isWanted = (/** @type {string} */ path, /** @type {number} */ size) =>
    isInTakeout(path) ? mayBeKeep(path, size) : isRead(path) || mayBeKeep(path, size);

/**
 * Reads chosen files: archives, a JSON file, Markdown files, or folders of these.
 * @param {File[]} chosen
 * @param {number | null} [maxAttachmentBytes] the server's limit on an attached file, in bytes, or null while it is unknown
 * @returns {Promise<Found>}
 */
export async function readChosen(chosen, maxAttachmentBytes = null) {
    const isAlone = chosen.length === 1;
    const rootOf = (/** @type {File} */ { webkitRelativePath: path }) => /^[^/]*\//.exec(path ?? "")?.[0] ?? "";
    const roots = new Set(chosen.map(rootOf));
    /** @type {PortableFile[]} */
    const files = [];
    /** @type {Remark[]} */
    const remarks = [];
    let room = maxUnpackedBytes;
    for (const file of chosen) {
        if (isAlone && isOtherArchive(file.name)) throw new MoveFailure("zip-damaged");
        if (isAlone ? isArchive(file.name) || (await isZip(file)) : isArchive(file.name) && rootOf(file) === "") {
            try {
                const opened = await readArchive(file, file.name, room);
                room -= sizeOf(opened.files);
                for (const each of opened.files) files.push(each);
                for (const each of opened.remarks) remarks.push(each);
            } catch (failure) {
                if (isAlone || !(failure instanceof MoveFailure)) throw failure;
                remarks.push({ source: file.name, what: failure.what, detail: "" });
            }
            continue;
        }
        // Omit the folder's name, which the browser puts first, unless it names a bundle or distinguishes folders.
        const isNamed = roots.size > 1 || /\.textbundle\/$/i.test(rootOf(file));
        const path = (file.webkitRelativePath || file.name).slice(isNamed ? 0 : rootOf(file).length);
        if (isENEX(path)) {
            files.push({ path, bytes: new Uint8Array(0), blob: file });
            continue;
        }
        const isJSON = isAlone && /\.json$/i.test(path);
        const isOpened = isJSON || isWanted(path, file.size);
        if (isOpened && file.size > maxFileBytes) {
            remarks.push({ source: path, what: "too-large", detail: "" });
            continue;
        }
        if (isOpened) room -= file.size;
        if (room < 0) throw new MoveFailure("zip-large");
        const read = async () => new Uint8Array(await file.arrayBuffer());
        const content = isOpened ? { bytes: await read() } : { bytes: new Uint8Array(0), size: file.size, read };
        files.push({ path: isJSON ? "notes.json" : path, ...content, time: file.lastModified });
    }
    return readFiles(files, remarks, maxAttachmentBytes);
}

/** Returns the size of files in memory, in bytes. @param {PortableFile[]} files */
const sizeOf = (files) => files.reduce((sum, { bytes }) => sum + bytes.length, 0);

/**
 * Reads an archive, or the archives within an archive without notes, as in an export by Notion.
 * @param {Blob} archive
 * @param {string} name
 * @param {number} room the limit on the total unpacked size, in bytes
 */
async function readArchive(archive, name, room) {
    const outer = await openArchive(archive, name, room);
    if (outer.files.some(({ path }) => isRead(path))) return outer;
    const files = outer.files.filter(({ path }) => !isArchive(path));
    const remarks = outer.remarks;
    const parts = await readZip(archive, isArchive, room);
    remarks.push(...parts.remarks.filter(({ source }) => isArchive(source)));
    let left = room;
    for (const { path, bytes } of parts.files.filter((part) => isArchive(part.path))) {
        if (files.length > maxFiles) throw new MoveFailure("zip-large");
        try {
            const part = await openArchive(new Blob([new Uint8Array(bytes)]), path, left);
            left -= sizeOf(part.files);
            for (const each of part.files) files.push(each);
            for (const each of part.remarks) remarks.push(each);
        } catch (failure) {
            if (!(failure instanceof MoveFailure)) throw failure;
            remarks.push({ source: path, what: failure.what, detail: "" });
        }
    }
    return { files, remarks };
}

/**
 * Reads an archive. The files of a bundle get its name as their folder, which some programs leave out.
 * @param {Blob} archive
 * @param {string} name
 * @param {number} room
 */
async function openArchive(archive, name, room) {
    const folder = /([^/]+)\.text(?:pack|bundle)$/i.exec(name)?.[1];
    const placed = (/** @type {string} */ path) =>
        folder && /^(?:text\.\w+|info\.json|assets\/.*)$/i.test(path) ? `${folder}.textbundle/${path}` : path;
    const { files, remarks } = await readZip(archive, (path, size) => isWanted(placed(path), size), room);
    return { files: files.map((file) => ({ ...file, path: placed(file.path) })), remarks };
}

/**
 * @param {PortableFile[]} files
 * @param {Remark[]} [odd] the files that could not be read
 * @param {number | null} [maxAttachmentBytes] the server's limit on an attached file, in bytes, or null while it is unknown
 * @returns {Promise<Found>}
 */
export async function readFiles(files, odd = [], maxAttachmentBytes = null) {
    const attached = new FoundFiles(maxAttachmentBytes);
    /** @type {Found} */
    const found = { notes: [], remarks: [...odd], attached };
    const add = (/** @type {Found} */ { notes, remarks }) => {
        for (const note of notes) found.notes.push(note);
        for (const remark of remarks) found.remarks.push(remark);
    };
    const evernote = await readEvernote(
        files.filter(({ path }) => isENEX(path)),
        attached,
    );
    const keep = await readKeep(
        files.filter(({ path }) => !isENEX(path)),
        attached,
    );
    add(evernote);
    add(keep);
    const lists = new Set();
    /** @type {MoveFailure | null} */
    let refusal = null;
    for (const file of keep.others.filter(({ path }) => isList(path))) {
        try {
            add(await readSimplenote(text(file.bytes) ?? ""));
            lists.add(file);
        } catch (failure) {
            // Other programs have files of this name too.
            if (!(failure instanceof MoveFailure)) throw failure;
            refusal ??= failure;
        }
    }
    // Simplenote's list comes with a text file for each note, which adds nothing.
    const others = keep.others.filter((file) => !lists.has(file));
    if (lists.size === 0 || others.some(({ path }) => isRead(path))) add(await readMarkdown(others, attached));
    for (const remark of attached.remarks) found.remarks.push(remark);
    if (found.notes.length > 0 || lists.size > 0) return found;
    if (keep.remarks.length + evernote.remarks.length > evernote.failures.length) return found;
    const [first] = [...odd, ...evernote.failures];
    throw refusal ?? new MoveFailure(first?.what ?? "nothing", first?.source);
}

/** @param {PortableFile[]} files @param {FoundFiles} attached @returns {Promise<Found & { failures: Remark[] }>} */
async function readEvernote(files, attached) {
    if (files.length === 0) return { notes: [], remarks: [], failures: [] };
    const { EvernoteReader } = await import("./evernote.js");
    const reader = new EvernoteReader(attached);
    for (const { path, bytes, blob } of files) await reader.read(blob ?? new Blob([new Uint8Array(bytes)]), path);
    return reader.end();
}

/**
 * Plans an import. Notes that already exist stay unchanged.
 * @param {Found} found
 * @param {Map<string, NoteRecord>} known the account's notes, including the trash
 * @param {(id: string) => Promise<Stored | null>} [stored] returns an attachment of the account
 * @returns {Promise<Plan>}
 */
export async function plan({ notes: given, remarks, attached = new FoundFiles() }, known, stored = async () => null) {
    /** @type {Plan} */
    const plan = { add: [], same: 0, files: [], remarks: [...remarks] };
    const { ids, files } = await idsOf(attached, stored);
    const notes = given.map(({ note, source }) => ({ note: { ...note, body: withOtherIDs(note.body, ids) }, source }));
    const addFiles = async (/** @type {string} */ body, /** @type {string} */ source) => {
        /** @type {string[]} */
        const missing = [];
        for (const id of attachmentsIn(body)) {
            const file = files.get(id);
            if (file === undefined && !(await stored(id))) missing.push(`attachments/${id}`);
            if (!file) continue;
            plan.files.push(file);
            files.set(id, null);
        }
        if (missing.length > 0) plan.remarks.push({ source, what: "file-missing", detail: missing.join(", ") });
    };
    /** @type {Map<string, Text & { trashed: boolean }>} */
    const states = new Map([...known].map(([id, { text, place }]) => [id, { ...text, trashed: place !== "list" }]));
    const spelled = tagSpeller([...known.values()].flatMap((record) => record.text.tags));
    const others = await othersOf(notes, states);
    const linked = (/** @type {string} */ body) =>
        others.byID.size === 0 ? body : body.replace(noteLink, (_, id) => `](notes/${others.byID.get(id) ?? id})`);
    for (const { note, source } of notes) {
        const remark = (/** @type {string} */ what, detail = "") => plan.remarks.push({ source, what, detail });
        const problem = problemOf(note);
        if (problem) {
            remark(problem);
            continue;
        }
        const tags = sortedTags(note.tags.filter(isTag).map(spelled));
        for (const tag of note.tags) if (!isTag(tag)) remark("tag", tag);
        for (const tag of tags.slice(maxTags)) remark("too-many-tags", tag);
        const other = others.byNote.get(note);
        const fit = { ...note, id: other ?? note.id, body: linked(note.body), tags: tags.slice(0, maxTags) };
        const there = states.get(fit.id);
        const isKnown = there && isSame(there, fit) && there.trashed === fit.trashed;
        if (isKnown || (!there && states.size < limits.notes)) await addFiles(fit.body, source);
        if (isKnown) plan.same += 1;
        else if (there) remark("different");
        else if (states.size >= limits.notes) remark("too-many-notes");
        else {
            if (other) remark("another");
            states.set(fit.id, fit);
            plan.add.push(fit);
        }
    }
    return plan;
}

/**
 * Returns the ids that the files get, by their ids in texts, and the files by these ids; null for a file that the account
 * has. A file of an export by Almanac keeps its id where the account has the same bytes under it.
 * @param {FoundFiles} attached
 * @param {(id: string) => Promise<Stored | null>} stored
 */
async function idsOf({ byID, byOwnID }, stored) {
    /** @type {Map<string, string>} */
    const ids = new Map();
    /** @type {Map<string, FoundFile | null>} */
    const files = new Map();
    for (const [known, file] of byID) {
        let id = known;
        let there = await stored(id);
        // The id of an attachment that was removed is never taken again.
        for (; there?.state === "removed"; there = await stored(id)) id = await followingID(id);
        files.set(id, there ? null : { ...file, id });
        if (id !== known) ids.set(known, id);
    }
    for (const [own, file] of byOwnID) {
        const there = await stored(own);
        if (there && there.state !== "removed" && there.sha256 === file.sha256) files.set(own, null);
        else ids.set(own, ids.get(file.id) ?? file.id);
    }
    return { ids, files };
}

/** A link to a note by its address. */
const noteLink = /\]\(notes\/([A-Za-z0-9_-]{1,64})\)/g;

/**
 * Returns ids for notes that only share their path with another note: two vaults may each have an "Ideas.md".
 * @param {Found["notes"]} notes
 * @param {Map<string, Pick<Text, "title" | "body">>} states the account's notes
 */
async function othersOf(notes, states) {
    const before = new Map(states);
    /** @type {Map<PortableNote, string>} */
    const byNote = new Map();
    /** @type {Map<string, string>} */
    const byID = new Map();
    // Links to such notes get the new ids only later.
    const unlinked = (/** @type {Pick<Text, "title" | "body">} */ { title, body }) => ({
        title,
        body: body.replace(noteLink, "]()"),
    });
    for (const { note, source } of notes) {
        const there = before.get(note.id);
        if (!there) before.set(note.id, note);
        else if (
            !hasSameTitleAndBody(unlinked(there), unlinked(note)) &&
            note.id === (await derivedID("md-", `${source}\n`))
        ) {
            const id = await derivedID("md-", `${source}\n\n${note.title}\n${note.body}`);
            byNote.set(note, id);
            byID.set(note.id, id);
        }
    }
    return { byNote, byID };
}

/**
 * Returns a function that spells a tag like an equal tag of the account, ignoring case and normalization.
 * @param {string[]} tags the account's tags
 */
function tagSpeller(tags) {
    const spellings = new Map(tags.map((tag) => [folded(tag), tag]));
    const exact = new Set(tags);
    return (/** @type {string} */ tag) => {
        const composed = tag.normalize();
        return exact.has(composed) ? composed : (spellings.get(folded(tag)) ?? composed);
    };
}

/** @param {PortableNote} note */
function problemOf({ title, body, tags, trashed }) {
    if (trashed && title === "" && body === "" && tags.length === 0) return "empty";
    if (`${title}${body}`.includes("\0")) return "unfit-text";
    if (attachmentsIn(body).size > limits.files) return "too-many-files";
    if (new TextEncoder().encode(title).length > limits.title) return "title-too-long";
    return new TextEncoder().encode(body).length > limits.body ? "body-too-long" : null;
}
