"""Tests with a page of the notes that can start offline."""

import re
from contextlib import contextmanager

from playwright.sync_api import expect

from support.case import TIMEOUT, BrowserCase
from support.notes import PAGE_KEPT, Notes, NotesUser

WAITING = "A new version is available."

# Returns an expression's value once it equals the expected one, or after a timeout.
AWAIT = """async ([expression, expected, timeout]) => {
    const look = { keys: async () => (await caches.keys()).sort(), files: async (name) =>
        (await (await caches.open(name)).keys()).length > 10 }[expression[0]];
    const end = Date.now() + timeout;
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
        """Opens the notes of a signed-in user, with the page stored for offline use."""
        one = self.person(application="notes", **options)
        notes = Notes(one, self.user).sign_in()
        one.page.evaluate(PAGE_KEPT)
        # Errors of loads without a server.
        one.checks.allow("ERR_CONNECTION_REFUSED")
        one.checks.allow(r"status of 50[0-9]")
        return one, notes

    @staticmethod
    def another_tab(notes):
        """Opens a second page in the same browser."""
        other = Notes(notes.person, notes.user)
        page = notes.person.context.new_page()
        page.goto(f"{notes.person.origin}/#/{notes.environment}")
        return page, other

    @staticmethod
    def version(page):
        """Returns the version of the loaded page."""
        address = page.locator('script[src*="main.js"]').get_attribute("src")
        return re.search(r"/assets/(\w+)/", address).group(1)

    def expect_version(self, page, version):
        expect(page.locator('script[src*="main.js"]')).to_have_attribute("src", re.compile(f"/assets/{version}/"))

    @staticmethod
    def bar(page, text):
        return page.locator(".bar-line").filter(has_text=text)

    def take(self, page, text=WAITING):
        """Reloads the page into the offered version."""
        self.bar(page, text).get_by_role("button", name="Reload").click()

    def await_caches(self, page, *versions):
        """Waits until the caches hold the files of exactly these versions."""
        names = sorted(f"notes-files {version}" for version in versions)
        self.assertEqual(page.evaluate(AWAIT, [["keys"], names, TIMEOUT]), names)

    @contextmanager
    def without_server(self):
        self.instance.deploy_run("--stop-service", "nginx")
        try:
            yield
        finally:
            self.instance.deploy_run("--start-service", "nginx")
