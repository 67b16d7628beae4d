"""Tests of two concurrent users."""

import re

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console


class TwoPeopleTests(BrowserCase):
    def test_release_of_another_appears(self):
        """another user's release appears in the list and in the open form"""
        self.instance.begin("development", {"shared.text": "before", "other": 1})
        mara = Console(self.operator("development"), "development")
        mara.open_entry("shared.text")
        expect(mara.value_field()).to_have_value("before")
        jonas = Console(self.operator("development"), "development")
        jonas.edit_text("shared.text", "by Jonas")
        jonas.review()
        jonas.save("Jonas was here")
        expect(mara.value_field()).to_have_value("by Jonas")
        expect(mara.row("shared.text")).to_contain_text("by Jonas")

    def test_press_during_a_release_of_another(self):
        """a press opens an entry or a flag even if another user's release arrives before the press ends"""
        flags = {f"flag.{number}": {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "on"}
                 for number in range(3)}
        self.instance.begin_with_flags("development", flags)
        self.instance.release("development", {"shared.text": "before", "other": 1})
        mara = Console(self.operator("development"), "development")
        mouse = mara.page.mouse
        mara.row("other").hover()
        mouse.down()
        self.instance.release("development", {"shared.text": "by Jonas"})
        expect(mara.row("shared.text")).to_contain_text("by Jonas")
        mouse.up()
        expect(mara.page.get_by_role("heading", name="other", exact=True)).to_be_visible()
        mara.open_screen("flags")
        expect(mara.flag_rows()).to_have_count(3)
        mara.page.get_by_role("link", name="flag.1").hover()
        mouse.down()
        self.instance.release("development", {"flag.2": None})
        expect(mara.flag_rows()).to_have_count(2)
        mouse.up()
        expect(mara.page.get_by_role("heading", name="flag.1", exact=True)).to_be_visible()

    def test_draft_goes_on_when_another_saves_other_keys(self):
        """a draft is unaffected when another user saves other keys, and is saved on top of them"""
        self.instance.begin("development", {"mine": "before", "theirs": "before"})
        mara = Console(self.operator("development"), "development")
        mara.edit_text("mine", "by Mara")
        self.instance.release("development", {"theirs": "by Jonas"})
        expect(mara.row("theirs")).to_contain_text("by Jonas")
        mara.review()
        mara.save("Mine")
        self.assertEqual(self.instance.config("development"), {"mine": "by Mara", "theirs": "by Jonas"})

    def test_both_save_the_same_key(self):
        """when two users save the same key, the slower one sees all three values and selects one"""
        for chosen in ("Mara", "Jonas"):
            with self.subTest(chosen):
                self.instance.begin("development", {"shared.text": "before", "other": 1})
                mara = Console(self.operator("development"), "development")
                jonas = Console(self.operator("development"), "development")
                # Their forecast may have a stale base.
                mara.person.checks.allow("status of 412")
                mara.edit_text("shared.text", "by Mara")
                jonas.edit_text("shared.text", "by Jonas")
                jonas.review()
                jonas.save("Jonas was faster")
                three_ways = mara.three_ways("shared.text")
                for text in ("before", "by Jonas", "by Mara"):
                    expect(three_ways).to_contain_text(re.compile(re.escape(text)))
                if chosen == "Mara":
                    mara.keep_mine()
                    mara.review()
                    mara.save("Mine after all")
                else:
                    mara.take_theirs()
                self.assertEqual(self.instance.config("development")["shared.text"], f"by {chosen}")
