"""A picture of every screen: pictures.py HOME FOLDER"""

import os
import re
import sys

from support.case import BrowserCase, Person
from support.chromium import chromium
from support.console import Console
from support.instance import Instance
from support.marigold import RELEASES, plant

WIDTHS = (360, 900, 1600)
SCHEMES = ("light", "dark")


def main():
    home, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    instance = Instance(home)
    plant(instance, "development")
    plant(instance, "staging", len(RELEASES) - 2)
    plant(instance, "live", len(RELEASES) - 4)
    with chromium() as browser:
        BrowserCase.browser = browser
        BrowserCase.instance = instance
        for scheme in SCHEMES:
            for width in WIDTHS:
                viewport = {"width": width, "height": 720 if width < 500 else 1000}
                one = Person(BrowserCase, viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
                one.sign_in("development", "staging", "live")
                for number, place in enumerate(Console(one, "development").visit_places()):
                    name = re.sub(r"[^a-z0-9]+", "-", place.lower()).strip("-")
                    one.page.screenshot(path=os.path.join(folder, f"{number:02}-{name}-{width}-{scheme}.png"))
                one.open("#/live/entries")
                Console(one, "live").await_screen()
                one.page.screenshot(path=os.path.join(folder, f"live-{width}-{scheme}.png"))
                one.context.close()
    print(f"{len(os.listdir(folder))} pictures in {folder}")


if __name__ == "__main__":
    main()
