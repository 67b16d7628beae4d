"""Simulated devices of one user of the notes: a browser context each, with tabs of the page and disturbances."""

import contextlib
import functools
import os
import threading
import time

from playwright.sync_api import Error

from support.bundle import bundle
from support.case import TIMEOUT, BrowserUser
from support.engine import EMPTY_PAGE, PAGE
from support.gate import Gate
from support.layout import layouts
from support.notes import PAGE_KEPT
from support.notes_editor import SOURCE_MODE
from support.quota import Quota

# The limit on words that one life of a page may write.
WORDS = 500
MAX_TABS = 3

# Checks for a new version, as the browser does from time to time, and waits for it.
CHECK_FOR_UPDATE = """async (timeout) => {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration?.active) return false;
    await registration.update();
    const end = performance.now() + timeout;
    while (registration.installing && performance.now() < end) await new Promise((done) => setTimeout(done, 10));
    return registration.waiting !== null;
}"""

# A page without a version, which a new service worker need not wait for.
REPORT_NO_VERSION = """() => {
    navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
        if (data === "version") ports[0]?.postMessage("none");
    });
    navigator.serviceWorker.startMessages();
}"""

# Makes a worker's database connections drop, and prevents new ones.
REFUSE = """() => {
    const { transaction } = IDBDatabase.prototype;
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = () => { throw new DOMException("refused", "UnknownError"); };
    IDBDatabase.prototype.transaction = () => { throw new DOMException("dropped", "InvalidStateError"); };
    globalThis.allow = () => {
        IDBDatabase.prototype.transaction = transaction;
        IDBFactory.prototype.open = open;
    };
}"""
ALLOW = "() => globalThis.allow?.()"

# Starts an upgrade of the database that does not finish, like another version of the page.
HOLD = """(name) => new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1_000_000);
    request.onsuccess = () => reject(new Error("there was nothing to change"));
    globalThis.letGo = () => new Promise((done) => {
        request.onerror = done;
        request.onsuccess = done;
        globalThis.isOver = true;
    });
    request.onerror = reject;
    request.onupgradeneeded = () => {
        const { transaction } = request;
        const store = transaction.objectStore("meta");
        const go = () => {
            if (globalThis.isOver) transaction.abort();
            else store.get("none").onsuccess = go;
        };
        go();
        resolve();
    };
})"""


@functools.cache
def script():
    """Returns the script injected into each page."""
    return bundle("Tests/Web/simulation/page.js")


# Returns the visible texts of a page and the state of its service workers.
VISIBLE_STATE = """async () => {
    const texts = (where) => [...document.querySelectorAll(where)].flatMap(({ innerText }) => innerText || []);
    const { installing, waiting, active } = (await navigator.serviceWorker.getRegistration()) ?? {};
    return JSON.stringify({
        said: texts(".bar-line, .notice-box, .spoken, .note-notice, .alone"),
        address: location.hash,
        editor: globalThis.simulation?.editor(),
        workers: { installing: installing?.state, waiting: waiting?.state, active: active?.state },
        standing: await globalThis.simulation?.state(),
    });
}"""


class Versions:
    """Two versions of the page, one of which is served."""

    def __init__(self, home):
        self._layouts = layouts(home)
        self._layout = self._layouts.__enter__()  # pylint: disable=unnecessary-dunder-call
        with open(os.path.join(self._layout.folder, PAGE), "w", encoding="utf-8") as file:
            file.write(EMPTY_PAGE)
        self._files = {self._layout.version(): self._read()}
        other = self._layout.lay_out_another()
        self._files[other] = self._read()
        # Guards the choice of the served version.
        self._lock = threading.Lock()
        # Held by the simulation whose page is updating.
        self.changing = threading.Lock()

    def offer(self, page, old):
        """Serves another version than the page's own; returns true if the browser found it."""
        with self._lock:
            [other] = [version for version in self._files if version != old]
            for name, content in self._files[other].items():
                path = os.path.join(self._layout.folder, name)
                with open(f"{path}.new", "wb") as file:
                    file.write(content)
                os.replace(f"{path}.new", path)
            return page.evaluate(CHECK_FOR_UPDATE, TIMEOUT)

    def _read(self):
        files = {}
        for entry in os.scandir(self._layout.folder):
            if entry.is_file():
                with open(entry.path, "rb") as file:
                    files[entry.name] = file.read()
        return files

    def end(self):
        self._layouts.__exit__(None, None, None)


class Tab:
    """A tab of the page, and its typed text that is not known to be stored."""

    def __init__(self, device, page, first_word):
        self.device = device
        self.page = page
        self.first_word = first_word
        # Pairs of a note and the log lines of its typed text.
        self.typed = []
        self.is_dead = False
        page.on("crash", lambda _: self.die())

    def die(self):
        self.is_dead = True

    def ready(self):
        """Waits until its notes are loaded; a reload starts another life."""
        self.until("(first) => simulation.isOpen() && simulation.begin(first)", self.first_word())
        return self

    def until(self, condition, *words, timeout=TIMEOUT):
        self.page.wait_for_function(condition, arg=words[0] if words else None, polling=20, timeout=timeout)

    def ask(self, what, *words):
        return self.page.evaluate(
            f"""async ([timeout, words]) => {{
                const late = new Promise((_, fail) => setTimeout(fail, timeout, new Error("no answer to {what}")));
                return await Promise.race([simulation.{what}(...words), late]);
            }}""", [TIMEOUT, list(words)])

    def version(self):
        return self.page.evaluate(
            """() => /\\/assets\\/(\\w+)\\//.exec(document.querySelector('script[src*="main.js"]').src)[1]""")

    def visible_state(self):
        """Returns the page's visible state, for a failure's report."""
        try:
            return self.page.wait_for_function(VISIBLE_STATE, timeout=5000).json_value()
        except Error as failure:
            return failure.message

    def report_network(self, is_there):
        try:
            self.page.evaluate("(name) => dispatchEvent(new Event(name))", "online" if is_there else "offline")
        except Error:
            # The page has ended.
            pass

    def open(self, note):
        self.page.evaluate("(fragment) => { location.hash = fragment; }", f"#/development/notes/{note}")
        self.until("(note) => simulation.isEditing(note)", note)

    def log_stored(self):
        """Logs typed text as written once the page reports that it is stored."""
        editor = self.ask("editor")
        if editor["status"] in ("onThisDevice", "onServer"):
            for note, lines in self.typed:
                if editor["note"] == note:
                    lines.append("done")
            self.typed = [each for each in self.typed if each[0] != editor["note"]]
        return editor

    def kill(self):
        """Kills the renderer process, with all tabs that share it."""
        try:
            self.page.goto("chrome://crash")
        except Error:
            pass
        self.is_dead = True

    def close(self):
        self.is_dead = True
        self.page.close()

    def workers(self):
        return [worker for worker in self.page.workers if "engine/worker" in worker.url]


class Device:
    """
    A browser context with its own connection to the server; users use it one after the other. Its editor shows the
    source of notes or hides the marks.
    """

    def __init__(self, stage, is_source=False):
        self.user = None
        self._first_word = None
        self.gate = Gate(stage.instance.port)
        self.person = BrowserUser(stage, application="notes", port=self.gate.port)
        # The console reports every interrupted, refused or full operation.
        self.person.checks.allow(r"ERR_|status of 50[0-9]|StorageFailure|QuotaExceeded|refused|Failed to fetch")
        self.context = self.person.context
        self.context.add_init_script(script())
        if is_source:
            self.context.add_init_script(SOURCE_MODE)
        self.tabs = []
        self.is_offline = self.is_cut_off = False
        self._release = None
        # An idle page, for commands to the browser.
        self._anchor = self.person.open(PAGE)
        self._anchor.evaluate(REPORT_NO_VERSION)
        self._session = self.context.new_cdp_session(self._anchor)
        self.quota = Quota(self.person, self._anchor)

    def begin(self, user, first_word):
        """Signs a user in; `first_word` returns the number of the first word for each life of a page."""
        self.user = user
        self._first_word = first_word
        return self._begin_tab(user.link())

    def leave(self):
        """Removes the user with all local data; the service worker and its files stay."""
        self.heal()
        for tab in self.tabs:
            tab.close()
        self.tabs = []
        self.context.clear_cookies()
        data = {"origin": self.person.origin, "storageTypes": "indexeddb,local_storage"}
        self._session.send("Storage.clearDataForOrigin", data)

    def open_tab(self):
        return self._begin_tab("#/development").ready()

    def _begin_tab(self, fragment):
        page = self.context.new_page()
        page.goto(f"{self.person.origin}/{fragment}", wait_until="commit")
        self.tabs.append(Tab(self, page, self._first_word))
        return self.tabs[-1]

    def close_dead_tabs(self):
        """Closes dead tabs."""
        for tab in self.tabs:
            if tab.is_dead and not tab.page.is_closed():
                tab.page.close()
        self.tabs = [tab for tab in self.tabs if not tab.is_dead]

    # Network failures.

    def go_offline(self):
        """Cuts all connections, and tells the pages by script that they are offline. Playwright's own call would wait
        forever for a service worker that has ended."""
        self.gate.shut()
        self.is_offline = True
        for tab in self.tabs:
            tab.report_network(False)

    def cut_off(self):
        """Cuts all connections without an offline event."""
        self.gate.shut()
        self.is_cut_off = True

    def go_online(self):
        if not self.is_offline and not self.is_cut_off:
            return
        self.gate.open()
        if self.is_offline:
            for tab in self.tabs:
                tab.report_network(True)
        self.is_offline = self.is_cut_off = False

    @contextlib.contextmanager
    def sending(self, tab):
        """Intercepts the next sync request. Yields a function that polls through a tab for the request. An unhandled
        request continues at the end."""
        stopped = []

        def stop(route):
            if stopped or route.request.method != "POST":
                route.continue_()
            else:
                stopped.append(route)

        def poll():
            # Playwright delivers events only during a call.
            tab.ask("editor")
            return stopped[0] if stopped else None
        address = f"**/{self.user.environment}/notes"
        self.context.route(address, stop)
        try:
            yield poll
        finally:
            self.context.unroute(address, stop)

    # Storage failures.

    @property
    def is_blocked(self):
        return self._release is not None

    def refuse(self):
        """Drops the databases of the tabs and prevents reopening."""
        workers = [worker for tab in self.tabs for worker in tab.workers()]
        for worker in workers:
            worker.evaluate(REFUSE)

        def release():
            for worker in workers:
                try:
                    worker.evaluate(ALLOW)
                except Error:
                    # The worker ended with its page.
                    pass
        self._release = release

    def hold(self):
        """Blocks the database with an upgrade by another version."""
        self._anchor.evaluate("() => { globalThis.isOver = false; }")
        self._anchor.evaluate(HOLD, f"almanac-notes:development:{self.user.name}")
        self._release = lambda: self._anchor.evaluate("() => letGo()")

    def release(self):
        release, self._release = self._release, None
        if release:
            release()

    def heal(self):
        self.gate.let_answers_go()
        self.go_online()
        self.release()
        self.quota.empty()

    def evidence(self):
        """Returns the visible state of its tabs, and the latest lines of its console."""
        state = {name for name in ("is_offline", "is_cut_off", "is_blocked") if getattr(self, name)}
        if self.quota.is_full:
            state.add("is_full")
        return "\n  ".join([f"a device {sorted(state)}", *(tab.visible_state() for tab in self.tabs),
                            *self.person.checks.console[-20:]])


def wait_until(condition, timeout):
    """Waits for a condition outside of pages; returns true if it became true."""
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
