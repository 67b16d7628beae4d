"""Tests of people: invitations, passkeys, roles, removal, and the owners of tokens."""

import re

from playwright.sync_api import expect

from support.authenticator import Authenticator
from support.console import Console
from support.look import find_faults
from support.people import PeopleCase
from support.step_pictures import StepPictures


class PeopleTests(PeopleCase):
    def test_passkey_from_the_invitation_to_the_removal(self):
        """an invited person creates a passkey, signs in to two environments by one ceremony, loses the device, gets
        another passkey by a new invitation, and is removed, which the open page says at once"""
        for environment in ("development", "staging"):
            self.instance.begin(environment, {"app.greeting": "Hello"})
        admin = self.operator("development", "staging")
        ada = self.person()
        device = Authenticator(ada.page)
        pictures = StepPictures(ada.page, "passkey", ("light", "dark"))
        link = self.invite(admin, "development", "Ada Lovelace", "editor")
        secret = link.rpartition("/")[2]
        page = self.open_link(ada, link)
        expect(page.get_by_text("Operator invited Ada Lovelace as Editor.")).to_be_visible()
        self.assertNotIn(secret, page.url)
        pictures.take("invitation")
        page.get_by_role("button", name="Create a passkey").click()
        expect(page.get_by_role("heading", name="You’re signed in to development")).to_be_focused()
        pictures.take("second-key")
        page.get_by_role("button", name="Not now").click()
        console = self.await_entries(ada, "development")
        self.assertEqual(len(device.passkeys()), 1)
        console.edit_text("app.greeting", "Good morning")
        console.review()
        console.save("Greet by the time of day")
        page.reload()
        expect(console.row("app.greeting")).to_contain_text("Ada Lovelace")
        console.open_screen("releases")
        expect(page.get_by_role("link", name=re.compile("Greet by the time of day"))).to_contain_text("Ada Lovelace")
        pictures.take("releases")

        # The passkey that is there opens another environment.
        page = self.open_link(ada, self.invite(admin, "staging", "Ada Lovelace", "viewer"))
        page.get_by_role("button", name="Use a passkey I have").click()
        self.await_entries(ada, "staging")
        self.assertEqual(len(device.passkeys()), 1)
        ada.context.clear_cookies()
        self.sign_in(ada, "development")
        page.evaluate("() => { location.hash = '#/'; }")
        expect(page.get_by_text("Signed in as Ada Lovelace")).to_have_count(2)
        pictures.take("two-environments")

        # The device is lost.
        device.replace()
        ada.context.clear_cookies()
        link = self.invite_again(admin, "Ada Lovelace")
        page = self.open_link(ada, link)
        page.get_by_role("button", name="Create a passkey").click()
        page.get_by_role("button", name="Not now").click()
        self.await_entries(ada, "development")
        self.assertEqual(len(device.passkeys()), 1)
        people = self.people_of("development")
        self.assertEqual([one["passkeys"] for one in people if one["name"] == "Ada Lovelace"], [2])

        # The link works once.
        other = self.person()
        other.checks.allow("status of 403")
        self.open_link(other, link, "This invitation can’t be used")
        expect(other.page.get_by_role("main").get_by_role("alert")).to_contain_text("This invitation was used already")

        ada.checks.allow("status of 40[13]")
        self.remove(admin, "Ada Lovelace")
        expect(page.get_by_role("heading", name="You no longer have access")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        pictures.take("removed")
        self.assertEqual(self.instance.config("development")["app.greeting"], "Good morning")
        page.get_by_role("button", name="Try again").click()
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.get_by_role("main").get_by_role("alert")).to_contain_text("No environment here knows this passkey")

    def test_own_passkeys(self):
        """a person adds a passkey on another device, not twice on one, and removes the first"""
        admin = self.operator("development")
        grace = self.person()
        device = Authenticator(grace.page)
        page = self.open_link(grace, self.invite(admin, "development", "Grace Hopper", "viewer"))
        page.get_by_role("button", name="Create a passkey").click()
        page.get_by_role("button", name="Add a passkey").click()
        already = "This device already has a passkey for you"
        expect(page.get_by_role("main").get_by_role("alert")).to_contain_text(already)
        device.replace()
        page.get_by_role("button", name="Add a passkey").click()
        self.await_entries(grace, "development")
        self.assertEqual(len(device.passkeys()), 1)
        page.get_by_role("button", name="Account and settings").click()
        expect(page.get_by_text("Grace Hopper")).to_be_visible()
        page.get_by_role("button", name="My passkeys").click()
        dialog = page.get_by_role("dialog", name="My passkeys")
        rows = dialog.get_by_role("listitem")
        expect(rows).to_have_count(2)
        self.assertEqual(find_faults(page, "own passkeys", "dialog"), [])
        rows.last.get_by_role("button", name="Remove").click()
        page.get_by_role("dialog", name="Remove passkey").get_by_role("button", name="Remove passkey").click()
        expect(rows).to_have_count(1)

    def test_pages_of_an_invitation_have_no_faults(self):
        """axe finds nothing on an invitation's page and on the offer of a second passkey, and nothing is cut off"""
        admin = self.operator("development")
        one = self.person()
        link = self.invite(admin, "development", "Margaret Hamilton", "approver")
        self.assertEqual(find_faults(self.open_link(one, link), "an invitation"), [])
        # Chromium ends the virtual authenticator with the session of the look.
        Authenticator(one.page)
        page = self.open_link(one, link)
        page.get_by_role("button", name="Create a passkey").click()
        expect(page.get_by_role("button", name="Not now")).to_be_visible()
        self.assertEqual(find_faults(page, "the offer of a second passkey"), [])

    def test_roles(self):
        """an administrator changes a role, which counts at once, and cannot change an own role"""
        admin = self.operator("development")
        till = self.person()
        Authenticator(till.page)
        page = self.open_link(till, self.invite(admin, "development", "Till", "viewer"))
        page.get_by_role("button", name="Create a passkey").click()
        page.get_by_role("button", name="Not now").click()
        console = self.await_entries(till, "development")
        expect(page.get_by_role("button", name="New entry")).to_have_count(0)
        till.checks.allow("status of 401")
        dialog = self.details(admin, "Till")
        dialog.get_by_label("Role").select_option("admin")
        self.assertEqual(find_faults(admin.page, "a person", "dialog"), [])
        dialog.get_by_role("button", name="Change role").click()
        expect(admin.page.get_by_role("row", name=re.compile("Till"))).to_contain_text("Admin")
        again = page.get_by_role("dialog", name="Your session has ended")
        again.get_by_role("button", name="Sign in with a passkey").click()
        expect(again).to_have_count(0)
        console.open_screen("people")
        dialog = self.details(till, "Till")
        expect(dialog.get_by_text("Another administrator can change or remove you.")).to_be_visible()
        expect(dialog.get_by_role("button", name="Remove")).to_have_count(0)

    def test_owners_of_tokens(self):
        """a token has an owner and a purpose; a service account opens no session, and says how to go on"""
        one = self.operator("development")
        page = one.page
        Console(one, "development").open_screen("tokens")
        page.get_by_role("button", name="Create token").click()
        form = page.get_by_role("dialog", name="Create token")
        expect(form.get_by_label("Owner").locator("option:checked")).to_have_text("Operator")
        form.get_by_label("Label").fill("Nightly export")
        form.get_by_label("Purpose").fill("Cron on the build server")
        expect(form.get_by_label("Owner").locator("option")).to_have_text(["Operator", "Service account"])
        form.get_by_label("Owner").select_option("Service account")
        form.get_by_label("Expires").select_option("30")
        form.get_by_role("button", name="Create token").click()
        made = page.get_by_role("dialog", name="Token created").get_by_label("Token", exact=True)
        token = made.input_value()
        made.press("Control+c")
        page.keyboard.press("Escape")
        row = page.get_by_role("row", name=re.compile("Nightly export"))
        expect(row).to_contain_text("Cron on the build server")
        expect(row).to_contain_text("Service account")
        guest = self.person()
        guest.checks.allow("status of 403")
        guest.open("#/development/entries").get_by_label("API token").fill(token)
        guest.page.keyboard.press("Enter")
        expect(guest.page.get_by_role("main").get_by_role("alert")).to_contain_text("almanac token set development")
        row.get_by_role("button", name="Edit").click()
        form = page.get_by_role("dialog", name="Edit token")
        form.get_by_label("Owner").select_option("Operator")
        form.get_by_role("button", name="Save token").click()
        expect(row.get_by_role("cell", name="Operator")).to_be_visible()
        guest.page.keyboard.press("Enter")
        expect(guest.page.get_by_role("navigation", name="Main navigation")).to_be_visible()

    def test_tokens_of_other_people(self):
        """the token of another person can only be made a service account or revoked"""
        self.instance.almanac(
            "token", "create", "development", "--scope", "config:read", "--label", "Laptop of Ada", "--owner", "ada",
            "--owner-name", "Ada Lovelace")
        one = self.operator("development")
        page = one.page
        Console(one, "development").open_screen("tokens")
        row = page.get_by_role("row", name=re.compile("Laptop of Ada"))
        expect(row.get_by_role("button")).to_have_text(["Remove owner…", "Revoke…"])
        row.get_by_role("button", name="Remove owner").click()
        question = page.get_by_role("dialog", name="Remove owner")
        expect(question).to_contain_text("Sessions that Ada Lovelace opened with it end.")
        self.assertEqual(find_faults(page, "a removal of an owner", "dialog"), [])
        question.get_by_role("button", name="Remove owner").click()
        expect(row).to_contain_text("Service account")
        expect(row.get_by_role("button", name="Edit")).to_be_visible()

    def test_token_for_one_flag(self):
        """the form of a token for alerts takes keys of flags, and the token switches those off"""
        self.instance.begin_with_flags("development", {"checkout": {
            "state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "on"}})
        admin = self.operator("development")
        page = admin.page
        Console(admin, "development").open_screen("tokens")
        page.get_by_role("button", name="Create token").click()
        form = page.get_by_role("dialog", name="Create token")
        form.get_by_label("Label").fill("Alertmanager")
        form.get_by_label("Permissions").select_option("Switch off some flags (for alerts)")
        form.get_by_label("Expires").select_option("90")
        form.get_by_label("Flags").fill("check*")
        form.get_by_role("button", name="Create token").click()
        expect(form.get_by_text("“check*” isn’t a valid flag key.")).to_be_visible()
        StepPictures(page, "switch", ("light", "dark")).take("form")
        self.assertEqual(find_faults(page, "a token for alerts", "dialog"), [])
        form.get_by_label("Flags").fill("checkout")
        form.get_by_role("button", name="Create token").click()
        created = page.get_by_role("dialog", name="Token created")
        token = created.get_by_label("Token", exact=True).input_value()
        self.instance.must("POST", "/development/flags/checkout/disable", {"status": "firing"}, token=token)
        self.assertEqual(self.instance.evaluate("development", "checkout", {})["reason"], "DISABLED")

    def invite_again(self, admin, name):
        self.details(admin, name).get_by_role("button", name="Invite again").click()
        return self.take_link(admin.page)

    def details(self, admin, name, environment="development"):
        # The list is read again.
        Console(admin, environment).open_screen("audit")
        Console(admin, environment).open_screen("people")
        admin.page.get_by_role("button", name=f"Details of {name}").click()
        return admin.page.get_by_role("dialog", name=name)

    def remove(self, admin, name):
        self.details(admin, name).get_by_role("button", name="Remove").click()
        question = admin.page.get_by_role("dialog", name="Remove person")
        expect(question).to_contain_text("2 passkeys are deleted.")
        self.assertEqual(find_faults(admin.page, "a removal", "dialog"), [])
        question.get_by_role("button", name="Remove person").click()
        expect(admin.page.get_by_role("row", name=re.compile(name))).to_have_count(0)

    def people_of(self, environment):
        return self.instance.must("GET", f"/{environment}/people", token=environment).json()
