import { EditorSelection, EditorState, ensureSyntaxTree } from "codemirror";
import { language } from "../../../Sources/Web/notes/editor/markdown.js";
import { decorated } from "../../../Sources/Web/notes/editor/marks.js";
import { equal } from "./checks.js";

/** The mark of the caret in the texts below. */
const caret = "|";

/** @param {string} text a text with a caret, or without one for an editor without the focus */
function ranges(text) {
    const at = text.indexOf(caret);
    const doc = text.replace(caret, "");
    const state = EditorState.create({ doc, extensions: language });
    ensureSyntaxTree(state, doc.length, 1000);
    const carets = at < 0 ? [] : [EditorSelection.cursor(at)];
    /** @type {{ from: number, to: number, kind: string, style: string }[]} */
    const found = [];
    decorated({ state, visibleRanges: [{ from: 0, to: doc.length }] }, carets).between(
        0,
        doc.length,
        (from, to, { spec }) => {
            const kind = (spec.class ?? "box").replaceAll("cm-md-", "");
            found.push({ from, to, kind, style: spec.attributes?.style ?? "" });
        },
    );
    return { doc, found: found.toSorted((one, other) => one.from - other.from) };
}

/** Returns the text that is seen: hidden marks are left out, boxes and bullets are drawn. @param {string} text */
function seen(text) {
    const { doc, found } = ranges(text);
    const units = [...doc].map((unit) => unit);
    for (const { from, to, kind } of found) {
        if (kind === "hidden") units.fill("", from, to);
        if (kind === "bullet") units.fill("•", from, to);
    }
    for (const { from, kind } of found) if (kind === "box") units[from] = `□${units[from]}`;
    return units.join("");
}

Deno.test("marks are hidden until the caret touches what they belong to", () => {
    equal(seen("*one* **two** ~~three~~ `four` \\*five"), "one two three four *five");
    equal(seen("*one| * **two** x"), "*one * two x");
    equal(seen("a **two|** *three*"), "a **two** three");
    equal(seen("a **two**| *three*"), "a **two** three");
    equal(seen("a **two** |*three*"), "a two *three*");
    equal(seen("**a *b|* c** *d*"), "**a *b* c** d");
    equal(seen("## One\ntext|"), "One\ntext");
    equal(seen("## On|e ##\ntext"), "## One ##\ntext");
    equal(seen("# One #\ntext"), "One\ntext");
    equal(seen("#\ntext"), "#\ntext");
    equal(seen("One\n===\n"), "One\n===\n");
});

Deno.test("links show their text", () => {
    equal(
        seen("see [the *site*](https://example.org/a 'b') and <https://example.org>"),
        "see the site and https://example.org",
    );
    equal(seen("see [the si|te](https://example.org/)"), "see [the site](https://example.org/)");
    equal(seen("[](https://example.org) [x] ![a](b.png)"), "[](https://example.org) [x] a");
    const file = `attachments/${"a".repeat(26)}`;
    equal(seen(`![](${file}.png)\n![a](${file}) and [b](${file}.pdf)`), "\n and b");
    equal(seen(`![a](${file}|)`), `![a](${file})`);
});

Deno.test("bullets and rules are drawn, tasks have boxes", () => {
    equal(seen("- one\n* two\n+ three\n1. four"), "• one\n• two\n• three\n1. four");
    equal(seen("-| one\n- two"), "- one\n• two");
    equal(seen("- [ ] one\n- [x] two\n1. [ ] three"), "□ one\n□ two\n1. □ three");
    equal(seen("- [ ]| one\n- [x] two|"), "[ ] one\n□ two|");
    equal(seen("- [ ] o|ne"), "□ one");
    equal(seen("> one\n> > two\nthree|"), "one\ntwo\nthree");
    equal(seen("> on|e\n> two"), "> one\ntwo");
    equal(seen("---\ntext"), "\ntext");
    equal(seen("-|--\ntext"), "---\ntext");
    equal(seen("```js\na\n```\nb"), "js\na\n\nb");
    equal(seen("```js\na|\n```\nb"), "```js\na\n```\nb");
});

Deno.test("lines of lists hang under their text", () => {
    /** Returns the indentations of lines in em, and the beginnings that they replace. @param {string} text */
    const hanging = (text) => {
        const { doc, found } = ranges(text);
        const lines = found.filter(({ kind }) => kind === "item" || kind === "rest");
        const beginnings = found.filter(({ kind }) => kind === "prefix");
        return {
            em: lines.map(({ style }) => Number.parseFloat(style.slice("--indentation:".length))),
            beginnings: beginnings.map(({ from, to }) => doc.slice(from, to)),
        };
    };
    equal(hanging("- a\n  - b\n    c\nd"), { em: [1.4, 2.8, 2.8, 2.8], beginnings: ["- ", "  - ", "    "] });
    equal(hanging("- [ ] a\n\ntext"), { em: [1.75], beginnings: ["- [ ] "] });
    equal(hanging("> - a"), { em: [1.4], beginnings: ["- "] });
    equal(hanging("1. a\n10. b"), { em: [2.26, 2.26], beginnings: ["1. ", "10. "] });
    const deep = Array.from({ length: 50 }, (_, level) => `${"  ".repeat(level)}- ${level}`).join("\n");
    equal(Math.max(...hanging(deep).em), 14);
});

Deno.test("hostile texts come to an end with live marks", () => {
    for (const piece of ["*a", "[", "](", "`", "**a** ", "- [ ] ", "> ", "[a](b) ", "  - a\n", "| a "]) {
        ranges(piece.repeat(Math.floor(50_000 / piece.length)));
    }
});
