"""People who join by an invitation, with a passkey of a virtual authenticator."""

import re

from playwright.sync_api import expect

from support.authenticator import Authenticator
from support.case import BrowserCase
from support.console import Console


class PeopleCase(BrowserCase):
    def joined(self, admin, environment, name, role):
        """Invites a person, who creates a passkey; returns the person's console."""
        one = self.person()
        Authenticator(one.page)
        page = self.open_link(one, self.invite(admin, environment, name, role))
        page.get_by_role("button", name="Create a passkey").click()
        page.get_by_role("button", name="Not now").click()
        return self.await_entries(one, environment)

    def invite(self, admin, environment, name, role):
        """Invites a person on the screen, and returns the link."""
        page = admin.page
        Console(admin, environment).open_screen("people")
        page.get_by_role("button", name="Invite person").click()
        form = page.get_by_role("dialog", name="Invite person")
        form.get_by_label("Name").fill(name)
        form.get_by_label("Role").select_option(role)
        form.get_by_role("button", name="Create invitation").click()
        return self.take_link(page)

    @staticmethod
    def take_link(page):
        field = page.get_by_role("dialog", name="Invitation created").get_by_label("Invitation link")
        link = field.input_value()
        field.press("Control+c")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        return link

    @staticmethod
    def open_link(person, link, title="Join "):
        """Opens the link of an invitation; returns the page."""
        person.page.goto("about:blank")
        person.page.goto(link)
        expect(person.page.get_by_role("heading", name=title)).to_be_visible()
        return person.page

    @staticmethod
    def await_entries(person, environment):
        expect(person.page).to_have_url(re.compile(f"#/{environment}/entries$"))
        console = Console(person, environment)
        console.await_screen()
        return console

    @staticmethod
    def sign_in(person, environment):
        person.page.goto("about:blank")
        person.open(f"#/{environment}/entries")
        person.page.get_by_role("button", name="Sign in with a passkey").click()
        expect(person.page.get_by_role("navigation", name="Main navigation")).to_be_visible()
