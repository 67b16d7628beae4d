"""Tests of new flags in the console, and of their owner, kind, expiry, tags and archive."""

import json
import re

from playwright.sync_api import expect

from support import hostile
from support.case import BrowserCase
from support.console import Console
from support.look import find_faults

GIFT_WRAP = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}
# A definition written for flagd, with members that no field shows and numbers that exceed a double.
FOREIGN = ('{"x-note":"keep\\tme","state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off",'
           '"metadata":{"jira":"CORE-12","owner":"payments","rank":9007199254740993,"ratio":1.10,"kind":"migration"},'
           '"targeting":{"if":[{"<":[1.0,{"var":"age"},3.50]},"on"]},"$comment":{"b":1.0,"a":[]}}')


class FlagCreationTests(BrowserCase):
    def operate(self, flags=None, **options):
        self.instance.begin_with_flags("development", flags or {"checkout.gift-wrap": GIFT_WRAP})
        one = self.operator("development", **options)
        return one, Console(one, "development")

    def stored(self, key):
        return self.instance.must("GET", f"/development/config/{key}", token="development").json()

    def open_dialog(self, console):
        console.open_screen("flags")
        console.page.get_by_role("button", name="New flag").click()
        dialog = console.page.get_by_role("dialog", name="New flag")
        # The first dialog waits for the part of the page that it belongs to.
        expect(dialog).to_be_visible()
        return dialog

    def await_refused(self, dialog, field, error):
        """Leaves an invalid field; waits for its error, and for the button to lead back to it."""
        field.focus()
        field.blur()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(re.escape(error)))
        dialog.get_by_role("button", name="Add to draft").click()
        expect(field).to_be_focused()
        expect(dialog).to_be_visible()

    def test_flag_of_each_type(self):
        """a new flag of each type has good variants, opens with its first field focused, and is evaluated as shown"""
        one, console = self.operate()
        page = one.page
        values = {"On/off": False, "Text": "old", "Number": 0, "JSON": {}}
        for number, (kind, value) in enumerate(values.items()):
            dialog = self.open_dialog(console)
            expect(dialog.get_by_label("Key", exact=True)).to_be_focused()
            page.keyboard.type(f"made.f{number}")
            dialog.get_by_label("Description").fill(f"A flag:\n{kind}")
            dialog.get_by_role("combobox", name="Type of the value").select_option(kind)
            dialog.get_by_role("button", name="Add to draft").click()
            expect(page.get_by_role("heading", name=f"made.f{number}", exact=True)).to_be_visible()
            expect(page.get_by_role("textbox", name="Description")).to_be_focused()
        console.review()
        console.save("One of each type")
        for number, (kind, value) in enumerate(values.items()):
            stored = self.stored(f"made.f{number}")
            self.assertEqual((stored["kind"], stored["description"]), ("flag", f"A flag:\n{kind}"))
            answer = self.instance.evaluate("development", f"made.f{number}", {})
            self.assertEqual((answer["value"], answer["reason"]), (value, "STATIC"))

    def test_variants_of_a_new_flag(self):
        """variants are named, added, removed and selected as the first value; texts that look like JSON stay texts"""
        one, console = self.operate()
        dialog = self.open_dialog(console)
        dialog.get_by_label("Key", exact=True).fill("search.engine")
        dialog.get_by_role("combobox", name="Type of the value").select_option("Text")
        names, values = (dialog.get_by_role("textbox", name=name, exact=True) for name in ("Variant", "Value"))
        dialog.get_by_role("button", name="Add variant").click()
        for at, (name, value) in enumerate((("classic", "42"), ("hybrid", 'say "yes"'), ("vector", "true"))):
            names.nth(at).fill(name)
            names.nth(at).blur()
            values.nth(at).fill(value)
        dialog.get_by_role("button", name="Remove hybrid").click()
        expect(names).to_have_count(2)
        dialog.get_by_role("combobox", name="Until you add rules, everyone gets").select_option("vector")
        dialog.get_by_role("button", name="Add to draft").click()
        console.review()
        console.save("Two engines")
        value = self.stored("search.engine")["value"]
        self.assertEqual(value, {"state": "ENABLED", "variants": {"classic": "42", "vector": "true"},
                                 "defaultVariant": "vector"})

    def test_bad_input_stays_in_the_dialog(self):
        """an invalid key, variant or value shows its error after the field is left, and no flag is added"""
        one, console = self.operate()
        dialog = self.open_dialog(console)
        key = dialog.get_by_label("Key", exact=True)
        expect(key).not_to_have_attribute("aria-invalid", "true")
        expect(key).to_have_accessible_description(re.compile("Up to 128 letters"))
        self.await_refused(dialog, key, "Enter a key.")
        for text, error in (("a" * 129, "128 characters or fewer"), ("7th", "Start the key with a letter"),
                            ("checkout.gift-wrap", "already exists"), ("_flags", "holds the audiences"),
                            ("two words", "Use only letters"), (hostile.MARKUP[0], "Start the key"),
                            ("x" + hostile.MARKUP[0], "Use only letters"), ("مرحبا", "Start the key"),
                            ("a\u202eb", "Use only letters")):
            key.fill(text)
            self.await_refused(dialog, key, error)
        # Lines and tabs come from a table; those around a key are dropped.
        one.context.grant_permissions(["clipboard-read", "clipboard-write"])
        one.page.evaluate("(text) => navigator.clipboard.writeText(text)", "\tpasted.key\t\n")
        key.fill("")
        key.press("Control+v")
        expect(key).not_to_have_attribute("aria-invalid", "true")
        expect(key).to_have_accessible_description(re.compile("^Up to 128 letters"))
        words = dialog.get_by_label("Description")
        words.fill("é" * 2049)
        self.await_refused(dialog, words, "4,096")
        words.fill("\n".join(hostile.MARKUP[:3]))
        kind = dialog.get_by_role("combobox", name="Type of the value")
        value = dialog.get_by_role("textbox", name="Value", exact=True).first
        for name, text, error in (("Number", "many", "Enter a number"), ("Number", "", "Enter a number"),
                                  ("Number", "1e999", "between -1e308"), ("JSON", "{", "Line 1, column 2"),
                                  ("JSON", "42", "Enter a JSON object")):
            kind.select_option(name)
            value.fill(text)
            self.await_refused(dialog, value, error)
        kind.select_option("Text")
        value.fill(hostile.MARKUP[1])
        name = dialog.get_by_role("textbox", name="Variant", exact=True).first
        for text, error in (("", "Enter a name"), ("old", "already exists")):
            name.fill(text)
            self.await_refused(dialog, name, error)
        name.fill("مرحبا")
        dialog.get_by_role("button", name="Add to draft").click()
        expect(one.page.get_by_role("heading", name="pasted.key", exact=True)).to_be_visible()
        hostile.assert_inert(self, one.page)
        console.review()
        console.save("After many tries")
        stored = self.stored("pasted.key")
        self.assertEqual(stored["value"]["variants"], {"مرحبا": hostile.MARKUP[1], "old": "old"})
        self.assertEqual(stored["description"], "\n".join(hostile.MARKUP[:3]))

    def test_escape_asks_only_after_typing(self):
        """Escape closes an untouched dialog, asks before typed texts are lost, and Cancel is always there"""
        one, console = self.operate()
        page = one.page
        dialog = self.open_dialog(console)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        dialog = self.open_dialog(console)
        page.keyboard.type("half.done")
        for _ in range(2):
            page.keyboard.press("Escape")
            question = page.get_by_role("dialog", name="Discard flag")
            expect(question).to_be_visible()
            question.get_by_role("button", name="Cancel").click()
            expect(dialog.get_by_label("Key", exact=True)).to_have_value("half.done")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Discard flag").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        dialog = self.open_dialog(console)
        expect(dialog.get_by_label("Key", exact=True)).to_have_value("")
        # The error of the field that loses the focus must not move the button away.
        dialog.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(console.review_button()).to_be_hidden()

    def test_palette_opens_the_dialog(self):
        """the command palette opens the dialog from any screen, and a reload does not open it again"""
        one, console = self.operate()
        page = one.page
        console.open_screen("releases")
        page.keyboard.press("Control+k")
        page.keyboard.type("new flag")
        page.get_by_role("option", name="New flag").click()
        expect(page.get_by_role("dialog", name="New flag")).to_be_visible()
        page.reload()
        expect(console.flag_rows()).to_have_count(1)
        expect(page.get_by_role("dialog")).to_have_count(0)

    def test_session_ends_while_the_dialog_is_open(self):
        """a session that ends behind the dialog is renewed over it, and what was typed is still there"""
        one, console = self.operate()
        one.checks.allow(r"status of 401")
        dialog = self.open_dialog(console)
        dialog.get_by_label("Key", exact=True).fill("over.two-sessions")
        for session in self.instance.must("GET", "/development/sessions", token="development").json():
            self.instance.must("DELETE", f"/development/sessions/{session['id']}", token="development")
        question = one.page.get_by_role("dialog", name="Your session has ended")
        question.get_by_label("API token").fill(self.instance.token("development"))
        question.get_by_role("button", name="Sign in", exact=True).click()
        expect(question).to_have_count(0)
        expect(dialog.get_by_label("Key", exact=True)).to_have_value("over.two-sessions")
        dialog.get_by_role("button", name="Add to draft").click()
        console.review()
        console.save("Over two sessions")
        self.assertEqual(self.stored("over.two-sessions")["kind"], "flag")

    def test_foreign_members_are_kept(self):
        """owner, kind, expiry and tags are edited in a form; all other members of a foreign flag keep every byte"""
        one, console = self.operate({"foreign": FOREIGN})
        page = one.page
        console.open_flag("foreign")
        expect(page.get_by_label("Kind")).to_have_value("migration")
        expect(page.get_by_label("Owner")).to_have_value("payments")
        before = self.digits("foreign")
        page.get_by_label("Owner").fill(" Zoë <b>Ångström</b> ")
        page.get_by_label("Kind").select_option("Experiment")
        page.get_by_label("Expires").fill("2026-12-31")
        page.get_by_label("Tags").fill("checkout, ios")
        dialog = console.review()
        for text in ("Owner: Zoë <b>Ångström</b> (was: payments)", "Kind: Experiment (was: migration)",
                     "Expires added: 2026-12-31", "Tags added: checkout, ios"):
            expect(dialog.get_by_text(text, exact=True)).to_be_visible()
        console.save("Whose it is")
        facts = {"owner": "Zoë <b>Ångström</b>", "kind": "experiment", "expires": "2026-12-31", "tags": "checkout, ios"}
        self.assertEqual(self.digits("foreign"), {**before, "metadata": {**before["metadata"], **facts}})
        for label in ("Owner", "Expires", "Tags"):
            page.get_by_label(label).fill("")
        page.get_by_label("Kind").select_option("–")
        console.review()
        console.save("Nobody’s")
        kept = {"jira": "CORE-12", "rank": "9007199254740993", "ratio": "1.10"}
        self.assertEqual(self.digits("foreign"), {**before, "metadata": kept})

    def digits(self, key):
        """Returns a stored definition whose numbers are the texts of their digits."""
        body = self.instance.must("GET", f"/development/config/{key}", token="development").body
        return json.loads(body, parse_float=str, parse_int=str)["value"]

    def test_bad_facts_block_the_review(self):
        """an owner that is too long and an expiry that is no date show an error, and block the review"""
        odd = {**GIFT_WRAP, "metadata": {"expires": "soon", "owner": 7, "tags": False}}
        one, console = self.operate({"odd": odd})
        console.open_flag("odd")
        owner, day = (one.page.get_by_label(name) for name in ("Owner", "Expires"))
        expect(owner).to_have_value("7")
        expect(day).to_have_value("soon")
        owner.fill("x" * 129)
        console.await_refused_review(owner, "Use 128 characters or fewer.")
        owner.fill("\u202eanna")
        day.fill("2026-13-45 or later")
        console.await_refused_review(day, "Enter a date, such as 2026-12-31.")
        day.fill("2027-01-31")
        console.review()
        console.save("A day")
        self.assertEqual(self.stored("odd")["value"]["metadata"],
                         {"expires": "2027-01-31", "owner": "\u202eanna", "tags": False})

    def test_flags_are_found_by_their_facts(self):
        """the list shows owner, kind and tags, and is filtered by owner:, kind: and tag:"""
        def flag(**metadata):
            return {**GIFT_WRAP, "metadata": metadata}
        one, console = self.operate({
            "a.first": flag(owner="Anna Lee", kind="release", tags="checkout, ios, mobile app"),
            "b.second": flag(owner="Joanna", kind="experiment", tags="kiosk"), "c.third": GIFT_WRAP})
        console.open_screen("flags")
        rows, search = console.flag_rows(), one.page.get_by_role("searchbox")
        expect(rows.first).to_contain_text("On/off · Release")
        cells = rows.first.get_by_role("cell")
        expect(cells.nth(4)).to_have_text("Anna Lee")
        expect(cells.nth(5)).to_have_text("checkoutios+1")
        for query, keys in (("owner:anna", ["a.first"]), ('owner:"anna lee" tag:ios', ["a.first"]),
                            ("kind:experiment", ["b.second"]), ("tag:ios", ["a.first"]), ("tag:k", ["b.second"]),
                            ('tag:"mobile app"', ["a.first"]), ("owner:", ["a.first", "b.second"]),
                            ("tag:ios second", []), ("third", ["c.third"]), ("owner:<b>", [])):
            search.fill(query)
            expect(rows.get_by_role("link")).to_have_text(keys)

    def test_duplicate_has_its_own_key(self):
        """a flag is duplicated with its edits under another key, and the first flag stays"""
        one, console = self.operate({"foreign": FOREIGN})
        page = one.page
        console.open_flag("foreign")
        before = self.digits("foreign")
        page.get_by_role("button", name="More actions").click()
        page.get_by_role("button", name="Duplicate flag").click()
        dialog = page.get_by_role("dialog", name="Duplicate flag")
        dialog.get_by_label("Key", exact=True).press("Enter")
        expect(dialog).to_contain_text("already exists")
        dialog.get_by_label("Key", exact=True).fill("copied")
        dialog.get_by_role("button", name="Duplicate flag").click()
        expect(page.get_by_role("heading", name="copied", exact=True)).to_be_visible()
        expect(page.get_by_role("textbox", name="Description")).to_be_focused()
        console.review()
        console.save("Twice")
        self.assertEqual([self.digits("foreign"), self.digits("copied")], [before, before])

    def test_archived_flag_is_out_of_sight_and_served(self):
        """an archived flag leaves the list and is still evaluated; it comes back when it is unarchived"""
        one, console = self.operate({"old.flag": {**GIFT_WRAP, "metadata": {"rank": 1.5}}, "other": GIFT_WRAP})
        page = one.page
        console.open_flag("old.flag")
        sentence = page.get_by_text("The list hides archived flags, but apps still get their values.").locator("visible=true")
        expect(sentence).to_have_count(0)
        page.get_by_role("button", name="More actions").click()
        expect(sentence).to_be_visible()
        page.get_by_role("button", name="Archive flag").click()
        expect(sentence).to_be_visible()
        expect(console.review()).to_contain_text("Archived: On (was: Off)")
        console.save("Archive it")
        self.assertEqual(self.stored("old.flag")["value"]["metadata"], {"rank": 1.5, "archived": True})
        self.assertEqual(self.instance.evaluate("development", "old.flag", {})["value"], False)
        console.open_screen("flags")
        expect(console.flag_rows().get_by_role("link")).to_have_text(["other"])
        page.get_by_role("combobox", name="Filter").select_option("Archived")
        expect(console.flag_rows().get_by_role("link")).to_have_text(["old.flag"])
        console.open_flag("old.flag")
        page.get_by_role("button", name="More actions").click()
        page.get_by_role("button", name="Unarchive flag").click()
        console.review()
        console.save("Bring it back")
        self.assertEqual(self.stored("old.flag")["value"]["metadata"], {"rank": 1.5})

    def test_rows_are_short_on_a_phone(self):
        """a row on a phone is at most 120 px high and shows state, rollout, owner and tags inside it"""
        facts = {"owner": "Mara Lindqvist", "kind": "release", "tags": "checkout, ios, growth"}
        one, console = self.operate({"checkout.gift-wrap": {**GIFT_WRAP, "metadata": facts}, "other": GIFT_WRAP},
                                    viewport={"width": 390, "height": 720})
        console.open_screen("flags")
        row = console.flag_rows().first
        # The list renders the row again when whole values and statistics arrive.
        for text in ("Mara Lindqvist", "never"):
            expect(row).to_contain_text(text)
        outer = row.bounding_box()
        self.assertLessEqual(outer["height"], 120)
        for cell in row.get_by_role("cell").all():
            inner = cell.bounding_box()
            self.assertGreaterEqual(inner["y"], outer["y"])
            self.assertLessEqual(inner["y"] + inner["height"], outer["y"] + outer["height"])
            self.assertLessEqual(inner["x"] + inner["width"], outer["x"] + outer["width"])
            self.assertGreater(inner["width"], 20)

    def test_list_dialog_and_form_for_everyone(self):
        """axe and the look find nothing in the list, the dialog with its errors, and the form with its menu"""
        facts = {"owner": "payments-and-billing@marigold.example", "kind": "operations", "archived": True,
                 "tags": "payments, reliability-of-the-checkout, ios", "expires": "2026-01-31"}
        one, console = self.operate({
            "checkout.payment.retry-with-another-provider": {**GIFT_WRAP, "metadata": facts}, "other": GIFT_WRAP})
        page = one.page
        dialog = self.open_dialog(console)
        self.await_refused(dialog, dialog.get_by_label("Key", exact=True), "Enter a key.")
        found = find_faults(page, "the dialog", "dialog")
        dialog.get_by_role("button", name="Cancel").click()
        page.get_by_role("combobox", name="Filter").select_option("Archived")
        expect(console.flag_rows()).to_have_count(1)
        found += find_faults(page, "the list")
        console.flag_rows().get_by_role("link").click()
        expect(console.sample()).to_be_visible()
        page.get_by_role("button", name="More actions").click()
        self.assertEqual(found + find_faults(page, "the form"), [])
