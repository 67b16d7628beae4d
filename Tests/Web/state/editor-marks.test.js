import { EditorState } from "codemirror";
import { language, linkAt } from "../../../Sources/Web/notes/editor/markdown.js";
import { decorated } from "../../../Sources/Web/notes/editor/marks.js";
import { noteLink } from "../../../Sources/Web/notes/markdown/note-links.js";
import { equal } from "./checks.js";

/** @param {string} text */
function looks(text) {
    const state = EditorState.create({ doc: text, extensions: language });
    /** @type {{ look: string, text: string, address: string | null }[]} */
    const found = [];
    decorated({ state, visibleRanges: [{ from: 0, to: text.length }] }, null).between(
        0,
        text.length,
        (from, to, { spec }) => {
            const look = (spec.class ?? "").replaceAll("cm-md-", "");
            const part = from < to ? text.slice(from, to) : text.slice(from).split("\n")[0];
            found.push({ look, text: part, address: spec.attributes?.["data-address"] ?? null });
        },
    );
    return found;
}

/** @param {string} text */
const marked = (text) => looks(text).map((each) => `${each.look} ${each.text}`);

Deno.test("what is styled in a line", () => {
    equal(marked("plain *one* **two** ~~three~~ `four`"), [
        "emphasis *one*",
        "strong **two**",
        "strike ~~three~~",
        "code `four`",
    ]);
    equal(marked("- [x] done"), ["sign -", "task [x]", "done done"]);
    equal(marked("- [ ] open"), ["sign -", "task [ ]"]);
    equal(marked("2 * 3 * 4 and snake_case_name"), []);
    equal(marked("`**not strong**`"), ["code `**not strong**`"]);
    equal(marked("a [b] [c][d] <b>e</b>"), []);
});

Deno.test("links are those of the web and of mail", () => {
    const addresses = (/** @type {string} */ text) =>
        looks(text).flatMap(({ look, address }) => (look === "link" ? [address] : []));
    equal(addresses("[one](https://example.org/a_b_c)"), ["https://example.org/a_b_c"]);
    equal(addresses("[https://example.org](https://example.com '[a]')"), ["https://example.com/"]);
    equal(addresses("[see [1]](https://example.org/x)"), ["https://example.org/x"]);
    equal(addresses("see https://example.org/x, and"), ["https://example.org/x"]);
    equal(addresses("[mail](mailto:a@example.org) <b@example.org>"), ["mailto:a@example.org", "mailto:b@example.org"]);
    equal(addresses("[bad](javascript:alert(1))"), [null]);
    equal(addresses("[bad](data:text/html,x) [worse](vbscript:x)"), [null, null]);
    equal(addresses("[Plan](notes/0c2e-4b) [bad](notes/) [bad](notes/a/b) [bad](/notes/a)"), [
        "notes/0c2e-4b",
        ...[null, null, null],
    ]);
});

Deno.test("whole lines", () => {
    equal(marked("## One"), ["heading heading-2 ## One", "sign ##"]);
    equal(marked("One\n==="), ["heading heading-1 One", "heading heading-1 ===", "sign ==="]);
    equal(marked("####### seven"), []);
    equal(marked("#tag"), []);
    equal(marked("> quoted\n> twice"), ["quote > quoted", "sign >", "quote > twice", "sign >"]);
    equal(marked("* * *"), ["rule * * *"]);
    // The user is starting a list item below the text.
    equal(marked("text\n- "), ["sign -"]);
});

Deno.test("a fence is closed by one of its kind that is as long", () => {
    const fenced = (/** @type {string} */ text) =>
        looks(text).flatMap((each) => (each.look === "fenced" ? [each.text] : []));
    equal(fenced("```js\nlet *x*\n~~~\n``\n```\nafter"), ["```js", "let *x*", "~~~", "``", "```"]);
    equal(fenced("````\n```\n````"), ["````", "```", "````"]);
    equal(fenced("``` a ` b\nc"), []);
});

Deno.test("long lines and hostile ones come to an end", () => {
    equal(marked(`a${"*".repeat(200_000)}`), []);
    for (const piece of ["*a", "[", "](", "`", "_a ", "~~", "https://", "- [", "**a *", "> ", "a* "]) {
        looks(piece.repeat(Math.floor(100_000 / piece.length)));
    }
    equal(looks("https://a.b ".repeat(9000)).length < 6000, true);
});

Deno.test("a link to a note has the note's title, whatever it contains", () => {
    const titles = ["Reise 🚆", "[a] b](c)", "a\\", "snake_case _x_", "*a* `b` <c> &amp; ~~d~~", "قائمة", "x ![y](z)"];
    for (const title of titles) {
        const doc = noteLink("0c2e", title);
        const state = EditorState.create({ doc, selection: { anchor: 3 }, extensions: language });
        equal(linkAt(state), { note: "0c2e", file: null, address: "notes/0c2e", text: title });
        const names = looks(doc).map(({ look, text }) => `${look} ${text}`);
        equal(names, [`link ${doc}`]);
    }
    equal(noteLink("0c2e", " two\nlines "), "[two lines](notes/0c2e)");
});
