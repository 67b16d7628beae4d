"""A page object of the notes' editor."""

import time

from playwright.sync_api import expect

from support.case import TIMEOUT, BrowserCase
from support.notes import Notes, NotesUser

PASTE = """(element, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const form = { clipboardData: data, bubbles: true, cancelable: true, composed: true };
    element.dispatchEvent(new ClipboardEvent("paste", form));
}"""


def units(text):
    """Returns the length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


class Editor:
    def __init__(self, notes, note, page=None):
        self.notes = notes
        self.user = notes.user
        self.note = note
        self.page = page or notes.page

    def open(self):
        self.notes.go("notes", self.note)
        expect(self.body()).to_be_visible()
        return self

    def title(self):
        return self.page.get_by_role("textbox", name="Title")

    def body(self):
        return self.page.get_by_role("textbox", name="Note text")

    def line(self, text):
        """Returns the first line that contains a text."""
        return self.body().locator(".cm-line").filter(has_text=text).first

    def status(self):
        return self.page.locator(".note-status")

    def await_server(self):
        expect(self.status()).to_have_text("Synced")

    def notice(self):
        return self.page.locator(".note-notice")

    def preview(self):
        return self.page.locator(".note-preview")

    def menu(self, choice):
        self.page.get_by_role("button", name="More").click()
        self.page.locator(".note-bar .menu").get_by_text(choice, exact=True).click()

    def caret_at_end_of(self, text):
        self.line(text).click()
        self.page.keyboard.press("End")

    def type(self, text):
        self.page.keyboard.type(text)

    def paste(self, text):
        self.body().evaluate(PASTE, text)

    # Other devices.

    def saved(self):
        """Returns the note on the server."""
        return self.user.notes()[self.note]

    def write_elsewhere(self, change):
        """Replaces the body on another device with `change(body)`."""
        note = self.saved()
        before = note["body"]
        after = change(before)
        start = 0
        while start < min(len(before), len(after)) and before[start] == after[start]:
            start += 1
        end = 0
        while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
            end += 1
        delta = [units(before[:start]), -units(before[start:len(before) - end]), after[start:len(after) - end],
                 units(before[len(before) - end:])]
        self.user.act("updateNote", id=self.note, base=note["revision"],
                      body=[part for part in delta if part not in (0, "")])


# Shows the source of notes, with all marks.
SOURCE_MODE = """if (location.protocol.startsWith("http")) localStorage.setItem("almanac.marks", "all");"""


class EditorCase(BrowserCase):
    def editor(self, body="", title="A letter", tags=(), is_source=False, **options):
        """Opens a new note with this text for a new user, whose editor shows the source or hides its marks."""
        user = NotesUser(self.instance)
        note = user.create(title, body, tags=list(tags))
        one = self.person(application="notes", **options)
        if is_source:
            one.context.add_init_script(SOURCE_MODE)
        notes = Notes(one, user).sign_in()
        return Editor(notes, note).open()

    def both_modes(self):
        """Yields whether the editor shows the source, for each mode."""
        for is_source in (False, True):
            with self.subTest(is_source=is_source):
                yield is_source

    def until(self, condition, found=lambda: None):
        """Waits for a condition that only the server can show."""
        end = time.monotonic() + TIMEOUT / 1000
        while not condition():
            if time.monotonic() > end:
                self.fail(f"the condition did not become true: {found()}")
            time.sleep(0.05)

    def awaits(self, editor, body):
        self.until(lambda: editor.saved()["body"] == body, lambda: editor.saved()["body"])

    def shows(self, editor, *lines):
        expect(editor.body().locator(".cm-line")).to_have_text(lines)
