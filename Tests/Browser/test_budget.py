"""How much the console weighs, and that it is ours alone."""

import os
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.marigold import plant

# Bytes of all of it in one language, with every screen but that of flags opened: as Chromium takes it, and for who
# takes no brotli; and of what comes when flags are opened.
BROTLI = 60_000
GZIP = 64_000
FLAGS = 13_100


class BudgetTests(BrowserCase):
    def test_console_is_small(self):
        """the console in one language is at most 60 kB compressed, and flags 13.1 kB more; browsers keep it for good"""
        plant(self.instance, "development")
        one = self.operator("development", "staging")
        console = Console(one, "development")
        expect(console.rows().first).to_be_visible()
        first = sum(self.sizes(one.watch.requests).values())
        for _ in console.visit_places():
            pass
        sizes = self.sizes(one.watch.requests)
        flags = sum(sizes.pop(path) for path in list(sizes) if "/flags" in path)
        everything = sum(sizes.values())
        gzip = sum(os.path.getsize(f"{self.file(path)}.gz") for path in sizes)
        print(f"  bytes: {first} until entries are there, {everything} with all screens opened, {gzip} without brotli,"
              f" {flags} for flags")
        table = "\n".join(f"{size:7} {path}" for path, size in sorted(sizes.items(), key=lambda one: -one[1]))
        self.assertLessEqual(everything, BROTLI, table)
        self.assertLessEqual(gzip, GZIP, table)
        self.assertGreater(flags, 0)
        self.assertLessEqual(flags, FLAGS)

    def file(self, path):
        return os.path.join(self.instance.home, "www", "console", "index.html" if path == "/" else path[1:])

    def sizes(self, requests):
        """What was loaded of the console's own, each file once: bytes as they came through the network."""
        sizes = {}
        for request in requests:
            path = urlsplit(request.url).path
            if path in sizes or not (path == "/" or path.startswith("/assets/")):
                continue
            answer = request.response()
            sizes[path] = int(answer.headers["content-length"])
            self.assertEqual(answer.headers.get("content-encoding"), "br", path)
            self.assertEqual(sizes[path], os.path.getsize(f"{self.file(path)}.br"), path)
            if path != "/":
                self.assertIn("immutable", answer.headers["cache-control"], path)
        return sizes
