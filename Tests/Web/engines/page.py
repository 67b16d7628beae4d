"""A page in an engine: elements by role and name, clicks and real keys."""

import base64
import os
import time

from driver import ELEMENT, KEYS, TIMEOUT, Refused

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "find.js"), encoding="utf-8") as source:
    FIND = source.read().replace("export function", "function")
# Reads the errors of all loads of the page's application.
FAULTS = """JSON.parse(localStorage.getItem("almanac-test-faults") ?? "[]")"""
# Stores the errors of a page that occur after it has loaded.
WATCH = f"""
if (window.almanacIsWatched) return;
window.almanacIsWatched = true;
const add = (fault) => localStorage.setItem("almanac-test-faults", JSON.stringify([...{FAULTS}, fault]));
""" + """
addEventListener("error", ({ message, filename, lineno }) => add(`${message} (${filename}:${lineno})`));
addEventListener("unhandledrejection", ({ reason }) => add(`unhandled: ${reason?.stack ?? reason}`));
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    add(`policy: ${effectiveDirective} ${blockedURI}`));
for (const kind of ["error", "warn"]) console[kind] = (...words) => add(`console: ${words.join(" ")}`);
"""
# The page may replace an element between its search and its use.
REPLACED = ("stale element reference", "no such element")


class Page:
    """The page of a session. An action waits until its element is there; nothing else is repeated."""

    def __init__(self, session):
        self._session = session
        self.version = session.version
        session.command("size", {"width": 1280, "height": 900})

    def open(self, url):
        self._session.command("open", {"url": url})
        self.run(WATCH)

    def reload(self):
        self._session.command("reload", {})
        self.run(WATCH)

    def leave_for(self, url):
        """Opens a page of another application, whose errors do not count."""
        self._session.command("open", {"url": url})

    def go_back(self):
        """Returns true if the engine has kept the page, and did not load it again."""
        self._session.command("back", {})
        is_kept = self.run("return window.almanacIsWatched === true")
        self.run(WATCH)
        return is_kept

    def replace_tab(self, url):
        """Closes the tab, and opens the address in a new one."""
        tab = self._session.command("new tab", {"type": "tab"})["handle"]
        self._session.command("close tab", {})
        self._session.command("switch", {"handle": tab})
        self.open(url)

    def faults(self):
        """Returns the errors of the page so far."""
        return self.run(f"return {FAULTS}")

    @property
    def url(self):
        return self._session.command("url", {})

    def go(self, fragment):
        """Opens an address of the loaded page."""
        self.run("location.hash = arguments[0]", fragment)

    def run(self, script, *arguments):
        """Runs the body of a function in the page; returns its value."""
        return self._session.command("run", {"script": script, "args": list(arguments)})

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._session.command("picture", {})))

    def until(self, condition, subject):
        """Returns the first true value of a condition."""
        deadline = time.monotonic() + TIMEOUT
        while not (value := condition()):
            if time.monotonic() > deadline:
                raise AssertionError(f"{subject()} after {TIMEOUT} s")
            time.sleep(0.02)
        return value

    # Elements.

    def css(self, selector, text=None):
        return Place(self, [{"css": selector, "text": text}])

    def role(self, role, name=None, exact=False):
        return Place(self, [{"role": role, "name": name, "exact": exact}])

    # Keys.

    def type(self, text, pause=0):
        """Presses and releases the key of each letter, and waits for `pause` milliseconds."""
        actions = []
        for letter in text.replace("\n", KEYS["Enter"]):
            actions += [{"type": "keyDown", "value": letter}, {"type": "keyUp", "value": letter}]
        self._act([*actions, {"type": "pause", "duration": pause}])

    def press(self, keys):
        """Presses keys together, such as Control+Enter."""
        values = [KEYS.get(key, key) for key in keys.split("+")]
        self._act([*({"type": "keyDown", "value": value} for value in values),
                   *({"type": "keyUp", "value": value} for value in reversed(values))])

    def _act(self, actions):
        self._session.command("act", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})


class Place:
    """The elements that a search finds; the search is repeated at each use."""

    def __init__(self, page, steps):
        self._page = page
        self._steps = [{key: value for key, value in step.items() if value is not None} for step in steps]

    def __str__(self):
        return " > ".join(" ".join(f"{key}={value}" for key, value in step.items()) for step in self._steps)

    def css(self, selector, text=None):
        return Place(self._page, [*self._steps, {"css": selector, "text": text}])

    def role(self, role, name=None, exact=False):
        return Place(self._page, [*self._steps, {"role": role, "name": name, "exact": exact}])

    def count(self):
        return self._page.run(f"{FIND}\nreturn find(arguments[0]).length;", self._steps)

    def run(self, script, *arguments):
        """Runs the body of a function with the first element as its first argument."""
        return self._use(lambda element: self._page.run(script, element, *arguments))

    def click(self):
        """Clicks the middle; the engine refuses if another element covers it."""
        self._use(lambda element: self._page._session.command("click", {"id": element[ELEMENT]}))

    def text(self):
        return self.run("return arguments[0].innerText")

    def value(self):
        return self.run("return arguments[0].value")

    def write(self, text):
        """Replaces the text of a field by keys."""
        self.click()
        self._page.press("Control+a")
        self._page.type(text)

    def choose(self, value):
        """Chooses an option of a select by its value, with the events of a user's choice."""
        self.run("arguments[0].value = arguments[1];"
                 "for (const type of ['input', 'change'])"
                 "    arguments[0].dispatchEvent(new Event(type, { bubbles: true }));", value)

    def focused(self):
        return self.run("return arguments[0].getRootNode().activeElement === arguments[0]")

    # Conditions.

    def await_count(self, count):
        self._page.until(lambda: self.count() == count, lambda: f"there are {self.count()}, not {count} of {self}")

    def await_gone(self):
        self.await_count(0)

    def await_shown(self):
        self._page.until(self.count, lambda: f"there is no {self}")
        return self

    def await_text(self, text):
        self._page.until(lambda: text in self.text(), lambda: f"{self} has the text {self.text()!r}, not {text!r}")

    def await_value(self, text):
        self._page.until(lambda: self.value() == text, lambda: f"{self} has the value {self.value()!r}, not {text!r}")

    def await_focus(self):
        self._page.until(self.focused, lambda: f"the focus is not on {self}")

    def await_enabled(self):
        self._page.until(lambda: not self.run("return arguments[0].disabled"), lambda: f"{self} is disabled")

    def _use(self, action):
        while True:
            self.await_shown()
            try:
                element = self._page.run(f"{FIND}\nreturn find(arguments[0])[0];", self._steps)
                if element:
                    return action(element)
            except Refused as reason:
                if reason.kind not in REPLACED:
                    raise
