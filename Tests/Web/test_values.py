"""Tests of values that are large, long, unusual, or exceed JavaScript's numbers."""

import re

from playwright.sync_api import expect

from support import hostile
from support.case import BrowserCase
from support.console import Console


class ValueTests(BrowserCase):
    def test_numbers_keep_their_digits(self):
        """numbers beyond a double are shown and sent back digit for digit, whatever else is edited"""
        self.instance.begin("development", {})
        digits = {"big": "9007199254740993", "price": "1.10", "wide": "12345678901234567890.50",
                  "long": "0.1234567890123456789012345"}
        body = ",".join(f'"{key}":{text}' for key, text in digits.items())
        nested = '{"id":9007199254740993,"on":true}'
        self.instance.release("development", f'{{{body},"text":"before","nested":{nested}}}')
        console = Console(self.operator("development"), "development")
        for key, text in digits.items():
            expect(console.row(key)).to_contain_text(text)
            console.open_entry(key)
            expect(console.value_field()).to_have_value(text)
        console.edit_text("text", "after")
        console.open_entry("nested")
        field = console.value_field()
        self.assertIn("9007199254740993", field.input_value())
        field.fill(field.input_value().replace("true", "false"))
        console.review()
        console.save("Another key")
        raw = self.instance.must("GET", "/development/config").body.decode()
        for key, text in digits.items():
            self.assertIn(f'"key":"{key}","value":{text},', raw)
        self.assertRegex(raw, r'"id": *9007199254740993\b')
        self.assertRegex(raw, r'"on": *false')
        self.assertIn('"after"', raw)

    def test_largest_value(self):
        """a text of 256 KiB is listed, opened, edited and saved; a longer one is refused with the limit"""
        large = "lorem ipsum " * 21845
        self.instance.begin("development", {"large": large, "other": 1})
        one = self.operator("development")
        console = Console(one, "development")
        console.open_entry("large")
        field = console.value_field()
        expect(field).to_have_value(large)
        field.fill("X" + large[1:])
        console.review()
        console.save("The first letter")
        self.assertEqual(self.instance.config("development")["large"], "X" + large[1:])
        one.checks.allow(r"status of 4")
        field.fill(large + "x" * 100)
        field.blur()
        expect(console.value_field()).to_have_attribute("aria-invalid", "true")
        expect(one.page.get_by_role("alert").filter(has_text="Maximum size: 256")).to_be_visible()

    def test_ten_thousand_long_keys(self):
        """10,000 keys of 128 characters: at most 200 rows are rendered, and each key can be found and opened"""
        keys = [f"key{number:05d}." + "abcdefghijklmnopqrstuvwxyz." * 4 + "abcdefghijk" for number in range(10_000)]
        self.assertEqual(len(keys[0]), 128)
        if set(self.instance.config("plenty")) != set(keys):
            self.instance.begin("plenty", {})
            for start in range(0, len(keys), 5000):
                self.instance.release("plenty", {key: key[:8] for key in keys[start:start + 5000]})
        one = self.operator("plenty")
        console = Console(one, "plenty")
        console.open_screen("entries")
        expect(console.rows().first).to_be_visible()
        self.assertLessEqual(console.rows().count(), 200)
        console.filter_box().focus()
        one.page.keyboard.press("ArrowDown")
        one.page.keyboard.press("End")
        expect(console.row(keys[-1])).to_be_visible()
        self.assertLessEqual(console.rows().count(), 200)
        console.filter_box().fill("key07777")
        expect(console.rows()).to_have_count(1)
        console.open_entry(keys[7777])
        expect(console.value_field()).to_have_value("key07777")
        wide = one.page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth")
        self.assertLessEqual(wide, 0)

    def test_strange_characters_survive(self):
        """control, invisible and reordering characters stay unchanged by another edit"""
        self.instance.begin("development", {**hostile.STRANGE, "other": "before"})
        console = Console(self.operator("development"), "development")
        for key in hostile.STRANGE:
            console.open_entry(key)
        console.edit_text("other", "after")
        console.review()
        console.save("Beside them")
        self.assertEqual(self.instance.config("development"), {**hostile.STRANGE, "other": "after"})

    def test_only_reordering_and_control_characters_are_marked(self):
        """joiners and soft hyphens stand in words as text; overrides are marked in texts and in JSON"""
        joined = {"joined.persian": "می\u200cخواهم", "joined.emoji": "👨\u200d👩\u200d👧",
                  "joined.hyphen": "Kinder\u00adgarten"}
        marked = {"marked.text": "invoice\u202efdp.exe", "marked.json": {"file": "invoice\u202efdp.exe"}}
        self.instance.begin("development", {**joined, **marked})
        one = self.operator("development")
        console = Console(one, "development")
        for key, text in joined.items():
            expect(console.row(key)).to_contain_text(text)
            expect(console.row(key).locator(".unseen")).to_have_count(0)
            console.open_entry(key)
            expect(console.value_field()).to_have_value(text)
            expect(one.page.get_by_text("Hidden characters shown")).to_have_count(0)
        for key in marked:
            expect(console.row(key).locator(".unseen")).to_have_text("U+202E")
            console.open_entry(key)
            expect(one.page.locator(".seen .unseen")).to_have_text("U+202E")

    def test_broken_json_is_marked_and_cannot_be_saved(self):
        """JSON with a syntax error is marked, kept as typed, and not saved"""
        self.instance.begin("development", {"nested": {"on": True}})
        one = self.operator("development")
        console = Console(one, "development")
        console.open_entry("nested")
        console.value_field().fill('{"on": true,, "off": 1}')
        console.await_refused_review(console.value_field(), "Line 1, column 13: expected a name in double quotes")
        one.page.reload()
        console.open_entry("nested")
        expect(console.value_field()).to_have_value('{"on": true,, "off": 1}')
        expect(console.value_field()).to_have_attribute("aria-invalid", "true")
        self.assertEqual(self.instance.config("development"), {"nested": {"on": True}})

    def test_invalid_number_blocks_the_review(self):
        """an invalid number shows an error with the cure, stays as typed on other screens, and blocks the review"""
        self.instance.begin("development", {"count": 3, "other": "before"})
        console = Console(self.operator("development"), "development")
        field = console.value_field()
        console.open_entry("count")
        wrong = "Enter a number, such as 12.5."
        for text, error in (("1e999", "Enter a number between -1e308 and 1e308."), ("12a", wrong), ("", wrong)):
            field.fill(text)
            console.await_refused_review(field, error)
        field.fill("12a")
        console.open_screen("releases")
        console.edit_text("other", "after")
        console.review_button().click()
        expect(console.page.get_by_role("heading", name="count", exact=True)).to_be_visible()
        expect(field).to_be_focused()
        expect(field).to_have_value("12a")
        console.await_refused_review(field, wrong)
        console.page.get_by_role("button", name="Discard").click()
        expect(field).to_have_value("3")
        console.page.get_by_role("button", name="Redo").click()
        expect(field).to_have_value("12a")
        field.fill("12.5")
        expect(field).not_to_have_attribute("aria-invalid", "true")
        console.review()
        console.save("Twelve and a half")
        self.assertEqual(self.instance.config("development"), {"count": 12.5, "other": "after"})

    def test_long_description_blocks_the_review(self):
        """a description over the limit shows an error, stays as typed, and blocks the review"""
        self.instance.begin("development", {"described": 1})
        console = Console(self.operator("development"), "development")
        console.open_entry("described")
        description = console.page.get_by_role("textbox", name="Description")
        description.fill("x" * 4097)
        console.await_refused_review(description, "Shorten the description to")
        console.value_field().fill("two")
        console.await_refused_review(console.value_field(), "Enter a number", fields=2)
        console.page.reload()
        console.open_entry("described")
        expect(description).to_have_value("x" * 4097)
        expect(console.value_field()).to_have_value("two")
        description.fill("Short")
        console.value_field().fill("2")
        console.review()
        console.save("Two")
        self.assertEqual(self.instance.config("development"), {"described": 2})

    def test_typed_text_survives_another_type(self):
        """the typed text stays when the type changes, and is invalid as long as it does not fit the type"""
        self.instance.begin("development", {"kind": 3})
        console = Console(self.operator("development"), "development")
        console.open_entry("kind")
        console.value_field().fill("12a")
        kind = console.page.get_by_role("combobox", name="Type")
        kind.select_option("Text")
        expect(console.value_field()).to_have_value("12a")
        kind.select_option("URL")
        expect(console.value_field()).to_have_value("12a")
        console.await_refused_review(console.value_field(), "Enter a URL")
        kind.select_option("Text")
        console.review()
        console.save("A text")
        self.assertEqual(self.instance.config("development"), {"kind": "12a"})

    def test_type_changed_back_restores_the_value(self):
        """a type that is changed back restores the released value, also after another entry was open"""
        self.instance.begin("development", {"kind.json": {"a": [1, 2]}, "kind.other": 1})
        console = Console(self.operator("development"), "development")
        kind = console.page.get_by_role("combobox", name="Type")
        console.open_entry("kind.json")
        kind.select_option("Boolean")
        expect(console.review_button()).to_be_visible()
        console.open_entry("kind.other")
        console.open_entry("kind.json")
        expect(kind).to_have_value("switch")
        kind.select_option("JSON")
        expect(console.value_field()).to_have_value(re.compile(r"\[1, 2\]|1,\s+2"))
        expect(console.review_button()).to_be_hidden()

    def test_draft_survives_a_reload(self):
        """a draft of many edits survives a reload, and is then saved"""
        self.instance.begin("development", {f"many.k{number}": "before" for number in range(5)})
        one = self.operator("development")
        console = Console(one, "development")
        for number in range(5):
            console.edit_text(f"many.k{number}", f"after {number}")
        one.page.reload()
        for number in range(5):
            console.open_entry(f"many.k{number}")
            expect(console.value_field()).to_have_value(f"after {number}")
        console.review()
        console.save("All five")
        self.assertEqual(set(self.instance.config("development").values()), {f"after {number}" for number in range(5)})
