"""Tests of the start page at the API's host."""

import unittest

from support.accessibility import find_violations
from support.case import BrowserCase


class APIPageTests(BrowserCase):
    def test_page_is_accessible_and_within_its_policy(self):
        """the page of the API's host is accessible in light and dark, and within its policy"""
        one = self.person(application="www")
        one.checks.allow_origin(self.instance.url)
        one.page.goto(self.instance.url)
        self.assertEqual(find_violations(one.page, "the API's host"), [])


if __name__ == "__main__":
    unittest.main()
