"""Tests of the notes' frame: sign-in, sync status and settings."""

import re
import uuid
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.notes import Notes, NotesCase, NotesUser


class NotesFrameTests(NotesCase):
    # Signing in.

    def test_page_says_that_it_needs_javascript(self):
        """without JavaScript, the page of the notes says so and names alternatives"""
        page = self.stranger(java_script_enabled=False).open()
        expect(page.get_by_role("heading", name="Turn on JavaScript to use Notes")).to_be_visible()

    def test_notes_link_works_once(self):
        """a one-time link opens the notes once, and disappears from the address at once"""
        user = self.user()
        user.create("Written elsewhere")
        link = user.link()
        one = self.stranger()
        notes = Notes(one, user)
        one.open(link)
        notes.await_panes()
        notes.await_server()
        self.assertNotIn(link.split("=")[1], one.page.url)
        other = self.stranger()
        other.checks.allow("status of 4")
        other.open(link)
        alert = other.page.get_by_role("alert").filter(has_text="Couldn’t sign in to development with this link")
        expect(alert).to_have_count(1)
        expect(other.page.get_by_role("heading", name="Sign in to development")).to_be_visible()

    def test_access_token_signs_in(self):
        """a pasted access token opens the user's notes, and is not stored in the browser"""
        one = self.stranger()
        notes = Notes(one, self.user())
        one.open("#/development")
        expect(one.page.get_by_label("Access token")).to_be_focused()
        notes.paste_token(one.page)
        notes.await_panes()
        kept = one.page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
        self.assertNotIn("eyJ", kept)
        self.assertNotIn(notes.user.token, one.page.content())

    def test_tokens_that_open_no_notes_are_explained(self):
        """a token of the console, of another environment, or an invalid one is refused with a reason"""
        one = self.stranger()
        one.checks.allow("status of 40[013]")
        page = one.open("#/development")
        field = page.get_by_label("Access token")
        alert = page.get_by_role("main").get_by_role("alert")
        for token, reason in ((self.instance.token("development"), "This token is for the console"),
                              (self.user("staging").token, "."), ("<script>alert(1)</script>", ".")):
            field.fill(token)
            page.get_by_role("button", name="Sign in", exact=True).click()
            expect(alert).to_contain_text(reason)
            expect(field).to_be_enabled()

    def test_provider_signs_in_to_notes(self):
        """a public environment leads straight to its provider and back to the place; the page contains no token

        After signing out, the page waits until the user goes on."""
        one = self.stranger()
        provider = urlsplit(self.instance.environments_file()["people"]["identity"]["issuer"])
        one.checks.allow_origin(f"{provider.scheme}://{provider.netloc}")
        one.checks.allow(r"ERR_NAME_NOT_RESOLVED|status of 401|http://127\.0\.0\.1")
        listed = {"name": "people", "config_read": "everyone", "sign_in": ["provider", "token"], "session": None}
        page = one.page
        page.route("**/environments", lambda route: route.fulfill(json=[listed]), times=1)
        one.open("#/people/settings")
        page.locator("input[name=username]").fill("alice")
        page.locator("input[name=password]").fill("wonderland")
        page.locator("input[name=password]").press("Enter")
        page.wait_for_url(re.compile(r"^https://notes\..*#/people/settings$"))
        expect(page.locator(".account-name")).to_have_text("alice")
        expect(page.get_by_role("heading", name="Settings")).to_be_visible()
        kept = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
        self.assertNotIn("eyJ", kept)
        page.route("**/environments", lambda route: route.fulfill(json=[listed]))
        page.get_by_role("button", name="Sign out…").click()
        page.get_by_role("button", name="Sign out and remove notes").click()
        expect(page.get_by_role("link", name="Continue", exact=True)).to_be_visible()
        page.reload()
        page.get_by_role("link", name="Continue", exact=True).click()
        expect(page.locator("input[name=username]")).to_be_visible()

    def test_provider_that_fails_leads_back(self):
        """a failed sign-in at the provider is explained, and local notes stay available"""
        one = self.stranger()
        one.checks.allow("status of 401")
        page = one.open("#/people/{not|a^path}")
        expect(page.get_by_role("link", name="Continue", exact=True)).to_have_attribute(
            "href", "/people/session/login?return=%2Fpeople")
        page.get_by_text("Sign in with an access token").click()
        expect(page.get_by_role("main")).to_contain_text("isn’t stored in the browser")
        self.assertNotIn("almanac ", page.get_by_role("main").inner_text())
        page = one.open("#/people/sign-in?problem=identity-provider-away")
        expect(page.get_by_role("alert").filter(has_text="The sign-in service isn’t responding")).to_be_visible()
        notes = self.notes_of()
        notes.go("sign-in", query="?problem=sign-in-expired")
        dialog = notes.dialog("Sign in again")
        expect(dialog.get_by_role("alert")).to_contain_text("This sign-in expired")
        expect(notes.account()).to_have_text(notes.user.name)

    def test_choice_of_environments(self):
        """without an environment in the address, the user selects one; with local notes, the last ones open"""
        one = self.stranger()
        page = one.open()
        expect(page.get_by_role("heading", name="Choose where to sign in")).to_be_visible()
        page.get_by_role("link", name=re.compile("^staging")).click()
        expect(page.get_by_role("heading", name="Sign in to staging")).to_be_visible()
        notes = Notes(one, self.user("staging"))
        notes.paste_token(page)
        notes.await_panes()
        one.open()
        notes.await_panes()
        self.assertTrue(one.page.url.endswith("#/staging"), one.page.url)

    def test_no_such_environment(self):
        """an address with an environment or a note that is unknown says so, with a way on"""
        page = self.stranger().open("#/No%20where")
        expect(page.get_by_role("alert").filter(has_text="“No where” doesn’t exist here")).to_be_visible()
        page = self.stranger().open("#/elsewhere")
        expect(page.get_by_role("alert").filter(has_text="“elsewhere” isn’t listed here")).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("^staging"))).to_be_visible()
        notes = self.notes_of()
        notes.go("notes", uuid.uuid4())
        expect(notes.page.get_by_role("heading", name="Note not found")).to_be_visible()
        notes.page.get_by_role("main").get_by_role("link", name="All notes").click()
        expect(notes.page).to_have_url(re.compile("#/development$"))

    # Sync status.

    def test_start_without_a_network(self):
        """the device's last notes open offline, and text written offline is sent later"""
        notes = self.notes_of()
        first = notes.write("Written with a network")
        notes.await_server()
        notes.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        notes.person.checks.allow("net::ERR_|Failed to load resource")
        notes.person.context.set_offline(True)
        notes.page.reload()
        notes.await_panes()
        notes.await_status("Offline")
        notes.go("notes", first)
        second = notes.write("Written without")
        notes.await_status("Offline, 1 note not synced")
        notes.person.context.set_offline(False)
        notes.await_server()
        self.assertIn(second, notes.user.notes())

    def test_network_goes_while_nothing_happens(self):
        """the status shows at once that the network is lost, and that it is back"""
        notes = self.notes_of()
        notes.await_server()
        notes.await_page_kept()
        for _ in range(2):
            notes.person.context.set_offline(True)
            notes.await_status("Offline")
            notes.person.context.set_offline(False)
            notes.await_server()

    def test_first_sign_in_without_a_network(self):
        """offline and without local notes, the page says that it waits, and continues automatically"""
        one = self.stranger()
        one.checks.allow("net::ERR_|Failed to load resource")
        page = one.open()
        page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        one.context.set_offline(True)
        page.reload()
        expect(page.get_by_role("heading", name="You’re offline")).to_be_visible()
        one.context.set_offline(False)
        expect(page.get_by_role("heading", name="Choose where to sign in")).to_be_visible()

    def test_refused_changes_are_listed(self):
        """refused notes are listed with the reason, and the user can discard them"""
        notes = self.notes_of()
        too_long = "a title that is too long " * 60
        for _ in range(2):
            notes.write(too_long)
        notes.await_status("2 notes need attention")
        notes.status().click()
        dialog = notes.dialog("Sync status")
        rows = dialog.get_by_role("listitem")
        expect(rows).to_have_count(2)
        rows.first.get_by_role("button", name="Discard change").click()
        expect(rows).to_have_count(1)
        rows.first.get_by_role("button", name="Discard change").click()
        expect(rows).to_have_count(0)
        expect(dialog.get_by_role("status").first).to_have_text("All notes synced")
        self.assertEqual(notes.user.notes(), {})

    def test_refused_change_is_kept_as_a_new_note(self):
        """a text whose note was purged elsewhere can be saved as a new note, which is then sent"""
        notes = self.notes_of()
        note = notes.user.create("Removed elsewhere", "milk")
        notes.page.reload()
        notes.await_panes()
        notes.await_server()
        calls = "**/development/notes*"
        notes.person.checks.allow("net::ERR_FAILED")
        notes.person.context.route(calls, lambda route: route.abort())
        notes.go("notes", note)
        body = notes.page.get_by_role("textbox", name="Note text")
        body.click()
        notes.page.keyboard.press("Control+End")
        notes.page.keyboard.type(" and bread")
        notes.await_status(re.compile("1 note"))
        notes.user.act("deleteNote", id=note)
        notes.user.act("purgeNote", id=note)
        notes.person.context.unroute(calls)
        notes.status().click()
        dialog = notes.dialog("Sync status")
        dialog.get_by_role("button", name="Sync now").click()
        rows = dialog.get_by_role("listitem")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("Removed elsewhere")
        rows.get_by_role("button", name="Save as a new note").click()
        expect(rows).to_have_count(0)
        expect(dialog.get_by_role("status").first).to_have_text("All notes synced")
        [(kept, there)] = notes.user.notes().items()
        self.assertNotEqual(kept, note)
        self.assertEqual((there["title"], there["body"]), ("Removed elsewhere", "milk and bread"))

    def lose_notes(self):
        """Creates notes, and removes them from the server."""
        notes = self.notes_of()
        for number in range(5):
            notes.user.create(f"Note {number}")
        notes.page.reload()
        notes.await_panes()
        notes.await_server()
        notes.person.checks.allow("status of 401")
        self.assertEqual(notes.user.call("DELETE", "/account").status, 204)
        notes.user.create("The only one")
        notes.page.reload()
        expect(notes.bar("You’re signed out")).to_be_visible()
        notes.person.open(notes.user.link())
        expect(notes.bar("You’re signed out")).to_have_count(0)
        return notes, notes.dialog("Notes are missing from the server")

    def test_lost_notes_are_kept(self):
        """a user whose notes the server has lost is asked once; notes to keep are sent again"""
        notes, dialog = self.lose_notes()
        expect(dialog).to_contain_text(re.compile("5 of your [56] notes are no longer on the server"))
        dialog.get_by_role("button", name="Close").or_(dialog.get_by_role("button", name="Decide later")).first.click()
        expect(notes.bar("Sync paused: your decision needed")).to_be_visible()
        notes.bar("Sync paused: your decision needed").get_by_role("button", name="Review…").click()
        dialog.get_by_role("button", name="Keep notes").click()
        notes.await_server()
        expect(notes.bar("Sync paused: your decision needed")).to_have_count(0)
        self.assertEqual(len(notes.user.notes()), 6)

    def test_lost_notes_are_put_into_the_trash(self):
        """notes that the server has lost are moved to the trash on request, and not sent"""
        notes, dialog = self.lose_notes()
        dialog.get_by_role("button", name="Move to Trash").click()
        notes.await_server()
        self.assertEqual([note["title"] for note in notes.user.notes().values()], ["The only one"])

    # Settings.

    def test_install_is_offered(self):
        """the settings offer an installation if the browser does"""
        notes = self.notes_of()
        notes.page.evaluate("""() => {
            const offer = new Event('beforeinstallprompt', { cancelable: true });
            offer.prompt = async () => { globalThis.asked = true; };
            dispatchEvent(offer);
        }""")
        notes.open_settings()
        button = notes.page.get_by_role("button", name="Install app")
        button.click()
        expect(button).to_be_hidden()
        self.assertTrue(notes.page.evaluate("() => globalThis.asked"))

    def test_settings(self):
        """the settings show storage and sync status, and change language, theme and the looks of notes at once"""
        notes = self.notes_of()
        notes.write("One", "two")
        address = notes.page.url
        notes.await_server()
        notes.open_settings()
        page = notes.page
        storage = page.get_by_role("region", name="Storage")
        expect(storage).to_contain_text(re.compile(r"Protected from automatic deletion(Yes|No)"))
        expect(storage).to_contain_text(re.compile(r"Storage used.+ of .+"))
        expect(storage).to_contain_text("Notes not synced0")
        storage.get_by_role("button", name="Sync now").click()
        notes.await_server()
        page.get_by_label("Theme").select_option("dark")
        self.assertEqual(page.evaluate("() => getComputedStyle(document.documentElement).colorScheme"), "dark")
        for label, value in (("Text size", "large"), ("Line width", "narrow"), ("Font of notes", "mono")):
            page.get_by_label(label).select_option(value)
        page.get_by_label("Language").select_option("de")
        expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
        self.assertEqual(page.evaluate("() => document.documentElement.lang"), "de")
        expect(notes.status()).to_have_text("Alles synchronisiert")
        page.reload()
        expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
        self.assertEqual(page.evaluate("() => getComputedStyle(document.documentElement).colorScheme"), "dark")
        page.goto(address)
        for place in (".note-body .cm-line", ".note-preview p"):
            text = page.locator(place)
            expect(text).to_have_css("font-size", "20px")
            expect(text).to_have_css("font-family", re.compile("monospace"))
            page.keyboard.press("Control+Enter")
        expect(page.locator(".note")).to_have_css("max-width", "576px")

    def test_long_names_of_users(self):
        """a long user name is truncated and does not widen the sidebar"""
        user = NotesUser(self.instance, name=f"auth0|{uuid.uuid4().hex}@directory.example.org")
        notes = self.notes_of(user)
        side = notes.page.locator("#side")
        self.assertEqual(*side.evaluate("(side) => [side.scrollWidth, side.clientWidth]"))
        expect(notes.page.locator("#side").get_by_role("button", name="Keyboard shortcuts")).to_be_in_viewport(ratio=1)

    def test_help_lists_keys(self):
        """the question mark lists the shortcuts, except in a field"""
        notes = self.notes_of()
        notes.page.keyboard.press("?")
        dialog = notes.dialog("Keyboard shortcuts")
        expect(dialog.get_by_text("Settings")).to_be_visible()
        expect(dialog.locator(".dialog-body")).to_be_focused()
        # The list includes a note's shortcuts even if no note is open.
        for name in ("New note", "Preview", "Toggle checklist", "Find in note", "Bold"):
            expect(dialog.get_by_text(name, exact=True)).to_have_count(1)
        notes.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        notes.page.keyboard.press("g")
        notes.page.keyboard.press("s")
        expect(notes.page.get_by_role("heading", name="Settings")).to_be_visible()

    def test_shortcut_makes_one_note(self):
        """an address with a note's text creates one note after a confirmation, and none on a return to the address"""
        notes = self.notes_of()
        note = notes.write("From elsewhere", "shared")
        notes.page.go_back()
        notes.page.go_forward()
        notes.page.reload()
        notes.await_panes()
        notes.await_server()
        expect(notes.question()).to_have_count(0)
        found = notes.user.notes()
        self.assertEqual(list(found), [note])
        self.assertEqual((found[note]["title"], found[note]["body"]), ("From elsewhere", "shared"))
