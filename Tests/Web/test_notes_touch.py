"""Tests of the list of notes on a phone: swipes and long presses with real touches."""

from playwright.sync_api import expect

from support.case import TIMEOUT
from support.finger import Finger
from support.look import find_faults
from support.notes_list import ListCase

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
# Returns the horizontal shift of an element by a swipe.
SHIFT = "(row) => getComputedStyle(row).translate"


class NotesTouchTests(ListCase):
    def open_phone(self, count=30):
        return self.open_list([(f"Note {number:02}", "text", {}) for number in range(count)], **PHONE)

    def test_swipes_pin_and_trash(self):
        """a swipe pins a note or moves it to the trash with undo; a short, vertical or cancelled one does nothing"""
        found = self.open_phone()
        page = found.page
        finger = Finger(page)
        row = found.row("Note 01")
        ground = page.locator(".note-swipe")
        finger.drag(row, 60, end=None)
        expect(ground).to_have_text("Pin")
        self.assertEqual(row.evaluate(SHIFT), "60px")
        finger.touch("touchEnd")
        expect(ground).to_be_hidden()
        finger.drag(row, -200, end=None)
        expect(ground).to_have_text("Move to Trash")
        finger.touch("touchCancel")
        expect(ground).to_be_hidden()
        self.assertEqual(row.evaluate(SHIFT), "none")
        expect(found.rows.first).to_contain_text("Note 00")
        finger.drag(row, 200)
        expect(found.rows.first).to_contain_text("Note 01")
        expect(found.notice("Note pinned.")).to_be_visible()
        finger.drag(found.row("Note 02"), -200)
        expect(found.row("Note 02")).to_have_count(0)
        expect(ground).to_be_hidden()
        self.assertEqual(found.row("Note 03").evaluate(SHIFT), "none")
        # Chromium ignores a tap right after a swipe.
        found.notice("Moved to Trash.").get_by_role("button", name="Undo").click()
        expect(found.row("Note 02")).to_have_count(1)
        finger.drag(found.row("Note 04"), 30, -300)
        page.wait_for_function("() => document.querySelector('.note-rows').scrollTop > 100")
        expect(ground).to_be_hidden()
        # No swipe has opened a note.
        expect(page.locator(".middle")).to_be_visible()
        page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
        finger.drag(found.rows.nth(8), 60, end=None)
        expect(ground).to_have_text("Move to Trash")
        finger.touch("touchEnd")

    def test_long_press_opens_the_menu_of_a_row(self):
        """a long press opens the menu of a row, and swipes in the trash restore and delete after a question"""
        found = self.open_phone(4)
        page = found.page
        finger = Finger(page)
        menu = finger.hold(found.row("Note 01"))
        entries = menu.locator(".dialog-body button")
        expect(entries).to_have_text(["Pin", "Edit tags…", "Select", "Move up", "Move down", "Move to Trash"])
        self.assertEqual(find_faults(page, "menu of a row", "dialog"), [])
        page.go_back()
        expect(menu).to_have_count(0)
        finger.hold(found.row("Note 01")).get_by_role("button", name="Move up").tap()
        found.expect_titles("Note 01", "Note 00", "Note 02", "Note 03")
        finger.hold(found.row("Note 01")).get_by_role("button", name="Select").tap()
        expect(found.chosen).to_contain_text("1 selected")
        finger.hold(found.row("Note 01")).get_by_role("button", name="Move to Trash").tap()
        expect(found.row("Note 01")).to_have_count(0)
        finger.drag(found.row("Note 02"), -200)
        expect(found.row("Note 02")).to_have_count(0)
        found.notes.go("trash")
        expect(found.rows).to_have_count(2)
        finger.drag(found.row("Note 01"), 200)
        found.expect_titles("Note 02")
        finger.drag(found.row("Note 02"), -200)
        question = found.dialog("Delete permanently?")
        expect(question).to_be_visible()
        expect(found.row("Note 02")).to_have_count(1)
        # Chromium ignores a tap right after a swipe.
        question.get_by_role("button", name="Delete permanently").click()
        expect(page.get_by_text("Trash is empty")).to_be_visible(timeout=TIMEOUT)
