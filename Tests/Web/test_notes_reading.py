"""Tests of notes that are read: printed, in the preview, with invisible characters."""

import re

from playwright.sync_api import expect

from support.notes_editor import EditorCase

LINES = [f"Line {number} of a long note." for number in range(1, 301)]


WORDS = "می\u200cخواهم 👨\u200d👩\u200d👧 Kinder\u00adgarten"
WIDE = """| Place | Description of the place | Accommodation | Transportation | Reservation |
|---|---|---|---|---|
| Palermo | cathedral | guesthouse | train | confirmed |

```
""" + "code " * 60 + "\n```\n"


class NotesReadingTests(EditorCase):
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

    def test_words_and_wide_parts(self):
        """joiners are text, overrides and controls are marked; wide tables and code scroll in the preview on a phone"""
        editor = self.editor(f"{WORDS}\r\ninvoice\u202efdp.exe \a\n\n{WIDE}", viewport={"width": 390, "height": 780})
        expect(editor.body().locator(".unseen")).to_have_text(["U+202E", "␇"])
        self.assertEqual(editor.body().locator(".cm-line").first.text_content(), f"{WORDS}\r")
        editor.page.get_by_role("button", name="Preview").click()
        expect(editor.preview().locator(".unseen")).to_have_text(["U+202E", "␇"])
        for part in ("pre", ".scroller"):
            sizes = editor.preview().locator(part).evaluate("(part) => [part.scrollWidth, part.clientWidth]")
            self.assertGreater(sizes[0], sizes[1] + 100, part)
        cell = editor.preview().get_by_role("columnheader", name="Accommodation")
        self.assertLess(cell.bounding_box()["height"], 60)


# Returns the colours of the printed text and of its page.
COLOURS = """() => [getComputedStyle(document.querySelector(".note-print p")).color,
    getComputedStyle(document.body).backgroundColor]"""
