"""Tests with hostile texts in every field that users and clients can write."""

import json

from playwright.sync_api import expect

from support import hostile
from support.case import BrowserCase
from support.console import Console
from support.marigold import token_of


class HostileTextTests(BrowserCase):
    def test_markup_in_every_field_is_inert(self):
        """markup in values, descriptions, messages, authors and labels is shown on every screen, without effect"""
        instance = self.instance
        instance.begin("development", {"other": 1})
        author = token_of(instance, "development", hostile.MARKUP[1])
        entries = {f"markup.k{number}": {"value": text, "description": text}
                   for number, text in enumerate(hostile.MARKUP)}
        entries["markup.list"] = {"value": hostile.MARKUP, "description": ""}
        entries["markup.members"] = {"value": {text: text for text in hostile.MARKUP}, "description": ""}
        instance.must("PATCH", "/development/config?replace=true&form=entries", entries, token=author, headers={
            "Content-Type": "application/json", "Almanac-Message": hostile.MARKUP[0]})
        one = self.operator("development", "staging")
        console = Console(one, "development")
        for screen in console.visit_screens():
            with self.subTest(screen):
                hostile.assert_inert(self, one.page)
        for number in range(len(hostile.MARKUP)):
            console.open_entry(f"markup.k{number}")
            hostile.assert_inert(self, one.page)
        for key in ("markup.list", "markup.members"):
            console.open_entry(key)
            hostile.assert_inert(self, one.page)
        console.open_release(instance.releases("development")[0]["revision"])
        hostile.assert_inert(self, one.page)

    def test_markup_that_arrives_live_is_inert(self):
        """markup in another user's release has no effect in the open page"""
        self.instance.begin("development", {"shown": "before"})
        one = self.operator("development")
        console = Console(one, "development")
        console.open_entry("shown")
        for text in hostile.MARKUP[:12]:
            self.instance.release("development", {"shown": text})
        expect(one.page.get_by_role("main")).to_contain_text(hostile.MARKUP[11])
        hostile.assert_inert(self, one.page)

    def test_markup_in_an_imported_file_is_inert(self):
        """markup in the keys, values and descriptions of an imported file is shown, without effect"""
        self.instance.begin("development", {"other": 1})
        one = self.operator("development")
        console = Console(one, "development")
        console.open_screen("transfer")
        values = {f"imported.k{number}": text for number, text in enumerate(hostile.MARKUP)}
        keys = {text: "a value" for text in hostile.MARKUP}
        described = [{"key": f"imported.d{number}", "value": text, "description": text}
                     for number, text in enumerate(hostile.MARKUP)]
        for content in (json.dumps({**values, **keys}), json.dumps({"deep": {"er": values}}), json.dumps(described),
                        "<script>alert(1)</script>", '{"a": "<img src=x onerror=alert(1)>"'):
            file = {"name": f"{hostile.MARKUP[1]}.json", "mimeType": "application/json", "buffer": content.encode()}
            one.page.locator("input[type=file]").set_input_files(file)
            expect(one.page.get_by_role("textbox", name="JSON")).to_have_value(content)
            console.await_screen()
            hostile.assert_inert(self, one.page)

    def test_markup_in_the_address_is_inert(self):
        """markup in any part of the address is refused or shown, without effect"""
        one = self.operator("development")
        one.checks.allow(r"status of 4\d\d")
        places = ("#/{}", "#/development/{}", "#/development/entries/{}", "#/development/sign-in?problem={}",
                  "#/development/entries?q={}", "#/development/sign-in?return={}", "#/open/development={}",
                  "#/development/releases/{}", "#/development/compare/{}")
        for number, text in enumerate(hostile.MARKUP * 2):
            fragment = places[number % len(places)].format(text)
            one.page.evaluate("(fragment) => { location.hash = fragment; }", fragment)
            expect(one.page.get_by_role("main")).not_to_be_empty()
            hostile.assert_inert(self, one.page)
        self.assertEqual(one.page.evaluate("() => location.origin"), one.origin)
