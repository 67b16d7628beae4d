import { EditorState } from "codemirror";
import { language } from "../../../Sources/Web/notes/editor/markdown.js";
import { linkTo, typedName } from "../../../Sources/Web/notes/editor/note-choices.js";
import { Catalog } from "../../../Sources/Web/notes/engine/catalog.js";
import { newRecord } from "../../../Sources/Web/notes/sync/record.js";
import { equal } from "./checks.js";

/** @param {string[][]} notes ids, titles and texts, the latest change last @param {"list" | "trash"} [place] */
const records = (notes, place = "list") =>
    notes.map(([id, title, body = ""], at) => {
        const text = { title, body, tags: [], pinned: false };
        return Object.assign(newRecord(id, text, { createdAt: at, updatedAt: at }), { place });
    });

/** Returns a state whose caret is at `|`. @param {string} text */
function stateOf(text) {
    const doc = text.replace("|", "");
    return EditorState.create({ doc, selection: { anchor: text.indexOf("|") }, extensions: language });
}

Deno.test("notes are found by their titles while a name is typed", () => {
    const catalog = new Catalog({ language: "en" });
    catalog.load([
        ...records([
            ["a", "My trip plan"],
            ["b", "Plan für März"],
            ["c", "", "plan"],
            ["d", "Planet"],
        ]),
        ...records([["e", "Plan"]], "trash"),
    ]);
    const titles = (/** @type {string} */ words) => catalog.titled(words, "a-note").map(({ title }) => title);
    equal(titles("plan"), ["Planet", "Plan für März", "My trip plan"]);
    equal(titles("PLAN fur"), ["Plan für März"]);
    equal(titles("plan trip"), ["My trip plan"]);
    equal(titles(""), ["Planet", "Plan für März", "My trip plan"]);
    equal(titles("none"), []);
    equal(catalog.titled("trip", "a"), []);
});

Deno.test("a note is linked from the notes whose texts have a link to it", () => {
    const catalog = new Catalog({ language: "en" });
    const linking = records([
        ["one", "One", "see [Two](notes/two) and [Three](notes/three)"],
        ["two", "Two", "[me](notes/two), notes/one, [one](notes/one-and-more)"],
        ["three", "Three", '- [ ] [x](notes/two "title")'],
    ]);
    catalog.load([...linking, ...records([["four", "Four", "[Two](notes/two)"]], "trash")]);
    const titles = (/** @type {string} */ id) => catalog.linkedFrom(id).map(({ title }) => title);
    equal([titles("two"), titles("one"), titles("three")], [["Three", "One"], [], ["One"]]);
    catalog.apply(records([["two", "Two", "[One](notes/one)"]]), ["three"]);
    equal([titles("two"), titles("one")], [["One"], ["Two"]]);
});

Deno.test("a name is typed after two brackets, outside of code", () => {
    const words = (/** @type {string} */ text) => typedName(stateOf(text))?.words ?? null;
    equal(words("see [[|"), "");
    equal(words("- [ ] [[Reise 🚆|]] x"), "Reise 🚆");
    equal(words("[[a]] |"), null);
    equal(words(`${"x".repeat(200)}[[${"a".repeat(100)}|`), "a".repeat(100));
    equal(words(`[[${"a".repeat(101)}|`), null);
    equal(words("[[a\n|"), null);
    equal(words("[a|"), null);
    equal(words("`[[a|`"), null);
    equal(words("```\n[[a|\n```"), null);
});

Deno.test("the link of the chosen note takes the place of the name and its brackets", () => {
    const after = (/** @type {string} */ text) => {
        const state = stateOf(text);
        const next = state.update(linkTo(state, { id: "0c2e", title: "[a] b" }) ?? {}).state;
        const { head } = next.selection.main;
        return `${next.sliceDoc(0, head)}|${next.sliceDoc(head)}`;
    };
    equal(after("see [[pl| now"), "see [\\[a\\] b](notes/0c2e)| now");
    equal(after("see [[pl|]] now"), "see [\\[a\\] b](notes/0c2e)| now");
    equal(after("see | now"), "see | now");
});
