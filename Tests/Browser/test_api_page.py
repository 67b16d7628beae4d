"""The page of the API's host, which says what is there."""

import unittest

from axe_playwright_python.sync_playwright import Axe

from support.case import BrowserCase


class APIPageTests(BrowserCase):
    def test_page_is_accessible_and_within_its_policy(self):
        """the page of the API's host is accessible in light and dark, and within its policy"""
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                one = self.person(application="www", color_scheme=scheme)
                one.watch.allow_origin(self.instance.url)
                one.page.goto(self.instance.url)
                found = Axe().run(one.page)
                self.assertEqual(found.violations_count, 0, found.generate_report())


if __name__ == "__main__":
    unittest.main()
