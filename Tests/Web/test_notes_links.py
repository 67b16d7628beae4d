"""Tests of links between notes."""

import re

from playwright.sync_api import expect

from support.notes_editor import EditorCase

# Sends the words of a search to the worker half a second late.
DELAY = """(words) => {
    const send = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...others) {
        const isDelayed = message?.method === "titled" && message.words[0] === words;
        if (isDelayed) setTimeout(() => send.call(this, message, ...others), 500);
        else send.call(this, message, ...others);
    };
}"""


class NotesLinksTests(EditorCase):
    def test_notes_link_to_each_other(self):
        """`[[` offers notes and writes a link, which opens in place from the text, the bar and the preview; the linked
        note names the notes that link to it"""
        editor = self.editor("", "Trip")
        page = editor.page
        plan = editor.user.create("Plan [2026]", "One")
        plants = editor.user.create("Plants")
        expect(page.locator(".note-row")).to_have_count(3)
        editor.body().click()
        editor.type("see [[pla")
        choices = page.get_by_role("listbox", name="Link to a note").get_by_role("option")
        expect(choices).to_have_text(["Plants", "Plan [2026]"])
        page.keyboard.press("Escape")
        expect(choices).to_have_count(0)
        expect(editor.body()).to_be_focused()
        editor.type("n")
        expect(choices).to_have_count(0)
        page.keyboard.press("Enter")
        # The keys are pressed before the search for the last letter has ended.
        page.evaluate(DELAY, "pla")
        editor.type("[[pla")
        expect(choices).to_have_count(2)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(choices).to_have_count(0)
        editor.type(" now")
        link = f"[Plan \\[2026\\]](notes/{plan})"
        page.keyboard.press("Enter")
        editor.type("[[pla")
        expect(choices).to_have_count(2)
        page.keyboard.press("ArrowDown")
        expect(choices.nth(1)).to_have_attribute("aria-selected", "true")
        editor.type("nts")
        expect(choices).to_have_count(1)
        choices.click()
        expect(editor.body()).to_be_focused()
        self.awaits(editor, f"see [[plan\n{link} now\n[Plants](notes/{plants})")
        expect(editor.body()).not_to_have_attribute("aria-activedescendant", re.compile(".*"))
        # Live marks show the title alone.
        chip = page.get_by_role("link", name="Open Plan [2026]")
        expect(chip).to_be_hidden()
        editor.line("now").locator(".cm-md-link").click(modifiers=["Control"])
        expect(editor.title()).to_have_text("Plan [2026]")
        back = page.get_by_role("navigation", name="Linked from").get_by_role("link")
        expect(back).to_have_text(["Trip"])
        back.click()
        expect(editor.title()).to_have_text("Trip")
        editor.line("now").locator(".cm-md-link").click()
        chip.click()
        expect(editor.title()).to_have_text("Plan [2026]")
        editor.write_elsewhere(lambda _: "[x](notes/no-such-note)")
        expect(back).to_have_count(0)
        page.go_back()
        expect(editor.title()).to_have_text("Trip")
        page.keyboard.press("Control+Enter")
        editor.preview().get_by_role("link", name="x").click()
        expect(page.get_by_role("heading", name="Note not found")).to_be_visible()
