"""Tests of flags in the console."""

import json
import re

from playwright.sync_api import expect

from support import hostile
from support.case import BrowserCase
from support.console import Console
from support.marigold import FLAGS, SHARED, token_of

SPLIT = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off",
         "targeting": {"fractional": [["on", 10], ["off", 90]]}}
# A definition that the form cannot show completely, with numbers that exceed a double.
ODD = ('{"state":"ENABLED","variants":{"small":900719925474099.10,"large":1.10},"defaultVariant":"small",'
       '"metadata":{"owner":"<b>nobody</b>","rank":9007199254740993},'
       '"targeting":{"if":[{"<":[1.0,{"var":"age"},3.50]},"large",'
       '{"==":[{"var":["plan","free"]},"pro"]},{"fractional":[["large",{"+":[1,2]}],["small",3]]}]}}')


class FlagTests(BrowserCase):
    def operate(self, environment="development", **options):
        one = self.operator(environment, **options)
        return one, Console(one, environment)

    def stored(self, key, environment="development"):
        return self.instance.must("GET", f"/{environment}/config/{key}", token=environment).json()

    def test_majors_name_the_flags_that_they_lack(self):
        """the review and the screen of majors name a flag that an older major can't evaluate, with the reason"""
        ages = {"if": [{"<": [1, {"var": "age"}, 3]}, "on"]}
        self.instance.begin_with_flags(
            "development", {"free": {**SPLIT, "targeting": ages}}, {"$evaluators": {"old": {"!": [False]}}})
        self.instance.release("development", {"_flags": {"$evaluators": {"new": {"!": [False]}}}})
        answer = self.instance.must("GET", "/development/config", token="development")
        older = int(answer.headers["Almanac-Version"].split(".", maxsplit=1)[0]) - 1
        bound = json.dumps({**SPLIT, "targeting": {"if": [{"$ref": "new"}, "on", "off"]}})
        reason = "at /targeting/if/0/$ref: there is no shared rule new"
        one, console = self.operate()
        console.open_flag("free")
        console.rule(1).get_by_role("textbox", name="JSON").fill('{"$ref":"new"}')
        dialog = console.review()
        expect(dialog).to_contain_text(f"Builds on {older}.x keep free as")
        expect(dialog).to_contain_text(f": {reason}")
        one.page.keyboard.press("Escape")
        self.instance.must("PATCH", "/development/config?replace=true&form=entries",
                           f'{{"bound":{{"kind":"flag","value":{bound}}}}}', token="development")
        console.open_screen("majors")
        card = one.page.get_by_role("listitem").filter(has=one.page.get_by_role("heading", name=f"Major {older}"))
        expect(card).to_contain_text("Lacks 1 new key")
        expect(card).to_contain_text(f"bound: {reason}")

    def test_flag_is_made_and_ruled_by_the_keyboard_alone(self):
        """a flag, a condition and a split are created, changed and saved by keyboard alone"""
        self.instance.begin_with_flags("development", {})
        one, console = self.operate()
        page = one.page
        console.open_screen("flags")
        self.tab_to(page, page.get_by_role("button", name="New flag"))
        page.keyboard.press("Enter")
        page.keyboard.type("by.keys")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="by.keys", exact=True)).to_be_visible()
        self.tab_to(page, page.get_by_role("button", name="Add rule"))
        page.keyboard.press("Enter")
        rule = console.rule(1)
        self.tab_to(page, rule.get_by_role("combobox", name="Attribute"))
        page.keyboard.type("plan")
        self.tab_to(page, rule.get_by_role("textbox", name="Value"))
        page.keyboard.type("pro")
        then = rule.get_by_role("combobox", name="serve")
        self.tab_to(page, then)
        page.keyboard.type("Percentage")
        page.keyboard.press("Enter")
        border = rule.get_by_role("slider", name="Divider between on and off")
        self.tab_to(page, border)
        for key in ("PageUp", "ArrowRight", "ArrowRight", "ArrowLeft"):
            page.keyboard.press(key)
        expect(border).to_have_attribute("aria-valuetext", "on 21%, off 79%")
        expect(rule.get_by_role("textbox", name="Percentage").first).to_have_value("21")
        self.tab_to(page, console.review_button())
        page.keyboard.press("Enter")
        message = console.message_field()
        self.tab_to(page, message)
        page.keyboard.type("By keys")
        page.keyboard.press("Enter")
        console.await_saved()
        stored = self.stored("by.keys")
        self.assertEqual(stored["kind"], "flag")
        self.assertEqual(stored["value"]["targeting"], {
            "if": [{"==": [{"var": "plan"}, "pro"]}, {"fractional": [["on", 21], ["off", 79]]}]})

    def tab_to(self, page, target):
        expect(target).to_be_visible()
        for _ in range(60):
            if target.evaluate("(one) => one === document.activeElement"):
                return
            page.keyboard.press("Tab")
        self.fail(f"60 presses of Tab do not reach {target}")

    def test_who_would_move_is_said_before_it_is_saved(self):
        """moving a border shows how many sampled users would move, and from where to where, before anything is saved"""
        self.instance.begin_with_flags("development", {"ramped": SPLIT})
        one, console = self.operate()
        console.open_flag("ramped")
        expect(console.sample()).to_contain_text("Current split of 10,000 sampled users")
        one.page.get_by_role("slider").press("PageUp")
        expect(console.sample()).to_contain_text("would get a different variant")
        moved = int(console.sample().locator(".moved").inner_text().split()[0].replace(",", ""))
        self.assertTrue(850 <= moved <= 1150, moved)
        expect(console.sample()).to_contain_text("off→on")
        self.assertEqual(self.stored("ramped")["value"], SPLIT)
        console.review()
        console.save("A tenth more")
        self.assertEqual(self.stored("ramped")["value"]["targeting"], {"fractional": [["on", 20], ["off", 80]]})
        expect(console.sample()).to_contain_text("Current split")

    def test_border_is_dragged(self):
        """a border of a split follows the pointer, and stops at its neighbours"""
        thirds = {**SPLIT, "variants": {"a": "1", "b": "2", "c": "3"}, "defaultVariant": "a",
                  "targeting": {"fractional": [["a", 1], ["b", 1], ["c", 2]]}}
        self.instance.begin_with_flags("development", {"thirds": thirds})
        one, console = self.operate()
        console.open_flag("thirds")
        border = one.page.get_by_role("slider").first
        for start, end, expected in ((0.25, 0.4, "a 40%, b 10%, c 50%"), (0.4, 0.9, "a 50%, b 0%, c 50%")):
            # The elements above the border may have grown.
            border.scroll_into_view_if_needed()
            bar = border.locator("xpath=..").bounding_box()
            middle = bar["y"] + bar["height"] / 2
            one.page.mouse.move(bar["x"] + bar["width"] * start, middle)
            one.page.mouse.down()
            one.page.mouse.move(bar["x"] + bar["width"] * end, middle, steps=4)
            one.page.mouse.up()
            expect(border).to_have_attribute("aria-valuetext", expected)

    def test_who_gets_what_and_why(self):
        """a typed context shows variant, value, reason and the matching branch, evaluated with the draft"""
        flags = {key: value for key, (value, _) in FLAGS.items()}
        self.instance.begin_with_flags("development", flags, SHARED)
        one, console = self.operate()
        console.open_flag("checkout.second")
        answer = one.page.get_by_role("status").filter(has_text="Show JSON")
        console.context().fill("targetingKey: u1\nemail: mara@marigold.example\nversion: 2.11.0")
        expect(answer.get_by_title("TARGETING_MATCH")).to_have_text("A rule matched")
        expect(answer).to_contain_text("email mara@marigold.example ends with @marigold.example; version 2.11.0 ≥ 2.10.0")
        expect(answer.locator("b").first).to_have_text("on")
        answer.get_by_text("Show JSON").click()
        expect(answer).to_contain_text("/flags/checkout.second/targeting")
        console.context().fill('{"targetingKey": "u1", "team": "nobody", "n": 9007199254740993}')
        expect(answer.locator("b").first).to_have_text("off")
        last = one.page.get_by_role("combobox", name="serve").last
        last.select_option("on")
        expect(answer.locator("b").first).to_have_text("on")
        console.context().fill('{"broken')
        console.context().blur()
        expect(console.context()).to_have_attribute("aria-invalid", "true")
        self.assertEqual(self.stored("checkout.second")["value"], flags["checkout.second"])

    def test_kill_switch_is_one_press(self):
        """one press turns a flag off for every app, and another one on; an environment that needs caution takes two"""
        on = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "on"}
        self.instance.begin_with_flags("development", {"kill.me": on})
        one, console = self.operate()
        console.open_flag("kill.me")
        self.assertEqual(self.instance.evaluate("development", "kill.me", {})["value"], True)
        console.flag_switch("off").click()
        expect(console.flag_switch("on")).to_be_visible()
        self.assertEqual(self.instance.evaluate("development", "kill.me", {})["reason"], "DISABLED")
        self.assertEqual(self.instance.releases("development")[0]["message"], "Turn off kill.me")
        one.page.get_by_role("button", name="Undo").click()
        expect(console.flag_switch("off")).to_be_visible()
        self.assertEqual(self.instance.evaluate("development", "kill.me", {})["value"], True)
        self.instance.begin_with_flags("live", {"kill.me": on})
        one, console = self.operate("live")
        console.open_flag("kill.me")
        console.flag_switch("off").click()
        dialog = one.page.get_by_role("dialog")
        expect(dialog).to_contain_text("live")
        self.assertEqual(self.stored("kill.me", "live")["value"]["state"], "ENABLED")
        dialog.get_by_role("button", name="Turn off now").click()
        expect(console.flag_switch("on")).to_be_visible()
        self.assertEqual(self.stored("kill.me", "live")["value"]["state"], "DISABLED")

    def test_what_the_form_cannot_show_is_never_lost(self):
        """rules that the form cannot show appear as JSON, and keep all digits when their neighbours are edited"""
        self.instance.begin_with_flags("development", {"odd": ODD})
        one, console = self.operate()
        console.open_flag("odd")
        shown = console.rule(1).get_by_role("textbox", name="JSON")
        self.assertEqual(json.loads(shown.input_value()), {"<": [1.0, {"var": "age"}, 3.5]})
        self.assertIn("3.50", shown.input_value())
        expect(console.rule(2).get_by_role("textbox", name="JSON")).to_have_count(1)
        variants = one.page.get_by_role("region", name="Variants")
        variants.get_by_role("textbox", name="Value").first.fill("2.50")
        one.page.get_by_role("button", name="Add rule").click()
        console.rule(3).get_by_role("combobox", name="Attribute").fill("team")
        console.rule(3).get_by_role("textbox", name="Value").fill("qa")
        console.review()
        console.save("Beside it")
        raw = self.instance.must("GET", "/development/config/odd", token="development").body.decode().replace(" ", "")
        for text in ("900719925474099.10", '"rank":9007199254740993', "3.50]", "2.50",
                     '{"==":[{"var":["plan","free"]},"pro"]},{"fractional":[["large",{"+":[1,2]}],["small",3]]},'
                     '{"==":[{"var":"team"},"qa"]}'):
            self.assertIn(text, raw)

    def test_fault_is_marked_where_it_is(self):
        """a refused definition shows its fault, marks the place, and cannot be saved"""
        self.instance.begin_with_flags("development", {"faulty": {**SPLIT, "targeting": {"if": [
            {"sem_ver": [{"var": "version"}, ">=", "1.0.0"]}, "on"]}}})
        one, console = self.operate()
        one.checks.allow(r"status of 422")
        console.open_flag("faulty")
        console.rule(1).get_by_role("textbox", name="Value").fill("one")
        expect(console.rule(1).locator(".faulty")).to_have_count(1)
        expect(one.page.get_by_role("status").filter(has_text="expected a version")).to_be_visible()
        console.review_button().click()
        expect(console.save_button()).to_be_disabled()

    def test_variants_are_renamed_where_they_are_used(self):
        """a renamed variant is renamed in rules and as the default, and a name already in use is refused"""
        self.instance.begin_with_flags("development", {"renamed": SPLIT})
        one, console = self.operate()
        console.open_flag("renamed")
        name = one.page.get_by_role("textbox", name="Variant").nth(1)
        name.fill("on")
        name.press("Tab")
        expect(name).to_have_attribute("aria-invalid", "true")
        name.fill("nobody")
        name.press("Tab")
        console.review()
        console.save("Another name")
        value = self.stored("renamed")["value"]
        self.assertEqual(value["variants"], {"on": True, "nobody": False})
        self.assertEqual(value["defaultVariant"], "nobody")
        self.assertEqual(value["targeting"], {"fractional": [["on", 10], ["nobody", 90]]})

    def test_invalid_weight_blocks_the_review(self):
        """an invalid percentage or sum shows an error, stays as typed on another screen, and blocks the review"""
        self.instance.begin_with_flags("development", {"split": SPLIT, "other": SPLIT})
        one, console = self.operate()
        console.open_flag("split")
        weight = one.page.get_by_role("textbox", name="Percentage").nth(1)
        for text in ("-5", "many", "", "100.5"):
            weight.fill(text)
            console.await_refused_review(weight, "Enter a percentage from 0 to 100")
        weight.fill("-5")
        console.open_flag("other")
        one.page.get_by_role("textbox", name="Description").fill("Edited")
        console.review_button().click()
        expect(one.page.get_by_role("heading", name="split", exact=True)).to_be_visible()
        expect(weight).to_be_focused()
        expect(weight).to_have_value("-5")
        one.page.get_by_role("button", name="Remove share").first.click()
        expect(weight).to_have_count(0)
        weight = one.page.get_by_role("textbox", name="Percentage")
        expect(weight).to_have_value("-5")
        console.await_refused_review(weight, "Enter a percentage from 0 to 100")
        weight.fill("87.5")
        console.await_refused_review(weight, "The sum is 87.5%. Change the percentages to make it 100%.")
        one.page.get_by_role("button", name="Add share").click()
        weight.nth(1).fill("12.5")
        expect(weight.nth(0)).not_to_have_attribute("aria-invalid", "true")
        console.review()
        console.save("An eighth")
        self.assertEqual(self.stored("split")["value"]["targeting"], {"fractional": [["off", 875], ["on", 125]]})

    def test_invalid_variant_blocks_the_review(self):
        """a variant's name that is empty or in use, and a value that is no JSON, show an error and block the review"""
        shapes = {**SPLIT, "variants": {"on": {"size": 1}, "off": {"size": 2}}}
        self.instance.begin_with_flags("development", {"shapes": shapes})
        one, console = self.operate()
        console.open_flag("shapes")
        name = one.page.get_by_role("textbox", name="Variant").nth(1)
        for text, error in (("on", "A variant with this name already exists."), ("", "Enter a name for the variant.")):
            name.fill(text)
            console.await_refused_review(name, error)
        value = one.page.get_by_role("region", name="Variants").get_by_role("textbox", name="Value").nth(1)
        value.fill('{"size": }')
        value.blur()
        expect(value).to_have_accessible_description(re.compile("Line 1, column 10: expected a value"))
        console.await_refused_review(name, "Enter a name for the variant.", fields=2)
        name.fill("none")
        console.await_refused_review(value, "Line 1, column 10")
        expect(name).to_have_value("none")
        one.page.get_by_role("button", name="Undo").click()
        expect(name).to_have_value("off")
        expect(value).to_have_value(json.dumps({"size": 2}, indent=2))
        expect(console.review_button()).to_be_hidden()

    def test_rule_without_a_meaning_blocks_the_review(self):
        """a condition with an empty attribute or value, or a rule that is no JSON, blocks the review"""
        self.instance.begin_with_flags("development", {"ruled": ODD})
        one, console = self.operate()
        console.open_flag("ruled")
        one.page.get_by_role("button", name="Add rule").click()
        attribute = console.rule(3).get_by_role("combobox", name="Attribute")
        value = console.rule(3).get_by_role("textbox", name="Value")
        expect(attribute).not_to_have_attribute("aria-invalid", "true")
        console.await_refused_review(attribute, "Enter an attribute, such as plan.", fields=2)
        attribute.fill("plan")
        console.await_refused_review(value, "Enter a value.")
        shown = console.rule(1).get_by_role("textbox", name="JSON")
        shown.fill("{")
        console.await_refused_review(shown, "Line 1, column 2", fields=2)
        console.rule(1).get_by_role("button", name="Remove rule").click()
        value = console.rule(2).get_by_role("textbox", name="Value")
        console.await_refused_review(value, "Enter a value.")
        value.fill('""')
        console.review()
        console.save("Without a plan")
        rule = self.stored("ruled")["value"]["targeting"]["if"][2]
        self.assertEqual(rule, {"==": [{"var": "plan"}, ""]})

    def test_compared_values_have_the_type_beside_them(self):
        """ids of users are texts by default, other values what they look like, and each type can be changed"""
        self.instance.begin_with_flags("development", {"typed": SPLIT})
        one, console = self.operate()
        console.open_flag("typed")
        for number, (attribute, value) in enumerate((("targetingKey", "101"), ("age", "18"), ("zip", "10115")), 1):
            one.page.get_by_role("button", name="Add rule").click()
            rule = console.rule(number)
            rule.get_by_role("combobox", name="Attribute").fill(attribute)
            rule.get_by_role("textbox", name="Value").fill(value)
            kind = rule.get_by_role("combobox", name="Type of the value")
            expect(kind).to_have_value("string" if number == 1 else "number")
        kind.select_option("text")
        zip_code = rule.get_by_role("textbox", name="Value")
        expect(zip_code).to_have_value("10115")
        console.rule(1).get_by_role("combobox", name="Operator").select_option("is one of")
        console.rule(1).get_by_role("textbox", name="Value").fill("101, 102")
        age = console.rule(2).get_by_role("textbox", name="Value")
        age.fill("many")
        console.await_refused_review(age, "Enter a value of this type, such as 42")
        age.fill("21")
        console.review()
        review = one.page.get_by_role("dialog")
        expect(review.get_by_text("Rule 1 added: If targetingKey is one of 101, 102, serve on", exact=True)).to_be_visible()
        difference = review.get_by_role("group", name="Changes")
        expect(difference).to_be_hidden()
        review.get_by_text("Show JSON").click()
        expect(difference).to_be_visible()
        console.save("Three rules")
        self.assertEqual(self.stored("typed")["value"]["targeting"]["if"][::2][:3], [
            {"in": [{"var": "targetingKey"}, ["101", "102"]]}, {"==": [{"var": "age"}, 21]},
            {"==": [{"var": "zip"}, "10115"]}])

    def test_invalid_context_blocks_the_review(self):
        """a context that is no JSON shows an error and no evaluation, and blocks the review while it is shown"""
        self.instance.begin_with_flags("development", {"tried": SPLIT})
        one, console = self.operate()
        console.open_flag("tried")
        console.context().fill("targetingKey: u1")
        answer = one.page.get_by_role("status").filter(has_text="A rule matched")
        expect(answer).to_be_visible()
        for field, percent in zip(one.page.get_by_role("textbox", name="Percentage").all(), ("20", "80")):
            field.fill(percent)
        console.context().fill('{"broken')
        console.await_refused_review(console.context(), "Complete the JSON, or enter one")
        expect(answer).to_have_count(0)
        console.context().fill('{"targetingKey": "u1"}')
        expect(answer).to_be_visible()
        console.review()

    def test_entries_show_flags_and_lead_to_them(self):
        """a flag is marked among the entries and opens as a flag; shared rules stay JSON and keep their kind"""
        self.instance.begin_with_flags("development", {"a.flag": SPLIT}, SHARED)
        one, console = self.operate()
        console.open_screen("entries")
        expect(console.row("a.flag")).to_contain_text("Flag")
        console.row("a.flag").click()
        expect(console.flag_switch("off")).to_be_visible()
        self.assertIn("#/development/flags/a.flag", one.page.url)
        console.open_entry("_flags")
        field = console.value_field()
        expect(field).to_have_value(json.dumps(SHARED, indent=2).replace("[\n        {", "[\n        {"))
        field.fill(json.dumps({"$evaluators": {**SHARED["$evaluators"], "staff": {"==": [{"var": "staff"}, True]}}}))
        console.review()
        console.save("Staff")
        self.assertEqual(self.stored("_flags")["kind"], "flag-set")
        console.open_flag("a.flag")
        one.page.get_by_role("button", name="Add rule").click()
        console.rule(1).get_by_role("combobox", name="Operator").select_option("is in audience staff")
        console.review()
        console.save("For staff")
        self.assertEqual(self.stored("a.flag")["value"]["targeting"]["if"][0], {"$ref": "staff"})

    def test_flag_is_promoted_as_a_flag(self):
        """a promoted flag is a flag in the target environment, and undoing its removal restores a flag"""
        self.instance.begin_with_flags("development", {"promoted": SPLIT})
        self.instance.begin("staging", {})
        console = self.promote_and_remove(self.operator("development", "staging"))
        console.undo(self.instance.releases("staging")[0]["revision"])
        self.assertEqual(self.instance.flags("staging"), ["promoted"])

    def test_promoted_flag_without_a_stream(self):
        """a promoted flag is present at once in the target environment, even without its event stream"""
        self.instance.begin_with_flags("development", {"promoted": SPLIT})
        self.instance.begin("staging", {})
        one = self.operator("development", "staging")
        one.checks.allow("ERR_FAILED")
        one.context.route("**/staging/events", lambda route: route.abort())
        self.promote_and_remove(one)

    def promote_and_remove(self, one):
        """Promotes a flag to another environment, opens it there, and removes it."""
        Console(one, "development").promote("staging", ["promoted"], "For staging")
        self.assertEqual(self.stored("promoted", "staging")["kind"], "flag")
        console = Console(one, "staging")
        console.open_flag("promoted")
        one.page.get_by_role("button", name="Remove", exact=True).click()
        console.review()
        console.save("Away")
        self.assertEqual(self.instance.flags("staging"), [])
        return console

    def test_hostile_definitions_are_inert(self):
        """markup and reordered texts in every part of a definition are shown, and have no effect"""
        texts = hostile.MARKUP + list(hostile.STRANGE.values())
        texts = [text for text in texts if text and "\u0001" not in text]
        flags = {}
        for number in range(0, len(texts), 3):
            some = texts[number:number + 3]
            flags[f"hostile.f{number}"] = {
                "state": "ENABLED", "variants": {**{text: text for text in some}, "x": "x"}, "defaultVariant": some[0],
                "metadata": {text: text for text in some},
                "targeting": {"if": [rule for text in some for rule in (
                    {"==": [{"var": text}, text]}, {"fractional": [[text, 1], ["x", 1]]},
                    {"and": [{"in": [{"var": "a"}, [text]]}, {"var": [text, text]}]}, text)]}}
        self.instance.begin_with_flags("development", flags)
        one, console = self.operate()
        console.open_screen("flags")
        expect(console.flag_rows().first).to_be_visible()
        hostile.assert_inert(self, one.page)
        for key, definition in flags.items():
            console.open_flag(key)
            hostile.assert_inert(self, one.page)
            expect(one.page.get_by_role("textbox", name="Variant").first).to_be_visible()
            self.assertEqual(self.stored(key)["value"], definition)
        expect(console.review_button()).to_be_hidden()

    def test_largest_definition(self):
        """a definition of nearly 256 KiB opens with a limited number of rules, and an edit keeps all other rules"""
        rules = []
        for number in range(1500):
            rules += [{"==": [{"var": "account"}, f"account-{number:0100d}"]}, "on" if number % 2 else "off"]
        large = {**SPLIT, "targeting": {"if": rules}}
        self.instance.begin_with_flags("development", {"large": large})
        self.assertGreater(len(json.dumps(large)), 200_000)
        one, console = self.operate()
        console.open_flag("large")
        expect(console.rule(1)).to_be_visible()
        self.assertLessEqual(one.page.locator("main *").count(), 5000)
        console.rule(1).get_by_role("textbox", name="Value").fill("another")
        console.review()
        console.save("The first of many")
        rules[0] = {"==": [{"var": "account"}, "another"]}
        self.assertEqual(self.stored("large")["value"]["targeting"]["if"], rules)

    def test_ten_thousand_flags(self):
        """10,000 flags are shown in a window of rows, found while typing, and reached by keyboard"""
        keys = [f"flag.k{number:05d}" for number in range(9_999)]
        if set(self.instance.flags("plenty")) != set(keys):
            self.instance.begin_with_flags("plenty", {key: SPLIT for key in keys})
        one, console = self.operate("plenty")
        console.open_screen("flags")
        expect(one.page.get_by_text("9,999 of 9,999")).to_be_visible()
        self.assertLessEqual(console.flag_rows().count(), 200)
        console.flag_rows().get_by_role("link").first.focus()
        one.page.keyboard.press("End")
        expect(one.page.get_by_role("link", name=keys[-1])).to_be_focused()
        self.assertLessEqual(console.flag_rows().count(), 200)
        one.page.get_by_role("searchbox").fill("k07777")
        expect(console.flag_rows()).to_have_count(1)
        one.page.get_by_role("link", name="flag.k07777").click()
        expect(console.flag_switch("off")).to_be_visible()

    def test_set_goes_out_and_comes_in_again(self):
        """an export holds all flags; an import replaces them after a preview; a broken file changes nothing"""
        self.instance.begin_with_flags("development", {"kept": SPLIT, "gone.later": SPLIT})
        one, console = self.operate()
        page = one.page
        console.open_screen("flags")
        page.get_by_role("button", name="Import & export").click()
        dialog = page.get_by_role("dialog", name="Import & export")
        with page.expect_download() as download:
            dialog.get_by_role("button", name="Export", exact=True).click()
        with open(download.value.path(), encoding="utf-8") as file:
            exported = json.load(file)
        self.assertEqual(set(exported["flags"]), {"kept", "gone.later"})
        self.assertRegex(download.value.suggested_filename, r"^development-flags-\d+\.\d+\.\d+\.json$")
        self.instance.must("DELETE", "/development/config/gone.later", token="development")

        form = dialog.get_by_role("form", name="Impact")
        broken = json.loads(json.dumps(exported))
        broken["flags"]["kept"]["variants"] = {}
        one.checks.allow(r"status of 422")
        self.choose(dialog, broken)
        expect(form).to_contain_text("'kept' at /variants")
        expect(form.get_by_role("button", name="Import as …")).to_be_disabled()

        self.choose(dialog, exported)
        expect(form).to_contain_text("gone.later")
        self.assertNotIn("gone.later", self.instance.config("development"))
        form.get_by_role("button", name=re.compile(r"Import as \d")).click()
        expect(dialog).to_have_count(0)
        stored = self.instance.must("GET", "/development/flags.json", token="development").json()
        self.assertEqual(stored["flags"], exported["flags"])

    def choose(self, dialog, flags):
        dialog.get_by_label("File").set_input_files(
            {"name": "flags.json", "mimeType": "application/json", "buffer": json.dumps(flags).encode()})

    def test_those_who_may_only_read(self):
        """a session that may only read sees rules and evaluates flags, but cannot change anything"""
        self.instance.begin_with_flags("development", {"read.only": SPLIT})
        token = token_of(self.instance, "development", "reader", "config:read")
        one, console = self.operate(tokens={"development": token})
        console.open_flag("read.only")
        expect(console.flag_switch("off")).to_have_count(0)
        expect(one.page.get_by_role("slider")).to_have_count(0)
        for field in one.page.get_by_role("textbox", name="Percentage").all():
            self.assertFalse(field.is_editable())
        console.context().fill("targetingKey: u1")
        expect(one.page.get_by_role("status").filter(has_text="A rule matched")).to_be_visible()
