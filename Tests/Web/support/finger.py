"""A finger on a page: real touch events."""

from playwright.sync_api import expect


class Finger:
    def __init__(self, page):
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def touch(self, kind, *points):
        """Sends a touch event."""
        self._session.send("Input.dispatchTouchEvent",
                           {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def drag(self, row, dx, dy=0, end="touchEnd"):
        """Moves from the middle of a row in ten steps."""
        box = row.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.touch("touchStart", (x, y))
        for step in range(1, 11):
            self.touch("touchMove", (x + dx * step / 10, y + dy * step / 10))
        if end:
            self.touch(end)

    def hold(self, row):
        """Presses a row until its menu opens; returns the menu."""
        box = row.bounding_box()
        self.touch("touchStart", (box["x"] + 60, box["y"] + 30))
        menu = self._page.get_by_role("dialog")
        expect(menu).to_be_visible()
        self.touch("touchEnd")
        return menu
