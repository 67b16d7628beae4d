import { reduced } from "../../../Sources/Web/notes/editor/html-source.js";
import { equal } from "./checks.js";

const source = (/** @type {string} */ html) => reduced(html)?.source;

Deno.test("elements and attributes without a meaning in Markdown are dropped from pasted HTML", () => {
    equal(source("<p onclick=alert(1) class=a ONLOAD = 'x'>a</p>"), '<p class="a">a</p>');
    equal(source('<img/src="x"onerror="alert(1)">b'), '<img src="x">b');
    equal(source("<script>if (a < b) alert('</p>')</script><p>a"), "<p>a</p>");
    equal(source("<STYLE>p{}</style ><svg><path></svg>a<script>never ends <p>"), "a");
    equal(source("<button>Copy</button><template><p>x</p></template>a<video>b"), "ab");
    equal(source("<!-- <p> --><!--><p>a<![if !x]>b<![endif]></p><?xml x?>"), "<p>ab</p>");
    equal(source("<o:p>word</o:p><my-tag x>y</my-tag>"), "wordy");
    equal(source("a < b <3 </ x"), "a &lt; b &lt;3 &lt;/ x");
    equal(source("<a href='\"'>x</a><a href=\"y"), '<a href="&quot;">x</a>');
    equal(source("<p title='>'>a</p"), "<p>a</p>");
});

Deno.test("pasted HTML keeps only the declarations that are read", () => {
    equal(
        source(
            "<span style='color:red;font-weight:700;background:url(x);white-space:pre'>a</span><b style='top:0'>b</b>",
        ),
        '<span data-style=";font-weight:700;white-space:pre">a</span><b>b</b>',
    );
});

Deno.test("every element of pasted HTML has an end, where browsers would end it", () => {
    equal(source("<p>a<p>b<div>c"), "<p>a</p><p>b</p><div>c</div>");
    equal(source("<ul><li>a<ul><li>b</ul><li>c</ul>d"), "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>d");
    equal(
        source("<table><tr><td>a<td>b</div><tr><th>c</table><td>d"),
        "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>d",
    );
    equal(source("<b>a<i>b</b>c</i>"), "<b>a<i>b</i></b>c");
    equal(source("<a href=x>a<a href=y>b"), '<a href="x">a</a><a href="y">b</a>');
    equal(source("<td><p>a</p></td></p></table>"), "<p>a</p>");
});

Deno.test("the base of links comes from the document or from Windows' clipboard", () => {
    equal(reduced("<base href=https://example.org/a/><p>")?.base, "https://example.org/a/");
    const header = "Version:0.9\r\nStartHTML:00000097\r\nSourceURL:https://example.org/b\r\n";
    equal(reduced(`${header}<p>a`), { source: "<p>a</p>", base: "https://example.org/b" });
    equal(reduced("Version:2 of <b>it</b>")?.source, "Version:2 of <b>it</b>");
});

Deno.test("hostile HTML is cut in depth, and refused beyond a length", () => {
    const deep = source("<div>".repeat(20_000)) ?? "";
    equal(deep.length, 200 * "<div></div>".length);
    equal(reduced("<p>words</p>".repeat(200_000)), null);
    equal(reduced("<svg>".repeat(100_000) + "<a b='".repeat(100_000))?.source, "");
});
