"""Tabs of one device that run only the notes' worker."""

import functools
import glob
import json
import os

from support.bundle import bundle
from support.case import TIMEOUT, BrowserCase
from support.notes import NotesUser

PAGE = "engine-of-tests.html"
EMPTY_PAGE = '<!doctype html><title>Tabs</title><link rel="icon" href="/icon-192.png">'

# Scripts at the start of a worker, for another version and for a device with another clock.
NEWER = """
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (name, version) { return open.call(this, name, version + 1); };
"""
CLOCK = """
const now = Date.now.bind(Date);
let shift = 0;
Date.now = () => now() + shift;
new BroadcastChannel("clock").onmessage = ({ data }) => { shift = data; };
"""

# A browser that drops the database connection, before the next transaction or during it.
DROPPING = """
const begin = IDBDatabase.prototype.transaction;
let next = null;
IDBDatabase.prototype.transaction = function (...words) {
    const how = words[1] === "readwrite" ? next : null;
    if (how) next = null;
    if (how === "before") throw new DOMException("The database connection is closing.", "InvalidStateError");
    const transaction = begin.apply(this, words);
    if (how === "meanwhile") queueMicrotask(() => { transaction.abort(); this.close(); });
    return transaction;
};
new BroadcastChannel("drop").onmessage = ({ data }) => { next = data; };
"""

# A transaction that lasts until it is aborted, starting with the next one.
LASTING = """
const begin = IDBDatabase.prototype.transaction;
const channel = new BroadcastChannel("lasting");
let isNext = false;
IDBDatabase.prototype.transaction = function (...words) {
    const transaction = begin.apply(this, words);
    if (isNext) {
        isNext = false;
        const go = () => { transaction.objectStore("meta").get("progress").onsuccess = go; };
        go();
        channel.postMessage("begun");
    }
    return transaction;
};
channel.onmessage = () => { isNext = true; };
"""

# A browser that aborts the write of the note "given up" after all of its requests have succeeded.
GIVING_UP = """
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...words) {
    const request = put.apply(this, words);
    if (words[0].text?.title === "given up") {
        let left = 100;
        const go = () => {
            left -= 1;
            if (left > 0) this.get(words[0].id).onsuccess = go;
            else this.transaction.abort();
        };
        go();
    }
    return request;
};
"""

# A tab that receives no messages of other tabs.
DEAF = "BroadcastChannel = class extends BroadcastChannel { constructor() { super(crypto.randomUUID()); } };"

# The databases of this origin.
DATABASES = "indexedDB.databases().then((all) => all.map(({ name }) => name))"

OPEN = """([worker, environment, account]) => {
    const policy = globalThis.policy ??= trustedTypes.createPolicy("almanac", { createScriptURL: (url) => url });
    const made = new Worker(policy.createScriptURL(worker), { type: "module" });
    globalThis.heard = { changed: [], state: [], failure: [], wiped: [] };
    made.postMessage({ open: { environment, account } });
    globalThis.engine = new engineModule.Engine(made);
    for (const name of Object.keys(heard)) {
        engine.addEventListener(name, ({ detail }) => heard[name].push(detail instanceof Error ? detail.kind : detail));
    }
}"""

SIGN_IN = """async ([environment, token]) => (await fetch(`/${environment}/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Almanac-Session": "1" },
    body: JSON.stringify({ token }),
})).status"""


@functools.cache
def client():
    """Returns the page's side of the worker as one script."""
    script = bundle("Sources/Web/notes/engine/client.js", "--global-name=engineModule")
    return f"{script}\nglobalThis.engineModule = engineModule;"


class Engines:
    """A user's notes in tabs of a context."""

    def __init__(self, person, user):
        self.person = person
        self.user = user
        self._files = []
        self._folder = os.path.join(user.instance.home, "www/notes")
        workers = glob.glob(os.path.join(self._folder, "assets/*/notes/engine/worker.js"))
        self.worker = max(workers, key=os.path.getmtime).removeprefix(self._folder)

    def file(self, name, text):
        """Adds a file to the page's folder until the test ends."""
        path = os.path.join(self._folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self._files.append(path)

    def remove_files(self):
        for path in set(self._files):
            os.unlink(path)

    def tab(self):
        """Opens a tab without an engine."""
        page = self.person.context.new_page()
        page.goto(f"{self.person.origin}/{PAGE}")
        page.evaluate(client())
        return page

    def sign_in(self, page):
        return page.evaluate(SIGN_IN, [self.user.environment, self.user.token])

    def open(self, page=None, beginning=None):
        """Opens a tab whose engine is starting; `beginning` is a script that its worker runs first."""
        page = page or self.tab()
        worker = self.worker
        if beginning:
            name = f"assets/worker-of-tests-{abs(hash(beginning))}"
            self.file(f"{name}-first.js", beginning)
            self.file(f"{name}.js", f'import "./{os.path.basename(name)}-first.js";\nimport "{self.worker}";\n')
            worker = f"/{name}.js"
        page.evaluate(OPEN, [worker, self.user.environment, self.user.name])
        return Tab(page)

    def opened(self, **options):
        tab = self.open(**options)
        tab.do("engine.opened")
        return tab


class Tab:
    """A page with an engine; its methods take JavaScript expressions."""

    def __init__(self, page):
        self.page = page

    def do(self, expression, *words):
        return self.page.evaluate(f"async (words) => {{ return await ({expression}); }}", list(words))

    def await_state(self, condition):
        """Waits until a condition on the state `s` is true."""
        self.await_true(f"((s) => {condition})(engine.state())")
        return self.do("engine.state()")

    def await_true(self, expression, *words):
        """Waits until an expression, or the value of its promise, is true."""
        self.page.evaluate(
            f"""async ([timeout, words]) => {{
                const end = performance.now() + timeout;
                while (!(await ({expression}))) {{
                    if (performance.now() > end) throw new Error(JSON.stringify([engine.state(), heard]));
                    await new Promise((resolve) => setTimeout(resolve, 20));
                }}
            }}""", [TIMEOUT, list(words)])

    def failure(self, expression, *words):
        """Returns the failure of a call: the kind of a StorageFailure, or another error's message; None on success."""
        return self.page.evaluate(
            f"""async ([timeout, words]) => {{
                const late = new Promise((resolve) => setTimeout(() => resolve("no answer"), timeout));
                const failed = async () => {{
                    try {{ await ({expression}); return null; }}
                    catch (failure) {{ return failure.kind ?? failure.message; }}
                }};
                return await Promise.race([failed(), late]);
            }}""", [TIMEOUT, list(words)])

    def create(self, title, body=""):
        return self.do("engine.create({ title: words[0], body: words[1] })", title, body)["id"]

    def write(self, note, body):
        """Replaces the body of a note."""
        return self.do(
            """engine.note(words[0]).then(({ text }) => engine.edit(words[0], text, { ...text, body: words[1] }))""",
            note, body)["record"]

    def titles(self, place="list"):
        return self.do(
            """engine.list({ place: words[0], order: "title" })
                .then(({ ids }) => engine.summaries(ids)).then((all) => all.map(({ title }) => title))""", place)

    def await_title(self, title):
        self.await_true(
            """engine.list({ place: "list", order: "title" }).then(({ ids }) => engine.summaries(ids))
                .then((all) => all.some((each) => each.title === words[0]))""", title)

    def sync(self):
        """Syncs at once, and waits until both sides are equal."""
        self.do("engine.syncNow()")
        return self.await_state("s.phase === 'upToDate' && s.pending === 0")

    def debugger(self):
        return self.page.context.new_cdp_session(self.page)


class EnginesCase(BrowserCase):
    """A test with tabs that run an engine each."""

    def setUp(self):
        super().setUp()
        blank = os.path.join(self.instance.home, "www/notes", PAGE)
        with open(blank, "w", encoding="utf-8") as file:
            file.write(EMPTY_PAGE)
        self.addCleanup(os.unlink, blank)
        self.user = NotesUser(self.instance)
        self.database = f"almanac-notes:development:{self.user.name}"
        self.one = self.person(application="notes")
        self.engines = Engines(self.one, self.user)
        self.addCleanup(self.engines.remove_files)

    def signed_in(self):
        """Opens a signed-in tab without an engine."""
        page = self.engines.tab()
        self.assertEqual(self.engines.sign_in(page), 201)
        return page

    def first_tab(self):
        """Opens a tab that is the leader and up to date."""
        tab = self.engines.opened(page=self.signed_in())
        tab.await_state("s.isLeader && s.phase === 'upToDate'")
        return tab

    def another_tab(self):
        tab = self.engines.opened()
        tab.await_state("!s.isLeader && s.phase === 'upToDate'")
        return tab

    def sent_actions(self):
        """Returns the ids of all actions that pages have sent, in order."""
        sent = []
        for request in self.one.checks.requests:
            if request.method == "POST" and request.url.endswith("/notes"):
                sent += [parts["action_id"] for _, parts in json.loads(request.post_data)]
        return sent
