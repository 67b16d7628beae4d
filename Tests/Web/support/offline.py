"""Somebody whose page of the notes is on the device."""

import re
from contextlib import contextmanager

from playwright.sync_api import expect

from support.case import PATIENCE, BrowserCase
from support.notes import PAGE_KEPT, Notes, NotesUser

WAITING = "A new version is available."

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
        one.watch.allow(r"ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED)")
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
