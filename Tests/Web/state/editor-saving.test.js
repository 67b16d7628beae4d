/** The editor's drafts with CodeMirror's changes and the notes' merge: two tabs that edit one note converge. */

import { ChangeSet, EditorState } from "codemirror";
import { Draft, fit } from "../../../Sources/Web/notes/editor/draft.js";
import { Saving } from "../../../Sources/Web/notes/editor/saving.js";
import { newRecord } from "../../../Sources/Web/notes/sync/record.js";
import { apply, load } from "../../../Sources/Web/notes/text/textmerge.js";
import { equal, random } from "./checks.js";

const textmerge = await load(await Deno.readFile(Deno.env.get("ALMANAC_TEXTMERGE") ?? ""));

/** @typedef {import("../../../Sources/Web/notes/sync/text.js").Text} Text */

/** The note's stored record; each response waits until the test releases it. */
class Disk {
    /** @type {(() => void)[]} */
    waiting = [];
    /** @param {string} body */
    constructor(body) {
        this.record = newRecord("n", { title: "", body, tags: [], pinned: false }, { createdAt: 0, updatedAt: 0 });
        /** @type {Set<Saving>} */
        this.savings = new Set();
    }

    /** @template T @param {() => T} run @returns {Promise<T>} */
    later(run) {
        return new Promise((resolve) => this.waiting.push(() => resolve(structuredClone(run()))));
    }

    note() {
        return this.later(() => this.record);
    }

    /** @param {string} from @param {string} to */
    diff(from, to) {
        return this.later(() => textmerge.diff(from, to));
    }

    /** @param {string} _id @param {Text} read @param {Text} text */
    edit(_id, read, text) {
        return this.later(() => {
            const merged = (/** @type {"title" | "body"} */ part) =>
                textmerge.merge(read[part], this.record.text[part], text[part]).fromMine;
            const fromMine = { title: merged("title"), body: merged("body") };
            this.record.text = {
                ...text,
                title: apply(text.title, fromMine.title),
                body: apply(text.body, fromMine.body),
            };
            for (const saving of this.savings) saving.onRecordChange();
            return { record: this.record, fromMine };
        });
    }

    /** Releases one response. @param {(below: number) => number} below */
    async step(below) {
        if (this.waiting.length > 0) this.waiting.splice(below(this.waiting.length), 1)[0]();
        await new Promise((resolve) => setTimeout(resolve, 0));
    }
}

/** A tab: its editor's text, and the state of an input method. */
class Tab {
    isComposing = false;
    /** @param {Disk} disk */
    constructor(disk) {
        this.state = EditorState.create({ doc: disk.record.text.body });
        this.body = new Draft(
            {
                text: () => this.state.doc,
                isComposing: () => this.isComposing,
                show: (changes) => {
                    if (this.isComposing) throw new Error("shown while composing");
                    this.state = this.state.update({ changes }).state;
                },
            },
            ChangeSet,
        );
        const title = EditorState.create({ doc: "" }).doc;
        const nothing = { text: () => title, isComposing: () => false, show: () => {} };
        this.saving = new Saving({
            disk: /** @type {any} */ (disk),
            record: structuredClone(disk.record),
            drafts: { title: new Draft(nothing, ChangeSet), body: this.body },
            onResult: ({ failure }) => {
                if (failure) throw failure;
            },
        });
        disk.savings.add(this.saving);
    }

    /** @param {number} from @param {number} to @param {string} insert */
    type(from, to, insert) {
        const selection = { anchor: from + insert.length };
        const { changes, state } = this.state.update({ changes: { from, to, insert }, selection });
        this.state = state;
        this.body.recordTyping(changes);
        this.saving.save();
    }
}

/**
 * Ends all typing, releases all responses, and returns the final text.
 * @param {Disk} disk
 * @param {Tab[]} tabs
 * @param {(below: number) => number} below
 */
async function quiet(disk, tabs, below) {
    for (const tab of tabs) {
        tab.isComposing = false;
        tab.saving.onRecordChange();
    }
    for (let times = 0; times < 5; ) {
        times = disk.waiting.length === 0 ? times + 1 : 0;
        await disk.step(below);
    }
    return disk.record.text.body;
}

Deno.test("two tabs that type into one note while answers come late have one text with every word once", async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
        const below = random(seed);
        const disk = new Disk("One line of text.\n\nAnother line of it.\n\nThe last line.\n");
        const tabs = [new Tab(disk), new Tab(disk)];
        /** @type {string[]} */
        const words = [];
        for (let step = 0; step < 60; step += 1) {
            const tab = tabs[below(2)];
            if (below(3) === 0) await disk.step(below);
            else if (below(6) === 0) {
                tab.isComposing = !tab.isComposing;
                if (!tab.isComposing) tab.saving.onRecordChange();
            } else {
                const word = `w${seed}x${step}y`;
                words.push(word);
                // People mostly type at the end of a line.
                const line = tab.state.doc.line(1 + below(tab.state.doc.lines));
                tab.type(line.to, line.to, ` ${word}`);
            }
        }
        const text = await quiet(disk, tabs, below);
        for (const tab of tabs) equal([seed, tab.state.doc.toString()], [seed, text]);
        for (const word of words) equal([seed, word, text.split(word).length - 1], [seed, word, 1]);
    }
});

Deno.test("two tabs that type letter by letter at one place have every word whole", async () => {
    for (let seed = 1; seed <= 30; seed += 1) {
        const below = random(seed);
        const disk = new Disk("One line of text.\n\nThe last line");
        const tabs = [new Tab(disk), new Tab(disk)];
        const words = tabs.map((_, tab) => Array.from({ length: 6 }, (_, word) => `w${"ab"[tab]}${word}xyz`));
        const rest = tabs.map(() => "");
        const left = words.map((all) => [...all]);
        while (left.some((all) => all.length > 0) || rest.some((word) => word !== "")) {
            const [who, what] = [below(2), below(8)];
            const tab = tabs[who];
            if (what < 2) await disk.step(below);
            else if (what === 2) {
                tab.isComposing = !tab.isComposing;
                if (!tab.isComposing) tab.saving.onRecordChange();
            } else if (rest[who] !== "") {
                const place = tab.state.selection.main.head;
                tab.type(place, place, rest[who][0]);
                rest[who] = rest[who].slice(1);
            } else if (left[who].length > 0) {
                // Type after the visible text, which may be part of a word.
                const { to } = tab.state.doc.line(1 + below(tab.state.doc.lines));
                tab.type(to, to, " ");
                rest[who] = left[who].shift() ?? "";
            }
        }
        const text = await quiet(disk, tabs, below);
        for (const tab of tabs) equal([seed, tab.state.doc.toString()], [seed, text]);
        equal([seed, text.match(/\bw\w+/g)?.sort()], [seed, words.flat()]);
    }
});

Deno.test("what is not a character keeps its place", () => {
    equal(fit("a\0b\ud800c\u{1f600}"), "a\ufffdb\ufffdc\u{1f600}");
});

Deno.test("a flush sends what was typed on top of what was sent", async () => {
    const disk = new Disk("text");
    const tab = new Tab(disk);
    tab.type(4, 4, " one");
    tab.type(8, 8, " two");
    tab.saving.flush();
    equal(disk.waiting.length, 2);
    for (const answer of disk.waiting.splice(0)) answer();
    await new Promise((resolve) => setTimeout(resolve, 0));
    equal(disk.record.text.body, "text one two");
});

Deno.test("what the disk refuses stays in the draft, and is sent again", async () => {
    const disk = new Disk("text");
    const tab = new Tab(disk);
    const edit = disk.edit.bind(disk);
    /** @type {unknown[]} */
    const failures = [];
    const saving = new Saving({
        disk: /** @type {any} */ (disk),
        record: structuredClone(disk.record),
        drafts: {
            title: new Draft(
                { text: () => EditorState.create({}).doc, isComposing: () => false, show() {} },
                ChangeSet,
            ),
            body: tab.body,
        },
        onResult: ({ failure }) => failures.push(failure),
    });
    tab.saving = saving;
    disk.edit = () => Promise.reject(new Error("full"));
    tab.type(4, 4, " typed");
    await disk.step(() => 0);
    await disk.step(() => 0);
    equal([saving.isDirty, failures.length, disk.record.text.body], [true, 1, "text"]);
    disk.edit = edit;
    saving.retry();
    while (disk.waiting.length > 0 || saving.isDirty) await disk.step(() => 0);
    equal([saving.isDirty, disk.record.text.body], [false, "text typed"]);
});
