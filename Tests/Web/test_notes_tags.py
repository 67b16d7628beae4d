"""Tests of the tree of tags."""

from playwright.sync_api import expect

from support.notes_list import ListCase

TRIPS = [
    ("Alfama", "", {"tags": ["travel/lisbon"]}),
    ("Ribeira", "", {"tags": ["travel/porto"]}),
    ("Suitcase", "", {"tags": ["travel", "home"]}),
]


class NotesTagsTests(ListCase):
    def test_tags_are_a_tree(self):
        """tags are under their parents, which show the notes of their children, close, and are renamed with them; the
        tags are one stop of Tab, and a button leads to the list"""
        found = self.open_list(TRIPS)
        keyboard = found.page.keyboard
        names = found.page.locator(".side-tag .side-name")
        expect(names).to_have_text(["home", "travel", "lisbon", "porto"])
        expect(found.place("travel 3 notes")).to_be_visible()
        found.place("travel 3 notes").click()
        expect(found.rows).to_have_count(3)
        expect(found.place("travel 3 notes")).to_have_attribute("aria-current", "page")
        found.side.get_by_role("button", name="Tags under travel").click()
        expect(names).to_have_text(["home", "travel"])
        expect(found.side.get_by_role("button", name="Tags under travel")).to_be_focused()
        # Left leads from the button to the link, right opens it, down and up move, and Tab leaves.
        keyboard.press("ArrowLeft")
        expect(found.place("travel 3 notes")).to_be_focused()
        keyboard.press("ArrowRight")
        expect(names).to_have_count(4)
        expect(found.place("travel 3 notes")).to_be_focused()
        keyboard.press("End")
        expect(found.place("travel/porto")).to_be_focused()
        keyboard.press("ArrowRight")
        expect(found.side.get_by_role("button", name="Edit tag travel/porto")).to_be_focused()
        keyboard.press("ArrowLeft")
        keyboard.press("ArrowUp")
        expect(found.place("travel/lisbon")).to_be_focused()
        keyboard.press("ArrowLeft")
        expect(found.place("travel 3 notes")).to_be_focused()
        keyboard.press("Shift+Tab")
        expect(found.place("Trash")).to_be_focused()
        keyboard.press("Tab")
        expect(found.place("travel 3 notes")).to_be_focused()
        keyboard.press("Tab")
        expect(found.side.get_by_role("link")).to_have_count(6)
        self.assertEqual(found.page.evaluate("() => document.activeElement.closest('.side-nav')"), None)
        skip = found.side.get_by_role("button", name="Skip to notes")
        skip.focus()
        keyboard.press("Enter")
        expect(found.page.locator("#notes")).to_be_focused()
        found.side.get_by_role("button", name="Edit tag travel", exact=True).click()
        dialog = found.dialog("Edit tag")
        expect(dialog).to_contain_text("Tags under it change too.")
        dialog.get_by_label("Name").fill("trips")
        dialog.get_by_label("Name").press("Enter")
        expect(names).to_have_text(["home", "trips", "lisbon", "porto"])
        expect(found.rows).to_have_count(3)
        found.notes.await_server()
        tags = sorted(note["tags"] for note in found.notes.user.notes().values())
        self.assertEqual(tags, [["home", "trips"], ["trips/lisbon"], ["trips/porto"]])
