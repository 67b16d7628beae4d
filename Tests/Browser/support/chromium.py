"""Chromium as Debian has it, by Playwright."""

import os
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

WRAPPER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "chromium")


def starting(*arguments):
    """How the browser is started."""
    return {
        "executable_path": WRAPPER,
        "chromium_sandbox": True,
        "downloads_path": os.path.join(os.environ["ALMANAC_BROWSER_HOME"], "downloads"),
        "args": list(arguments),
    }


def with_profile(browser, folder, **options):
    """A context of a further browser that keeps what it has in a folder, as those of people do."""
    return browser.browser_type.launch_persistent_context(folder, **starting(), **options)


@contextmanager
def chromium(*arguments):
    """A browser that runs until the block ends."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**starting(*arguments))
        try:
            yield browser
        finally:
            browser.close()
