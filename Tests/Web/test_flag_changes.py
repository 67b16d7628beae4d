"""Tests of the changes of flags in words: in the review of a draft, in releases, and between environments."""

import json

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import find_faults

OFF = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}


def split(share):
    return {"fractional": [["on", share], ["off", 100 - share]]}


def ruled(*rules, **more):
    return {**OFF, "targeting": {"if": [part for rule in rules for part in rule]}, **more}


PRO = {"==": [{"var": "plan"}, "pro"]}
STAFF = {"$ref": "staff"}


class FlagChangeTests(BrowserCase):
    def operate(self, *environments, **options):
        one = self.operator(*(environments or ("development",)), **options)
        return one, Console(one, "development")

    def write(self, entries, environment="development"):
        """Makes a release of flags and values, and returns its revision; None removes an entry."""
        body = {key: entry and {"kind": "flag", "value": entry} if not isinstance(entry, str) else {"value": entry}
                for key, entry in entries.items()}
        self.instance.must(
            "PATCH", f"/{environment}/config?replace=true&form=entries", json.dumps(body), token=environment)
        return self.instance.releases(environment)[0]["revision"]

    def test_review_samples_users_who_match_the_rule(self):
        """the review shows what a changed rule does for users who match it, and names the users whom it sampled"""
        self.instance.begin_with_flags(
            "development", {"checkout.express": ruled((STAFF, "on")), "plain": OFF},
            {"$evaluators": {"staff": {"in": [{"var": "team"}, ["qa"]]}}})
        one, console = self.operate()
        console.open_flag("checkout.express")
        console.rule(1).get_by_role("combobox", name="serve").select_option("off")
        one.page.get_by_role("button", name="Add rule").click()
        rule = console.rule(2)
        rule.get_by_role("combobox", name="Attribute").fill("plan")
        rule.get_by_role("textbox", name="Value").fill("pro")
        rule.get_by_role("combobox", name="serve").select_option("Percentage rollout…")
        dialog = console.review()
        added = "Rule 2 added: If plan is pro, serve on 10%, off 90%"
        change = dialog.get_by_role("listitem").filter(has_text=added).last
        expect(change).to_contain_text("Of 10,000 sampled users with plan = pro, ")
        expect(change).to_contain_text("would get a different variant: before off 100%; after on ")
        expect(change.get_by_role("img")).to_have_accessible_name("on 10%, off 90%")
        audience = dialog.get_by_role("listitem").filter(has_text="Rule 1: If is in audience staff").last
        expect(audience).not_to_contain_text("sampled users")
        expect(dialog).to_contain_text("Of 10,000 sampled users without attributes, all keep their variant: off 100%.")
        expect(dialog.get_by_text("None of")).to_have_count(0)
        self.assertEqual(find_faults(one.page, self.id(), "dialog"), [])
        dialog.get_by_role("button", name="Undo").click()
        console.open_screen("flags")
        one.page.get_by_role("button", name="New flag").click()
        one.page.get_by_label("Key", exact=True).fill("checkout.new")
        one.page.get_by_role("button", name="Add to draft").click()
        dialog = console.review()
        expect(dialog.get_by_role("listitem").filter(has_text="Flag created").first).to_be_visible()
        expect(dialog).to_contain_text("Of 10,000 sampled users without attributes: off 100%.")

    def test_releases_show_flags_in_words(self):
        """a release, its undo and a comparison of revisions say what changed in a flag; the JSON opens on demand"""
        self.instance.begin_with_flags("development", {})
        created = self.write({"checkout.express": ruled((PRO, split(10)))})
        changed = self.write({"checkout.express": ruled((PRO, split(50)), metadata={"owner": "shop"})})
        removed = self.write({"checkout.express": None})
        one, console = self.operate()
        main = one.page.get_by_role("main")
        change = "Rule 1: If plan is pro, serve on 50%, off 50% (was: on 10%, off 90%)"
        both = ["on 10%, off 90%", "on 50%, off 50%"]
        for path, words, bars, mark in (
                ((created,), "Flag created", both[:1], "minor"),
                ((changed,), change, both, "patch"),
                ((created, "diff", changed), change, both, "patch"),
                ((removed,), "Flag removed", [], "major"),
                ((removed, "undo"), "Flag created", both[1:], "unchanged since this release")):
            console.go("releases", *path)
            expect(main.get_by_role("listitem").get_by_text(words, exact=True)).to_be_visible()
            expect(main.get_by_role("img")).to_have_count(len(bars))
            for bar, name in zip(main.get_by_role("img").all(), bars):
                expect(bar).to_have_accessible_name(name)
            expect(main.locator(".change-list .badge, .change-list .undo-kind")).to_have_text(mark)
            expect(main.get_by_role("group", name="Changes")).to_be_hidden()
            main.get_by_text("Show value" if words == "Flag removed" else "Show JSON").click()
            expect(main.get_by_role("group", name="Changes")).to_be_visible()
        console.go("releases", changed)
        expect(main.get_by_text(change, exact=True)).to_be_visible()
        self.assertEqual(find_faults(one.page, self.id()), [])

    def test_environments_are_compared_in_words(self):
        """the comparison of two environments says what promoting a flag would change"""
        self.instance.begin_with_flags("staging", {"checkout.express": ruled((PRO, "on"))})
        self.instance.begin_with_flags("development", {"checkout.express": ruled((PRO, "off")), "left": OFF})
        one, console = self.operate("development", "staging")
        console.go("compare", "staging")
        main = one.page.get_by_role("main")
        expect(main.get_by_text("Rule 1: If plan is pro, serve on (was: off)", exact=True)).to_be_visible()
        expect(main.get_by_role("group", name="Changes")).to_be_hidden()
        main.get_by_role("button", name="left", exact=True).click()
        expect(main.get_by_text("Flag removed", exact=True)).to_be_visible()

    def test_conflict_is_told_in_words(self):
        """a conflict about a flag says what each side changed in its rules"""
        self.instance.begin_with_flags("development", {"checkout.express": ruled((PRO, split(10)))})
        one, console = self.operate()
        console.open_flag("checkout.express")
        console.rule(1).get_by_role("textbox", name="Percentage").first.fill("20")
        self.write({"checkout.express": ruled((PRO, split(50)))})
        conflict = console.conflict()
        rule, was = "Rule 1: If plan is pro, serve", "(was: on 10%, off 90%)"
        expect(conflict.get_by_text(f"{rule} on 50%, off 50% {was}", exact=True)).to_be_visible()
        expect(conflict.get_by_text(f"{rule} on 20%, off 80% {was}", exact=True)).to_be_visible()
        expect(conflict.get_by_role("group", name="Changes")).to_have_count(0)
        # The edited field is far below the conflict, and the form scrolls to it when it is drawn again with the focus.
        conflict.get_by_role("button").first.focus()
        conflict.evaluate("(one) => { for (let at = one; at; at = at.parentElement) at.scrollTop = 0; }")
        self.assertEqual(find_faults(one.page, self.id()), [])
        console.keep_mine()
        self.write({"checkout.express": None})
        expect(conflict.get_by_text("Flag removed", exact=True)).to_be_visible()
        console.take_theirs()

    def test_part_of_flags_is_loaded_for_a_release_with_a_flag(self):
        """the sentences about flags are loaded by the first release that has a flag, and not before"""
        self.instance.begin_with_flags("development", {"plain": OFF})
        self.instance.release("development", {"shop.open": "always"}, "Without a flag")
        flag, value = (self.instance.releases("development")[at]["revision"] for at in (1, 0))
        one = self.person()
        # An idle page would load all screens.
        one.context.add_init_script("window.requestIdleCallback = () => {};")
        console = Console(one.sign_in("development"), "development")

        def parts():
            return {request.url for request in one.checks.requests if "/assets/" in request.url}
        console.open_release(value)
        expect(one.page.get_by_text("always")).to_be_visible()
        before = parts()
        self.assertFalse([url for url in before if "flags" in url])
        console.open_release(flag)
        expect(one.page.get_by_role("listitem").get_by_text("Flag created", exact=True)).to_be_visible()
        self.assertTrue([url for url in parts() - before if "flags" in url])
