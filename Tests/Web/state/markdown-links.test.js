import { EditorState } from "codemirror";
import { language, linkAt } from "../../../Sources/Web/notes/editor/markdown.js";
import { parse } from "../../../Sources/Web/notes/markdown/blocks.js";
import { write } from "../../../Sources/Web/notes/markdown/write.js";
import { equal } from "./checks.js";

/** @import { Blocks, Inlines } from "../../../Sources/Web/notes/markdown/nodes.js" */

/** Texts whose links are between ⟦ and ⟧. */
const marked = [
    // GFM 0.29 §6.9
    "⟦www.commonmark.org⟧",
    "Visit ⟦www.commonmark.org/help⟧ for more information.",
    "Visit ⟦www.commonmark.org⟧.",
    "Visit ⟦www.commonmark.org/a.b⟧.",
    "⟦www.google.com/search?q=Markup+(business)⟧",
    "⟦www.google.com/search?q=Markup+(business)⟧))",
    "(⟦www.google.com/search?q=Markup+(business)⟧)",
    "(⟦www.google.com/search?q=Markup+(business)⟧",
    "⟦www.google.com/search?q=(business))+ok⟧",
    "⟦www.google.com/search?q=commonmark&hl=en⟧",
    "⟦www.google.com/search?q=commonmark⟧&hl;",
    "⟦www.commonmark.org/he⟧<lp",
    "⟦http://commonmark.org⟧",
    "(Visit ⟦https://encrypted.google.com/search?q=Markup+(business)⟧)",
    "⟦foo@bar.baz⟧",
    "hello@mail+xyz.example isn't valid, but ⟦hello+xyz@mail.example⟧ is.",
    "⟦a.b-c_d@a.b⟧ ⟦a.b-c_d@a.b⟧. a.b-c_d@a.b- a.b-c_d@a.b_",
    "⟦mailto:foo@bar.baz⟧ ⟦mailto:a.b-c_d@a.b⟧. ⟦mailto:a.b-c_d@a.b⟧/ mailto:a.b-c_d@a.b- xmpp:foo@bar.baz",
    // Addresses as people paste them, and words around them.
    "(see ⟦https://en.wikipedia.org/wiki/A_(b)⟧), ⟦https://en.wikipedia.org/wiki/A_(b)#c_d⟧!",
    "*⟦http://x.org⟧*. **⟦https://x.org/a⟧**后 _⟦https://x.org/a_b⟧_ ~~⟦https://x.org/a~b⟧~~",
    "⟦Https://Example.com/A⟧, ⟦HTTPS://EXAMPLE.COM⟧; ⟦WWW.Example.com⟧?",
    "⟦http://localhost:8080⟧, ⟦http://localhost/a⟧ and ⟦http://192.168.1.1:3000/#/x⟧",
    "⟦http://[::1]:8080/⟧ ⟦https://[2001:db8::1]⟧ ⟦https://ada:secret@example.com/a⟧",
    "⟦https://example.com?q=1⟧ ⟦https://example.com#top⟧ ⟦https://example.com:8443?x⟧ https://",
    "⟦https://example.com/?a[]=1&b[c]=2⟧ [⟦https://example.com/a⟧] [[⟦https://example.com/a⟧]]",
    "⟦https://docs.python.org/3/library/__main__.html⟧ ⟦https://web.archive.org/web/*/x.org⟧",
    "⟦https://medium.com/@ada/a-b⟧, ⟦https://example.com/a,b;c:d⟧: \"⟦https://example.com/a⟧\", '⟦https://example.com⟧'.",
    "⟦https://maps.example.com/@47.3,8.5,12z/data=!3m1!4b1⟧",
    "⟦https://example.com/100%25/~ada/+1?x=$2&y={z}⟧",
    '<a href="⟦https://example.com/a⟧">x</a> &quot;⟦https://example.com/a⟧&quot;',
    "“⟦https://example.com/a⟧” «⟦https://example.com/b⟧» ‘⟦https://example.com/c⟧’ ⟦https://example.com/d⟧…",
    "ftp://example.com ftp://ada@example.com xhttps://example.com 1www.example.com //www.example.com www.example",
    "git@github.com:ada/notes.git, @ada@social.example, ⟦https://social.example/@ada⟧, a@b, ada@",
    "http://a_b.example x http://example.my_name http://. http:// ⟦https://my_data.s3.example.com/a⟧",
    "Mail: ⟦ada@example.org⟧! E-Mail:⟦ada.b+c@mail.example.co.uk⟧, ⟦jörg@müller.example⟧",
    "⟦mailto:ada@example.org?subject=a%20b⟧.",
    "请看⟦https://example.com⟧这个网站，还有⟦https://zh.wikipedia.org/wiki/中国⟧。",
    "（见⟦https://example.com/a⟧）「⟦https://example.com/b⟧」『⟦https://example.com/c⟧』【⟦www.example.com⟧】",
    "邮箱⟦foo@example.com⟧，网站：⟦www.example.com⟧；⟦https://example.com/a?b=c⟧！(⟦https://example.com/d⟧)然后",
    "⟦https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ⟧、⟦https://例え.テスト/あ⟧。",
    "⟦https://müller.example/straße⟧, ⟦https://пример.испытание/путь⟧, ⟦https://한국.한국/길⟧",
    "ببینید ⟦https://fa.wikipedia.org/wiki/نیم‌فاصله⟧، یا ⟦https://example.ir⟧را؛ (⟦www.example.ir⟧)؟",
    "\u200f⟦https://example.com/a⟧\u200f، \u2067⟦https://مثال.إختبار/صفحة⟧\u2069 ⟦https://example.com/b⟧۔",
    "हिन्दी ⟦https://hi.wikipedia.org/wiki/भारत⟧। ไทย⟦https://example.com/ก⟧ ⟦https://example.com/👋⟧",
];

const source = (/** @type {string} */ text) => text.replace(/[⟦⟧]/g, "");

/** @param {Inlines} all @returns {[string, string][]} */
const linksIn = (all) =>
    all.flatMap((each) => {
        if (each.kind === "link") return [[each.content.map((one) => "text" in one && one.text).join(""), each.target]];
        return "content" in each ? linksIn(each.content) : [];
    });

/** @param {Blocks} blocks */
const linksOf = (blocks) => blocks.flatMap((block) => ("content" in block ? linksIn(block.content) : []));

Deno.test("addresses are links where a reader expects them, and end where a reader ends them", () => {
    for (const text of marked) {
        const found = linksOf(parse(source(text), { bareLinks: true })).map(([words]) => words);
        equal([text, found], [text, [...text.matchAll(/⟦(.*?)⟧/g)].map(([, words]) => words)]);
    }
});

Deno.test("the editor finds the links of the preview", () => {
    for (const text of marked) {
        const doc = source(text);
        const found = linksOf(parse(doc, { bareLinks: true }));
        let from = 0;
        for (const [words, target] of found) {
            from = doc.indexOf(words, from);
            const state = EditorState.create({ doc, selection: { anchor: from + 1 }, extensions: language });
            equal([words, linkAt(state)?.address], [words, new URL(target).href]);
            from += words.length;
        }
    }
});

Deno.test("an address without a scheme leads to the web or to mail", () => {
    const targets = linksOf(parse("www.a.example, WWW.a.example:80/x, a@b.example", { bareLinks: true }));
    equal(
        targets.map(([, target]) => target),
        ["http://www.a.example", "http://WWW.a.example:80/x", "mailto:a@b.example"],
    );
});

Deno.test("addresses are written so that they are read again", () => {
    for (const text of marked) {
        const blocks = parse(source(text), { bareLinks: true });
        const again = parse(write(blocks), { bareLinks: true });
        equal([write(blocks), linksOf(again)], [write(blocks), linksOf(blocks)]);
    }
});
