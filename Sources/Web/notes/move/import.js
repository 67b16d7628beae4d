/** What comes in: which form a file or folder has, and what of it an account can take. */
import { isTag, mostTags } from "../../shared/forms.js";
import { hasSameWords, isSame, sortedTags } from "../sync/text.js";
import { readMarkdown } from "./markdown-form.js";
import { derivedID, folded, largestFile, MoveFailure, text } from "./moved-notes.js";
import { readSimplenote } from "./simplenote.js";
import { isZip, readZip } from "./zip.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { Found, MovedFile, MovedNote, Remark } from "./moved-notes.js" */

/** @typedef {"markdown" | "simplenote"} Form */
/** @typedef {{ add: MovedNote[], same: number, remarks: Remark[] }} Plan */

/** The server's limits: title and body in bytes, notes of an account. */
const limits = { title: 1024, body: 1 << 20, notes: 10_000 };
const isList = (/** @type {string} */ path) => /(?:^|\/)notes\.json$/.test(path);
const isRead = (/** @type {string} */ path) =>
    isList(path) ||
    /\.textbundle\/info\.json$/i.test(path) ||
    (/\.(?:md|markdown)$/i.test(path) && !/(?:^|\/)_resources\//.test(path));

/**
 * Reads what somebody has chosen: an archive, a JSON file, files of Markdown, or a folder of those.
 * @param {File[]} chosen
 * @returns {Promise<Found & { form: Form }>}
 */
export async function readChosen(chosen) {
    const [first] = chosen;
    if (chosen.length === 1 && (/\.zip$/i.test(first.name) || (await isZip(first)))) {
        const { files, remarks } = await readZip(first, isRead);
        return readFiles(files, remarks);
    }
    /** @type {MovedFile[]} */
    const files = [];
    /** @type {Remark[]} */
    const remarks = [];
    for (const file of chosen) {
        // The browser puts the folder's own name in front.
        const path = file.webkitRelativePath?.split("/").slice(1).join("/") || file.name;
        const isWanted = isRead(path) || (chosen.length === 1 && path.toLowerCase().endsWith(".json"));
        if (isWanted && file.size > largestFile) {
            remarks.push({ source: path, what: "too-large", detail: "" });
            continue;
        }
        const bytes = isWanted ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array(0);
        const isJSON = chosen.length === 1 && isWanted && /\.json$/i.test(path);
        files.push({ path: isJSON ? "notes.json" : path, bytes, time: file.lastModified });
    }
    return readFiles(files, remarks);
}

/**
 * @param {MovedFile[]} files
 * @param {Remark[]} [odd] the files that could not be read
 * @returns {Promise<Found & { form: Form }>}
 */
export async function readFiles(files, odd = []) {
    const list = files.find(({ path }) => isList(path));
    if (list) {
        const content = text(list.bytes);
        if (content === null) throw new MoveFailure("not-json");
        const { notes, remarks } = await readSimplenote(content);
        return { form: "simplenote", notes, remarks: [...odd, ...remarks] };
    }
    const { notes, remarks } = await readMarkdown(files);
    if (notes.length === 0) throw odd[0] ? new MoveFailure(odd[0].what, odd[0].source) : new MoveFailure("nothing");
    return { form: "markdown", notes, remarks: [...odd, ...remarks] };
}

/**
 * What of an export an account takes: notes that are there already stay as they are.
 * @param {Found} found
 * @param {Map<string, NoteRecord>} known the account's notes, those in the trash too
 * @returns {Promise<Plan>}
 */
export async function plan({ notes, remarks }, known) {
    /** @type {Plan} */
    const plan = { add: [], same: 0, remarks: [...remarks] };
    /** @type {Map<string, Text & { trashed: boolean }>} */
    const states = new Map([...known].map(([id, { text, place }]) => [id, { ...text, trashed: place !== "list" }]));
    const spelled = speller([...known.values()].flatMap((record) => record.text.tags));
    for (const { note, source } of notes) {
        const remark = (/** @type {string} */ what, detail = "") => plan.remarks.push({ source, what, detail });
        const flaw = flawOf(note);
        if (flaw) {
            remark(flaw);
            continue;
        }
        const tags = sortedTags(note.tags.filter(isTag).map(spelled));
        for (const tag of note.tags) if (!isTag(tag)) remark("tag", tag);
        for (const tag of tags.slice(mostTags)) remark("too-many-tags", tag);
        const fit = { ...note, tags: tags.slice(0, mostTags) };
        let there = states.get(fit.id);
        // A path alone does not tell that it is the same note: two vaults may each have their "Ideas.md".
        const isOther = there && !hasSameWords(there, fit) && fit.id === (await derivedID("md-", `${source}\n`));
        if (isOther) {
            fit.id = await derivedID("md-", `${source}\n\n${note.title}\n${note.body}`);
            there = states.get(fit.id);
        }
        if (there && isSame(there, fit) && there.trashed === fit.trashed) plan.same += 1;
        else if (there) remark("different");
        else if (states.size >= limits.notes) remark("too-many-notes");
        else {
            if (isOther) remark("another");
            states.set(fit.id, fit);
            plan.add.push(fit);
        }
    }
    return plan;
}

/**
 * Spells a tag as the account's notes do, where they have it in another letter case or with its accents apart.
 * @param {string[]} tags those of the account
 */
function speller(tags) {
    const spellings = new Map(tags.map((tag) => [folded(tag), tag]));
    const exact = new Set(tags);
    return (/** @type {string} */ tag) => {
        const composed = tag.normalize();
        return exact.has(composed) ? composed : (spellings.get(folded(tag)) ?? composed);
    };
}

/** @param {MovedNote} note */
function flawOf({ title, body, tags, trashed }) {
    if (trashed && title === "" && body === "" && tags.length === 0) return "empty";
    if (`${title}${body}`.includes("\0")) return "unfit-text";
    if (new TextEncoder().encode(title).length > limits.title) return "title-too-long";
    return new TextEncoder().encode(body).length > limits.body ? "body-too-long" : null;
}
