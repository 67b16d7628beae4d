"""Tests of the search within a note, and of replacing."""

from playwright.sync_api import expect

from support.look import find_faults
from support.notes_editor import EditorCase


class NotesFindTests(EditorCase):
    def test_places_in_a_note_are_found(self):
        """a search in a long note ignores accents; its matches are reached by keyboard, and replaced in one step"""
        lines = [f"Line {number} of a long note." for number in range(1500)]
        lines[700], lines[1400] = "The Café of the harbour.", "Another cafe, without a harbour."
        editor = self.editor("\n".join(lines))
        editor.body().click()
        editor.page.keyboard.press("Control+F")
        field = editor.page.get_by_role("searchbox", name="Find in note")
        expect(field).to_be_focused()
        editor.type("CAFE")
        count = editor.page.locator(".note-find-count")
        expect(count).to_have_text("1 of 2")
        expect(editor.line("The Café").locator(".cm-found")).to_have_text("Café")
        expect(editor.line("The Café")).to_be_in_viewport()
        editor.page.keyboard.press("Enter")
        expect(count).to_have_text("2 of 2")
        expect(editor.line("Another")).to_be_in_viewport()
        editor.page.keyboard.press("Enter")
        expect(count).to_have_text("1 of 2")
        editor.page.keyboard.press("Shift+Enter")
        expect(count).to_have_text("2 of 2")
        editor.type("terra")
        expect(count).to_have_text("No matches")
        editor.page.keyboard.press("Control+H")
        expect(field).to_be_focused()
        editor.type("cafe")
        option = editor.page.get_by_role("button", name="Match case and accents")
        option.click()
        expect(count).to_have_text("1 of 1")
        option.click()
        expect(count).to_have_text("2 of 2")
        replacement = editor.page.get_by_role("textbox", name="Replace with")
        replacement.fill("inn")
        replacement.press("Enter")
        expect(count).to_have_text("1 of 1")
        field.fill("harbour")
        editor.page.get_by_role("button", name="Replace all").click()
        expect(count).to_have_text("2 replaced")
        lines[700], lines[1400] = "The Café of the inn.", "Another inn, without a inn."
        self.awaits(editor, "\n".join(lines))
        self.assertEqual(find_faults(editor.page, "find", ".note"), [])
        editor.page.keyboard.press("Escape")
        expect(field).to_be_hidden()
        expect(editor.body()).to_be_focused()
        expect(editor.body().locator(".cm-found")).to_have_count(0)
        editor.page.keyboard.press("Control+Z")
        lines[700], lines[1400] = "The Café of the harbour.", "Another inn, without a harbour."
        self.awaits(editor, "\n".join(lines))

    def test_what_was_searched_is_marked(self):
        """a note opened from a search marks the matches"""
        editor = self.editor("\n".join([*(f"Line {number}" for number in range(600)), "a harbour", "harbours"]))
        expect(editor.page).to_have_title("A letter · Notes")
        editor.notes.go("search", editor.note, query="?q=harb")
        expect(editor.line("a harbour")).to_be_in_viewport()
        expect(editor.body().locator(".cm-found")).to_have_text(["harb", "harb"])
        editor.notes.go("notes", editor.note)
        expect(editor.body().locator(".cm-found")).to_have_count(0)
        expect(editor.page).to_have_title("A letter · Notes")
        editor.notes.go()
        expect(editor.page).to_have_title("Notes")
