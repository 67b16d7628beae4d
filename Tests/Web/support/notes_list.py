"""A page object of the list of notes."""

import uuid

from playwright.sync_api import expect

from support.case import TIMEOUT, BrowserCase
from support.notes import Notes, NotesUser

SHOPPING = [
    ("Groceries", "milk, bread and two lemons", {"tags": ["home"]}),
    ("Milkman", "comes on Tuesdays", {"tags": ["home", "two words"]}),
    ("Einkauf für Großmutter", "Äpfel, Käse aus der Straße am Markt", {"tags": ["Büro", "home"]}),
    ("東京の旅行", "新宿で会う。カメラを忘れない。", {"tags": ["旅行"]}),
    ("قائمة", "شراء الخبز والحليب", {}),
]


def plant_notes(user, notes, size=200):
    """Creates many notes on another device, each a title, a body and optional fields; returns their ids in order."""
    ids = [str(uuid.uuid4()) for _ in notes]
    actions = [["createNote", {"action_id": str(uuid.uuid4()), "id": note, "title": title, "body": body,
                               **(more[0] if more else {})}] for note, (title, body, *more) in zip(ids, notes)]
    for start in range(0, len(actions), size):
        send(user, actions[start:start + size])
    return ids


def send(user, actions, tries=50):
    """Sends actions until all are accepted; a busy server refuses some with status 503."""
    results = user.must("POST", "/notes", actions)["results"]
    left = [action for action, one in zip(actions, results) if one["status"] == "rejected"]
    if not left:
        return
    reasons = [one["problem"] for one in results if one["status"] == "rejected"]
    if tries == 0 or any(one["status"] != 503 for one in reasons):
        raise AssertionError(f"refused: {reasons[:3]}")
    send(user, left, tries - 1)


class NoteList:
    """The sidebar and the list of a page."""

    def __init__(self, notes, page=None):
        self.notes = notes
        self.page = page or notes.page

    @property
    def list(self):
        return self.page.get_by_role("listbox", name="Notes")

    @property
    def rows(self):
        return self.list.get_by_role("option")

    def row(self, title):
        return self.rows.filter(has=self.page.locator(".note-row-title", has_text=title))

    @property
    def search(self):
        return self.page.get_by_role("searchbox", name="Search")

    @property
    def order(self):
        return self.page.get_by_label("Sort by")

    @property
    def chosen(self):
        return self.page.get_by_role("toolbar", name="Selected notes")

    @property
    def side(self):
        return self.page.get_by_role("navigation", name="Notes and tags")

    def place(self, name):
        return self.side.get_by_role("link", name=name)

    def titles(self):
        return self.page.locator(".note-row-title").all_inner_texts()

    def expect_titles(self, *titles):
        """Waits until the list has exactly these titles, in this order."""
        expect(self.page.locator(".note-row-title")).to_have_text(list(titles))

    def notice(self, text):
        return self.page.locator(".notice-box").filter(has_text=text)

    def dialog(self, name):
        return self.page.get_by_role("dialog", name=name)

    def active(self):
        """Returns the title of the active row."""
        return self.list.locator(".active .note-row-title")


class ListCase(BrowserCase):
    """A browser test of the list of notes."""

    def open_list(self, planted=SHOPPING, user=None, **options):
        """Opens the synced list of a user who has these notes."""
        user = user or NotesUser(self.instance)
        self.ids = plant_notes(user, planted)
        one = self.person(application="notes", **options)
        notes = Notes(one, user).sign_in()
        found = NoteList(notes)
        if planted:
            expect(found.rows.first).to_be_visible()
        notes.await_server(max(TIMEOUT, 6 * len(planted)))
        return found
