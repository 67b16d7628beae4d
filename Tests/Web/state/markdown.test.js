import { parse } from "../../../Sources/Web/notes/markdown/blocks.js";
import { equal, random } from "./checks.js";
import { html } from "./markdown.js";

/** Returns the examples of CommonMark 0.31.2 from its specification. */
function examples() {
    const folder = Deno.env.get("ALMANAC_COMMONMARK");
    if (!folder) throw new Error("ALMANAC_COMMONMARK names the folder that has CommonMark's commonmark.txt");
    const text = Deno.readTextFileSync(`${folder}/commonmark.txt`).replaceAll("→", "\t");
    const found = text.matchAll(/^`{32} example\n(.*?)^\.\n(.*?)^`{32}$|^#{1,6} +([^\n]*)$/gms);
    let section = "";
    /** @type {{ number: number, section: string, markdown: string, html: string }[]} */
    const all = [];
    for (const [, markdown, wanted, heading] of found) {
        if (heading !== undefined) section = heading;
        else all.push({ number: all.length + 1, section, markdown, html: wanted });
    }
    return all;
}

/** Sections whose examples contain HTML, which stays text here by design. */
const ofMarkup = new Set(["HTML blocks", "Raw HTML"]);
const withMarkup = [21, 31, 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 642, 643];
/** An example with rare character names: &HilbertSpace;, &Dcaron;. */
const withNames = 25;

Deno.test("579 of the 652 examples of CommonMark 0.31.2 come out as they say; 72 others have HTML, one rare names", () => {
    const all = examples();
    equal(all.length, 652);
    const wrong = all.filter((each) => html(parse(each.markdown)) !== each.html);
    equal(
        wrong.filter((each) => !ofMarkup.has(each.section)).map((each) => each.number),
        [...withMarkup, withNames].sort((a, b) => a - b),
    );
    equal(all.length - wrong.length, 579);
});

Deno.test("HTML is text wherever it stands", () => {
    for (const { markdown } of examples()) {
        const tags = html(parse(markdown)).matchAll(/<\/?([a-z0-9]+)/g);
        for (const [, name] of tags) {
            equal(/^(?:p|h[1-6]|pre|code|blockquote|ul|ol|li|hr|br|em|strong|a|img|table|del)$/.test(name), true);
        }
    }
});

Deno.test("a table has its columns, whatever its rows have", () => {
    const [table] = parse("text\n| a | b \\| c |\n|:--|:-:|\n| 1 |\n| *2* | `3` | 4 |\n\nafter");
    equal(table, { kind: "paragraph", content: [{ kind: "text", text: "text" }], from: 0 });
    const [, { kind, ...found }, after] = /** @type {any[]} */ (
        parse("text\n| a | b \\| c |\n|:--|:-:|\n| 1 |\n| *2* | `3` | 4 |\n\nafter")
    );
    equal(kind, "table");
    const text = (/** @type {string} */ each) => [{ kind: "text", text: each }];
    equal(found, {
        columns: ["left", "center"],
        head: [text("a"), text("b | c")],
        rows: [
            [text("1"), []],
            [[{ kind: "emphasis", content: text("2") }], [{ kind: "code", text: "3" }]],
        ],
        from: 5,
    });
    equal(after.kind, "paragraph");
    // Short rows of a wide table do not take the memory of all their cells.
    const [wide] = /** @type {any[]} */ (
        parse(`|${"a|".repeat(1000)}\n|${"-|".repeat(1000)}\n${"|b|\n".repeat(2000)}`)
    );
    equal([wide.rows[0].length, wide.rows.flat().length < 100_000], [1000, true]);
    // None of these is a table.
    for (const none of ["a | b\n--", "a\n|--|--|", "| a |\n|-x-|"]) {
        equal(
            parse(none).some((block) => block.kind === "table"),
            false,
        );
    }
});

Deno.test("a task says where its mark is, in lists in quotes too", () => {
    for (const [before, mark] of [
        ["- [", " ] buy milk"],
        ["text\r\n\r\n* one\r\n* [", "x] two"],
        ["> 1. [", "X] quoted 👋"],
        ["- a\n  - [", " ] inner"],
        ["👋\n\n-\t[", " ] behind a tab"],
    ]) {
        const offsets = tasks(parse(before + mark));
        equal(offsets, [{ checked: mark[0] !== " ", offset: before.length }]);
    }
    for (const none of ["- [ ]", "- [ ] ", "- []x", "- [y] no", "[ ] no list"]) equal(tasks(parse(none)), []);
});

Deno.test("addresses in the text are links only where that is asked for", () => {
    const text = "See https://example.com/a_b?c=(d), or *http://x.org*.";
    equal(html(parse(text)).includes("<a"), false);
    equal(
        html(parse(text, { bareLinks: true })),
        '<p>See <a href="https://example.com/a_b?c=(d)">https://example.com/a_b?c=(d)</a>, or ' +
            '<em><a href="http://x.org">http://x.org</a></em>.</p>\n',
    );
    equal(html(parse("[https://a.example](https://b.example)", { bareLinks: true })).match(/<a/g)?.length, 1);
});

Deno.test("texts made to be slow or deep are read like any other", () => {
    const many = 50_000;
    const shapes = [
        "> ".repeat(many),
        "- ".repeat(many),
        "*a ".repeat(many),
        `${"*a **a ".repeat(many)}b`,
        `${"a**b".repeat(many)}c* `,
        "[".repeat(many),
        `${"[a](".repeat(many)}`,
        "![[]()".repeat(many),
        `${"`".repeat(many)}${" `` ".repeat(many)}`,
        Array.from({ length: 500 }, (_, length) => "`".repeat(length)).join(" "),
        "<a:".repeat(many),
        "\\".repeat(many),
        "&#".repeat(many),
        "[a]: <".repeat(many),
        "[a]: (\n".repeat(many),
        "a | b\n--|--\n".repeat(many),
        `| a |\n|--|\n${"|".repeat(many)}`,
        "\t".repeat(many),
        `# ${" ".repeat(many)}a`,
        `# ${"#".repeat(many)}a`,
        `a${" ".repeat(many)}b\n`.repeat(4),
        `a | b\n--|--${" ".repeat(many)}x`,
        `[a](b "${"x".repeat(many * 20)}")`,
        `[${"x\\]".repeat(many)}]: y`,
        `a\n${"-".repeat(many)}x`,
        `${"* ".repeat(many)}x`,
        '[a](b "'.repeat(many),
        `${"http://".repeat(many)}${".".repeat(many)}`,
        "a@".repeat(many),
        "a@b.example ".repeat(many),
        "http://a/]".repeat(many),
        "*".repeat(many),
        `${"_".repeat(many)}a${"_".repeat(many)}`,
        "~~a".repeat(many),
        "1. ".repeat(many),
        "#".repeat(many),
        `${"(".repeat(many)}[a](${"(".repeat(many)}`,
        "a* ".repeat(many),
        "a] ".repeat(many),
        `${"- ".repeat(many)}x`,
        `[a\n${"b\n".repeat(many)}`,
        `[a]: b "${"c\n".repeat(many)}`,
        `http://a/${")".repeat(many)}x`,
        `a\n${" ".repeat(many)}b`,
        "![".repeat(many) + "](a)".repeat(many),
    ];
    for (const text of shapes) html(parse(text, { bareLinks: true }));
});

Deno.test("any text can be read, and none of it is lost", () => {
    const next = random(18);
    const parts = [
        "a",
        "b c",
        "\n",
        "\n\n",
        "> ",
        "- ",
        "1. ",
        "    ",
        "\t",
        "*",
        "**",
        "_",
        "`",
        "```\n",
        "[",
        "](",
        ")",
        "|",
        "|-|-|\n",
    ];
    parts.push("# ", "---\n", "\\", "👋", "\u{202E}", "\0", "<b>", "- [ ] ", "~~", "[a]: /b\n", "![", "é", "\r\n");
    for (let run = 0; run < 20_000; run += 1) {
        const text = Array.from({ length: next(24) }, () => parts[next(parts.length)]).join("");
        const shown = html(parse(text));
        equal(/<(?!\/?(?:p|h[1-6]|pre|code|blockquote|ul|ol|li|hr|br|em|strong|a|img|table|del)\b)/.test(shown), false);
        // Every letter is visible, unless it belongs to a definition or a table, which this HTML omits.
        if (!/\[a\]: |\||\[|`|~~~/.test(text)) {
            equal([text, letters(shown.replace(/<[^>]*>/g, "").replace(/&[a-z]+;/g, ""))], [text, letters(text)]);
        }
    }
});

/** @param {string} text */
const letters = (text) => text.replace(/[^abcé👋]/gu, "");

/**
 * @param {any[]} blocks
 * @returns {any[]}
 */
function tasks(blocks) {
    return blocks.flatMap((block) => {
        if (block.kind === "quote") return tasks(block.blocks);
        if (block.kind !== "list") return [];
        return block.items.flatMap((/** @type {any} */ item) => [
            ...(item.task ? [item.task] : []),
            ...tasks(item.blocks),
        ]);
    });
}
