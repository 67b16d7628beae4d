"""Tests of what the screens of both applications show, at seven widths and in both colour schemes."""

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import look
from support.marigold import make_flags, make_releases


class LookTests(BrowserCase):
    def test_new_token_is_visible(self):
        """a new token can be read in its dialog"""
        one = self.operator("development")
        console = Console(one, "development")
        console.open_screen("tokens")
        one.page.get_by_role("button", name="Create token").click()
        dialog = one.page.get_by_role("dialog")
        dialog.get_by_label("Label").fill("Build server")
        dialog.get_by_label("Expires").select_option("In 30 days")
        dialog.get_by_role("button", name="Create token").click()
        token = one.page.get_by_role("dialog", name="Token created").get_by_label("Token", exact=True)
        expect(token).to_be_visible()
        self.assertRegex(token.input_value(), "^almanac_development_")
        self.assertEqual(look(one.page, "new token"), [])
