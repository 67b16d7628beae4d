"""Accessibility tests of the console: contrast, keyboard, small and zoomed screens, reduced motion."""

from playwright.sync_api import expect

from support import hostile
from support.case import BrowserCase
from support.console import Console
from support.look import find_faults
from support.marigold import make_flags, make_releases

# The longest animation that does not count as motion, in milliseconds.
STILL = 1


class ForEveryoneTests(BrowserCase):
    # A failure names all faults.
    maxDiff = None

    def furnish(self):
        make_releases(self.instance, "development")
        make_releases(self.instance, "staging", 6)
        make_flags(self.instance, "development")

    def test_screens_have_no_faults(self):
        """axe finds nothing on any screen, and nothing is empty, hidden or cut off at any width"""
        self.furnish()
        self.instance.release("development", {
            "long." + "x" * 120: "unbroken" * 60, "wide.list": ["unbroken" * 40] * 3, **hostile.STRANGE})
        found = []
        one = self.operator("development", "staging")
        console = Console(one, "development")
        for place in console.visit_places():
            found += find_faults(one.page, place)
        console.open_entry("long." + "x" * 120)
        found += find_faults(one.page, "a long key")
        stranger = self.person()
        stranger.checks.allow("status of 401")
        page = stranger.open("#/live/entries")
        for address in ("#/live/entries", "#/", "#/nowhere/entries", "#/live/sign-in?problem=provider-away"):
            page.evaluate("(address) => { location.hash = address; }", address)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            found += find_faults(page, address)
        self.assertEqual(found, [])

    def test_no_motion_for_those_who_asked_for_none(self):
        """nothing moves with reduced motion"""
        self.furnish()
        one = self.operator("development", "staging", reduced_motion="reduce")
        one.page.add_init_script(MOTION)
        one.page.reload()
        console = Console(one, "development")
        for _ in console.visit_places():
            pass
        moved = one.page.evaluate("() => window.moved")
        self.assertLessEqual(max(moved, default=0), STILL, moved)

    def test_right_to_left_texts_keep_their_direction(self):
        """right-to-left texts keep their direction, and characters that reorder or control text are made visible"""
        self.instance.begin("development", hostile.STRANGE)
        console = Console(self.operator("development"), "development")
        for key, direction in (("strange.arabic", "rtl"), ("strange.hebrew", "rtl"), ("strange.emoji", "ltr")):
            console.open_entry(key)
            field = console.value_field()
            expect(field).to_have_value(hostile.STRANGE[key])
            self.assertEqual(field.evaluate("(field) => getComputedStyle(field).direction"), direction)
        for key, shown in (("strange.override", "U+202E"), ("strange.isolate", "U+2066"), ("strange.bell", "␇")):
            expect(console.row(key)).to_contain_text(shown)

    def test_journey_by_the_keyboard_alone(self):
        """a user signs in and saves a release by keyboard alone, and every step has a visible focus"""
        self.instance.begin("development", {"keys.only": "before", "other": 1})
        one = self.person()
        page = one.open("#/development/entries")
        expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_focused()
        self.tab_to(page, page.get_by_label("API token"))
        page.keyboard.insert_text(self.instance.token("development"))
        page.keyboard.press("Enter")
        console = Console(one, "development")
        console.await_screen()
        self.tab_to(page, console.filter_box())
        page.keyboard.type("keys.only")
        console.enter_first_row_by_keys()
        self.tab_to(page, console.value_field())
        page.keyboard.press("Control+a")
        page.keyboard.type("by keys alone")
        self.tab_to(page, console.review_button())
        page.keyboard.press("Enter")
        message = console.message_field()
        self.tab_to(page, message)
        page.keyboard.type("Typed")
        self.tab_to(page, console.save_button())
        page.keyboard.press("Enter")
        console.await_saved()
        self.assertEqual(self.instance.config("development")["keys.only"], "by keys alone")

    def tab_to(self, page, target):
        """Presses Tab until the target has the focus; each stop must be visible."""
        expect(target).to_be_visible()
        for _ in range(60):
            if target.evaluate("(one) => one === document.activeElement"):
                self.assertTrue(page.evaluate(FOCUS_IS_SEEN), "the focus cannot be seen")
                return
            page.keyboard.press("Tab")
        self.fail(f"60 presses of Tab do not reach {target}")


MOTION = """
window.moved = [];
const note = (event) => {
    for (const one of document.getAnimations()) {
        // A placeholder is hidden for a moment and then appears, without moving.
        if (one.animationName !== 'wait') window.moved.push(one.effect.getComputedTiming().activeDuration);
    }
};
addEventListener('animationstart', note, true);
addEventListener('transitionrun', note, true);
"""
FOCUS_IS_SEEN = """
() => {
    const one = document.activeElement;
    const style = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    const ring = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
    return ring && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
}
"""
