"""The notes as their users name their parts: one place for the roles and texts that tests go by."""

import json
import re
import uuid
from urllib.parse import quote, urlencode

from playwright.sync_api import expect

from support.case import BrowserCase

# Resolves when the page is on the device and its service worker answers for it.
PAGE_KEPT = """async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller)
        await new Promise((done) =>
            navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
}"""


class NotesUser:
    """A user of an environment, new unless named, and what the server has of theirs."""

    def __init__(self, instance, environment="development", name=None):
        self.instance = instance
        self.environment = environment
        self.name = name or f"user-{uuid.uuid4().hex[:12]}"
        self.token = instance.almanac("token", "user", environment, "--sub", self.name).strip()

    def call(self, method, path, body=None, **headers):
        """Asks the server, as another device of theirs does."""
        return self.instance.call(method, f"/{self.environment}{path}", body,
                                  headers={"Authorization": f"Bearer {self.token}", **headers})

    def must(self, method, path, body=None, **headers):
        answer = self.call(method, path, body, **headers)
        if answer.status >= 300:
            raise AssertionError(f"{method} {path}: {answer.status} {answer.body[:500]!r}")
        return answer.json()

    def link(self):
        """A link that opens the notes signed in, as `almanac session open` prints it; the part behind the #."""
        code = self.must("POST", "/session/link", {})["code"]
        return f"#/open/{self.environment}={code}"

    def end_sessions(self):
        for session in self.must("GET", "/sessions"):
            self.must("DELETE", f"/sessions/{session['id']}")

    def act(self, kind, **parts):
        """Sends one action, which must not be refused; its result."""
        result = self.must("POST", "/notes", [[kind, {"action_id": str(uuid.uuid4()), **parts}]])
        text = json.dumps(result)
        if "problem" in text:
            raise AssertionError(f"{kind}: {text}")
        return result

    def create(self, title, body="", **more):
        """Makes a note elsewhere; its id."""
        note = str(uuid.uuid4())
        self.act("createNote", id=note, title=title, body=body, **more)
        return note

    def notes(self):
        """What the list has, by id."""
        return self.must("GET", "/notes")["details"]


class Notes:
    """What one person sees of the notes of one environment."""

    def __init__(self, person, user):
        self.person = person
        self.user = user
        self.environment = user.environment

    @property
    def page(self):
        return self.person.page

    # Where one is.

    def sign_in(self):
        """Opens a one-time link, and waits until the panes are there."""
        self.person.open(self.user.link())
        self.await_panes()
        return self

    def go(self, *path, query=""):
        """Goes to an address of the notes, without loading the page again where it is there."""
        fragment = f"#/{self.environment}" + "".join(f"/{quote(str(part), safe='')}" for part in path) + query
        if self.page.url.startswith(self.person.origin):
            self.page.evaluate("(fragment) => { location.hash = fragment; }", fragment)
        else:
            self.person.open(fragment)

    def await_panes(self):
        expect(self.page.locator(".frame:not(.alone)")).to_have_attribute("data-pane", re.compile("."))
        expect(self.account()).to_have_text(self.user.name)

    def account(self):
        """The name of whose notes these are, at the foot of the sidebar."""
        return self.page.locator(".account-name")

    def await_page_kept(self):
        """Waits until the page starts without a network."""
        self.page.evaluate(PAGE_KEPT)

    # What is saved where.

    def status(self):
        """The page's line of status, which opens more."""
        return self.page.locator(".foot .page-status")

    def await_status(self, text, patience=None):
        expect(self.status()).to_have_text(text, timeout=patience)

    def await_server(self, patience=None):
        """Waits until the server has everything; `patience` in milliseconds, where that is much."""
        self.await_status("All notes synced", patience)

    def bar(self, text):
        return self.page.locator(".bar-line").filter(has_text=text)

    def dialog(self, name):
        return self.page.get_by_role("dialog", name=name)

    def write(self, title, body=""):
        """Makes a note of an address with its words; its id."""
        self.go("new", query="?" + urlencode({"title": title, "body": body}, quote_via=quote))
        self.make_note()
        self.page.wait_for_url(re.compile(r"#/[a-z]+/notes/[0-9a-f-]{36}$"))
        return self.page.url.rsplit("/", 1)[1]

    def question(self):
        """Asks whether a note is made of words from elsewhere."""
        return self.dialog(re.compile("Create a note from this|Daraus eine Notiz erstellen"))

    def make_note(self):
        self.question().get_by_role("button", name=re.compile("Create note|Notiz erstellen")).click()

    def paste_token(self, place, user=None):
        """Signs in with a user's access token at a sign-in form."""
        place.get_by_label("Access token").fill((user or self.user).token)
        place.get_by_role("button", name="Sign in", exact=True).click()

    def open_settings(self):
        self.go("settings")
        expect(self.page.get_by_role("heading", name="Settings")).to_be_visible()


class NotesCase(BrowserCase):
    """A test of the notes in a browser."""

    def user(self, environment="development"):
        return NotesUser(self.instance, environment)

    def stranger(self, **options):
        return self.person(application="notes", **options)

    def notes_of(self, user=None, **options):
        """Somebody's notes in a browser of their own, signed in."""
        return Notes(self.stranger(**options), user or self.user()).sign_in()

    def databases(self, page):
        return page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")
