"""Tests of releases outside the list of entries, and of concurrent releases."""

import json
import re
import tempfile

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import look

# The length and the number of values, whose sum exceeds the page's limit, so that the server searches them.
LONG = 250_000
MANY = 72

# Returns the height of the baseline of each part of an element.
BASELINES = """(element) => [...element.children].map((part) => {
    const mark = document.createElement("i");
    mark.style.display = "inline-block";
    part.append(mark);
    const { bottom } = mark.getBoundingClientRect();
    mark.remove();
    return bottom;
})"""


class ReleaseTests(BrowserCase):
    def before_the_save(self, page, release):
        """Makes another user's release after the forecast and before the next save."""
        left = [release]

        def meanwhile(route):
            if left and route.request.method == "PATCH" and "dry_run" not in route.request.url:
                self.instance.release("development", left.pop(), "Somebody else was faster")
            route.continue_()
        page.route("**/config?*", meanwhile)

    def test_releases_are_listed_at_every_width(self):
        """the releases are visible from 360 to 1,440 px, also where the navigation has a row of its own"""
        self.instance.begin("development", {"mine": "before"})
        self.instance.release("development", {"mine": "after"}, "A release to find")
        for width in (360, 900, 960, 1024, 1440):
            one = self.operator("development", viewport={"width": width, "height": 800})
            Console(one, "development").go("releases")
            expect(one.page.get_by_text("A release to find").first).to_be_in_viewport()

    def test_newest_release_is_not_loaded_beside_a_hidden_place(self):
        """on a phone the list loads no release; a wide window shows the latest one beside the list, also after a turn"""
        self.instance.begin("development", {"mine": "before"})
        self.instance.release("development", {"mine": "after"}, "A release to find")
        revision = self.instance.releases("development")[0]["revision"]
        one = self.operator("development", viewport={"width": 390, "height": 720})
        loaded = []
        one.page.on("request", lambda request: loaded.append(request.url))
        Console(one, "development").open_screen("releases")
        row = one.page.get_by_role("link").filter(has_text="A release to find")
        expect(row).to_be_visible()
        self.assertIsNone(row.get_attribute("aria-current"))
        self.assertEqual([url for url in loaded if url.endswith(f"/releases/{revision}")], [])
        one.page.set_viewport_size({"width": 1024, "height": 720})
        expect(one.page.get_by_role("link", name="Undo this release")).to_be_visible()
        expect(row).to_have_attribute("aria-current", "true")
        one.page.set_viewport_size({"width": 390, "height": 720})
        expect(row).not_to_have_attribute("aria-current", "true")
        expect(row).to_be_visible()

    def test_empty_lists_say_why(self):
        """releases and audit lines that a filter excludes have a button that clears it; without a release, another text"""
        self.instance.begin("development", {"mine": "before"})
        one = self.operator("development")
        console = Console(one, "development")
        for screen, reason in (("releases", "No releases match."), ("audit", "No matches.")):
            console.go(screen, query="?author=nobody")
            expect(one.page.get_by_text(reason)).to_be_visible()
            one.page.get_by_role("button", name="Clear filter").click()
            expect(one.page.get_by_text(reason)).to_have_count(0)
            expect(one.page.get_by_label("Author")).to_have_value("")
            one.page.wait_for_url(f"**/{screen}")
            expect(one.page.get_by_role("main").get_by_text("Operator").first).to_be_visible()
        one.page.route("**/releases?*", lambda route: route.fulfill(json=[]))
        console.go("releases")
        expect(one.page.get_by_text("No releases yet.")).to_be_visible()
        self.assertEqual(look(one.page, "no releases"), [])
        expect(one.page.get_by_role("button", name="Clear filter")).to_have_count(0)

    def test_audit_log_has_exports_and_erasures_of_accounts(self):
        """an operator's export and erasure of an account are in the audit log, and details stand on one baseline"""
        self.instance.begin("development", {})
        token = self.instance.almanac("token", "user", "development", "--sub", "leaving").strip()
        note = ["createNote", {"action_id": "1", "id": "leaving", "body": ""}]
        self.instance.must("POST", "/development/notes", [note], headers={"Authorization": f"Bearer {token}"})
        user = ("development", "--issuer", "urn:almanac:development:development", "--subject", "leaving")
        with tempfile.TemporaryDirectory() as folder:
            self.instance.almanac("account", "export", *user, "--output", f"{folder}/account.json")
        self.instance.almanac("account", "erase", *user, "--yes")
        one = self.operator("development")
        Console(one, "development").go("audit")
        lines = one.page.locator(".audit-line")
        for action in ("Exported an account", "Deleted an account"):
            line = lines.filter(has_text=action).first
            expect(line).to_have_text(re.compile(f"^.+: {action} · .+[0-9a-f]{{8}}$"))
        version = lines.filter(has_text="Released changes").locator(".pair").filter(has_text="version").first
        self.assertEqual(len({round(bottom) for bottom in version.evaluate(BASELINES)}), 1)

    def test_change_of_a_description_alone(self):
        """a difference of descriptions alone is called so in the list of differences, which shows the values else"""
        for environment in ("development", "staging"):
            self.instance.begin(environment, {"told": 1, "valued": 1})
        self.instance.release("development", {"valued": 2})
        self.instance.must("PATCH", "/development/config?replace=true&form=entries",
                           {"told": {"description": "What it is for"}}, token="development")
        console = Console(self.operator("development", "staging"), "development")
        console.go("compare", "staging")
        lines = console.page.get_by_role("list", name="Differences").get_by_role("listitem")
        expect(lines.filter(has_text="told")).to_contain_text("Description changed.")
        expect(lines.filter(has_text="valued")).to_contain_text("2→1")

    def test_save_on_top_of_a_release_that_came_after_the_forecast(self):
        """a save refused because of a newer release reports it, and succeeds on top of that release"""
        self.instance.begin("development", {"mine": "before", "theirs": "before"})
        one = self.operator("development")
        one.checks.allow("status of 412")
        console = Console(one, "development")
        console.edit_text("mine", "by Mara")
        dialog = console.review()
        self.before_the_save(one.page, {"theirs": "by Jonas"})
        console.message_field().fill("Mine")
        console.save_button().click()
        expect(dialog.get_by_role("alert")).to_contain_text("Your draft now builds on it")
        self.assertEqual(self.instance.config("development"), {"mine": "before", "theirs": "by Jonas"})
        expect(console.message_field()).to_have_value("Mine")
        expect(console.save_button()).to_be_enabled()
        console.save_button().click()
        console.await_saved()
        self.assertEqual(self.instance.config("development"), {"mine": "by Mara", "theirs": "by Jonas"})
        self.assertEqual(self.instance.releases("development")[0]["message"], "Mine")

    def test_save_against_a_release_of_the_same_key_that_came_after_the_forecast(self):
        """a save of a key that another user released after the forecast waits until the conflict is resolved"""
        self.instance.begin("development", {"shared.text": "before", "other": 1})
        one = self.operator("development")
        one.checks.allow("status of 412")
        console = Console(one, "development")
        console.edit_text("shared.text", "by Mara")
        dialog = console.review()
        self.before_the_save(one.page, {"shared.text": "by Jonas"})
        console.save_button().click()
        expect(dialog.get_by_role("alert")).to_contain_text("changed 1 of your entries")
        expect(console.save_button()).to_be_disabled()
        one.page.keyboard.press("Escape")
        self.assertEqual(self.instance.config("development")["shared.text"], "by Jonas")
        expect(console.three_ways("shared.text")).to_contain_text("by Jonas")
        console.keep_mine()
        console.review()
        console.save("Mine after all")
        self.assertEqual(self.instance.config("development")["shared.text"], "by Mara")

    def test_promotion_on_top_of_a_release_that_came_after_the_forecast(self):
        """a promotion refused because of a newer release keeps the selected lines that are unchanged"""
        self.instance.begin("staging", {"one": 1, "two": 2})
        self.instance.begin("development", {"one": 0, "two": 0})
        one = self.operator("development", "staging")
        one.checks.allow("status of 412")
        console = Console(one, "development")
        console.go("compare", "staging")
        promote = one.page.get_by_role("button", name=re.compile(r"Promote as \d"))
        one.page.get_by_role("checkbox", name="one, ").check()
        expect(promote).to_be_enabled()
        # A selected line without a forecast disables the button at once.
        choose = "(box) => { box.click(); return document.querySelector('.plan [type=submit]').disabled; }"
        self.assertTrue(one.page.get_by_role("checkbox", name="two, ").evaluate(choose))
        expect(promote).to_be_enabled()
        self.before_the_save(one.page, {"two": 7})
        promote.click()
        moved = one.page.get_by_role("status").filter(has_text="1 updated change deselected: ")
        expect(moved).to_have_count(1)
        self.assertEqual(self.instance.config("development"), {"one": 0, "two": 7})
        expect(one.page.get_by_role("checkbox", name="two, ")).not_to_be_checked()
        expect(promote).to_be_enabled()
        promote.click()
        expect(one.page.get_by_role("status").filter(has_text=" is now at ")).to_have_count(1)
        self.assertEqual(self.instance.config("development"), {"one": 1, "two": 7})

    def test_undo_proposes_a_message(self):
        """the undo of a release proposes a message with its version, and with its message if it has one"""
        self.instance.begin("development", {"shop.open": True, "shop.hours": "9–18"})
        self.instance.release("development", {"shop.hours": "9–20"}, "Longer hours in December")
        self.instance.release("development", {"shop.open": False}, "")
        closing, longer = self.instance.releases("development")[:2]
        console = Console(self.operator("development"), "development")
        message = console.page.get_by_role("form", name="Impact").get_by_label("Message")
        console.go("releases", closing["revision"], "undo")
        expect(message).to_have_value(f"Undo {closing['version']}")
        console.go("releases", longer["revision"], "undo")
        expect(message).to_have_value(f"Undo {longer['version']}: Longer hours in December")

    def test_import_is_released(self):
        """an import is previewed, and releases exactly its content when confirmed"""
        self.instance.begin("development", {"kept": "as it was", "changed": 1})
        one = self.operator("development")
        console = Console(one, "development")
        console.open_screen("transfer")
        content = json.dumps({"changed": 2, "new.text": "from the file"})
        one.page.get_by_role("textbox", name="JSON").fill(content)
        form = one.page.get_by_role("form", name="Impact")
        button = form.get_by_role("button", name=re.compile(r"Import as \d"))
        expect(button).to_be_enabled()
        self.assertEqual(self.instance.config("development"), {"kept": "as it was", "changed": 1})
        form.get_by_label("Message").fill("From a file")
        button.click()
        expect(one.page.get_by_role("status").filter(has_text=" is now at ")).to_have_count(1)
        self.assertEqual(
            self.instance.config("development"), {"kept": "as it was", "changed": 2, "new.text": "from the file"})
        newest = self.instance.releases("development")[0]
        self.assertEqual((newest["message"], sorted(newest["keys"])), ("From a file", ["changed", "new.text"]))
        expect(one.page.get_by_role("textbox", name="JSON")).to_have_value("")

    def test_major_is_retired(self):
        """a major is retired after a list of its lost values, and builds pinned to it get no config any more"""
        # A new key is seen by all earlier majors. They cannot take its text.
        self.instance.begin("development", {"stays": 1, "goes": 5})
        self.instance.release("development", {"goes": "with the major"})
        major = int(self.version("development").split(".", maxsplit=1)[0])
        self.instance.release("development", {"goes": None})
        self.assertEqual(self.version("development"), f"{major + 1}.0.0")
        one = self.operator("development")
        console = Console(one, "development")
        console.open_screen("majors")
        # The other tests' environment has more keys that differ between majors than the list shows at once.
        one.page.locator(".majors-screen").get_by_role("searchbox").fill("goes")
        values = one.page.get_by_role("list", name="Values by major version").get_by_role("listitem")
        expect(values.filter(has_text="goes").filter(has_text="with the major")).to_be_visible()
        card = one.page.get_by_role("listitem").filter(has=one.page.get_by_role("heading", name=f"Major {major}"))
        card.get_by_role("button", name="Retire").click()
        dialog = one.page.get_by_role("dialog", name=f"Retire major version {major}?")
        expect(dialog).to_contain_text("goes")
        expect(dialog).to_contain_text("with the major")
        self.assertEqual(self.instance.call("GET", f"/development/config?version={major}").status, 200)
        dialog.get_by_role("button", name=f"Retire major {major}").click()
        expect(card).to_contain_text("Retired")
        expect(card.get_by_role("button")).to_have_count(0)
        self.assertNotEqual(self.instance.call("GET", f"/development/config?version={major}").status, 200)
        self.assertEqual(self.instance.config("development"), {"stays": 1})

    def version(self, environment):
        return self.instance.must("GET", f"/{environment}/config", token=environment).headers["Almanac-Version"]

    def test_values_that_are_too_many_for_the_page_are_searched_by_the_server(self):
        """the page finds words inside long values through the server if the config exceeds 16 MiB"""
        if len(self.instance.config("plenty")) != MANY + 1:
            self.instance.begin("plenty", {})
            for start in range(0, MANY, 12):
                self.instance.release("plenty", {
                    f"long.k{number:02}": f"{number} " + "x" * LONG + f" marmalade{number:02} " + "y" * 1000
                    for number in range(start, start + 12)})
            self.instance.release("plenty", {"short": "marmalade too"})
        one = self.operator("plenty")
        console = Console(one, "plenty")
        console.open_screen("entries")
        found = one.page.locator("#found")
        expect(found).to_contain_text(f"{MANY + 1} entries")
        console.filter_box().fill("marmalade41")
        expect(found).to_contain_text("long values searched on the server")
        expect(console.rows().filter(has_text="k41")).to_have_count(1)
        expect(found).to_contain_text(f"1 of {MANY + 1}")
        console.filter_box().fill("marmalade")
        expect(found).to_contain_text(f"{MANY + 1} of {MANY + 1}")
        console.filter_box().fill("no such word")
        expect(one.page.get_by_role("heading", name="No entries match")).to_be_visible()
