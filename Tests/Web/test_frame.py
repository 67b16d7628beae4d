"""Tests of the console's frame: sign-in, the environment's colours, a page without JavaScript."""

import re

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import look


class FrameTests(BrowserCase):
    def test_page_says_that_it_needs_javascript(self):
        """without JavaScript, the page says so and names alternatives"""
        page = self.person(java_script_enabled=False).open()
        expect(page.get_by_role("heading", name="Turn on JavaScript to use the console")).to_be_visible()
        # get_by_text does not search inside noscript.
        expect(page.locator("code").first).to_have_text(re.compile("almanac config"))

    def test_link_works_once(self):
        """a one-time link signs in once, and disappears from the address at once"""
        link = self.instance.link(["development"])
        one = self.person()
        page = one.open(link)
        expect(page.get_by_role("navigation", name="Main navigation")).to_be_visible()
        self.assertNotIn(link.split("=")[1], page.url)
        page.go_back()
        self.assertNotIn("#/open/", page.url)
        other = self.person()
        other.checks.allow("status of 4")
        page = other.open(link)
        refusal = "Couldn’t sign in to development with this link"
        expect(page.get_by_role("status").filter(has_text=refusal)).to_have_count(1)
        expect(page.get_by_role("heading", name="Sign in to development")).to_be_visible()

    def test_pasted_token_signs_in(self):
        """a pasted token signs in to the page in the address, and is not stored in the browser"""
        one = self.person()
        page = one.open("#/development/entries")
        token = self.instance.token("development")
        expect(page).to_have_title("development · Almanac")
        main = page.get_by_role("main")
        expect(main).to_contain_text("Almanac keeps the remote config and feature flags of your apps.")
        expect(main).to_contain_text("almanac invite development --name")
        page.get_by_label("API token").fill(token)
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("navigation", name="Main navigation")).to_be_visible()
        expect(page).to_have_title("Entries · development · Almanac")
        self.assertTrue(page.url.endswith("#/development/entries"), page.url)
        kept = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
        self.assertNotIn(token, kept)
        self.assertNotIn("almanac_", kept)
        self.assertNotIn(token, page.content())

    def test_wrong_tokens_are_explained(self):
        """a token of another environment and an invalid token are refused with a reason, and another can be tried"""
        one = self.person()
        one.checks.allow("status of 40[01]")
        page = one.open("#/development/entries")
        field = page.get_by_label("API token")
        alert = page.get_by_role("main").get_by_role("alert")
        for token, reason in (("almanac_staging_x", "This token is for staging"), ("x" * 300, "token"),
                              ("almanac_development_" + "x" * 43, "token"), ("<script>alert(1)</script>", "token")):
            field.fill(token)
            page.get_by_role("button", name="Sign in", exact=True).click()
            expect(alert).to_contain_text(reason)
        field.fill(self.instance.token("development"))
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("navigation", name="Main navigation")).to_be_visible()

    def test_caution_looks_unlike_the_rest(self):
        """an environment that needs caution is marked, and each environment has its own colour"""
        one = self.operator("development", "live")
        colours = set()
        for environment in ("development", "live"):
            page = one.open(f"#/{environment}/entries")
            expect(page.get_by_role("button", name=f"Environment: {environment}")).to_be_visible()
            colour = "() => getComputedStyle(document.documentElement).getPropertyValue('--environment')"
            colours.add(page.evaluate(colour))
        self.assertEqual(len(colours), 2, colours)
        page = one.open("#/")
        expect(page.get_by_text("Protected environment")).to_be_visible()

    def test_colour_that_is_none(self):
        """an invalid colour is refused in the environments file, and the page keeps the former one"""
        former = self.instance.environments_file()
        self.addCleanup(self.instance.reload, former)
        one = self.operator("development")
        # Each reload makes nginx close the old event streams ten seconds later.
        one.checks.allow(r"net::ERR_CONNECTION_CLOSED \(.*/events")
        page = one.page
        for colour in ("red", "#12345", "#1d7a46; background: url(https://evil.example)", "</style><script>", 7):
            changed = {**former, "development": {**former["development"], "console": {"color": colour}}}
            self.assertIn("color", self.instance.reload(changed), colour)
        page.reload()
        expect(page.get_by_role("navigation", name="Main navigation")).to_be_visible()
        kept = self.instance.must("GET", "/environments", token="development").json()
        self.assertEqual(
            {one["name"]: one["color"] for one in kept if one["name"] == "development"},
            {"development": former["development"]["console"]["color"]})

    def test_color_is_changed(self):
        """an administrator changes the colour and the caution of an environment, and returns to the server's"""
        page = self.operator("staging").page
        color = "() => getComputedStyle(document.documentElement).getPropertyValue('--environment')"
        former = page.evaluate(color)

        def change(button, run=lambda dialog: None):
            page.get_by_role("button", name="Environment: staging").click()
            page.get_by_role("button", name="Change color").click()
            dialog = page.get_by_role("dialog", name="Change the color of staging")
            run(dialog)
            dialog.get_by_role("button", name=button).click()
            notices = page.get_by_role("region", name="Notifications")
            expect(notices.get_by_text("Environment color changed")).to_be_visible()

        def fill(dialog):
            dialog.get_by_label("Color").fill("#b3261e")
            dialog.get_by_label("Ask twice").check()

        self.addCleanup(self.instance.must, "PUT", "/staging/appearance", {"color": None, "caution": None},
                        token="staging")
        change("Change color", fill)
        expect(page.locator("html.caution")).to_have_count(1)
        self.assertEqual(page.evaluate(color), "#b3261e")
        page.reload()
        expect(page.locator("html.caution")).to_have_count(1)
        self.assertEqual(page.evaluate(color), "#b3261e")
        change("Use server settings")
        expect(page.locator("html.caution")).to_have_count(0)
        self.assertEqual(page.evaluate(color), former)

    def test_german(self):
        """a browser set to German shows the page in German"""
        page = self.operator("development", locale="de-DE").page
        expect(page.get_by_role("navigation", name="Ansichten")).to_be_visible()
        self.assertEqual(page.evaluate("() => document.documentElement.lang"), "de")

    def test_notices_leave_the_draft_bar_free(self):
        """a notice covers no control of the draft bar, wide and narrow, and takes clicks at its buttons only"""
        self.instance.begin("development", {"some.text": "before"})
        for width in (1280, 360):
            one = self.operator("development", viewport={"width": width, "height": 720})
            console = Console(one, "development")
            console.open_entry("some.text")
            one.page.keyboard.press("Control+s")
            notice = one.page.get_by_role("region", name="Notifications")
            expect(notice).to_contain_text("There are no changes to release")
            console.value_field().fill("after")
            expect(console.review_button()).to_be_visible()
            self.assertEqual(one.page.evaluate(COVERED_BY_NOTICES), [], width)
            self.assertTrue(notice.get_by_text("There are no changes to release").evaluate(LETS_CLICKS_THROUGH), width)
            notice.get_by_role("button", name="Close").click()
            expect(notice.get_by_text("There are no changes to release")).to_have_count(0)

    def test_phone_leaves_room_for_the_form(self):
        """on a phone, the draft bar is one line, and notices are above the form, in both languages"""
        self.instance.begin("development", {"some.text": "before"})
        for locale, name in (("en-US", "Review changes"), ("de-DE", "Änderungen prüfen")):
            one = self.operator("development", viewport={"width": 390, "height": 720}, has_touch=True, locale=locale)
            console = Console(one, "development")
            console.open_entry("some.text")
            one.page.keyboard.press("Control+s")
            notice, form = one.page.locator(".notice-box"), console.value_field()
            expect(notice).to_be_visible()
            box = notice.bounding_box()
            self.assertLess(box["y"] + box["height"], form.bounding_box()["y"])
            form.fill("after")
            review = one.page.get_by_role("button", name=name)
            expect(review).to_be_visible()
            expect(one.page.get_by_role("status").filter(has_text="patch" if name[0] == "R" else "Patch")).to_be_visible()
            bar = one.page.locator(".draft-bar").bounding_box()
            # A button of 44 px, 8 px above and below it, and a hairline.
            self.assertLessEqual(bar["height"], 61)
            self.assertLess(review.evaluate("(one) => one.scrollWidth - one.clientWidth"), 1)

    def test_toolbars_are_one_line_on_a_tablet(self):
        """the button that adds an entry or a flag stands beside the filter at 768 px, and no menu leaves the page"""
        self.instance.begin_with_flags("development", {"some.flag": {
            "state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}})
        for locale, entry, flag in (("en-US", "New entry", "New flag"), ("de-DE", "Neuer Eintrag", "Neues Flag")):
            one = self.operator("development", viewport={"width": 768, "height": 1000}, locale=locale)
            console = Console(one, "development")
            for screen, name in (("entries", entry), ("flags", flag)):
                console.open_screen(screen)
                add = one.page.get_by_role("button", name=name)
                expect(add).to_be_visible()
                self.assertEqual(add.bounding_box()["y"], console.filter_box().bounding_box()["y"], name)
            console.open_screen("entries")
            one.page.locator("#filters").click()
            menu = one.page.locator(".menu:not([hidden])")
            expect(menu).to_be_visible()
            self.assertGreater(menu.bounding_box()["x"], 0)

    def test_navigation_fits(self):
        """the tabs fit at every width and in both languages; the menu beside them has all other screens"""
        for locale in ("en-US", "de-DE"):
            one = self.operator("development", locale=locale)
            page = one.page
            Console(one, "development").open_screen("health")
            tabs = page.locator(".tab-row")
            more = page.locator("#more-tabs")
            menu = page.locator(".tabs .menu")
            expect(more).to_have_attribute("aria-current", "true")
            for width, shown in ((390, 4), (768, 5), (1024, 5), (1440, 5)):
                page.set_viewport_size({"width": width, "height": 800})
                more.press("Enter")
                # The open screen has the focus.
                expect(menu.locator("[aria-current=page]")).to_be_focused()
                expect(menu.get_by_role("link")).to_have_count(12 - shown)
                expect(tabs.get_by_role("link")).to_have_count(shown)
                self.assertEqual(*tabs.evaluate("(tabs) => [tabs.scrollWidth, tabs.clientWidth]"))
                box = menu.bounding_box()
                self.assertGreaterEqual(box["x"], 0)
                self.assertLessEqual(box["x"] + box["width"], width)
                page.keyboard.press("Escape")
                expect(more).to_be_focused()

    def test_notices_are_as_high_as_their_content(self):
        """the notices are as high as their content, whatever height the browser gives to popovers"""
        page = self.operator("development").page
        # WebKit gives a positioned grid with its own rule for popovers the height of the window.
        page.evaluate("""() => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(':where([popover]) { height: 100vh }');
            document.adoptedStyleSheets = [sheet];
        }""")
        for _ in range(2):
            page.keyboard.press("Control+s")
        boxes = page.locator(".notice-box")
        expect(boxes).to_have_count(2)
        height = page.locator(".notices").bounding_box()["height"]
        gap = 8
        self.assertEqual(height, sum(box.bounding_box()["height"] for box in boxes.all()) + gap)
        self.assertLess(height, 200)

    def test_undo_stays_ten_seconds(self):
        """a notice with an action stays more than ten seconds, and others are gone by then"""
        self.instance.begin("development", {"some.text": "before"})
        one = self.operator("development")
        console = Console(one, "development")
        console.edit_text("some.text", "after")
        one.page.clock.install()
        one.page.get_by_role("button", name="Discard").click()
        one.page.keyboard.press("Control+s")
        redo, nothing = (one.page.locator(".notice-box").filter(has_text=text) for text in ("1 change", "no changes"))
        one.page.clock.run_for(10_000)
        expect(nothing).to_have_count(0)
        redo.get_by_role("button", name="Redo").click()
        expect(console.review_button()).to_be_visible()

    def test_arrows_stay_in_a_menus_select(self):
        """a menu focuses its first or current item; arrow keys choose in its select, and move between other items"""
        page = self.operator("development", "staging").page
        page.get_by_role("button", name="Environment: development").click()
        page.get_by_role("link", name="staging").click()
        page.get_by_role("button", name="Environment: staging").click()
        expect(page.get_by_role("link", name="staging")).to_be_focused()
        page.get_by_role("button", name="Account and settings").click()
        theme = page.get_by_role("combobox", name="Theme")
        expect(theme).to_be_focused()
        theme.press("ArrowDown")
        expect(theme).to_be_focused()
        expect(theme).to_have_value("light")
        theme.press("ArrowUp")
        expect(theme).to_have_value("system")
        page.get_by_role("button", name="Sign out").focus()
        page.keyboard.press("ArrowDown")
        expect(theme).to_be_focused()

    def test_back_closes_the_top_layer(self):
        """the Back button closes an open menu or dialog, which may ask, and leaves the address below as it is"""
        page = self.operator("development", viewport={"width": 390, "height": 720}).page
        page.evaluate("() => { location.hash = '#/development/flags'; }")
        for name in ("Account and settings", "New flag"):
            page.get_by_role("button", name=name).first.click()
            layer = page.locator("dialog[open], .menu:not([hidden])")
            expect(layer).to_have_count(1)
            page.go_back()
            expect(layer).to_have_count(0)
            self.assertTrue(page.url.endswith("#/development/flags"), page.url)
        page.get_by_role("button", name="New flag").first.click()
        page.get_by_label("Key", exact=True).fill("typed.key")
        page.go_back()
        question = page.get_by_role("dialog", name="Discard flag")
        expect(question).to_be_visible()
        page.go_back()
        expect(question).to_have_count(0)
        expect(page.get_by_label("Key", exact=True)).to_have_value("typed.key")
        page.keyboard.press("Escape")
        question.get_by_role("button", name="Discard flag").click()
        page.go_back()
        page.wait_for_url("**/#/development/entries")

    def test_heads_of_tables_stay(self):
        """the head of a table stays at the top while its rows scroll"""
        one = self.operator("development", viewport={"width": 1024, "height": 300})
        Console(one, "development").open_screen("tokens")
        table = one.page.get_by_role("table", name="Sessions")
        one.page.locator(".screen").evaluate("(screen) => { screen.style.paddingBottom = '60rem'; }")
        table.get_by_role("row").last.evaluate("(row) => row.scrollIntoView({ block: 'start' })")
        main = one.page.locator("main").bounding_box()
        self.assertEqual(table.get_by_role("columnheader").first.bounding_box()["y"], main["y"])

    def test_add_button_has_a_name_on_narrow_screens(self):
        """the button that adds an entry has a name where its text is hidden"""
        page = self.operator("development", viewport={"width": 360, "height": 720}).page
        expect(page.get_by_role("button", name="New entry").first).to_be_visible()

    def test_palette_has_a_visible_close_button(self):
        """the command palette's close button can be seen and pressed"""
        page = self.operator("development").page
        page.keyboard.press("Control+k")
        close = page.get_by_role("dialog", name="Command palette").get_by_role("button", name="Close")
        box = close.bounding_box()
        self.assertGreaterEqual(min(box["width"], box["height"]), 24)
        close.click(timeout=5000)
        expect(page.get_by_role("dialog")).to_have_count(0)

    def test_new_token_is_not_lost_by_escape(self):
        """the dialog with a new token asks before it closes, until the token has been copied"""
        one = self.operator("development")
        page = one.page
        Console(one, "development").open_screen("tokens")
        page.get_by_role("button", name="Create token").click()
        form = page.get_by_role("dialog", name="Create token")
        form.get_by_label("Label").fill("Build server")
        expect(form.get_by_label("Expires").get_by_role("option").first).to_have_text(re.compile("^Choose an expiration date"))
        form.get_by_label("Expires").select_option("30")
        form.get_by_role("button", name="Create token").click()
        created = page.get_by_role("dialog", name="Token created")
        token = created.get_by_label("Token", exact=True)
        expect(token).to_be_visible()
        expect(token).to_be_focused()
        expect(token).to_have_value(re.compile("almanac_"))
        self.assertEqual(look(page, "a new token"), [])
        expect(token).to_be_focused()
        question = page.get_by_role("dialog", name="Close without copying")
        for _ in range(2):
            page.keyboard.press("Escape")
            expect(question).to_be_visible()
            page.keyboard.press("Escape")
            expect(question).to_have_count(0)
            expect(token).to_be_focused()
        page.mouse.click(5, 5)
        question.get_by_role("button", name="Close", exact=True).click()
        created.get_by_role("button", name="Close").click()
        expect(question).to_be_visible()
        page.keyboard.press("Escape")
        token.press("Control+c")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)

    def test_screen_that_does_not_load(self):
        """a screen whose files can't be loaded is an error; trying again keeps the page in an outage, and reloads it
        after that, as a new version needs"""
        one = self.person()
        one.context.add_init_script("window.requestIdleCallback = () => {};")
        console = Console(one.sign_in("development"), "development")
        console.await_screen()
        one.checks.allow(r"net::ERR_|Failed to fetch|status of 404")
        one.page.evaluate("() => { window.isFirstPage = true; }")
        one.page.route("**/parts/*", lambda route: route.fulfill(status=404, body=""))
        one.page.route(f"{one.origin}/", lambda route: route.abort())
        alert = one.page.get_by_role("main").get_by_role("alert")
        for screen in ("flags", "compare", "transfer"):
            console.go(screen)
            expect(alert).to_contain_text("This page couldn’t be loaded. Your changes are safe. Try again.")
        with one.page.expect_event("requestfailed", lambda request: request.method == "HEAD"):
            alert.get_by_role("button", name="Try again").click()
        expect(alert).to_be_visible()
        self.assertTrue(one.page.evaluate("() => window.isFirstPage"))
        one.page.keyboard.press("Control+k")
        notice = one.page.get_by_role("region", name="Notifications").get_by_text("This page couldn’t be loaded.")
        expect(notice).to_be_visible()
        one.page.unroute_all()
        alert.get_by_role("button", name="Try again").click()
        expect(one.page.get_by_role("heading", name="Import & export")).to_be_visible()
        self.assertFalse(one.page.evaluate("() => 'isFirstPage' in window"))

    def test_screen_is_loaded_beside_the_session(self):
        """the files of the screen in the address are requested before the answer about the session is there"""
        one = self.person()
        one.context.add_init_script("window.requestIdleCallback = () => {};")
        console = Console(one.sign_in("development"), "development")
        console.await_screen()
        held = []
        one.page.route("**/environments", lambda route: held.append(route))
        one.page.evaluate("() => history.replaceState(null, '', '#/development/health')")
        with one.page.expect_request("**/parts/administration-part-*"):
            one.page.reload()
        for route in held:
            route.continue_()
        one.page.unroute_all()
        expect(one.page.get_by_role("heading", level=1, name="Health")).to_be_visible()

    def test_screens_are_loaded_before_they_are_needed(self):
        """an idle page loads all screens in its language, so that they open although their files are gone by then"""
        one = self.operator("development", locale="de-DE")
        console = Console(one, "development")
        console.await_parts("flags.de", "releases.de", "administration.de")
        one.page.route("**/parts/*", lambda route: route.abort())
        for screen, heading in (("flags", "Flags"), ("compare", "Vergleich"), ("transfer", "Import & Export")):
            console.go(screen)
            expect(one.page.get_by_role("heading", level=1, name=heading)).to_be_visible()

    def test_dialogs_are_cancelled(self):
        """a dialog that asks has Cancel, which changes nothing, and the main action after it with the title's words"""
        self.instance.begin("development", {"shop.title": "Marigold"})
        one = self.operator("development")
        page = one.page
        console = Console(one, "development")
        console.open_screen("tokens")
        rows = page.get_by_role("table", name="API tokens").get_by_role("row")
        expect(rows).not_to_have_count(0)
        count = rows.count()
        row = rows.filter(has=page.get_by_role("button", name="Revoke")).first
        for opener, name, action in (
                (row.get_by_role("button", name="Rotate"), "Rotate token", "Rotate token"),
                (row.get_by_role("button", name="Revoke"), "Revoke token", "Revoke token"),
                (page.get_by_role("button", name="Create token"), "Create token", "Create token")):
            opener.click()
            dialog = page.get_by_role("dialog", name=name)
            expect(dialog.locator("footer").get_by_role("button")).to_have_text(["curl", "Cancel", action])
            self.assertEqual(look(page, name, "dialog"), [])
            dialog.get_by_role("button", name="Cancel").click()
            expect(page.get_by_role("dialog")).to_have_count(0)
        expect(rows).to_have_count(count)
        console.edit_text("shop.title", "Marigold & Co.")
        review = console.review()
        expect(review.locator("footer").get_by_role("button")).to_have_text(
            ["curl", "Cancel", "Request review", re.compile("^Release ")])
        self.assertEqual(look(page, "review", "dialog"), [])
        review.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_role("button", name="1 change")).to_be_visible()
        self.assertEqual(self.instance.config("development"), {"shop.title": "Marigold"})


COVERED_BY_NOTICES = """
async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    const boxes = [...document.querySelectorAll('.notice-box')].map((one) => one.getBoundingClientRect());
    if (boxes.length === 0) throw new Error('no notice');
    return [...document.querySelectorAll('.draft-bar button')].filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return boxes.some((box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top);
    }).map((one) => one.textContent);
}
"""
LETS_CLICKS_THROUGH = """
(one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return !document.elementFromPoint(left + width / 2, top + height / 2).closest('.notices');
}
"""
