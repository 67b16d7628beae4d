"""Pictures of the steps of a journey, in the folder that ALMANAC_TEST_JOURNEY names; without it, none are taken."""

import os

FOLDER = os.environ.get("ALMANAC_TEST_JOURNEY")


class StepPictures:
    """Pictures of one page, numbered, in a folder of their own."""

    def __init__(self, page, folder, schemes=("",)):
        self._page = page
        self._folder = os.path.join(FOLDER, folder) if FOLDER else None
        self._schemes = schemes
        self._count = 0

    def take(self, step):
        """Takes a picture in each scheme; afterwards the page has the first."""
        if not self._folder:
            return
        os.makedirs(self._folder, exist_ok=True)
        self._count += 1
        for scheme in self._schemes:
            if scheme:
                self._page.emulate_media(color_scheme=scheme)
            name = "-".join(part for part in (f"{self._count:02}", step, scheme) if part)
            self._page.screenshot(path=os.path.join(self._folder, f"{name}.png"))
        if self._schemes[0]:
            self._page.emulate_media(color_scheme=self._schemes[0])
