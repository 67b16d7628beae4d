import { tableOf } from "../../../Sources/Web/notes/editor/pasted-blocks.js";
import { parse } from "../../../Sources/Web/notes/markdown/blocks.js";
import { write } from "../../../Sources/Web/notes/markdown/write.js";
import { equal, random } from "./checks.js";

/** @import { Block, Blocks, Inline, Inlines } from "../../../Sources/Web/notes/markdown/nodes.js" */

/** @param {string} words @returns {Inline} */
const text = (words) => ({ kind: "text", text: words });
/** @param {string} words @returns {Block} */
const paragraph = (words) => ({ kind: "paragraph", content: [text(words)] });

Deno.test("a text is escaped only where it would be syntax", () => {
    const as = (/** @type {string} */ words) => write([paragraph(words)]);
    for (const same of [
        "2 * 3 = 6, snake_case_name and a_b",
        "C:\\Users\\ada, 50 % & more",
        "see [1], (2) and f(x)[0]",
        "a < b > c, ~5 minutes, it's #1 of 3",
        "R&D, AT&T; 1.5 kg",
        "https://example.org/a_b_c*d",
        "Mail ada@example.org!",
        "-1 degree, +4, #tag",
    ])
        equal(as(same), same);
    equal(as("*not emphasis*"), "\\*not emphasis\\*");
    equal(as("# no heading"), "\\# no heading");
    equal(as("- no item"), "\\- no item");
    equal(as("1986. A great year"), "1986\\. A great year");
    equal(as("> no quote"), "\\> no quote");
    equal(as("`x` and [y](https://example.org)"), "\\`x\\` and \\[y\\](https://example.org)");
    equal(as("&amp; <https://example.org>"), "\\&amp; \\<https://example.org>");
    equal(as("---"), "\\---");
    equal(as("a\\*b"), "a\\\\\\*b");
});

Deno.test("emphasis that no signs can show is narrowed, or becomes text", () => {
    const strong = (/** @type {Inline[]} */ ...content) => ({ kind: /** @type {const} */ ("strong"), content });
    const as = (/** @type {Inlines} */ content) => write([{ kind: "paragraph", content }]);
    equal(as([strong(text("Note:")), text("text")]), "**Note**:text");
    equal(as([strong(text("Note:")), text(" text")]), "**Note:** text");
    equal(as([text("a"), strong(text("!")), text("b")]), "a!b");
    equal(as([strong({ kind: "emphasis", content: [text("both")] }), text(" one")]), "**_both_** one");
    equal(as([strong(text("in")), text("side")]), "**in**side");
});

Deno.test("links are written as short as they can be", () => {
    const as = (/** @type {string} */ words, /** @type {string} */ target, /** @type {string} */ after = "") =>
        write([
            { kind: "paragraph", content: [{ kind: "link", target, title: "", content: [text(words)] }, text(after)] },
        ]);
    equal(as("words", "https://example.org/a_(b)"), "[words](https://example.org/a_(b))");
    equal(as("words", "https://example.org/a)"), "[words](https://example.org/a%29)");
    equal(as("[1]", "https://example.org/"), "[[1]](https://example.org/)");
    equal(as("a] b", "https://example.org/"), "[a\\] b](https://example.org/)");
    equal(as("https://example.org/", "https://example.org/", ", so"), "https://example.org/, so");
    equal(as("https://example.org/", "https://example.org/", "so"), "<https://example.org/>so");
    equal(as("ada@example.org", "mailto:ada@example.org"), "ada@example.org");
    equal(as("ada@example.org", "mailto:ada@example.org", "@x"), "<ada@example.org>@x");
    equal(as("www.example.org", "http://www.example.org", "-x"), "[www.example.org](http://www.example.org)-x");
});

Deno.test("blocks stand apart, and lists are tight", () => {
    const item = (/** @type {Block[]} */ ...blocks) => ({ task: null, blocks });
    const list = (/** @type {number | null} */ start, /** @type {Blocks[]} */ ...items) =>
        /** @type {Block} */ ({ kind: "list", start, tight: true, items: items.map((each) => item(...each)) });
    equal(
        write([
            { kind: "heading", level: 2, content: [text("Plan #")] },
            paragraph("First"),
            list(9, [paragraph("nine")], [paragraph("ten"), list(null, [paragraph("inner")])]),
            list(1, [paragraph("another list")]),
            { kind: "quote", blocks: [paragraph("said"), { kind: "code", language: "js", text: "a\n\nb ```\n" }] },
            { kind: "rule" },
        ]),
        "## Plan \\#\n\nFirst\n\n9. nine\n10. ten\n    - inner\n\n1) another list\n\n" +
            "> said\n>\n> ````js\n> a\n>\n> b ```\n> ````\n\n---",
    );
});

Deno.test("a table is aligned, and its pipes are escaped", () => {
    equal(
        write([
            {
                kind: "table",
                columns: [null, "right"],
                head: [[text("Fruit")], [text("a|b")]],
                rows: [
                    [[text("Pear")], [{ kind: "code", text: "x|y" }]],
                    [[text("one"), { kind: "break", hard: true }]],
                ],
            },
        ]),
        "| Fruit |   a\\|b |\n| ----- | -----: |\n| Pear  | `x\\|y` |\n| one   |        |",
    );
});

Deno.test("pipes of addresses and code in a table stay pipes", () => {
    const address = "https://e.org/a|b";
    const head = [[text("x")], [{ kind: "strong", content: [{ kind: "code", text: "a|b" }] }]];
    const rows = [[[text(address)], [{ kind: "link", target: "xy:a|b", title: "", content: [text("xy:a|b")] }]]];
    const table = /** @type {Block} */ ({ kind: "table", columns: [null, null], head, rows });
    const [found] = /** @type {any[]} */ (parse(write([table]), { bareLinks: true }));
    const link = { kind: "link", target: address, title: "", content: [text(address)] };
    equal([found.head, found.rows], [head, [[[link], rows[0][1]]]]);
});

Deno.test("a table of hostile cells stays small, and one of many rows is written", () => {
    const cell = { colSpan: 1000, rowSpan: 65_534, localName: "td", getAttribute: () => null };
    const rows = /** @type {any[]} */ (Array(200).fill({ cells: Array(3).fill(cell) }));
    const table = /** @type {any} */ (tableOf(rows, () => [text("x")]));
    const cells = [table.head, ...table.rows].flat();
    equal([cells.length < 20_000, cells.filter(({ length }) => length > 0).length], [true, 600]);
    const long = Array(200_000).fill([[text("y")]]);
    equal(write([{ kind: "table", columns: [null], head: [[text("x")]], rows: long }]).length, 1_600_015);
});

/** Returns the texts of nodes. @param {unknown} nodes @returns {string} */
function wordsOf(nodes) {
    if (Array.isArray(nodes)) return nodes.map(wordsOf).join("");
    if (typeof nodes !== "object" || nodes === null) return "";
    return Object.entries(nodes)
        .map(([name, value]) => (name === "text" ? value.replace(/\s/g, "") : wordsOf(value)))
        .join("");
}

Deno.test("random nodes are written so that they are parsed again", () => {
    const words = [
        "apple",
        "*",
        "_a_",
        "**",
        "`",
        "[x]",
        "](y)",
        "\\",
        "1.",
        "-",
        "+",
        "#",
        ">",
        "|",
        "~~",
        "<b>",
        "&amp;",
        "!",
        "===",
        "---",
        ":",
        "https://a.example/b_c",
        "שלום",
        "1)",
        "```",
        "x|",
        "- [ ]",
        "snake_case",
    ];
    for (let seed = 1; seed <= 150; seed += 1) {
        const draw = random(seed);
        const phrase = () =>
            Array.from({ length: 1 + draw(4) }, () => words[draw(words.length)]).join(draw(3) ? " " : "");
        /** @returns {Inlines} */
        const content = () => {
            /** @type {Inlines} */
            const all = [text(phrase())];
            if (draw(3) === 0) all.push(text(" "), { kind: "strong", content: [text(phrase())] }, text(" so"));
            if (draw(4) === 0) all.push({ kind: "break", hard: true }, text(phrase()));
            if (draw(4) === 0) all.push(text(" "), { kind: "code", text: phrase() });
            return all;
        };
        /** @param {number} depth @returns {Block} */
        const block = (depth) => {
            const kind = draw(depth > 2 ? 3 : 6);
            if (kind === 0) return { kind: "heading", level: 1 + draw(6), content: content() };
            if (kind === 1)
                return { kind: "code", language: draw(2) ? "js" : "", text: `${phrase()}\n  ${phrase()}\n` };
            if (kind === 2 || kind === 3) return { kind: "paragraph", content: content() };
            if (kind === 4) return { kind: "quote", blocks: [block(depth + 1), block(depth + 1)] };
            const isTight = draw(2) === 0;
            const items = Array.from({ length: 1 + draw(3) }, () => ({
                task: null,
                blocks: [
                    /** @type {Block} */ ({ kind: "paragraph", content: content() }),
                    ...(isTight ? [] : [block(depth + 1)]),
                ],
            }));
            return { kind: "list", start: draw(2) ? 1 : null, tight: isTight, items };
        };
        const blocks = [block(0), block(0), block(0)];
        const written = write(blocks);
        const found = parse(written);
        const kinds = (/** @type {Blocks} */ all) => all.map((each) => each.kind).join(" ");
        if (kinds(found) !== kinds(blocks)) throw new Error(`${seed}: ${written}\n${kinds(found)}\n${kinds(blocks)}`);
        // Emphasis may be lost, but no character of the text.
        const [read, given] = [wordsOf(found), wordsOf(blocks)];
        if (read !== given) throw new Error(`${seed}: ${written}\n${read}\n${given}`);
    }
});

Deno.test("documents that were pasted are written as they were read", () => {
    const folder = new URL("../pasting/", import.meta.url);
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".md"));
    equal(names.length, 13);
    for (const name of names) {
        const markdown = Deno.readTextFileSync(new URL(name, folder)).trimEnd();
        equal(write(parse(markdown, { bareLinks: true })), markdown);
    }
});
