"""The base class of journeys in Firefox and WebKitGTK."""

import os
import re
import tempfile
import unittest

from page import Page


class EngineCase(unittest.TestCase):
    # The function of driver.py that starts the engine; each subclass has one.
    start_engine = None
    # Set by main.py: the tested instance.
    instance = None

    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.log = os.path.join(folder, "log")
        authority = os.path.join(self.instance.home, "tls", "ca.pem")
        self.page = Page(self.enterContext(self.start_engine(authority, self.log)))

    def open(self, application, fragment):
        """Opens a link that signs in, and waits for the application."""
        self.page.open(f"{self.instance.page_url(application)}/{fragment}")
        self.page.role("navigation").await_shown()

    def tearDown(self):
        self.assertEqual(self.page.faults(), [])

    def keep_evidence(self, folder):
        """Saves a picture of the page and the log of the engine."""
        path = os.path.join(folder, re.sub(r"[^A-Za-z0-9]+", "-", self.id()))
        with open(self.log, "rb") as log, open(f"{path}.txt", "wb") as copy:
            copy.write(log.read())
        try:
            self.page.picture(f"{path}.png")
        except Exception as reason:  # pylint: disable=broad-except
            print(f"no picture: {reason}")
        return f"{path}.*"
