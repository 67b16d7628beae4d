/** The worker that stores a tab's notes and answers the page's Engine in client.js. */

import { AttachmentServer } from "../attachments/attachment-server.js";
import { attachmentSchema, attachmentsName } from "../attachments/attachment-view.js";
import { NoSuchNote, UnfitText } from "../sync/notes.js";
import { NotesServer } from "../sync/server.js";
import { Database, NotesStore, StorageFailure } from "../sync/store.js";
import { load } from "../text/textmerge.js";
import { Device } from "./device.js";
import { SentIds } from "./ids.js";

/** The methods of Device, of Notes and of Attachments that a page may call. */
const ofDevice = new Set([
    ...["list", "summaries", "titled", "linkedFrom", "edit", "diff", "syncNow", "decide", "wipe", "close", "open"],
]);
const ofNotes = new Set([
    ...["note", "create", "createAll", "all", "move", "takeOutOfTrash", "retag", "pin"],
    ...["moveAllToTrash", "takeAllOut", "removeAllForGood", "removeUnwritten", "discardChange", "keepAsNew"],
]);
const ofAttachments = new Set([
    ...["attach", "attachment", "attachmentContent", "unsentAttachments", "resendAttachment", "discardAttachment"],
    ...["attachmentUsage", "maxAttachmentBytes", "keepAllAttachments"],
]);

/** The hexadecimal form of each byte. */
const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The worker's global scope. @type {any} */
const scope = globalThis;
/** @type {Device | null} */
let device = null;
const ids = new SentIds();

/** @param {{ environment: string, account: string }} whose */
function newDevice({ environment, account }) {
    const name = `almanac-notes:${environment}:${account}`;
    const nameOfAttachments = attachmentsName(environment, account);
    /** @type {typeof fetch} */
    const fetchAsOwner = (input, init) => {
        const headers = new Headers(init?.headers);
        // Another user may have signed in meanwhile; the server then refuses the request.
        headers.set("Almanac-User", encodeURIComponent(account));
        return fetch(input, { ...init, headers });
    };
    const hash = async (/** @type {BufferSource} */ bytes) => {
        const digest = await crypto.subtle.digest("SHA-256", bytes);
        return Array.from(new Uint8Array(digest), (byte) => hexadecimal[byte]).join("");
    };
    return new Device({
        name,
        store: new NotesStore(
            name,
            indexedDB,
            () => device?.onStoreLost(),
            () => device?.removed(),
        ),
        factory: indexedDB,
        server: new NotesServer(`/${environment}`, fetchAsOwner),
        attachments: {
            name: nameOfAttachments,
            store: new Database(nameOfAttachments, indexedDB, attachmentSchema, () => device?.onAttachmentsLost()),
            server: new AttachmentServer(`/${environment}`, fetchAsOwner),
            hash,
        },
        text: load(),
        stream: () => new EventSource(`/${environment}/events`),
        locks: navigator.locks,
        channel: new BroadcastChannel(name),
        now: () => Date.now(),
        steady: () => performance.now(),
        random: () => Math.random(),
        identifier: () => crypto.randomUUID(),
        hash: (text) => hash(new TextEncoder().encode(text)),
        timers: { set: (call, milliseconds) => setTimeout(call, milliseconds), clear: (timer) => clearTimeout(timer) },
        emit: (event, detail) =>
            scope.postMessage({ event, detail: detail instanceof StorageFailure ? sendable(detail) : detail }),
    });
}

/**
 * Returns an error in a form that the page can rebuild. Class names are literals because minification shortens them.
 * @param {unknown} failure
 */
function sendable(failure) {
    const message = failure instanceof Error ? failure.message : String(failure);
    if (failure instanceof StorageFailure) return { name: "StorageFailure", message, kind: failure.kind };
    if (failure instanceof NoSuchNote) return { name: "NoSuchNote", message };
    return { name: failure instanceof UnfitText ? "UnfitText" : "Error", message };
}

/**
 * @param {number} call
 * @param {string} method
 * @param {unknown[]} words
 */
async function answer(call, method, words) {
    try {
        /** @type {any} */
        const target = ofDevice.has(method)
            ? device
            : ofNotes.has(method)
              ? device?.notes
              : ofAttachments.has(method)
                ? device?.attachments
                : null;
        if (!target) throw new Error(`unknown method ${method}`);
        const result = await target[method](...words);
        // A caller that names no list receives the ids unpacked.
        const has = method === "list" ? words[1] : null;
        const packed = typeof has === "number" ? { ...result, ids: ids.pack(result.ids, has) } : result;
        scope.postMessage({ answer: call, result: packed });
    } catch (failure) {
        if (failure instanceof StorageFailure) scope.postMessage({ event: "failure", detail: sendable(failure) });
        scope.postMessage({ answer: call, failure: sendable(failure) });
    }
}

scope.onmessage = (/** @type {MessageEvent} */ { data }) => {
    if (data.open) {
        // Held until the worker ends.
        navigator.locks.request(data.lock, { mode: "shared" }, () => new Promise(() => {})).catch(() => {});
        device = newDevice(data.open);
        // Open before the page requests it; the page's first call reports a failure.
        device.open().catch(() => {});
    }
    if (data.call) answer(data.call, data.method, data.words);
    if (data.pageState) device?.onPageState(data.pageState);
};
scope.ononline = () => device?.onPageState("online");
