"""Tests of accounts: sessions that end, other users on the same device, and signing out."""

import re

from playwright.sync_api import expect

from support.notes import Notes, NotesCase


class NotesAccountsTests(NotesCase):
    # Sessions that end, and other users.

    def test_session_ends_in_the_middle(self):
        """a bar reports the end of the session; notes stay readable and writable; a sign-in syncs them"""
        notes = self.notes_of()
        before = notes.write("Before")
        notes.await_server()
        notes.person.checks.allow("status of 401")
        notes.user.end_sessions()
        after = notes.write("Written while signed out")
        expect(notes.bar("You’re signed out")).to_be_visible()
        notes.await_status("Signed out, 1 note not synced")
        notes.go("notes", before)
        notes.page.reload()
        notes.await_panes()
        notes.await_status("Signed out, 1 note not synced")
        self.assertNotIn(after, notes.user.notes())
        notes.bar("You’re signed out").get_by_role("button", name="Sign in").click()
        notes.paste_token(notes.dialog("Sign in again"))
        expect(notes.dialog("Sign in again")).to_have_count(0)
        expect(notes.bar("You’re signed out")).to_have_count(0)
        notes.await_server()
        self.assertEqual(notes.user.notes()[after]["title"], "Written while signed out")

    def test_session_ends_while_it_is_asked_for(self):
        """a stale response about the session does not hide that the session has ended"""
        notes = self.notes_of()
        notes.person.checks.allow("status of 401")
        answer = notes.page.evaluate("() => fetch('/development/session').then((answer) => answer.text())")
        self.assertIn(notes.user.name, answer)
        held = []
        notes.person.context.route("**/development/session", lambda route: held.append(route), times=1)
        with notes.page.expect_request("**/development/session"):
            notes.page.reload()
        notes.await_panes()
        notes.await_server()
        notes.user.end_sessions()
        notes.write("Written while signed out")
        notes.await_status("Signed out, 1 note not synced")
        held[0].fulfill(content_type="application/json", body=answer)
        expect(notes.bar("You’re signed out")).to_be_visible()

    def test_another_user_on_the_same_device(self):
        """after another user's sign-in, the page asks which notes to show; each account syncs only its own"""
        alice = self.notes_of()
        alice.person.checks.allow("status of 401")
        alice.user.end_sessions()
        written = alice.write("Of the first alone")
        alice.await_status("Signed out, 1 note not synced")
        bob = Notes(alice.person, self.user())
        bob.user.create("Of the second")
        alice.bar("You’re signed out").get_by_role("button", name="Sign in").click()
        alice.paste_token(alice.dialog("Sign in again"), bob.user)
        asked = alice.dialog("Someone else is signed in")
        expect(asked).to_contain_text("stay on this device, separate from other accounts")
        expect(asked).to_contain_text("1 of them isn’t synced yet.")
        expect(alice.account()).to_have_text(alice.user.name)
        asked.get_by_role("button", name=f"Stay here ({alice.user.name})").click()
        expect(alice.bar(f"{bob.user.name} is signed in")).to_be_visible()
        expect(alice.account()).to_have_text(alice.user.name)
        alice.bar(f"{bob.user.name} is signed in").get_by_role("button", name="Open their notes").click()
        bob.await_panes()
        bob.await_server()
        self.assertEqual([note["title"] for note in bob.user.notes().values()], ["Of the second"])
        bob.open_settings()
        bob.page.get_by_role("button", name=f"{alice.user.name}, in development").click()
        alice.await_panes()
        expect(alice.dialog("Someone else is signed in")).to_be_visible()
        alice.page.keyboard.press("Escape")
        alice.bar("is signed in").get_by_role("button", name="Sign in").click()
        alice.paste_token(alice.dialog("Sign in again"))
        alice.await_server()
        self.assertEqual([note["title"] for note in bob.user.notes().values()], ["Of the second"])
        self.assertEqual(list(alice.user.notes()), [written])

    def test_link_of_another_user(self):
        """another user's link asks before it ends the session, and leaves the local notes unchanged"""
        alice = self.notes_of()
        alice.person.checks.allow("status of 409")
        bob = self.user()
        link = bob.link()
        question = alice.dialog(f"Sign in as {bob.name} instead of {alice.user.name}?")
        for way in ("button", "Escape"):
            alice.person.open(link)
            expect(question).to_contain_text(f"This ends the session of {alice.user.name} in development")
            expect(alice.page).to_have_url(re.compile("#/development$"))
            if way == "Escape":
                alice.page.keyboard.press("Escape")
            else:
                question.get_by_role("button", name=f"Stay signed in as {alice.user.name}").click()
            expect(question).to_have_count(0)
            alice.await_panes()
            alice.await_server()
            self.assertEqual(len(alice.user.must("GET", "/sessions")), 1)
            self.assertEqual(bob.must("GET", "/sessions"), [])
        # Follow the link from another site, while the page is not open.
        alice.page.goto("about:blank")
        alice.person.open(link)
        question.get_by_role("button", name=f"Sign in as {bob.name}").click()
        dialog = alice.dialog("Someone else is signed in")
        expect(dialog).to_be_visible()
        expect(alice.account()).to_have_text(alice.user.name)
        dialog.get_by_role("button", name=f"Open the notes of {bob.name}").click()
        Notes(alice.person, bob).await_panes()

    # Signing out.

    def sign_out(self, notes):
        notes.open_settings()
        notes.page.get_by_role("button", name="Sign out…").click()
        dialog = notes.dialog("Sign out?")
        expect(dialog).to_be_visible()
        return dialog

    def test_sign_out_keeps_notes(self):
        """signing out with notes saved lets the user open them without a sign-in, and syncs nothing"""
        notes = self.notes_of()
        notes.write("Kept")
        notes.await_server()
        dialog = self.sign_out(notes)
        expect(dialog).not_to_contain_text("aren’t synced")
        dialog.get_by_role("button", name="Sign out and keep notes").click()
        expect(notes.page.get_by_role("heading", name="Sign in to development")).to_be_visible()
        self.assertEqual(notes.user.must("GET", "/sessions"), [])
        notes.person.checks.allow("status of 401")
        notes.page.get_by_role("button", name=f"Open the notes of {notes.user.name}").click()
        notes.await_panes()
        expect(notes.bar("You’re signed out")).to_be_visible()

    def test_sign_out_removes_notes_and_names_what_is_lost(self):
        """signing out lists unsynced notes before it removes them, and leaves no data"""
        notes = self.notes_of()
        notes.write("On both")
        notes.await_server()
        notes.person.checks.allow("status of 401")
        notes.user.end_sessions()
        notes.write("Only <b>here</b>")
        notes.await_status("Signed out, 1 note not synced")
        dialog = self.sign_out(notes)
        expect(dialog).to_contain_text("1 note has changes that aren’t synced")
        expect(dialog.get_by_role("listitem")).to_have_text(["Only <b>here</b>"])
        dialog.get_by_role("button", name="Close").click()
        self.assertNotEqual(self.databases(notes.page), [])
        dialog = self.sign_out(notes)
        dialog.get_by_role("button", name="Sign out and lose unsynced changes").click()
        expect(notes.page.get_by_role("heading", name="Sign in to development")).to_be_visible()
        self.assertEqual(self.databases(notes.page), [])
        self.assertNotIn(notes.user.name, notes.page.evaluate("() => JSON.stringify({...localStorage})"))
        expect(notes.page.get_by_role("button", name=re.compile("Open the notes"))).to_have_count(0)

    def test_sign_out_in_one_of_two_tabs(self):
        """notes removed in one tab disappear from the other tab, which asks for a sign-in"""
        notes = self.notes_of()
        notes.write("For a while")
        notes.await_server()
        second = notes.person.context.new_page()
        second.goto(notes.page.url)
        expect(second.locator(".account-name")).to_have_text(notes.user.name)
        self.sign_out(notes).get_by_role("button", name="Sign out and remove notes").click()
        expect(notes.page.get_by_role("heading", name="Sign in to development")).to_be_visible()
        notes.person.checks.allow("status of 401")
        expect(second.get_by_role("heading", name="Sign in to development")).to_be_visible()
        self.assertEqual(self.databases(second), [])

    def test_sign_out_without_a_network(self):
        """offline, signing out fails with a message and changes nothing"""
        notes = self.notes_of()
        notes.write("Still here")
        notes.await_server()
        notes.await_page_kept()
        notes.person.checks.allow("net::ERR_|Failed to load resource")
        notes.person.context.set_offline(True)
        dialog = self.sign_out(notes)
        dialog.get_by_role("button", name="Sign out and remove notes").click()
        expect(dialog.get_by_role("alert").last).to_contain_text("you’re still signed in")
        notes.person.context.set_offline(False)
        self.assertEqual(len(notes.user.must("GET", "/sessions")), 1)
        self.assertNotEqual(self.databases(notes.page), [])
