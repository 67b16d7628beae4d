"""Tests of the list's rows, and of the list beside other parts of the page."""

import re

from playwright.sync_api import expect

from support.notes_list import ListCase

# Returns true if this number of rows is cached for the next start.
KEPT = """(count) => Object.entries(localStorage)
    .some(([key, kept]) => key.startsWith("almanac.notes.rows:") && JSON.parse(kept).rows.length === count)"""

# A worker that queues its messages until `begin`.
SLOW_WORKER = """((Worker) => class extends EventTarget {
    constructor(...how) {
        super();
        const told = [];
        this.postMessage = (message) => told.push(message);
        this.terminate = () => {};
        globalThis.begin = () => {
            const worker = new Worker(...how);
            for (const type of ["message", "error", "messageerror"])
                worker.addEventListener(type, ({ data }) => this.dispatchEvent(new MessageEvent(type, { data })));
            this.postMessage = (message) => worker.postMessage(message);
            this.terminate = () => worker.terminate();
            told.forEach(this.postMessage);
        };
    }
})(Worker)"""


class NotesRowsTests(ListCase):
    def test_first_rows(self):
        """the list starts with its cached first rows, and shows the current rows once the notes are read"""
        found = self.open_list()
        shown = found.rows.locator(".note-row-title").all_inner_texts()
        found.page.wait_for_function(KEPT, arg=5)
        page = found.page.context.new_page()
        # The worker starts only on request.
        page.add_init_script(f"globalThis.Worker = {SLOW_WORKER};")
        page.goto(f"{found.notes.person.origin}/#/development")
        rows = page.locator(".note-row")
        expect(rows.locator(".note-row-title")).to_have_text(shown)
        # The sync status and the number of notes are still unknown.
        expect(page.locator(".status-mark, .side-count")).to_have_count(0)
        expect(page.locator(".foot .page-status")).to_be_hidden()
        rows.first.click()
        expect(page.locator(".note-row[aria-current]")).to_have_count(1)
        found.notes.user.act("deleteNote", id=page.url.rsplit("/", 1)[1])
        page.evaluate("() => globalThis.begin()")
        expect(rows).to_have_count(4)
        expect(rows.locator(".status-mark")).to_have_count(4)
        expect(page.locator(".foot .page-status")).to_have_text("All notes synced")
        page.wait_for_function(KEPT, arg=4)

    def test_rows_of_lost_notes(self):
        """cached rows are removed if the browser has lost the notes"""
        found = self.open_list()
        found.page.wait_for_function(KEPT, arg=5)
        found.notes.await_page_kept()
        found.page.goto("about:blank")
        session = found.page.context.new_cdp_session(found.page)
        session.send("Storage.clearDataForOrigin", {"origin": found.notes.person.origin, "storageTypes": "indexeddb"})
        found.page.context.set_offline(True)
        found.notes.go()
        expect(found.notes.status()).to_have_text("Offline")
        expect(found.page.locator(".note-row")).to_have_count(0)
        found.page.context.set_offline(False)
        expect(found.rows).to_have_count(5)

    def test_rows_after_signing_out(self):
        """signing out removes the cached rows, even if the notes stay"""
        found = self.open_list()
        # The page's requests while it is signed out.
        found.notes.person.checks.allow("status of 401")
        found.page.wait_for_function(KEPT, arg=5)
        found.notes.open_settings()
        found.page.get_by_role("button", name="Sign out…").click()
        found.notes.dialog("Sign out?").get_by_role("button", name="Sign out and keep notes").click()
        expect(found.page.get_by_role("heading", name="Sign in to development")).to_be_visible()
        rows = found.page.evaluate("() => Object.keys(localStorage).filter((key) => key.includes('.rows:'))")
        self.assertEqual(rows, [])

    def test_search_stays_beside_settings(self):
        """the search field keeps its words while the list shows their results"""
        found = self.open_list()
        found.search.fill("milk")
        expect(found.rows).to_have_count(2)
        expect(found.page).to_have_url(re.compile("q=milk"))
        found.notes.open_settings()
        expect(found.rows).to_have_count(2)
        expect(found.search).to_have_value("milk")
        found.place("All notes").click()
        expect(found.rows).to_have_count(5)
        expect(found.search).to_have_value("")

    def test_going_elsewhere_from_a_search(self):
        """opening a tag while the search is about to change the address leads to the tag"""
        found = self.open_list()
        # A busy browser may report the new address after the debounce of the search.
        found.page.add_init_script("""addEventListener("hashchange", (event) => {
            if (!event.isTrusted) return;
            event.stopImmediatePropagation();
            setTimeout(() => dispatchEvent(new Event("hashchange")), 900);
        }, { capture: true });""")
        found.page.reload()
        expect(found.rows).to_have_count(5)
        found.search.evaluate("""(field) => {
            field.value = "zebra";
            field.dispatchEvent(new InputEvent("input"));
            location.hash = "#/development/tags/home";
        }""")
        expect(found.rows).to_have_count(3)
        expect(found.page).to_have_url(re.compile("/tags/home$"))

    def test_keys_need_a_note(self):
        """shortcuts for a note do nothing while no note is open, selected or active"""
        found = self.open_list()
        for key in ("#", "p"):
            found.page.locator("body").press(key)
        found.page.keyboard.press("j")
        found.page.keyboard.press("p")
        expect(found.notice("Note pinned.")).to_be_visible()
        expect(found.place("Trash")).to_contain_text("0 notes")
        pinned = [note for note in found.notes.user.notes().values() if note["pinned"]]
        self.assertLessEqual(len(pinned), 1)

    def test_letters_are_commands_only_in_the_list(self):
        """beside an open note, letters do nothing; after a deletion in the list, no other note is the target"""
        found = self.open_list()
        page, keys = found.page, found.page.keyboard
        titles = found.titles()
        found.rows.nth(0).click()
        expect(page.get_by_role("textbox", name="Note text")).to_be_visible()
        address = page.url
        for part in (found.place("All notes"), page.get_by_role("button", name="More"), page.locator("#main")):
            part.focus()
            for key in ("#", "p", "n", "/", "j", "g", "s"):
                keys.press(key)
                self.assertEqual(page.url, address)
        page.evaluate("() => document.activeElement.blur()")
        keys.press("#")
        found.list.focus()
        keys.press("#")
        found.expect_titles(*titles[1:])
        expect(found.list).to_be_focused()
        expect(found.list.locator(".active")).to_have_count(0)
        expect(found.list).not_to_have_attribute("aria-activedescendant", re.compile("."))
        for key in ("p", "#", "Delete", "Enter", "Space", "Alt+ArrowDown"):
            keys.press(key)
        keys.press("ArrowDown")
        expect(found.active()).to_have_text(titles[1])
        expect(found.notice("Moved to Trash.")).to_have_count(1)
        expect(found.notice("Note pinned.")).to_have_count(0)
        keys.press("p")
        expect(found.notice("Note pinned.")).to_have_count(1)
        found.expect_titles(*titles[1:])
        # A Cyrillic keyboard.
        found.list.evaluate("""(list) => list.dispatchEvent(
            new KeyboardEvent("keydown", { key: "ф", code: "KeyA", ctrlKey: true, bubbles: true }))""")
        expect(found.chosen).to_contain_text("4 selected")

    def test_tags_of_a_row(self):
        """a row shows as many tags as fit, each whole or truncated at its end"""
        tags = [f"tag number {number:02}" for number in range(32)]
        found = self.open_list([("Many", "x", {"tags": tags}), ("Long", "x", {"tags": ["x" * 64, "work"]})])
        shown = found.list.evaluate("""(list) => [...list.querySelectorAll(".note-row-foot")].map((foot) => {
            const { top, bottom, right } = foot.getBoundingClientRect();
            return [...foot.querySelectorAll(".badge")].map((badge) => badge.getBoundingClientRect())
                .filter((box) => box.top < bottom)
                .map((box) => box.top >= top && box.right <= right && box.width > 40);
        })""")
        self.assertEqual([len(row) > 1 and all(row) for row in shown], [True, True], shown)

    def test_a_new_note_among_those_with_a_tag(self):
        """a note created in the list of a tag gets the tag and appears in that list"""
        found = self.open_list()
        found.place("home").click()
        expect(found.rows).to_have_count(3)
        found.page.get_by_role("button", name="New note").click()
        expect(found.rows).to_have_count(4)
        expect(found.page).to_have_url(re.compile("/tags/home/[0-9a-f-]{36}$"))
