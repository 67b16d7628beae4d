"""Tests of the list of entries, and of the form beside it."""

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console

# Twelve regions with thirty shops each, whose groups are closed at first.
SHOPS = {f"region.r{region:02}.shop{shop:02}.hours": f"{shop % 4 + 7}–{shop % 3 + 18}"
         for region in range(12) for shop in range(30)}


class EntryTests(BrowserCase):
    def test_new_entry_is_shown_after_its_release(self):
        """a new entry stays open when its own form's draft is released, and is never reported as missing"""
        self.instance.begin("development", {"checkout.banner": "Free delivery from 40 euros"})
        one = self.operator("development")
        console = Console(one, "development")
        console.open_screen("entries")
        one.page.get_by_role("button", name="New entry").click()
        one.page.get_by_label("Key", exact=True).fill("checkout.hint")
        one.page.get_by_role("button", name="Add to draft").click()
        console.value_field().fill("Orders before noon arrive tomorrow")
        one.page.evaluate(WATCH_TEXTS)
        console.review()
        console.save("A hint above the button")
        panel = one.page.get_by_role("complementary", name="Entry")
        expect(panel).to_contain_text("in revision")
        expect(console.value_field()).to_have_value("Orders before noon arrive tomorrow")
        expect(panel.get_by_text("This entry doesn’t exist")).to_have_count(0)
        self.assertEqual(one.page.evaluate("seenTexts.filter((text) => text.includes('doesn’t exist'))"), [])
        console.value_field().fill("Orders before ten arrive tomorrow")
        console.review()
        console.save("An earlier hour")
        self.assertEqual(self.instance.config("development")["checkout.hint"], "Orders before ten arrive tomorrow")

    def test_address_of_an_entry_opens_its_groups(self):
        """an address of an entry opens its groups and shows its row, also after a reload and when a user closed them"""
        if self.instance.config("plenty") != SHOPS:
            self.instance.begin("plenty", SHOPS)
        one = self.operator("plenty")
        console = Console(one, "plenty")
        for key in ("region.r11.shop29.hours", "region.r03.shop17.hours"):
            console.open_entry(key)
            expect(console.row(key)).to_be_in_viewport()
            expect(console.row(key)).to_have_attribute("aria-selected", "true")
        one.page.reload()
        expect(console.row(key)).to_be_in_viewport()
        group = console.rows().filter(has_text="r03.")
        group.click()
        expect(console.row(key)).to_have_count(0)
        console.open_entry("region.r03.shop02.hours")
        expect(console.row("region.r03.shop02.hours")).to_be_in_viewport()

    def test_type_of_a_value_is_changed_and_changed_back(self):
        """a change of the type converts the value where it can, and a change back restores it; an edit is converted"""
        texts = {"limits.items": "12", "shop.open": "yes", "shop.greeting": "Grüß Gott", "shop.days": '["Mon", "Tue"]'}
        self.instance.begin("development", {**texts, "shop.tables": 8})
        one = self.operator("development")
        console = Console(one, "development")
        kind = one.page.get_by_role("combobox", name="Type")
        console.open_entry("shop.greeting")
        for name in ("Number", "Boolean", "JSON", "Color", "Number"):
            kind.select_option(name)
        kind.select_option("Text")
        expect(console.value_field()).to_have_value("Grüß Gott")
        expect(console.review_button()).to_be_hidden()
        kind.select_option("JSON")
        expect(console.value_field()).to_have_value('"Grüß Gott"')
        expect(console.review_button()).to_be_hidden()
        for key, name in (("limits.items", "Number"), ("shop.open", "Boolean"), ("shop.days", "JSON"),
                          ("shop.tables", "Text")):
            console.open_entry(key)
            kind.select_option(name)
        console.value_field().fill("8 tables")
        kind.select_option("JSON")
        expect(console.value_field()).to_have_value('"8 tables"')
        console.review()
        console.save("Types that fit")
        self.assertEqual(self.instance.config("development"), {
            "limits.items": 12, "shop.open": True, "shop.greeting": "Grüß Gott", "shop.days": ["Mon", "Tue"],
            "shop.tables": "8 tables"})


# Collects the texts that appear in the page, also those that are gone at once.
WATCH_TEXTS = """() => {
    globalThis.seenTexts = [];
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const { textContent } of addedNodes) seenTexts.push(textContent);
    }).observe(document.body, { childList: true, subtree: true });
}"""
