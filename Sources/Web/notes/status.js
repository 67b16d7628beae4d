/** The storage status of one note and of all notes, in words. */
import { fill, h } from "../shared/dom.js";
import { icon } from "./icons.js";

/** @import { State } from "./engine/types.js" */

/** @typedef {"inThisTab" | "onThisDevice" | "onServer" | "needsAttention"} NoteStatus */

/** @type {Record<NoteStatus, "edit" | "device" | "cloud" | "alert">} */
const icons = { inThisTab: "edit", onThisDevice: "device", onServer: "cloud", needsAttention: "alert" };

/**
 * Returns an element with a note's storage status.
 * @param {import("../shared/texts.js").Texts} texts
 * @param {NoteStatus} status
 * @param {{ short?: boolean }} [form] `short` shows only an icon, and none for a note on the server
 */
export function statusMark(texts, status, { short = false } = {}) {
    const words = texts.say(`status.${status}`);
    const mark = h("span", { class: "status-mark", "data-status": status });
    if (!short) fill(mark, icon(icons[status]), h("span", {}, words));
    else if (status !== "onServer") fill(mark, icon(icons[status]), h("span", { class: "spoken" }, words));
    if (short) mark.title = status === "onServer" ? "" : words;
    return mark;
}

/**
 * Returns the status of the whole page.
 * @param {import("../shared/texts.js").Texts} texts
 * @param {State} state
 * @param {() => number} now
 * @param {number} unsaved the number of notes that the storage refused
 * @returns {{ kind: "good" | "busy" | "waiting" | "attention", text: string }}
 */
export function summed(texts, state, now, unsaved) {
    const { phase, pending: n, attention, files, refusedFiles, decision, firstSync, retryAt } = state;
    const waitingFiles = n === 0 && files > 0 ? texts.say("file.status.waiting", { n: files }) : null;
    if (unsaved > 0) return { kind: "attention", text: texts.say("status.unsaved", { n: unsaved }) };
    if (decision || phase === "deciding") return { kind: "attention", text: texts.say("status.deciding") };
    if (attention > 0) return { kind: "attention", text: texts.say("status.attention", { n: attention }) };
    if (refusedFiles > 0) return { kind: "attention", text: texts.say("file.status.attention", { n: refusedFiles }) };
    if (phase === "failed") return { kind: "attention", text: texts.say("status.failed") };
    if (phase === "signInNeeded")
        return {
            kind: "attention",
            text: n > 0 ? texts.say("status.out.pending", { n }) : (waitingFiles ?? texts.say("status.out")),
        };
    if (phase === "offline")
        return {
            kind: "waiting",
            text: n > 0 ? texts.say("status.offline.pending", { n }) : (waitingFiles ?? texts.say("status.offline")),
        };
    if (firstSync) return { kind: "busy", text: texts.say("status.first", { n: firstSync.done }) };
    if (phase === "waiting" && retryAt !== null) {
        const seconds = Math.max(1, Math.ceil((retryAt - now()) / 1000));
        const text = n > 0 ? texts.say("status.waiting.pending", { n }) : texts.say("status.waiting", { n: seconds });
        return { kind: "waiting", text };
    }
    if (n > 0) return { kind: "busy", text: texts.say("status.sending", { n }) };
    if (files > 0) return { kind: "busy", text: texts.say("file.status.sending", { n: files }) };
    if (phase === "upToDate") return { kind: "good", text: texts.say("status.good") };
    return { kind: "busy", text: texts.say("status.syncing") };
}
