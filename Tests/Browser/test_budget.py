"""How much the console weighs, and that it is ours alone."""

import gzip
from urllib.parse import urlsplit

from support.case import BrowserCase
from support.console import Console
from support.marigold import plant

BUDGET = 60_000


class BudgetTests(BrowserCase):
    def test_console_is_small(self):
        """all that the console loads on all its screens is at most 60 kB compressed, and cached for good"""
        plant(self.instance, "development")
        one = self.operator("development", "staging")
        for _ in Console(one, "development").visit_places():
            pass
        sizes = {}
        for request in one.watch.requests:
            path = urlsplit(request.url).path
            if path in sizes or not (path == "/" or path.startswith("/assets/")):
                continue
            answer = request.response()
            sizes[path] = len(gzip.compress(answer.body(), 9))
            if path != "/":
                self.assertIn("immutable", answer.headers["cache-control"], path)
                self.assertEqual(answer.headers.get("content-encoding"), "gzip", path)
        table = "\n".join(f"{size:7} {path}" for path, size in sorted(sizes.items(), key=lambda one: -one[1]))
        print(f"  the console is {sum(sizes.values())} bytes compressed, in {len(sizes)} files")
        self.assertGreater(len(sizes), 5)
        self.assertLessEqual(sum(sizes.values()), BUDGET, table)
