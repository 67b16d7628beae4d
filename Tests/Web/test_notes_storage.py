"""Tests of storage failures: the messages of the page, and the remedies that it offers."""

import json
import re

from playwright.sync_api import expect

from support.engine import NEWER as NEWER_WORKER
from support.notes import Notes, NotesCase
from support.quota import Quota

GERMAN, WORKER = re.compile(r"/parts/de-[A-Z0-9]+\.js$"), re.compile(r"/engine/worker\.js$")
# A tab that keeps a database open and ignores requests to close it.
OLDER = '<!doctype html><title>Older</title><link rel="icon" href="/icon-192.png">'
HOLD = """(name) => new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onsuccess = () => { globalThis.held = request.result; resolve(); };
    request.onerror = () => reject(request.error);
})"""
BROKEN_STORAGE = """
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...words) {
    throw new DOMException("Internal error opening backing store.", "UnknownError");
};
new BroadcastChannel("mended").onmessage = () => { IDBFactory.prototype.open = open; };
"""
# A worker that receives no edit while the page holds them.
HELD_WORKER = """globalThis.Worker = class extends Worker {
    postMessage(message) {
        if (!globalThis.isHeld || message.method !== "edit") super.postMessage(message);
    }
};"""
UNNOTICED_END = "addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true)"
NEWER = """
(name) => new Promise((done, failed) => {
    const request = indexedDB.open(name, 1_000_000);
    request.onsuccess = () => { request.result.close(); done(); };
    request.onerror = () => failed(request.error);
})
"""


class NotesStorageTests(NotesCase):
    def begin_workers(self, notes, beginning):
        """Reloads the page; its workers run a script first from now on."""
        context = notes.person.context
        context.route("**/beginning.js", lambda route: route.fulfill(content_type="text/javascript", body=beginning))
        context.route(WORKER, lambda route: route.fulfill(
            content_type="text/javascript", body='import "/beginning.js"; import "./worker.js?itself";'))
        notes.page.reload()

    def notes_without_service_worker(self):
        """Creates notes whose worker comes from the network."""
        one = self.stranger(service_workers="block")
        one.checks.allow("Service Worker registration blocked by Playwright")
        notes = Notes(one, self.user())
        notes.user.create("Written before")
        return notes

    def opens_again(self, notes):
        notes.page.get_by_role("button", name="Try again").click()
        self.are_open(notes)

    def are_open(self, notes):
        notes.await_panes()
        expect(notes.page.get_by_text("Written before").first).to_be_visible()
        notes.await_server()

    def test_notes_of_a_newer_version(self):
        """notes saved by a newer version stay untouched, and the page shows a remedy"""
        notes = self.notes_of()
        notes.await_server()
        name = self.notes_database(notes.page)
        notes.page.evaluate(NEWER, name)
        notes.go("new", query="?title=Too%20late")
        notes.make_note()
        expect(notes.bar("These notes were saved by a newer version")).to_be_visible()
        notes.bar("These notes were saved by a newer version").get_by_role("button", name="Reload").click()
        expect(notes.page.get_by_role("heading", name="These notes were saved by a newer version")).to_be_visible()
        expect(notes.page.get_by_role("button", name="Reload")).to_be_visible()
        self.assertIn(name, self.databases(notes.page))

    def test_storage_is_blocked(self):
        """if an older tab blocks the notes, the page asks to close it; then the notes open"""
        notes = self.notes_without_service_worker().sign_in()
        notes.await_server()
        one, page = notes.person, notes.page
        name = self.notes_database(page)
        older = one.context.new_page()
        one.context.route("**/older.html", lambda route: route.fulfill(content_type="text/html", body=OLDER))
        older.goto(f"{one.origin}/older.html")
        older.evaluate(HOLD, name)
        self.begin_workers(notes, NEWER_WORKER)
        expect(page.get_by_role("heading", name="Another tab is using your notes")).to_be_visible()
        alert = page.get_by_role("main").get_by_role("alert")
        expect(alert).to_contain_text("Close all other tabs of this app, then try again.")
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_text("Retrying…")).to_be_visible()
        older.close()
        self.are_open(notes)

    def test_storage_is_broken(self):
        """a storage failure is shown, removal needs a confirmation, and the notes open once it is resolved"""
        notes = self.notes_without_service_worker().sign_in()
        notes.await_server()
        page = notes.page
        self.begin_workers(notes, BROKEN_STORAGE)
        expect(page.get_by_role("heading", name="Couldn’t open your notes")).to_be_visible()
        expect(page.get_by_role("main").locator("code")).to_contain_text("Internal error opening backing store.")
        page.get_by_role("button", name="Save readable notes to a file").click()
        expect(page.get_by_text("No notes could be read:")).to_contain_text("Internal error")
        page.get_by_role("button", name="Remove from this device…").click()
        dialog = notes.dialog("Remove notes from this device?")
        expect(dialog).to_be_visible()
        dialog.get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_text("Retrying…")).to_be_visible()
        expect(page.get_by_text("Retrying…")).to_have_count(0)
        expect(page.get_by_role("heading", name="Couldn’t open your notes")).to_be_visible()
        page.evaluate("() => new BroadcastChannel('mended').postMessage(true)")
        self.opens_again(notes)

    def test_worker_does_not_load(self):
        """a worker that fails to load is reported, at the first start and later, and Reload loads it again"""
        for status in (404, 500):
            notes = self.notes_without_service_worker()
            one = notes.person
            one.checks.allow(f"status of {status}")
            one.context.route(WORKER, lambda route, _, status=status: route.fulfill(status=status, body="oops"))
            page = one.open(notes.user.link())
            heading = page.get_by_role("heading", name="Notes couldn’t start")
            expect(heading).to_be_visible()
            # The worker starts while the page loads, and fails before the page's texts arrive, which are delayed.
            page.evaluate("() => localStorage.setItem('almanac.language', 'de')")
            held = []
            one.context.route(GERMAN, lambda route, _, held=held: held.append(route))
            with page.expect_response(WORKER), page.expect_request(GERMAN):
                page.reload(wait_until="commit")
            page.evaluate("() => true")
            # The fallback texts in English are part of the page.
            one.checks.allow("ERR_FAILED")
            held.pop().abort()
            expect(heading).to_be_visible()
            alert = page.get_by_role("main").get_by_role("alert")
            expect(alert).to_contain_text("Part of this app didn’t load")
            expect(page.get_by_role("button", name="Reload")).to_be_visible()
            expect(page.get_by_role("button", name="Remove from this device…")).to_have_count(0)
            one.context.unroute(GERMAN)
            one.context.unroute(WORKER)
            self.opens_again(notes)

    def test_no_room_is_left(self):
        """a full disk is reported in a bar over the notes, saved notes stay, and the page recovers"""
        one = self.stranger()
        notes = Notes(one, self.user())
        one.open("#/development")
        # The browser checks the quota when a database is opened, and later only when the quota seems too small.
        used = one.page.evaluate("async () => { await navigator.serviceWorker.ready; "
                                 "return (await navigator.storage.estimate()).usage; }")
        session = one.context.new_cdp_session(one.page)
        session.send("Storage.overrideQuotaForOrigin", {"origin": one.origin, "quotaSize": used + 400_000})
        notes.paste_token(one.page)
        notes.await_panes()
        kept = notes.write("Saved before")
        notes.await_server()
        notes.go("new", query="?" + "body=" + "x" * 1_000_000)
        notes.make_note()
        bar = notes.bar("Storage is full")
        expect(bar).to_be_visible()
        expect(bar.get_by_role("button", name="Save readable notes to a file")).to_be_visible()
        with notes.page.expect_download() as download:
            bar.get_by_role("button", name="Save readable notes to a file").click()
        with open(download.value.path(), encoding="utf-8") as file:
            self.assertIn((kept, "Saved before"), [(note["id"], note["title"]) for note in json.load(file)])
        session.send("Storage.overrideQuotaForOrigin", {"origin": notes.person.origin})
        after = notes.write("Saved afterwards")
        expect(bar).to_have_count(0)
        notes.await_server()
        self.assertEqual(set(notes.user.notes()), {kept, after})

    def test_text_without_room(self):
        """a note without storage space is shown as unsaved, keeps its text, and is synced once there is space"""
        one = self.stranger()
        one.checks.allow("StorageFailure|QuotaExceeded")
        notes = Notes(one, self.user())
        first, second = notes.user.create("First", "Milk"), notes.user.create("Second", "Eggs")
        page = one.open("#/development")
        room = Quota(one, page)
        notes.sign_in().await_server()
        text = page.get_by_role("textbox", name="Note text")
        notes.go("notes", first)
        text.click()
        self.assertTrue(room.fill())
        page.keyboard.press("Control+End")
        page.keyboard.type(" and honey")
        notes.await_status("1 note not saved")
        notes.go("notes", second)
        expect(text).to_have_text("Eggs")
        notes.await_status("1 note not saved")
        rows = page.get_by_role("option")
        expect(rows.filter(has_text="First")).to_contain_text("Saving")
        expect(rows.filter(has_text="Second")).not_to_contain_text("Saving")
        # Other actions without a write do not change the status.
        notes.open_settings()
        page.get_by_role("button", name="Sign out…").click()
        dialog = notes.dialog("Sign out?")
        expect(dialog.get_by_role("listitem")).to_have_text(["First"])
        page.keyboard.press("Escape")
        notes.status().click()
        notes.dialog("Sync status").get_by_role("link", name="First").click()
        expect(text).to_have_text("Milk and honey")
        text.click()
        page.keyboard.press("Control+End")
        page.keyboard.type(" and br")
        notes.go("notes", second)
        expect(text).to_have_text("Eggs")
        room.empty()
        # The browser stores this change, and then the refused one.
        text.click()
        page.keyboard.type("Ten ")
        notes.await_server()
        expect(rows.filter(has_text="First")).not_to_contain_text("Saving")
        expect(notes.bar("Storage is full")).to_have_count(0)
        bodies = {note: content["body"] for note, content in notes.user.notes().items()}
        self.assertEqual(bodies[first], "Milk and honey and br")
        self.assertIn("Ten ", bodies[second])

    def test_notes_go_while_open(self):
        """notes that the browser deletes disappear from the page; the open note can be saved, other notes sync back"""
        notes = self.notes_of()
        notes.user.create("On the server")
        page = notes.page
        rows, text = page.locator(".note-row"), page.get_by_role("textbox", name="Note text")
        expect(rows).to_have_count(1)
        notes.await_server()
        notes.await_page_kept()
        page.context.set_offline(True)
        notes.write("Only here", "Milk")
        text.click()
        page.keyboard.press("Control+End")
        page.keyboard.type(" and honey")
        expect(rows).to_have_count(2)
        expect(page.locator(".note-status")).to_have_text("Saved on this device")
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": notes.person.origin, "storageTypes": "indexeddb"})
        expect(rows).to_have_count(0)
        expect(page.locator(".note-status")).to_have_text("Saving")
        notice = page.locator(".note-notice")
        expect(notice).to_contain_text("no longer on this device")
        notice.get_by_role("button", name="Save as a new note").click()
        expect(rows).to_have_count(1)
        expect(text).to_have_text("Milk and honey")
        page.context.set_offline(False)
        expect(rows).to_have_count(2)
        notes.await_server()
        self.assertEqual(sorted((note["title"], note["body"]) for note in notes.user.notes().values()),
                         [("On the server", ""), ("Only here", "Milk and honey")])

    def test_notes_go_while_written(self):
        """text typed while the browser deletes the notes is in the restored note, and on the server"""
        notes = self.notes_of()
        note = notes.user.create("Shopping", "Milk")
        page = notes.page
        notes.go("notes", note)
        text = page.get_by_role("textbox", name="Note text")
        text.click()
        notes.await_server()
        notes.await_page_kept()
        session = page.context.new_cdp_session(page)
        page.context.set_offline(True)
        page.keyboard.press("Control+End")
        page.keyboard.type(" and honey", delay=20)
        notes.await_status("Offline, 1 note not synced")
        session.send("Storage.clearDataForOrigin", {"origin": notes.person.origin, "storageTypes": "indexeddb"})
        page.keyboard.type(" and bread,", delay=20)
        notes.await_status("1 note not saved")
        page.context.set_offline(False)
        page.keyboard.type(" but no more butter, since there is some left", delay=20)
        notes.await_server()
        expected = "Milk and honey and bread, but no more butter, since there is some left"
        expect(text).to_have_text(expected)
        self.assertEqual([each["body"] for each in notes.user.notes().values()], [expected])

    def notes_with_unsaved_text(self, *scripts):
        """Opens "Milk" in a page that runs scripts first, and types " and honey", which the worker does not get."""
        notes = self.notes_of()
        note = notes.user.create("Shopping", "Milk")
        page = notes.page
        for script in (HELD_WORKER, *scripts):
            page.add_init_script(script)
        notes.go("notes", note)
        page.reload()
        text = page.get_by_role("textbox", name="Note text")
        text.click()
        notes.await_server()
        page.evaluate("() => { globalThis.isHeld = true; }")
        page.keyboard.press("Control+End")
        page.keyboard.type(" and honey")
        return notes, note, text

    def test_browser_keeps_a_page_with_unsaved_text(self):
        """text that a page had not saved when the browser kept the page is in a new page, and there once"""
        notes, note, text = self.notes_with_unsaved_text()
        page = notes.page
        page.evaluate("() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        other = page.context.new_page()
        other.goto(page.url)
        expect(other.get_by_role("textbox", name="Note text")).to_have_text("Milk and honey")
        page.evaluate("() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        page.wait_for_function("() => !globalThis.isHeld")
        expect(text).to_have_text("Milk and honey")
        notes.await_server()
        self.assertEqual(notes.user.notes()[note]["body"], "Milk and honey")

    def test_browser_ends_a_page_without_notice(self):
        """text that a page had not saved when its browser ended it without `pagehide` is there once"""
        notes, note, text = self.notes_with_unsaved_text(UNNOTICED_END)
        page = notes.page
        page.reload()
        expect(text).to_have_text("Milk and honey")
        notes.await_server()
        self.assertEqual(notes.user.notes()[note]["body"], "Milk and honey")

    def test_page_stays_after_it_was_asked_to_leave(self):
        """text of a page that stays is not kept for the next start once it is saved"""
        notes = self.notes_of()
        note = notes.user.create("Shopping", "Milk")
        page = notes.page
        notes.go("notes", note)
        text = page.get_by_role("textbox", name="Note text")
        text.click()
        notes.await_server()
        page.keyboard.press("Control+End")
        page.evaluate("""() => addEventListener("keyup", () => dispatchEvent(new Event("beforeunload")))""")
        page.keyboard.type(" and honey")
        page.wait_for_function("() => Object.keys(localStorage).every((key) => !key.includes('closing'))")
        page.reload()
        expect(text).to_have_text("Milk and honey")
