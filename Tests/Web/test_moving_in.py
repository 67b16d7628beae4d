"""Tests of flags from other flag systems: the import of their files, and the forms of their rules."""

import json
import os

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import find_faults

# A folder for a picture of each step in both schemes at four widths.
JOURNEY = os.environ.get("ALMANAC_TEST_JOURNEY")
UNIT = {"var": "targetingKey"}
BOOLEAN = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}


def launchdarkly(share=20_000):
    """Returns a file of two flags that are kept, one of them with a renamed attribute, one that differs, and one that
    cannot be kept."""
    shares = {"variations": [{"variation": 0, "weight": share}, {"variation": 1, "weight": 100_000 - share}]}

    def flag(key, variations, **settings):
        production = {"on": True, "salt": "8d6f", "offVariation": 1, "fallthrough": {"rollout": shares}, **settings}
        return {"key": key, "name": key, "variations": [{"value": value} for value in variations],
                "environments": {"production": production}}

    def clause(attribute, operator, *values):
        return [{"variation": 0, "clauses": [{"attribute": attribute, "op": operator, "values": values}]}]

    return json.dumps({"items": [
        flag("new checkout", [True, False]),
        flag("beta", [True, False], rules=clause("account.tier", "in", "gold")),
        flag("coupons", [True, False], rules=clause("code", "matches", "^SPRING[0-9]+$")),
        flag("mixed", [True, "on"]),
    ]})


class MovingInTests(BrowserCase):
    def step(self, page, name):
        if not JOURNEY:
            return
        size = page.viewport_size
        for width in (390, 768, 1024, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.screenshot(path=os.path.join(JOURNEY, f"{name}-{width}-{scheme}.png"), full_page=True)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(size)

    def choose(self, page, text):
        page.get_by_label("File", exact=True).set_input_files(
            [{"name": "flags.json", "mimeType": "application/json", "buffer": text.encode()}])

    def test_files_of_another_system_are_imported(self):
        """a file of LaunchDarkly is recognized; its report, a review and one release bring the flags, a second import
        takes what changed there, and a conflict is decided by the user"""
        self.instance.begin("development", {"kept": 1})
        one = self.operator("development")
        page, console = one.page, Console(one, "development")
        console.open_screen("transfer")
        self.choose(page, launchdarkly())
        expect(page.get_by_label("Source", exact=True)).to_have_value("launchdarkly")
        report = page.get_by_role("table", name="Report")
        expect(report.get_by_role("row")).to_have_count(5)
        expect(report.get_by_role("row").filter(has_text="new checkout")).to_contain_text("becomes new-checkout")
        expect(report.get_by_role("row").filter(has_text="mixed")).to_contain_text("skipped")
        expect(report.get_by_role("row").filter(has_text="mixed")).to_contain_text("/items/3")
        expect(report.get_by_role("row").filter(has_text="coupons")).to_contain_text("Differs when")
        expect(page.get_by_role("table", name="Renamed attributes")).to_contain_text("account.tier")
        self.assertEqual(find_faults(page, "report"), [])
        self.step(page, "1-report")
        page.get_by_role("group", name="Filter").get_by_role("button", name="2 exact").click()
        expect(report.get_by_role("row")).to_have_count(3)
        self.assertEqual(self.instance.config("development"), {"kept": 1})
        page.get_by_role("button", name="Review 4 changes").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("new-checkout")
        expect(dialog.get_by_label("Message")).to_have_value("Import 3 flags from LaunchDarkly")
        self.step(page, "2-review")
        expect(console.save_button()).to_be_enabled()
        console.save_button().click()
        expect(page.get_by_text("No changes: this environment already has these flags.")).to_be_visible()
        self.assertEqual(len(self.instance.releases("development")[0]["keys"]), 4)
        # LaunchDarkly's hash of these two users: see SchemeTests.
        found = {self.instance.evaluate("development", "new-checkout", {"targetingKey": f"u{n}"})["value"]
                 for n in range(60)}
        self.assertEqual(found, {True, False})

        flag = self.instance.must("GET", "/development/config/new-checkout", token="development").json()["value"]
        flag["targeting"] = {"if": [{"==": [{"var": "plan"}, "pro"]}, next(iter(flag["variants"]))]}
        self.instance.release("development", {"new-checkout": flag})
        self.choose(page, launchdarkly(share=50_000))
        conflict = page.get_by_role("group", name="new-checkout")
        expect(conflict).to_contain_text("50000")
        expect(page.get_by_text("Choose a side for 1 conflict")).to_be_visible()
        expect(conflict.get_by_role("radio", checked=True)).to_have_count(0)
        expect(page.get_by_role("button", name="Review")).to_have_count(0)
        self.assertEqual(find_faults(page, "conflict"), [])
        self.step(page, "3-conflict")
        conflict.get_by_role("radio", name="Keep this environment’s").check()
        page.get_by_role("button", name="Review").click()
        expect(console.save_button()).to_be_enabled()
        console.save_button().click()
        expect(page.get_by_text("No changes: this environment already has these flags.")).to_be_visible()
        kept = self.instance.must("GET", "/development/config/new-checkout", token="development").json()["value"]
        self.assertEqual(kept["targeting"], flag["targeting"])

    def test_files_for_the_command_line(self):
        """YAML is refused with the command that reads it, and a file of another system with a sentence"""
        self.instance.begin("development", {"kept": 1})
        one = self.operator("development")
        one.checks.allow("the server responded with a status of 422")
        console = Console(one, "development")
        console.open_screen("transfer")
        one.page.get_by_label("File", exact=True).set_input_files(
            [{"name": "features.yaml", "mimeType": "text/yaml", "buffer": b"flags:\n  - key: a\n"}])
        expect(one.page.get_by_text("The console reads JSON.")).to_be_visible()
        expect(one.page.get_by_text("features.yaml --environment development")).to_be_visible()
        self.choose(one.page, launchdarkly())
        expect(one.page.get_by_role("table", name="Report")).to_be_visible()
        one.page.get_by_label("Source", exact=True).select_option("unleash")
        expect(one.page.get_by_role("alert").filter(has_text="The file flags.json")).to_contain_text("LaunchDarkly")

    def test_rules_of_other_systems_are_fields(self):
        """conditions of other systems are rows, hashed values are hidden, and a split keeps its bounds until the user
        moves it to Almanac's own"""
        scheme = {"scheme": "launchdarkly", "key": "f", "salt": "8d6f"}
        split = {"almanac.split": [scheme, UNIT, [[0, 20_000, "on"], [20_000, 100_000, "off"]]]}
        tests = {"and": [
            {"almanac.network": [{"var": "ip"}, ["10.0.0.0/8"]]},
            {"almanac.version": [{"var": "app"}, ">=", "2.10.0.4"]},
            {"in": [{"almanac.lower": {"var": "mail"}}, ["a@x.org"]]},
            {"in": [{"almanac.hashed": [{"var": "id"}, ["s", "k"]]}, ["ab", "cd"]]}]}
        self.instance.begin_with_flags("development", {"moved": {
            **BOOLEAN, "metadata": {"almanac.off": "off"}, "targeting": {"if": [tests, split, "off"]}}})
        one = self.operator("development")
        page, console = one.page, Console(one, "development")
        console.open_flag("moved")
        rule = console.rule(1)
        expect(rule).to_contain_text("id is one of 2 hidden values")
        expect(rule).to_contain_text("LaunchDarkly’s hash")
        expect(page.get_by_role("textbox", name="JSON", exact=True)).to_have_count(0)
        values = rule.get_by_role("textbox", name="Value")
        for at, text in enumerate(("10.0.0.0/8", "2.10.0.4", "a@x.org")):
            expect(values.nth(at)).to_have_value(text)
        values.nth(0).fill("10.0.0.0/8, ::1")
        values.nth(2).fill("B@x.org, c@x.org")
        shares = rule.get_by_role("textbox", name="Percentage")
        expect(shares.nth(0)).to_have_value("20")
        shares.nth(0).fill("25")
        expect(shares.nth(1)).to_have_value("75")
        page.get_by_role("combobox", name="While turned off").select_option("on")
        self.assertEqual(find_faults(page, "rules of other systems"), [])
        self.step(page, "4-rules")
        console.review()
        expect(page.get_by_role("dialog")).to_contain_text("on 25%, off 75% by targetingKey (LaunchDarkly)")
        console.save("Other shares")
        stored = self.stored("moved")
        self.assertEqual(stored["metadata"], {"almanac.off": "on"})
        tests["and"][0]["almanac.network"][1] = ["10.0.0.0/8", "::1"]
        tests["and"][2]["in"][1] = ["b@x.org", "c@x.org"]
        split["almanac.split"][2] = [[0, 25_000, "on"], [25_000, 100_000, "off"]]
        self.assertEqual(stored["targeting"], {"if": [tests, split, "off"]})
        page.get_by_role("button", name="Move to Almanac’s split").click()
        dialog = page.get_by_role("dialog", name="Move to Almanac’s own split")
        expect(dialog).to_contain_text("sampled users would get a different variant")
        self.step(page, "5-own-split")
        dialog.get_by_role("button", name="Move split").click()
        console.review()
        console.save("Almanac's own split")
        self.assertEqual(self.stored("moved")["targeting"]["if"][1], {"fractional": [["on", 1], ["off", 3]]})

    def stored(self, key):
        return self.instance.must("GET", f"/development/config/{key}", token="development").json()["value"]
