/** The worker that keeps the notes of a tab: it answers what the page's Engine asks, in client.js. */

import { NotesServer } from "../sync/server.js";
import { NotesStore, StorageFailure } from "../sync/store.js";
import { loadTextMerge } from "../text/textmerge.js";
import { Device } from "./device.js";

/** What a page may ask for: methods of Device. */
const methods = new Set([
    ...["list", "summaries", "note", "create", "edit", "move", "moveToTrash", "takeOutOfTrash", "removeForGood"],
    ...["discardChange", "keepAsNew", "diff", "createAll", "all", "syncNow", "decide", "wipe", "close", "open"],
]);

/** The scope of a worker, as far as it is used here. @type {any} */
const scope = globalThis;
/** @type {Device | null} */
let device = null;

/** @param {{ environment: string, account: string }} whose */
function newDevice({ environment, account }) {
    const name = `almanac-notes:${environment}:${account}`;
    return new Device({
        name,
        store: new NotesStore(name, indexedDB),
        factory: indexedDB,
        server: new NotesServer(`/${environment}`, (input, init) => fetch(input, init)),
        text: loadTextMerge(),
        stream: () => new EventSource(`/${environment}/events`),
        locks: navigator.locks,
        channel: new BroadcastChannel(name),
        now: () => Date.now(),
        steady: () => performance.now(),
        random: () => Math.random(),
        identifier: () => crypto.randomUUID(),
        timers: { set: (call, milliseconds) => setTimeout(call, milliseconds), clear: (timer) => clearTimeout(timer) },
        emit: (event, detail) =>
            scope.postMessage({ event, detail: detail instanceof StorageFailure ? sendable(detail) : detail }),
    });
}

/** @param {unknown} failure */
function sendable(failure) {
    if (!(failure instanceof Error)) return { name: "Error", message: String(failure) };
    const kind = failure instanceof StorageFailure ? failure.kind : undefined;
    return { name: failure.constructor.name, message: failure.message, kind };
}

/**
 * @param {number} call
 * @param {string} method
 * @param {unknown[]} words
 */
async function answer(call, method, words) {
    try {
        if (!device || !methods.has(method)) throw new Error(`nobody answers ${method}`);
        const result = await /** @type {any} */ (device)[method](...words);
        scope.postMessage({ answer: call, result });
    } catch (failure) {
        if (failure instanceof StorageFailure) scope.postMessage({ event: "failure", detail: sendable(failure) });
        scope.postMessage({ answer: call, failure: sendable(failure) });
    }
}

scope.onmessage = (/** @type {MessageEvent} */ { data }) => {
    if (data.open) device = newDevice(data.open);
    if (data.call) answer(data.call, data.method, data.words);
    if (data.told) device?.told(data.told);
};
scope.ononline = () => device?.told("online");
