"""What the notes are opened for: texts that other apps share, shortcuts; and how they are installed."""

import re

from playwright.sync_api import expect

from support.notes import PAGE_KEPT, Notes
from support.offline import OfflineCase

LOST = "What was shared did not arrive"


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
        one, _ = self.open_notes(profile=self.profile())
        devtools = one.context.new_cdp_session(one.page)
        manifest = devtools.send("Page.getAppManifest")
        self.assertEqual(manifest["errors"], [])
        self.assertTrue(manifest["url"].endswith("/manifest.webmanifest"))
        self.assertEqual(devtools.send("Page.getInstallabilityErrors")["installabilityErrors"], [])
