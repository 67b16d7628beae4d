"""Tests of the notes offline, and of new versions of their page."""

import os
from contextlib import contextmanager

from playwright.sync_api import expect

from support.case import TIMEOUT
from support.layout import layouts
from support.notes import PAGE_KEPT, Notes
from support.offline import AWAIT, WAITING, OfflineCase
from support.quota import Quota

BEHIND = "Another tab has updated to a new version."
UNSAVED = "Your changes couldn’t be saved on this device"

# Resolves once the service worker has started, which the page has learned before.
WORKER_STARTED = """async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active.state !== "activated")
        await new Promise((done) => active.addEventListener("statechange", done, { once: true }));
}"""
# Checks for a new version, as the browser does from time to time; returns the new worker's state.
LOOK = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    const worker = registration.installing;
    if (!worker) return registration.waiting ? "waiting" : "none";
    await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
    return worker.state;
}"""
# Suppresses the message that activates the waiting version.
STAY = """() => {
    const { postMessage } = ServiceWorker.prototype;
    ServiceWorker.prototype.postMessage = function (message, ports) {
        if (message !== "skipWaiting") postMessage.call(this, message, ports);
    };
}"""
WAITS = "async () => (await navigator.serviceWorker.getRegistration()).waiting?.state"
CACHES = """async () => {
    const found = {};
    for (const name of await caches.keys())
        found[name] = (await (await caches.open(name)).keys()).map((each) => new URL(each.url).pathname).sort();
    return found;
}"""


# Returns the source of the page, its scripts and its styles: "cache" if the browser's static routing served it.
SOURCES = """() => Object.fromEntries(["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .filter(({ initiatorType }) => ["navigation", "script", "link"].includes(initiatorType))
    .map((each) => [new URL(each.name).pathname, each.workerFinalSourceType]))"""


class OfflineTests(OfflineCase):
    def test_starts_offline(self):
        """the page starts offline, and with the server down, in a new tab too"""
        one, notes = self.open_notes()
        notes.await_server()
        one.context.set_offline(True)
        one.page.reload()
        notes.await_panes()
        notes.open_settings()
        one.context.set_offline(False)
        with self.without_server():
            one.page.reload()
            notes.await_panes()
            page, _ = self.another_tab(notes)
            expect(page.locator(".account-name")).to_have_text(self.user.name)
            page.close()

    def test_first_visit_shows_no_notice(self):
        """the first visit, which prepares the offline use, shows no notice"""
        one = self.person(application="notes")
        Notes(one, self.user).sign_in()
        one.page.evaluate(WORKER_STARTED)
        self.assertEqual(one.page.locator(".notice-box").count(), 0)

    def test_keeps_files_alone(self):
        """all files of the page are cached and nothing else; requests to the API bypass the service worker"""
        self.user.create("Nobody's business", "secret")
        one, notes = self.open_notes()
        notes.await_server()
        answers = []
        one.context.on("response", lambda answer: answers.append(answer))
        one.page.reload()
        notes.await_panes()
        notes.await_server()
        notes.open_settings()
        version = self.version(one.page)
        folder = os.path.join(self.instance.home, "www", "notes", "assets", version)
        files = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
        wanted = sorted(f"/assets/{version}/{os.path.relpath(file, folder)}"
                        for file in files if not file.endswith((".br", ".gz")))
        self.assertEqual(one.page.evaluate(CACHES), {f"notes-files {version}": ["/", *wanted]})
        kept = {answer.url: answer.from_service_worker for answer in answers}
        calls = [url for url in kept if "/development/" in url]
        self.assertTrue(any("/notes" in url for url in calls), kept)
        self.assertTrue(any("/events" in url for url in calls), kept)
        self.assertEqual([url for url in calls if kept[url]], [])
        self.assertEqual([url for url in kept if "/assets/" in url and not kept[url]], [])

    def test_waits_for_no_service_worker(self):
        """the browser serves cached files itself, without starting the service worker"""
        one, notes = self.open_notes()
        one.page.reload()
        notes.await_panes()
        sources = one.page.evaluate(SOURCES)
        self.assertIn("/", sources)
        self.assertIn(f"/assets/{self.version(one.page)}/notes/main.js", sources)
        self.assertEqual({path: source for path, source in sources.items() if source != "cache"}, {})

    def test_keeps_no_damaged_page(self):
        """files that the browser lost are fetched again at the next start"""
        one, notes = self.open_notes()
        version = self.version(one.page)
        one.page.evaluate("""async (version) => {
            const cache = await caches.open(`notes-files ${version}`);
            for (const request of (await cache.keys()).slice(3)) await cache.delete(request);
        }""", version)
        one.page.reload()
        notes.await_panes()
        self.assertTrue(one.page.evaluate(AWAIT, [["files", f"notes-files {version}"], True, TIMEOUT]))


class UpdateTests(OfflineCase):
    def test_new_version_waits(self):
        """a new version waits until it is accepted, even across reloads; then the old version's files are removed"""
        one, notes = self.open_notes()
        old = self.version(one.page)
        with layouts(self.instance.home) as layout:
            new = layout.lay_out_another()
            self.assertEqual(one.page.evaluate(LOOK), "installed")
            expect(self.bar(one.page, WAITING)).to_be_visible()
            self.assertEqual(self.version(one.page), old)
            # The version is already waiting when the page loads.
            one.page.reload()
            notes.await_panes()
            self.assertEqual(self.version(one.page), old)
            expect(self.bar(one.page, WAITING)).to_be_visible()
            self.take(one.page)
            self.expect_version(one.page, new)
            notes.await_panes()
            self.await_caches(one.page, new)
            expect(self.bar(one.page, WAITING)).to_have_count(0)
            one.context.set_offline(True)
            one.page.reload()
            notes.await_panes()
            self.expect_version(one.page, new)
            one.context.set_offline(False)
        # Return to the former version.
        self.assertEqual(one.page.evaluate(LOOK), "installed")
        self.take(one.page)
        self.expect_version(one.page, old)

    def test_newest_is_taken(self):
        """the newer of two successive versions is installed"""
        one, _ = self.open_notes()
        with layouts(self.instance.home) as layout:
            layout.lay_out_another()
            one.page.evaluate(LOOK)
            expect(self.bar(one.page, WAITING)).to_be_visible()
            newest = layout.lay_out_another()
            one.page.evaluate(LOOK)
            self.take(one.page)
            self.expect_version(one.page, newest)
            self.await_caches(one.page, newest)

    def test_version_that_stays(self):
        """an old version that stays active serves the new version's page, which then offers nothing"""
        one, notes = self.open_notes()
        with layouts(self.instance.home) as layout:
            new = layout.lay_out_another()
            one.page.evaluate(LOOK)
            one.page.evaluate(STAY)
            self.take(one.page)
            self.expect_version(one.page, new)
            notes.await_panes()
            notes.await_server()
            one.page.evaluate(PAGE_KEPT)
            self.assertEqual(one.page.evaluate(WAITS), "installed")
            expect(self.bar(one.page, WAITING)).to_have_count(0)
            self.assertEqual(one.page.evaluate("location.search"), "")
            # Any other reload gets the old version.
            one.page.reload()
            notes.await_panes()
            self.take(one.page)
            self.expect_version(one.page, new)
            self.await_caches(one.page, new)

    def test_broken_version_is_not_taken(self):
        """a version with a missing or damaged file is not stored, and the old version keeps working"""
        one, notes = self.open_notes()
        old = self.version(one.page)
        one.checks.allow(r"status of 404|integrity|ERR_|TypeError: Failed to fetch")
        with layouts(self.instance.home) as layout:
            new = layout.lay_out_another()
            file = layout.file("notes/engine/worker.js")
            with away(file):
                self.expect_refused(one, notes, old)
                # The file exists with other content.
                with open(file, "w", encoding="utf-8") as other:
                    other.write("// An answer of somebody in between.\n")
                self.expect_refused(one, notes, old)
            self.assertEqual(one.page.evaluate(LOOK), "installed")
            self.take(one.page)
            self.expect_version(one.page, new)

    def expect_refused(self, one, notes, old):
        """Expects that the served version is refused and the page still starts offline."""
        self.assertEqual(one.page.evaluate(LOOK), "redundant")
        self.await_caches(one.page, old)
        expect(self.bar(one.page, WAITING)).to_have_count(0)
        one.context.set_offline(True)
        one.page.reload()
        notes.await_panes()
        self.assertEqual(self.version(one.page), old)
        one.context.set_offline(False)

    def test_tabs(self):
        """another tab shows a notice, keeps its files although the server removed them, and reloads on request"""
        one, notes = self.open_notes()
        old = self.version(one.page)
        with layouts(self.instance.home) as layout:
            page, _ = self.another_tab(notes)
            expect(page.locator(".account-name")).to_have_text(self.user.name)
            for _ in range(3):
                new = layout.lay_out_another()
            self.assertFalse(os.path.exists(os.path.join(layout.folder, "assets", old)))
            one.page.evaluate(LOOK)
            # The cache of an unused page. Once it is removed, the clean-up has finished.
            one.page.evaluate("caches.open('notes-files 000000000000').then(() => 0)")
            self.take(one.page)
            self.expect_version(one.page, new)
            notes.await_panes()
            expect(self.bar(page, BEHIND)).to_be_visible()
            self.assertEqual(self.version(page), old)
            self.await_caches(one.page, old, new)
            # Open a part that the tab has not loaded yet.
            page.evaluate("(fragment) => { location.hash = fragment; }", f"#/{notes.environment}/settings")
            expect(page.get_by_role("heading", name="Settings")).to_be_visible()
            self.await_caches(one.page, old, new)
            self.take(page, BEHIND)
            self.expect_version(page, new)
            self.await_caches(one.page, new)
            page.close()

    def test_hidden_tab(self):
        """a hidden tab reloads into the new version automatically"""
        one, notes = self.open_notes()
        with layouts(self.instance.home) as layout:
            page, _ = self.another_tab(notes)
            expect(page.locator(".account-name")).to_have_text(self.user.name)
            page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
            new = layout.lay_out_another()
            one.page.evaluate(LOOK)
            self.take(one.page)
            self.expect_version(one.page, new)
            self.expect_version(page, new)
            self.await_caches(one.page, new)
            page.close()


class EditTests(OfflineCase):
    """Tests of updates while a user types."""

    @staticmethod
    def body(page):
        return page.get_by_role("textbox", name="Note text")

    def write(self, page, note, text):
        """Types at the end of a note without waiting for the save."""
        page.evaluate("(fragment) => { location.hash = fragment; }", f"#/development/notes/{note}")
        self.body(page).click()
        page.keyboard.press("Control+End")
        page.keyboard.type(text)

    def text_of(self, note):
        return self.user.notes()[note]["body"]

    def test_update_while_typing(self):
        """an update in the middle of a word loses no typed text in any tab"""
        first = self.user.create("First", "Milk")
        second = self.user.create("Second", "Eggs")
        hidden = self.user.create("Third", "Tea")
        one, notes = self.open_notes()
        notes.await_server()
        pages = [one.page, self.another_tab(notes)[0], self.another_tab(notes)[0]]
        for page in pages:
            expect(page.locator(".account-name")).to_have_text(self.user.name)
        with layouts(self.instance.home) as layout:
            new = layout.lay_out_another()
            one.page.evaluate(LOOK)
            one.context.set_offline(True)
            pages[2].evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
            self.write(pages[2], hidden, " and biscuits")
            self.write(pages[1], second, ", bread 🥖 and an")
            self.write(pages[0], first, " and a half-writt")
            self.take(pages[0])
            self.expect_version(pages[0], new)
            self.expect_version(pages[2], new)
            expect(self.body(pages[0])).to_have_text("Milk and a half-writt")
            expect(self.body(pages[2])).to_have_text("Tea and biscuits")
            # The tab shows a notice, and continues until the user reloads it.
            expect(self.bar(pages[1], BEHIND)).to_be_visible()
            self.body(pages[1]).click()
            pages[1].keyboard.press("Control+End")
            pages[1].keyboard.type(" apple")
            self.take(pages[1], BEHIND)
            self.expect_version(pages[1], new)
            expect(self.body(pages[1])).to_have_text("Eggs, bread 🥖 and an apple")
            one.context.set_offline(False)
            notes.await_server()
            for page in pages[1:]:
                page.close()
        self.assertEqual([self.text_of(note) for note in (first, second, hidden)],
                         ["Milk and a half-writt", "Eggs, bread 🥖 and an apple", "Tea and biscuits"])

    def test_update_without_room(self):
        """an unsaved note that is not open any more is saved before the page reloads"""
        first = self.user.create("First", "Milk")
        second = self.user.create("Second", "Eggs")
        one = self.person(application="notes")
        one.checks.allow("StorageFailure|QuotaExceeded")
        page = one.open("#/development")
        room = Quota(one, page)
        notes = Notes(one, self.user).sign_in()
        notes.await_page_kept()
        notes.await_server()
        old = self.version(page)
        with layouts(self.instance.home) as layout:
            new = layout.lay_out_another()
            page.evaluate(LOOK)
            self.assertTrue(room.fill())
            self.write(page, first, " and a half-writt")
            expect(notes.bar("Storage is full")).to_be_visible()
            self.write(page, second, "")
            self.take(page)
            expect(page.get_by_text(UNSAVED).first).to_be_visible()
            self.assertEqual(self.version(page), old)
            room.empty()
            self.take(page)
            self.expect_version(page, new)
            notes.await_server()
        self.assertEqual(self.text_of(first), "Milk and a half-writt")

    def test_unsaved_text_stays(self):
        """if typed text cannot be saved, the page says so and does not reload"""
        note = self.user.create("Kept", "Milk")
        one, notes = self.open_notes()
        notes.await_server()
        old = self.version(one.page)
        # The worker receives no edits, as if it hung.
        one.page.evaluate("""() => {
            const send = Worker.prototype.postMessage;
            Worker.prototype.postMessage = function (message, ...more) {
                if (!JSON.stringify(message).includes("edit")) send.call(this, message, ...more);
            };
        }""")
        with layouts(self.instance.home) as layout:
            layout.lay_out_another()
            one.page.evaluate(LOOK)
            self.write(one.page, note, " and honey")
            self.take(one.page)
            expect(one.page.get_by_text(UNSAVED).first).to_be_visible(timeout=60_000)
            expect(self.body(one.page)).to_have_text("Milk and honey")
            self.assertEqual(self.version(one.page), old)
            self.body(one.page).click()


@contextmanager
def away(file):
    """Removes a file from the server temporarily."""
    names = [file, f"{file}.br", f"{file}.gz"]
    for name in names:
        os.rename(name, f"{name}.away")
    try:
        yield
    finally:
        for name in names:
            os.replace(f"{name}.away", name)
