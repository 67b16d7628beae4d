"""Tests of opening the notes with shared texts and shortcuts, and of installing them."""

import re

from playwright.sync_api import expect

from support.notes import PAGE_KEPT, Notes, NotesUser
from support.offline import OfflineCase

LOST = "The shared item didn’t arrive"


class ArrivalTests(OfflineCase):
    def share(self, page, **fields):
        """Submits a form to the manifest's share target, as a browser does with content shared by another app."""
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

    def expect_question(self, notes, *words):
        """Expects the dialog that names the account and asks before it writes anything; returns the dialog."""
        question = notes.question()
        for word in (notes.user.name, notes.environment, *words):
            expect(question).to_contain_text(word)
        self.assertEqual(notes.user.notes(), {})
        return question

    @staticmethod
    def waiting(page):
        """Returns the titles and owners of the waiting texts."""
        return page.evaluate("""async () => {
            const cache = await caches.open("notes-shared");
            const texts = (await cache.keys()).map(async (key) => (await cache.match(key)).json());
            return (await Promise.all(texts)).map(({ title, name }) => [title, name]);
        }""")

    def expect_one_note(self, title):
        notes = [note for note in self.user.notes().values() if note["title"] == title]
        self.assertEqual(len(notes), 1)
        return notes[0]

    def test_shared_text(self):
        """a text shared by another app becomes one note after a confirmation, offline too, and appears in no address"""
        one, notes = self.open_notes()
        notes.await_server()
        requests = []
        one.context.on("request", lambda request: requests.append(request))
        one.context.set_offline(True)
        text = "Zoë said: «100 % & more» 🥛\n" * 500
        self.share(one.page, title="From a reader", text=text, url="https://example.com/a?b=1#c")
        notes.await_panes()
        words = ("From a reader", "Zoë said: «100 % & more» 🥛", "https://example.com/a?b=1#c")
        self.expect_question(notes, *words)
        # The shared text survives a reload.
        one.page.reload()
        self.expect_question(notes, *words).get_by_role("button", name="Create note").click()
        expect(one.page).to_have_url(re.compile("/#/development/notes/"))
        one.page.reload()
        notes.await_panes()
        self.assertEqual(self.waiting(one.page), [])
        expect(notes.question()).to_have_count(0)
        one.context.set_offline(False)
        notes.await_server()
        note = self.expect_one_note("From a reader")
        self.assertEqual(note["body"].replace("\r\n", "\n"), f"{text}\nhttps://example.com/a?b=1#c")
        self.assertEqual([request.url for request in requests if "reader" in request.url or "Zo" in request.url], [])
        addresses = one.page.evaluate("performance.getEntries().map((each) => each.name).join()")
        self.assertNotIn("Zo", addresses)

    def test_shared_before_signing_in(self):
        """a text shared before the sign-in waits for it"""
        one = self.person(application="notes")
        one.open()
        one.page.evaluate(PAGE_KEPT)
        self.share(one.page, title="Early", text="bird")
        expect(one.page).to_have_url(re.compile(r"/(#.*)?$"))
        notes = Notes(one, self.user).sign_in()
        self.expect_question(notes, "Early", "bird").get_by_role("button", name="Create note").click()
        expect(one.page).to_have_url(re.compile("/#/development/notes/"))
        notes.await_server()
        self.assertEqual(self.expect_one_note("Early")["body"], "bird")

    def test_shared_texts_wait_in_turn(self):
        """several texts are confirmed one after the other; Discard removes a text, and Escape postpones it"""
        one, notes = self.open_notes()
        for title in ("Ad of a site", "Bread with caraway", "Call the museum"):
            self.share(one.page, title=title, text="about it")
            self.expect_question(notes, "Ad of a site")
        notes.question().get_by_role("button", name="Discard").click()
        self.expect_question(notes, "Bread with caraway").get_by_role("button", name="Create note").click()
        expect(notes.question()).to_contain_text("Call the museum")
        one.page.keyboard.press("Escape")
        expect(notes.question()).to_have_count(0)
        notes.await_server()
        self.assertEqual([note["title"] for note in self.user.notes().values()], ["Bread with caraway"])
        self.assertEqual(self.waiting(one.page), [["Call the museum", self.user.name]])
        one.page.reload()
        expect(notes.question()).to_contain_text("Call the museum")
        notes.question().get_by_role("button", name="Discard").click()
        expect(notes.question()).to_have_count(0)
        one.page.wait_for_function("async () => (await (await caches.open('notes-shared')).keys()).length === 0")
        self.assertEqual(len(self.user.notes()), 1)

    def test_question_in_two_tabs(self):
        """a text confirmed in two tabs becomes one note"""
        one, notes = self.open_notes()
        self.share(one.page, title="Once", text="and no more")
        self.expect_question(notes, "Once")
        page, other = self.another_tab(notes)
        expect(page.get_by_role("dialog", name="Create a note from this?")).to_be_visible()
        notes.make_note()
        expect(one.page).to_have_url(re.compile("/#/development/notes/"))
        page.get_by_role("button", name="Create note", exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        notes.await_server()
        self.expect_one_note("Once")

    def test_shared_text_is_offered_to_nobody_else(self):
        """a text shared with one user is offered to no other user, and is removed with the user's notes"""
        one, alice = self.open_notes()
        one.checks.allow("status of 401")
        self.share(one.page, title="For Alice", text="her letter")
        self.expect_question(alice, "For Alice")
        one.page.keyboard.press("Escape")
        alice.user.end_sessions()
        one.page.reload()
        self.expect_question(alice, "For Alice")
        one.page.keyboard.press("Escape")
        bob = Notes(one, NotesUser(self.instance))
        alice.bar("You’re signed out").get_by_role("button", name="Sign in").click()
        alice.paste_token(alice.dialog("Sign in again"), bob.user)
        whose = alice.dialog("Someone else is signed in")
        whose.get_by_role("button", name=f"Open the notes of {bob.user.name}").click()
        for _ in range(2):
            bob.await_panes()
            bob.await_server()
            expect(bob.question()).to_have_count(0)
            self.assertEqual(self.waiting(one.page), [["For Alice", alice.user.name]])
            one.page.reload()
        bob.await_panes()
        bob.open_settings()
        one.page.get_by_role("button", name=f"{alice.user.name}, in development").click()
        self.expect_question(alice, "For Alice")
        # Either of the two dialogs may be on top.
        expect(alice.dialog("Someone else is signed in")).to_have_count(1)
        for _ in range(2):
            one.page.keyboard.press("Escape")
        expect(one.page.locator("dialog")).to_have_count(0)
        alice.open_settings()
        one.page.get_by_role("button", name="Sign out…").click()
        alice.dialog("Sign out?").get_by_role("button", name="Sign out and remove notes").click()
        bob.await_panes()
        self.assertEqual(self.waiting(one.page), [])
        self.assertEqual((alice.user.notes(), bob.user.notes()), ({}, {}))

    def test_words_in_an_address(self):
        """an address with a note's text, to which any site can link, creates a note only after a confirmation"""
        one, notes = self.open_notes()
        for number, query in enumerate(("title=Buy%20now", "body=cheap%20pills", "url=https%3A%2F%2Fexample.com%2F",
                                        "tag=spam")):
            one.page.goto("about:blank")
            one.page.goto(f"{one.origin}/#/development/new?{query}")
            question = self.expect_question(notes, ("Buy now", "cheap pills", "https://example.com/", "spam")[number])
            expect(one.page).to_have_url(re.compile("/#/development$"))
            question.get_by_role("button", name="Discard").click()
            expect(question).to_have_count(0)
            notes.await_server()
            self.assertEqual(self.user.notes(), {})
        notes.go("new", query="?title=Bread&body=with%20caraway")
        notes.make_note()
        expect(one.page).to_have_url(re.compile("/#/development/notes/"))
        notes.await_server()
        self.assertEqual(self.expect_one_note("Bread")["body"], "with caraway")

    def test_shared_without_worker(self):
        """without a service worker, the page says that nothing arrived"""
        one = self.person(application="notes", service_workers="block")
        Notes(one, self.user).sign_in()
        one.checks.allow("Service Worker registration blocked by Playwright")
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

    def test_empty_note_is_made_once(self):
        """addresses for an empty note reuse the existing one, so that no site can create many"""
        one, notes = self.open_notes()
        for address in ("/?do=new", "/#/development/new", "/?do=new", "/#/development/new"):
            one.page.goto("about:blank")
            one.page.goto(f"{one.origin}{address}")
            expect(one.page).to_have_url(re.compile("/#/development/notes/"))
            notes.await_server()
            expect(one.page.locator(".note-row")).to_have_count(1)


class InstallationTests(OfflineCase):
    def test_can_be_installed(self):
        """Chromium offers to install the notes, and finds no error in their manifest"""
        # A private window cannot install pages, so use a profile.
        one, _ = self.open_notes(profile=self.profile())
        devtools = one.context.new_cdp_session(one.page)
        manifest = devtools.send("Page.getAppManifest")
        self.assertEqual(manifest["errors"], [])
        self.assertTrue(manifest["url"].endswith("/manifest.webmanifest"))
        self.assertEqual(devtools.send("Page.getInstallabilityErrors")["installabilityErrors"], [])
