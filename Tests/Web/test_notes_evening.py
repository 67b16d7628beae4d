"""An evening of a daily user with a phone and a desk: a shopping list, meeting notes, and a trip, partly offline."""

import os
import re
import unittest

from playwright.sync_api import expect

from support.depth import DEPTH, ends_within
from support.finger import Finger
from support.instance import CHECKOUT
from support.notes import Notes, NotesUser, go_offline
from support.notes_editor import Editor, EditorCase
from support.notes_list import NoteList
from support.pdf_text import text_of
from support.step_pictures import FOLDER, StepPictures

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 900}}
SCHEMES = ("light", "dark")
SOURCES = os.path.join(CHECKOUT, "Tests/Web/pasting")
PASTE = """(element, html) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", html);
    const form = { clipboardData, bubbles: true, cancelable: true, composed: true };
    element.dispatchEvent(new ClipboardEvent("paste", form));
}"""


class Device:
    """A device of the user: the open note, the list, and pictures of the steps."""

    def __init__(self, case, user, name, **options):
        one = case.person(application="notes", locale="en-US", reduced_motion="reduce", color_scheme="light", **options)
        self.case = case
        self.user = user
        self.notes = Notes(one, user).sign_in()
        self.page = one.page
        self.list = NoteList(self.notes)
        self.pictures = StepPictures(self.page, f"evening-{name}", SCHEMES)
        self.press = (lambda place: place.tap()) if options.get("has_touch") else (lambda place: place.click())

    @property
    def editor(self):
        """The open note, whose id is in the address."""
        return Editor(self.notes, self.page.url.split("/notes/")[1].split("?")[0].split("/")[0])

    def button(self, name, **options):
        return self.page.get_by_role("button", name=name, **options)

    def begin(self, title):
        """Makes a note, whose title gets the focus."""
        self.press(self.button("New note", exact=True))
        expect(self.page.get_by_role("textbox", name="Title")).to_be_focused()
        self.page.keyboard.type(f"{title}\n")
        expect(self.editor.body()).to_be_focused()

    def mark(self, name):
        self.press(self.page.get_by_role("toolbar", name="Format").get_by_role("button", name=name, exact=True))
        expect(self.editor.body()).to_be_focused()

    def awaits(self, *lines):
        """Waits until the open note has these lines on the server."""
        body = "\n".join(lines)
        note = self.editor.note

        def found():
            return self.user.notes().get(note, {}).get("body")

        self.case.until(lambda: found() == body, found)

    def open(self, title):
        self.press(self.list.row(title))
        expect(self.page.get_by_role("textbox", name="Title")).to_have_text(title)


class NotesEveningTests(EditorCase):
    @unittest.skipUnless(DEPTH == "long" or FOLDER, "only in long runs, or with pictures")
    @ends_within(180)
    def test_evening(self):
        """a shopping list, pasted minutes, a linked and printed trip, two devices offline, history and trash"""
        user = NotesUser(self.instance)
        phone = Device(self, user, "phone", **PHONE)
        self.shop(phone)
        desk = Device(self, user, "desk", **DESK)
        self.meet(desk)
        self.plan_a_trip(desk)
        self.print(desk)
        self.write_offline(phone, desk)
        self.look_back(desk)
        self.find(phone)
        self.tidy_up(phone, desk)

    def shop(self, phone):
        """Writes a list with nested tasks on the phone, ticks, moves and removes tasks."""
        phone.begin("Shopping")
        phone.mark("Checklist")
        keyboard = phone.page.keyboard
        keyboard.type("Market\n")
        phone.mark("Move in")
        keyboard.type("tomatoes\nbread from Nadia\noats\n")
        phone.mark("Move out")
        keyboard.type("Call Zoë 🌱")
        food = ["  - [ ] bread from Nadia", "  - [ ] oats"]
        phone.awaits("- [ ] Market", "  - [ ] tomatoes", *food, "- [ ] Call Zoë 🌱")
        phone.pictures.take("shopping")
        phone.editor.line("tomatoes").locator(".cm-md-box").tap()
        phone.editor.line("Call Zoë").tap()
        phone.mark("Move in")
        phone.awaits("- [ ] Market", "  - [x] tomatoes", *food, "  - [ ] Call Zoë 🌱")
        phone.mark("Move out")
        phone.pictures.take("ticked")
        phone.page.go_back()
        expect(phone.list.row("Shopping")).to_be_visible()
        phone.pictures.take("list")

    def meet(self, desk):
        """Pastes the minutes of a meeting from a document."""
        desk.open("Shopping")
        desk.begin("Meeting")
        with open(os.path.join(SOURCES, "google-docs.html"), encoding="utf-8") as file:
            desk.editor.body().evaluate(PASTE, file.read())
        with open(os.path.join(SOURCES, "google-docs.md"), encoding="utf-8") as file:
            desk.awaits(*file.read().removesuffix("\n").split("\n"))
        desk.pictures.take("meeting")

    def plan_a_trip(self, desk):
        """Makes a template, a trip from it with links and tags, and the note of today."""
        desk.begin("Trip to …")
        keyboard = desk.page.keyboard
        keyboard.type("## Before\n- [ ] tickets\nkeys to Zoë")
        tags = desk.page.get_by_role("combobox", name="Add tag")
        for tag in ("template", "travel/2026"):
            tags.click()
            keyboard.type(tag)
            keyboard.press("Enter")
        expect(desk.page.locator(".tag-chips")).to_contain_text("travel/2026")
        desk.pictures.take("template")
        desk.button("Start with…").click()
        desk.button("New from template…").click()
        dialog = desk.page.get_by_role("dialog")
        desk.pictures.take("templates")
        dialog.get_by_role("button", name="Trip to …").click()
        expect(dialog).to_have_count(0)
        expect(desk.page.locator(".tag-chips")).not_to_contain_text("template")
        desk.editor.title().click()
        keyboard.press("Control+a")
        keyboard.type("Trip to Lisbon\n")
        expect(desk.editor.body()).to_be_focused()
        keyboard.press("Control+End")
        keyboard.type("\n\n")
        keyboard.type("See [[mee")
        choices = desk.page.get_by_role("listbox", name="Link to a note").get_by_role("option")
        expect(choices).to_have_text(["Meeting"])
        desk.pictures.take("link")
        keyboard.press("Enter")
        keyboard.type(" and [[shop")
        expect(choices).to_have_text(["Shopping"])
        keyboard.press("Enter")
        keyboard.type(".")
        self.meeting, self.shopping = (self.note_of(desk.user, title) for title in ("Meeting", "Shopping"))
        self.trip = ["## Before", "- [ ] tickets", "- [ ] keys to Zoë", "",
                     f"See [Meeting](notes/{self.meeting}) and [Shopping](notes/{self.shopping})."]
        desk.awaits(*self.trip)
        desk.pictures.take("trip")
        desk.page.get_by_role("listbox", name="Notes").focus()
        keyboard.press("t")
        expect(desk.editor.title()).to_have_text(re.compile(r"^\w+, \w+ \d+, 20\d\d$"))
        self.today = desk.editor.title().inner_text()
        desk.editor.body().click()
        keyboard.type("Packed for [[trip to l")
        expect(choices).to_have_text(["Trip to Lisbon"])
        keyboard.press("Enter")
        desk.pictures.take("today")

    def note_of(self, user, title):
        return next(note for note, one in user.notes().items() if one["title"] == title)

    def print(self, desk):
        """Prints the trip: the words without marks, and nothing of the list."""
        desk.open("Trip to Lisbon")
        text = re.sub(r"\s+", " ", text_of(desk.page.pdf(format="A4")))
        self.assertIn("Trip to Lisbon", text)
        self.assertRegex(text, r"Before.*tickets.*keys to Zoë.*See Meeting and Shopping\.")
        self.assertNotRegex(text, r"##|\[|All notes|Synced")

    def write_offline(self, phone, desk):
        """Both devices lose the network and write on in one note; then both have the letters of both, once."""
        phone.open("Trip to Lisbon")
        expect(phone.editor.body()).to_contain_text("keys to Zoë")
        for device in (phone, desk):
            device.editor.await_server()
            go_offline(device.page)
        desk.editor.caret_at_end_of("tickets")
        desk.page.keyboard.type(" for two\npassports")
        phone.press(phone.editor.line("keys to Zoë"))
        phone.page.keyboard.press("End")
        phone.page.keyboard.type(" and Ben\nwater the plants 🌱")
        for device in (phone, desk):
            expect(device.editor.status()).to_have_text("Saved on this device")
            device.pictures.take("offline")
        self.assertEqual(desk.editor.saved()["body"], "\n".join(self.trip))
        for device in (phone, desk):
            device.page.context.set_offline(False)
        self.trip[1:3] = [f"- [ ] {task}" for task in (
            "tickets for two", "passports", "keys to Zoë and Ben", "water the plants 🌱")]
        for device in (phone, desk):
            device.awaits(*self.trip)
            expect(device.editor.body()).to_contain_text("passports")
            expect(device.editor.body()).to_contain_text("water the plants")
            device.editor.await_server()
            device.pictures.take("online")

    def look_back(self, desk):
        """Undoes and redoes own words only, and restores a version from the history."""
        keyboard = desk.page.keyboard
        while "for two" in desk.editor.body().inner_text():
            before = desk.editor.body().inner_text()
            keyboard.press("Control+z")
            expect(desk.editor.body()).not_to_have_text(before, use_inner_text=True)
        desk.awaits("## Before", "- [ ] tickets", *self.trip[3:])
        while "passports" not in desk.editor.body().inner_text():
            before = desk.editor.body().inner_text()
            keyboard.press("Control+Shift+Z")
            expect(desk.editor.body()).not_to_have_text(before, use_inner_text=True)
        desk.awaits(*self.trip)
        desk.editor.menu("History")
        slider = desk.page.get_by_role("slider")
        expect(slider).to_be_visible()
        desk.pictures.take("history")
        slider.press("ArrowLeft")
        desk.pictures.take("version")
        desk.page.get_by_role("link", name="Back to the note").click()
        expect(desk.editor.body()).to_contain_text("passports")

    def find(self, phone):
        """Finds a word of the shopping list from the phone."""
        phone.page.go_back()
        phone.press(phone.list.search)
        phone.page.keyboard.type("toma")
        phone.list.expect_titles("Shopping")
        phone.pictures.take("search")
        phone.open("Shopping")
        phone.pictures.take("found")
        phone.page.go_back()
        phone.list.search.fill("")

    def tidy_up(self, phone, desk):
        """Swipes on the phone: pins the shopping list, and trashes the note of today, which the desk restores."""
        finger = Finger(phone.page)
        finger.drag(phone.list.row("Shopping"), 200)
        expect(phone.list.notice("Note pinned.")).to_be_visible()
        expect(desk.list.rows.first).to_contain_text("Shopping")
        finger.drag(phone.list.row(self.today), -200, end=None)
        phone.pictures.take("swipe")
        finger.touch("touchEnd")
        expect(phone.list.notice("Moved to Trash.")).to_be_visible()
        phone.pictures.take("trashed")
        expect(desk.list.row(self.today)).to_have_count(0)
        desk.list.place("Trash").click()
        desk.open(self.today)
        desk.pictures.take("trash")
        desk.button("Restore").first.click()
        desk.list.place("All notes").click()
        expect(desk.list.row(self.today)).to_be_visible()
        expect(phone.list.row(self.today)).to_be_visible()
        self.assertEqual(sorted(one["title"] for one in phone.user.notes().values()),
                         sorted(["Shopping", "Meeting", "Trip to …", "Trip to Lisbon", self.today]))
