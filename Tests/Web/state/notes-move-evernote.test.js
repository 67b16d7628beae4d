import { parse } from "../../../Sources/Web/notes/markdown/blocks.js";
import { markdownOf, parsedENML } from "../../../Sources/Web/notes/move/enml.js";
import { plan, readChosen, readFiles } from "../../../Sources/Web/notes/move/import.js";
import { XMLReader } from "../../../Sources/Web/notes/move/xml.js";
import { equal, random } from "./checks.js";
import { known, only, tree } from "./moving.js";

/** @import { Inline } from "../../../Sources/Web/notes/markdown/nodes.js" */

const folder = new URL("../moving/", import.meta.url);
const [{ path, bytes }] = tree(new URL("evernote/", folder));
const content = new TextDecoder().decode(bytes);
const file = (/** @type {BlobPart} */ text, name = path) => new File([text], name);

/** @param {string} enml @param {import("../../../Sources/Web/notes/move/enml.js").Task[]} [tasks] */
const markdown = (enml, tasks = []) => markdownOf(parsedENML(`<en-note>${enml}</en-note>`), tasks);

/** @param {string} text @param {number[]} cuts */
function tokens(text, cuts = []) {
    const reader = new XMLReader();
    /** @type {string[]} */
    const found = [];
    for (const [index, cut] of [0, ...cuts].entries()) {
        for (const token of reader.read(text.slice(cut, cuts[index]))) {
            const last = found.at(-1);
            if (token.kind === "text" && last?.startsWith("'")) found[found.length - 1] = last + token.text;
            else if (token.kind === "text") found.push(`'${token.text}`);
            else
                found.push(token.kind === "end" ? `/${token.name}` : JSON.stringify([token.name, ...token.attributes]));
        }
    }
    reader.end();
    return found;
}

Deno.test("a notebook of Evernote comes in with tasks, tags, times, links and the notebook's name", async () => {
    const { notes, remarks } = await readChosen([file(content)]);
    const trip = "## Day one\n\n**Museum**, then [the map](https://example.com/map)\n\n";
    const link = `See [Einkauf für Samstag 🛒](notes/${notes[0].note.id}) and Somewhere else`;
    const picture = "![platform 9](attachments/iwxhautxq6px6aoxpd34swqglm.jpg)";
    const table = "| Train | 9\\|30 |\n| ----- | ----- |\n| Hotel |       |";
    equal(
        only(notes).map(({ title, body, tags }) => [title, body, tags]),
        [
            [
                "Einkauf für Samstag 🛒",
                "Markt, dann Bäcker:\n\n- [x] Äpfel & Birnen\n- [ ] Brot\n- [ ] Garten\n  - [x] Erde",
                ["/Garten & Küche", "Küche", "to do"],
            ],
            ["Trip plan", `${trip}${link}  \n${picture}\n\n${table}`, ["/Garten & Küche"]],
            [
                "Untitled Note",
                "PIN: 🔒 the cat's name\n\n- [ ] Call \\*her\\*\n\n[example.com](https://example.com/page?q=1)",
                ["/Garten & Küche"],
            ],
            ["Untitled Note", "مرحبا بالعالم\n\n```\nlet a = [1];\n  b\n```", ["/Garten & Küche"]],
        ],
    );
    equal(
        only(notes).map(({ createdAt, updatedAt }) => [createdAt, updatedAt]),
        [
            [Date.UTC(2024, 2, 1, 12), Date.UTC(2024, 5, 1, 10, 10, 10)],
            ...[2, 3, 3].map((day) => [Date.UTC(2024, 2, day, 8), Date.UTC(2024, 2, day, 8)]),
        ],
    );
    equal(
        remarks.map(({ source, what, detail }) => [source.replace(`${path}: `, ""), what, detail]),
        [
            ["Einkauf für Samstag 🛒", "details", "author, location"],
            ["Untitled Note", "details", "reminder, due"],
            ["Untitled Note", "encrypted-text", ""],
            ["Broken", "damaged", ""],
            ["", "no-text", ""],
            ["Trip plan", "note-links", "Somewhere else"],
            ["Trip plan: file.pdf", "file-empty", ""],
        ],
    );
});

Deno.test("a notebook of Evernote adds nothing the second time, nor in an archive", async () => {
    const { add } = await plan(await readChosen([file(content)]), known([]));
    equal([add.length, new Set(add.map(({ id }) => id)).size], [4, 4]);
    for (const found of [await readChosen([file(content)]), await readFiles([{ path, bytes }])]) {
        const again = await plan(found, known(add));
        equal([again.add, again.same], [[], 4]);
    }
});

Deno.test("a file of Evernote that ends early keeps the notes before, and other files are refused", async () => {
    const cut = content.slice(0, content.indexOf("<title>Untitled"));
    const { notes, remarks } = await readChosen([file(cut)]);
    equal([notes.length, remarks[0]], [2, { source: path, what: "xml-damaged", detail: "" }]);
    const beside = await readChosen([file("", "empty.enex"), file("x", "a.md")]);
    equal(
        [only(beside.notes).map(({ title }) => title), beside.remarks.map(({ what }) => what)],
        [["a"], ["xml-damaged"]],
    );
    for (const [text, what] of [
        ["", "xml-damaged"],
        ["<en-export>", "xml-damaged"],
        ["<en-export><note></en-export>", "xml-damaged"],
        [`<en-export><note><title>a</title>${"<a>".repeat(99)}${"</a>".repeat(99)}</note></en-export>`, "xml-damaged"],
        [`<en-export><${"x".repeat(1 << 21)}`, "xml-damaged"],
        ["<opml><note/></opml>", "not-evernote"],
        [new Uint8Array([0xff, 0xfe, 0x3c, 0]), "not-text"],
        ["<en-export/>", "nothing"],
    ]) {
        const failure = await readChosen([file(/** @type {BlobPart} */ (text))]).catch((failure) => failure);
        equal([text.length, failure.what], [text.length, what]);
    }
});

Deno.test("entities of a document type are never expanded", async () => {
    const bomb =
        '<!DOCTYPE en-export [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>' +
        "<en-export><note><title>&b; &f; &amp;</title><content>&lt;en-note>&amp;b; &amp;auml;&lt;/en-note></content></note></en-export>";
    const { notes } = await readChosen([file(bomb)]);
    equal(
        only(notes).map(({ title, body }) => [title, body]),
        [["&b; &f; &", "&b; ä"]],
    );
});

Deno.test("XML is read alike wherever its pieces end", () => {
    const text = `<?a b?><!DOCTYPE x [<!ENTITY y "]>">]><x a="1>2" b='&lt;"'>&amp;&#228;<!-- <no> -->ü 🌱<![CDATA[<&]]]]><![CDATA[>]]><y/></x>`;
    const whole = ['["x",["a","1>2"],["b","<\\""]]', "'&äü 🌱<&]]>", '["y"]', "/y", "/x"];
    equal(tokens(text), whole);
    const below = random(7);
    for (let run = 0; run < 200; run += 1) {
        const cuts = Array.from({ length: below(12) }, () => below(text.length)).sort((one, other) => one - other);
        equal([cuts, tokens(text, cuts)], [cuts, whole]);
    }
});

Deno.test("a note's text becomes Markdown of the same form", () => {
    for (const [enml, wanted] of [
        ["<div>one</div><div>two</div><div><br/></div><div>three</div>", "one  \ntwo\n\nthree"],
        ["<p>one</p><p>two<br/>more</p><hr/>", "one\n\ntwo  \nmore\n\n---"],
        ["<div>a <b>bold </b>and <i>thin</i> <s>gone</s></div>", "a **bold** and *thin* ~~gone~~"],
        ['<span style="font-weight:bold;font-style:italic">both</span>', "***both***"],
        ["<b>Na</b><b>me:</b>value, x<i>(y)z</i> <b>a</b><i>b</i>", "**Name**:value, x(*y)z* **a***b*"],
        ["<b><en-todo/>Brot</b><en-todo checked='true'/># Milch", "- [ ] **Brot**\n- [x] \\# Milch"],
        ["<ul><li><div>a</div><ul><li>b</li></ul></li><ul><li>c</li></ul></ul>", "- a\n  - b\n  - c"],
        [
            "<ul><li>a</li></ul><ol start='9'><li>x</li><li>y<ul><li>z</li></ul></li></ol>",
            "- a\n\n9. x\n10. y\n    - z",
        ],
        ["<blockquote><div>q</div><div><br/></div><div>r</div></blockquote>", "> q\n>\n> r"],
        ["<pre>a\n  ``` b</pre>", "````\na\n  ``` b\n````"],
        ["<table><tr><td><div>one cell</div></td></tr></table>", "one cell"],
        [
            "<table><tr><td>a</td></tr><tr><td>b</td><td>c</td></tr><tr><td>d</td></tr></table>",
            "| a   |     |\n| --- | --- |\n| b   | c   |\n| d   |     |",
        ],
        ["<div># a</div><div>- b</div><div>1. c</div><div>---</div>", "\\# a  \n\\- b  \n1\\. c  \n\\---"],
        ["<div>2 * 3, a_b, _x_, [a](b), &lt;i&gt;, C:\\*</div>", "2 * 3, a_b, \\_x\\_, \\[a\\](b), \\<i>, C:\\\\\\*"],
        ["<div>https://example.com/a_b_*c</div>", "https://example.com/a_b_*c"],
        [
            "<a href='https://e.com/a_(b)'>x [y]</a> <a href='javascript:alert(1)'>z</a>",
            "[x [y]](https://e.com/a_(b)) z",
        ],
        ["<div>a&nbsp; &nbsp;b&nbsp;c</div>", "a b c"],
        ["<div>see https://e.com/a_(b), ada@e.com</div>", "see https://e.com/a_(b), ada@e.com"],
        [
            "<table><tr><td>a</td><td><en-todo checked='true'/>b<ul><li>c</li></ul></td></tr></table>",
            "| a   | b c |\n| --- | --- |",
        ],
        ["<h2>a<br/>b</h2><ol><li><b>c</b><pre>d</pre></li></ol>", "## a b\n\n1. **c**\n   ```\n   d\n   ```"],
        [`${"<div>".repeat(9000)}deep${"</div>".repeat(9000)}`, "deep"],
    ])
        equal([enml.slice(0, 90), markdown(enml)], [enml.slice(0, 90), wanted]);
    // Many lines without an empty one keep their formatting.
    const lines = `<div>${"word ".repeat(20)}</div><div><b>${"word ".repeat(20)}</b></div>`;
    equal(markdown(lines.repeat(200)).match(/\*\*/g)?.length, 400);
    const tasks = ["g1", "g2"].map((group) => ({ title: `of ${group}`, isDone: group === "g1", group }));
    equal(
        markdown('<div style="--en-task-group:true; --en-id:g2;"></div><div>after</div>', tasks),
        "- [ ] of g2\n\nafter\n\n- [x] of g1",
    );
});

/** Returns the text of a paragraph, with marks around everything else. @param {Inline[]} content @returns {string} */
const flat = (content) =>
    content
        .map((each) => {
            if (each.kind === "text") return each.text;
            if (each.kind === "break") return "\n";
            return `${each.kind}(${"content" in each ? flat(each.content) : ""})`;
        })
        .join("");

Deno.test("signs in a note's text stay signs", () => {
    const signs = "* ** _ ` `` [ ] ( ) ! < > &amp; & ; # ~ ~~ \\ | --- === a word ü 🌱 : <b> [x] x_y 2 . ' \" ^".split(
        " ",
    );
    const pieces = [...signs, " ", " ", "# ", "- ", "+ ", "1. ", "1) ", "[ ] ", "2 * 3"];
    const below = random(11);
    for (let run = 0; run < 2000; run += 1) {
        const line = () => Array.from({ length: 1 + below(7) }, () => pieces[below(pieces.length)]).join("");
        const lines = [line(), line()].map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
        const shown = lines.map((text) => `<div>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</div>`);
        const blocks = parse(markdown(shown.join("")));
        const found = blocks.map((block) => (block.kind === "paragraph" ? flat(block.content) : block.kind));
        equal([run, found], [run, lines.length > 0 ? [lines.join("\n")] : []]);
    }
});
