import { Catalog } from "../../../Sources/Web/notes/engine/catalog.js";
import { newRecord } from "../../../Sources/Web/notes/sync/record.js";
import { beginning } from "../../../Sources/Web/notes/text/beginning.js";
import { equal, random } from "./checks.js";

Deno.test("an excerpt shows the words of Markdown, not its signs", () => {
    const body =
        "# Lisbon\n\n- [x] Book the **train**\n> with [Ana](https://a.example)\n```sh\nls *.md\n```\n|---|---|\n";
    equal(beginning(body), "Lisbon Book the train with Ana ls *.md");
    for (const [text, shown] of [
        ["*perhaps* **so**, ***both***, _one_ and __two__, ~~gone~~", "perhaps so, both, one and two, gone"],
        ["**a *b* c** *a **b** c* ***a* b** _a **b *c*** d_", "a b c a b c a b a b c d"],
        ["*two\nlines* and **two\nmore**", "two lines and two more"],
        ["2 * 3 [x], 4*5, snake_case_name, _x, *\n\n*", "2 * 3 [x], 4*5, snake_case_name, _x, * *"],
        ["a_b_c, (_d_) **Wort**teil, *中*文", "a_b_c, (d) Wortteil, 中文"],
        ["`*a*` ``b ` c`` \\*d\\* &amp; &lt;e&gt; &no; C:\\x", "*a* b ` c *d* & <e> &no; C:\\x"],
        ['see [a *b* [c]](https://x.example/(y) "T") and ![p](<a b.png>)', "see a b [c] and p"],
        ["[![logo](a.png)](https://x.example) [Plan](notes/abc)", "logo Plan"],
        [
            "<https://a.example/_b_> <ada@a.example> https://a.example/_c_*d*e",
            "https://a.example/_b_ ada@a.example https://a.example/_c_*d*e",
        ],
        ["*see https://a.example/b_c*, **www.a.example**", "see https://a.example/b_c, www.a.example"],
        ["> > - [ ] ## Deep\n1. one\n+ two\n* * *\nTitle\n===\n- - -", "Deep 1. one two Title"],
        ["| a | *b* |\n|:--|--:|\n| c |   |", "a b c"],
        ["~~~py\n__init__(*args)\n~~~\nafter\n\n```js\nlet _a_", "__init__(*args) after let _a_"],
        ['[x]: https://a.example "T"\ntext [y]: or no', "text [y]: or no"],
        ["<b>x</b> a < b", "<b>x</b> a < b"],
        ["- ", "-"],
        ["a-b", "a-b"],
        ["  \n ", ""],
    ])
        equal([text, beginning(text)], [text, shown]);
});

Deno.test("an excerpt has no marks whose ends are far away", () => {
    for (const body of [
        `*perhaps ${"word ".repeat(300)}end*`,
        `**perhaps ${"word ".repeat(300)}end**`,
        `[perhaps](${"x".repeat(2000)})`,
        `![perhaps](data:image/png;base64,${"x".repeat(2000)})`,
    ])
        equal([body.slice(0, 20), beginning(body).slice(0, 7)], [body.slice(0, 20), "perhaps"]);
});

Deno.test("an excerpt around words of a search has no marks either", () => {
    const excerpts = (/** @type {string} */ body, /** @type {string} */ words) => {
        const catalog = new Catalog({ language: "en" });
        const text = { title: "", body, tags: [], pinned: false };
        catalog.load([newRecord("n", text, { createdAt: 0, updatedAt: 0 })]);
        return catalog
            .summaries(["n"], words)
            .map(({ excerpt, matches }) => [
                excerpt,
                ...(matches?.excerpt.map(([from, to]) => excerpt.slice(from, to)) ?? []),
            ])[0];
    };
    equal(excerpts("**Tulips**, *roses*", "roses"), ["Tulips, roses", "roses"]);
    const far = `${"filler ".repeat(80)}\n- [ ] **water** the *tulips in [May](https://a.example/june)*\nmore`;
    equal(excerpts(far, "tulips"), ["…water the tulips in May more", "tulips"]);
    // The source shows a match in an address.
    const source = "…- [ ] **water** the *tulips in [May](https://a.example/june)* more";
    equal(excerpts(far, "june"), [source, "june"]);
    const long = `${"filler ".repeat(80)}**the *roses* ${"bloom ".repeat(300)}**`;
    equal(excerpts(long, "roses")[0].startsWith("…filler filler filler filler filler the roses bloom"), true);
});

Deno.test("an excerpt never ends within a character, and blanks before it do not hide the text", () => {
    for (let shift = 0; shift < 4; shift += 1) {
        const shown = beginning(`${"\n ".repeat(3000)}${"x".repeat(shift)}${"🎉".repeat(300)}`);
        equal([shown.isWellFormed(), shown.length > 190], [true, true]);
    }
});

Deno.test("texts made to be slow have excerpts like any other", () => {
    const next = random(3);
    const parts = [
        "*",
        "_",
        "`",
        "~~",
        "[",
        "](",
        ")",
        "|",
        "a",
        " ",
        "\n",
        "\\",
        "> ",
        "- ",
        "```\n",
        "a@b.c",
        "&lt;",
    ];
    const shapes = parts.map((part) => part.repeat(2000));
    for (let run = 0; run < 2000; run += 1) {
        shapes.push(Array.from({ length: 400 }, () => parts[next(parts.length)]).join(""));
    }
    for (const text of shapes) equal(beginning(text).includes("\0"), false);
});
