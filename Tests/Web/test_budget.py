"""Tests of the pages' size and caching."""

import os
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.marigold import make_releases
from support.notes import Notes, NotesUser

# The limits of the console in one language, in bytes with brotli: until entries are there; with flags; with all screens.
ENTRIES = 60_000
FLAGS = 73_000
ALL_SCREENS = 128_000
# The limits of the notes, in bytes with brotli: the page with its worker; editor and history; the merge.
NOTES = 100_000
EDITOR = 140_000
MERGE = 60_000


class BudgetTests(BrowserCase):
    def test_console_is_small(self):
        """the console in one language is at most 60 kB compressed until entries are there, 73 kB with flags opened,
        and 126 kB with all screens opened; browsers cache it"""
        make_releases(self.instance, "development")
        one = self.person()
        # An idle page would load all screens.
        one.context.add_init_script("window.requestIdleCallback = () => {};")
        console = Console(one.sign_in("development", "staging"), "development")
        expect(console.rows().first).to_be_visible()
        first = self.sizes(one)
        console.open_screen("flags")
        flags = self.sizes(one)
        for _ in console.visit_places():
            pass
        one.page.keyboard.press("Control+k")
        expect(one.page.get_by_role("dialog", name="Command palette")).to_be_visible()
        every = self.sizes(one)
        print(f"  bytes: {sum(first.values())} until entries are there, {sum(flags.values())} with flags "
              f"opened, {sum(every.values())} with all screens opened")
        for sizes, limit in ((first, ENTRIES), (flags, FLAGS), (every, ALL_SCREENS)):
            self.assertLessEqual(sum(sizes.values()), limit, self.table(sizes))
        self.assertEqual(len({len(first), len(flags), len(every)}), 3, "each step loads files")

    def test_notes_are_small(self):
        """the notes in one language, their merge and their editor keep their size limits, and browsers cache them"""
        user = NotesUser(self.instance)
        note = user.create("Saturday", "- [ ] water the plants")
        # A service worker would fetch all files for offline use.
        one = self.person(application="notes", service_workers="block")
        one.checks.allow("Service Worker registration blocked by Playwright")
        notes = Notes(one, user).sign_in()
        notes.await_server()
        first = sum(size for path, size in self.sizes(one).items() if not path.endswith(".wasm"))
        for place, heading in (("search", None), ("trash", None), ("move", ""), ("settings", "Settings")):
            notes.go(place)
            if heading is not None:
                expect(one.page.locator("main").get_by_role("heading", level=1, name=heading)).to_be_attached()
        sizes = self.sizes(one)
        notes.go("notes", note)
        expect(one.page.get_by_role("textbox", name="Note text")).to_be_visible()
        notes.go("notes", note, "history")
        expect(one.page.get_by_text("Version 1 of 1")).to_be_visible()
        later = {path: size for path, size in self.sizes(one).items() if path not in sizes}
        merge = {path: sizes.pop(path, later.pop(path, 0)) for path in [*sizes, *later] if path.endswith(".wasm")}
        page, editor = sum(sizes.values()), sum(later.values())
        print(f"  bytes: {first} until the notes are there, {page} with all but the editor, {editor} of the editor and "
              f"the history, {sum(merge.values())} of the merge")
        self.assertLessEqual(page, NOTES, self.table(sizes))
        self.assertLessEqual(editor, EDITOR, self.table(later))
        self.assertLessEqual(sum(merge.values()), MERGE, self.table(merge))
        self.assertEqual(len(merge), 1)

    @staticmethod
    def table(sizes):
        return "\n".join(f"{size:7} {path}" for path, size in sorted(sizes.items(), key=lambda one: -one[1]))

    def file(self, one, path):
        return os.path.join(self.instance.home, "www", one.application, "index.html" if path == "/" else path[1:])

    def sizes(self, one):
        """Returns the size of each loaded file of the page, in bytes as transferred."""
        sizes = {}
        for request in one.checks.requests:
            path = urlsplit(request.url).path
            if path in sizes or not (path == "/" or path.startswith("/assets/")):
                continue
            answer = request.response()
            sizes[path] = int(answer.headers["content-length"])
            self.assertEqual(answer.headers.get("content-encoding"), "br", path)
            self.assertEqual(sizes[path], os.path.getsize(f"{self.file(one, path)}.br"), path)
            if path != "/":
                self.assertIn("immutable", answer.headers["cache-control"], path)
        return sizes
