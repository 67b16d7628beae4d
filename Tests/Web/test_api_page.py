"""Tests of the pages at the API's host."""

import unittest

from support.case import BrowserCase
from support.look import find_faults


class APIPageTests(BrowserCase):
    def test_page_is_accessible_and_within_its_policy(self):
        """the pages of the API's host are accessible in light and dark, and within their policy"""
        one = self.person(application="www")
        one.checks.allow_origin(self.instance.url)
        one.page.goto(self.instance.url)
        self.assertEqual(find_faults(one.page, "the API's host"), [])
        one.page.get_by_role("link", name="generate a client").click()
        one.page.get_by_role("heading", name="Generate a client").wait_for()
        self.assertEqual(find_faults(one.page, "the page about clients"), [])
        for width in (320, 1280):
            one.page.set_viewport_size({"width": width, "height": 800})
            self.assertLessEqual(one.page.evaluate("document.documentElement.scrollWidth"), width)


if __name__ == "__main__":
    unittest.main()
