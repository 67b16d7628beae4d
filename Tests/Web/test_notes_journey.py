"""Test of offline edits in two tabs and an edit elsewhere, merged into one text."""

import os
import subprocess
import tempfile

from playwright.sync_api import expect

from support.case import BrowserCase
from support.instance import CHECKOUT
from support.notes import Notes, NotesUser
from support.notes_editor import Editor

PLAN = "The harbour opens at nine. We meet there.\n\nBring bread.\n\nSee you.\n"
BOTH = "The harbour opens at ten. We meet there. Ask Lena.\n\nBring bread and olives.\n\nSee you.\n"


class NotesJourneyTests(BrowserCase):
    def test_two_tabs_offline_and_an_edit_elsewhere(self):
        """offline edits in two tabs and one by `almanac note edit` merge; carets stay, undo reverts own words only"""
        user = NotesUser(self.instance)
        note = user.create("Plan", PLAN)
        one = self.person(application="notes")
        notes = Notes(one, user).sign_in()
        first = Editor(notes, note).open()
        first.await_server()
        notes.await_page_kept()

        one.context.set_offline(True)
        one.page.reload()
        expect(first.body()).to_contain_text("The harbour opens at nine.")
        page = one.context.new_page()
        page.goto(one.page.url)
        second = Editor(notes, note, page)
        expect(second.body()).to_contain_text("Bring bread.")

        first.caret_at_end_of("The harbour opens")
        first.type(" Ask Lena.")
        expect(first.status()).to_have_text("Saved on this device")
        second.line("Bring bread.").click()
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        page.keyboard.type(" and olives")
        expect(second.status()).to_have_text("Saved on this device")
        # The tabs exchange their edits without a network.
        expect(first.body()).to_contain_text("Bring bread and olives.")
        expect(second.body()).to_contain_text("We meet there. Ask Lena.")
        self.edit_elsewhere(user, note, "s/opens at nine/opens at ten/")
        self.assertEqual(first.saved()["body"], PLAN.replace("nine", "ten"))

        one.context.set_offline(False)
        for editor in (first, second):
            expect(editor.body().locator(".cm-line")).to_have_text(BOTH.split("\n"))
            editor.await_server()
        self.assertEqual(first.saved()["body"], BOTH)

        # The caret is still behind the typed text.
        page.keyboard.type(" and figs")
        expect(second.body()).to_contain_text("Bring bread and olives and figs.")
        second.await_server()
        expect(first.body()).to_contain_text("and figs.")
        one.page.keyboard.type(" Or Ben.")
        expect(first.body()).to_contain_text("We meet there. Ask Lena. Or Ben.")
        while "Ask Lena" in first.body().inner_text():
            before = first.body().inner_text()
            one.page.keyboard.press("Control+z")
            expect(first.body()).not_to_have_text(before, use_inner_text=True)
        first.await_server()
        self.assertEqual(first.saved()["body"], BOTH.replace(" Ask Lena.", "").replace("olives", "olives and figs"))
        page.close()

    def edit_elsewhere(self, user, note, program):
        """Edits the text on another machine of the user, with the command line."""
        with tempfile.TemporaryDirectory() as home:
            token = os.path.join(home, "token")
            with open(token, "w", encoding="ascii") as file:
                file.write(user.token)
            variables = {**os.environ, "HOME": home, "XDG_DATA_HOME": os.path.join(home, "data"), "VISUAL": "",
                         "EDITOR": f"sed -i '{program}'", "ALMANAC_URL": self.instance.url,
                         "ALMANAC_ENVIRONMENT": user.environment, "ALMANAC_TOKEN_FILE": token,
                         "ALMANAC_CA_FILE": os.path.join(self.instance.home, "tls", "ca.pem")}
            subprocess.run([os.path.join(self.instance.home, "bin", "almanac"), "note", "edit", note],
                           env=variables, check=True, timeout=60, capture_output=True, cwd=CHECKOUT)
