/** What comes in: which form a file or folder has, and what of it an account can take. */
import { sortedTags } from "../sync/text.js";
import { readMarkdown } from "./joplin.js";
import { MoveFailure, text } from "./notes.js";
import { readSimplenote } from "./simplenote.js";
import { isZip, readZip } from "./zip.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Found, MovedFile, MovedNote, Remark } from "./notes.js" */

/** @typedef {"markdown" | "simplenote"} Form */
/** @typedef {{ add: MovedNote[], same: number, remarks: Remark[] }} Plan */

/** The server's limits: title and body in bytes, tags in characters and of a note, notes of an account. */
const limits = { title: 1024, body: 1 << 20, tag: 64, tags: 32, notes: 10_000, file: 64 << 20 };
const isList = (/** @type {string} */ path) => /(?:^|\/)notes\.json$/.test(path);
const isRead = (/** @type {string} */ path) =>
    isList(path) || (/\.(?:md|markdown)$/i.test(path) && !/(?:^|\/)_resources\//.test(path));

/**
 * Reads what somebody has chosen: an archive, a JSON file, files of Markdown, or a folder of those.
 * @param {File[]} chosen
 * @returns {Promise<Found & { form: Form }>}
 */
export async function readChosen(chosen) {
    const [first] = chosen;
    if (chosen.length === 1 && (/\.zip$/i.test(first.name) || (await isZip(first))))
        return readFiles(await readZip(first, isRead));
    const files = [];
    for (const file of chosen) {
        // The browser puts the folder's own name in front.
        const path = file.webkitRelativePath?.split("/").slice(1).join("/") || file.name;
        if (file.size > limits.file) throw new MoveFailure("too-large", path);
        const isWanted = isRead(path) || (chosen.length === 1 && path.toLowerCase().endsWith(".json"));
        const bytes = isWanted ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array(0);
        files.push({ path: chosen.length === 1 && isWanted && /\.json$/i.test(path) ? "notes.json" : path, bytes });
    }
    return readFiles(files);
}

/**
 * @param {MovedFile[]} files
 * @returns {Promise<Found & { form: Form }>}
 */
export async function readFiles(files) {
    const list = files.find(({ path }) => isList(path));
    if (list) {
        const content = text(list.bytes);
        if (content === null) throw new MoveFailure("not-json");
        return { form: "simplenote", ...(await readSimplenote(content)) };
    }
    const found = await readMarkdown(files);
    if (found.notes.length === 0) throw new MoveFailure("nothing");
    return { form: "markdown", ...found };
}

/**
 * What of an export an account takes: notes that are there already stay as they are.
 * @param {Found} found
 * @param {Map<string, NoteRecord>} known the account's notes, those in the trash too
 * @returns {Plan}
 */
export function plan({ notes, remarks }, known) {
    /** @type {Plan} */
    const plan = { add: [], same: 0, remarks: [...remarks] };
    const state = (/** @type {NoteRecord} */ { text: { title, body, tags, pinned }, place }) =>
        written({ title, body, tags, pinned, trashed: place !== "list" });
    const states = new Map([...known].map(([id, record]) => [id, state(record)]));
    for (const { note, source } of notes) {
        const remark = (/** @type {string} */ what, detail = "") => plan.remarks.push({ source, what, detail });
        const flaw = flawOf(note);
        if (flaw) {
            remark(flaw);
            continue;
        }
        const tags = note.tags.filter(isTag);
        for (const tag of note.tags) if (!isTag(tag)) remark("tag", tag);
        for (const tag of tags.slice(limits.tags)) remark("too-many-tags", tag);
        const fit = { ...note, tags: sortedTags(tags.slice(0, limits.tags)) };
        const there = states.get(note.id);
        if (there === written(fit)) plan.same += 1;
        else if (there !== undefined) remark("different");
        else if (states.size >= limits.notes) remark("too-many-notes");
        else {
            states.set(note.id, written(fit));
            plan.add.push(fit);
        }
    }
    return plan;
}

/** @param {Pick<MovedNote, "title" | "body" | "tags" | "pinned" | "trashed">} note */
const written = ({ title, body, tags, pinned, trashed }) => JSON.stringify([title, body, tags, pinned, trashed]);

/** @param {MovedNote} note */
function flawOf({ title, body, tags, trashed }) {
    if (trashed && title === "" && body === "" && tags.length === 0) return "empty";
    if (`${title}${body}`.includes("\0")) return "unfit-text";
    if (new TextEncoder().encode(title).length > limits.title) return "title-too-long";
    return new TextEncoder().encode(body).length > limits.body ? "body-too-long" : null;
}

/** @param {string} tag */
const isTag = (tag) => tag !== "" && [...tag].length <= limits.tag && !/\p{Cc}/u.test(tag);
