"""A page object of the notes, by the roles and texts that users see."""

import json
import re
import uuid
from urllib.parse import quote, urlencode

from playwright.sync_api import expect

from support.case import BrowserCase

# Resolves once the service worker controls the page.
PAGE_KEPT = """async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller)
        await new Promise((done) =>
            navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
}"""

# The status of an open note that is not on the server.
UNSYNCED = ".note-status:is([data-status=inThisTab], [data-status=onThisDevice])"


def go_offline(page):
    """Takes the page's browser offline, after the service worker has everything that it fetches."""
    page.evaluate(PAGE_KEPT)
    page.context.set_offline(True)


class NotesUser:
    """A user of an environment, new unless named, and the user's data on the server."""

    def __init__(self, instance, environment="development", name=None):
        self.instance = instance
        self.environment = environment
        self.name = name or f"user-{uuid.uuid4().hex[:12]}"
        self.token = instance.almanac("token", "user", environment, "--sub", self.name).strip()

    def call(self, method, path, body=None, **headers):
        """Sends a request as another device of the user."""
        return self.instance.call(method, f"/{self.environment}{path}", body,
                                  headers={"Authorization": f"Bearer {self.token}", **headers})

    def must(self, method, path, body=None, **headers):
        answer = self.call(method, path, body, **headers)
        if answer.status >= 300:
            raise AssertionError(f"{method} {path}: {answer.status} {answer.body[:500]!r}")
        return answer.json()

    def link(self):
        """Returns the fragment of a link that signs in to the notes, as `almanac session open` prints it."""
        code = self.must("POST", "/session/link", {})["code"]
        return f"#/open/{self.environment}={code}"

    def end_sessions(self):
        for session in self.must("GET", "/sessions"):
            self.must("DELETE", f"/sessions/{session['id']}")

    def act(self, kind, **parts):
        """Sends one action, which must be accepted; returns its result."""
        result = self.must("POST", "/notes", [[kind, {"action_id": str(uuid.uuid4()), **parts}]])
        text = json.dumps(result)
        if "problem" in text:
            raise AssertionError(f"{kind}: {text}")
        return result

    def create(self, title, body="", **more):
        """Creates a note on another device; returns its id."""
        note = str(uuid.uuid4())
        self.act("createNote", id=note, title=title, body=body, **more)
        return note

    def notes(self):
        """Returns the notes in the list by id."""
        return self.must("GET", "/notes")["details"]


class Notes:
    """The notes of one environment in a user's page."""

    def __init__(self, person, user):
        self.person = person
        self.user = user
        self.environment = user.environment

    @property
    def page(self):
        return self.person.page

    def sign_in(self):
        """Opens a one-time link, and waits for the panes."""
        self.person.open(self.user.link())
        self.await_panes()
        return self

    def go(self, *path, query=""):
        """Opens an address of the notes; reuses the page if it is already loaded."""
        fragment = f"#/{self.environment}" + "".join(f"/{quote(str(part), safe='')}" for part in path) + query
        self.person.follow(fragment)

    def await_panes(self):
        expect(self.page.locator(".frame:not(.alone)")).to_have_attribute("data-pane", re.compile("."))
        expect(self.account()).to_have_text(self.user.name)

    def account(self):
        """Returns the user's name at the foot of the sidebar."""
        return self.page.locator(".account-name")

    def await_page_kept(self):
        """Waits until the page can start offline."""
        self.page.evaluate(PAGE_KEPT)

    # Sync status.

    def status(self):
        """Returns the page's status line, a button for details."""
        return self.page.locator(".foot .page-status")

    def await_status(self, text, timeout=None):
        expect(self.status()).to_have_text(text, timeout=timeout)

    def await_server(self, timeout=None):
        """Waits until all notes are synced, with what is typed in an open one; `timeout` is in milliseconds."""
        expect(self.page.locator(UNSYNCED)).to_have_count(0, timeout=timeout)
        self.await_status("All notes synced", timeout)

    def bar(self, text):
        return self.page.locator(".bar-line").filter(has_text=text)

    def dialog(self, name):
        return self.page.get_by_role("dialog", name=name)

    def write(self, title, body=""):
        """Creates a note through an address with its text; returns its id."""
        self.go("new", query="?" + urlencode({"title": title, "body": body}, quote_via=quote))
        self.make_note()
        self.page.wait_for_url(re.compile(r"#/[a-z]+/notes/[0-9a-f-]{36}$"))
        return self.page.url.rsplit("/", 1)[1]

    def question(self):
        """Returns the dialog that confirms a note from an address."""
        return self.dialog(re.compile("Create a note from this|Daraus eine Notiz erstellen"))

    def make_note(self):
        self.question().get_by_role("button", name=re.compile("Create note|Notiz erstellen")).click()

    def paste_token(self, place, user=None):
        """Signs in with a user's access token."""
        place.get_by_label("Access token").fill((user or self.user).token)
        place.get_by_role("button", name="Sign in", exact=True).click()

    def open_settings(self):
        self.go("settings")
        expect(self.page.get_by_role("heading", name="Settings")).to_be_visible()


class NotesCase(BrowserCase):
    """A browser test of the notes."""

    def user(self, environment="development"):
        return NotesUser(self.instance, environment)

    def stranger(self, **options):
        return self.person(application="notes", **options)

    def notes_of(self, user=None, **options):
        """Opens a user's notes in a new browser context, signed in."""
        return Notes(self.stranger(**options), user or self.user()).sign_in()

    def databases(self, page):
        return page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")

    def notes_database(self, page):
        """Returns the name of the database that stores the notes, beside that of attachments."""
        [name] = [name for name in self.databases(page) if name.startswith("almanac-notes:")]
        return name
