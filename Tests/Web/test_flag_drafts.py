"""Tests of drafts of flags in the console."""

import json
import re

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console

GIFT_WRAP = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}


class FlagDraftTests(BrowserCase):
    def operate(self):
        one = self.operator("development")
        return one, Console(one, "development")

    def test_new_flag_is_shown_after_its_release(self):
        """a new flag stays open when it is released from its own page, and can be switched at once"""
        self.instance.begin_with_flags("development", {"checkout.gift-wrap": GIFT_WRAP})
        one, console = self.operate()
        console.open_screen("flags")
        one.page.get_by_role("button", name="New flag").click()
        one.page.get_by_label("Key", exact=True).fill("checkout.express")
        one.page.get_by_role("button", name="Add to draft").click()
        expect(one.page.get_by_role("heading", name="checkout.express", exact=True)).to_be_visible()
        console.review()
        console.save("Express checkout, off for now")
        expect(one.page.get_by_role("region", name="Variants")).to_be_visible()
        expect(one.page.get_by_text("This entry doesn’t exist")).to_have_count(0)
        console.flag_switch("off").click()
        expect(console.flag_switch("on")).to_be_visible()

    def test_unknown_state_is_not_shown_as_on(self):
        """a flag whose state or definition the form does not know is shown as unknown, and not as one that is on"""
        self.instance.begin_with_flags("development", {
            "checkout.gift-wrap": GIFT_WRAP, "search.typos": GIFT_WRAP, "search.voice": GIFT_WRAP})
        one, console = self.operate()
        for key, definition in (("search.typos", {**GIFT_WRAP, "state": "PAUSED"}),
                                ("search.voice", {**GIFT_WRAP, "variants": ["on", "off"]})):
            one.checks.allow(r"status of 422")
            console.open_flag(key)
            one.page.get_by_role("button", name="JSON").click()
            one.page.get_by_role("textbox", name="JSON", exact=True).fill(json.dumps(definition))
            expect(one.page.get_by_role("main").get_by_text("Unknown", exact=True)).to_be_visible()
            expect(console.flag_switch("off")).to_have_count(0)
        console.open_screen("flags")
        row = console.flag_rows()
        for key in ("search.typos", "search.voice"):
            expect(row.filter(has_text=key)).to_contain_text("Unknown")
            expect(row.filter(has_text=key).locator(".lamp.on")).to_have_count(0)
        expect(row.filter(has_text="gift-wrap").locator(".lamp.on")).to_have_count(1)
        one.page.get_by_role("combobox", name="Filter").select_option("enabled")
        expect(row).to_have_count(1)

    def test_flags_are_a_table_that_hides_archived_ones(self):
        """each flag has its facts in a row that opens it; due and archived flags are found by their filters"""
        due = {"owner": "Mara Lindqvist", "tags": "checkout, ios", "expires": "2026-01-31"}
        self.instance.begin_with_flags("development", {
            "checkout.gift-wrap": {**GIFT_WRAP, "metadata": due},
            "search.voice": {**GIFT_WRAP, "metadata": {"archived": True}},
            "search.typos": GIFT_WRAP})
        one, console = self.operate()
        console.open_screen("flags")
        rows, page = console.flag_rows(), one.page
        expect(page.get_by_role("columnheader")).to_have_text(
            ["Flag", "State", "Rollout", "Last evaluated", "Owner", "Tags", "Changed"])
        expect(rows).to_have_count(2)
        cells = rows.filter(has_text="gift-wrap").get_by_role("cell")
        for at, text in enumerate(("Due", "On", "off 100%", "never", "Mara Lindqvist", "checkoutios", "Operator")):
            expect(cells.nth(at)).to_contain_text(text)
        expect(rows.filter(has_text="typos").get_by_role("cell").nth(4)).to_have_text("–")
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.get_by_role("columnheader").first).to_be_hidden()
        row, name, changed = (place.bounding_box() for place in (rows.first, cells.first, cells.last))
        self.assertLess(name["y"], cells.nth(1).bounding_box()["y"] + 24)
        self.assertLessEqual(changed["y"] + changed["height"], row["y"] + row["height"])
        choice = page.get_by_role("combobox", name="Filter")
        for show, key in (("due", "gift-wrap"), ("archived", "voice")):
            choice.select_option(show)
            expect(rows).to_have_count(1)
            expect(rows).to_contain_text(key)
        page.get_by_role("searchbox").fill("checkout")
        expect(rows).to_have_count(0)
        page.get_by_role("button", name="Clear filter").click()
        expect(choice).to_have_value("all")
        rows.filter(has_text="typos").click()
        expect(page.get_by_role("heading", name="search.typos", exact=True)).to_be_visible()

    def test_typed_filter_is_in_the_address(self):
        """a typed filter is in the address soon, and before the address of a flag that is opened at once"""
        self.instance.begin_with_flags("development", {"checkout.gift-wrap": GIFT_WRAP, "search.synonyms": GIFT_WRAP})
        one, console = self.operate()
        console.open_screen("flags")
        console.filter_box().fill("gift")
        one.page.wait_for_url("**/flags?q=gift")
        console.filter_box().fill("synonyms")
        console.flag_rows().get_by_role("link", name="search.synonyms").click()
        expect(one.page.get_by_role("heading", name="search.synonyms", exact=True)).to_be_visible()
        one.page.go_back()
        expect(console.filter_box()).to_have_value("synonyms")
        expect(console.flag_rows()).to_have_count(1)
        one.page.wait_for_url("**/flags?q=synonyms")

    def test_rows_stay_while_a_filter_is_typed(self):
        """the row of a flag that still matches stays while a filter is typed, and shows what changes later"""
        self.instance.begin_with_flags(
            "development", {key: GIFT_WRAP for key in ("checkout.gift-wrap", "search.gift", "search.synonyms")})
        one, console = self.operate()
        console.open_screen("flags")
        row = console.flag_rows().filter(has=one.page.get_by_role("link", name="search.gift"))
        # The statistics of evaluations arrive after the rows.
        expect(row).to_contain_text("never")
        stays = row.element_handle()
        expect(row).to_have_attribute("aria-rowindex", "3")
        console.filter_box().fill("gift")
        expect(console.flag_rows()).to_have_count(2)
        console.filter_box().fill("search.gift")
        expect(console.flag_rows()).to_have_count(1)
        expect(row).to_have_attribute("aria-rowindex", "2")
        expect(row.get_by_role("link")).to_have_attribute("href", re.compile(r"q=search\.gift$"))
        self.assertTrue(stays.evaluate("(row) => row.isConnected"))
        console.filter_box().fill("")
        expect(console.flag_rows().get_by_role("link")).to_have_text(
            ["checkout.gift-wrap", "search.gift", "search.synonyms"])
        self.assertTrue(stays.evaluate("(row) => row.isConnected"))
        expect(row).to_contain_text("On")
        self.instance.must("POST", "/development/flags/search.gift/disable", token="development")
        expect(row).to_contain_text("Off")

    def test_unfinished_rule_of_another_tab_is_not_released(self):
        """a rule without an attribute, created in another tab, leads the review to its flag"""
        self.instance.begin_with_flags("development", {"checkout.gift-wrap": GIFT_WRAP})
        one, console = self.operate()
        console.open_flag("checkout.gift-wrap")
        one.page.get_by_role("button", name="Add rule").click()
        one.page.wait_for_function("() => localStorage['almanac.draft.development']?.includes('targeting')")
        page = one.context.new_page()
        page.goto(f"{one.origin}/#/development/entries")
        page.get_by_role("button", name="Review changes").click()
        expect(page.get_by_role("heading", name="checkout.gift-wrap", exact=True)).to_be_visible()
        rule = page.get_by_role("group", name="Rule 1", exact=True)
        attribute = rule.get_by_label("Attribute").first
        expect(attribute).to_be_focused()
        expect(attribute).to_have_attribute("aria-invalid", "true")
        attribute.fill("plan")
        rule.get_by_role("textbox", name="Value").fill("pro")
        page.get_by_role("button", name="Review changes").click()
        expect(page.get_by_role("dialog").get_by_role("button", name="Release")).to_be_enabled()

    def test_spaces_around_a_variants_name(self):
        """spaces around a variant's name are dropped, so they make no second variant of the same name"""
        self.instance.begin_with_flags("development", {"checkout.gift-wrap": GIFT_WRAP})
        one, console = self.operate()
        console.open_flag("checkout.gift-wrap")
        name = one.page.get_by_role("textbox", name="Variant", exact=True).first
        for text, error in (("off\u00a0", "already exists"), ("\t", "Enter a name")):
            name.fill(text)
            console.await_refused_review(name, error)
        name.fill(" on ")
        name.blur()
        expect(name).to_have_value("on")
        name.fill("\tbig one\n")
        name.blur()
        expect(name).to_have_value("big one")
        owner = one.page.get_by_label("Owner")
        owner.fill("\u00a0payments\t")
        owner.blur()
        expect(owner).to_have_value("payments")
        console.review()
        console.save("A new name")
        stored = self.instance.must("GET", "/development/config/checkout.gift-wrap", token="development").json()
        self.assertEqual(set(stored["value"]["variants"]), {"big one", "off"})

    def test_invalid_text_stays_when_another_condition_is_removed(self):
        """in the dialog of an audience, an invalid text stays when another condition is removed"""
        self.instance.begin_with_flags("development", {"checkout.gift-wrap": GIFT_WRAP})
        one, console = self.operate()
        console.go("flags", "_flags")
        one.page.get_by_role("button", name="New audience").click()
        dialog = one.page.get_by_role("dialog", name="New audience")
        dialog.get_by_label("Name").fill("x" * 129)
        dialog.get_by_label("Name").blur()
        expect(dialog).to_contain_text("Use 128 characters or fewer.")
        dialog.get_by_label("Name").fill("people")
        for _ in range(2):
            dialog.get_by_role("button", name="Add condition").click()
        attributes = dialog.get_by_label("Attribute")
        attributes.nth(2).fill('{"var":')
        dialog.get_by_role("button", name="Remove condition").nth(1).click()
        expect(attributes).to_have_count(2)
        expect(attributes.nth(1)).to_have_value('{"var":')
        dialog.get_by_role("button", name="Add to draft").click()
        expect(dialog).to_be_visible()
