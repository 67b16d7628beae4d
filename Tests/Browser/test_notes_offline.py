"""The notes without a network, and new versions of their page."""

import os
import re
import shutil
import tempfile
from contextlib import contextmanager

from playwright.sync_api import expect

from support.case import PATIENCE, BrowserCase
from support.layout import layouts
from support.notes import PAGE_KEPT, Notes, NotesUser

READY = "The page is on this device now, and works without a network."
WAITING = "A new version of the page is ready."
BEHIND = "Another tab has changed to a new version of the page."
UNSAVED = "What you typed could not be saved on this device"
LOST = "What was shared did not arrive"

# Asks for a new version, as the browser does by itself now and then; what becomes of it.
LOOK = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    const worker = registration.installing;
    if (!worker) return registration.waiting ? "waiting" : "none";
    await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
    return worker.state;
}"""
# What an expression comes to as soon as that is what is expected, or when there was no more patience.
AWAIT = """async ([expression, expected, patience]) => {
    const look = { keys: async () => (await caches.keys()).sort(), files: async (name) =>
        (await (await caches.open(name)).keys()).length > 10 }[expression[0]];
    const end = Date.now() + patience;
    for (;;) {
        const found = await look(expression[1]);
        if (JSON.stringify(found) === JSON.stringify(expected) || Date.now() > end) return found;
        await new Promise((done) => setTimeout(done, 50));
    }
}"""
CACHES = """async () => {
    const found = {};
    for (const name of await caches.keys())
        found[name] = (await (await caches.open(name)).keys()).map((each) => new URL(each.url).pathname).sort();
    return found;
}"""


class OfflineCase(BrowserCase):
    def setUp(self):
        super().setUp()
        self.user = NotesUser(self.instance)

    def open_notes(self, **options):
        """Somebody who is signed in, and whose page is on the device."""
        one = self.person(application="notes", **options)
        notes = Notes(one, self.user).sign_in()
        one.page.evaluate(PAGE_KEPT)
        # What is loaded without a network, or from a server that is away.
        one.watch.allow(r"ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|NETWORK_CHANGED)")
        one.watch.allow(r"status of 50[0-9]")
        return one, notes

    @staticmethod
    def another_tab(notes):
        """A second page of the same browser, and what is seen of it."""
        other = Notes(notes.person, notes.user)
        page = notes.person.context.new_page()
        page.goto(f"{notes.person.origin}/#/{notes.environment}")
        return page, other

    @staticmethod
    def version(page):
        """That of the page as it is loaded."""
        address = page.locator('script[src*="main.js"]').get_attribute("src")
        return re.search(r"/assets/(\w+)/", address).group(1)

    def expect_version(self, page, version):
        expect(page.locator('script[src*="main.js"]')).to_have_attribute("src", re.compile(f"/assets/{version}/"))

    @staticmethod
    def bar(page, text):
        return page.locator(".bar-line").filter(has_text=text)

    def take(self, page, text=WAITING):
        """Takes the version that is offered."""
        self.bar(page, text).get_by_role("button", name="Reload").click()

    def await_caches(self, page, *versions):
        """Waits until there are the files of these versions, and of no other."""
        names = sorted(f"notes-files {version}" for version in versions)
        self.assertEqual(page.evaluate(AWAIT, [["keys"], names, PATIENCE]), names)

    @contextmanager
    def without_server(self):
        self.instance.deploy_run("--stop-service", "nginx")
        try:
            yield
        finally:
            self.instance.deploy_run("--start-service", "nginx")


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
        self.assertEqual(one.page.evaluate(CACHES), {f"notes-files {version}": wanted})
        kept = {answer.url: answer.from_service_worker for answer in answers}
        calls = [url for url in kept if "/development/" in url]
        self.assertTrue(any("/notes" in url for url in calls), kept)
        self.assertTrue(any("/events" in url for url in calls), kept)
        self.assertEqual([url for url in calls if kept[url]], [])
        self.assertEqual([url for url in kept if "/assets/" in url and not kept[url]], [])

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
        return page.get_by_role("textbox", name="Text of the note")

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


class ArrivalTests(OfflineCase):
    def share(self, page, **fields):
        """Sends a form to the address of the manifest, as a browser does with what another app shares."""
        page.goto("about:blank")
        page.evaluate("""([action, fields]) => {
            const form = document.createElement("form");
            Object.assign(form, { action, method: "POST", enctype: "multipart/form-data" });
            for (const [name, value] of Object.entries(fields)) {
                const field = document.createElement("textarea");
                Object.assign(field, { name, value });
                form.append(field);
            }
            document.body.append(form);
            form.submit();
        }""", [f"{self.instance.page_url('notes')}/share.html", fields])

    def expect_one_note(self, title):
        notes = [note for note in self.user.notes().values() if note["title"] == title]
        self.assertEqual(len(notes), 1)
        return notes[0]

    def test_shared_text(self):
        """what another app shares becomes a note, once, without a network too, and is in no address"""
        one, notes = self.open_notes()
        notes.await_server()
        requests = []
        one.context.on("request", lambda request: requests.append(request))
        one.context.set_offline(True)
        text = "Zoë said: «100 % & more» 🥛\n" * 500
        self.share(one.page, title="From a reader", text=text, url="https://example.com/a?b=1#c")
        notes.await_panes()
        expect(one.page).to_have_url(re.compile("/#/development/notes/"))
        one.page.reload()
        notes.await_panes()
        one.context.set_offline(False)
        notes.await_server()
        note = self.expect_one_note("From a reader")
        self.assertEqual(note["body"].replace("\r\n", "\n"), f"{text}\nhttps://example.com/a?b=1#c")
        self.assertEqual([request.url for request in requests if "reader" in request.url or "Zo" in request.url], [])
        addresses = one.page.evaluate("performance.getEntries().map((each) => each.name).join()")
        self.assertNotIn("Zo", addresses)

    def test_shared_before_signing_in(self):
        """what is shared before somebody is signed in waits for them"""
        one = self.person(application="notes")
        one.open()
        one.page.evaluate(PAGE_KEPT)
        self.share(one.page, title="Early", text="bird")
        expect(one.page).to_have_url(re.compile(r"/(#.*)?$"))
        notes = Notes(one, self.user).sign_in()
        expect(one.page).to_have_url(re.compile("/#/development/notes/"))
        notes.await_server()
        self.assertEqual(self.expect_one_note("Early")["body"], "bird")

    def test_shared_without_worker(self):
        """where the service worker isn't there the page says that nothing arrived"""
        one = self.person(application="notes", service_workers="block")
        Notes(one, self.user).sign_in()
        one.watch.allow("Service Worker registration blocked by Playwright")
        self.share(one.page, title="Lost", text="and told")
        expect(one.page.get_by_text(LOST).first).to_be_visible()
        expect(one.page).to_have_url(re.compile(r"/#/development$"))

    def test_shortcuts(self):
        """the shortcuts of the manifest open a new note and the search"""
        one, notes = self.open_notes()
        one.page.goto(f"{one.origin}/?do=new")
        expect(one.page).to_have_url(re.compile("/#/development/notes/"))
        one.page.goto(f"{one.origin}/?do=search")
        expect(one.page).to_have_url(re.compile("/#/development/search$"))
        notes.await_panes()


class InstallationTests(OfflineCase):
    def test_can_be_installed(self):
        """Chromium offers to install the notes, and finds nothing wrong with their manifest"""
        # From a private window nothing is installed, so one of a profile.
        folder = tempfile.mkdtemp(prefix="almanac-profile-")
        self.addCleanup(shutil.rmtree, folder)
        one, _ = self.open_notes(profile=folder)
        devtools = one.context.new_cdp_session(one.page)
        manifest = devtools.send("Page.getAppManifest")
        self.assertEqual(manifest["errors"], [])
        self.assertTrue(manifest["url"].endswith("/manifest.webmanifest"))
        self.assertEqual(devtools.send("Page.getInstallabilityErrors")["installabilityErrors"], [])


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
