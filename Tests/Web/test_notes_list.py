"""Tests of the list of notes: order, search, tags and trash, by pointer and by keyboard."""

import re
import uuid
from contextlib import contextmanager

from playwright.sync_api import expect

from support import hostile
from support.case import TIMEOUT
from support.depth import runs
from support.devices import wait_until
from support.look import find_faults
from support.notes import Notes, NotesUser, go_offline
from support.notes_list import SHOPPING, ListCase, NoteList, plant_notes, send

# The number of notes in the test of a large list.
MANY = runs("ALMANAC_TEST_NOTES", quick=1000, standard=1000, long=10_000)


class NotesListTests(ListCase):
    def test_search(self):
        """a search finds words in any script, ranks and marks them, and is part of the address"""
        found = self.open_list()
        found.search.fill("milk")
        found.expect_titles("Milkman", "Groceries")
        expect(found.rows.last.locator("mark")).to_have_text(["milk"])
        for words, titles in {
            "großmutter": ["Einkauf für Großmutter"], "GROSSMUTTER strasse": ["Einkauf für Großmutter"],
            "apfel": ["Einkauf für Großmutter"],
            "京": ["東京の旅行"], "カメラ": ["東京の旅行"], "الخبز": ["قائمة"],
            "tag:home -milk": ["Einkauf für Großmutter", "Milkman"], 'tag:"two words"': ["Milkman"],
        }.items():
            found.search.fill(words)
            found.expect_titles(*titles)
        found.search.fill("zebra")
        expect(found.page.get_by_text("No results for zebra")).to_be_visible()
        expect(found.page).to_have_url(re.compile(r"/search\?q=zebra$"))
        found.page.reload()
        expect(found.search).to_have_value("zebra")
        found.search.press("Escape")
        expect(found.rows).to_have_count(len(SHOPPING))

    def test_orders(self):
        """the list is ordered manually, by edits, creation or title, pinned notes first; the order is remembered"""
        found = self.open_list()
        by_hand = found.titles()
        found.order.select_option("Title")
        found.expect_titles("Einkauf für Großmutter", "Groceries", "Milkman", "قائمة", "東京の旅行")
        found.notes.user.act("updateNote", id=self.ids[1], pinned=True)
        found.expect_titles("Milkman", "Einkauf für Großmutter", "Groceries", "قائمة", "東京の旅行")
        expect(found.rows.first).to_contain_text("Pinned")
        found.order.select_option("Date created")
        found.expect_titles("Milkman", *[title for title, *_ in reversed(SHOPPING) if title != "Milkman"])
        found.page.reload()
        expect(found.order).to_have_value("created")
        found.order.select_option("Manual")
        found.expect_titles("Milkman", *[title for title in by_hand if title != "Milkman"])

    def test_keyboard_alone(self):
        """a note is found, pinned, moved, trashed and restored by keyboard alone"""
        found = self.open_list()
        page, keys = found.page, found.page.keyboard
        titles = found.titles()
        found.list.focus()
        expect(found.active()).to_have_text(titles[0])
        for key, at in (("ArrowDown", 1), ("j", 2), ("k", 1), ("End", 4), ("Home", 0), ("j", 1)):
            keys.press(key)
            expect(found.active()).to_have_text(titles[at])
        keys.press("Enter")
        expect(page).to_have_url(re.compile("/notes/"))
        expect(found.list.locator("[aria-current=true]")).to_contain_text(titles[1])
        found.list.focus()
        keys.press("Alt+ArrowDown")
        moved = [titles[0], titles[2], titles[1], titles[3], titles[4]]
        found.expect_titles(*moved)
        expect(found.active()).to_have_text(titles[1])
        keys.press("Alt+ArrowUp")
        found.expect_titles(*titles)
        keys.press("p")
        found.expect_titles(titles[1], titles[0], *titles[2:])
        keys.press("p")
        found.expect_titles(*titles)
        keys.press("#")
        found.expect_titles(titles[0], *titles[2:])
        expect(found.notice("Moved to Trash.")).to_be_visible()
        found.notice("Moved to Trash.").get_by_role("button", name="Undo").press("Enter")
        expect(found.rows).to_have_count(5)
        expect(found.list).to_have_accessible_description("5 notes")
        keys.press("/")
        expect(found.search).to_be_focused()
        keys.type("milkm")
        found.expect_titles("Milkman")
        keys.press("ArrowDown")
        expect(found.list).to_be_focused()
        keys.press("n")
        expect(page).to_have_url(re.compile("/notes/"))
        expect(found.list).to_have_accessible_description("6 notes")

    def test_choosing_several(self):
        """several notes are selected by keyboard or pointer, then tagged, pinned and trashed together"""
        found = self.open_list()
        titles = found.titles()
        found.rows.nth(0).click(modifiers=["Control"])
        found.rows.nth(2).click(modifiers=["Shift"])
        expect(found.chosen).to_contain_text("3 selected")
        found.list.press("Shift+ArrowDown")
        expect(found.chosen).to_contain_text("4 selected")
        found.chosen.get_by_role("button", name="Edit tags…").click()
        dialog = found.dialog("Tags for 4 notes")
        field = dialog.get_by_role("combobox", name="Add tag")
        field.fill("garden")
        field.press("Enter")
        expect(dialog.get_by_role("button", name="Remove tag garden")).to_be_visible()
        field.press("Backspace")
        expect(dialog.get_by_role("button", name="Remove tag garden")).to_have_count(0)
        field.fill("o")
        for suggested in ("Büro", "home", "two words"):
            field.press("ArrowDown")
            expect(dialog.get_by_role("option", selected=True)).to_have_text(suggested)
        field.press("Enter")
        dialog.get_by_role("button", name="Remove tag two words").click()
        field.fill("x" * 65)
        field.press("Enter")
        expect(dialog.get_by_role("alert")).to_contain_text("1 to 64 characters")
        field.fill("garden")
        field.press(",")
        field.fill("later")
        dialog.get_by_role("checkbox", name="旅行").click()
        dialog.get_by_role("button", name="Save").click()
        expect(found.place("later")).to_contain_text("4")
        found.chosen.get_by_role("button", name="Pin", exact=True).click()
        expect(found.list.locator(".pinned")).to_have_count(4)
        found.chosen.get_by_role("button", name="Move to Trash").click()
        expect(found.rows).to_have_count(1)
        expect(found.place("Trash")).to_contain_text("4")
        found.notice("4 notes moved to Trash.").get_by_role("button", name="Undo").click()
        found.expect_titles(*titles)
        found.list.press("Control+a")
        expect(found.chosen).to_contain_text("5 selected")
        found.list.press("Escape")
        expect(found.chosen).to_be_hidden()

    def test_trash(self):
        """notes in the trash are restored or deleted permanently, singly or all, after a confirmation"""
        found = self.open_list()
        found.rows.nth(0).click()
        found.list.press("Control+a")
        found.list.press("Delete")
        expect(found.page.get_by_text("No notes yet")).to_be_visible()
        found.place("Trash").click()
        expect(found.rows).to_have_count(5)
        found.row("Groceries").click()
        found.chosen.get_by_role("button", name="Restore").click()
        expect(found.rows).to_have_count(4)
        found.row("Milkman").click()
        found.chosen.get_by_role("button", name="Delete permanently").click()
        dialog = found.dialog("Delete permanently?")
        expect(dialog).to_contain_text("You can’t undo this")
        dialog.get_by_role("button", name="Cancel").click()
        expect(found.rows).to_have_count(4)
        found.chosen.get_by_role("button", name="Delete permanently").click()
        found.dialog("Delete permanently?").get_by_role("button", name="Delete permanently").click()
        expect(found.rows).to_have_count(3)
        found.page.get_by_role("button", name="Empty Trash").click()
        found.dialog("Delete permanently?").get_by_role("button", name="Delete 3 notes permanently").click()
        expect(found.page.get_by_text("Trash is empty")).to_be_visible()
        found.place("All notes").click()
        found.expect_titles("Groceries")
        found.notes.await_server()
        self.assertEqual(len(found.notes.user.notes()), 1)

    def test_trash_of_others(self):
        """notes deleted before a device's first sync, or while it was offline, are in its trash, and can be restored"""
        user = NotesUser(self.instance)
        self.plant_trash(user, 3)
        found = self.open_list(user=user)
        trash = found.place("Trash")
        expect(trash).to_contain_text("3")
        trash.click()
        found.row("Old 2").click()
        found.chosen.get_by_role("button", name="Restore").click()
        expect(found.rows).to_have_count(2)
        found.notes.await_server()
        with self.without_network(found):
            self.plant_trash(user, 510)
            user.act("purgeNote", id=user.create("Nothing"))
        expect(trash).to_contain_text("512")
        found.row("Old 509").click()
        found.chosen.get_by_role("button", name="Restore").click()
        expect(trash).to_contain_text("511")
        found.notes.await_server()
        restored = [(title, "list\n- milk", ["old"]) for title in ("Old 2", "Old 509")]
        planted = [(title, body, sorted(more.get("tags", []))) for title, body, more in SHOPPING]
        self.assertCountEqual([(note["title"], note["body"], sorted(note["tags"])) for note in user.notes().values()],
                              [*planted, *restored])
        found.page.get_by_role("button", name="Empty Trash").click()
        found.dialog("Delete permanently?").get_by_role("button", name="Delete 511 notes permanently").click()
        expect(found.page.get_by_text("Trash is empty")).to_be_visible()
        # 511 deletions may take a while beside other tests.
        self.assertTrue(wait_until(lambda: not user.must("GET", "/notes?form=trash")["order"], 4 * TIMEOUT / 1000))

    def test_trash_cut_off(self):
        """a device that goes offline while it reads the trash reads the remaining pages later"""
        found = self.open_list()
        with self.without_network(found):
            self.plant_trash(found.notes.user, 510)
            # The route blocks the second of the two pages.
            found.page.context.route("**/notes?next=trash*", lambda route: route.abort())
        expect(found.place("Trash")).to_contain_text("500")
        found.notes.await_status("Offline")
        found.page.context.unroute("**/notes?next=trash*")
        found.page.reload()
        expect(found.place("Trash")).to_contain_text("510")

    @contextmanager
    def without_network(self, found):
        go_offline(found.page)
        found.notes.await_status("Offline")
        yield
        found.page.context.set_offline(False)

    @staticmethod
    def plant_trash(user, count):
        """Creates and deletes notes on another device; a page of the trash has 500."""
        old = plant_notes(user, [(f"Old {number}", "list\n- milk", {"tags": ["old"]}) for number in range(count)])
        for start in range(0, count, 100):
            send(user, [["deleteNote", {"action_id": str(uuid.uuid4()), "id": note}] for note in old[start:start + 100]])

    def test_tags(self):
        """tags show their counts, open their notes, and are renamed, merged and removed in all notes"""
        found = self.open_list()
        expect(found.place("home")).to_contain_text("3 notes")
        found.place("home").click()
        found.expect_titles(*[title for title in found.titles() if title in
                              ("Groceries", "Milkman", "Einkauf für Großmutter")])
        found.side.get_by_role("button", name="Edit tag home").click()
        dialog = found.dialog("Edit tag")
        dialog.get_by_label("Name").fill("x" * 65)
        dialog.get_by_role("button", name="Rename").click()
        expect(dialog.get_by_role("alert")).to_contain_text("1 to 64 characters")
        dialog.get_by_label("Name").fill("household")
        dialog.get_by_role("button", name="Rename").click()
        expect(found.place("household")).to_contain_text("3 notes")
        expect(found.place("home")).to_have_count(0)
        expect(found.page).to_have_url(re.compile("/tags/household$"))
        expect(found.rows).to_have_count(3)
        found.side.get_by_role("button", name="Edit tag Büro").click()
        found.dialog("Edit tag").get_by_label("Name").fill("household")
        found.dialog("Edit tag").get_by_label("Name").press("Enter")
        found.dialog("This tag already exists").get_by_role("button", name="Merge tags").click()
        expect(found.place("Büro")).to_have_count(0)
        expect(found.place("household")).to_contain_text("3 notes")
        found.side.get_by_role("button", name="Edit tag household").click()
        found.dialog("Edit tag").get_by_role("button", name="Remove from 3 notes").click()
        found.dialog("Remove tag?").get_by_role("button", name="Remove from 3 notes").click()
        expect(found.place("household")).to_have_count(0)
        expect(found.rows).to_have_count(5)
        found.notes.await_server()
        tags = sorted(tag for note in found.notes.user.notes().values() for tag in note["tags"])
        self.assertEqual(tags, ["two words", "旅行"])

    def test_drag_and_drop(self):
        """a note is dragged to another position and to a tag; two tabs show the same order"""
        found = self.open_list()
        titles = found.titles()
        other = found.notes.person.context.new_page()
        other.goto(found.page.url)
        second = NoteList(found.notes, other)
        second.expect_titles(*titles)
        # A page in the background rarely paints, which would delay the drag.
        found.page.bring_to_front()
        found.rows.nth(0).drag_to(found.rows.nth(3), target_position={"x": 60, "y": 80})
        moved = [titles[1], titles[2], titles[3], titles[0], titles[4]]
        found.expect_titles(*moved)
        second.expect_titles(*moved)
        other.bring_to_front()
        second.rows.nth(4).drag_to(second.rows.nth(0), target_position={"x": 60, "y": 4})
        last = [titles[4], *moved[:4]]
        second.expect_titles(*last)
        found.expect_titles(*last)
        found.page.bring_to_front()
        found.row("قائمة").drag_to(found.place("旅行"))
        expect(found.place("旅行")).to_contain_text("2 notes")
        expect(second.place("旅行")).to_contain_text("2 notes")
        found.notes.await_server()
        third = NoteList(Notes(self.person(application="notes"), found.notes.user).sign_in())
        third.expect_titles(*last)

    def test_rows_stay(self):
        """a pressed row stays when something changes elsewhere, so that the click counts"""
        found = self.open_list()
        titles = found.titles()
        box = found.rows.nth(1).bounding_box()
        mouse = found.page.mouse
        mouse.move(box["x"] + 40, box["y"] + 20)
        mouse.down()
        found.notes.user.act("updateNote", id=self.ids[titles.index(titles[0])], tags={"add": ["elsewhere"]})
        expect(found.list.get_by_text("elsewhere")).to_be_visible()
        mouse.up()
        expect(found.list.locator("[aria-current=true]")).to_contain_text(titles[1])

    def test_hostile_texts(self):
        """hostile titles, bodies and tags are shown as texts"""
        texts = [*hostile.MARKUP, *hostile.STRANGE.values()]
        tags = [text for text in texts if len(text) <= 64 and text.isprintable()]
        notes = [(text, text, {"tags": [tags[at % len(tags)]]}) for at, text in enumerate(texts)]
        found = self.open_list(notes)
        page = found.page
        # The link to a tag's notes contains the tag, and is legitimate.
        traces = page.locator(hostile.TRACES).and_(page.locator(":not([href^='#/development/tags/'])"))
        for tag in tags[:12]:
            found.notes.go("tags", tag)
            expect(page.get_by_role("heading", name=tag, exact=True)).to_be_visible()
            expect(found.rows.first).to_be_visible()
            self.assertEqual(traces.count(), 0)
        found.notes.go()
        for text in ("<img", "alert(1)", "javascript:", "\"><"):
            found.search.fill(text)
            expect(found.rows.first).to_be_visible()
            self.assertEqual(traces.count(), 0)
        found.search.fill("<script>zebra</script>")
        expect(page.get_by_text("No results for <script>zebra</script>")).to_be_visible()
        found.search.fill("")
        found.list.focus()
        found.list.press("Control+a")
        found.chosen.get_by_role("button", name="Edit tags…").click()
        expect(found.dialog(f"Tags for {len(notes)} notes")).to_be_visible()
        self.assertEqual(traces.count(), 0)

    def test_axe_finds_nothing(self):
        """axe finds nothing in list, search, tags, trash and their dialogs, which have no faults at any width"""
        found = self.open_list(viewport={"width": 1280, "height": 720})
        page = found.page
        problems = []

        def look(place):
            problems.extend(find_faults(page, place))

        look("list")
        found.search.fill("milk")
        found.expect_titles("Milkman", "Groceries")
        look("search")
        found.search.fill("zebra")
        expect(page.get_by_text("No results for zebra")).to_be_visible()
        look("nothing found")
        found.notes.go("tags", "home")
        expect(found.rows).to_have_count(3)
        found.rows.first.click(modifiers=["Control"])
        expect(found.chosen).to_be_visible()
        look("chosen")
        found.chosen.get_by_role("button", name="Edit tags…").click()
        found.dialog("Tags for this note").get_by_role("combobox").fill("t")
        expect(page.get_by_role("listbox", name="Existing tags")).to_be_visible()
        look("tags of a note")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 360, "height": 720})
        page.get_by_role("button", name="Menu").click()
        expect(found.side).to_be_visible()
        look("sidebar")
        found.side.get_by_role("button", name="Edit tag home").click()
        look("a tag")
        page.keyboard.press("Escape")
        found.notes.go("trash")
        expect(page.get_by_text("Trash is empty")).to_be_visible()
        look("trash")
        self.assertFalse(problems, "\n".join(problems))

    def test_right_to_left(self):
        """right-to-left texts keep their direction, in a page of either direction"""
        found = self.open_list([("قائمة المشتريات", "خبز", {"tags": ["عمل"]}),
                                ("Plain", "text", {})])
        page = found.page
        direction = "(element) => getComputedStyle(element).direction"
        for title, expected in (("قائمة", "rtl"), ("Plain", "ltr")):
            for part in (".note-row-title", ".note-row-excerpt"):
                self.assertEqual(found.row(title).locator(part).evaluate(direction), expected, f"{title} {part}")
        page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
        title, time = (found.row("Plain").locator(part).bounding_box() for part in (".note-row-title", "time"))
        self.assertGreater(title["x"], time["x"])
        self.assertLessEqual(page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth"), 0)

    def test_thousands_of_notes(self):
        """a list of a thousand notes renders at most 100 rows at any position, and a search finds each note"""
        filler = "the plan for the week, with milk and bread and everything else that was said about it; " * 11
        found = self.open_list([(f"Note {number:05}", f"{filler} end{number:05}", {}) for number in range(MANY)])
        page = found.page
        found.order.select_option("Title")
        expect(found.rows.first).to_contain_text("Note 00000")
        found.list.focus()
        for key, last in (("End", f"Note {MANY - 1:05}"), ("Home", "Note 00000"), ("PageDown", None), ("PageDown", None)):
            found.list.press(key)
            if last:
                expect(found.active()).to_have_text(last)
            self.assertLessEqual(found.rows.count(), 100)
        found.list.evaluate("(element) => { element.scrollTop = element.scrollHeight / 2; }")
        expect(found.row(f"Note {MANY // 2:05}")).to_be_visible()
        self.assertLessEqual(found.rows.count(), 100)
        expect(found.rows.first).to_have_attribute("aria-setsize", str(MANY))
        found.search.fill("end00815")
        found.expect_titles("Note 00815")
        found.search.fill("milk")
        expect(page.get_by_role("status").filter(has_text=f"{MANY:,} notes found")).to_be_attached()
        found.rows.first.click()
        page.reload()
        expect(found.rows.first).to_be_visible()
        self.assertLessEqual(found.rows.count(), 100)
