"""Journeys through the console in Firefox and WebKitGTK."""

from driver import firefox, webkit
from engine_case import EngineCase

ON = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "on"}
DARKNESS = """
const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
return red + green + blue < 200;
"""


class ConsoleJourneys:
    def start(self, entries=None, flags=None):
        self.instance.begin("staging", {"shop.open": False, "shop.hours": "9–18"})
        self.instance.begin_with_flags("development", flags or {})
        self.instance.release("development", {"shop.open": True, "shop.hours": "9–18", **(entries or {})})
        self.open("console", self.instance.link(["development", "staging"]))

    def go(self, *path):
        self.page.go("#/development/" + "/".join(path))

    def dialog(self, name=None):
        return self.page.role("dialog", name)

    def test_entry_is_edited_and_released(self):
        """an entry is found, edited by keys and released; the notice covers no control beside it"""
        self.start()
        page = self.page
        page.role("searchbox").click()
        page.type("hours")
        row = page.css("#entries .rows [role=row]")
        row.await_count(1)
        row.click()
        page.role("heading", "shop.hours", exact=True).await_shown()
        page.css("#value").write("10–20 Zoë 🥛")
        page.role("button", "Review changes").click()
        release = self.dialog().role("button", "Release")
        release.await_enabled()
        page.role("textbox", "Message").write("Longer hours")
        release.click()
        self.dialog().await_gone()
        notice = page.css(".notice-box").await_shown()
        self.assertEqual(self.instance.config("development")["shop.hours"], "10–20 Zoë 🥛")
        self.assertEqual(self.instance.releases("development")[0]["message"], "Longer hours")
        # A notice was as high as the window in WebKit; the engine refuses a click on a covered control.
        page.role("button", "More actions").click()
        page.role("button", "Show all environments").await_shown()
        page.press("Escape")
        page.role("button", "Remove", exact=True).click()
        page.role("button", "Discard").await_shown()
        self.assertGreater(notice.count(), 0, "the notice ended before the clicks")
        self.assertLess(page.css(".notices").run("return arguments[0].offsetHeight"), 200)

    def test_flag_is_switched_off_and_on(self):
        """a switch turns a flag off for every app, and on again"""
        self.start(flags={"checkout.new": ON})
        self.go("flags")
        self.page.role("link", "checkout.new").click()
        self.page.role("button", "Turn off now").click()
        self.page.role("button", "Turn on now").await_shown()
        self.assertEqual(self.instance.evaluate("development", "checkout.new", {})["reason"], "DISABLED")
        self.page.role("button", "Turn on now").click()
        self.page.role("button", "Turn off now").await_shown()
        self.assertEqual(self.instance.evaluate("development", "checkout.new", {})["value"], True)

    def test_environments_are_compared(self):
        """a comparison shows the differences of two environments, and promotes a selected one"""
        self.start({"shop.new": 1})
        self.page.go("#/staging/compare/development")
        self.page.role("checkbox", "shop.open, ").click()
        promote = self.page.role("button", "Promote as")
        promote.await_enabled()
        promote.click()
        self.page.until(lambda: self.instance.config("staging") == {"shop.open": True, "shop.hours": "9–18"},
                        lambda: f"staging has {self.instance.config('staging')}")

    def test_new_token_is_shown_once(self):
        """the dialog with a new token shows it in a focused field, and asks before it closes"""
        self.start()
        self.go("tokens")
        self.page.role("button", "Create token").click()
        form = self.dialog("Create token")
        form.role("textbox", "Label").write("Build server")
        form.role("combobox", "Expires").choose("30")
        form.role("button", "Create token").click()
        token = self.dialog("Token created").role("textbox", "Token", exact=True)
        token.await_focus()
        self.assertRegex(token.value(), "^almanac_")
        self.assertGreater(token.run("return arguments[0].clientWidth"), 200)
        self.page.press("Escape")
        self.dialog("Close without copying").await_shown()
        self.page.press("Escape")
        self.dialog("Close without copying").await_gone()
        token.await_focus()
        self.assertEqual(self.instance.call("GET", "/development/config", token=token.value()).status, 200)

    def test_menus_by_keys(self):
        """the keyboard opens a menu, moves in it, closes it and returns to its button; the palette opens a screen"""
        self.start()
        opener = self.page.css("#environment")
        opener.run("arguments[0].focus()")
        self.page.press("Enter")
        items = self.page.css(".menu a")
        items.await_shown()
        self.page.press("ArrowDown")
        focused = self.page.css(".menu :focus").await_shown()
        first = focused.text()
        self.page.press("ArrowDown")
        self.page.until(lambda: focused.text() != first, lambda: f"the focus stays on {first!r}")
        self.page.press("Escape")
        items.await_gone()
        opener.await_focus()
        self.page.press("Control+k")
        self.dialog("Command palette").await_shown()
        self.page.type("releases")
        self.page.press("Enter")
        self.dialog().await_gone()
        self.page.role("heading", "Releases").await_shown()

    def test_dark_theme(self):
        """the dark theme is chosen in the account menu, and stays after a reload"""
        self.start()
        self.page.role("button", "Account and settings").click()
        self.page.role("combobox", "Theme").choose("dark")
        self.page.until(lambda: self.page.run(DARKNESS), lambda: "the page is not dark")
        self.page.reload()
        self.page.role("navigation").await_shown()
        self.assertTrue(self.page.run(DARKNESS))


class ConsoleInFirefox(ConsoleJourneys, EngineCase):
    start_engine = staticmethod(firefox)


class ConsoleInWebKit(ConsoleJourneys, EngineCase):
    start_engine = staticmethod(webkit)
