"""What stands around the notes: sign-in, whose notes are open, what is saved where, settings, and the ways out."""

import json
import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import BrowserCase
from support.notes import Notes, NotesUser


class NotesFrameTests(BrowserCase):
    def user(self, environment="development"):
        return NotesUser(self.instance, environment)

    def stranger(self, **options):
        return self.person(application="notes", **options)

    def notes_of(self, user=None, **options):
        """Somebody's notes in a browser of their own, signed in."""
        return Notes(self.stranger(**options), user or self.user()).sign_in()

    # Signing in.

    def test_page_says_that_it_needs_javascript(self):
        """without JavaScript the page of the notes says so, and what else there is"""
        page = self.stranger(java_script_enabled=False).open()
        expect(page.get_by_role("heading", name="Notes need JavaScript")).to_be_visible()

    def test_notes_link_works_once(self):
        """a one-time link opens the notes, leaves the address at once, and is worth nothing afterwards"""
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
        other.watch.allow("status of 4")
        other.open(link)
        alert = other.page.get_by_role("alert").filter(has_text="The link did not sign in to development")
        expect(alert).to_have_count(1)
        expect(other.page.get_by_role("heading", name="Sign in to development")).to_be_visible()

    def test_access_token_signs_in(self):
        """a user's pasted access token opens their notes, and is kept nowhere in the browser"""
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
        """a token of the console, of another environment or of nobody is refused with a reason"""
        one = self.stranger()
        one.watch.allow("status of 40[013]")
        page = one.open("#/development")
        field = page.get_by_label("Access token")
        alert = page.get_by_role("main").get_by_role("alert")
        for token, reason in ((self.instance.token("development"), "token for the console"),
                              (self.user("staging").token, "."), ("<script>alert(1)</script>", ".")):
            field.fill(token)
            page.get_by_role("button", name="Sign in", exact=True).click()
            expect(alert).to_contain_text(reason)
            expect(field).to_be_enabled()

    def test_provider_signs_in_to_notes(self):
        """who signs in at the provider comes back to the same place of their notes, and no token is in the page"""
        one = self.stranger()
        provider = urlsplit(self.instance.environments_file()["people"]["identity"]["issuer"])
        one.watch.allow_origin(f"{provider.scheme}://{provider.netloc}")
        one.watch.allow(r"ERR_NAME_NOT_RESOLVED|status of 401|http://127\.0\.0\.1")
        page = one.open("#/people/settings")
        page.get_by_role("link", name="Continue with your provider").click()
        page.locator("input[name=username]").fill("alice")
        page.locator("input[name=password]").fill("wonderland")
        page.locator("input[name=password]").press("Enter")
        page.wait_for_url(re.compile(r"^https://notes\..*#/people/settings$"))
        expect(page.locator(".account-name")).to_have_text("alice")
        expect(page.get_by_role("heading", name="Settings")).to_be_visible()
        kept = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
        self.assertNotIn("eyJ", kept)

    def test_provider_that_fails_leads_back(self):
        """a sign-in that failed at the provider is explained, and the notes that are here stay at hand"""
        one = self.stranger()
        one.watch.allow("status of 401")
        page = one.open("#/people/sign-in?problem=identity-provider-away")
        expect(page.get_by_role("alert").filter(has_text="Your provider does not answer")).to_be_visible()
        notes = self.notes_of()
        notes.go("sign-in", query="?problem=sign-in-expired")
        dialog = notes.dialog("Sign in again")
        expect(dialog.get_by_role("alert")).to_contain_text("This sign-in took too long")
        expect(notes.account()).to_have_text(notes.user.name)

    def test_choice_of_environments(self):
        """without an environment in the address one chooses; with notes here, the last ones open"""
        one = self.stranger()
        page = one.open()
        expect(page.get_by_role("heading", name="Where are your notes?")).to_be_visible()
        page.get_by_role("link", name=re.compile("^staging")).click()
        expect(page.get_by_role("heading", name="Sign in to staging")).to_be_visible()
        notes = Notes(one, self.user("staging"))
        notes.paste_token(page)
        notes.await_panes()
        one.open()
        notes.await_panes()
        self.assertTrue(one.page.url.endswith("#/staging"), one.page.url)

    def test_no_such_environment(self):
        """an address that no environment can have is said to lead nowhere"""
        page = self.stranger().open("#/No%20where")
        expect(page.get_by_role("alert").filter(has_text="There is no environment No where here")).to_be_visible()

    # Sessions that end, and other users.

    def test_session_ends_in_the_middle(self):
        """when the session ends a bar says so, notes are read and written on, and signing in sends what was written"""
        notes = self.notes_of()
        before = notes.write("Before")
        notes.await_server()
        notes.person.watch.allow("status of 401")
        notes.user.end_sessions()
        after = notes.write("Written while signed out")
        expect(notes.bar("You are signed out")).to_be_visible()
        notes.await_status("Signed out, 1 note only on this device")
        notes.go("notes", before)
        notes.page.reload()
        notes.await_panes()
        notes.await_status("Signed out, 1 note only on this device")
        self.assertNotIn(after, notes.user.notes())
        notes.bar("You are signed out").get_by_role("button", name="Sign in").click()
        notes.paste_token(notes.dialog("Sign in again"))
        expect(notes.dialog("Sign in again")).to_have_count(0)
        expect(notes.bar("You are signed out")).to_have_count(0)
        notes.await_server()
        self.assertEqual(notes.user.notes()[after]["title"], "Written while signed out")

    def test_another_user_on_the_same_device(self):
        """another user's sign-in asks whose notes to show; both stay apart, and nothing of one is sent for the other"""
        alice = self.notes_of()
        alice.person.watch.allow("status of 401")
        alice.user.end_sessions()
        written = alice.write("Of the first alone")
        alice.await_status("Signed out, 1 note only on this device")
        bob = Notes(alice.person, self.user())
        bob.user.create("Of the second")
        alice.bar("You are signed out").get_by_role("button", name="Sign in").click()
        alice.paste_token(alice.dialog("Sign in again"), bob.user)
        asked = alice.dialog("Somebody else is signed in")
        expect(asked).to_contain_text("stay on this device, apart")
        expect(asked).to_contain_text("1 of them is not on the server yet.")
        expect(alice.account()).to_have_text(alice.user.name)
        asked.get_by_role("button", name=f"Stay with {alice.user.name}").click()
        expect(alice.bar(f"{bob.user.name} is signed in")).to_be_visible()
        expect(alice.account()).to_have_text(alice.user.name)
        alice.bar(f"{bob.user.name} is signed in").get_by_role("button", name="Open theirs").click()
        bob.await_panes()
        bob.await_server()
        self.assertEqual([note["title"] for note in bob.user.notes().values()], ["Of the second"])
        bob.open_settings()
        bob.page.get_by_role("button", name=f"{alice.user.name}, in development").click()
        alice.await_panes()
        expect(alice.dialog("Somebody else is signed in")).to_be_visible()
        alice.page.keyboard.press("Escape")
        alice.bar("is signed in").get_by_role("button", name="Sign in").click()
        alice.paste_token(alice.dialog("Sign in again"))
        alice.await_server()
        self.assertEqual([note["title"] for note in bob.user.notes().values()], ["Of the second"])
        self.assertEqual(list(alice.user.notes()), [written])

    def test_link_of_another_user(self):
        """a link that signs in somebody else does not put their notes in the place of those that are here"""
        alice = self.notes_of()
        bob = self.user()
        alice.person.open(bob.link())
        dialog = alice.dialog("Somebody else is signed in")
        expect(dialog).to_be_visible()
        expect(alice.account()).to_have_text(alice.user.name)
        dialog.get_by_role("button", name=f"Open the notes of {bob.name}").click()
        Notes(alice.person, bob).await_panes()

    # Signing out.

    def sign_out(self, notes):
        notes.open_settings()
        notes.page.get_by_role("button", name="Sign out …").click()
        dialog = notes.dialog("Sign out")
        expect(dialog).to_be_visible()
        return dialog

    def databases(self, page):
        return page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")

    def test_sign_out_keeps_notes(self):
        """who signs out and keeps the notes can open them without signing in, and nothing is synced"""
        notes = self.notes_of()
        notes.write("Kept")
        notes.await_server()
        dialog = self.sign_out(notes)
        expect(dialog).not_to_contain_text("not on the server")
        dialog.get_by_role("button", name="Sign out, keep the notes").click()
        expect(notes.page.get_by_role("heading", name="Sign in to development")).to_be_visible()
        self.assertEqual(notes.user.must("GET", "/sessions"), [])
        notes.person.watch.allow("status of 401")
        notes.page.get_by_role("button", name=f"Open the notes of {notes.user.name}").click()
        notes.await_panes()
        expect(notes.bar("You are signed out")).to_be_visible()

    def test_sign_out_removes_notes_and_names_what_is_lost(self):
        """signing out names the notes that no server has before it removes them, and then nothing is left"""
        notes = self.notes_of()
        notes.write("On both")
        notes.await_server()
        notes.person.watch.allow("status of 401")
        notes.user.end_sessions()
        notes.write("Only <b>here</b>")
        notes.await_status("Signed out, 1 note only on this device")
        dialog = self.sign_out(notes)
        expect(dialog).to_contain_text("1 note is not on the server")
        expect(dialog.get_by_role("listitem")).to_have_text(["Only <b>here</b>"])
        dialog.get_by_role("button", name="Close").click()
        self.assertNotEqual(self.databases(notes.page), [])
        dialog = self.sign_out(notes)
        dialog.get_by_role("button", name="Sign out, remove and lose them").click()
        expect(notes.page.get_by_role("heading", name="Sign in to development")).to_be_visible()
        self.assertEqual(self.databases(notes.page), [])
        self.assertNotIn(notes.user.name, notes.page.evaluate("() => JSON.stringify({...localStorage})"))
        expect(notes.page.get_by_role("button", name=re.compile("Open the notes"))).to_have_count(0)

    def test_sign_out_in_one_of_two_tabs(self):
        """notes that are removed in one tab are gone from the other, which asks for a sign-in"""
        notes = self.notes_of()
        notes.write("For a while")
        notes.await_server()
        second = notes.person.context.new_page()
        second.goto(notes.page.url)
        expect(second.locator(".account-name")).to_have_text(notes.user.name)
        self.sign_out(notes).get_by_role("button", name="Sign out and remove the notes").click()
        expect(notes.page.get_by_role("heading", name="Sign in to development")).to_be_visible()
        notes.person.watch.allow("status of 401")
        expect(second.get_by_role("heading", name="Sign in to development")).to_be_visible()
        self.assertEqual(self.databases(second), [])

    def test_sign_out_without_a_network(self):
        """without a network nobody is signed out, and it is said that nothing was done"""
        notes = self.notes_of()
        notes.write("Still here")
        notes.await_server()
        notes.person.watch.allow("net::ERR_|Failed to load resource")
        notes.person.context.set_offline(True)
        dialog = self.sign_out(notes)
        dialog.get_by_role("button", name="Sign out and remove the notes").click()
        expect(dialog.get_by_role("alert").last).to_contain_text("Nothing was done")
        notes.person.context.set_offline(False)
        self.assertEqual(len(notes.user.must("GET", "/sessions")), 1)
        self.assertNotEqual(self.databases(notes.page), [])

    # What is saved where.

    def test_start_without_a_network(self):
        """the last notes of this device open without a network, and what is written then is sent afterwards"""
        notes = self.notes_of()
        first = notes.write("Written with a network")
        notes.await_server()
        notes.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        notes.person.watch.allow("net::ERR_|Failed to load resource")
        notes.person.context.set_offline(True)
        notes.page.reload()
        notes.await_panes()
        notes.await_status("Offline")
        notes.go("notes", first)
        second = notes.write("Written without")
        notes.await_status("Offline, 1 note only on this device")
        notes.person.context.set_offline(False)
        notes.await_server()
        self.assertIn(second, notes.user.notes())

    def test_first_sign_in_without_a_network(self):
        """without a network and without notes here, the page says what it waits for, and goes on by itself"""
        one = self.stranger()
        one.watch.allow("net::ERR_|Failed to load resource")
        page = one.open()
        page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        one.context.set_offline(True)
        page.reload()
        expect(page.get_by_role("heading", name="Waiting for the network")).to_be_visible()
        one.context.set_offline(False)
        expect(page.get_by_role("heading", name="Where are your notes?")).to_be_visible()

    def test_refused_changes_are_listed(self):
        """a note that the server refuses is listed with the reason, kept as a new one or let go of, as its user says"""
        notes = self.notes_of()
        too_long = "a title that is too long " * 60
        for _ in range(2):
            notes.write(too_long)
        notes.await_status("2 notes need attention")
        notes.status().click()
        dialog = notes.dialog("What is saved where")
        rows = dialog.get_by_role("listitem")
        expect(rows).to_have_count(2)
        rows.first.get_by_role("button", name="Let go of the change").click()
        expect(rows).to_have_count(1)
        rows.first.get_by_role("button", name="Let go of the change").click()
        expect(rows).to_have_count(0)
        expect(dialog.get_by_role("status").first).to_have_text("All on the server")
        self.assertEqual(notes.user.notes(), {})

    def lose_notes(self):
        """Notes that are here and were lost by the server."""
        notes = self.notes_of()
        for number in range(5):
            notes.user.create(f"Note {number}")
        notes.page.reload()
        notes.await_panes()
        notes.await_server()
        notes.person.watch.allow("status of 401")
        self.assertEqual(notes.user.call("DELETE", "/account").status, 204)
        notes.user.create("The only one")
        notes.page.reload()
        expect(notes.bar("You are signed out")).to_be_visible()
        notes.person.open(notes.user.link())
        expect(notes.bar("You are signed out")).to_have_count(0)
        return notes, notes.dialog("Notes are missing on the server")

    def test_lost_notes_are_kept(self):
        """when the server has lost many notes it is asked once what becomes of them; those that are kept are sent"""
        notes, dialog = self.lose_notes()
        expect(dialog).to_contain_text(re.compile("5 of your [56] notes are not on the server any more"))
        dialog.get_by_role("button", name="Close").or_(dialog.get_by_role("button", name="Decide later")).first.click()
        expect(notes.bar("Sync waits for your decision")).to_be_visible()
        notes.bar("Sync waits for your decision").get_by_role("button", name="Decide …").click()
        dialog.get_by_role("button", name="Keep them").click()
        notes.await_server()
        expect(notes.bar("Sync waits for your decision")).to_have_count(0)
        self.assertEqual(len(notes.user.notes()), 6)

    def test_lost_notes_are_put_into_the_trash(self):
        """notes that the server has lost are put into the trash where their user says so, and are not sent"""
        notes, dialog = self.lose_notes()
        dialog.get_by_role("button", name="Move to the trash").click()
        notes.await_server()
        self.assertEqual([note["title"] for note in notes.user.notes().values()], ["The only one"])

    def test_notes_of_a_newer_version(self):
        """notes that a newer version has kept are left alone, and the page says what to do"""
        notes = self.notes_of()
        notes.await_server()
        name = self.databases(notes.page)[0]
        notes.page.evaluate(NEWER, name)
        notes.go("new", query="?title=Too%20late")
        expect(notes.bar("These notes were kept by a newer version")).to_be_visible()
        notes.bar("These notes were kept by a newer version").get_by_role("button", name="Reload").click()
        expect(notes.page.get_by_role("heading", name="These notes were kept by a newer version")).to_be_visible()
        expect(notes.page.get_by_role("button", name="Reload")).to_be_visible()
        self.assertIn(name, self.databases(notes.page))

    def test_no_room_is_left(self):
        """without room on the disk the page says so over the open notes, nothing that was saved is lost, and it goes on"""
        notes = self.notes_of()
        kept = notes.write("Saved before")
        notes.await_server()
        session = notes.person.context.new_cdp_session(notes.page)
        session.send("Storage.overrideQuotaForOrigin", {"origin": notes.person.origin, "quotaSize": 1})
        notes.go("new", query="?" + "body=" + "x" * 300_000)
        bar = notes.bar("There is no room left")
        expect(bar).to_be_visible()
        expect(bar.get_by_role("button", name="Save what can be read")).to_be_visible()
        with notes.page.expect_download() as download:
            bar.get_by_role("button", name="Save what can be read").click()
        with open(download.value.path(), encoding="utf-8") as file:
            self.assertIn((kept, "Saved before"), [(note["id"], note["title"]) for note in json.load(file)])
        session.send("Storage.overrideQuotaForOrigin", {"origin": notes.person.origin})
        after = notes.write("Saved afterwards")
        expect(bar).to_have_count(0)
        notes.await_server()
        self.assertEqual(set(notes.user.notes()), {kept, after})

    # Settings.

    def test_install_is_offered(self):
        """where the browser offers to install the page, the settings do"""
        notes = self.notes_of()
        notes.page.evaluate("""() => {
            const offer = new Event('beforeinstallprompt', { cancelable: true });
            offer.prompt = async () => { globalThis.asked = true; };
            dispatchEvent(offer);
        }""")
        notes.open_settings()
        button = notes.page.get_by_role("button", name="Install")
        button.click()
        expect(button).to_be_hidden()
        self.assertTrue(notes.page.evaluate("() => globalThis.asked"))

    def test_settings(self):
        """the settings say how the notes are kept and checked, and change language and colours at once"""
        notes = self.notes_of()
        notes.write("One")
        notes.await_server()
        notes.open_settings()
        page = notes.page
        storage = page.get_by_role("region", name="Storage")
        expect(storage).to_contain_text(re.compile(r"Kept by this browser(for good|until it needs the room)"))
        expect(storage).to_contain_text(re.compile(r"Room.* of .* used"))
        expect(storage).to_contain_text("Notes not on the server0")
        storage.get_by_role("button", name="Check now").click()
        notes.await_server()
        page.get_by_label("Theme").select_option("dark")
        self.assertEqual(page.evaluate("() => getComputedStyle(document.documentElement).colorScheme"), "dark")
        page.get_by_label("Language").select_option("de")
        expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
        self.assertEqual(page.evaluate("() => document.documentElement.lang"), "de")
        expect(notes.status()).to_have_text("Alles auf dem Server")
        page.reload()
        expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
        self.assertEqual(page.evaluate("() => getComputedStyle(document.documentElement).colorScheme"), "dark")

    def test_help_lists_keys(self):
        """the question mark lists the keys, but not in a field"""
        notes = self.notes_of()
        notes.page.keyboard.press("?")
        dialog = notes.dialog("Keys")
        expect(dialog.get_by_text("Settings")).to_be_visible()
        notes.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        notes.page.keyboard.press("g")
        notes.page.keyboard.press("s")
        expect(notes.page.get_by_role("heading", name="Settings")).to_be_visible()

    def test_shortcut_makes_one_note(self):
        """an address that asks for a new note makes one, and none when one comes back to it"""
        notes = self.notes_of()
        note = notes.write("From elsewhere", "shared")
        notes.page.go_back()
        notes.page.go_forward()
        notes.page.reload()
        notes.await_panes()
        notes.await_server()
        found = notes.user.notes()
        self.assertEqual(list(found), [note])
        self.assertEqual((found[note]["title"], found[note]["body"]), ("From elsewhere", "shared"))


NEWER = """
(name) => new Promise((done, failed) => {
    const request = indexedDB.open(name, 1_000_000);
    request.onsuccess = () => { request.result.close(); done(); };
    request.onerror = () => failed(request.error);
})
"""
