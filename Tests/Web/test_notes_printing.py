"""Test of printed notes."""

import re

from playwright.sync_api import expect

from support.notes_editor import EditorCase

LINES = [f"Line {number} of a long note." for number in range(1, 301)]


class NotesPrintingTests(EditorCase):
    def test_note_is_printed(self):
        """a note of 300 lines is printed alone and completely, black on white, from the editor and the preview"""
        editor = self.editor("\n\n".join(LINES), "Plan", color_scheme="dark")
        page = editor.page
        for keys in (None, "Control+Enter"):
            if keys:
                page.keyboard.press(keys)
                expect(editor.preview()).to_contain_text(LINES[-1])
            page.emulate_media(media="print")
            page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
            self.assertEqual(page.locator("body").inner_text().split("\n\n"), ["Plan", *LINES])
            self.assertEqual(page.evaluate(COLOURS), ["rgb(0, 0, 0)", "rgb(255, 255, 255)"])
            page.evaluate("() => dispatchEvent(new Event('afterprint'))")
            page.emulate_media(media="null")
            pdf = page.pdf(format="A4")
            self.assertGreater(len(re.findall(rb"/Type /Page\b", pdf)), 5)
            self.assertIn(b"/Title (Plan)", pdf)
            expect(page).to_have_title("Plan · Notes")
            expect(page.locator(".note-print")).to_have_count(0)


# Returns the colours of the printed text and of its page.
COLOURS = """() => [getComputedStyle(document.querySelector(".note-print p")).color,
    getComputedStyle(document.body).backgroundColor]"""
