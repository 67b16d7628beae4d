"""Tests of the editor: typed text is saved, and other devices' changes do not move the caret."""

from playwright.sync_api import expect

from support.accessibility import find_violations
from support.notes import go_offline
from support.notes_editor import PASTE, Editor, EditorCase, units

# Simulates Chromium's occasional report of a letter right after Enter, with the caret still before it.
LETTER_BEFORE_CARET = """(body, letter) => {
    const text = document.createTextNode(letter);
    body.lastElementChild.replaceChildren(text);
    body.getRootNode().getSelection().collapse(text, 0);
}"""
# Scrolls the editor to its middle; returns the first heading and its height below the editor's upper edge.
SCROLL = """async () => {
    const { shadowRoot } = document.querySelector(".note-body");
    const scroller = shadowRoot.querySelector(".cm-scroller");
    scroller.scrollTop = scroller.scrollHeight / 2;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const { top } = scroller.getBoundingClientRect();
    const lines = [...shadowRoot.querySelectorAll(".cm-line")].filter((line) => line.textContent.startsWith("## "));
    const line = lines.find((line) => line.getBoundingClientRect().top >= top);
    return [line.textContent.slice(3), line.getBoundingClientRect().top - top];
}"""
# Returns the height of a heading below the preview's upper edge.
DISTANCE = """(preview, text) => {
    const heading = [...preview.querySelectorAll("h3")].find((heading) => heading.textContent === text);
    return heading.getBoundingClientRect().top - preview.getBoundingClientRect().top;
}"""
# Collects the signs that are shown in the note.
WATCH_SIGNS = """() => {
    window.signs = [];
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const { textContent } of addedNodes) window.signs.push(textContent);
    }).observe(document.querySelector(".note"), { childList: true });
}"""
# Returns the names of the loaded modules, such as "python".
LOADED = """() => performance.getEntriesByType("resource").flatMap(({ name }) =>
    /[/]parts[/]([a-z]+)-\\w+[.]js$/.exec(name)?.[1] ?? [])"""
LANGUAGES = {"clike", "css", "go", "html", "java", "javascript", "json", "python", "ruby", "shell", "sql", "swift",
             "xml", "yaml"}
LETTER = "Dear all,\n\nthe harbour is open.\n\nThe last line.\n"


class NotesEditorTests(EditorCase):
    # Typing

    def test_what_is_typed_is_kept(self):
        """text typed in title and body is saved on the device and the server, and survives a reload"""
        editor = self.editor("One.\n")
        editor.title().click()
        editor.page.keyboard.press("End")
        editor.type(" to you")
        editor.page.keyboard.press("Enter")
        editor.page.keyboard.press("Control+End")
        editor.type("Two.")
        editor.await_server()
        self.assertEqual([editor.saved()["title"], editor.saved()["body"]], ["A letter to you", "One.\nTwo."])
        editor.page.reload()
        expect(editor.title()).to_have_text("A letter to you")
        self.shows(editor, "One.", "Two.")
        expect(editor.page.get_by_role("heading", name="A letter to you")).to_be_attached()

    def test_a_new_note_is_written_at_once(self):
        """a new note has the caret in its title; Enter moves it to the text"""
        editor = self.editor("")
        editor.notes.go("new")
        expect(editor.title()).to_be_focused()
        editor.type("Groceries\nmilk")
        self.until(lambda: any(note["body"] == "milk" and note["title"] == "Groceries"
                               for note in editor.user.notes().values()))

    def test_a_new_note_without_words_vanishes(self):
        """a new note that is left without a change leaves no row and no note in the trash, also offline and with a tag"""
        editor = self.editor("", tags=["home"])
        page, rows = editor.page, editor.page.locator(".note-row-title")
        for is_offline in (False, True):
            if is_offline:
                go_offline(page)
            editor.notes.go("tags", "home")
            page.get_by_role("button", name="New note").click()
            expect(editor.title()).to_be_focused()
            expect(rows).to_have_text(["A letter", "New note"])
            page.keyboard.press("Enter")
            editor.notes.go("settings")
            expect(rows).to_have_text(["A letter"])
        page.context.set_offline(False)
        editor.notes.go("trash")
        expect(page.get_by_text("Trash is empty")).to_be_visible()
        editor.notes.await_server()
        self.assertEqual([note["title"] for note in editor.user.notes().values()], ["A letter"])

    def test_a_quick_letter_in_a_new_line(self):
        """after a letter that the browser reports with the caret before it, further letters follow it"""
        editor = self.editor("One.")
        editor.caret_at_end_of("One.")
        editor.page.keyboard.press("Enter")
        editor.body().evaluate(LETTER_BEFORE_CARET, "T")
        editor.type("wo")
        self.shows(editor, "One.", "Two")
        self.awaits(editor, "One.\nTwo")

    def test_edges_of_lines_of_both_directions(self):
        """Home and End move to the edges of a line of both directions; Home moves between a task's box and its text"""
        line = "Call her 1.5 kg שלום"
        editor = self.editor(f"- [ ] first\n{line}\nשלום milk")
        editor.line("first").click()
        editor.page.keyboard.press("Home")
        editor.type("The ")
        editor.line("Call her").click()
        for key, mark in (("End", "."), ("Home", "!"), ("End", "?")):
            editor.page.keyboard.press(key)
            editor.type(mark)
        editor.line("milk").click()
        editor.page.keyboard.press("End")
        editor.page.keyboard.press("Shift+Home")
        editor.type("bread")
        self.shows(editor, "- [ ] The first", f"!{line}.?", "bread")

    def test_others_write_under_the_caret(self):
        """other devices' lines appear while a user types; the caret stays, and undo reverts only own edits"""
        editor = self.editor(LETTER)
        editor.caret_at_end_of("the harbour")
        editor.type(" Com")
        editor.await_server()
        editor.write_elsewhere(lambda body: "From elsewhere.\n" + body)
        expect(editor.line("From elsewhere.")).to_be_visible()
        editor.type("e ")
        editor.await_server()
        editor.write_elsewhere(lambda body: body.replace("The last line.", "The very last line."))
        expect(editor.line("The very last line.")).to_be_visible()
        editor.type("soon.")
        self.awaits(editor, "From elsewhere.\nDear all,\n\nthe harbour is open. Come soon.\n\nThe very last line.\n")
        for _ in range(12):
            editor.page.keyboard.press("Control+z")
        self.shows(editor, "From elsewhere.", "Dear all,", "", "the harbour is open.", "", "The very last line.", "")
        self.awaits(editor, "From elsewhere.\nDear all,\n\nthe harbour is open.\n\nThe very last line.\n")
        # How many steps bring the text back depends on the pauses between the keys.
        for _ in range(12):
            editor.page.keyboard.press("Control+Shift+Z")
        self.until(lambda: "is open. Come soon." in editor.saved()["body"])

    def test_one_line_is_written_by_two(self):
        """two concurrent edits of one sentence are each applied once"""
        editor = self.editor("The harbour is open today.\n")
        go_offline(editor.page)
        editor.line("The harbour").click()
        editor.page.keyboard.press("Home")
        editor.type("Hello! ")
        expect(editor.status()).to_have_text("Saved on this device")
        editor.write_elsewhere(lambda body: body.replace("today", "tomorrow"))
        editor.page.context.set_offline(False)
        self.shows(editor, "Hello! The harbour is open tomorrow.", "")
        self.awaits(editor, "Hello! The harbour is open tomorrow.\n")
        editor.type("Ahoy! ")
        self.awaits(editor, "Hello! Ahoy! The harbour is open tomorrow.\n")

    def test_a_selection_moves_with_its_text(self):
        """a selection keeps its words when other devices insert text before it"""
        editor = self.editor(LETTER)
        editor.line("the harbour").dblclick(position={"x": 8, "y": 8})
        editor.write_elsewhere(lambda body: "Above.\n" + body)
        expect(editor.line("Above.")).to_be_visible()
        editor.type("our")
        self.shows(editor, "Above.", "Dear all,", "", "our harbour is open.", "", "The last line.", "")

    def test_a_title_is_written_by_two(self):
        """other devices' changes to a title do not move the caret, and a title stays one line"""
        editor = self.editor(LETTER)
        editor.title().click()
        editor.page.keyboard.press("End")
        editor.type(" to")
        editor.await_server()
        note = editor.saved()
        editor.user.act("updateNote", id=editor.note, base=note["revision"], title=["Not ", len(note["title"])])
        expect(editor.title()).to_have_text("Not A letter to")
        editor.title().evaluate(PASTE, " you and me")
        expect(editor.title()).to_have_text("Not A letter to you and me")
        self.until(lambda: editor.saved()["title"] == "Not A letter to you and me", lambda: editor.saved()["title"])
        for _ in range(6):
            editor.page.keyboard.press("Control+z")
        self.until(lambda: editor.saved()["title"] == "Not A letter", lambda: editor.saved()["title"])

    def test_two_tabs_write_one_note(self):
        """two tabs of one device edit one note, and both get the whole text"""
        first = self.editor(LETTER)
        page = first.page.context.new_page()
        page.goto(first.page.url)
        second = Editor(first.notes, first.note, page)
        second.caret_at_end_of("The last line.")
        first.caret_at_end_of("Dear all,")
        words = [f"w{number}" for number in range(12)]
        for number, word in enumerate(words):
            (first if number % 2 else second).type(f" {word}")
        text = ("Dear all,", "", "the harbour is open.", "", "The last line.")
        own = [" ".join([line, *words[start::2]]) for line, start in ((text[0], 1), (text[4], 0))]
        lines = [own[0], *text[1:4], own[1], ""]
        self.shows(first, *lines)
        self.shows(second, *lines)
        self.awaits(first, "\n".join(lines))

    # Input methods and scripts

    def test_composition_is_left_alone(self):
        """during a composition, other changes wait until it ends"""
        for is_source in self.both_modes():
            self.compose_while_others_write(is_source)

    def compose_while_others_write(self, is_source):
        editor = self.editor(LETTER, is_source=is_source)
        page = editor.page.context.new_page()
        page.goto(editor.page.url)
        other = Editor(editor.notes, editor.note, page)
        expect(other.line("Dear all,")).to_be_visible()
        editor.page.bring_to_front()
        editor.caret_at_end_of("the harbour")
        devtools = editor.page.context.new_cdp_session(editor.page)
        for text in ("k", "ko", "こ"):
            end = len(text)
            devtools.send("Input.imeSetComposition", {"text": text, "selectionStart": end, "selectionEnd": end})
        expect(editor.line("the harbour is open.こ")).to_be_visible()
        editor.write_elsewhere(lambda body: "Above.\n" + body)
        expect(other.line("Above.")).to_be_visible()
        devtools.send("Input.imeSetComposition", {"text": "こん", "selectionStart": 2, "selectionEnd": 2})
        self.shows(editor, "Dear all,", "", "the harbour is open.こん", "", "The last line.", "")
        # The composed text is saved, merged with the other change.
        self.awaits(editor, "Above.\n" + LETTER.replace("open.", "open.こん"))
        devtools.send("Input.insertText", {"text": "今日"})
        self.shows(editor, "Above.", "Dear all,", "", "the harbour is open.今日", "", "The last line.", "")
        self.awaits(editor, "Above.\n" + LETTER.replace("open.", "open.今日"))

    def test_any_script_is_composed(self):
        """emoji and right-to-left texts are composed in lines, tasks and titles that other devices edit meanwhile"""
        for is_source in self.both_modes():
            self.compose_any_script(is_source)

    def compose_any_script(self, is_source):
        expected = "שלום \nemoji \n- [ ] milk \n"
        editor = self.editor(expected, title="Plan", is_source=is_source)
        devtools = editor.page.context.new_cdp_session(editor.page)
        for line, steps, word in (("שלום", ("م", "مر", "مرح"), "مرحبا"), ("emoji", ("👩", "👩‍👩", "👩‍👩‍👧"), "👩‍👩‍👧‍👦"),
                                  ("milk", ("ぱ", "ぱn", "ぱん"), "パン")):
            editor.caret_at_end_of(line)
            for text in steps:
                end = units(text)
                devtools.send("Input.imeSetComposition", {"text": text, "selectionStart": end, "selectionEnd": end})
            expected = expected.replace(f"{line} \n", f"{line} {steps[-1]}\n")
            self.awaits(editor, expected)
            editor.write_elsewhere(lambda body, line=line: f"נ🌍 {line}\n" + body.replace(f"{line} ", f"«{line}» ", 1))
            devtools.send("Input.insertText", {"text": word})
            expected = f"נ🌍 {line}\n" + expected.replace(f"{line} {steps[-1]}", f"«{line}» {word}", 1)
            self.awaits(editor, expected)
        self.shows(editor, *expected.split("\n"))
        editor.title().click()
        editor.page.keyboard.press("End")
        devtools.send("Input.imeSetComposition", {"text": "よて", "selectionStart": 2, "selectionEnd": 2})
        self.until(lambda: editor.saved()["title"] == "Planよて", lambda: editor.saved()["title"])
        editor.user.act("updateNote", id=editor.note, base=editor.saved()["revision"], title=["My ", 6])
        devtools.send("Input.insertText", {"text": "予定"})
        self.until(lambda: editor.saved()["title"] == "My Plan予定", lambda: editor.saved()["title"])
        expect(editor.title()).to_have_text("My Plan予定")

    def test_any_script_is_written(self):
        """an emoji is one character, Hebrew and Arabic run from right to left, and the text is saved as typed"""
        editor = self.editor("\n")
        editor.body().click()
        editor.page.keyboard.press("Control+Home")
        text = "👩‍👩‍👧‍👦👍🏽 né\nשלום עולם 👋\nمرحبا"
        for index, line in enumerate(text.split("\n")):
            if index:
                editor.page.keyboard.press("Enter")
            editor.page.keyboard.insert_text(line)
        self.awaits(editor, text + "\n")
        expect(editor.line("שלום")).to_have_css("direction", "rtl")
        expect(editor.line("né")).to_have_css("direction", "ltr")
        editor.page.keyboard.press("Control+Home")
        editor.page.keyboard.press("ArrowRight")
        editor.page.keyboard.press("ArrowRight")
        editor.page.keyboard.press("Backspace")
        self.awaits(editor, text.replace("👍🏽", "") + "\n")
        editor.write_elsewhere(lambda body: body.replace("שלום", "שלום 🌍"))
        expect(editor.line("🌍")).to_be_visible()
        editor.type("!")
        self.until(lambda: "👩‍👩‍👧‍👦! né" in editor.saved()["body"], lambda: editor.saved()["body"])

    def test_a_ticked_task_keeps_its_direction(self):
        """a task has the direction of its text, ticked or not"""
        editor = self.editor("- [ ] חלב\n- [x] לחם\n- [X] تمر\n- [x] milk\n")
        for text, direction in (("חלב", "rtl"), ("לחם", "rtl"), ("تمر", "rtl"), ("milk", "ltr")):
            expect(editor.line(text)).to_have_css("direction", direction)

    def test_items_have_marks_at_their_own_side(self):
        """in the preview, an item or quote has its mark where its text begins, in tight and in loose lists"""
        editor = self.editor("- חלב\n- milk\n\ntext\n\n1. לחם\n\n   עוד\n2. bread\n\ntext\n\n> שלום")
        editor.page.get_by_role("button", name="Preview").click()
        sides = {"חלב": "right", "milk": "left", "לחם": "right", "bread": "left"}
        for text, side in sides.items():
            item = editor.preview().locator("li", has_text=text)
            for each in ("left", "right"):
                room = item.evaluate("(item, side) => parseFloat(getComputedStyle(item)[`margin-${side}`])", each)
                self.assertEqual(room > 16, each == side, f"{text}: {room} px at the {each}")
        expect(editor.preview().locator("blockquote")).to_have_css("direction", "rtl")

    def test_the_preview_keeps_the_place(self):
        """editor and preview show the place that was read in the other, and the preview stays while others write"""
        lines = [f"## Part {number}\n\n" + f"Words of part {number}. " * (number % 5 * 20) for number in range(30)]
        editor = self.editor("\n\n".join(lines))
        page, preview = editor.page, editor.preview()
        part, height = page.evaluate(SCROLL)
        page.keyboard.press("Control+Enter")
        expect(preview.get_by_role("heading", name=part, exact=True)).to_be_in_viewport()
        self.assertAlmostEqual(preview.evaluate(DISTANCE, part), height, delta=40)
        before = preview.evaluate(DISTANCE, part)
        editor.write_elsewhere(lambda body: "# Above\n\n" + "More words. " * 300 + "\n\n" + body)
        expect(preview.get_by_role("heading", name="Above")).to_be_attached()
        self.assertAlmostEqual(preview.evaluate(DISTANCE, part), before, delta=1)
        page.keyboard.press("Control+Enter")
        expect(editor.line(f"## {part}")).to_be_in_viewport()

    def test_a_mebibyte_is_pasted(self):
        """a text of almost 1 MiB is pasted, saved, edited, and shown in the preview, which a sign announces"""
        editor = self.editor("")
        editor.body().click()
        line = "Somebody copied a whole book into this note, and wants to read it later.\n"
        text = (line * (2**20 // len(line)))[:2**20 - 200]
        editor.paste(text)
        editor.type("The end.")
        editor.page.keyboard.press("Control+Home")
        editor.type("Beginning. ")
        editor.await_server()
        self.awaits(editor, "Beginning. " + text + "The end.")
        editor.page.evaluate(WATCH_SIGNS)
        editor.page.keyboard.press("Control+Enter")
        expect(editor.preview().locator("p").last).to_contain_text("The end.")
        self.assertEqual(editor.page.evaluate("() => window.signs"), ["Preparing the preview…"])
        expect(editor.page.get_by_text("Preparing the preview")).to_have_count(0)

    def test_lines_are_pasted_into_a_title(self):
        """of lines pasted into a title, the first is the title and the others begin the text; one undo reverts both"""
        editor = self.editor("old text", title="List:")
        editor.title().click()
        editor.page.keyboard.press("End")
        editor.title().evaluate(PASTE, "\n Saturday\r\n\r\nmilk\r\nbread")
        expect(editor.body()).to_be_focused()
        self.awaits(editor, "milk\nbread\nold text")
        self.assertEqual(editor.saved()["title"], "List: Saturday")
        editor.type("!")
        note = editor.saved()
        editor.user.act("updateNote", id=editor.note, base=note["revision"], title=["My ", len(note["title"])])
        expect(editor.title()).to_have_text("My List: Saturday")
        self.shows(editor, "milk", "bread!", "old text")
        for keys, title, body in (("Control+z", "My List: Saturday", "milk\nbread\nold text"),
                                  ("Control+z", "My List:", "old text"),
                                  ("Control+Shift+Z", "My List: Saturday", "milk\nbread\nold text")):
            editor.page.keyboard.press(keys)
            self.awaits(editor, body)
            self.until(lambda: editor.saved()["title"] == title, lambda: editor.saved()["title"])

    def test_what_is_no_character_is_shown_as_such(self):
        """U+0000 and lone surrogates become U+FFFD with a notice; all other characters of a pasted text stay"""
        editor = self.editor("")
        editor.body().click()
        editor.paste("a\0b\r\nc 👍")
        expect(editor.page.get_by_text("Some characters couldn’t be saved")).to_have_count(2)
        self.awaits(editor, "a\ufffdb\nc 👍")

    def test_a_picture_is_refused_in_a_title(self):
        """a picture pasted into a title is refused with a message"""
        editor = self.editor("before")
        editor.title().evaluate("""(title) => {
            const clipboardData = new DataTransfer();
            clipboardData.items.add(new File([new Uint8Array(9)], "a.png", { type: "image/png" }));
            title.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }""")
        expect(editor.page.locator(".notices .failure").get_by_text("A title can contain text only.")).to_be_visible()
        self.awaits(editor, "before")

    def test_line_ends_of_elsewhere_stay(self):
        """a note with CRLF line ends keeps them in untouched lines"""
        editor = self.editor("one\r\ntwo\r\n")
        editor.line("one").click()
        editor.page.keyboard.press("Home")
        editor.type("begin ")
        self.awaits(editor, "begin one\r\ntwo\r\n")

    # Code

    def test_code_has_the_colors_of_its_language(self):
        """code in a fence has the colors of its language, and only that language is loaded, offline too"""
        editor = self.editor("```python\ndef greet(): pass\n```\n\n")
        colored = editor.body().locator("[class^=cm-code-]")
        expect(colored).to_have_text(["def", "greet", "pass"])
        self.assertEqual(LANGUAGES.intersection(editor.page.evaluate(LOADED)), {"python"})
        go_offline(editor.page)
        editor.body().click()
        editor.page.keyboard.press("Control+End")
        editor.type("```yml\na: 1 # one")
        expect(colored).to_have_text(["def", "greet", "pass", "a", "# one"])
        self.assertEqual(LANGUAGES.intersection(editor.page.evaluate(LOADED)), {"python", "yaml"})
        self.assertEqual(find_violations(editor.page, "code", ".note-body"), [])
        editor.page.get_by_role("button", name="Preview").click()
        expect(editor.preview().locator("[class^=cm-code-]")).to_have_text(["def", "greet", "pass", "a", "# one"])
