"""Looks at the screens of the notes that no other test opens: menus, dialogs, reports and empty states."""

from playwright.sync_api import expect

from support.look import find_faults, look
from support.notes import NotesCase

LONG = "Minutes of the meeting about the renovation of the kitchen and of the bathroom on the second floor"
TEXT = "# Before the trip\n\nBook the *night train*.\n\n- [x] passports\n- [ ] adapters\n  - [ ] for France\n\n## Days\n"
FILES = (("plan.md", b"# Plan\n\nCall #work"), ("other.json", b"{}"))


class NotesScreensTests(NotesCase):
    def visit_screens(self, notes):
        """Opens each screen; yields its name, and the selector of the part that is new."""
        page, user = notes.page, notes.user
        expect(page.get_by_role("heading", name="No notes yet")).to_be_visible()
        yield "no notes", ".middle"
        museum = user.create("Museum in Lyon", "Open late on Thursdays.")
        trip = user.create("Trip to Lyon", f"{TEXT}\n[Museum](notes/{museum})\n", tags=["travel/france"], pinned=True)
        old = user.create(LONG, "Present: everyone.", tags=["a tag of some length that goes on", "work"])
        user.act("deleteNote", id=old)
        notes.go("trash")
        expect(page.locator(".note-row")).to_have_count(1)
        yield "trash", ".middle"
        notes.go("notes", museum)
        expect(page.get_by_role("heading", name="Linked from")).to_be_visible()
        yield "linked note", ".note"
        notes.go("notes", trip)
        more = page.get_by_role("button", name="More")
        expect(page.get_by_role("textbox", name="Note text")).to_contain_text("passports")
        more.click()
        expect(page.locator(".note-bar .menu")).to_be_visible()
        yield "menu of a note", ".note-bar"
        page.keyboard.press("Escape")
        for name in ("Outline", "Note info"):
            more.click()
            page.get_by_role("button", name=name).click()
            yield from self.dialog(page, name)
        page.get_by_role("button", name="Start with…").click()
        page.get_by_role("button", name="New from template…").click()
        yield from self.dialog(page, "New from template")
        page.locator(".note-row").first.click(button="right")
        yield from self.dialog(page, "Trip to Lyon")
        page.get_by_role("listbox", name="Notes").press("ContextMenu")
        entries = page.get_by_role("dialog", name="Trip to Lyon").locator(".dialog-body button")
        expect(entries.first).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(entries.last).to_be_focused()
        page.keyboard.press("Escape")
        notes.go("notes", "0c2e0000-0000-4000-8000-000000000000")
        expect(page.get_by_role("heading", name="Note not found")).to_be_visible()
        yield "unknown note", "#main"
        notes.go("move")
        page.locator("input.file").set_input_files(
            [{"name": name, "mimeType": "", "buffer": content} for name, content in FILES])
        expect(page.get_by_role("button", name="Import 1 note")).to_be_focused()
        for summary in page.locator(".remark summary").all():
            summary.click()
        yield "report of an import", "#main"

    def dialog(self, page, name):
        """Yields an open dialog, and closes it."""
        dialog = page.get_by_role("dialog", name=name)
        expect(dialog).to_be_visible()
        yield name, "dialog"
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)

    def test_screens_of_notes_have_no_faults(self):
        """menus, dialogs, reports and empty states of notes have no faults at any width, nor for axe"""
        found = []
        notes = self.notes_of(viewport={"width": 1280, "height": 780})
        for place, part in self.visit_screens(notes):
            found += find_faults(notes.page, place, part)
        self.assertEqual("\n".join(found), "")

    def test_sign_in_shows_the_mark_in_german(self):
        """the sign-in page shows the mark of the page's icon, and its German texts fit at all widths"""
        one = self.stranger(viewport={"width": 1280, "height": 780}, locale="de-DE")
        page = one.open("#/development")
        expect(page.get_by_role("heading", name="Bei development anmelden")).to_be_visible()
        page.wait_for_function("() => document.querySelector('img.mark').naturalWidth > 0")
        self.assertEqual(look(page, "sign-in"), [])
