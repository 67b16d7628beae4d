"""Accessibility checks of a page with axe."""

from axe_playwright_python.sync_playwright import Axe

# Rules that depend on colours; only these can differ between the light and the dark scheme.
RULES_OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
RUN = "([part, options]) => axe.run(part ?? document, options)"


def find_violations(page, place, part=None):
    """Checks a page, or the part that matches a selector, in both colour schemes. Returns a line for each violation.

    Afterwards the page has the light scheme and reduced motion."""
    # With reduced motion, colours change at once.
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    light = Axe().run(page, context=part, options={"resultTypes": ["violations"], "preload": False}).response
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(RUN, [part, {"resultTypes": ["violations"], "preload": False, "runOnly": RULES_OF_COLOURS}])
    page.emulate_media(color_scheme="light")
    return [f"{place}, {scheme}: {one['id']}: {node['target']} {node['html'][:120]}"
            for scheme, results in (("light", light), ("dark", dark))
            for one in results["violations"] for node in one["nodes"]]
