"""How much the pages weigh, and that they are ours alone."""

import os
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.marigold import plant
from support.notes import Notes, NotesUser

# Bytes of all of it in one language, with every screen opened: as Chromium takes it; what comes when flags are opened;
# and both for who takes no brotli.
BROTLI = 60_000
FLAGS = 13_500
GZIP = 78_500
# Of the notes, with the worker and all that is shown but the editor; of the editor with the history, which are loaded
# when a note is opened; and of the merge.
NOTES = 100_000
EDITOR = 110_000
MERGE = 60_000


class BudgetTests(BrowserCase):
    def test_console_is_small(self):
        """the console in one language is at most 60 kB compressed (flags by themselves), and kept by browsers"""
        plant(self.instance, "development")
        one = self.operator("development", "staging")
        console = Console(one, "development")
        expect(console.rows().first).to_be_visible()
        first = sum(self.sizes(one).values())
        for _ in console.visit_places():
            pass
        sizes = self.sizes(one)
        flags = sum(size for path, size in sizes.items() if "flags" in path)
        others = sum(sizes.values()) - flags
        gzip = sum(os.path.getsize(f"{self.file(one, path)}.gz") for path in sizes)
        print(f"  bytes: {first} until entries are there, {others} with all screens opened, {flags} of flags, "
              f"{gzip} without brotli")
        table = self.table(sizes)
        self.assertLessEqual(others, BROTLI, table)
        self.assertLessEqual(flags, FLAGS, table)
        self.assertLessEqual(gzip, GZIP, table)

    def test_notes_are_small(self):
        """the notes in one language, their merge and their editor are as small as promised, and browsers keep them"""
        user = NotesUser(self.instance)
        note = user.create("Saturday", "- [ ] water the plants")
        # It would fetch all files for the time without a network.
        one = self.person(application="notes", service_workers="block")
        one.watch.allow("Service Worker registration blocked by Playwright")
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
        expect(one.page.get_by_role("slider")).to_be_visible()
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
        """What was loaded of a page's own, each file once: bytes as they came through the network."""
        sizes = {}
        for request in one.watch.requests:
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
