"""Journeys through the notes in Firefox and WebKitGTK."""

from driver import firefox, webkit
from engine_case import EngineCase
from support.notes import NotesUser


class NotesJourneys:
    def setUp(self):
        super().setUp()
        self.user = NotesUser(self.instance)

    def start(self):
        self.open("notes", self.user.link())
        self.page.css(".account-name").await_text(self.user.name)

    def open_note(self, title, body):
        note = self.user.create(title, body)
        self.page.go(f"#/{self.user.environment}/notes/{note}")
        self.page.css(".note h1, h1.spoken", title).await_shown()
        return note

    def body(self):
        return self.page.role("textbox", "Note text")

    def write(self, text):
        """Types at the end of the open note."""
        self.body().click()
        self.page.press("Control+End")
        self.page.type(text)

    def line(self, text):
        return self.page.css(".cm-line", text)

    def saved(self, note):
        return self.user.notes()[note]["body"]

    def await_saved(self, note, body):
        self.page.until(lambda: self.saved(note) == body, lambda: f"the server has {self.saved(note)!r}, not {body!r}")

    def test_note_is_written_and_found(self):
        """a new note is written by keys, with letters of all kinds, and a search finds it"""
        self.user.create("Milkman", "comes on Tuesdays")
        self.start()
        self.page.role("button", "New note").click()
        title = self.page.role("textbox", "Title")
        title.await_focus()
        self.page.type("Groceries\nmilk 🥛, Zoë's straße\nمفتاح 𞤀𞤣")
        body = "milk 🥛, Zoë's straße\nمفتاح 𞤀𞤣"
        self.page.until(lambda: any(note["title"] == "Groceries" and note["body"] == body
                                    for note in self.user.notes().values()),
                        lambda: f"the server has {self.user.notes()}")
        self.page.role("searchbox", "Search").write("straße")
        rows = self.page.css(".note-row-title")
        rows.await_count(1)
        rows.await_text("Groceries")

    def test_checklist(self):
        """a shortcut makes tasks, Enter continues them, a click ticks one, and Tab moves one below the other"""
        self.start()
        note = self.open_note("Saturday", "")
        self.body().click()
        self.page.press("Control+Shift+c")
        self.page.type("milk\nbread")
        self.await_saved(note, "- [ ] milk\n- [ ] bread")
        self.line("bread").css(".cm-md-box").click()
        self.await_saved(note, "- [ ] milk\n- [x] bread")
        self.page.press("Tab")
        self.await_saved(note, "- [ ] milk\n  - [x] bread")

    def test_another_device_writes(self):
        """another device's line appears in the open note, and the caret stays"""
        self.start()
        note = self.open_note("Letter", "Dear all,\n")
        self.write("the harbour")
        self.await_saved(note, "Dear all,\nthe harbour")
        revision = self.user.notes()[note]["revision"]
        self.user.act("updateNote", id=note, base=revision, body=["From elsewhere.\n", 21])
        self.line("From elsewhere.").await_shown()
        self.page.type(" opens")
        self.await_saved(note, "From elsewhere.\nDear all,\nthe harbour opens")


class NotesInFirefox(NotesJourneys, EngineCase):
    start_engine = staticmethod(firefox)


class NotesInWebKit(NotesJourneys, EngineCase):
    start_engine = staticmethod(webkit)
