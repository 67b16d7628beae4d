"""How much the console weighs, and that it is ours alone."""

import os
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.marigold import plant

# Bytes of all of it in one language, with every screen opened: as Chromium takes it; what comes when flags are opened;
# and both for who takes no brotli.
BROTLI = 60_000
FLAGS = 13_500
GZIP = 78_000


class BudgetTests(BrowserCase):
    def test_console_is_small(self):
        """the console in one language is at most 60 kB compressed (flags by themselves), and kept by browsers"""
        plant(self.instance, "development")
        one = self.operator("development", "staging")
        console = Console(one, "development")
        expect(console.rows().first).to_be_visible()
        first = sum(self.sizes(one.watch.requests).values())
        for _ in console.visit_places():
            pass
        sizes = self.sizes(one.watch.requests)
        flags = sum(size for path, size in sizes.items() if "flags" in path)
        others = sum(sizes.values()) - flags
        gzip = sum(os.path.getsize(f"{self.file(path)}.gz") for path in sizes)
        print(f"  bytes: {first} until entries are there, {others} with all screens opened, {flags} of flags, "
              f"{gzip} without brotli")
        table = "\n".join(f"{size:7} {path}" for path, size in sorted(sizes.items(), key=lambda one: -one[1]))
        self.assertLessEqual(others, BROTLI, table)
        self.assertLessEqual(flags, FLAGS, table)
        self.assertLessEqual(gzip, GZIP, table)

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
