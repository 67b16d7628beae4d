"""Journeys through the notes in Firefox and WebKitGTK."""

import random

from driver import firefox, webkit
from engine_case import EngineCase
from support.depth import chosen_seed, runs
from support.notes import NotesUser

# The number of reloads right after a key, and of those per note.
TRIES = runs("ALMANAC_ENGINE_TRIES", quick=2, standard=5, long=50)
TRIES_OF_A_NOTE = 10
WORDS = ("milk", "Zoë", "naïve", "🥛", "bread", "مفتاح", "the", "plants", "Saturday", "eggs", "🌱", "and", "straße")

# Reads the page's database beside the page's worker.
PROBE = """
indexedDB.databases().then(([{ name }]) => {
    indexedDB.open(name).onsuccess = ({ target: { result } }) => {
        const [store] = result.objectStoreNames;
        result.transaction(store).objectStore(store).count().onsuccess = () => { window.almanacHasRead = true; };
    };
});
"""


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

    def is_blocked(self):
        """Waits for the open note; returns true if WebKit blocks the page's database. Once in some 150 reloads, WebKitGTK
        2.50 leaves a transaction of an ended worker open, and no page can read the database until the browser restarts."""
        try:
            self.body().await_shown()
            return False
        except AssertionError:
            if "MiniBrowser" not in self.page.version:
                raise
            self.page.run(PROBE)
            try:
                self.page.until(lambda: self.page.run("return window.almanacHasRead"), lambda: "no answer")
            except AssertionError:
                return True
            raise

    def test_reload_right_after_a_key(self):
        """a reload right after the last key loses no letter"""
        seed = chosen_seed()
        chance = random.Random(seed)
        self.start()
        note, expected, lost, blocked = "", "", [], False
        for number in range(TRIES):
            if number % TRIES_OF_A_NOTE == 0:
                note, expected = self.open_note(f"Reloads {number}", ""), ""
            text = "".join(chance.choice(WORDS) + chance.choice("   \n") for _ in range(chance.randint(1, 12)))
            self.write(text)
            self.page.reload()
            expected += text
            if blocked := self.is_blocked():
                break
            try:
                self.await_saved(note, expected)
            except AssertionError:
                lost.append((number, expected, self.saved(note)))
                expected = lost[-1][-1]
        print(f"  {self.page.version}: {len(lost)} of {number + 1} reloads lost letters, ALMANAC_TEST_SEED={seed}", flush=True)
        self.assertEqual(lost, [])
        if blocked:
            self.skipTest(f"WebKit blocked the database after {number + 1} reloads")


class NotesInFirefox(NotesJourneys, EngineCase):
    start_engine = staticmethod(firefox)


class NotesInWebKit(NotesJourneys, EngineCase):
    start_engine = staticmethod(webkit)
