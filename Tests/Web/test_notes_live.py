"""Tests of live marks: Markdown's marks are hidden until the caret comes, and what is typed is saved as in the source."""

import random

from playwright.sync_api import expect

from support.depth import chosen_seed, runs
from support.notes_editor import EditorCase

# Returns the text that is seen: the text of each line without what is less than a pixel wide.
SEEN = """(body) => [...body.querySelectorAll(".cm-line")].map((line) => {
    const seen = [];
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walker.nextNode()) {
        range.selectNodeContents(walker.currentNode);
        if (range.getBoundingClientRect().width >= 1) seen.push(walker.currentNode.data);
    }
    return seen.join("");
})"""
TRIP = "## Trip\n\nBy **train** to [Lisbon](https://example.org/lisbon).\n\n> Take the early one.\n\n- tickets\n- food"
# What random typing chooses from: texts, and names of keys with more than one character.
PIECES = ["a", "tram ", "**", "*", "~~", "`", "[x](https://example.org)", "- ", "- [ ] ", "1. ", "> ", "# ",
          "שלום ", "👩‍👩‍👧 ", "\\*", "---", "```"]
KEYS = ["Enter", "Enter", "Enter", "Tab", "Shift+Tab", "Backspace", "Delete", "ArrowLeft", "ArrowRight", "Control+ArrowLeft",
        "Shift+ArrowLeft", "Control+Home", "Control+End", "Control+b", "Control+z", "Control+Shift+Z"]
TRIES = runs("ALMANAC_TEST_TYPING", quick=1, standard=1, long=50)


class NotesLiveTests(EditorCase):
    def sees(self, editor, *lines):
        """Waits until the lines that are not empty look like this."""
        found = []

        def is_so():
            found[:] = [line for line in editor.body().evaluate(SEEN) if line]
            return found == list(lines)
        self.until(is_so, lambda: found)

    def test_marks_appear_at_the_caret(self):
        """marks are hidden, appear where the caret is, and not before the mouse is released; the source has all"""
        editor = self.editor(TRIP)
        rest = ("Take the early one.", "- tickets", "- food")
        self.sees(editor, "Trip", "By train to Lisbon.", *rest)
        editor.body().get_by_text("**train**", exact=True).click()
        self.sees(editor, "Trip", "By **train** to Lisbon.", *rest)
        box = editor.body().locator(".cm-md-link").bounding_box()
        editor.page.mouse.move(box["x"] + 4, box["y"] + 8)
        editor.page.mouse.down()
        editor.page.mouse.move(box["x"] + 20, box["y"] + 8)
        self.sees(editor, "Trip", "By **train** to Lisbon.", *rest)
        editor.page.mouse.up()
        self.sees(editor, "Trip", "By train to [Lisbon](https://example.org/lisbon).", *rest)
        link = editor.page.get_by_role("toolbar", name="Format").get_by_role("link", name="Open example.org")
        expect(link).to_have_attribute("href", "https://example.org/lisbon")
        editor.line("early").click()
        self.sees(editor, "Trip", "By train to Lisbon.", "> Take the early one.", *rest[1:])
        editor.title().click()
        self.sees(editor, "Trip", "By train to Lisbon.", *rest)
        editor.notes.go("settings")
        editor.page.get_by_label("Markdown marks").select_option("Always show")
        editor.open()
        self.sees(editor, *(line for line in TRIP.split("\n") if line))

    def test_lists_are_moved_by_tab(self):
        """Tab and Shift+Tab move an item of a list; elsewhere Tab inserts two spaces; Escape lets Tab leave"""
        editor = self.editor("- tickets\n- food\n\nend")
        editor.caret_at_end_of("food")
        editor.page.keyboard.press("Tab")
        editor.page.keyboard.press("Enter")
        editor.type("bread")
        editor.page.keyboard.press("Enter")
        editor.page.keyboard.press("Enter")
        editor.type("water")
        self.awaits(editor, "- tickets\n  - food\n  - bread\n- water\n\nend")
        editor.page.keyboard.press("Tab")
        editor.page.keyboard.press("Shift+Tab")
        editor.caret_at_end_of("end")
        editor.page.keyboard.press("Tab")
        editor.type("!")
        self.awaits(editor, "- tickets\n  - food\n  - bread\n- water\n\nend  !")
        editor.page.keyboard.press("Escape")
        editor.page.keyboard.press("Tab")
        expect(editor.page.get_by_role("toolbar", name="Format").get_by_role("button").first).to_be_focused()

    def test_lines_of_different_looks_are_joined(self):
        """a letter, a composition and a key of a phone join lines without inline styles, which the policy would report,
        and a key of a phone deletes the whole mark of a task"""
        editor = self.editor("- [ ] x\n# Trip\nby **train**\n- tickets\n- food\n> early")
        keyboard = editor.page.keyboard
        devtools = editor.page.context.new_cdp_session(editor.page)

        def press_on_phone(command):
            devtools.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": "Unidentified", "commands": [command]})
        editor.caret_at_end_of("x")
        keyboard.press("ArrowLeft")
        press_on_phone("deleteBackward")
        self.shows(editor, "x", "# Trip", "by **train**", "- tickets", "- food", "> early")
        keyboard.press("End")
        press_on_phone("deleteToEndOfLine")
        self.shows(editor, "x# Trip", "by **train**", "- tickets", "- food", "> early")
        editor.caret_at_end_of("tickets")
        press_on_phone("deleteForward")
        self.shows(editor, "x# Trip", "by **train**", "- tickets- food", "> early")
        keyboard.press("Control+Home")
        keyboard.press("ArrowDown")
        press_on_phone("deleteBackward")
        self.shows(editor, "x# Tripby **train**", "- tickets- food", "> early")
        editor.caret_at_end_of("Trip")
        for _ in range(3):
            keyboard.press("Shift+ArrowRight")
        editor.type("a")
        self.shows(editor, "x# Tripby **train**atickets- food", "> early")
        keyboard.press("Control+End")
        for _ in range(9):
            keyboard.press("Shift+ArrowLeft")
        devtools.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
        devtools.send("Input.insertText", {"text": "日"})
        self.awaits(editor, "x# Tripby **train**atickets- foo日")

    def test_phone_has_a_bar_of_marks(self):
        """on a phone, the bar of marks appears with the keyboard, and a tap on it leaves the caret in the text"""
        editor = self.editor("one two", viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
        bar = editor.page.get_by_role("toolbar", name="Format")
        expect(bar).to_be_hidden()
        editor.line("one two").tap()
        expect(bar).to_be_visible()
        editor.page.keyboard.press("End")
        bold = bar.get_by_role("button", name="Bold")
        bold.tap()
        expect(bold).to_have_attribute("aria-pressed", "true")
        expect(editor.body()).to_be_focused()
        editor.type("!")
        self.awaits(editor, "one **two!**")
        bar.get_by_role("button", name="Checklist").tap()
        self.awaits(editor, "- [ ] one **two!**")

    def test_source_and_live_marks_save_the_same(self):
        """the same keys give the same text with live marks and in the source"""
        seed = chosen_seed()
        print(f"  ALMANAC_TEST_SEED={seed}")
        chosen = random.Random(seed)
        for _ in range(TRIES):
            script = [chosen.choice(PIECES if chosen.random() < 0.6 else KEYS) for _ in range(60)]
            texts = []
            for is_source in (False, True):
                editor = self.editor("", is_source=is_source)
                editor.body().click()
                for piece in script:
                    if piece in KEYS:
                        editor.page.keyboard.press(piece)
                    else:
                        editor.page.keyboard.insert_text(piece)
                editor.page.keyboard.press("Control+End")
                editor.type("the end")
                self.until(lambda editor=editor: "the end" in editor.saved()["body"])
                texts.append(editor.saved()["body"])
                editor.page.close()
            self.assertEqual(texts[0], texts[1], script)
