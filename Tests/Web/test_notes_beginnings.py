"""Tests of notes that begin with a text: the note of today, and notes made from templates."""

import re

from playwright.sync_api import expect

from support.look import find_faults
from support.notes import Notes, NotesUser, go_offline
from support.notes_editor import EditorCase


class NotesBeginningsTests(EditorCase):
    def test_note_of_today(self):
        """two devices without a connection make one note of today, which has the words of both"""
        user = NotesUser(self.instance)
        devices = [Notes(self.person(application="notes"), user).sign_in() for _ in range(2)]
        for device in devices:
            device.await_page_kept()
            device.await_server()
        for device, words in zip(devices, ("from one", "from the other")):
            go_offline(device.page)
            device.page.get_by_role("listbox", name="Notes").or_(device.page.locator(".note-list-empty")).first.wait_for()
            device.page.keyboard.press("t")
            body = device.page.get_by_role("textbox", name="Note text")
            body.click()
            device.page.keyboard.type(words)
            expect(device.page.locator(".note-status")).to_have_text(re.compile("device"))
        for device in devices:
            device.page.context.set_offline(False)
        self.until(lambda: [note["title"] for note in user.notes().values()] != [] and all(
            words in next(iter(user.notes().values()))["body"] for words in ("from one", "from the other")), user.notes)
        notes = list(user.notes().values())
        self.assertEqual(len(notes), 1)
        self.assertRegex(notes[0]["title"], r"^\w+, \w+ \d+, 20\d\d$")
        for device in devices:
            expect(device.page.locator(".note-status")).to_have_text("Synced")

    def test_note_of_today_after_removal(self):
        """the note of today is made again after it was deleted permanently"""
        notes = Notes(self.person(application="notes"), NotesUser(self.instance)).sign_in()
        page, user = notes.page, notes.user
        for words in ("the first", "the second"):
            notes.go("notes")
            page.get_by_role("listbox", name="Notes").or_(page.locator(".note-list-empty")).first.wait_for()
            page.keyboard.press("t")
            body = page.get_by_role("textbox", name="Note text")
            body.click()
            page.keyboard.type(words)
            self.until(lambda words=words: [note["body"] for note in user.notes().values()] == [words], user.notes)
            notes.await_server()
            user.act("deleteNote", id=next(iter(user.notes())))
            notes.go("trash")
            page.get_by_role("button", name="Empty Trash").click()
            notes.dialog("Delete permanently?").get_by_role("button", name="Delete permanently").click()
            expect(page.get_by_text("Trash is empty")).to_be_visible()
            notes.await_server()
        self.assertEqual(user.notes(), {})

    def test_templates(self):
        """a note made from a template has its text and its other tags"""
        editor = self.editor("- [ ] tickets\n", title="Trip", tags=["template", "travel"])
        page = editor.page
        self.assertEqual(find_faults(page, "list", ".note-list-top"), [])
        page.get_by_role("button", name="Start with…").click()
        page.get_by_role("button", name="New from template…").click()
        page.get_by_role("dialog").get_by_role("button", name="Trip").click()
        self.until(lambda: len(editor.user.notes()) == 2)
        made = next(note for key, note in editor.user.notes().items() if key != editor.note)
        self.assertEqual([made["title"], made["body"], made["tags"]], ["Trip", "- [ ] tickets\n", ["travel"]])
        expect(page.locator(".tag-chips")).to_have_text(re.compile("travel"))
