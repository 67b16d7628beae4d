"""Takes a screenshot of every screen: pictures.py HOME FOLDER"""

import os
import re
import sys

from playwright.sync_api import expect

from support.case import BrowserCase, BrowserUser
from support.chromium import chromium
from support.console import Console
from support.instance import Instance
from support.marigold import RELEASES, make_flags, make_releases
from support.notes import Notes, NotesUser

WIDTHS = (390, 768, 1024, 1440)
SCHEMES = ("light", "dark")


def main():
    home, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    instance = Instance(home)
    make_releases(instance, "development")
    make_releases(instance, "staging", len(RELEASES) - 2)
    make_releases(instance, "live", len(RELEASES) - 4)
    make_flags(instance, "development")
    with chromium() as browser:
        BrowserCase.browser = browser
        BrowserCase.instance = instance
        for scheme in SCHEMES:
            for width in WIDTHS:
                viewport = {"width": width, "height": 720 if width < 500 else 1000}
                one = BrowserUser(BrowserCase, viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
                one.sign_in("development", "staging", "live")
                for number, place in enumerate(Console(one, "development").visit_places()):
                    name = re.sub(r"[^a-z0-9]+", "-", place.lower()).strip("-")
                    # Move the pointer to a corner, so that no element shows its hover style.
                    one.page.mouse.move(0, 0)
                    one.page.screenshot(path=os.path.join(folder, f"{number:02}-{name}-{width}-{scheme}.png"))
                one.open("#/live/entries")
                Console(one, "live").await_screen()
                one.page.screenshot(path=os.path.join(folder, f"live-{width}-{scheme}.png"))
                one.context.close()
                picture_of_notes(folder, f"notes-{width}-{scheme}.png", viewport, scheme)
        picture_for_readme(folder)
        picture_of_notes(folder, "notes.png", {"width": 1280, "height": 800}, "light")
    print(f"{len(os.listdir(folder))} pictures in {folder}")


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
    # A service worker would show a notice that it is ready.
    one = BrowserUser(BrowserCase, application="notes", viewport=viewport, color_scheme=scheme, reduced_motion="reduce",
                      service_workers="block")
    notes = Notes(one, user).sign_in()
    notes.go("notes", note)
    expect(one.page.get_by_role("textbox", name="Note text")).to_contain_text("tomatoes")
    notes.await_server()
    one.page.mouse.move(0, 0)
    one.page.screenshot(path=os.path.join(folder, name))
    one.context.close()


if __name__ == "__main__":
    main()
