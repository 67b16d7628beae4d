"""Tests of the list of notes on a phone: swipes and long presses with real touches."""

from playwright.sync_api import expect

from support.case import TIMEOUT
from support.look import find_faults
from support.notes_list import ListCase

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
# Returns an element's horizontal shift by a swipe, and the scroll position of the list.
SHIFT = "(row) => getComputedStyle(row).translate"
SCROLL = "(list) => list.scrollTop"


class NotesTouchTests(ListCase):
    def open_phone(self, count=30):
        return self.open_list([(f"Note {number:02}", "text", {}) for number in range(count)], **PHONE)

    def touch(self, page, kind, *points):
        """Sends a touch event."""
        if not hasattr(self, "session"):
            self.session = page.context.new_cdp_session(page)
        self.session.send("Input.dispatchTouchEvent",
                          {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def drag(self, row, dx, dy=0, end="touchEnd"):
        """Moves a finger from the middle of a row in ten steps."""
        box = row.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.touch(row.page, "touchStart", (x, y))
        for step in range(1, 11):
            self.touch(row.page, "touchMove", (x + dx * step / 10, y + dy * step / 10))
        if end:
            self.touch(row.page, end)

    def hold(self, row):
        """Presses a row until its menu opens; returns the menu."""
        box = row.bounding_box()
        self.touch(row.page, "touchStart", (box["x"] + 60, box["y"] + 30))
        menu = row.page.get_by_role("dialog")
        expect(menu).to_be_visible()
        self.touch(row.page, "touchEnd")
        return menu

    def test_swipes_pin_and_trash(self):
        """a swipe pins a note or moves it to the trash with undo; a short, vertical or cancelled one does nothing"""
        found = self.open_phone()
        page = found.page
        row = found.row("Note 01")
        ground = page.locator(".note-swipe")
        self.drag(row, 60, end=None)
        expect(ground).to_have_text("Pin")
        self.assertEqual(row.evaluate(SHIFT), "60px")
        self.touch(page, "touchEnd")
        expect(ground).to_be_hidden()
        self.drag(row, -200, end=None)
        expect(ground).to_have_text("Move to Trash")
        self.touch(page, "touchCancel")
        expect(ground).to_be_hidden()
        self.assertEqual(row.evaluate(SHIFT), "none")
        expect(found.rows.first).to_contain_text("Note 00")
        self.drag(row, 200)
        expect(found.rows.first).to_contain_text("Note 01")
        expect(found.notice("Note pinned.")).to_be_visible()
        self.drag(found.row("Note 02"), -200)
        expect(found.row("Note 02")).to_have_count(0)
        expect(ground).to_be_hidden()
        self.assertEqual(found.row("Note 03").evaluate(SHIFT), "none")
        # Chromium ignores a tap right after a swipe.
        found.notice("Moved to Trash.").get_by_role("button", name="Undo").click()
        expect(found.row("Note 02")).to_have_count(1)
        self.drag(found.row("Note 04"), 30, -300)
        page.wait_for_function("() => document.querySelector('.note-rows').scrollTop > 100")
        expect(ground).to_be_hidden()
        # No swipe has opened a note.
        expect(page.locator(".middle")).to_be_visible()
        page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
        self.drag(found.rows.nth(8), 60, end=None)
        expect(ground).to_have_text("Move to Trash")
        self.touch(page, "touchEnd")

    def test_long_press_opens_the_menu_of_a_row(self):
        """a long press opens the menu of a row, and swipes in the trash restore and delete after a question"""
        found = self.open_phone(4)
        page = found.page
        menu = self.hold(found.row("Note 01"))
        entries = menu.locator(".dialog-body button")
        expect(entries).to_have_text(["Pin", "Edit tags…", "Select", "Move up", "Move down", "Move to Trash"])
        self.assertEqual(find_faults(page, "menu of a row", "dialog"), [])
        page.go_back()
        expect(menu).to_have_count(0)
        self.hold(found.row("Note 01")).get_by_role("button", name="Move up").tap()
        found.expect_titles("Note 01", "Note 00", "Note 02", "Note 03")
        self.hold(found.row("Note 01")).get_by_role("button", name="Select").tap()
        expect(found.chosen).to_contain_text("1 selected")
        self.hold(found.row("Note 01")).get_by_role("button", name="Move to Trash").tap()
        expect(found.row("Note 01")).to_have_count(0)
        self.drag(found.row("Note 02"), -200)
        expect(found.row("Note 02")).to_have_count(0)
        found.notes.go("trash")
        expect(found.rows).to_have_count(2)
        self.drag(found.row("Note 01"), 200)
        found.expect_titles("Note 02")
        self.drag(found.row("Note 02"), -200)
        question = found.dialog("Delete permanently?")
        expect(question).to_be_visible()
        expect(found.row("Note 02")).to_have_count(1)
        # Chromium ignores a tap right after a swipe.
        question.get_by_role("button", name="Delete permanently").click()
        expect(page.get_by_text("Trash is empty")).to_be_visible(timeout=TIMEOUT)
