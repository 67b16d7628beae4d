"""Tests of an open note: Markdown, deletion and accessibility."""

import re

from playwright.sync_api import expect

from support.look import find_faults
from support.notes import Notes, NotesUser, go_offline
from support.notes_editor import Editor, EditorCase

LETTER = "Dear all,\n\nthe harbour is open.\n\nThe last line.\n"
HOSTILE = """# <img src=x onerror=alert(1)>

<script>alert(2)</script> [click](javascript:alert(3)) [data](data:text/html,<script>alert(4)</script>)

![picture](https://evil.example/pixel.png) <https://example.org/fine> [ref]

[ref]: javascript:alert(5)

| a | b |
|---|---|
| <b onclick=alert(6)>x</b> | [x](vbscript:alert(7)) |

- [ ] <iframe src="//evil.example"></iframe>
"""


class NotesOpenTests(EditorCase):
    # Markdown

    def test_markdown_is_styled_as_it_is_typed(self):
        """headings, emphasis, code and links are styled, and Ctrl+click opens a link"""
        editor = self.editor("")
        editor.body().click()
        editor.type("# Title\nplain **strong** *soft* `code` https://example.org/x [bad](javascript:alert(1))\n"
                    "```\nlet x\n```\nafter")
        body = editor.body()
        for kind, text in (("heading", "# Title"), ("strong", "**strong**"), ("emphasis", "*soft*"), ("code", "`code`"),
                           ("fenced", "let x")):
            expect(body.locator(f".cm-md-{kind}").filter(has_text=text)).to_have_count(1)
        expect(body.locator(".cm-md-fenced")).to_have_count(3)
        link = body.locator("[data-address]")
        expect(link).to_have_count(1)
        expect(link).to_have_attribute("data-address", "https://example.org/x")
        editor.page.evaluate(
            "() => { window.opened = []; window.open = (...words) => { window.opened.push(words); }; }")
        link.click(modifiers=["Control"])
        body.locator(".cm-md-link").last.click(modifiers=["Control"])
        self.assertEqual(editor.page.evaluate("() => window.opened"),
                         [["https://example.org/x", "_blank", "noopener,noreferrer"]])
        editor.page.keyboard.press("Control+End")
        editor.page.keyboard.press("Shift+Home")
        editor.page.keyboard.press("Control+b")
        expect(editor.line("**after**")).to_be_visible()
        editor.page.keyboard.press("Control+b")
        editor.page.keyboard.press("Control+i")
        self.until(lambda: editor.saved()["body"].endswith("\n*after*"), lambda: editor.saved()["body"])

    def test_a_finger_opens_links(self):
        """a tap opens a link on a phone, unless the user is typing"""
        editor = self.editor("See https://example.org/x\n", has_touch=True, is_mobile=True)
        editor.page.evaluate("() => { window.opened = []; window.open = (...words) => { window.opened.push(words[0]); }; }")
        link = editor.body().locator(".cm-md-link")
        link.tap()
        self.assertEqual(editor.page.evaluate("() => window.opened"), ["https://example.org/x"])
        editor.title().focus()
        editor.page.keyboard.press("Enter")
        expect(editor.body()).to_be_focused()
        link.tap()
        self.assertEqual(editor.page.evaluate("() => window.opened"), ["https://example.org/x"])

    def test_checklists(self):
        """Enter continues a list; shortcuts create tasks; a click, a shortcut or the preview ticks them"""
        editor = self.editor("")
        editor.body().click()
        editor.page.keyboard.press("Control+Shift+C")
        editor.type("milk\nbread\n\nend")
        self.shows(editor, "- [ ] milk", "- [ ] bread", "", "end")
        editor.body().get_by_role("checkbox", name="bread").click()
        self.shows(editor, "- [ ] milk", "- [x] bread", "", "end")
        expect(editor.body().get_by_role("checkbox", name="bread")).to_be_checked()
        expect(editor.body()).to_be_focused()
        editor.line("milk").click()
        editor.page.keyboard.press("Control+Shift+C")
        self.shows(editor, "- [x] milk", "- [x] bread", "", "end")
        editor.page.keyboard.press("Control+Enter")
        boxes = editor.preview().get_by_role("checkbox")
        expect(boxes).to_have_count(2)
        editor.preview().get_by_label("milk").click()
        expect(boxes.nth(0)).not_to_be_checked()
        expect(boxes.nth(0)).to_be_focused()
        editor.page.keyboard.press("Tab")
        editor.page.keyboard.press("Space")
        expect(boxes.nth(1)).not_to_be_checked()
        self.awaits(editor, "- [ ] milk\n- [ ] bread\n\nend")
        editor.write_elsewhere(lambda body: body.replace("[ ] milk", "[x] milk"))
        expect(boxes.nth(0)).to_be_checked()
        editor.page.keyboard.press("Control+Enter")
        expect(editor.body()).to_be_focused()

    def test_a_task_is_pressed_while_others_write(self):
        """a pressed task is ticked even if other changes move it before the release"""
        eggs, rest = "- [ ] eggs\n", "- [ ] milk\n- [ ] bread\n- [ ] tea"
        editor = self.editor(rest)
        editor.page.keyboard.press("Control+Enter")
        bread = editor.preview().get_by_label("bread")
        bread.focus()
        editor.page.keyboard.down("Space")
        editor.user.act("updateNote", id=editor.note, base=editor.saved()["revision"],
                        title=[len("A letter"), " to go"], body=[eggs, len(rest)])
        expect(editor.title()).to_have_text("A letter to go")
        editor.page.keyboard.up("Space")
        self.awaits(editor, "- [ ] eggs\n- [ ] milk\n- [x] bread\n- [ ] tea")
        expect(editor.preview().get_by_label("eggs")).to_be_visible()
        bread.hover()
        editor.page.mouse.down()
        editor.user.act("updateNote", id=editor.note, base=editor.saved()["revision"],
                        title=[len("A letter"), -len(" to go")], body=[-len(eggs), len(rest)])
        expect(editor.title()).to_have_text("A letter")
        editor.page.mouse.up()
        self.awaits(editor, "- [ ] milk\n- [ ] bread\n- [ ] tea")
        expect(editor.preview().get_by_label("eggs")).to_be_hidden()
        expect(bread).not_to_be_checked()

    def test_preview_is_inert(self):
        """hostile Markdown is shown as text and harmless links; no picture is loaded and no script runs"""
        editor = self.editor(HOSTILE)
        editor.page.get_by_role("button", name="Preview").click()
        preview = editor.preview()
        expect(preview.get_by_role("table")).to_be_visible()
        self.assertEqual(preview.locator("script, img, iframe, b, style, object, form").count(), 0)
        self.assertEqual(preview.locator("a").evaluate_all("(links) => links.map((link) => link.href)"),
                         ["https://evil.example/pixel.png", "https://example.org/fine"])
        for link in preview.locator("a").all():
            expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
            expect(link).to_have_attribute("target", "_blank")
        expect(preview.get_by_text("<script>alert(2)</script>")).to_be_visible()

    # Deletion and restore

    def test_a_note_is_trashed_elsewhere(self):
        """a note trashed on another device shows a notice, is read-only, and can be restored"""
        editor = self.editor(LETTER)
        editor.user.act("deleteNote", id=editor.note)
        expect(editor.notice()).to_contain_text("just moved to Trash elsewhere")
        editor.line("Dear all,").click()
        editor.type("x")
        self.shows(editor, "Dear all,", "", "the harbour is open.", "", "The last line.", "")
        editor.page.reload()
        editor.notes.go("trash", editor.note)
        expect(editor.notice()).to_contain_text("This note is in Trash.")
        expect(editor.page.get_by_role("button", name="Pin to top")).to_be_disabled()
        editor.notice().get_by_role("button", name="Restore").click()
        expect(editor.notice()).to_be_hidden()
        editor.caret_at_end_of("Dear all,")
        editor.type(" again")
        self.until(lambda: "Dear all, again" in editor.user.notes().get(editor.note, {}).get("body", ""))

    def test_a_note_that_is_gone_is_kept(self):
        """offline text in a note that was purged elsewhere is reported, and can be saved as a new note"""
        editor = self.editor(LETTER)
        go_offline(editor.page)
        editor.caret_at_end_of("Dear all,")
        editor.type(" wait")
        expect(editor.status()).to_have_text("Saved on this device")
        editor.user.act("deleteNote", id=editor.note)
        editor.user.act("purgeNote", id=editor.note)
        editor.page.context.set_offline(False)
        expect(editor.status()).to_have_text("Needs attention")
        expect(editor.notice()).to_contain_text("The server rejected your last change")
        editor.notice().get_by_role("button", name="Save as a new note").click()
        expect(editor.notice()).to_be_hidden()
        kept = LETTER.replace("all,", "all, wait")
        self.until(lambda: [note["body"] for note in editor.user.notes().values()] == [kept])
        self.shows(editor, *kept.split("\n"))

    def test_a_note_is_removed_for_good_in_another_tab(self):
        """a note deleted permanently in another tab stays open in this one, and can be saved as a new note"""
        editor = self.editor(LETTER)
        editor.user.act("deleteNote", id=editor.note)
        expect(editor.notice()).to_contain_text("moved to Trash")
        page = editor.page.context.new_page()
        page.goto(f"{editor.notes.person.origin}/#/development/trash")
        page.get_by_role("button", name=re.compile("permanently|Empty")).first.click()
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Delete")).first.click()
        expect(editor.notice()).to_contain_text("no longer on this device")
        editor.notice().get_by_role("button", name="Save as a new note").click()
        expect(editor.notice()).to_be_hidden()
        self.until(lambda: [note["body"] for note in editor.user.notes().values()] == [LETTER])

    def test_menu(self):
        """the menu copies the link, and moves the note to the trash, which can be undone"""
        editor = self.editor(LETTER)
        editor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        editor.menu("Copy link")
        self.assertEqual(editor.page.evaluate("() => navigator.clipboard.readText()"),
                         f"{editor.notes.person.origin}/#/development/notes/{editor.note}")
        editor.menu("Move to Trash")
        self.until(lambda: editor.note not in editor.user.notes())
        expect(editor.body()).to_be_hidden()
        editor.page.get_by_role("button", name="Undo").click()
        self.until(lambda: editor.note in editor.user.notes())

    def test_menu_is_seen(self):
        """the menu fits into the page, wide and narrow, in both languages"""
        for width, locale, name in ((1280, "en-US", "More"), (360, "de-DE", "Mehr")):
            one = self.person(application="notes", viewport={"width": width, "height": 720}, locale=locale)
            notes = Notes(one, NotesUser(self.instance)).sign_in()
            notes.write("Letter", LETTER)
            notes.page.get_by_role("button", name=name, exact=True).click()
            items = notes.page.locator(".menu").locator("a, button")
            expect(items).to_have_count(10)
            for item in items.all():
                expect(item).to_be_in_viewport(ratio=1)
                self.assertTrue(item.evaluate("(item) => item.scrollWidth <= item.clientWidth"), item.inner_text())

    def test_about_a_note(self):
        """the menu shows a note's dates, and its length in words and visible characters"""
        editor = self.editor("Zoë walks 👩‍👩‍👧‍👦 home.\n東京")
        count = editor.page.locator(".note-count")
        expect(count).to_have_text("4 words")
        editor.menu("Note info")
        about = editor.page.get_by_role("dialog", name="Note info")
        for name, value in (("Words", "4"), ("Characters", "20")):
            expect(about.locator("dl > div").filter(has_text=name).locator("dd")).to_have_text(value)
        expect(about.locator("dl > div").filter(has_text="Created")).to_contain_text(re.compile(r"20\d\d"))
        editor.page.keyboard.press("Escape")
        editor.caret_at_end_of("home")
        editor.paste(" " + "home " * 216)
        expect(count).to_have_text("220 words · 1 min read")

    def test_outline(self):
        """the outline leads to each heading, in the editor and in the preview"""
        lines = "\n\n".join(f"Line {number}" for number in range(300))
        editor = self.editor(f"{lines}\n\n## The *harbour*\n\n{lines}\n\n### Boats\n\n```\n# no\n```\n")
        outline = editor.page.get_by_role("dialog", name="Outline")
        for place in (editor.body(), editor.preview()):
            editor.menu("Outline")
            expect(outline.get_by_role("listitem")).to_have_text(["The harbour", "Boats"])
            outline.get_by_role("button", name="The harbour").click()
            expect(place).to_be_focused()
            expect(place.get_by_text("harbour")).to_be_in_viewport()
            editor.page.keyboard.press("Control+Enter")

    def test_tags_and_pin(self):
        """tags and the pin are changed beside the text, here and on another device"""
        editor = self.editor(LETTER)
        pin = editor.page.locator(".note").get_by_role("button", name="Pin to top")
        pin.click()
        expect(pin).to_have_attribute("aria-pressed", "true")
        editor.page.locator(".tag-field").get_by_role("combobox").fill("harbour")
        editor.page.keyboard.press("Enter")
        self.until(lambda: [editor.saved()["pinned"], editor.saved()["tags"]] == [True, ["harbour"]])
        editor.user.act("updateNote", id=editor.note, tags={"add": ["work"]}, pinned=False)
        expect(pin).to_have_attribute("aria-pressed", "false")
        expect(editor.page.locator(".tag-chips")).to_contain_text("work")
        expect(editor.page.locator(".tag-chips")).to_contain_text("harbour")

    def test_typed_text_survives_going_elsewhere(self):
        """text typed just before another note is opened, or the page closed, is saved; undo works after a return"""
        editor = self.editor("one\n")
        other = editor.user.create("Other", "other")
        editor.caret_at_end_of("one")
        editor.type(" two")
        editor.notes.go("notes", other)
        self.awaits(editor, "one two\n")
        expect(editor.line("other")).to_be_visible()
        editor.write_elsewhere(lambda body: f"before\n{body}")
        expect(editor.notes.page.locator(".note-row-excerpt").filter(has_text="before")).to_be_visible()
        editor.notes.go("notes", editor.note)
        expect(editor.line("one two")).to_be_visible()
        editor.write_elsewhere(lambda body: f"zero\n{body}")
        expect(editor.line("zero")).to_be_visible()
        editor.body().focus()
        editor.page.keyboard.press("Control+z")
        self.awaits(editor, "zero\nbefore\none\n")
        editor.page.keyboard.press("Control+Shift+Z")
        self.awaits(editor, "zero\nbefore\none two\n")
        editor.caret_at_end_of("one two")
        editor.type(" three")
        expect(editor.status()).not_to_have_text("Saving")
        editor.page.close()
        page = editor.notes.person.context.new_page()
        page.goto(f"{editor.notes.person.origin}/#/development/notes/{editor.note}")
        expect(Editor(editor.notes, editor.note, page).line("one two three")).to_be_visible()

    # Accessibility

    def test_keyboard_alone(self):
        """every part of the editor is reached and used by keyboard"""
        editor = self.editor("text\n")
        editor.title().focus()
        editor.page.keyboard.press("Tab")
        expect(editor.page.locator(".tag-field").get_by_role("combobox")).to_be_focused()
        editor.page.keyboard.press("Tab")
        expect(editor.body()).to_be_focused()
        editor.page.keyboard.press("Escape")
        editor.page.keyboard.press("Tab")
        expect(editor.page.get_by_role("toolbar").get_by_role("button", name="Checklist")).to_be_focused()
        editor.page.keyboard.press("End")
        expect(editor.page.get_by_role("toolbar").get_by_role("button", name="Add images")).to_be_focused()
        editor.page.keyboard.press("ArrowLeft")
        editor.page.keyboard.press("ArrowLeft")
        expect(editor.page.get_by_role("toolbar").get_by_role("button", name="Quote")).to_be_focused()
        editor.page.keyboard.press("Enter")
        expect(editor.body()).to_be_focused()
        self.shows(editor, "> text", "")
        editor.page.keyboard.press("Escape")
        editor.page.keyboard.press("Shift+Tab")
        expect(editor.page.locator(".tag-field").get_by_role("combobox")).to_be_focused()
        editor.page.keyboard.press("Shift+Tab")
        expect(editor.title()).to_be_focused()
        editor.page.keyboard.press("Shift+Tab")
        expect(editor.page.get_by_role("button", name="More")).to_be_focused()
        editor.page.keyboard.press("Enter")
        expect(editor.page.get_by_role("link", name="History")).to_be_focused()
        editor.page.keyboard.press("Escape")
        expect(editor.page.get_by_role("button", name="More")).to_be_focused()
        editor.page.keyboard.press("Shift+Tab")
        editor.page.keyboard.press("Enter")
        expect(editor.preview()).to_be_visible()

    def test_nothing_of_a_note_is_cut_off(self):
        """editor, preview and history do not scroll sideways at 360 pixels, and at 1280 zoomed to 200 %"""
        body = HOSTILE + "unbroken" * 60 + "\n\n```\n" + "code" * 80 + "\n```\n"
        for width in (360, 640):
            user = NotesUser(self.instance)
            note = user.create("title" * 40, body, tags=["tag" * 20])
            one = self.person(application="notes", viewport={"width": width, "height": 720}, device_scale_factor=2)
            one.open(user.link())
            expect(one.page.locator(".account-name")).to_be_attached()
            editor = Editor(Notes(one, user), note).open()
            for place in ("text", "preview", "history"):
                if place == "preview":
                    one.page.get_by_role("button", name="Preview").click()
                    expect(editor.preview().get_by_role("table")).to_be_visible()
                elif place == "history":
                    editor.notes.go("notes", note, "history")
                    expect(one.page.get_by_text("Version 1 of 1")).to_be_visible()
                wide = one.page.evaluate(WIDE)
                self.assertEqual(wide, [], f"{width}, {place}")

    def test_axe_finds_nothing_in_the_editor(self):
        """axe finds nothing in the editor, its preview and a note in the trash, in light and dark"""
        more = "\n## More\n\n1. *one*\n2. **two**\n\n`code` ~~gone~~\n\n- [x] done\n  - [ ] nested\n"
        editor = self.editor(HOSTILE + more)
        found = find_faults(editor.page, "text", ".note")
        editor.page.keyboard.press("Control+Enter")
        expect(editor.preview()).to_be_visible()
        found += find_faults(editor.page, "preview", ".note")
        editor.user.act("deleteNote", id=editor.note)
        expect(editor.notice()).to_be_visible()
        found += find_faults(editor.page, "trash", ".note")
        self.assertEqual(found, [])


# Returns the elements wider than the page, except those inside a scroll container.
WIDE = """() => [...document.querySelectorAll(
    "#main, .note, .past, .note > *, .past > *, .note-preview > :not(pre, table)")]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => element.className || element.tagName)"""
