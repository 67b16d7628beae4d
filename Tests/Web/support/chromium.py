"""Debian's Chromium, driven by Playwright."""

import os
import time
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

# Chromium, and its headless shell, which has no persistent profiles and installs no pages. A context takes 1.5 s of CPU
# time in the former, 0.35 s in the latter.
CHROMIUM = "/usr/bin/chromium"
SHELL = "/usr/lib/chromium/chromium-headless-shell"
WRAPPER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "chromium")


def starting(*arguments, program=CHROMIUM):
    """Returns the options that start a browser."""
    return {
        "executable_path": WRAPPER,
        "env": {**os.environ, "ALMANAC_BROWSER_PROGRAM": program},
        "chromium_sandbox": True,
        "downloads_path": os.path.join(os.environ["ALMANAC_BROWSER_HOME"], "downloads"),
        "args": list(arguments),
    }


def with_profile(browser, folder, **options):
    """Starts another browser whose profile is stored in a folder."""
    return browser.browser_type.launch_persistent_context(folder, **starting(), **options)


def processes_of_profile(folder):
    """Returns the ids and command lines of the processes of browsers with this profile."""
    option = f"--user-data-dir={folder}".encode()
    lines = {int(pid): command_line(pid) for pid in os.listdir("/proc") if pid.isdigit()}
    return {pid: line for pid, line in lines.items() if option in line}


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return b""


def await_end_of_profile(folder):
    """Waits until no process uses this profile."""
    deadline = time.monotonic() + 60
    while left := processes_of_profile(folder):
        if time.monotonic() > deadline:
            raise AssertionError(f"a minute after Chromium has ended, processes of its profile run: {list(left)}")
        time.sleep(0.02)


@contextmanager
def chromium(*arguments, program=CHROMIUM):
    """Starts a browser that runs until the block ends."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**starting(*arguments, program=program))
        try:
            yield browser
        finally:
            browser.close()
