"""Test of a new user's first minutes after cloning and starting the project."""

import os
import re
import time

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console


class FirstRunTests(BrowserCase):
    def test_from_the_printed_link_to_a_release_undone(self):
        """the link that deploy/run prints signs in; a key is edited with its forecast, saved, promoted and undone"""
        one = self.person(viewport={"width": 1280, "height": 800})
        # A forecast may still be pending when its release is made.
        one.checks.allow("status of 412")
        one.context.tracing.start(screenshots=True, snapshots=True)
        began = time.monotonic()
        if self.welcome:
            link = re.search(r"https://console\.localhost:\d+/#/open/\S+", self.welcome)
            self.assertIsNotNone(link, self.welcome)
            one.open(link[0].removeprefix(f"{one.origin}/"))
        else:
            one.open(self.instance.link(["development", "staging"]))
        if "app.fun_button.text" not in self.instance.config("development"):
            first = {"app.fun_button.text": "Meeeeoowwww! 😸", "app.background.color": "#FFB6C1"}
            self.instance.begin("development", first)
        self.instance.begin("staging", {})
        before = self.instance.config("development")
        console = Console(one, "development")
        console.await_screen()
        console.edit_text("app.fun_button.text", "Purrrr! 😺")
        forecast = console.review()
        # The review shows the difference, the new version and its reason before anything is saved.
        version = self.instance.must("GET", "/development/config").headers["Almanac-Version"]
        major, minor, patch = version.split(".")
        expect(forecast).to_contain_text(f"{major}.{minor}.{int(patch) + 1}")
        expect(forecast).to_contain_text("Purrrr! 😺")
        self.assertEqual(self.instance.config("development"), before)
        console.save("A friendlier button")
        self.assertEqual(self.instance.config("development")["app.fun_button.text"], "Purrrr! 😺")
        console.promote("staging", ["app.fun_button.text"], "As in development")
        self.assertEqual(self.instance.config("staging"), {"app.fun_button.text": "Purrrr! 😺"})
        revision = self.instance.releases("development")[0]["revision"]
        console.undo(revision)
        self.assertEqual(self.instance.config("development"), before)
        took = time.monotonic() - began
        path = os.path.join(self.evidence, "first-run.zip")
        one.context.tracing.stop(path=path)
        print(f"  from the link to the release undone: {took:.1f} s, recorded in {path}")
