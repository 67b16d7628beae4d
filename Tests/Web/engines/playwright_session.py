"""A session of Chromium with the commands of driver.py, by Playwright."""

import base64
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

from driver import COMMAND_TIMEOUT, ELEMENT, KEYS
from playwright.sync_api import sync_playwright
from programs import folder_of_nobody, give_to_nobody
from support.chromium import starting

KEY_NAMES = {value: name for name, value in KEYS.items()}


class PlaywrightSession:
    def __init__(self, context):
        self._context = context
        self._pages = {}
        self._elements = {}
        self._use(context.new_page())
        self.version = f"chromium {context.browser.version}"

    def command(self, name, parameters):
        return {
            "open": lambda: self._page.goto(parameters["url"]) and None,
            "reload": lambda: self._page.reload() and None,
            "back": lambda: self._page.go_back(wait_until="commit") and None,
            "url": lambda: self._page.url,
            "run": lambda: self._run(**parameters),
            "act": lambda: [self._act(**action) for action in parameters["actions"][0]["actions"]],
            "click": lambda: self._elements[parameters["id"]].click(),
            "picture": lambda: base64.b64encode(self._page.screenshot()).decode(),
            "size": lambda: self._page.set_viewport_size(parameters),
            "new tab": lambda: {"handle": self._add(self._context.new_page())},
            "close tab": self._page.close,
            "switch": lambda: self._use(self._pages[parameters["handle"]]),
        }[name]()

    def _add(self, page):
        handle = str(len(self._pages))
        self._pages[handle] = page
        return handle

    def _use(self, page):
        self._page = page
        page.set_default_timeout(1000 * COMMAND_TIMEOUT)

    def _run(self, script, args):
        values = [self._elements[value[ELEMENT]] if isinstance(value, dict) and ELEMENT in value else value
                  for value in args]
        result = self._page.evaluate_handle(f"(words) => (function () {{ {script}\n }}).apply(null, words)", values)
        element = result.as_element()
        if not element:
            return result.json_value()
        handle = str(len(self._elements))
        self._elements[handle] = element
        return {ELEMENT: handle}

    def _act(self, type, value="", duration=0):  # pylint: disable=redefined-builtin
        keyboard = self._page.keyboard
        if type == "pause":
            self._page.wait_for_timeout(duration)
        elif value in KEY_NAMES:
            (keyboard.down if type == "keyDown" else keyboard.up)(KEY_NAMES[value])
        elif type == "keyDown":
            keyboard.type(value)


@contextmanager
def chromium(authority, log):
    """Starts Chromium with a new profile that trusts the authority, and with its cache of left pages."""
    with folder_of_nobody() as home:
        database = os.path.join(home, ".pki", "nssdb")
        os.makedirs(database)
        subprocess.run(["certutil", "-N", "-d", f"sql:{database}", "--empty-password"], check=True)
        subprocess.run(["certutil", "-A", "-d", f"sql:{database}", "-n", "almanac", "-t", "C,,", "-i", authority],
                       check=True)
        give_to_nobody(home)
        # Playwright keeps no log of Chromium.
        Path(log).touch()
        os.environ["ALMANAC_BROWSER_HOME"] = home
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**starting(), ignore_default_args=["--disable-back-forward-cache"])
            try:
                yield PlaywrightSession(browser.new_context())
            finally:
                browser.close()
