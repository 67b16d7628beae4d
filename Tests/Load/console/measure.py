"""Measures the console: measure.py HOME ENTRIES KEYSTROKES ROUNDS"""

import random
import statistics
import sys
import time

from playwright.sync_api import expect

from support.chromium import chromium
from support.instance import Instance

ENVIRONMENT = "staging"
WORDS = ("alpha banner basket calendar card checkout colour country delivery discount feature filter greeting image index"
         " invoice level limit list login mail map message method note offer onboarding order page payment plan price"
         " product quiet receipt retry river search session share shop slipper soup stone support switch theme timeout"
         " title token upload voucher welcome wish").split()
ROW = "[role=row][aria-rowindex], [role=treeitem], [role=option]"

FIRST_ROWS = """
(() => {
    const look = () => {
        const row = document.querySelector('#entries-rows [data-key], ROW');
        if (row) { requestAnimationFrame(() => { document.body.offsetHeight; window.firstRows = performance.now(); }); }
        else { requestAnimationFrame(look); }
    };
    look();
})();
"""

# From a key to the list that it leads to, laid out: the last change of the document before the screen is drawn.
KEYSTROKES = """
() => {
    window.keyAt = 0;
    window.listAt = 0;
    addEventListener('keydown', () => { window.keyAt = performance.now(); window.listAt = 0; }, true);
    new MutationObserver(() => { document.body.offsetHeight; window.listAt = performance.now(); })
        .observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true });
}
"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))"


def value_of(number, source):
    """About 1 KB, of each type that a config has."""
    words = [source.choice(WORDS) for _ in range(140)]
    if number % 4 == 0:
        return {"title": " ".join(words[:40]), "lines": words[40:90], "note": " ".join(words[90:]), "number": number}
    return f"{' '.join(words)} {number}"


def plant(instance, count):
    source = random.Random(16)
    instance.begin(ENVIRONMENT, {})
    entries = {}
    for number in range(count):
        key = ".".join(source.choice(WORDS) for _ in range(3)) + f".k{number:05d}"
        entries[key] = value_of(number, source)
    keys = list(entries)
    for start in range(0, count, 2000):
        instance.release(ENVIRONMENT, {key: entries[key] for key in keys[start:start + 2000]}, "Entries to measure with")
    return entries


def main():
    home, entries, keystrokes, rounds = sys.argv[1], *map(int, sys.argv[2:])
    instance = Instance(home)
    print(f"{entries} entries of 1 KB", flush=True)
    values = plant(instance, entries)
    with chromium() as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(f"{instance.page_url()}/{instance.link([ENVIRONMENT])}")
        figures = Figures(instance, context, page, values)
        figures.measure(keystrokes, rounds)
        sys.exit(0 if figures.report() else 1)
