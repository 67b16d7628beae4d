"""Measures the notes app: measure.py HOME PROFILE NOTES KEYSTROKES ROUNDS"""

import contextlib
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
import uuid

from playwright.sync_api import expect

from support.chromium import chromium, with_profile
from support.instance import CHECKOUT, Instance
from support.notes import PAGE_KEPT, NotesUser

WORDS = ("about after afternoon again answer apples arrive bakery basket before bicycle birthday book bread"
         " breakfast bring button call candle carrots chapter chicken coffee corner dinner doctor draft early"
         " evening family flour friend garden gift glass harbour holiday house idea kitchen lamp later letter"
         " library list lunch market meeting milk money morning mother museum music neighbour night office onions"
         " orange paint paper park phone photo plan plant question rain recipe river road salad school season shelf"
         " ship shoes singing station stone story street summer table teacher ticket tomorrow train travel umbrella"
         " village visit water weather weekend window winter").split()
# The exit status of a finished measurement that missed a goal, as in Tests/Load/lib/goals.sh.
GOAL_MISSED = 2
ROW = ".note-row .note-row-title"

SAID = "measured "
# Logs the times of the first rows, which are cached, and of the complete list from the database. The page logs them
# itself, because a Playwright call would add to the page's work.
FIRST_ROWS = """
((notes) => {
    const times = {};
    const tell = (name, isThere) => {
        if (!isThere()) { requestAnimationFrame(() => tell(name, isThere)); return; }
        requestAnimationFrame(() => {
            document.body.offsetHeight;
            times[name] = performance.now();
            if (times.firstRows && times.wholeList) console.debug(`@said@${JSON.stringify(times)}`);
        });
    };
    tell('firstRows', () => document.querySelector('.note-row .note-row-head'));
    tell('wholeList', () => document.querySelector('.note-row')?.ariaSetSize === String(notes));
})
""".replace("@said@", SAID)
# True if the rows are cached for the next start.
KEPT = "() => Object.keys(localStorage).some((key) => key.startsWith('almanac.notes.rows:'))"
# True if the lists' own copy of the notes is complete and the daily comparison is done, after the first sync.
SHELVED = """
async () => {
    const { name } = (await indexedDB.databases()).find(({ name }) => name.startsWith("almanac-notes:"));
    const database = await new Promise((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    const transaction = database.transaction(["beside", "meta"]);
    const beside = transaction.objectStore("beside").count();
    const compared = transaction.objectStore("meta").get("lastFullCheck");
    await new Promise((done) => { transaction.oncomplete = done; });
    database.close();
    return beside.result < 100 && compared.result !== undefined;
}
"""
# Measures from a key to the laid out list: the last change of the list before the screen is drawn.
SEARCHED = """
() => {
    window.keyAt = 0;
    window.listAt = 0;
    addEventListener('keydown', () => { window.keyAt = performance.now(); window.listAt = 0; }, true);
    new MutationObserver(() => { document.body.offsetHeight; window.listAt = performance.now(); })
        .observe(document.querySelector('.note-rows'), { subtree: true, childList: true, attributes: true });
}
"""
SETTLED = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 0)), 120))"
# Measures from a key to the laid out text, and to the status that says that the note is on the disk.
TYPED = """
() => {
    const laidOut = [], onDisk = [];
    let keyAt = 0, isWaiting = false;
    addEventListener('keydown', (event) => { keyAt = event.timeStamp; }, true);
    // CodeMirror shows the letter in a microtask after the event.
    addEventListener('input', () => queueMicrotask(() => {
        document.body.offsetHeight;
        laidOut.push(performance.now() - keyAt);
    }));
    const status = document.querySelector('.note-status');
    let since = 0;
    new MutationObserver(() => {
        const isInTab = status.textContent.includes('Saving');
        if (isInTab && !isWaiting) since = keyAt;
        if (!isInTab && isWaiting) onDisk.push(performance.now() - since);
        isWaiting = isInTab;
    }).observe(status, { subtree: true, childList: true, characterData: true, attributes: true });
    window.figures = () => ({ laidOut, onDisk });
}
"""


def text_of(source, number):
    """Returns a text of about 1 KB like a real note: a list, a few sentences, a plan."""
    words = [source.choice(WORDS) for _ in range(150)]
    lines = [" ".join(words[start:start + 12]).capitalize() + "." for start in range(0, 96, 12)]
    return "\n\n".join(["\n".join(lines[:4]), "\n".join(f"- [ ] {word}" for word in words[96:120]),
                        " ".join(words[120:]) + f" {number}"])


def plant(user, count):
    """Creates notes from another device."""
    source = random.Random(17)
    notes = []
    for start in range(0, count, 100):
        actions = []
        for number in range(start, min(start + 100, count)):
            notes.append(str(uuid.uuid4()))
            title = " ".join(source.choice(WORDS) for _ in range(3)).capitalize()
            tags = sorted({source.choice(("work", "home", "travel", "to do")) for _ in range(number % 3)})
            actions.append(["createNote", {"action_id": str(uuid.uuid4()), "id": notes[-1], "title": title,
                                           "body": text_of(source, number), "tags": tags}])
        answer = json.dumps(user.must("POST", "/notes", actions))
        if "problem" in answer:
            raise AssertionError(answer[:1000])
    return notes


def yield_to_browser(instance):
    """Runs the server's processes only while the browser is idle, because in production they run on another machine."""
    for service in ("postgres", "worker", "events", "nginx"):
        outcome = subprocess.run([os.path.join(CHECKOUT, "deploy", "run"), "--pid", service], check=True, timeout=60,
                                 env={**os.environ, "ALMANAC_HOME": instance.home}, capture_output=True, text=True)
        for process in outcome.stdout.split():
            for each in [process, *children_of(process)]:
                # A process that has just ended needs no change.
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    for thread in os.listdir(f"/proc/{each}/task"):
                        yield_thread(int(thread))


def yield_thread(thread):
    """Makes a thread run only while the machine is otherwise idle. 0 is the calling thread."""
    os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))


def children_of(process):
    children = []
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as file:
            children += file.read().split()
    return children


def await_idle(browser):
    """Waits until the browser has finished its own start and is idle for a moment."""
    session = browser.new_browser_cdp_session()
    before = None
    while True:
        used = sum(each["cpuTime"] for each in session.send("SystemInfo.getProcessInfo")["processInfo"])
        if before is not None and used - before < 0.02:
            break
        before = used
        time.sleep(0.2)
    session.detach()


class OtherDevice:
    """A device that edits a note and some others until the block ends."""

    def __init__(self, user, note, others):
        self._user = user
        self._note = note
        self._others = others
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self.edits = 0

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _write(self):
        yield_thread(0)
        for number, other in zip(itertools.count(), itertools.cycle(self._others)):
            for note in (self._note, other):
                body = self._user.notes_of([note])[note]["body"]
                base = self._user.revision
                end = len(body.encode("utf-16-le")) // 2
                self._user.act("updateNote", id=note, base=base, body=[end, f" word{number}"])
                self.edits += 1
            if self._stop.wait(0.1):
                return


class Figures:
    """Prints the results of a measurement, each with its goal."""

    def __init__(self, instance, user, profile, notes):
        self._instance = instance
        self._user = user
        self._profile = profile
        self._notes = notes
        self.are_met = True

    def _add(self, name, figure, goal=None, met=True):
        verdict = "" if goal is None else f"goal {goal}: {'met' if met else 'MISSED'}"
        print(f"{name:<42} {figure:>32}   {verdict}".rstrip(), flush=True)
        self.are_met = self.are_met and met

    def _add_share(self, name, times, share, goal):
        times = sorted(times)
        found = times[int(len(times) * share)]
        middle = statistics.median(times)
        self._add(name, f"{found:.1f} ms (median {middle:.1f}, {len(times)})", f"{goal} ms", found <= goal)

    def measure(self, browser, keystrokes, rounds):
        yield_to_browser(self._instance)
        with self._person(browser) as context:
            self._first_sync(context)
        self._first_rows(browser, rounds)
        # nginx has been restarted.
        yield_to_browser(self._instance)
        with self._person(browser) as context:
            page = context.new_page()
            page.goto(f"{self._instance.page_url('notes')}/#/{self._user.environment}")
            expect(page.locator(ROW).first).to_be_visible()
            self._search(page, keystrokes)
            self._keystrokes(page, keystrokes * 5)
            self._memory(context, page)

    def _person(self, browser):
        return with_profile(browser, self._profile, viewport={"width": 1280, "height": 900})

    def _first_sync(self, context):
        page = context.new_page()
        start = time.monotonic()
        page.goto(f"{self._instance.page_url('notes')}/{self._user.link()}")
        expect(page.locator(ROW).first).to_be_visible(timeout=60_000)
        rows = time.monotonic() - start
        expect(page.locator(".foot .page-status")).to_have_text("All notes synced", timeout=600_000)
        whole = time.monotonic() - start
        page.evaluate(PAGE_KEPT)
        # wait_for_function would take the promise itself as true.
        while not page.evaluate(SHELVED):
            time.sleep(0.1)
        page.wait_for_function(KEPT)
        self._add("first sync, to the first rows", f"{rows * 1000:.0f} ms")
        self._add("first sync, to all notes", f"{whole:.1f} s")

    def _first_rows(self, browser, rounds):
        taken = {"browser that starts": [], "browser new": [], "page new": []}
        self._instance.deploy_run("--stop-service", "nginx")
        try:
            for _ in range(rounds):
                with self._person(browser) as context:
                    taken["browser that starts"].append(self._start(context))
                with self._person(browser) as context:
                    await_idle(context.browser)
                    taken["browser new"].append(self._start(context))
                    taken["page new"].append(self._start(context))
        finally:
            self._instance.deploy_run("--start-service", "nginx")
        for which, times in taken.items():
            first, whole = ([each[name] for each in times] for name in ("firstRows", "wholeList"))
            middle = statistics.median(first)
            goal = {} if which == "browser that starts" else {"goal": "300 ms", "met": middle <= 300}
            self._add(f"first rows, {which}, server away", f"{middle:.0f} ms (at most {max(first):.0f})", **goal)
            self._add("  the list as the database has it",
                      f"{statistics.median(whole):.0f} ms (at most {max(whole):.0f})")

    def _start(self, context):
        """Opens the list in a new page, and returns the times that the page logs."""
        page = context.new_page()
        page.add_init_script(f"{FIRST_ROWS}({len(self._notes)});")
        with page.expect_console_message(lambda message: message.text.startswith(SAID)) as message:
            page.goto(f"{self._instance.page_url('notes')}/#/{self._user.environment}")
        page.close()
        return json.loads(message.value.text.removeprefix(SAID))

    def _search(self, page, count):
        page.evaluate(SEARCHED)
        page.get_by_role("searchbox").focus()
        source = random.Random(18)
        times = []
        while len(times) < count:
            word = source.choice(WORDS)
            for key in [*word, *["Backspace"] * len(word)]:
                page.keyboard.press(key)
                page.evaluate(SETTLED)
                took = page.evaluate("() => window.listAt && window.listAt - window.keyAt")
                # A key that leaves the list unchanged has no time.
                if took:
                    times.append(took)
        self._add_share("a search as it is typed, 95th percentile", times[:count], 0.95, 50)
        rows = page.locator(".note-row").count()
        self._add("rows in the document", str(rows), "100", rows <= 100)

    def _keystrokes(self, page, count):
        note = self._notes[-1]
        page.goto(f"{self._instance.page_url('notes')}/#/{self._user.environment}/notes/{note}")
        body = page.get_by_role("textbox", name="Note text")
        expect(body).to_be_visible()
        body.click()
        page.keyboard.press("Control+Home")
        page.evaluate(TYPED)
        source = random.Random(19)
        with OtherDevice(self._user, note, self._notes[:50]) as other:
            typed = 0
            while typed < count:
                word = source.choice(WORDS) + " "
                page.keyboard.type(word, delay=source.randrange(30, 90))
                typed += len(word)
            edits = other.edits
        figures = page.evaluate("() => window.figures()")
        self._add_share("a keystroke in a note, 99th percentile", figures["laidOut"], 0.99, 16)
        self._add_share("on disk, 95th percentile", figures["onDisk"], 0.95, 50)
        self._add("  edits of another device meanwhile", str(edits))

    def _memory(self, context, page):
        session = context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        session.send("Performance.enable")
        metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        self._add("memory of JavaScript, without the worker", f"{metrics['JSHeapUsedSize'] / 1048576:.0f} MiB")


class Owner(NotesUser):
    """The owner of the notes, on another device."""

    revision = 0

    def notes_of(self, ids):
        found = {}
        for note in ids:
            found[note] = self.must("GET", f"/notes/{note}")
            self.revision = found[note]["revision"]
        return found


def main():
    home, profile, (notes, keystrokes, rounds) = sys.argv[1], sys.argv[2], map(int, sys.argv[3:])
    instance = Instance(home)
    print(f"{notes} notes of 1 KB", flush=True)
    user = Owner(instance)
    planted = plant(user, notes)
    with chromium() as browser:
        figures = Figures(instance, user, profile, planted)
        figures.measure(browser, keystrokes, rounds)
        sys.exit(0 if figures.are_met else GOAL_MISSED)


if __name__ == "__main__":
    main()
