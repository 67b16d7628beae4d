"""The base class of browser tests: users with a browser context each, and checks of their pages."""

import os
import re
import shutil
import tempfile
import unittest

from playwright.sync_api import expect

from support.chromium import await_end_of_profile, with_profile
from support.page_checks import PageChecks

# The timeout of each condition, in milliseconds; long because a loaded machine is slow.
TIMEOUT = 15_000
expect.set_options(timeout=TIMEOUT)
# The folder that gets a video of each page; none are recorded without it.
VIDEOS = os.environ.get("ALMANAC_TEST_VIDEOS")
VIDEO_SIZE = {"width": 1280, "height": 720}

FOLLOW = """(fragment) => new Promise((done) => {
    const before = location.href;
    addEventListener("hashchange", () => done(), { once: true });
    location.hash = fragment;
    if (location.href === before) done();
})"""


class BrowserUser:
    """A browser context with its own cookies and storage, and one page. `profile` is a folder that stores them."""

    def __init__(self, case, **options):
        self.case = case
        self.port = options.pop("port", case.instance.port)
        self.application = options.pop("application", "console")
        self.origin = case.instance.page_url(self.application, self.port)
        profile = options.pop("profile", None)
        if VIDEOS:
            options.update(record_video_dir=VIDEOS, record_video_size=options.get("viewport", VIDEO_SIZE))
        self.context = (with_profile(case.browser, profile, **options) if profile
                        else case.browser.new_context(**options))
        self.context.set_default_timeout(TIMEOUT)
        self.checks = PageChecks(self.context, [self.origin])
        self.page = self.context.new_page()

    def open(self, fragment=""):
        """Loads an address of the pages like a followed link."""
        self.page.goto(f"{self.origin}/{fragment}")
        return self.page

    def follow(self, fragment):
        """Opens an address inside the page, and waits until the page has got the event; loads the page at first."""
        if self.page.url.startswith(self.origin):
            self.page.evaluate(FOLLOW, fragment)
        else:
            self.open(fragment)

    def sign_in(self, *environments, tokens=None):
        """Opens a one-time link, and waits for the screens."""
        self.open(self.case.instance.link(environments, tokens))
        expect(self.page.get_by_role("navigation")).to_be_visible()
        return self


class BrowserCase(unittest.TestCase):
    # Set by support/processes.py.
    browser = None
    instance = None
    # The folder for traces, and for screenshots of failures.
    evidence = None
    # The output of deploy/run; None if the instance was not started for these tests.
    welcome = None

    def setUp(self):
        self.people = []
        self.profiles = []
        self.addCleanup(self._end)

    def person(self, **options):
        one = BrowserUser(self, **options)
        self.people.append(one)
        return one

    def profile(self):
        """Creates a folder for a browser profile, which is removed after the test."""
        self.profiles.append(tempfile.mkdtemp(prefix="almanac-profile-"))
        return self.profiles[-1]

    def operator(self, *environments, tokens=None, **options):
        """Creates a user who is signed in to these environments."""
        return self.person(**options).sign_in(*environments, tokens=tokens)

    def configure(self, environment, **members):
        """Sets members of an environment in the environments file, until the test ends."""
        former = self.instance.environments_file()
        self.addCleanup(lambda: self.assertEqual(self.instance.reload(former), ""))
        changed = {**former, environment: {**former[environment], **members}}
        self.assertEqual(self.instance.reload(changed), "")

    def _end(self):
        complaints = []
        for number, one in enumerate(self.people):
            complaints += one.checks.remaining()
            one.context.close()
            if VIDEOS:
                os.replace(one.page.video.path(), os.path.join(VIDEOS, f"{self.id()}-{number}.webm"))
        for folder in self.profiles:
            await_end_of_profile(folder)
            shutil.rmtree(folder)
        if complaints:
            self.fail("pages reported errors:\n  " + "\n  ".join(complaints))

    def keep_evidence(self, folder):
        """Saves a screenshot and the console of each page."""
        name = re.sub(r"[^A-Za-z0-9]+", "-", self.id())
        for number, one in enumerate(self.people):
            path = os.path.join(folder, f"{name}-{number}")
            with open(f"{path}.txt", "w", encoding="utf-8") as file:
                file.write("\n".join([one.page.url, *one.checks.console, ""]))
            try:
                one.page.screenshot(path=f"{path}.png", full_page=True, timeout=5000)
            except Exception as reason:  # pylint: disable=broad-except
                one.checks.console.append(f"no screenshot: {reason}")
        return os.path.join(folder, f"{name}-*")
