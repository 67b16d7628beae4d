"""A page object of the console, by the roles and texts that users see."""

import re
from urllib.parse import quote

from playwright.sync_api import expect

LOADED = """
(files) => {
    const loaded = performance.getEntriesByType('resource').filter((one) => one.responseEnd > 0);
    return files.every((file) => loaded.some((one) => one.name.includes(`/parts/${file}-`)));
}
"""


class Console:
    """The console of one environment in a user's page."""

    def __init__(self, person, environment):
        self.person = person
        self.environment = environment

    @property
    def page(self):
        return self.person.page

    def go(self, *path, query=""):
        """Opens an address inside the console; reuses the page if it is already loaded."""
        fragment = f"#/{self.environment}/" + "/".join(quote(str(part), safe="") for part in path) + query
        self.person.follow(fragment)

    def open_screen(self, name):
        self.go(name)
        self.await_screen()

    def await_screen(self):
        """Waits until the screen is open and has its heading, and nothing in it is loading."""
        expect(self.page.get_by_role("main").get_by_role("heading").first).to_be_visible()
        expect(self.page.locator("main[aria-busy=true], main [aria-busy=true]")).to_have_count(0)

    def await_parts(self, *names):
        """Waits until the idle page has loaded these parts."""
        self.page.wait_for_function(LOADED, arg=list(names))

    def navigation(self):
        return self.page.get_by_role("navigation", name="Main navigation")

    def more_tabs(self):
        """Returns the button of the menu with the screens that have no tab."""
        return self.navigation().get_by_role("button", name="More")

    def visit_screens(self):
        """Opens each screen by its tab or from the menu; yields its name."""
        self.go("entries")
        self.await_screen()
        self.more_tabs().click()
        for address in [link.get_attribute("href") for link in self.navigation().get_by_role("link").all()]:
            link = self.navigation().locator(f'[href="{address}"]')
            if not link.is_visible():
                self.more_tabs().click()
            name = link.evaluate("(link) => link.firstChild.data")
            link.click()
            expect(self.navigation().locator("[aria-current]").first).to_have_text(re.compile(f"^({name}|More)"))
            # The previous screen stays until the new screen's module is loaded.
            expect(self.page.get_by_role("main").get_by_role("heading", name=name).first).to_be_visible()
            self.await_screen()
            yield name

    def visit_places(self):
        """Opens each screen and each part inside it; yields the place's name."""
        yield from self.visit_screens()
        config = self.person.case.instance.config(self.environment)
        releases = self.person.case.instance.releases(self.environment)
        for key in self._a_key_of_each_type(config):
            self.open_entry(key)
            yield f"entry {key}"
        self.choose_action("Show all environments")
        expect(self.page.get_by_role("dialog").get_by_role("link", name=self.environment)).to_be_visible()
        yield "key in all environments"
        self.page.keyboard.press("Escape")
        self.go("entries")
        self.page.get_by_role("button", name="Select entries").click()
        self.page.get_by_role("button", name="Select all shown").click()
        yield "selection of entries"
        flags = self.person.case.instance.flags(self.environment)
        if flags:
            self.go("flags")
            self.page.get_by_role("button", name="Select flags").click()
            self.page.get_by_role("button", name="Select all shown").click()
            yield "selection of flags"
        for key in flags[:4]:
            self.open_flag(key)
            yield f"flag {key}"
        self.go("flags", "_flags")
        expect(self.page.get_by_role("heading", name="Audiences", exact=True)).to_be_visible()
        yield "audiences"
        self.go("people")
        self.page.get_by_role("button", name="Invite person").click()
        expect(self.page.get_by_role("dialog", name="Invite person")).to_be_visible()
        yield "form of an invitation"
        self.page.keyboard.press("Escape")
        self.page.get_by_role("button", name="Details of").first.click()
        expect(self.page.get_by_role("dialog")).to_be_visible()
        yield "person"
        self.page.keyboard.press("Escape")
        newest = releases[0]["revision"]
        self.open_release(newest)
        yield "release"
        for part in ("state", "diff", "undo", "restore"):
            self.go("releases", newest, part)
            self.await_screen()
            yield f"release {part}"
        self.go("compare", "staging" if self.environment != "staging" else "development")
        self.await_screen()
        yield "comparison"
        self.page.keyboard.press("Control+k")
        expect(self.page.get_by_role("dialog")).to_be_visible()
        yield "palette"
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    @staticmethod
    def _a_key_of_each_type(config):
        found = {}
        for key, value in config.items():
            found.setdefault(type(value), key)
        return found.values()

    # Entries.

    def filter_box(self):
        return self.page.get_by_role("searchbox").first

    def rows(self):
        return self.page.locator("#entries .rows").get_by_role("row")

    def row(self, key):
        return self.rows().filter(has=self.page.get_by_title(key, exact=True))

    def open_entry(self, key):
        self.go("entries", key)
        expect(self.page.get_by_role("heading", name=key, exact=True)).to_be_visible()

    def value_field(self):
        return self.page.locator("#value")

    def choose_action(self, name):
        """Chooses an item from the menu of the open entry."""
        panel = self.page.get_by_role("complementary", name="Entry")
        panel.get_by_role("button", name="More actions").click()
        panel.get_by_role("button", name=name).click()

    def edit_text(self, key, text):
        """Changes an entry's text; the draft contains it on return."""
        self.open_entry(key)
        self.value_field().fill(text)

    def enter_first_row_by_keys(self):
        """Moves from the filter to the list, and into the form of its first entry."""
        self.page.keyboard.press("ArrowDown")
        expect(self.page.get_by_role("treegrid")).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(self.value_field()).to_be_focused()

    # Flags.

    def open_flag(self, key):
        self.go("flags", key)
        expect(self.page.get_by_role("heading", name=key, exact=True)).to_be_visible()
        expect(self.sample()).to_contain_text("sampled users")

    def flag_rows(self):
        rows = self.page.get_by_role("table", name="Flags").get_by_role("row")
        return rows.filter(has=self.page.get_by_role("link"))

    def rule(self, number):
        return self.page.get_by_role("group", name=f"Rule {number}", exact=True)

    def sample(self):
        """Returns the number of sampled users that the draft would move."""
        return self.page.get_by_role("status").filter(has_text="sampled users")

    def context(self):
        """Returns the field with the app's evaluation context."""
        return self.page.get_by_role("textbox", name="Context from the app")

    def flag_switch(self, name):
        return self.page.get_by_role("button", name=f"Turn {name} now")

    # The draft.

    def review_button(self):
        return self.page.get_by_role("button", name="Review changes")

    def review(self):
        """Opens the review, and returns its dialog once the forecast is loaded."""
        self.review_button().click()
        expect(self.save_button()).to_be_visible()
        expect(self.save_button()).to_be_enabled()
        return self.page.get_by_role("dialog")

    def await_refused_review(self, field, error, fields=1):
        """Leaves an invalid field; waits for its error, and for the review to lead back to it."""
        field.focus()
        field.blur()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(re.escape(error)))
        self.review_button().click()
        expect(field).to_be_focused()
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        expect(self.page.get_by_role("status").filter(has_text=f"Fix {fields} invalid field")).to_be_visible()

    def message_field(self):
        return self.page.get_by_role("dialog").get_by_label("Message")

    def save_button(self):
        return self.page.get_by_role("dialog").get_by_role("button", name="Release")

    def save(self, message):
        self.message_field().fill(message)
        self.save_button().click()
        self.await_saved()

    def await_saved(self):
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        expect(self.review_button()).to_be_hidden()

    def three_ways(self, key):
        """Opens an entry that another user has saved too, and returns the form's conflict."""
        self.open_entry(key)
        expect(self.conflict()).to_be_visible()
        return self.conflict()

    def conflict(self):
        return self.page.get_by_role("region", name="Conflicting changes")

    def keep_mine(self):
        self.conflict().get_by_role("button", name="Keep mine").click()
        expect(self.conflict()).to_have_count(0)

    def take_theirs(self):
        self.conflict().get_by_role("button", name="Take theirs").click()
        expect(self.conflict()).to_have_count(0)

    # Releases.

    def open_release(self, revision):
        self.go("releases", revision)
        expect(self.page.get_by_text(f"Revision {revision}").first).to_be_visible()
        self.await_screen()

    def undo(self, revision):
        self.go("releases", revision, "undo")
        form = self.page.get_by_role("form", name="Impact")
        self._release(form.get_by_role("button", name="Release undo as"))

    def promote(self, target, keys, message):
        """Promotes some keys of this environment to another one."""
        there = Console(self.person, target)
        there.go("compare", self.environment)
        for key in keys:
            self.page.get_by_role("checkbox", name=f"{key}, ").check()
        form = self.page.get_by_role("form", name="Impact")
        form.get_by_label("Message").fill(message)
        self._release(form.get_by_role("button", name="Promote as"))

    def _release(self, button):
        """Presses a button and waits for the notice of its release; an earlier notice may still be visible."""
        self.page.evaluate("() => document.querySelectorAll('[role=status] p').forEach((one) => one.dataset.old = '')")
        button.click()
        said = self.page.locator("[role=status] p:not([data-old])")
        expect(said.filter(has_text=" is now at ")).to_have_count(1)
