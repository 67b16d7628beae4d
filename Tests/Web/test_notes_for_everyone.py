"""Accessibility tests of the notes' frame: contrast, keyboard, small screens, both text directions."""

from playwright.sync_api import expect

from support.case import BrowserCase
from support.look import find_faults
from support.notes import Notes, NotesUser


class NotesForEveryoneTests(BrowserCase):
    def notes(self, **options):
        user = NotesUser(self.instance)
        user.create("A list", "- [ ] milk\n- [x] bread", tags=["home", "a tag of some length that goes on"])
        user.create("رسالة", "مرحبا بالعالم", pinned=True)
        user.create("unbroken" * 30, "unbroken" * 200)
        return Notes(self.person(application="notes", **options), user)

    def visit_places(self, notes):
        """Opens each place of the frame; yields its name."""
        page = notes.page
        notes.person.checks.allow("status of 401")
        notes.person.open("#/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        yield "choice of environments"
        notes.go()
        expect(page.get_by_label("Access token")).to_be_visible()
        yield "sign-in"
        notes.paste_token(page)
        notes.await_panes()
        notes.await_server()
        yield "list"
        size = page.viewport_size
        page.set_viewport_size({**size, "width": 360})
        page.locator("#places").click()
        expect(notes.account()).to_be_visible()
        yield "sidebar"
        page.locator("#places").click()
        page.set_viewport_size(size)
        notes.go("settings")
        expect(page.get_by_role("heading", name="Settings")).to_be_visible()
        expect(page.get_by_text("Signed in until")).to_be_visible()
        yield "settings"
        for name in ("Sync status", "Keyboard shortcuts", "Sign out…"):
            page.get_by_role("main").get_by_role("button", name=name).click()
            dialog = page.get_by_role("dialog")
            expect(dialog).to_be_visible()
            for summary in dialog.locator("summary").all():
                summary.click()
            yield f"dialog {name}"
            page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
        notes.go("new", query="?title=Pelmeni&url=https%3A%2F%2Fexample.com%2F" + "pelmeni" * 30)
        expect(notes.question()).to_be_visible()
        yield "words from elsewhere"
        page.keyboard.press("Escape")
        expect(notes.question()).to_have_count(0)
        notes.user.end_sessions()
        notes.write("Written while signed out")
        bar = notes.bar("You’re signed out")
        expect(bar).to_be_visible()
        yield "signed out"
        bar.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("dialog").get_by_label("Access token")).to_be_visible()
        yield "sign-in over the notes"
        page.keyboard.press("Escape")
        notes.go("nowhere")
        expect(page.get_by_text("Page not found")).to_have_count(1)
        yield "nowhere"

    def test_axe_finds_nothing_in_notes(self):
        """axe finds nothing in the notes' frame, in light and dark, and no screen has faults at any width"""
        notes = self.notes(viewport={"width": 1280, "height": 780})
        found = [fault for place in self.visit_places(notes) for fault in find_faults(notes.page, place)]
        self.assertEqual("\n".join(found), "")

    def test_nothing_of_notes_is_cut_off(self):
        """nothing scrolls sideways from right to left"""
        cut_off = []
        for width in (360, 1280):
            notes = self.notes(viewport={"width": width, "height": 720}, device_scale_factor=2)
            notes.page.add_init_script(
                "addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl'; })")
            for place in self.visit_places(notes):
                for wide in notes.page.evaluate(WIDE):
                    cut_off.append(f"{width}, {place}: {wide}")
        self.assertEqual(cut_off, [])

    def test_narrow_screens_show_one_pane(self):
        """a narrow screen shows one pane at a time, with a way back from each, and a new note within the thumb's reach"""
        notes = self.notes(viewport={"width": 360, "height": 720}).sign_in()
        page = notes.page
        side, middle, main = page.locator(".side"), page.locator(".middle"), page.get_by_role("main")
        expect(middle).to_be_visible()
        expect(side.or_(page.locator("#main")).locator("visible=true")).to_have_count(0)
        self.assertGreater(page.get_by_role("button", name="New note").bounding_box()["y"], 600)
        edges = [page.locator(part).evaluate(TEXT_EDGE)
                 for part in (".note-list-title", ".note-row-title:has-text('A list')")]
        self.assertEqual(edges[0], edges[1])
        page.get_by_role("button", name="Menu").click()
        expect(side).to_be_visible()
        expect(middle).to_be_hidden()
        notes.account().click()
        expect(main.get_by_role("heading", name="Settings")).to_be_visible()
        expect(side.or_(middle).locator("visible=true")).to_have_count(0)
        page.get_by_role("link", name="Back").click()
        expect(middle).to_be_visible()
        expect(page.locator("#main")).to_be_hidden()
        notes.go("nowhere")
        expect(page.get_by_text("Page not found")).to_be_visible()
        page.get_by_role("link", name="Back").click()
        page.locator(".note-row").first.click()
        expect(page.locator(".note-title")).to_be_visible()
        # One bar has the way back and the tools of the note, and the note is as wide as the window.
        back, tools, note = (page.locator(part).bounding_box() for part in ("#back", ".note-bar", ".note"))
        self.assertEqual(back["y"] + back["height"] / 2, tools["y"] + tools["height"] / 2)
        self.assertLessEqual(back["x"] + back["width"], tools["x"])
        self.assertEqual((note["x"], note["width"]), (0, 360))

    def test_back_closes_panels(self):
        """the browser's Back closes a dialog, a menu or the sidebar, and never leaves the page from one"""
        notes = self.notes(viewport={"width": 360, "height": 720}).sign_in()
        address = notes.page.url
        page = notes.person.context.new_page()
        page.goto(address)
        side, dialog = page.locator(".side"), page.get_by_role("dialog")
        page.get_by_role("button", name="Menu").click()
        expect(side).to_be_visible()
        page.get_by_role("button", name="Keyboard shortcuts").click()
        expect(dialog).to_be_visible()
        page.go_back()
        expect(dialog).to_have_count(0)
        expect(side).to_be_visible()
        page.go_back()
        expect(side).to_be_hidden()
        expect(page.locator(".middle")).to_be_visible()
        self.assertEqual(page.url, address)
        page.locator(".note-row").first.click()
        menu = page.locator(".note-bar .menu")
        for end in (page.go_back, lambda: page.keyboard.press("Escape")):
            page.get_by_role("button", name="More").click()
            expect(menu).to_be_visible()
            end()
            expect(menu).to_be_hidden()
        # No panel is open, so Back leads to the list.
        page.go_back()
        expect(page.locator(".middle")).to_be_visible()
        self.assertEqual(page.url, address)

    def test_journey_through_notes_by_keys(self):
        """a user signs in, opens the status and the settings, and signs out by keyboard alone"""
        notes = self.notes()
        notes.person.checks.allow("status of 401")
        page = notes.person.open("#/development")
        expect(page.get_by_label("Access token")).to_be_focused()
        page.keyboard.insert_text(notes.user.token)
        page.keyboard.press("Enter")
        notes.await_panes()
        notes.await_server()
        self.tab_to(page, notes.status())
        page.keyboard.press("Enter")
        expect(notes.dialog("Sync status")).to_be_visible()
        page.keyboard.press("Escape")
        expect(notes.status()).to_be_focused()
        self.tab_to(page, page.locator(".account-link"))
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Settings")).to_be_visible()
        self.tab_to(page, page.get_by_role("button", name="Sign out…"))
        page.keyboard.press("Enter")
        self.tab_to(page, page.get_by_role("button", name="Sign out and keep notes"))
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Sign in to development")).to_be_visible()

    def tab_to(self, page, target):
        """Presses Tab until the target has the focus; each stop must be visible."""
        expect(target).to_be_visible()
        for _ in range(60):
            if target.evaluate("(one) => one === document.activeElement"):
                return
            page.keyboard.press("Tab")
            self.assertTrue(page.evaluate(FOCUS_IS_SEEN), page.evaluate("() => document.activeElement.outerHTML"))
        self.fail("Tab does not lead there")


# Returns the elements that scroll sideways.
WIDE = """
() => [document.scrollingElement,
    ...document.querySelectorAll('.side, .middle, #main, .bars, .top, dialog, .dialog-body')]
    .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.tagName}.${one.className}: ${one.scrollWidth} of ${one.clientWidth}`)
"""

# Returns the left edge of an element's text.
TEXT_EDGE = """
(element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().left;
}
"""

FOCUS_IS_SEEN = """
() => {
    const one = document.activeElement;
    if (one === document.body) return true;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    const isOutlined = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
    return box.width > 0 && (isOutlined || boxShadow !== 'none');
}
"""
