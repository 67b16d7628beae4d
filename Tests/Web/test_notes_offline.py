"""The notes without a network, and new versions of their page."""

import os
from contextlib import contextmanager

from playwright.sync_api import expect

from support.case import PATIENCE
from support.layout import layouts
from support.notes import PAGE_KEPT, Notes
from support.offline import AWAIT, WAITING, OfflineCase
from support.room import Room

READY = "Ready to use offline."
BEHIND = "Another tab has updated to a new version."
UNSAVED = "Your changes couldn’t be saved on this device"

# Asks for a new version, as the browser does by itself now and then; what becomes of it.
LOOK = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    const worker = registration.installing;
    if (!worker) return registration.waiting ? "waiting" : "none";
    await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
    return worker.state;
}"""
# The version that waits is not told to go on.
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


# How the page, its scripts and its styles came here: "cache" where the browser answered by itself.
SOURCES = """() => Object.fromEntries(["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .filter(({ initiatorType }) => ["navigation", "script", "link"].includes(initiatorType))
    .map((each) => [new URL(each.name).pathname, each.workerFinalSourceType]))"""


class OfflineTests(OfflineCase):
    def test_starts_offline(self):
        """the page starts without a network, and with the server away, also in a new tab"""
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

    def test_says_so_once(self):
        """the first visit says when the page works without a network; later ones say nothing"""
        one = self.person(application="notes")
        notes = Notes(one, self.user).sign_in()
        one.page.evaluate(PAGE_KEPT)
        expect(one.page.locator(".notice-box").filter(has_text=READY)).to_have_count(1)
        one.page.reload()
        notes.await_panes()
        one.page.evaluate(PAGE_KEPT)
        expect(one.page.get_by_text(READY)).to_have_count(0)

    def test_keeps_files_alone(self):
        """the files of the page are kept, all of them and nothing else; no call and no stream goes through"""
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
        """the browser answers with the kept files by itself, and the page waits for no service worker to be started"""
        one, notes = self.open_notes()
        one.page.reload()
        notes.await_panes()
        sources = one.page.evaluate(SOURCES)
        self.assertIn("/", sources)
        self.assertIn(f"/assets/{self.version(one.page)}/notes/main.js", sources)
        self.assertEqual({path: source for path, source in sources.items() if source != "cache"}, {})

    def test_keeps_no_damaged_page(self):
        """files that the browser lost are fetched again, at the next start"""
        one, notes = self.open_notes()
        version = self.version(one.page)
        one.page.evaluate("""async (version) => {
            const cache = await caches.open(`notes-files ${version}`);
            for (const request of (await cache.keys()).slice(3)) await cache.delete(request);
        }""", version)
        one.page.reload()
        notes.await_panes()
        self.assertTrue(one.page.evaluate(AWAIT, [["files", f"notes-files {version}"], True, PATIENCE]))


class UpdateTests(OfflineCase):
    def test_new_version_waits(self):
        """a new version waits until it is taken, through loads of the page too; then the old one's files go"""
        one, notes = self.open_notes()
        old = self.version(one.page)
        with layouts(self.instance.home) as layout:
            new = layout.lay_out_another()
            self.assertEqual(one.page.evaluate(LOOK), "installed")
            expect(self.bar(one.page, WAITING)).to_be_visible()
            self.assertEqual(self.version(one.page), old)
            # It waits already when the page begins.
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
        # And back.
        self.assertEqual(one.page.evaluate(LOOK), "installed")
        self.take(one.page)
        self.expect_version(one.page, old)

    def test_newest_is_taken(self):
        """of two versions that came one after the other the newer is taken"""
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
        """where the version before does not give way, it answers with the new one's page, which offers nothing then"""
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
            # It is of the version before when it is loaded in another way.
            one.page.reload()
            notes.await_panes()
            self.take(one.page)
            self.expect_version(one.page, new)
            self.await_caches(one.page, new)

    def test_broken_version_is_not_taken(self):
        """of a version of which one file is missing or damaged nothing is kept, and the old one works on"""
        one, notes = self.open_notes()
        old = self.version(one.page)
        one.watch.allow(r"status of 404|integrity|ERR_|TypeError: Failed to fetch")
        with layouts(self.instance.home) as layout:
            new = layout.lay_out_another()
            file = layout.file("notes/engine/worker.js")
            with away(file):
                self.expect_refused(one, notes, old)
                # The file is there, and another.
                with open(file, "w", encoding="utf-8") as other:
                    other.write("// An answer of somebody in between.\n")
                self.expect_refused(one, notes, old)
            self.assertEqual(one.page.evaluate(LOOK), "installed")
            self.take(one.page)
            self.expect_version(one.page, new)

    def expect_refused(self, one, notes, old):
        """What is served now is not taken, and the page starts without a network."""
        self.assertEqual(one.page.evaluate(LOOK), "redundant")
        self.await_caches(one.page, old)
        expect(self.bar(one.page, WAITING)).to_have_count(0)
        one.context.set_offline(True)
        one.page.reload()
        notes.await_panes()
        self.assertEqual(self.version(one.page), old)
        one.context.set_offline(False)

    def test_tabs(self):
        """another tab is told, goes on with its own files though the server has them no more, and reloads when asked"""
        one, notes = self.open_notes()
        old = self.version(one.page)
        with layouts(self.instance.home) as layout:
            page, _ = self.another_tab(notes)
            expect(page.locator(".account-name")).to_have_text(self.user.name)
            for _ in range(3):
                new = layout.lay_out_another()
            self.assertFalse(os.path.exists(os.path.join(layout.folder, "assets", old)))
            one.page.evaluate(LOOK)
            # Of a page that nobody has any more. When it is gone, what was to go is gone.
            one.page.evaluate("caches.open('notes-files 000000000000').then(() => 0)")
            self.take(one.page)
            self.expect_version(one.page, new)
            notes.await_panes()
            expect(self.bar(page, BEHIND)).to_be_visible()
            self.assertEqual(self.version(page), old)
            self.await_caches(one.page, old, new)
            # A part that it has not loaded yet.
            page.evaluate("(fragment) => { location.hash = fragment; }", f"#/{notes.environment}/settings")
            expect(page.get_by_role("heading", name="Settings")).to_be_visible()
            self.await_caches(one.page, old, new)
            self.take(page, BEHIND)
            self.expect_version(page, new)
            self.await_caches(one.page, new)
            page.close()

    def test_hidden_tab(self):
        """a tab that nobody sees takes the new version by itself"""
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
    """A new version comes while somebody is typing."""

    @staticmethod
    def body(page):
        return page.get_by_role("textbox", name="Note text")

    def write(self, page, note, text):
        """Types at the end of a note, and doesn't wait for what becomes of it."""
        page.evaluate("(fragment) => { location.hash = fragment; }", f"#/development/notes/{note}")
        self.body(page).click()
        page.keyboard.press("Control+End")
        page.keyboard.type(text)

    def text_of(self, note):
        return self.user.notes()[note]["body"]

    def test_update_while_typing(self):
        """the version is taken in the middle of a word: nothing that was typed is missing, in any tab"""
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
            # Told, it goes on until its user says so.
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
        """a note that found no room before another one was opened is on the disk before the page is loaded again"""
        first = self.user.create("First", "Milk")
        second = self.user.create("Second", "Eggs")
        one = self.person(application="notes")
        one.watch.allow("StorageFailure|QuotaExceeded")
        page = one.open("#/development")
        room = Room(one, page)
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
        """where what was typed can't be brought to the disk the page says so, and is not loaded again"""
        note = self.user.create("Kept", "Milk")
        one, notes = self.open_notes()
        notes.await_server()
        old = self.version(one.page)
        # The worker hears of no edit, as one that hangs.
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
    """A file that the server does not have for a while."""
    names = [file, f"{file}.br", f"{file}.gz"]
    for name in names:
        os.rename(name, f"{name}.away")
    try:
        yield
    finally:
        for name in names:
            os.replace(f"{name}.away", name)
