"""Tests of the rules of flags: sentences, times, ramps and audiences."""

import re

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import find_faults
from support.marigold import token_of

OFF = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}
QA = {"in": [{"var": "team"}, ["qa", "ops"]]}


class FlagRuleTests(BrowserCase):
    def operate(self, flags, shared=None, **options):
        self.instance.begin_with_flags("development", flags, shared)
        one = self.operator("development", **options)
        return one, Console(one, "development")

    def stored(self, key):
        return self.instance.must("GET", f"/development/config/{key}", token="development").json()["value"]

    def raw(self, key):
        answer = self.instance.must("GET", f"/development/config/{key}", token="development")
        return answer.body.decode().replace(" ", "")

    def audiences(self, console):
        console.go("flags", "_flags")
        expect(console.page.get_by_role("heading", name="Audiences", exact=True)).to_be_visible()
        return console.page.get_by_role("table", name="Audiences").get_by_role("row")

    def test_rules_read_as_sentences(self):
        """a rule is a sentence with fields between its words; a second condition follows with and, or a chosen or"""
        split = {"fractional": [{"var": "user"}, ["on", 10], ["off", 90]]}
        one, console = self.operate({"worded": {**OFF, "targeting": {
            "if": [{"in": [{"var": "country"}, ["DE", "AT"]]}, split]}}})
        console.open_flag("worded")
        rule = console.rule(1)
        rule.get_by_role("button", name="Add condition").click()
        joiner = rule.get_by_role("combobox", name="Operator").nth(1)
        expect(joiner).to_have_value("and")
        attribute = rule.get_by_role("combobox", name="Attribute").nth(1)
        expect(attribute).to_be_focused()
        offered = one.page.locator("#flag-attributes option")
        names = [option.get_attribute("value") for option in offered.all()]
        for name in ("targetingKey", "appVersion", "platform", "country", "language", "plan", "user"):
            self.assertEqual(names.count(name), 1, names)
        console.await_refused_review(attribute, "Enter an attribute", fields=2)
        attribute.fill("plan")
        rule.get_by_role("textbox", name="Value").nth(1).fill("pro")
        expect(rule.locator(".word")).to_have_text(["If", "serve", "by"])
        dialog = console.review()
        expect(dialog).to_contain_text(
            "If country is one of DE, AT and plan is pro, serve on 10%, off 90% by user")
        one.page.keyboard.press("Escape")
        joiner.focus()
        joiner.select_option("or")
        expect(joiner).to_be_focused()
        expect(joiner).to_have_value("or")
        self.assertEqual(find_faults(one.page, "rules"), [])
        console.review()
        console.save("Two conditions")
        self.assertEqual(self.stored("worded")["targeting"]["if"][0], {
            "or": [{"in": [{"var": "country"}, ["DE", "AT"]]}, {"==": [{"var": "plan"}, "pro"]}]})

    def test_ramp_is_edited_in_local_time(self):
        """a ramp has steps in local time and a curve; skipped hours and steps out of order block the review"""
        one, console = self.operate({"ramped": OFF}, timezone_id="Europe/Berlin")
        page = one.page
        console.open_flag("ramped")
        page.get_by_role("combobox", name="serve").select_option("Gradual rollout over time…")
        times = page.get_by_label("time", exact=True)
        shares = page.get_by_role("textbox", name="Percentage")
        expect(times).to_have_count(2)
        expect(page.get_by_text("· Times in Europe/Berlin")).to_be_visible()
        # On this day, clocks skip the hour from two to three.
        times.first.fill("2026-03-29T02:30")
        console.await_refused_review(times.first, "Enter a date and a time that exist in Europe/Berlin.")
        times.first.fill("2026-03-29T03:30")
        times.nth(1).fill("2026-03-01T00:00")
        console.await_refused_review(times.nth(1), "Enter a time between the steps before and after.")
        times.first.fill("2026-02-01T00:00")
        expect(times.nth(1)).not_to_have_attribute("aria-invalid", "true")
        times.first.fill("2026-03-02T00:00")
        console.await_refused_review(times.first, "Enter a time between the steps before and after.")
        # This hour exists twice; the first one counts.
        times.nth(1).fill("2026-10-25T02:30")
        expect(times.first).not_to_have_attribute("aria-invalid", "true")
        times.first.fill("")
        console.await_refused_review(times.first, "Enter a date and a time")
        times.first.fill("2026-03-29T03:30")
        curve = page.locator("svg.ramp path").first
        before = curve.get_attribute("d")
        shares.nth(1).fill("12.5")
        expect(curve).not_to_have_attribute("d", before)
        expect(page.get_by_text("Now: 13%")).to_be_visible()
        page.get_by_role("button", name="Add step").click()
        expect(times).to_have_count(3)
        expect(times.nth(2)).to_have_value("2026-11-01T01:30")
        shares.nth(2).fill("101")
        console.await_refused_review(shares.nth(2), "Enter a percentage from 0 to 100")
        shares.nth(2).fill("100")
        self.assertEqual(find_faults(page, "ramp"), [])
        console.review()
        console.save("A ramp")
        points = [["2026-03-29T01:30:00Z", 0], ["2026-10-25T00:30:00Z", 12.5], ["2026-11-01T00:30:00Z", 100]]
        self.assertEqual(self.stored("ramped")["targeting"], {"almanac.ramp": [points, "on", "off"]})
        page.get_by_role("button", name="Remove step").nth(1).click()
        console.review()
        console.save("Two steps")
        self.assertEqual(self.stored("ramped")["targeting"]["almanac.ramp"][0], [points[0], points[2]])

    def test_time_rule_reads_the_clock(self):
        """a comparison of times reads the clock by default, has a field of local time, and needs a time"""
        one, console = self.operate({"timed": OFF}, timezone_id="Europe/Berlin")
        console.open_flag("timed")
        for number, attribute in ((1, ""), (2, "signedUp")):
            one.page.get_by_role("button", name="Add rule").click()
            rule = console.rule(number)
            expect(rule.get_by_role("combobox", name="Attribute")).to_be_focused()
            rule.get_by_role("combobox", name="Attribute").fill(attribute)
            rule.get_by_role("combobox", name="Operator").select_option("time ≥")
            expect(rule.get_by_role("combobox", name="Attribute")).to_have_count(number - 1)
            time = rule.get_by_label("time", exact=True)
            console.await_refused_review(time, "Enter a date and a time")
            time.fill("2026-12-24T00:00")
            expect(rule.get_by_text("Europe/Berlin")).to_be_visible()
        dialog = console.review()
        expect(dialog).to_contain_text(re.compile(r"If from Dec 24, 2026, 12:00\sAM, serve on"))
        console.save("Christmas")
        time = "2026-12-23T23:00:00Z"
        self.assertEqual(self.stored("timed")["targeting"]["if"][::2][:2], [
            {"almanac.date": [{"var": "$flagd.timestamp"}, ">=", time]},
            {"almanac.date": [{"var": "signedUp"}, ">=", time]}])
        console.rule(1).get_by_role("combobox", name="Operator").select_option("is")
        expect(console.rule(1).get_by_role("combobox", name="Attribute")).to_have_value("")

    def test_rules_without_a_form_are_kept(self):
        """rules that no form shows keep every digit when others are edited, in flags and in audiences"""
        odd = ('{"if":[{"almanac.date":[{"var":"$flagd.timestamp"},">=",1782896400.50]},"on",'
               '{"<":[1.0,{"var":"age"},3.50]},{"almanac.ramp":[[[1782896400,0.0],["2026-12-01",100]],"on","off"]}]}')
        text = f'{{"state":"ENABLED","variants":{{"on":true,"off":false}},"defaultVariant":"off","targeting":{odd}}}'
        self.instance.begin_with_flags("development", {"odd": text})
        shared = '{"fractional":2,"$evaluators":{"odd":{"fractional":[["on",1],["off",{"+":[1.0,2.50]}]]}}}'
        self.instance.must("PATCH", "/development/config?replace=true&form=entries",
                           f'{{"_flags":{{"kind":"flag-set","value":{shared}}}}}', token="development")
        one = self.operator("development")
        console = Console(one, "development")
        console.open_flag("odd")
        one.page.get_by_role("textbox", name="Description").fill("Odd")
        one.page.get_by_role("button", name="Add rule").click()
        console.rule(3).get_by_role("combobox", name="Operator").select_option("is in audience odd")
        self.audiences(console)
        one.page.get_by_role("button", name="New audience").click()
        dialog = one.page.get_by_role("dialog", name="New audience")
        dialog.get_by_label("Name").fill("mine")
        dialog.get_by_role("textbox", name="Value").fill("u1")
        dialog.get_by_role("button", name="Add to draft").click()
        console.review()
        console.save("Beside them")
        self.assertIn(odd[1:-2], self.raw("odd"))
        self.assertIn(shared[:-2], self.raw("_flags"))

    def test_audience_from_a_pasted_list(self):
        """10,000 pasted ids make an audience without duplicates; ids with markup and from right to left are texts"""
        one, console = self.operate({"beta": OFF})
        page = one.page
        rows = self.audiences(console)
        expect(page.get_by_role("heading", name="No audiences yet")).to_be_visible()
        expect(console.review_button()).to_be_hidden()
        page.reload()
        page.get_by_role("button", name="New audience").click()
        dialog = page.get_by_role("dialog", name="New audience")
        name, ids = dialog.get_by_label("Name"), dialog.get_by_role("textbox", name="Value")
        name.press("Enter")
        expect(name).to_be_focused()
        expect(name).to_have_attribute("aria-invalid", "true")
        expect(dialog.get_by_text("Enter a name that no other audience has.")).to_be_visible()
        expect(ids).to_have_accessible_description("Enter a value. Two quotation marks stand for an empty text.")
        name.fill("שלום <b>beta</b>")
        odd = ["<img/src=x>", "משתמש-1", "{{x}}", "a\"b"]
        many = [f"user-{number}" for number in range(9_996)]
        # Chromium needs minutes to type many lines, but not to paste them.
        ids.evaluate("""(field, text) => {
            field.value = text;
            field.dispatchEvent(new Event("input"));
        }""", "\n".join(many) + "\t" + ", ".join(odd) + "  user-1 user-2\r\nuser-3,,")
        expect(dialog.get_by_role("status")).to_have_text("10,000 ids")
        self.assertEqual(find_faults(page, "a new audience", "dialog"), [])
        dialog.get_by_role("button", name="Add to draft").click()
        expect(dialog).to_have_count(0)
        row = rows.filter(has_text="<b>beta</b>")
        expect(row).to_contain_text("10,000 ids")
        console.review()
        console.save("Beta")
        self.assertEqual(self.stored("_flags"), {
            "$evaluators": {"שלום <b>beta</b>": {"in": [{"var": "targetingKey"}, many + odd]}}})
        console.open_flag("beta")
        page.get_by_role("button", name="Add rule").click()
        console.rule(1).get_by_role("combobox", name="Operator").select_option("is in audience שלום <b>beta</b>")
        console.review()
        console.save("For them")
        for key, value in (("user-9995", True), ("<img/src=x>", True), ("user-9996", False)):
            self.assertEqual(self.instance.evaluate("development", "beta", {"targetingKey": key})["value"], value, key)
        self.audiences(console)
        row.get_by_role("button", name="Edit audience").click()
        dialog = page.get_by_role("dialog", name="Edit audience")
        expect(dialog.get_by_role("status")).to_have_text("10,000 ids")
        dialog.get_by_role("button", name="Add to draft").click()
        expect(dialog).to_have_count(0)
        expect(console.review_button()).to_be_hidden()

    def test_audience_is_renamed_and_removed(self):
        """references follow a renamed audience; one in use names its users instead of being removed"""
        used = {**OFF, "targeting": {"if": [{"$ref": "testers"}, "on"]}}
        plain = {**OFF, "variants": {"on": {"$ref": "testers"}, "off": {}}}
        one, console = self.operate(
            {"one": used, "two": {**used, "targeting": {"if": [{"!": [{"$ref": "testers"}]}, "on"]}}, "plain": plain},
            {"$evaluators": {"testers": QA, "all": {"or": [{"$ref": "testers"}, {"!!": [{"var": "all"}]}]},
                             "lonely": QA}})
        page = one.page
        rows = self.audiences(console)
        expect(rows).to_have_count(4)
        row = rows.filter(has=page.get_by_role("rowheader", name="testers", exact=True))
        expect(row.get_by_role("cell").nth(0)).to_have_text("team is one of qa, ops")
        expect(row.get_by_role("cell").nth(1)).to_have_text("3 · one, two, all")
        self.assertEqual(find_faults(page, "audiences"), [])
        row.get_by_role("button", name="Edit audience").click()
        dialog = page.get_by_role("dialog", name="Edit audience")
        dialog.get_by_label("Name").fill("lonely")
        dialog.get_by_role("button", name="Add to draft").click()
        expect(dialog.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
        dialog.get_by_label("Name").fill("staff")
        dialog.get_by_label("Name").press("Enter")
        expect(dialog).to_have_count(0)
        row = rows.filter(has=page.get_by_role("rowheader", name="staff", exact=True))
        expect(row.get_by_role("cell").nth(1)).to_have_text("3 · one, two, all")
        row.get_by_role("button", name="Remove").click()
        refusal = page.get_by_role("dialog", name="Remove staff from these rules first")
        expect(refusal.get_by_role("link")).to_have_text(["one", "two"])
        refusal.get_by_role("link", name="one").click()
        expect(page.get_by_role("heading", name="one", exact=True)).to_be_visible()
        expect(refusal).to_have_count(0)
        expect(console.rule(1).get_by_role("combobox", name="Operator")).to_have_value("$ref staff")
        page.go_back()
        lonely = rows.filter(has=page.get_by_role("rowheader", name="lonely", exact=True))
        lonely.get_by_role("button", name="Remove").click()
        expect(lonely).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(lonely).to_have_count(1)
        lonely.get_by_role("button", name="Remove").click()
        expect(lonely).to_have_count(0)
        console.review()
        console.save("Staff")
        self.assertEqual(self.stored("_flags"), {"$evaluators": {
            "staff": QA, "all": {"or": [{"$ref": "staff"}, {"!!": [{"var": "all"}]}]}}})
        self.assertEqual(self.stored("one")["targeting"]["if"][0], {"$ref": "staff"})
        self.assertEqual(self.stored("two")["targeting"]["if"][0], {"!": [{"$ref": "staff"}]})
        self.assertEqual(self.stored("plain"), plain)

    def test_audiences_are_found(self):
        """audiences open from the flags and from the command palette, and readers see them without buttons"""
        token = token_of(self.instance, "development", "reader", "config:read")
        one, console = self.operate(
            {"a": OFF}, {"$evaluators": {"qa": QA}}, tokens={"development": token})
        page = one.page
        heading = page.get_by_role("heading", name="Audiences", exact=True)
        console.open_screen("flags")
        page.get_by_role("button", name="Audiences").click()
        expect(heading).to_be_visible()
        page.get_by_role("link", name="All flags").click()
        expect(heading).to_have_count(0)
        page.keyboard.press("Control+k")
        page.keyboard.type("audiences")
        page.keyboard.press("Enter")
        expect(heading).to_be_visible()
        expect(page.get_by_role("rowheader", name="qa")).to_be_visible()
        for name in ("New audience", "Edit audience", "Remove"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)

    def test_new_fields_are_faulty_after_they_are_left(self):
        """the empty fields of a new rule show no error before they are left; the review shows all errors"""
        one, console = self.operate({"ruled": OFF})
        page = one.page
        console.open_flag("ruled")
        page.get_by_role("button", name="Add rule").click()
        rule = console.rule(1)
        attribute, value = rule.get_by_role("combobox", name="Attribute"), rule.get_by_role("textbox", name="Value")
        expect(attribute).to_be_focused()
        warnings = (page.get_by_text("Fix 1 invalid field"), page.get_by_text("Fix 2 invalid fields"),
                    page.get_by_text("Fix the value"), rule.get_by_role("alert"))
        expect(console.review_button()).to_be_visible()
        for warning in warnings:
            expect(warning).to_have_count(0)
        attribute.fill("plan")
        rule.get_by_role("combobox", name="Operator").select_option("version ≥")
        expect(console.context()).to_have_value("targetingKey: \nplan: ")
        page.get_by_role("button", name="Add condition").click()
        for warning in (*warnings, rule.locator(".faulty")):
            expect(warning).to_have_count(0)
        value.first.focus()
        value.first.blur()
        expect(rule.get_by_role("alert")).to_have_text(
            ["Enter a value. Two quotation marks stand for an empty text.", "Enter an attribute, such as plan."])
        expect(page.get_by_text("Fix 3 invalid fields")).to_be_visible()
        rule.get_by_role("combobox", name="Operator").first.select_option("version <")
        expect(rule.get_by_role("alert")).to_have_count(2)
        console.review_button().click()
        expect(rule.get_by_role("alert")).to_have_count(3)
        self.find_errors_below_conditions(rule, 3)
        console.rule(1).get_by_role("button", name="Remove condition").last.click()
        self.find_errors_below_conditions(rule, 1)

    def find_errors_below_conditions(self, rule, count):
        """Expects each error below its condition, which is as wide as the outcome, at several widths."""
        for width in (390, 1024, 1440):
            rule.page.set_viewport_size({"width": width, "height": 900})
            expect(rule.get_by_role("alert")).to_have_count(count)
            for error in rule.get_by_role("alert").all():
                box = error.bounding_box()
                condition = error.locator("xpath=preceding-sibling::*[contains(@class, 'condition')][1]").bounding_box()
                self.assertAlmostEqual(box["x"], condition["x"], 0, width)
                self.assertGreaterEqual(box["y"], condition["y"] + condition["height"], width)
                self.assertGreater(condition["width"], rule.bounding_box()["width"] * 0.6, width)

    def test_error_leaves_the_pressed_button_in_place(self):
        """the error of a field that is left by a press appears after the press, so the button gets the click"""
        one, console = self.operate({"ruled": OFF}, has_touch=True)
        page = one.page
        console.open_flag("ruled")
        add = page.get_by_role("button", name="Add rule")
        add.click()
        errors = page.get_by_text("Enter an attribute, such as plan.")
        for number, press in ((1, add.click), (2, add.tap)):
            attribute = console.rule(number).get_by_role("combobox", name="Attribute")
            attribute.focus()
            expect(errors).to_have_count(number - 1)
            press()
            expect(console.rule(number + 1)).to_be_visible()
            expect(errors).to_have_count(number)
        console.rule(3).get_by_role("combobox", name="Attribute").focus()
        add.scroll_into_view_if_needed()
        page.mouse.move(*self.middle(add))
        page.mouse.down()
        expect(add).to_be_focused()
        expect(errors).to_have_count(2)
        page.mouse.up()
        expect(console.rule(4)).to_be_visible()
        expect(errors).to_have_count(3)

    @staticmethod
    def middle(button):
        box = button.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def test_one_percentage_of_two_fills_in_the_other(self):
        """in a split of two variants, each percentage follows the other one; three percentages have to add up"""
        split = {**OFF, "targeting": {"fractional": [["on", 10], ["off", 90]]}}
        one, console = self.operate({"split": split})
        page = one.page
        console.open_flag("split")
        shares = page.get_by_role("textbox", name="Percentage")
        shares.first.fill("")
        shares.first.press_sequentially("12.5")
        expect(shares.first).to_have_value("12.5")
        expect(shares.last).to_have_value("87.5")
        expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "on 12.5%, off 87.5%")
        shares.last.fill("many")
        expect(shares.first).to_have_value("12.5")
        shares.first.fill("30")
        expect(shares.last).to_have_value("70")
        shares.last.fill("60")
        expect(shares.first).to_have_value("40")
        console.review()
        console.save("By one field")
        self.assertEqual(self.stored("split")["targeting"], {"fractional": [["on", 40], ["off", 60]]})
        page.get_by_role("button", name="Add share").click()
        shares.nth(2).fill("20")
        console.await_refused_review(shares.nth(2), "The sum is 120%. Change the percentages to make it 100%.")
