"""What axe finds on a page: faults that keep people from reading or using it."""

from axe_playwright_python.sync_playwright import Axe

# The rules whose outcome depends on colours: only these can differ between the light and the dark scheme.
RULES_OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
RUN = "([part, options]) => axe.run(part ?? document, options)"


def find_violations(page, place, part=None):
    """Checks a page, or the part of it with this selector, in both schemes. Returns a line for each violation.

    Afterwards the page is in the light scheme, and has nothing that moves.
    """
    # Where nothing moves, colours change at once.
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    light = Axe().run(page, context=part, options={"resultTypes": ["violations"], "preload": False}).response
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(RUN, [part, {"resultTypes": ["violations"], "preload": False, "runOnly": RULES_OF_COLOURS}])
    page.emulate_media(color_scheme="light")
    return [f"{place}, {scheme}: {one['id']}: {node['target']} {node['html'][:120]}"
            for scheme, results in (("light", light), ("dark", dark))
            for one in results["violations"] for node in one["nodes"]]
