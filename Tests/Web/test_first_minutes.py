"""Tests of an empty environment, of the code for apps, and of favorites and saved filters."""

import json
import os
import re
import subprocess
import sys

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import find_faults

SWITCH = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "on"}
APP = """<!doctype html><html lang="en"><title>An app</title><link rel="icon" href="data:,"><p id="value"></p>
<script type="module">CODE
document.getElementById("value").textContent = String(value);
</script>"""
FULL_STORAGE = """const { setItem } = Storage.prototype;
Storage.prototype.setItem = function (name, text) {
    if (name.startsWith("almanac.bookmarks")) throw new DOMException("full", "QuotaExceededError");
    setItem.call(this, name, text);
};"""
WAITING = "Waiting for the first request of an app…"
REQUESTED = "An app requested this environment"


class FirstMinutesTests(BrowserCase):
    def operate(self, *environments, **options):
        one = self.operator(*environments, **options)
        return one, Console(one, environments[0])

    def empty(self, environment):
        self.instance.begin(environment, {})
        self.instance.forget_requests(environment)

    def run_code(self, *command, token=""):
        """Runs a program like a user who has pasted it and trusts the instance; returns its output."""
        authority = os.path.join(self.instance.home, "tls", "ca.pem")
        environment = {**os.environ, "CURL_CA_BUNDLE": authority, "SSL_CERT_FILE": authority, "no_proxy": "*",
                       "ALMANAC_TOKEN": token}
        outcome = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
        return outcome.stdout

    def value_in_page(self, code):
        """Returns the value that JavaScript's code reads in a web page."""
        one = self.person()
        one.checks.allow_origin(self.instance.url)
        address = f"{self.instance.url}/app"
        page = APP.replace("CODE", code)
        one.page.route(address, lambda route: route.fulfill(body=page, content_type="text/html; charset=utf-8"))
        one.page.goto(address)
        value = one.page.locator("#value")
        expect(value).not_to_be_empty()
        return value.inner_text()

    @staticmethod
    def code(part, language):
        part.get_by_role("button", name=language, exact=True).click()
        return part.locator("pre").inner_text()

    def test_first_entry_leads_to_the_first_request(self):
        """an empty environment leads to the first entry, whose code works when pasted and turns the status green"""
        self.empty("development")
        one, console = self.operate("development")
        page = one.page
        console.open_screen("entries")
        main = page.get_by_role("main")
        expect(main.get_by_role("heading", name="development is empty")).to_be_visible()
        expect(main.get_by_role("link", name="Import entries")).to_have_attribute("href", "#/development/transfer")
        self.assertEqual(find_faults(page, "an empty environment"), [])
        main.get_by_role("button", name="Add the first entry").click()
        page.get_by_label("Key", exact=True).fill("greeting")
        page.get_by_role("button", name="Add to draft").click()
        console.value_field().fill("Hello")
        console.review()
        console.save("The first entry")
        part = page.get_by_role("region", name="Use greeting in an app")
        status = part.get_by_role("status")
        expect(status).to_have_text(WAITING)
        self.assertEqual(find_faults(page, "the first release"), [])
        # The console's own requests are none of an app.
        console.open_entry("greeting")
        expect(status).to_have_text(WAITING)
        answer = json.loads(self.run_code("sh", "-c", self.code(part, "curl")))
        self.assertEqual(answer["value"], "Hello")
        expect(status).to_contain_text(REQUESTED)
        self.assertEqual(self.run_code(sys.executable, "-c", self.code(part, "Python")), "Hello\n")
        self.assertEqual(self.value_in_page(self.code(part, "JavaScript")), "Hello")
        part.get_by_role("button", name="Close").click()
        expect(part).to_have_count(0)

    def test_first_flag_leads_to_the_first_request(self):
        """an empty environment leads to the first flag, whose code works with a token"""
        self.empty("staging")
        one, console = self.operate("staging")
        page = one.page
        console.open_screen("entries")
        page.get_by_role("button", name="Create the first flag").click()
        page.get_by_label("Key", exact=True).fill("new-checkout")
        page.get_by_role("button", name="Add to draft").click()
        expect(page.get_by_role("heading", name="new-checkout", exact=True)).to_be_visible()
        console.review()
        console.save("The first flag")
        part = page.get_by_role("region", name="Use new-checkout in an app")
        expect(part.get_by_role("status")).to_have_text(WAITING)
        expect(part).to_contain_text("This needs an API token")
        self.assertEqual(find_faults(page, "the first flag"), [])
        # A client of OFREP names no version.
        self.instance.evaluate("staging", "new-checkout", {})
        expect(part.get_by_role("status")).to_contain_text(REQUESTED)
        token = self.instance.token("staging")
        answer = json.loads(self.run_code("sh", "-c", self.code(part, "curl"), token=token))
        self.assertEqual((answer["key"], answer.get("value")), ("new-checkout", False), answer)
        code = self.code(part, "JavaScript").replace("ALMANAC_TOKEN", token)
        self.assertEqual(self.value_in_page(code), "false")

    def test_code_is_reached_from_panels(self):
        """the code is in the menus of an entry and of a flag, remembers the language, and can be copied"""
        self.instance.begin_with_flags("development", {"banner.shown": SWITCH})
        self.instance.release("development", {"banner.limit": 3})
        one, console = self.operate("development", permissions=["clipboard-read", "clipboard-write"])
        page = one.page
        console.open_entry("banner.limit")
        console.choose_action("Use in an app")
        dialog = page.get_by_role("dialog", name="Use banner.limit in an app")
        expect(dialog.get_by_role("button", name="curl", exact=True)).to_have_attribute("aria-pressed", "true")
        self.assertIn('client.double("banner.limit", default: 0)', self.code(dialog, "Swift"))
        dialog.get_by_role("button", name="Copy").click()
        expect(page.get_by_role("status").filter(has_text="Copied.")).to_have_count(1)
        self.assertIn("import AlmanacConfig\n", page.evaluate("() => navigator.clipboard.readText()"))
        self.assertEqual(find_faults(page, "the code of an entry"), [])
        page.keyboard.press("Escape")
        page.reload()
        console.open_flag("banner.shown")
        page.get_by_role("button", name="More actions").click()
        # The menu stays open while the form shows another person's change.
        self.instance.must("POST", "/development/flags/banner.shown/disable", token="development")
        expect(page.get_by_role("button", name="Turn on now")).to_be_visible()
        page.get_by_role("button", name="Use in an app").click()
        dialog = page.get_by_role("dialog", name="Use banner.shown in an app")
        expect(dialog.locator("pre")).to_contain_text('client.bool("banner.shown", default: false)')
        dialog.get_by_role("link", name="Tokens").click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("heading", name="API tokens")).to_be_visible()

    def test_draft_of_an_entry_has_no_code(self):
        """an entry that is only in the draft has no code, because no app can read it"""
        self.instance.begin("development", {"banner.limit": 3})
        one, console = self.operate("development")
        console.open_screen("entries")
        one.page.get_by_role("button", name="New entry").click()
        one.page.get_by_label("Key", exact=True).fill("banner.text")
        one.page.get_by_role("button", name="Add to draft").click()
        panel = one.page.get_by_role("complementary", name="Entry")
        panel.get_by_role("button", name="More actions").click()
        expect(panel.get_by_role("button", name="Show all environments")).to_be_visible()
        expect(panel.get_by_role("button", name="Use in an app")).to_have_count(0)

    def test_filters_are_saved_and_removed(self):
        """a filter is saved under a name, selected after a reload, and removed with a way back"""
        self.instance.begin("development", {"shop.name": "Marigold", "shop.tables": 8, "shop.rooms": 2})
        one, console = self.operate("development")
        page = one.page
        console.open_screen("entries")
        opener = page.get_by_role("button", name="Saved filters")
        opener.click()
        expect(page.get_by_text("Enter a filter to save it here.")).to_be_visible()
        expect(page.get_by_role("button", name="Save filter")).to_have_count(0)
        page.keyboard.press("Escape")
        console.filter_box().fill("type:number")
        for name, error in (("", "Enter a name."), ("Numbers", None), ("Numbers", "already exists")):
            opener.click()
            page.get_by_role("button", name="Save filter").click()
            dialog = page.get_by_role("dialog", name="Save filter")
            dialog.get_by_label("Name").fill(name)
            dialog.get_by_role("button", name="Save filter").click()
            if error:
                expect(dialog.get_by_role("alert")).to_contain_text(error)
                page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
        console.filter_box().fill("")
        # The address follows the filter after a moment.
        expect(page).to_have_url(re.compile("/entries$"))
        page.reload()
        expect(console.row("shop.name")).to_be_visible()
        opener.click()
        self.assertEqual(find_faults(page, "saved filters"), [])
        page.get_by_role("button", name="Numbers", exact=True).click()
        expect(console.filter_box()).to_have_value("type:number")
        expect(console.row("shop.name")).to_have_count(0)
        expect(console.row("shop.tables")).to_be_visible()
        opener.click()
        page.get_by_role("button", name="Remove filter Numbers").click()
        opener.click()
        expect(page.get_by_role("button", name="Numbers", exact=True)).to_have_count(0)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Undo").click()
        opener.click()
        expect(page.get_by_role("button", name="Numbers", exact=True)).to_be_visible()

    def test_favorites_filter_both_lists(self):
        """entries and flags become favorites, also after a reload, and a filter shows only these"""
        self.instance.begin_with_flags("development", {"banner.shown": SWITCH, "banner.wide": SWITCH})
        self.instance.release("development", {"banner.limit": 3, "banner.text": "Soups"})
        self.instance.begin("staging", {"banner.limit": 3})
        one, console = self.operate("development", "staging")
        page = one.page
        star = page.get_by_role("button", name="Favorite", exact=True)
        console.open_entry("banner.limit")
        expect(star).to_have_attribute("aria-pressed", "false")
        star.click()
        expect(star).to_have_attribute("aria-pressed", "true")
        expect(console.row("banner.limit")).to_contain_text("Favorite")
        console.open_flag("banner.wide")
        star.focus()
        page.keyboard.press("Enter")
        expect(star).to_have_attribute("aria-pressed", "true")
        expect(star).to_be_focused()
        self.assertEqual(find_faults(page, "a favorite flag"), [])
        page.reload()
        console.open_screen("flags")
        page.get_by_role("combobox", name="Filter").select_option("Favorites")
        expect(console.flag_rows()).to_have_count(1)
        expect(console.flag_rows()).to_contain_text("banner.wide")
        console.open_screen("entries")
        page.get_by_role("button", name="Saved filters").click()
        page.get_by_role("button", name="Favorites").click()
        expect(console.row("banner.text")).to_have_count(0)
        expect(console.row("banner.limit")).to_be_visible()
        expect(console.row("banner.wide")).to_be_visible()
        console.open_entry("banner.limit")
        star.click()
        expect(console.row("banner.limit")).to_have_count(0)
        Console(one, "staging").open_screen("entries")
        page.get_by_role("button", name="Saved filters").click()
        page.get_by_role("button", name="Favorites").click()
        expect(page.get_by_role("heading", name="No entries match")).to_be_visible()

    def test_full_storage_keeps_favorites_until_the_page_closes(self):
        """a browser that stores nothing says so, and the favorite lasts until the page closes"""
        self.instance.begin("development", {"banner.limit": 3, "banner.text": "Soups"})
        one, console = self.operate("development")
        one.page.add_init_script(FULL_STORAGE)
        one.page.reload()
        console.open_entry("banner.limit")
        star = one.page.get_by_role("button", name="Favorite", exact=True)
        star.click()
        expect(star).to_have_attribute("aria-pressed", "true")
        expect(one.page.get_by_role("status").filter(has_text="Your browser can’t store this.")).to_have_count(1)
        console.filter_box().fill("is:favorite")
        expect(console.row("banner.text")).to_have_count(0)
        expect(console.row("banner.limit")).to_be_visible()

    def test_flag_is_shown_in_all_environments(self):
        """the menu of a flag shows its key in all environments, and leads to it there"""
        for environment in ("development", "staging"):
            self.instance.begin_with_flags(environment, {"banner.shown": SWITCH})
        one, console = self.operate("development", "staging")
        page = one.page
        console.open_flag("banner.shown")
        page.get_by_role("button", name="More actions").click()
        page.get_by_role("button", name="Show all environments").click()
        page.get_by_role("dialog").get_by_role("link", name="staging", exact=True).click()
        expect(page).to_have_url(re.compile("#/staging/flags/banner.shown$"))
        expect(page.get_by_role("heading", name="banner.shown", exact=True)).to_be_visible()

    def test_environments_have_their_own_dots(self):
        """an environment without a color has a grey dot, whatever the color of the open one"""
        one, console = self.operate("development")
        console.open_screen("entries")
        one.page.get_by_role("button", name="Switch environment").click()
        colors = [one.page.get_by_role("link", name=re.compile(f"^{name}")).locator(".dot").evaluate(
            "(dot) => getComputedStyle(dot).backgroundColor") for name in ("development", "plenty")]
        self.assertEqual(colors, ["rgb(29, 122, 70)", "rgb(86, 96, 110)"])

    def test_curl_lines_follow_the_main_action(self):
        """the curl line of a list stands behind the button that adds something"""
        self.instance.begin_with_flags("development", {"banner.shown": SWITCH})
        one, console = self.operate("development")
        for screen, action in (("flags", "New flag"), ("tokens", "Create token")):
            console.open_screen(screen)
            expect(one.page.get_by_role("main").get_by_role("button", name=action)).to_be_visible()
            names = one.page.get_by_role("main").get_by_role("button").all_inner_texts()
            self.assertEqual(names[names.index(action) + 1], "curl", names)
