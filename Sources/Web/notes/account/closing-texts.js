/**
 * Texts that a closing page may not have stored, in local storage until the next start: Firefox and WebKit end the
 * page's worker before it has handled the last edits.
 */

import { pageLock, workersEnded } from "./page-lock.js";

/** @import { Text } from "../sync/text.js" */
/** @typedef {import("../engine/client.js").Engine} Engine */

/** The number of letters around a change that identify it. */
const contextLength = 8;

/** Brackets end the name, so no account's prefix is the start of another's. @param {string[]} account */
const prefixOf = (...account) => `almanac.notes.closing:${JSON.stringify(account)}`;

/** @param {Storage} storage @param {string} prefix */
const keysOf = (storage, prefix) => Object.keys(storage).filter((key) => key.startsWith(prefix));

/**
 * @param {Storage} storage
 * @param {{ environment: string, account: string }} context
 * @param {string} id
 * @param {Text[]} texts the stored text, the text that was sent, and the current text
 */
export function keepTexts(storage, { environment, account }, id, texts) {
    try {
        storage.setItem(prefixOf(environment, account) + id, JSON.stringify({ lock: pageLock, texts }));
    } catch {
        // Without storage, the last letters depend on the worker.
    }
}

/**
 * Removes the texts of a note that the page has stored after all.
 * @param {Storage} storage
 * @param {{ environment: string, account: string }} context
 * @param {string} id
 */
export function forgetText(storage, { environment, account }, id) {
    storage.removeItem(prefixOf(environment, account) + id);
}

/**
 * @param {Storage} storage
 * @param {string} environment
 * @param {string} name
 */
export function forgetTexts(storage, environment, name) {
    for (const key of keysOf(storage, prefixOf(environment, name))) storage.removeItem(key);
}

/**
 * Stores the texts of an account that its pages have left, once their workers have ended.
 * @param {Storage} storage
 * @param {LockManager} locks
 * @param {{ environment: string, name: string, engine: Pick<Engine, "note" | "edit"> }} account
 */
export async function restoreTexts(storage, locks, { environment, name, engine }) {
    const prefix = prefixOf(environment, name);
    for (const key of keysOf(storage, prefix)) {
        const id = key.slice(prefix.length);
        await workersEnded(locks, read(storage, key).lock);
        // A page that lives on may have stored its texts meanwhile.
        const { texts } = read(storage, key);
        const record = await engine.note(id);
        const text = texts.at(-1);
        if (record && text) {
            const base = {
                ...texts[0],
                title: storedText(record.text, texts, "title"),
                body: storedText(record.text, texts, "body"),
            };
            await engine.edit(id, base, text);
        }
        storage.removeItem(key);
    }
}

/** @param {Storage} storage @param {string} key @returns {{ lock: string, texts: Text[] }} */
function read(storage, key) {
    const kept = JSON.parse(storage.getItem(key) ?? "[]");
    // Earlier versions of the page kept the texts alone.
    return Array.isArray(kept) ? { lock: "", texts: kept } : kept;
}

/**
 * Returns the last of the texts that the record contains, possibly with changes of other devices.
 * @param {Text} record
 * @param {Text[]} texts
 * @param {"title" | "body"} part
 */
function storedText(record, texts, part) {
    const all = texts.map((text) => text[part]);
    const stored = record[part];
    const [first] = all;
    const last = all[all.length - 1];
    const shorter = Math.min(first.length, last.length);
    let start = 0;
    while (start < shorter && first[start] === last[start]) start += 1;
    let end = 0;
    while (end < shorter - start && first.at(-1 - end) === last.at(-1 - end)) end += 1;
    const changed = (/** @type {string} */ text) =>
        text.slice(Math.max(0, start - contextLength), Math.max(0, text.length - end) + contextLength);
    return (
        all.findLast((text) => text === stored) ??
        all.findLast((text) => text !== first && changed(text) && stored.includes(changed(text))) ??
        first
    );
}
