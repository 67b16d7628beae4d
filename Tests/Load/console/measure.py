"""Measures the console: measure.py HOME ENTRIES FLAGS KEYSTROKES ROUNDS"""

import random
import statistics
import sys
import time

from playwright.sync_api import expect

from support.chromium import chromium
from support.instance import Instance

ENVIRONMENT = "staging"
# The exit status of a finished measurement that missed a goal, as in Tests/Load/lib/goals.sh.
GOAL_MISSED = 2
WORDS = ("alpha banner basket calendar card checkout colour country delivery discount feature filter greeting image index"
         " invoice level limit list login mail map message method note offer onboarding order page payment plan price"
         " product quiet receipt retry river search session share shop slipper soup stone support switch theme timeout"
         " title token upload voucher welcome wish").split()
ROW = "#entries .rows [role=row]"
# The filters of flags that read most of each definition, besides the text.
FLAG_FILTERS = ("all", "enabled", "due")
FLAG_ROW = ".flag-list [role=row][aria-rowindex='2']"

# Measures until the first row is laid out: the path of the row.
FIRST_ROWS = """
(() => {
    const look = () => {
        const row = document.querySelector(`%s`);
        if (row) { requestAnimationFrame(() => { document.body.offsetHeight; window.firstRows = performance.now(); }); }
        else { requestAnimationFrame(look); }
    };
    look();
})();
"""

# Measures from a key to the laid out list: the last change of the document before the screen is drawn.
KEYSTROKES = """
() => {
    window.keyAt = 0;
    window.listAt = 0;
    addEventListener('keydown', () => { window.keyAt = performance.now(); window.listAt = 0; }, true);
    new MutationObserver(() => { document.body.offsetHeight; window.listAt = performance.now(); })
        .observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true });
}
"""
SEEN = """
(text) => {
    window.seenAt = 0;
    const look = () => {
        if (document.querySelector('main').textContent.includes(text)) { window.seenAt = performance.timeOrigin + performance.now(); }
        else { requestAnimationFrame(look); }
    };
    look();
}
"""
# Measures from a click until the form of a flag is laid out.
OPEN_FLAG = """
(row) => new Promise((done) => {
    const start = performance.now();
    const look = () => {
        if (document.querySelector('.flag .flag-columns')) { document.body.offsetHeight; done(performance.now() - start); }
        else { requestAnimationFrame(look); }
    };
    row.click();
    look();
})
"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))"


def value_of(number, source):
    """Returns a value of about 1 KB: an object for every fourth number, else a string."""
    words = [source.choice(WORDS) for _ in range(140)]
    if number % 4 == 0:
        return {"title": " ".join(words[:40]), "lines": words[40:90], "note": " ".join(words[90:]), "number": number}
    return f"{' '.join(words)} {number}"


def flag_of(number, source):
    """Returns a flag with its rules, owner, tags and, for some, an end."""
    variants = source.choice(({"on": True, "off": False}, {"small": 10, "medium": 25, "large": 100},
                              {"control": "list", "grid": "grid", "cards": "cards"}))
    first, *others = variants
    split = {"fractional": [[name, 100 // len(variants)] for name in variants]}
    rules = [{"==": [{"var": "plan"}, source.choice(WORDS)]}, first,
             {"in": [{"var": "country"}, source.sample(WORDS, 6)]}, others[0],
             {"sem_ver": [{"var": "appVersion"}, ">=", f"{number % 9}.{number % 20}.0"]}, split]
    metadata = {"owner": f"{source.choice(WORDS)} team", "tags": ", ".join(source.sample(WORDS, 2))}
    if number % 3 == 0:
        metadata["expires"] = f"202{source.randrange(5, 9)}-0{source.randrange(1, 10)}-15"
    if number % 25 == 0:
        metadata["archived"] = True
    return {"state": "DISABLED" if number % 7 == 0 else "ENABLED", "variants": variants, "defaultVariant": first,
            "targeting": {"if": rules[:2 * source.randrange(4)] + [split]} if number % 4 else {},
            "metadata": metadata}


def plant(instance, count, flags):
    source = random.Random(16)
    instance.begin_with_flags(ENVIRONMENT, {
        f"{source.choice(WORDS)}.{source.choice(WORDS)}-{source.choice(WORDS)}-{number:04d}": flag_of(number, source)
        for number in range(flags)})
    entries = {}
    for number in range(count - flags):
        key = ".".join(source.choice(WORDS) for _ in range(3)) + f".k{number:05d}"
        entries[key] = value_of(number, source)
    keys = list(entries)
    for start in range(0, len(keys), 2000):
        instance.release(ENVIRONMENT, {key: entries[key] for key in keys[start:start + 2000]}, "Entries to measure with")
    return entries


class Figures:
    """The results of a measurement, each with its goal."""

    def __init__(self, instance, context, page, values):
        self._instance = instance
        self._context = context
        self._page = page
        self._values = values
        self._lines = []

    def measure(self, keystrokes, rounds):
        self._first_rows("entries", ROW, rounds)
        self._keystrokes("entries", ROW, keystrokes)
        self._size(ROW)
        self._releases(rounds)
        self._first_rows("flags", FLAG_ROW, rounds)
        for show in FLAG_FILTERS:
            self._keystrokes("flags", FLAG_ROW, keystrokes, show)
        self._size(".flag-list [role=row]")
        self._open_flags(rounds)
        self._memory()

    def report(self):
        """Prints every result, and returns True if all goals are met."""
        for name, figure, goal, met in self._lines:
            verdict = "" if goal is None else f"goal {goal}: {'met' if met else 'MISSED'}"
            print(f"{name:<42} {figure:>32}   {verdict}".rstrip())
        return all(met for *_, met in self._lines)

    def _add(self, name, figure, goal=None, met=True):
        self._lines.append((name, figure, goal, met))

    def _first_rows(self, screen, row, rounds):
        times = []
        for _ in range(rounds + 1):
            page = self._context.new_page()
            page.add_init_script(FIRST_ROWS % row)
            page.goto(f"{self._instance.page_url()}/#/{ENVIRONMENT}/{screen}")
            page.wait_for_function("() => window.firstRows")
            times.append(page.evaluate("() => window.firstRows"))
            page.close()
        # The first page filled the browser's cache.
        middle = statistics.median(times[1:])
        self._add(f"first rows of {screen}", f"{middle:.0f} ms (at most {max(times[1:]):.0f})", "500 ms", middle <= 500)
        self._add(f"first rows of {screen}, nothing cached", f"{times[0]:.0f} ms")

    def _keystrokes(self, screen, row, count, show="all"):
        page = self._page
        page.goto(f"{self._instance.page_url()}/#/{ENVIRONMENT}/{screen}?show={show}")
        expect(page.locator(row).first).to_be_visible()
        field = page.get_by_role("searchbox")
        field.focus()
        page.evaluate(KEYSTROKES)
        source = random.Random(17)
        times = []
        while len(times) < count:
            word = source.choice(WORDS)
            for key in [*word, *["Backspace"] * len(word)]:
                page.keyboard.press(key)
                page.evaluate(DRAWN)
                took = page.evaluate("() => window.listAt && window.listAt - window.keyAt")
                # A key that leaves the list unchanged has no time.
                if took:
                    times.append(took)
        times = sorted(times[:count])
        middle = statistics.median(times)
        name = f"a keystroke in the filter of {screen}" + ("" if show == "all" else f" ({show})")
        self._add(name, f"{middle:.1f} ms (p99 {times[int(len(times) * 0.99)]:.1f})", "16 ms", middle <= 16)

    def _size(self, row):
        rows = self._page.locator(row).count()
        self._add("rows in the document", str(rows), "200", rows <= 200)
        self._add("elements in the document", str(self._page.locator("*").count()))

    def _open_flags(self, rounds):
        page = self._page
        times = []
        for number in range(rounds):
            page.goto(f"{self._instance.page_url()}/#/{ENVIRONMENT}/flags")
            link = page.locator(f".flag-list [role=row][aria-rowindex='{number + 2}'] a")
            times.append(link.evaluate(OPEN_FLAG))
        middle = statistics.median(times)
        self._add("a flag opened", f"{middle:.0f} ms (at most {max(times):.0f})")
        self._add("elements in the document", str(self._page.locator("*").count()))

    def _releases(self, rounds):
        page = self._page
        key = sorted(self._values)[0]
        page.get_by_role("searchbox").fill(key)
        expect(page.locator(ROW).first).to_contain_text(key)
        times = []
        for number in range(rounds):
            text = f"release {number} of somebody else"
            page.evaluate(SEEN, text)
            sent = time.time()
            self._instance.release(ENVIRONMENT, {key: text})
            page.wait_for_function("() => window.seenAt")
            times.append(page.evaluate("() => window.seenAt") - sent * 1000)
        middle = statistics.median(times)
        self._add("a release of somebody else", f"{middle:.0f} ms (at most {max(times):.0f})", "1000 ms", middle <= 1000)

    def _memory(self):
        session = self._context.new_cdp_session(self._page)
        session.send("HeapProfiler.collectGarbage")
        session.send("Performance.enable")
        metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        self._add("memory of JavaScript", f"{metrics['JSHeapUsedSize'] / 1048576:.0f} MiB")
        texts = sum(len(key) + len(str(value)) for key, value in self._values.items())
        self._add("  of which keys and values, in the server", f"{texts / 1048576:.0f} MiB")


def main():
    home, entries, flags, keystrokes, rounds = sys.argv[1], *map(int, sys.argv[2:])
    instance = Instance(home)
    print(f"{entries} entries of 1 KB, {flags} of them flags", flush=True)
    values = plant(instance, entries, flags)
    with chromium() as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(f"{instance.page_url()}/{instance.link([ENVIRONMENT])}")
        figures = Figures(instance, context, page, values)
        figures.measure(keystrokes, rounds)
        sys.exit(0 if figures.report() else GOAL_MISSED)


if __name__ == "__main__":
    main()
