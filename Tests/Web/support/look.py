"""Checks of what a page shows: at seven widths, at two of phones under touch, in both colour schemes, and by axe."""

import os

from .accessibility import find_violations

WIDTHS = (360, 640, 768, 900, 1024, 1100, 1440)
# Scheme, touch and widths of the looks. Sizes do not depend on the scheme, and colours are axe's part. A change of the
# scheme or of touch computes all styles again, so it happens once for its widths.
LOOKS = (("dark", True, (360,)), ("light", True, (390,)), ("light", False, WIDTHS))
# Resolves when a new size is laid out and painted.
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

with open(os.path.join(os.path.dirname(__file__), "look.js"), encoding="utf-8") as file:
    # Playwright takes an expression, and the formatter ends it as a statement.
    FAULTS = file.read().rstrip().removesuffix(";")


def find_faults(page, place, part=None):
    """Returns a line for each fault that axe or `look` finds in a page, or in the part that matches a selector."""
    return find_violations(page, place, part) + look(page, place, part)


def look(page, place, part=None):
    """Returns a line for each fault in what is seen, with the widths that have it.

    Afterwards the page has its former size and the light scheme."""
    size = page.viewport_size
    session = page.context.new_cdp_session(page)
    found = {}
    for scheme, touch, widths in LOOKS:
        session.send("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        page.emulate_media(color_scheme=scheme)
        for width in widths:
            page.set_viewport_size({"width": width, "height": size["height"]})
            page.evaluate(PAINTED)
            for fault in page.evaluate(FAULTS, part):
                found.setdefault(fault, []).append(f"{width} {'touch' if touch else scheme}")
    session.detach()
    page.set_viewport_size(size)
    page.evaluate(PAINTED)
    return [f"{place}: {fault} ({', '.join(widths)})" for fault, widths in found.items()]
