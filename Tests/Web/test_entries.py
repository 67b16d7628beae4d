"""Tests of the list of entries, and of the form beside it."""

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import find_faults

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

    def test_entry_is_renamed_and_duplicated(self):
        """an entry keeps its content under another key and in a copy; a key that exists is refused; Undo takes it back"""
        self.instance.begin("development", {"shop.hours": "9–18", "shop.title": "Marigold", "limits.items": 12})
        one = self.operator("development")
        console = Console(one, "development")
        console.open_entry("shop.hours")
        field, error = one.page.get_by_label("Key", exact=True), one.page.get_by_role("alert")
        console.choose_action("Duplicate entry")
        field.fill("shop.hours.sunday")
        one.page.get_by_role("dialog").get_by_role("button", name="Duplicate entry").click()
        expect(one.page.get_by_role("heading", name="shop.hours.sunday")).to_be_visible()
        expect(console.value_field()).to_have_value("9–18")
        console.value_field().fill("10–14")
        console.open_entry("limits.items")
        console.choose_action("Rename key")
        rename = one.page.get_by_role("dialog").get_by_role("button", name="Rename key")
        field.fill("shop.title")
        rename.click()
        expect(error.filter(has_text="already exists")).to_be_visible()
        field.fill("limits.basket")
        rename.click()
        expect(one.page.get_by_role("heading", name="limits.basket")).to_be_visible()
        expect(one.page.get_by_role("button", name="3 changes")).to_be_visible()
        one.page.get_by_role("button", name="Undo", exact=True).last.click()
        expect(one.page.get_by_role("button", name="1 change")).to_be_visible()
        console.open_entry("limits.items")
        console.choose_action("Rename key")
        field.fill("limits.basket")
        rename.click()
        console.review()
        console.save("Hours of Sunday, and a better name")
        self.assertEqual(self.instance.config("development"), {
            "shop.hours": "9–18", "shop.hours.sunday": "10–14", "shop.title": "Marigold", "limits.basket": 12})

    def test_removals_are_shown_in_words(self):
        """the review says which entry is removed; a long value opens on demand"""
        self.instance.begin("development", {"limits.retries": 3, "shop.days": {"Mon": "9–18", "Tue": "9–18"}})
        one = self.operator("development")
        console = Console(one, "development")
        for key in ("limits.retries", "shop.days"):
            console.open_entry(key)
            one.page.get_by_role("button", name="Remove", exact=True).click()
        review = console.review()
        retries, days = (review.get_by_role("listitem").filter(has=one.page.get_by_role("button", name=key, exact=True))
                         for key in ("limits.retries", "shop.days"))
        expect(retries).to_contain_text("Removes limits.retries, whose value was 3.")
        expect(days).to_contain_text("Key removed.")
        value = days.get_by_text('"Tue": "9–18"')
        expect(value).to_be_hidden()
        days.get_by_text("Show value").click()
        expect(value).to_be_visible()
        self.assertEqual(find_faults(one.page, "removals", "dialog"), [])

    def test_several_entries_are_renamed_and_removed(self):
        """selected entries get another prefix or are removed as one step; keys that exist are refused by their names;
        selected entries that the filter hides are counted"""
        shop = {"shop.days": ["Mon", "Tue"], "shop.hours": "9–18", "shop.title": "Marigold"}
        self.instance.begin("development", {**shop, "store.hours": "8–20", "limits.items": 12})
        one = self.operator("development")
        console = Console(one, "development")
        console.open_screen("entries")
        one.page.get_by_role("button", name="Select entries").click()
        console.filter_box().fill("key:shop.")
        one.page.get_by_role("button", name="Select all shown").click()
        selected = one.page.get_by_role("status").filter(has_text="3 selected")
        expect(selected).to_have_text("3 selected")
        console.filter_box().fill("days")
        expect(selected).to_have_text("3 selected · 2 hidden by the filter")
        actions = one.page.get_by_role("button", name="Actions")
        actions.click()
        one.page.get_by_role("button", name="Rename prefix").click()
        dialog = one.page.get_by_role("dialog")
        expect(dialog.get_by_label("New prefix")).to_have_value("shop.")
        dialog.get_by_label("New prefix").fill("store.")
        expect(dialog.get_by_role("alert")).to_have_text("store.hours: An entry with this key already exists.")
        dialog.get_by_label("New prefix").fill("market.")
        dialog.get_by_role("button", name="Rename prefix").click()
        changes = one.page.get_by_role("button", name="6 changes")
        expect(changes).to_be_visible()
        one.page.get_by_role("button", name="Undo", exact=True).click()
        expect(console.review_button()).to_be_hidden()
        console.filter_box().fill("")
        console.row("limits.items").click(modifiers=["Control"])
        one.page.keyboard.press("Escape")
        expect(actions).to_be_hidden()
        console.row("shop.days").click(modifiers=["Control"])
        console.row("shop.title").click(modifiers=["Shift"])
        expect(console.row("shop.hours")).to_have_attribute("aria-selected", "true")
        one.page.keyboard.press("ArrowUp")
        one.page.keyboard.press("Space")
        expect(console.row("shop.hours")).to_have_attribute("aria-selected", "false")
        actions.click()
        one.page.get_by_role("button", name="Remove entries").click()
        console.review()
        console.save("A smaller shop")
        self.assertEqual(self.instance.config("development"), {
            "shop.hours": "9–18", "store.hours": "8–20", "limits.items": 12})

    def test_key_is_shown_in_all_environments(self):
        """a key's entry is shown in each environment with its differences, and is copied after a comparison"""
        self.instance.begin("development", {"shop.hours": "9–20", "shop.title": "Marigold"})
        self.instance.begin("staging", {"shop.hours": "9–18"})
        one = self.operator("development", "staging")
        console = Console(one, "development")
        console.open_entry("shop.title")
        console.choose_action("Show all environments")
        place = one.page.get_by_role("dialog").get_by_role("listitem").filter(has_text="staging")
        expect(place).to_contain_text("Not there.")
        one.page.keyboard.press("Escape")
        console.open_entry("shop.hours")
        console.choose_action("Show all environments")
        expect(place).to_contain_text("different")
        expect(place).to_contain_text("9–18")
        place.get_by_role("link", name="Copy to staging").click()
        expect(one.page.get_by_role("dialog")).to_have_count(0)
        expect(one.page.get_by_role("checkbox", name="shop.hours, ")).to_be_checked()
        expect(one.page.get_by_role("checkbox", name="shop.title, ")).not_to_be_checked()
        one.page.get_by_role("button", name="Promote as").click()
        expect(one.page.get_by_role("status").filter(has_text=" is now at ")).to_have_count(1)
        self.assertEqual(self.instance.config("staging"), {"shop.hours": "9–20"})


# Collects the texts that appear in the page, also those that are gone at once.
WATCH_TEXTS = """() => {
    globalThis.seenTexts = [];
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const { textContent } of addedNodes) seenTexts.push(textContent);
    }).observe(document.body, { childList: true, subtree: true });
}"""
