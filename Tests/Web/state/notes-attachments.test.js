import { EditorState, ensureSyntaxTree } from "codemirror";
import { refusalOf } from "../../../Sources/Web/notes/attachments/uploading.js";
import { insertion } from "../../../Sources/Web/notes/editor/adding-files.js";
import { language } from "../../../Sources/Web/notes/editor/markdown.js";
import { picturesIn, picturesOf } from "../../../Sources/Web/notes/editor/shown-pictures.js";
import { Attaching } from "../../../Sources/Web/notes/engine/attaching.js";
import { newState } from "../../../Sources/Web/notes/engine/types.js";
import { summed } from "../../../Sources/Web/notes/status.js";
import { Refusal } from "../../../Sources/Web/notes/sync/server.js";
import { en } from "../../../Sources/Web/notes/texts/en.js";
import { Texts } from "../../../Sources/Web/shared/texts.js";
import { equal } from "./checks.js";

const [one, other] = ["a".repeat(26), "b".repeat(26)];
const picture = `![A plan](attachments/${one}.png)`;

Deno.test("a refusal that may pass is no refusal of the file", () => {
    const of = (/** @type {number} */ status, problem = "") => refusalOf(new Refusal(status, problem, "why", null));
    for (const [status, problem] of /** @type {const} */ ([
        [404, "attachment-not-here"],
        [409, "wrong-offset"],
        [422, "hash-mismatch"],
        [429, "too-many-uploads"],
        [400, ""],
        [502, ""],
        [503, "store-away"],
        [507, "store-full"],
    ]))
        equal(of(status, problem), null);
    equal(refusalOf(new Error("the network failed")), null);
    equal(of(410, "attachment-removed"), { state: "removed", problem: null });
    equal(of(422, "limit-exceeded"), { state: "refused", problem: { type: "limit-exceeded", detail: "why" } });
    equal(of(413)?.problem?.type, "attachment-too-large");
});

Deno.test("a picture gets a line of its own, a file stands among the words", () => {
    /** Returns the text after the insertion at a bar. @param {string} text @param {boolean} isPicture */
    const added = (text, isPicture) => {
        const at = text.indexOf("|");
        const doc = text.replace("|", "");
        const { from, insert } = insertion(EditorState.create({ doc }), at, "(new)", isPicture);
        return doc.slice(0, from) + insert + doc.slice(from);
    };
    equal(added("|", true), "(new)\n");
    equal(added("one|\n\ntwo", true), "one\n(new)\n\ntwo");
    equal(added("one| two", true), "one\n(new)\n two");
    equal(added("- [ ] one|", true), "- [ ] one\n      (new)\n      ");
    equal(added("- |", true), "- (new)\n  ");
    equal(added("-| [ ] one", true), "- [ ] (new)\n      one");
    equal(added("> one|", true), "> one\n> (new)\n> ");
    equal(added("one|", false), "one (new)");
    equal(added("one |two", false), "one (new)two");
    equal(added("- |", false), "- (new)");
});

Deno.test("the pictures of a text are found as it changes, but not in code", () => {
    const field = picturesOf(/** @type {any} */ ({}));
    let state = EditorState.create({ doc: `a\n${picture} b\n`, extensions: [language, field] });
    /** Returns the offsets of the shown pictures, with their ids. */
    const shown = () => {
        /** @type {[number, string][]} */
        const found = [];
        state.field(field).shown.between(0, state.doc.length, (from, _to, { spec }) => {
            found.push([from, /** @type {any} */ (spec).widget.id[0]]);
        });
        return found;
    };
    const change = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ insert) => {
        state = state.update({ changes: { from, to, insert } }).state;
        ensureSyntaxTree(state, state.doc.length, 1000);
        state = state.update({}).state;
    };
    const end = 2 + picture.length + 2;
    equal(shown(), [[end, "a"]]);
    change(0, 0, "before\n");
    equal(shown(), [[end + 7, "a"]]);
    change(state.doc.length, state.doc.length, `![](attachments/${other})![x](attachments/${one})`);
    equal(shown(), [
        [end + 7, "a"],
        [state.doc.length, "b"],
        [state.doc.length, "a"],
    ]);
    equal(
        picturesIn(state).map(({ id, words }) => [id[0], words]),
        [
            ["a", "A plan"],
            ["b", ""],
            ["a", "x"],
        ],
    );
    change(0, 0, "```\n");
    equal(shown(), []);
    change(0, 4, "");
    equal(shown().length, 3);
    change(0, state.doc.length, "nothing");
    equal([shown(), state.field(field).lines], [[], []]);
    for (const text of [
        "![a](attachments/short.png)",
        "![a](https://example.org/attachments/x.png)",
        `[a](attachments/${one})`,
    ]) {
        change(0, state.doc.length, text);
        equal([text, shown()], [text, []]);
    }
});

Deno.test("files that are not sent count in the page's status", () => {
    const texts = new Texts("en", en, () => 0);
    const of = (/** @type {Partial<import("../../../Sources/Web/notes/engine/types.js").State>} */ change) =>
        summed(texts, { ...newState(), phase: "upToDate", ...change }, () => 0, 0);
    equal(of({}).text, "All notes synced");
    equal(of({ files: 1 }), { kind: "busy", text: "Sending 1 file…" });
    equal(of({ files: 2, pending: 1 }).text, "Syncing 1 note…");
    equal(of({ files: 2, phase: "offline" }), { kind: "waiting", text: "2 files not sent" });
    equal(of({ files: 1, phase: "signInNeeded" }), { kind: "attention", text: "1 file not sent" });
    equal(of({ refusedFiles: 1 }), { kind: "attention", text: "1 file needs attention" });
});

Deno.test("previews are searched after a pause, and at once when the user asks", async () => {
    let [now, searches] = [0, 0];
    /** @type {Map<object, { call: () => void, at: number }>} */
    const waiting = new Map();
    const view = {
        ...{ feed: async () => "1.a", saveFeed: async () => {}, unsent: async () => [], all: async () => [] },
        ...{ keepsAll: async () => false, cached: async () => [], existingNotes: async () => [] },
    };
    const store = /** @type {any} */ ({
        read: (/** @type {any} */ body) => body(view),
        write: (/** @type {any} */ body) => body(view),
    });
    const attaching = new Attaching({
        ...{ store, notes: store, now: () => now, wallClock: () => now, random: () => 0, hash: async () => "" },
        server: /** @type {any} */ ({ page: async () => ({ attachments: [], removed: [], cursor: "1.a" }) }),
        newest: async () => {
            searches += 1;
            return [];
        },
        timers: {
            set(call, pause) {
                const timer = {};
                waiting.set(timer, { call, at: now + pause });
                return timer;
            },
            clear: (timer) => waiting.delete(timer),
        },
        hooks: { changed() {}, counted() {}, wanted() {}, failed: (failure) => Promise.reject(failure) },
    });
    /** Runs the timers up to a time, each with all that it starts. @param {number} until */
    const pass = async (until) => {
        for (;;) {
            const next = [...waiting].sort(([, one], [, other]) => one.at - other.at)[0];
            if (!next || next[1].at > until) break;
            waiting.delete(next[0]);
            now = next[1].at;
            next[1].call();
            await new Promise((resolve) => setTimeout(resolve));
        }
        now = until;
    };
    attaching.start();
    attaching.onNotesSynced();
    await pass(1_000);
    equal(searches, 1);
    attaching.onNotesSynced();
    await pass(59_000);
    equal(searches, 1);
    await pass(61_000);
    equal(searches, 2);
    attaching.request("told");
    await pass(62_000);
    equal(searches, 3);
});
