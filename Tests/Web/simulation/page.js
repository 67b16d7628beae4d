/**
 * In a page of the notes, before the page's own scripts: somebody who writes with the page's worker, and says what is
 * going to be written before it is. What was said of a page that is killed then may be there or not.
 */

import { random } from "../state/checks.js";
import { problem, TagLedger, WordLedger } from "./ledger.js";
import { decided } from "./person.js";
import { phrase } from "./writer.js";

/** @import { State } from "../../../Sources/Web/notes/engine/types.js" */
/** @import { NoteRecord } from "../../../Sources/Web/notes/sync/record.js" */
/** @import { Found } from "./ledger.js" */

/** @type {Worker | null} */
let worker = null;
/** @type {State | null} */
let state = null;
/** @type {WordLedger} */
let ledger;
/** @type {TagLedger} */
let tags;
/** What was decided, and not done yet. @type {(() => Promise<unknown>) | null} */
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
 * Asks the worker, as the page's Engine does: answers to others it lets pass.
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

/** What was said since it was last asked for. */
const said = () => [...ledger.said.splice(0), ...tags.said.splice(0)];

/** Where the fields of the note that is open are. @returns {any[]} */
const shadows = () => [...document.querySelectorAll(".note *")].flatMap(({ shadowRoot }) => shadowRoot ?? []);

/**
 * The field of the note that is open: 0 is its title, 1 its text.
 * @param {number} which
 * @returns {Element | undefined}
 */
const field = (which) => shadows().flatMap((shadow) => shadow.querySelector('[role="textbox"]') ?? [])[which];

const shownStatus = () => document.querySelector(".note-status")?.getAttribute("data-status") ?? null;

/** Kept when the page has said that what was typed is on the disk, and its worker was ended over that. */
let death = Promise.resolve();

/** What the program in Python asks pages for. */
/** @type {any} */ (globalThis).simulation = {
    /**
     * Begins a life, once.
     * @param {number} first the number of its first word
     */
    begin(first) {
        ledger ??= new WordLedger(first);
        tags ??= new TagLedger(`tag of ${first}`);
        return true;
    },

    /** Whether the notes can be asked for. */
    isOpen: () => worker !== null && document.querySelector(".frame:not(.alone) .page-status:not([hidden])") !== null,

    /**
     * Decides what to do next; what it has to say of that.
     * @param {number} seed
     */
    async decide(seed) {
        const next = random(seed);
        const found = await listed();
        for (const { text } of found) ledger.learn(`${text.title} ${text.body}`);
        run = await decided(notes, { ledger, tags, random: next, lines: 1 + next(6) });
        return said();
    },

    /** Does it; what it has to say of that when it is on the disk. */
    async act() {
        await run?.();
        return said();
    },

    /** Does it, and ends the worker as soon as it says that it is done. */
    async actAndDie() {
        await run?.();
        worker?.terminate();
        return said();
    },

    /** Will end the worker as soon as what is typed next is said to be on the disk. */
    dieWhenMarked() {
        death = new Promise((resolve) => {
            let isTyped = false;
            const observer = new MutationObserver(() => {
                const isMarked = shownStatus() !== "inThisTab";
                if (isTyped && isMarked) {
                    worker?.terminate();
                    observer.disconnect();
                    resolve();
                }
                isTyped ||= !isMarked;
            });
            observer.observe(document.body, { subtree: true, attributeFilter: ["data-status"] });
        });
    },

    isDead: () => death,

    /** Does it, and waits for nothing. */
    hurry() {
        run?.().catch(() => {});
    },

    /**
     * Words to be typed, and what it has to say of them.
     * @param {number} seed
     */
    phrase: (seed) => ({ text: phrase(ledger, random(seed)), said: said() }),

    ids: async () => (await listed()).map(({ id }) => id),

    isEditing: (/** @type {string} */ id) => location.hash.endsWith(`/notes/${id}`) && field(1) !== undefined,

    /** @param {number} which */
    focus(which) {
        const element = field(which);
        if (element instanceof HTMLElement) element.focus();
    },

    /**
     * What its line has before the caret and after it. Where a line that is wrapped ends in a text of both directions, the
     * caret may come to stand a character before the end, in the middle of a word.
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

    /** What stands in the fields of the note that is open, and where that is kept. */
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

    /** What it has, and how it stands. */
    async standing() {
        const { ids } = await call("list", { place: "list", order: "hand" });
        /** @type {Map<string, NoteRecord>} */
        const records = new Map((await all()).map((each) => [each.id, each]));
        return {
            state,
            says: document.querySelector(".page-status")?.getAttribute("data-kind"),
            list: ids.map((/** @type {string} */ id) => ({ id, ...records.get(id)?.text })),
            trash: [...records.values()].flatMap(({ id, place, text }) => (place === "trash" ? [{ id, ...text }] : [])),
        };
    },

    /**
     * Holds what was said, unit by unit, against what there is; null when nothing is wrong.
     * @param {string[][]} units
     * @param {Found[]} listed
     * @param {Found[]} trashed
     */
    problem(units, listed, trashed) {
        const [words, marks] = [new WordLedger(), new TagLedger()];
        for (const lines of units) {
            words.hear(lines);
            marks.hear(lines);
        }
        return problem(words, marks, listed, trashed);
    },
};
