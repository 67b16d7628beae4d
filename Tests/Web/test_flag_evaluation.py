"""Tests of the evaluation of flags in the console: who gets what and why."""

import json
import random
import re

from playwright.sync_api import expect

from support import hostile
from support.bundle import bundle
from support.case import BrowserCase
from support.console import Console
from support.depth import chosen_seed, ends_within, runs
from support.look import find_faults

SWITCH = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}
RULED = {**SWITCH, "targeting": {"if": [
    {"in": [{"var": "country"}, ["DE", "AT"]]}, {"fractional": [["on", 10], ["off", 90]]},
    {"sem_ver": [{"var": "appVersion"}, ">=", "4.2.0"]}, "on"]}}
# The number of random changes made with the console's modules.
CHANGES = runs("ALMANAC_TEST_CHANGES", quick=5, standard=10, long=200)
# The number of random changes made by the form.
FORM_CHANGES = runs("ALMANAC_TEST_FORM_CHANGES", quick=1, standard=3, long=20)
# The form shows 40 rules at first.
CHANGES_OF_A_FLAG = 60
PLANS = ("pro", "free", "שלום", "<b>pro</b>", "10 %")


class FlagEvaluationTests(BrowserCase):
    def operate(self, flags, shared=None, **options):
        self.instance.begin_with_flags("development", flags, shared)
        one = self.operator("development", **options)
        return one, Console(one, "development")

    def explanation(self, one):
        return one.page.get_by_role("status").filter(has=one.page.get_by_text("Show JSON", exact=True))

    def sentences(self, one):
        return self.explanation(one).get_by_role("listitem")

    def test_value_is_explained(self):
        """a typed context shows why it gets its variant, in sentences; the server's steps are behind a button"""
        one, console = self.operate({"ruled": RULED})
        console.open_flag("ruled")
        console.context().fill("targetingKey: anna\ncountry: FR\nappVersion: 4.10.0")
        expect(self.sentences(one)).to_have_text([
            "Rule 1 didn’t match: country is FR, and the rule wants one of DE, AT",
            "Rule 2 matched: appVersion 4.10.0 ≥ 4.2.0"])
        steps = self.explanation(one).locator("pre")
        expect(steps).to_be_hidden()
        self.explanation(one).get_by_text("Show JSON").click()
        expect(steps).to_contain_text('"path": "/flags/ruled/targeting/if/0/in"')
        console.context().fill("targetingKey: anna\ncountry: DE")
        expect(self.sentences(one)).to_have_count(2)
        expect(self.sentences(one).nth(0)).to_have_text("Rule 1 matched: country DE is one of DE, AT")
        answer = self.instance.must("POST", "/development/flags/ruled/explain", {
            "context": {"targetingKey": "anna", "country": "DE"}}, token="development").json()
        share = "10%" if answer["variant"] == "on" else "90%"
        expect(self.sentences(one).nth(1)).to_contain_text(
            f"User anna is in the {share} that get {answer['variant']} (bucket ")
        console.context().fill("targetingKey: anna\ncountry: FR")
        expect(self.sentences(one).nth(2)).to_have_text("No rule matched, so everyone gets off")

    def test_value_at_another_time_is_explained(self):
        """a time in the local zone answers who gets what then, also by a ramp; a time that clocks skip is refused"""
        one, console = self.operate({
            "later": {**SWITCH, "targeting": {"if": [{">=": [{"var": "$flagd.timestamp"}, 4099766400]}, "on"]}},
            "grown": {**SWITCH, "targeting": {"almanac.ramp": [
                [["2099-12-01T00:00:00Z", 0], ["2099-12-02T00:00:00Z", 100]], "on", "off"]}}},
            timezone_id="Europe/Berlin")
        console.open_flag("later")
        when = one.page.get_by_label("Time", exact=True)
        variant = self.explanation(one).locator("b")
        expect(variant).to_have_text("off")
        # 4099766400 is 2099-12-01T00:00 in UTC, one hour later in Berlin.
        for local, expected in (("2099-12-01T01:00", "on"), ("2099-12-01T00:59", "off"), ("2099-12-02T00:00", "on")):
            when.fill(local)
            expect(variant).to_have_text(expected)
        when.fill("2027-03-28T02:30")
        when.blur()
        expect(one.page.get_by_text("Enter a date and a time that exist in Europe/Berlin.")).to_be_visible()
        when.fill("")
        expect(variant).to_have_text("off")
        console.open_flag("grown")
        console.context().fill("targetingKey: anna")
        expect(variant).to_have_text("off")
        when.fill("2099-12-03T00:00")
        expect(variant).to_have_text("on")

    def test_audience_of_the_draft_is_explained(self):
        """an audience that is only in the draft decides who gets what"""
        one, console = self.operate(
            {"ruled": {**SWITCH, "targeting": {"if": [{"$ref": "testers"}, "on"]}}},
            {"$evaluators": {"testers": {"in": [{"var": "targetingKey"}, ["bob"]]}}})
        console.go("flags", "_flags")
        one.page.get_by_role("button", name="Edit audience").click()
        dialog = one.page.get_by_role("dialog", name="Edit audience")
        dialog.get_by_role("textbox", name="Value").fill("anna")
        dialog.get_by_role("button", name="Add to draft").click()
        console.open_flag("ruled")
        console.context().fill("targetingKey: anna")
        expect(self.explanation(one).locator("b")).to_have_text("on")
        expect(self.sentences(one).first).to_contain_text("Rule 1 matched")
        words = "Audience testers: targetingKey is one of anna (was: targetingKey is one of bob)"
        expect(console.review().get_by_role("listitem").filter(has_text=words).last).to_be_visible()
        console.save("Anna tests")
        console.go("releases", str(self.instance.releases("development")[0]["revision"]))
        expect(one.page.get_by_role("listitem").filter(has_text=words).last).to_be_visible()

    def test_flag_that_is_off_is_explained(self):
        """the explanation follows the draft: a flag without rules gives everyone its default, one that is off nobody"""
        one, console = self.operate({"switched": SWITCH})
        console.open_flag("switched")
        expect(self.sentences(one)).to_have_text(["There are no rules, so everyone gets off"])
        console.flag_switch("off").click()
        expect(self.sentences(one)).to_have_text(["The flag is off, so apps use their own default"])

    def test_value_is_explained_in_german(self):
        """a German user gets the sentences in German"""
        one, console = self.operate({"ruled": RULED}, locale="de-DE")
        console.go("flags", "ruled")
        one.page.get_by_role("textbox", name="Kontext der App").fill("country: FR")
        expect(one.page.get_by_role("status").get_by_role("listitem")).to_have_text([
            "Regel 1 trifft nicht zu: country ist FR, verlangt ist eins von DE, AT",
            "Regel 2 trifft nicht zu: appVersion ist nicht gesetzt, verlangt ist ≥ 4.2.0",
            "Keine Regel trifft zu, also bekommen alle off"])

    def test_type_that_never_matches_is_named(self):
        """a text that looks like the rule's number has a hint, because the rule never matches it"""
        typed = {**SWITCH, "targeting": {"if": [{"in": [{"var": "shop"}, [101, 102]]}, "on"]}}
        one, console = self.operate({"typed": typed})
        console.open_flag("typed")
        hint = self.explanation(one).get_by_text("shop is here of type text, but the rule compares it with type number")
        console.context().fill('shop: "101"')
        expect(hint).to_be_visible()
        console.context().fill("shop: 101")
        expect(self.sentences(one)).to_have_text(["Rule 1 matched: shop 101 is one of 101, 102"])
        expect(hint).to_have_count(0)

    def test_hostile_contexts(self):
        """markup, controls, right-to-left texts and huge numbers in a context stay as typed; what is no JSON is refused"""
        rule = {"if": [{"==": [{"var": "plan"}, "pro"]}, "on"]}
        one, console = self.operate({"tried": {**SWITCH, "targeting": rule}})
        console.open_flag("tried")
        first = self.sentences(one).first
        unquoted = [text for text in hostile.MARKUP if '"' not in text and "," not in text]
        for text in (*unquoted[:6], "שלום 12", "أهلاً 4.2.0 ≥", "1" * 400 + "e9"):
            console.context().fill(json.dumps({"targetingKey": text, "plan": text}, ensure_ascii=False))
            expect(first).to_contain_text("plan is")
            expect(first).to_contain_text(text[:100])
            expect(first).to_contain_text("and the rule wants pro")
        console.context().fill('{"plan": 123456789012345678901234567890.10}')
        expect(first).to_contain_text("plan is 123456789012345678901234567890.10, and the rule wants pro")
        console.context().fill('{"plan": "\\u202eorp"}')
        expect(first).to_contain_text("plan is U+202Eorp, and")
        console.context().fill("")
        expect(first).to_have_text("Rule 1 didn’t match: plan is missing, and the rule wants pro")
        for text in ('{"plan": ', "{plan: pro}", "{}}"):
            console.context().fill(text)
            console.context().blur()
            expect(console.context()).to_have_attribute("aria-invalid", "true")
            expect(first).to_have_count(0)
        console.context().fill("{}")
        expect(first).to_be_visible()

    def test_fixed_context_opens_the_review(self):
        """an invalid context blocks the review, and nothing says so any more once it is fixed and the review opens"""
        one, console = self.operate({"tried": SWITCH})
        console.open_flag("tried")
        one.page.get_by_role("textbox", name="Description").fill("Tried")
        console.context().fill('{"plan": ')
        console.await_refused_review(console.context(), "Complete the JSON")
        console.context().fill("{}")
        expect(console.context()).not_to_have_attribute("aria-invalid", "true")
        console.review()
        expect(one.page.locator(".draft-bar")).not_to_contain_text("Fix 1 invalid field")

    def test_review_shows_shares_before_and_after(self):
        """the review of a flag shows the shares before and after the change, and the number of users whom it moves"""
        split = {**SWITCH, "targeting": {"fractional": [["on", 10], ["off", 90]]}}
        one, console = self.operate({"split": split, "described": split})
        console.open_flag("split")
        one.page.get_by_role("slider").press("PageUp")
        sampled = self.sample("split", {**split, "targeting": {"fractional": [["on", 20], ["off", 80]]}})
        console.open_flag("described")
        one.page.get_by_role("textbox", name="Description").fill("A tenth")
        change = console.review().get_by_role("listitem").filter(has=one.page.get_by_role("button", name="split"))
        after = {share["name"]: share["count"] / 100 for share in sampled["variants"]}
        before = {"on": after["on"] - sampled["moved"] / 100, "off": after["off"] + sampled["moved"] / 100}
        was, now = (", ".join(f"{name} {shares[name]:g}%" for name in shares) for shares in (before, after))
        expect(change).to_contain_text(
            f"Of 10,000 sampled users without attributes, {sampled['moved']:,} would get a different variant: "
            f"before {was}; after {now}.")
        expect(change.get_by_role("img")).to_have_count(2)
        for bar, name in zip(change.get_by_role("img").all(), ("on 10%, off 90%", "on 20%, off 80%")):
            expect(bar).to_have_accessible_name(name)
        described = one.page.get_by_role("dialog").get_by_role("listitem").filter(
            has=one.page.get_by_role("button", name="described"))
        expect(described).to_contain_text("Of 10,000 sampled users without attributes, all keep their variant: on ")
        expect(described.get_by_role("img")).to_have_count(0)
        self.assertEqual(find_faults(one.page, self.id()), [])

    def sample(self, key, definition):
        return self.instance.must(
            "POST", f"/development/flags/{key}/sample", {"definition": definition}, token="development").json()

    def test_evaluations_are_drawn(self):
        """a flag shows how often each variant was evaluated, in a graph with a table; a new one says that it was not"""
        # The server may still count the evaluations of an earlier flag with the same key.
        key = f"asked.{random.randrange(1 << 40)}"
        one, console = self.operate({key: RULED, "idle": SWITCH})
        for version, times in (("4.3.0", 3), ("4.1.0", 2)):
            for _ in range(times):
                self.instance.evaluate("development", key, {"appVersion": version})
        console.open_flag(key)
        table = one.page.get_by_role("table", name="5 evaluations")
        expect(table.get_by_role("row")).to_have_count(1)
        expect(table.get_by_role("cell")).to_have_text("off 2, on 3")
        expect(one.page.locator("svg rect")).to_have_count(2)
        year = one.page.get_by_role("button", name="Last year")
        year.press("Enter")
        expect(year).to_be_focused()
        expect(year).to_have_attribute("aria-pressed", "true")
        expect(table.get_by_role("row")).to_have_count(1)
        self.assertEqual(find_faults(one.page, self.id()), [])
        console.open_flag("idle")
        expect(one.page.get_by_text("No app has asked for this flag yet.")).to_be_visible()
        expect(table).to_have_count(0)
        expect(one.page.get_by_role("button", name="Last year")).to_have_count(0)

    @ends_within(120 + 3 * CHANGES)
    def test_random_changes_do_what_is_said(self):
        """random changes with the console's modules get the variants, shares and version that the console said before"""
        seed = chosen_seed()
        self.instance.begin_with_flags("development", {})
        one = self.operator("development")
        one.page.evaluate(bundle("Tests/Web/simulation/flag-changes.js", "--global-name=flagChanges") +
                          "\nglobalThis.flagChanges = flagChanges;")
        result = one.page.evaluate("(run) => flagChanges.runFlagChanges(run)", {
            "environment": "development", "seed": seed, "changes": CHANGES})
        print(f"{CHANGES} changes from ALMANAC_TEST_SEED={seed}: {result['seen']}")
        if result["failures"]:
            self.fail("\n".join([f"ALMANAC_TEST_SEED={seed}:", *result["failures"]]))
        self.assertGreater(sum(result["seen"].values()), CHANGES)

    @ends_within(60 + 20 * FORM_CHANGES)
    def test_random_changes_by_the_form_do_what_is_said(self):
        """random changes by the form get the variant, the moves and the version that the form and the review said"""
        seed = chosen_seed()
        print(f"{FORM_CHANGES} changes from ALMANAC_TEST_SEED={seed}")
        chance = random.Random(seed)
        split = {**SWITCH, "targeting": {"fractional": [["on", 10], ["off", 90]]}}
        one, console = self.operate({f"formed.{number}": split for number in range(0, FORM_CHANGES, CHANGES_OF_A_FLAG)})
        for number in range(FORM_CHANGES):
            key = f"formed.{number - number % CHANGES_OF_A_FLAG}"
            if number % CHANGES_OF_A_FLAG == 0:
                console.open_flag(key)
            self.change_form(one, console, chance, number % CHANGES_OF_A_FLAG)
            context = {"targetingKey": f"user {number}", "plan": chance.choice(PLANS)}
            with one.page.expect_response(lambda answer, number=number: answer.url.endswith("/explain")
                                          and f"user {number}" in answer.request.post_data) as answer:
                console.context().fill(json.dumps(context, ensure_ascii=False))
            said = answer.value.json()
            expect(self.explanation(one).locator("b").first).to_have_text(said["variant"])
            expect(self.sentences(one).last).to_have_text(
                re.compile(rf"^Rule \d+ matched: |that get {said['variant']} \(|everyone gets {said['variant']}$"))
            console.review()
            version = console.save_button().inner_text().split()[-1]
            console.save(f"Change {number}")
            self.assertEqual(self.instance.releases("development")[0]["version"], version)
            found = self.instance.evaluate("development", key, context)
            self.assertEqual([found["variant"], found["value"], found["reason"]],
                             [said["variant"], said["value"], said["reason"]], context)

    def change_form(self, one, console, chance, number):
        """Changes the percentages, and adds a rule or changes the default variant."""
        share = chance.randrange(1001)
        for field, tenths in zip(one.page.get_by_role("textbox", name="Percentage").all(), (share, 1000 - share)):
            field.fill(f"{tenths / 10:g}")
        if number % 2:
            standard = one.page.get_by_role("combobox", name="Default variant")
            return standard.select_option(chance.choice(("on", "off")))
        one.page.get_by_role("button", name="Add rule").click()
        rule = console.rule(number // 2 + 1)
        rule.get_by_role("combobox", name="Attribute").fill("plan")
        rule.get_by_role("combobox", name="Operator").select_option(chance.choice(("is", "is not", "starts with")))
        rule.get_by_role("textbox", name="Value").fill(chance.choice(PLANS))
        rule.get_by_role("combobox", name="serve").select_option(chance.choice(("on", "off")))
        return None
