"""Tests of operations on several flags of the console's list."""

import json
import re

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import find_faults

SIMPLE = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def flag(**metadata):
    return {**SIMPLE, "metadata": metadata}


class FlagSelectionTests(BrowserCase):
    def operate(self, flags, *environments, shared=None, environment="development", **options):
        self.instance.begin_with_flags(environment, flags, shared)
        one = self.operator(environment, *environments, **options)
        console = Console(one, environment)
        console.open_screen("flags")
        expect(console.flag_rows()).not_to_have_count(0)
        return one, console, one.page

    def select_all(self, page):
        page.get_by_role("button", name="Select flags").click()
        page.get_by_role("button", name="Select all shown").click()

    def act(self, page, name):
        page.get_by_role("button", name="Actions").click()
        page.get_by_role("button", name=name, exact=True).click()

    def selected(self, page, text):
        return page.get_by_role("status").filter(has_text=re.compile(f"^{text}$"))

    def changes(self, page, number):
        return page.get_by_role("button", name=f"{number} change", exact=False)

    def undo(self, page):
        page.get_by_role("button", name="Undo", exact=True).last.click()

    def stored(self, environment="development"):
        flags = self.instance.must("GET", f"/{environment}/flags.json", token=environment).json()["flags"]
        return {key: flags[key] for key in sorted(flags)}

    def test_tags_from_a_spreadsheet(self):
        """tags that are pasted from a spreadsheet are added to the selected flags, and one Undo takes all of them back;
        an empty text and tags that are too long are refused; selected flags that the filter hides are counted"""
        one, console, page = self.operate({
            "cart.gift": flag(tags="shop"), "cart.coupon": flag(owner="Mara"), "search.voice": SIMPLE})
        console.filter_box().fill("cart")
        self.select_all(page)
        expect(self.selected(page, "2 selected")).to_be_visible()
        console.filter_box().fill("coupon")
        expect(self.selected(page, "2 selected · 1 hidden by the filter")).to_be_visible()
        self.act(page, "Add tags")
        dialog = page.get_by_role("dialog")
        field, add = dialog.get_by_label("Tags"), dialog.get_by_role("button", name="Add tags")
        field.fill(" ,\t\n")
        add.click()
        expect(dialog.get_by_role("alert")).to_have_text("Enter a tag.")
        field.fill("a" * 124)
        expect(dialog.get_by_role("alert")).to_contain_text("cart.gift: Use 128 characters or fewer")
        self.assertEqual(find_faults(page, "tags of several flags", "dialog"), [])
        one.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.evaluate("() => navigator.clipboard.writeText('ios\\tshop\\r\\nعربي, a b\\n')")
        field.fill("")
        field.press("Control+v")
        add.click()
        expect(self.changes(page, 2)).to_be_visible()
        console.filter_box().fill("tag:عربي")
        expect(console.flag_rows()).to_have_count(2)
        self.undo(page)
        expect(console.review_button()).to_be_hidden()
        console.filter_box().fill("cart")
        self.act(page, "Add tags")
        field.fill("ios\n beta\t")
        add.click()
        self.act(page, "Remove tags")
        expect(dialog.get_by_role("checkbox")).to_have_count(3)
        dialog.get_by_role("checkbox", name="shop").check()
        dialog.get_by_role("button", name="Remove tags").click()
        expect(dialog).to_have_count(0)
        page.keyboard.press("Escape")
        expect(page.get_by_role("checkbox")).to_have_count(0)
        expect(page.get_by_role("button", name="Actions")).to_be_hidden()
        console.review()
        console.save("Tags of the cart")
        self.assertEqual(self.stored(), {
            "cart.coupon": flag(owner="Mara", tags="ios, beta"), "cart.gift": flag(tags="ios, beta"),
            "search.voice": SIMPLE})

    def test_selected_flags_change_in_the_draft(self):
        """selected flags get an owner, are archived, restored, turned off and on, and removed; each step is in the draft
        and has one Undo; a flag that another user removes while the dialog is open is skipped"""
        one, console, page = self.operate({key: SIMPLE for key in ("a.one", "a.two", "b.three")})
        before = self.stored()
        console.filter_box().fill("a.")
        self.select_all(page)
        self.act(page, "Set owner")
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Owner").fill("Mara Lindqvist")
        self.instance.must("DELETE", "/development/config/a.two", token="development")
        expect(self.selected(page, "1 selected")).to_have_count(1)
        dialog.get_by_role("button", name="Set owner").click()
        expect(console.flag_rows().filter(has_text="Mara Lindqvist")).to_have_count(1)
        expect(self.changes(page, 1)).to_be_visible()
        del before["a.two"]
        self.assertEqual(self.stored(), before)
        console.filter_box().fill("")
        page.get_by_role("button", name="Select all shown").click()
        lamps = page.locator(".lamp.off")
        self.act(page, "Turn off")
        expect(lamps).to_have_count(2)
        self.undo(page)
        expect(lamps).to_have_count(0)
        expect(console.flag_rows().filter(has_text="Mara Lindqvist")).to_have_count(1)
        self.act(page, "Turn off")
        self.act(page, "Turn on")
        expect(lamps).to_have_count(0)
        self.act(page, "Turn on")
        expect(page.locator(".notice-box").filter(has_text="Nothing changes.")).to_be_visible()
        self.act(page, "Archive flags")
        expect(self.selected(page, "2 selected · 2 hidden by the filter")).to_be_visible()
        self.act(page, "Unarchive flags")
        expect(console.flag_rows()).to_have_count(2)
        self.assertEqual(self.stored(), before)
        page.get_by_role("checkbox", name="b.three").uncheck()
        self.act(page, "Remove")
        expect(page.get_by_role("button", name="Actions")).to_be_hidden()
        console.review()
        console.save("One flag fewer")
        self.assertEqual(self.stored(), {"b.three": SIMPLE})

    def test_unknown_metadata_is_kept(self):
        """metadata that the page does not know keeps each byte; a flag whose tags are no text stays as it is"""
        known = '"variants":{"on":true,"off":false},"defaultVariant":"off","state":"ENABLED"'
        odd = '"ratio":1.50,"big":9007199254740993,"note":"\\u202e<b>","":"x","__proto__":"y"'
        one, console, page = self.operate({
            "cart.gift": f'{{{known},"metadata":{{{odd}}}}}', "cart.odd": f'{{{known},"metadata":{{"tags":7.0}}}}'})
        before = self.raw("cart.gift"), self.raw("cart.odd")
        self.select_all(page)
        self.act(page, "Add tags")
        page.get_by_role("dialog").get_by_label("Tags").fill("ios")
        page.get_by_role("dialog").get_by_role("button", name="Add tags").click()
        expect(page.locator(".notice-box").filter(has_text="cart.odd: Edit the JSON.")).to_be_visible()
        expect(self.changes(page, 1)).to_be_visible()
        console.review()
        console.save("A tag for the gift")
        self.assertEqual(self.raw("cart.odd"), before[1])
        after = self.raw("cart.gift")
        self.assertIn(re.search(r'"ratio".*"y"', before[0])[0], after)
        self.assertEqual(json.loads(after)["value"]["metadata"]["tags"], "ios")

    def raw(self, key):
        return self.instance.must("GET", f"/development/config/{key}", token="development").body.decode()

    def test_flags_are_copied_as_drafts(self):
        """selected flags are copied into another environment's draft, which names the audiences that it lacks; one Undo
        takes the copies back, also after that environment was opened"""
        rule = {**SIMPLE, "targeting": {"if": [{"or": [{"$ref": "beta"}, {"$ref": "staff"}]}, "on"]}}
        audiences = {name: {"in": [{"var": "targetingKey"}, ["u1"]]} for name in ("beta", "staff")}
        self.instance.begin_with_flags("staging", {"cart.gift": SIMPLE},
                                       {"$evaluators": {"staff": audiences["staff"]}})
        one, console, page = self.operate(
            {"cart.gift": rule, "cart.coupon": SIMPLE}, "staging", shared={"$evaluators": audiences})
        self.select_all(page)
        self.act(page, "Copy to staging")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("staging doesn’t have these audiences of the flags: beta.")
        self.assertEqual(find_faults(page, "missing audiences", "dialog"), [])
        dialog.get_by_role("button", name="Copy to staging").click()
        expect(page.locator(".notice-box").filter(has_text="Draft in staging updated.")).to_be_visible()
        expect(console.review_button()).to_be_hidden()
        there = Console(one, "staging")
        there.open_screen("flags")
        expect(self.changes(page, 2)).to_be_visible()
        expect(there.flag_rows()).to_have_count(2)
        self.undo(page)
        expect(there.review_button()).to_be_hidden()
        expect(there.flag_rows()).to_have_count(1)
        self.assertEqual(self.stored("staging"), {"cart.gift": SIMPLE})

    def test_selected_flags_are_exported(self):
        """the file of the selected flags has their definitions with the draft applied, and the audiences"""
        audiences = {"beta": {"in": [{"var": "targetingKey"}, ["u1"]]}}
        one, console, page = self.operate(
            {"cart.gift": SIMPLE, "cart.coupon": SIMPLE, "search.voice": SIMPLE}, shared={"$evaluators": audiences})
        console.filter_box().fill("cart")
        self.select_all(page)
        self.act(page, "Turn off")
        expect(self.changes(page, 2)).to_be_visible()
        page.get_by_role("button", name="Actions").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Export", exact=True).click()
        self.assertEqual(download.value.suggested_filename, "development-flags.json")
        with open(download.value.path(), encoding="utf-8") as file:
            exported = json.load(file)
        off = {**SIMPLE, "state": "DISABLED"}
        self.assertEqual(exported, {"flags": {"cart.coupon": off, "cart.gift": off}, "$evaluators": audiences})

    def test_selection_by_keys_and_pointer(self):
        """Space, Shift with arrows or a click, and Escape change the selection; Enter opens the active flag"""
        one, console, page = self.operate({f"a.k{number}": SIMPLE for number in range(6)})
        box = page.get_by_role("checkbox")
        page.get_by_role("link", name="a.k1").focus()
        page.keyboard.press("Space")
        expect(box.nth(1)).to_be_focused()
        expect(self.selected(page, "1 selected")).to_be_visible()
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Shift+ArrowDown")
        expect(self.selected(page, "3 selected")).to_be_visible()
        page.keyboard.press("Space")
        expect(self.selected(page, "2 selected")).to_be_visible()
        page.keyboard.press("Shift+End")
        expect(self.selected(page, "5 selected")).to_be_visible()
        self.assertEqual(find_faults(page, "selected flags"), [])
        page.keyboard.press("Escape")
        expect(box).to_have_count(0)
        page.get_by_role("row").filter(has_text="a.k4").click(modifiers=["Shift"])
        page.get_by_role("row").filter(has_text="a.k2").click(modifiers=["Shift"])
        expect(self.selected(page, "3 selected")).to_be_visible()
        page.get_by_role("row").filter(has_text="a.k3").click()
        expect(self.selected(page, "2 selected")).to_be_visible()
        page.get_by_role("button", name="Actions").click()
        page.keyboard.press("Escape")
        expect(self.selected(page, "2 selected")).to_be_visible()
        page.keyboard.press("Escape")
        expect(box).to_have_count(0)
        page.get_by_role("link", name="a.k5").focus()
        page.keyboard.press("Space")
        expect(box.nth(5)).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="a.k5")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="a.k5", exact=True)).to_be_visible()

    def hold(self, one, row):
        """Touches a row until it is selected."""
        place = row.bounding_box()
        point = {"x": place["x"] + 90, "y": place["y"] + place["height"] / 2}
        session = one.context.new_cdp_session(one.page)
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        expect(self.selected(one.page, "1 selected")).to_be_visible()
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def test_long_press_selects_on_a_phone(self):
        """on a phone, a long press selects a flag and a tap another one; the bar stands at the lower end of the page"""
        one, console, page = self.operate({f"a.k{number}": SIMPLE for number in range(6)}, **PHONE)
        # The list renders its rows again when whole values and statistics arrive.
        for text in ("off 100%", "never"):
            expect(console.flag_rows().filter(has_text=text)).to_have_count(6)
        self.hold(one, console.flag_rows().filter(has_text="a.k1"))
        console.flag_rows().filter(has_text="a.k2").tap()
        expect(self.selected(page, "2 selected")).to_be_visible()
        self.assertGreater(page.get_by_role("button", name="Actions").bounding_box()["y"], 844 / 2)
        self.act(page, "Turn off")
        expect(self.changes(page, 2)).to_be_visible()
        self.assertEqual(find_faults(page, "selected flags on a phone"), [])
        console.open_screen("entries")
        self.hold(one, console.row("a.k3"))
        self.assertEqual(page.evaluate("() => getSelection().toString()"), "")

    def test_tags_work_with_favorites_and_saved_filters(self):
        """favorites are filtered by a tag, also of the draft; a saved filter finds the tags among the entries"""
        one, console, page = self.operate({
            "cart.coupon": SIMPLE, "cart.gift": flag(tags="shop, ios"), "search.voice": flag(tags="studios")})
        console.open_flag("cart.coupon")
        page.get_by_role("button", name="Favorite", exact=True).click()
        console.open_screen("flags")
        self.select_all(page)
        self.act(page, "Add tags")
        page.get_by_role("dialog").get_by_label("Tags").fill("ios")
        page.get_by_role("dialog").get_by_role("button", name="Add tags").click()
        console.filter_box().fill("tag:ios")
        expect(console.flag_rows()).to_have_count(3)
        page.get_by_role("combobox", name="Filter").select_option("Favorites")
        expect(console.flag_rows()).to_have_count(1)
        self.undo(page)
        expect(console.flag_rows()).to_have_count(0)
        console.open_screen("entries")
        expect(console.rows()).not_to_have_count(0)
        console.filter_box().fill("tag:ios")
        page.get_by_role("button", name="Saved filters").click()
        page.get_by_role("button", name="Save filter").click()
        page.get_by_role("dialog").get_by_label("Name").fill("Apps")
        page.get_by_role("dialog").get_by_role("button", name="Save filter").click()
        console.filter_box().fill("")
        page.get_by_role("button", name="Saved filters").click()
        page.get_by_role("button", name="Apps", exact=True).click()
        expect(console.row("cart.gift")).to_be_visible()
        expect(console.row("search.voice")).to_have_count(0)

    def test_two_thousand_flags_at_once(self):
        """2,000 flags are tagged as one step and taken back as one step"""
        flags = {f"many.k{number:04d}": SIMPLE for number in range(2_000)}
        one, console, page = self.operate(flags)
        self.select_all(page)
        expect(self.selected(page, "2,000 selected")).to_be_visible()
        self.act(page, "Add tags")
        page.get_by_role("dialog").get_by_label("Tags").fill("ios")
        page.get_by_role("dialog").get_by_role("button", name="Add tags").click()
        expect(self.changes(page, "2,000")).to_be_visible()
        self.undo(page)
        expect(console.review_button()).to_be_hidden()
