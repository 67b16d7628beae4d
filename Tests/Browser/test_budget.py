"""How much the console weighs, and that it is ours alone."""

import gzip
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.marigold import plant

# Bytes, compressed: until the entries are there; and with every screen opened.
FIRST = 60_000
EVERYTHING = 100_000


class BudgetTests(BrowserCase):
    def test_console_is_small(self):
        """the console loads at most 60 kB compressed until entries are there, at most 100 kB with all screens opened"""
        plant(self.instance, "development")
        one = self.operator("development", "staging")
        console = Console(one, "development")
        expect(console.rows().first).to_be_visible()
        first = self.weigh(one.watch.requests, FIRST)
        for _ in console.visit_places():
            pass
        everything = self.weigh(one.watch.requests, EVERYTHING)
        print(f"  compressed: {first} bytes until entries are there, {everything} with all screens opened")

    def weigh(self, requests, budget):
        """The sum of what was loaded of the console's own, each file once."""
        sizes = {}
        for request in requests:
            path = urlsplit(request.url).path
            if path in sizes or not (path == "/" or path.startswith("/assets/")):
                continue
            answer = request.response()
            sizes[path] = len(gzip.compress(answer.body(), 9))
            if path != "/":
                self.assertIn("immutable", answer.headers["cache-control"], path)
                self.assertEqual(answer.headers.get("content-encoding"), "gzip", path)
        table = "\n".join(f"{size:7} {path}" for path, size in sorted(sizes.items(), key=lambda one: -one[1]))
        self.assertGreater(len(sizes), 5)
        with self.subTest(budget):
            self.assertLessEqual(sum(sizes.values()), budget, table)
        return sum(sizes.values())
