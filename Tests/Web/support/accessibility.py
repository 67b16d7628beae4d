"""Accessibility checks of a page with axe."""

from axe_playwright_python.base import AXE_SCRIPT

# Rules that depend on colours; only these can differ between the light and the dark scheme.
RULES_OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
OPTIONS = {"resultTypes": ["violations"], "preload": False}
# Returns a line for each violation. The other results are large, so they stay in the page.
RUN = """
async ([part, options]) => (await axe.run(part ?? document, options)).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target} ${html.slice(0, 120)}`))
"""


def find_violations(page, place, part=None):
    """Checks a page, or the part that matches a selector, in both colour schemes. Returns a line for each violation.

    Afterwards the page has the dark scheme and reduced motion."""
    # Compiling axe costs as much as a small check, so a page keeps it.
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = []
    # With reduced motion, colours change at once. The dark scheme is last, because `look` begins with it.
    for scheme, options in (("light", OPTIONS), ("dark", {**OPTIONS, "runOnly": RULES_OF_COLOURS})):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{place}, {scheme}: {one}" for one in page.evaluate(RUN, [part, options])]
    return found
