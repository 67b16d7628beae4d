"""Tests of a note's history: versions, changes, dates of paragraphs, and restoring."""

from playwright.sync_api import expect

from support.look import find_faults
from support.notes import Notes, NotesUser, go_offline
from support.notes_editor import Editor, EditorCase

FIRST = "Pack for the trip.\n\n- tent\n- stove\n"
SECOND = "Pack for the trip.\n\n- tent\n- stove\n- lamp\n"
THIRD = "Pack for the long trip.\n\n- tent\n- stove\n- lamp\n"


class NotesHistoryTests(EditorCase):
    def past(self, *bodies, **options):
        """Opens the history of a note that has had these texts."""
        user = NotesUser(self.instance)
        note = user.create("Trip", bodies[0])
        notes = Notes(self.person(application="notes", **options), user)
        editor = Editor(notes, note)
        for body in bodies[1:]:
            editor.write_elsewhere(lambda _, body=body: body)
        notes.sign_in()
        # Only a note that this device has can be restored.
        notes.await_server()
        notes.go("notes", note, "history")
        return editor

    def slider(self, editor):
        return editor.page.get_by_role("slider", name="Version")

    def text(self, editor):
        return editor.page.get_by_role("region", name="Full text")

    def test_versions_and_what_each_changed(self):
        """the slider moves through the versions by keyboard, and shows the changes of each"""
        editor = self.past(FIRST, SECOND, THIRD)
        slider = self.slider(editor)
        text = self.text(editor)
        expect(slider).to_have_value("2")
        expect(text.locator("ins")).to_have_text(["long "])
        expect(text.locator("del")).to_have_count(0)
        slider.press("ArrowLeft")
        expect(text.locator("ins")).to_have_text(["- lamp\n"])
        slider.press("ArrowLeft")
        expect(text).to_have_text(FIRST)
        expect(text.locator("ins, del")).to_have_count(0)
        expect(editor.page.get_by_text("Version 1 of 3")).to_be_visible()
        slider.press("End")
        expect(text.locator("ins")).to_have_text(["long "])
        editor.notes.go("notes", editor.user.create("Once", "One version"), "history")
        expect(editor.page.get_by_text("Version 1 of 1")).to_be_visible()
        expect(slider).to_be_hidden()

    def test_when_paragraphs_were_written(self):
        """each paragraph has the time of the latest version that changed it"""
        editor = self.past(FIRST, SECOND, THIRD)
        expect(self.slider(editor)).to_have_value("2")
        editor.page.get_by_role("radio", name="Paragraph dates").check()
        times = self.text(editor).locator("time")
        expect(times).to_have_count(4)
        written = [one["updated_at"] for one in
                   reversed(editor.user.must("GET", f"/notes/{editor.note}/history")["history"])]
        self.assertEqual([one.get_attribute("datetime") for one in times.all()],
                         [written[2], written[0], written[0], written[1]])

    def test_restore(self):
        """restoring an earlier text is an edit, and the history stays complete"""
        editor = self.past(FIRST, SECOND, THIRD)
        self.slider(editor).press("Home")
        expect(self.text(editor)).to_have_text(FIRST)
        editor.page.get_by_role("button", name="Restore", exact=True).click()
        expect(editor.body()).to_be_visible()
        expect(editor.line("Pack for the trip.")).to_be_visible()
        self.until(lambda: editor.saved()["body"] == FIRST)
        self.assertEqual(len(editor.user.must("GET", f"/notes/{editor.note}/history")["history"]), 4)

    def test_restore_a_copy(self):
        """a restored copy has the earlier text, and the note stays unchanged"""
        editor = self.past(FIRST, THIRD)
        self.slider(editor).press("Home")
        expect(self.text(editor)).to_have_text(FIRST)
        editor.page.get_by_role("button", name="Restore as a copy").click()
        expect(editor.line("Pack for the trip.")).to_be_visible()
        self.until(lambda: sorted(note["body"] for note in editor.user.notes().values()) == sorted([FIRST, THIRD]))
        self.assertEqual(editor.saved()["body"], THIRD)

    def test_hostile_texts_are_texts(self):
        """hostile texts in the history are shown as texts"""
        hostile = "<img src=x onerror=alert(1)>\n<script>alert(2)</script>\nשלום \u202e abc\n"
        editor = self.past("before\n", hostile)
        expect(self.text(editor).locator("ins").first).to_contain_text("<img src=x onerror=alert(1)>")
        self.assertEqual(self.text(editor).locator("img, script").count(), 0)
        editor.page.get_by_role("radio", name="Paragraph dates").check()
        expect(self.text(editor).locator("time")).to_have_count(1)

    def test_many_versions(self):
        """hundreds of versions are read page by page, each with the correct text"""
        lines = [f"Line {number} was added.\n" for number in range(130)]
        user = NotesUser(self.instance)
        note = user.create("Log", lines[0])
        size = len(lines[0])
        actions = []
        for number, line in enumerate(lines[1:]):
            actions.append(["updateNote", {"action_id": f"{note}-{number}", "id": note, "base": number + 1,
                                           "body": [size, line]}])
            size += len(line)
        user.must("POST", "/notes", actions)
        notes = Notes(self.person(application="notes"), user).sign_in()
        notes.go("notes", note, "history")
        editor = Editor(notes, note)
        expect(editor.page.get_by_text("Version 130 of 130")).to_be_visible()
        self.slider(editor).fill("64")
        expect(self.text(editor)).to_have_text("".join(lines[:65]))
        expect(self.text(editor).locator("ins")).to_have_text([lines[64]])

    def test_away(self):
        """offline, the page says that the history is on the server; a retry reads it"""
        user = NotesUser(self.instance)
        note = user.create("Trip", FIRST)
        one = self.person(application="notes")
        editor = Editor(Notes(one, user).sign_in(), note).open()
        # Load the module of the history before the network is lost.
        editor.notes.go("notes", note, "history")
        expect(self.text(editor)).to_have_text(FIRST)
        editor.open()
        go_offline(editor.page)
        editor.notes.go("notes", note, "history")
        expect(editor.page.get_by_text("History is stored on the server, which can’t be reached")).to_be_visible()
        editor.page.context.set_offline(False)
        editor.page.get_by_role("button", name="Try again").click()
        expect(self.text(editor)).to_have_text(FIRST)
        editor.page.get_by_role("link", name="Back to the note").click()
        expect(editor.body()).to_be_visible()

    def test_axe_finds_nothing_in_the_history(self):
        """axe finds nothing in the history, in light and dark"""
        found = []
        editor = self.past(FIRST, "Pack for a trip.\n\n- stove\n- lamp\n")
        expect(self.text(editor).locator("ins").first).to_be_visible()
        for view in ("Changes in this version", "Paragraph dates"):
            editor.page.get_by_role("radio", name=view).check()
            found += find_faults(editor.page, view, ".past")
        self.assertEqual(found, [])
