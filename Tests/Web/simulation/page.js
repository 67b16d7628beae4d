/**
 * A simulated user in a page of the notes, injected before the page's own scripts. It logs each write before the write
 * happens, because a killed page may or may not have finished the write.
 */

import { random } from "../state/checks.js";
import { decideChange } from "./user.js";
import { problem, TagLog, WordLog } from "./write-log.js";
import { phrase } from "./writer.js";

/** @import { State } from "../../../Sources/Web/notes/engine/types.js" */
/** @import { NoteRecord } from "../../../Sources/Web/notes/sync/record.js" */
/** @import { Found } from "./write-log.js" */

/** @type {Worker | null} */
let worker = null;
/** @type {State | null} */
let state = null;
/** @type {WordLog} */
let log;
/** @type {TagLog} */
let tags;
/** The pending write. @type {(() => Promise<unknown>) | null} */
let run = null;
let calls = 0;

globalThis.Worker = class extends Worker {
    /** @param {ConstructorParameters<typeof Worker>} words */
    constructor(...words) {
        super(...words);
        worker = this;
        this.addEventListener("message", ({ data }) => {
            if (data.event === "state") state = data.detail;
        });
    }
};

/**
 * Calls the worker like the page's Engine; responses to other calls are ignored.
 * @param {string} method
 * @param {unknown[]} words
 * @returns {Promise<any>}
 */
function call(method, ...words) {
    const mine = worker;
    if (!mine) throw new Error("the page has no worker");
    calls += 1;
    const number = `of a test: ${calls}`;
    return new Promise((resolve, reject) => {
        mine.addEventListener("message", function answered({ data }) {
            if (data.answer !== number) return;
            mine.removeEventListener("message", answered);
            if (data.failure) reject(new Error(`${method}: ${data.failure.kind ?? ""} ${data.failure.message}`));
            else resolve(data.result);
        });
        mine.postMessage({ call: number, method, words });
    });
}

/** @returns {Promise<NoteRecord[]>} */
const all = () => call("all");
const listed = async () => (await all()).filter(({ place }) => place === "list");

const notes = {
    all,
    create: (/** @type {unknown} */ text) => call("create", text),
    edit: (/** @type {unknown[]} */ ...words) => call("edit", ...words),
    move: (/** @type {unknown[]} */ ...words) => call("move", ...words),
    moveToTrash: async (/** @type {string} */ id) => {
        await call("moveAllToTrash", [id]);
        return call("note", id);
    },
    takeOutOfTrash: (/** @type {string} */ id) => call("takeAllOut", [id]),
};

/** Returns the log lines since the last call. */
const newLines = () => [...log.lines.splice(0), ...tags.lines.splice(0)];

/** Returns the shadow roots of the open note's fields. @returns {any[]} */
const shadows = () => [...document.querySelectorAll(".note *")].flatMap(({ shadowRoot }) => shadowRoot ?? []);

/**
 * Returns a field of the open note: 0 is its title, 1 its text.
 * @param {number} which
 * @returns {Element | undefined}
 */
const field = (which) => shadows().flatMap((shadow) => shadow.querySelector('[role="textbox"]') ?? [])[which];

const shownStatus = () => document.querySelector(".note-status")?.getAttribute("data-status") ?? null;

/** Resolves once the page reports that typed text is stored and its worker is terminated. */
let death = Promise.resolve();

/** The functions that the Python tests call. */
/** @type {any} */ (globalThis).simulation = {
    /**
     * Creates the write logs, once per life of the page.
     * @param {number} first the number of the first word
     */
    begin(first) {
        log ??= new WordLog(first);
        tags ??= new TagLog(`tag of ${first}`);
        return true;
    },

    /** Returns true if the notes can be read. */
    isOpen: () => worker !== null && document.querySelector(".frame:not(.alone) .page-status:not([hidden])") !== null,

    /**
     * Decides on the next write, and returns its log lines.
     * @param {number} seed
     */
    async decide(seed) {
        const next = random(seed);
        const found = await listed();
        for (const { text } of found) log.learn(`${text.title} ${text.body}`);
        run = await decideChange(notes, { log, tags, random: next, lines: 1 + next(6) });
        return newLines();
    },

    /** Performs the write, and returns its log lines once it is stored. */
    async act() {
        await run?.();
        return newLines();
    },

    /** Performs the write, and terminates the worker as soon as it reports completion. */
    async actAndDie() {
        await run?.();
        worker?.terminate();
        return newLines();
    },

    /** Prepares to terminate the worker as soon as the page reports that typed text is stored. */
    dieWhenStored() {
        death = new Promise((resolve) => {
            let isTyped = false;
            const observer = new MutationObserver(() => {
                const isStored = shownStatus() !== "inThisTab";
                if (isTyped && isStored) {
                    worker?.terminate();
                    observer.disconnect();
                    resolve();
                }
                isTyped ||= !isStored;
            });
            observer.observe(document.body, { subtree: true, attributeFilter: ["data-status"] });
        });
    },

    isDead: () => death,

    /** Starts the write without waiting. */
    startAct() {
        run?.().catch(() => {});
    },

    /**
     * Returns words to type, with their log lines.
     * @param {number} seed
     */
    phrase: (seed) => ({ text: phrase(log, random(seed)), lines: newLines() }),

    ids: async () => (await listed()).map(({ id }) => id),

    isEditing: (/** @type {string} */ id) => location.hash.endsWith(`/notes/${id}`) && field(1) !== undefined,

    /** @param {number} which */
    focus(which) {
        const element = field(which);
        if (element instanceof HTMLElement) element.focus();
    },

    /**
     * Returns the text around the caret in its line. At the end of a wrapped line of both directions, the caret may be
     * one character before the end.
     */
    aroundCaret() {
        const focused = shadows().find(({ activeElement }) => activeElement);
        const { anchorNode: node, anchorOffset: offset } = focused?.getSelection() ?? {};
        const line = (node instanceof Element ? node : node?.parentElement)?.closest(".cm-line");
        if (!line) return null;
        const [before, after] = [new Range(), new Range()];
        before.setStart(line, 0);
        before.setEnd(node, offset);
        after.setStart(node, offset);
        after.setEnd(line, line.childNodes.length);
        return [before.toString(), after.toString()];
    },

    /** Returns the text in the open note's fields, and its save status. */
    editor: () => ({
        text: [0, 1]
            .map((which) =>
                [...(field(which)?.querySelectorAll(".cm-line") ?? [])].map((line) => line.textContent).join("\n"),
            )
            .join("\n"),
        note: location.hash.split("/").at(-1),
        status: shownStatus(),
    }),

    sync: () => call("syncNow"),

    state: () => state,

    /** Returns the page's notes and its state. */
    async snapshot() {
        const { ids } = await call("list", { place: "list", order: "hand" });
        /** @type {Map<string, NoteRecord>} */
        const records = new Map((await all()).map((each) => [each.id, each]));
        return {
            state,
            status: document.querySelector(".page-status")?.getAttribute("data-kind"),
            list: ids.map((/** @type {string} */ id) => ({ id, ...records.get(id)?.text })),
            trash: [...records.values()].flatMap(({ id, place, text }) => (place === "trash" ? [{ id, ...text }] : [])),
        };
    },

    /**
     * Checks the final notes against the log lines; returns an error text, or null.
     * @param {string[][]} units
     * @param {Found[]} listed
     * @param {Found[]} trashed
     */
    problem(units, listed, trashed) {
        const [words, marks] = [new WordLog(), new TagLog()];
        for (const lines of units) {
            words.replay(lines);
            marks.replay(lines);
        }
        return problem(words, marks, listed, trashed);
    },
};
