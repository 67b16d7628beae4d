"""How much the console weighs, and that it is ours alone."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.marigold import plant

# Bytes, compressed, in one language: what a visit begins with, and all of it with every screen opened.
BUDGET = 60_000
WHOLE = 67_000


class BudgetTests(BrowserCase):
    def test_console_is_small(self):
        """the console in one language is at most 60 kB compressed until entries are there, and kept by browsers for good"""
        plant(self.instance, "development")
        one = self.operator("development", "staging")
        console = Console(one, "development")
        expect(console.rows().first).to_be_visible()
        for _ in console.visit_places():
            pass
        sizes = self.sizes(one.watch.requests)
        # What comes when the page has nothing else to do.
        later = sum(size for path, size in sizes.items() if "/parts/others-" in path)
        everything = sum(sizes.values())
        print(f"  compressed: {everything - later} bytes until entries are there, {everything} with all screens opened")
        table = "\n".join(f"{size:7} {path}" for path, size in sorted(sizes.items(), key=lambda one: -one[1]))
        self.assertGreater(later, 0, table)
        self.assertLessEqual(everything - later, BUDGET, table)
        self.assertLessEqual(everything, WHOLE, table)

    def sizes(self, requests):
        """What was loaded of the console's own, each file once: bytes as they came through the network."""
        sizes = {}
        for request in requests:
            path = urlsplit(request.url).path
            if path in sizes or not (path == "/" or path.startswith("/assets/")):
                continue
            answer = request.response()
            sizes[path] = int(answer.headers["content-length"])
            self.assertEqual(answer.headers.get("content-encoding"), "gzip", path)
            if path != "/":
                self.assertIn("immutable", answer.headers["cache-control"], path)
        return sizes
