"""Takes a screenshot of every screen: pictures.py HOME FOLDER"""

import os
import re
import sys

from playwright.sync_api import expect

from support.case import BrowserCase, BrowserUser
from support.chromium import chromium
from support.console import Console
from support.instance import Instance
from support.marigold import RELEASES, make_flags, make_releases, token_of
from support.notes import Notes, NotesUser

WIDTHS = (390, 768, 1024, 1440)
SCHEMES = ("light", "dark")
LANGUAGES = ("en", "de")
# Only pictures whose names match this pattern are taken.
CHOSEN = re.compile(os.environ.get("ALMANAC_TEST_PICTURES", ""))


def main():
    home, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    instance = Instance(home)
    make_releases(instance, "development")
    make_releases(instance, "staging", len(RELEASES) - 2)
    make_releases(instance, "live", len(RELEASES) - 4)
    make_flags(instance, "development")
    reader = token_of(instance, "live", "Reader", scope="config:read")
    with chromium() as browser:
        BrowserCase.browser = browser
        BrowserCase.instance = instance
        for language in LANGUAGES:
            for width in WIDTHS:
                picture_console(folder, language, width, reader)
        for scheme in SCHEMES:
            for width in WIDTHS:
                viewport = {"width": width, "height": 720 if width < 500 else 1000}
                picture_of_notes(folder, f"notes-{width}-{scheme}.png", viewport, scheme)
        picture_for_readme(folder)
        picture_of_notes(folder, "notes.png", {"width": 1280, "height": 800}, "light")
    print(f"{len(os.listdir(folder))} pictures in {folder}")


def picture_console(folder, language, width, reader):
    """Takes pictures of every screen and dialog of the console in one language and width, in both schemes."""
    instance = BrowserCase.instance
    instance.begin("people", {})
    instance.forget_requests("people")
    is_phone = width < 500
    one = BrowserUser(BrowserCase, viewport={"width": width, "height": 720 if is_phone else 1000}, has_touch=is_phone,
                      reduced_motion="reduce", locale={"en": "en-US", "de": "de-DE"}[language])
    one.open()
    picture(one.page, folder, f"signed-out-{width}-{language}")
    one.open("#/live/entries")
    picture(one.page, folder, f"sign-in-{width}-{language}")
    one.sign_in("development", "staging", "live", "people", tokens={"live": reader})
    for number, name in enumerate(states(Console(one, "development"), instance)):
        picture(one.page, folder, f"{number:02}-{name}-{width}-{language}")
    one.context.close()


def picture(page, folder, name):
    """Takes a picture in each scheme."""
    if not CHOSEN.search(name):
        return
    # Move the pointer to a corner, so that no element shows its hover style.
    page.mouse.move(0, 0)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=os.path.join(folder, f"{name}-{scheme}.png"))


def states(console, instance):
    """Opens each screen, menu and dialog by its address or its id, in any language; yields its name."""
    page = console.page
    newest = instance.releases("development")[0]["revision"]

    def go(*path, query=""):
        console.go(*path, query=query)
        console.await_screen()
        return "-".join(re.sub(r"[^a-z0-9]+", "-", str(part)).strip("-") for part in path)

    def opened(selector, shown="dialog[open]"):
        page.locator(selector).first.click()
        expect(page.locator(shown)).to_be_visible()
        # A notice of the step before would hide a part of the picture.
        expect(page.locator(".notice-box")).to_have_count(0, timeout=20_000)

    def close():
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open], .menu:not([hidden])")).to_have_count(0)

    yield from environments(console)
    for screen in ("entries", "flags", "proposals", "releases", "compare", "majors", "transfer", "people", "tokens",
                   "hooks", "audit", "health"):
        yield go(screen)
    go("entries")
    for selector, name in (("#environment", "environments"), ("#more-tabs", "more"), ("#account", "account"),
                           ("#filters", "saved-filters")):
        opened(selector, ".menu:not([hidden])")
        yield f"menu-{name}"
        close()
    for selector, name in (("#palette", "palette"), ("#add-entry", "new-entry")):
        opened(selector)
        yield f"dialog-{name}"
        close()
    page.locator("#environment").click()
    opened(".menu button", "dialog[open]")
    yield "dialog-appearance"
    close()
    page.locator("#filter").fill("nothing like this")
    expect(page.locator(".empty")).to_be_visible()
    yield "entries-no-matches"
    page.locator("#filter").fill("")
    page.locator("#arrangement + button").click()
    page.locator(".selection .quiet:not(.square)").click()
    yield "entries-selection"
    go("entries")
    for key in ("app.name", "app.theme.accent", "banner.enabled", "banner.until", "app.support.url",
                "feature.wish_lists.share_limit", "onboarding.steps"):
        yield go("entries", key)
    opened("#key-menu", ".menu:not([hidden])")
    yield "menu-of-an-entry"
    for name, content in (("use", "pre"), ("rename", "input"), ("all-environments", "a")):
        item = {"use": -2, "rename": 0, "all-environments": -1}[name]
        page.locator(".panel .menu:not([hidden]) button").nth(item).click()
        expect(page.locator("dialog[open]").locator(content).first).to_be_visible()
        yield f"dialog-{name}"
        close()
        opened("#key-menu", ".menu:not([hidden])")
    close()
    for key in instance.flags("development")[:4]:
        yield go("flags", key)
    opened("#key-menu", ".menu:not([hidden])")
    yield "menu-of-a-flag"
    close()
    yield go("flags", "_flags")
    opened(".flag .primary")
    yield "dialog-new-audience"
    close()
    console.go("flags", query="?new=1")
    expect(page.locator("dialog[open]")).to_be_visible()
    yield "dialog-new-flag"
    close()
    for part in ((), ("state",), ("diff",), ("undo",), ("restore",)):
        yield go("releases", newest, *part)
    yield go("compare", "staging")
    page.get_by_role("checkbox", name="checkout.fees").check()
    expect(page.locator("form.plan [type=submit]")).to_be_enabled()
    yield "compare-selected"
    go("tokens")
    opened(".heading .primary")
    yield "dialog-new-token"
    page.locator("dialog [name=label]").fill("Web shop")
    page.locator("dialog [name=end]").select_option("30")
    page.locator("dialog [type=submit]").click()
    expect(page.locator("dialog .exact")).to_be_visible()
    yield "dialog-token-created"
    page.keyboard.press("Escape")
    page.locator("dialog .danger").click()
    go("transfer")
    page.locator(".transfer textarea").fill('{"app.name": "Marigold 2", "app.new": 1}')
    expect(page.locator("form.plan [type=submit]")).to_be_enabled()
    yield "import"
    go("entries", "app.theme.accent")
    console.value_field().fill("#9a")
    console.value_field().blur()
    expect(page.locator(".outlook-short .conflict")).to_be_visible()
    yield "draft-invalid"
    page.locator("#discard").click()
    page.locator(".notice-box > .square").click()
    go("entries", "app.name")
    console.value_field().fill("Marigold & Daughters")
    expect(page.locator(".outlook-short .badge:not(.conflict)")).to_be_visible()
    yield "draft"
    opened("#review")
    expect(page.locator("dialog form.plan [type=submit]")).to_be_enabled()
    yield "dialog-review"
    close()
    page.locator("#discard").click()
    yield "notice"
    page.locator(".notice-box > .square").click()
    yield go("nothing")
    console.environment = "nowhere"
    yield go("entries")
    console.environment = "live"
    yield "live-" + go("entries", "app.name")
    yield "live-" + go("tokens")
    yield "live-" + go("audit")
    console.environment = "development"


def environments(console):
    """Opens the list of environments, and adds the first entry to an empty environment; yields the name of each step."""
    page = console.page
    page.evaluate("location.hash = '#/'")
    console.await_screen()
    yield "list-of-environments"
    console.environment = "people"
    console.go("entries")
    expect(page.locator(".welcome")).to_be_visible()
    yield "empty-entries"
    console.go("flags")
    expect(page.locator(".empty h2")).to_be_visible()
    yield "empty-flags"
    console.go("entries")
    page.locator(".welcome button").first.click()
    page.locator("#key").fill("app.greeting")
    page.keyboard.press("Enter")
    console.value_field().fill("Hello")
    page.locator("#review").click()
    release = page.locator("dialog form.plan [type=submit]")
    expect(release).to_be_enabled()
    release.click()
    expect(page.locator(".first-key .request-status")).to_be_visible()
    expect(page.locator(".notice-box")).to_have_count(0, timeout=20_000)
    yield "first-entry"
    console.environment = "development"


def picture_for_readme(folder):
    """Takes the README's picture, deploy/pictures/console.png: entries, one of them edited, with the forecast."""
    one = BrowserUser(BrowserCase, viewport={"width": 1280, "height": 800}, color_scheme="light",
                      reduced_motion="reduce")
    console = Console(one.sign_in("development"), "development")
    console.edit_text("app.theme.accent", "#7c2d12")
    expect(one.page.get_by_text("will be")).to_be_visible()
    one.page.screenshot(path=os.path.join(folder, "console.png"))
    one.context.close()


# Realistic notes: title, text, tags, pinned. The last one is first in the list, and open.
WRITTEN = (
    ("Books to return", "- The Overstory, until the 14th\n- Piranesi", ["library"], False),
    ("Kitchen light", "E14, warm, at most 6 W. The old one was **470 lm**.", ["home"], False),
    ("Talk on merges", "Begin with the two people who edit one sentence.\n\nThen: why neither of them should be asked.",
     ["work"], False),
    ("Train to Lyon", "Leaves 07:58 from platform 12, carriage 4.\n\nHotel: ask for a room to the yard.", ["travel"],
     False),
    ("Saturday", "# Market\n\n- [x] tomatoes, the small ones\n- [x] bread from *Nadia*\n- [ ] water the plants 🌱\n"
     "- [ ] call Zoë about Sunday\n\nIf it rains: the museum has [late opening](https://museum.example.com/hours).",
     ["home", "weekend"], True),
)


def picture_of_notes(folder, name, viewport, scheme):
    """Takes a picture of the list of notes with one note open."""
    user = NotesUser(BrowserCase.instance)
    for title, body, tags, pinned in WRITTEN:
        note = user.create(title, body, tags=tags, pinned=pinned)
    one = BrowserUser(BrowserCase, application="notes", viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    notes = Notes(one, user).sign_in()
    notes.go("notes", note)
    expect(one.page.get_by_role("textbox", name="Note text")).to_contain_text("tomatoes")
    notes.await_server()
    one.page.mouse.move(0, 0)
    one.page.screenshot(path=os.path.join(folder, name))
    one.context.close()


if __name__ == "__main__":
    main()
