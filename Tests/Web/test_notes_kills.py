"""Test of killing the browser during typing: text marked as stored on the device must survive."""

import json
import os
import random
import re
import signal
import threading

from playwright.sync_api import Error, expect
from playwright.sync_api import TimeoutError as Overdue

from support.case import BrowserCase, BrowserUser
from support.chromium import await_end_of_profile, processes_of_profile
from support.depth import chosen_seed, ends_within, runs
from support.notes import Notes, NotesUser

# The number of kills.
KILLS = runs("ALMANAC_TEST_KILLS", quick=1, standard=3, long=24)
# The number of kills per note. The whole note fits into the window, because the editor renders only its visible part.
KILLS_OF_A_NOTE = 8
WINDOW = {"width": 1280, "height": 3600}

# Reports the note, its save status and its text in each frame. A ResizeObserver runs just before a frame is painted.
WATCH = """
addEventListener("DOMContentLoaded", () => {
    const probe = document.createElement("div");
    probe.style.position = "fixed";
    document.body.append(probe);
    let told = "";
    new ResizeObserver(() => {
        const mark = document.querySelector(".note-status .status-mark")?.dataset.status ?? "";
        const field = [...document.querySelectorAll(".note *")].map((each) => each.shadowRoot)
            .findLast((root) => root?.querySelector('[aria-multiline="true"]'));
        const lines = [...(field?.querySelectorAll(".cm-line") ?? [])];
        const text = field?.querySelector(".cm-placeholder") ? "" : lines.map((line) => line.textContent).join("\\n");
        const seen = JSON.stringify([location.hash.split("/").at(-1), mark, text]);
        if (field && seen !== told) almanacSeen(told = seen);
    }).observe(probe);
    let width = 0;
    const grow = () => {
        probe.style.width = `${(width += 1) % 2}px`;
        requestAnimationFrame(grow);
    };
    grow();
});
"""
WORDS = ("milk", "Zoë", "naïve", "🥛", "bread", "مفتاح", "the", "plants", "Saturday", "eggs", "🌱", "and",
         "straße")


class KillTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.user = NotesUser(self.instance)
        self.folder = self.profile()
        # The text that each note must begin with, and the typed text that it may contain at most.
        self.marked = {}
        self.typed = {}
        # The number of status changes until the kill; None if a timer kills.
        self.marks_left = None

    @ends_within(300 + 60 * KILLS)
    def test_kills(self):
        """a browser killed at random moments of typing has stored all text marked as on this device"""
        seed = chosen_seed()
        chance = random.Random(seed)
        print(f"  {KILLS} kills from ALMANAC_TEST_SEED={seed}", flush=True)
        one = self.start(offline=False)
        Notes(one, self.user).sign_in()
        one.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        self.close(one)
        note = None
        for number in range(KILLS):
            with self.subTest(kill=number, seed=seed):
                note = self.type_until_killed(
                    chance, None if number % KILLS_OF_A_NOTE == 0 else note, at_mark=number % 2 == 0)
        self.compare_with_server()

    def start(self, offline):
        one = BrowserUser(self, application="notes", profile=self.folder, viewport=WINDOW)
        one.context.expose_binding("almanacSeen", lambda _, seen: self.see(seen))
        one.context.add_init_script(WATCH)
        one.context.set_offline(offline)
        return one

    def see(self, seen):
        note, mark, text = json.loads(seen)
        if mark in ("onThisDevice", "onServer"):
            self.marked[note] = text
            if self.marks_left is not None:
                self.marks_left -= 1
                if self.marks_left == 0:
                    self.kill()

    def close(self, one):
        self.assertEqual(one.checks.remaining(), [])
        one.context.close()

    def type_until_killed(self, chance, note, at_mark):
        """Types into a note, or a new one, until the browser is killed; returns the note."""
        one = self.start(offline=True)
        notes = Notes(one, self.user)
        one.open(f"#/{self.user.environment}" + (f"/notes/{note}" if note else "/new"))
        body = one.page.get_by_role("textbox", name="Note text")
        expect(one.page).to_have_url(re.compile(r"/notes/[^/?]+$"))
        note = one.page.url.split("/")[-1]
        expect(body).to_be_visible()
        one.page.wait_for_function("() => document.querySelector('.note-status .status-mark')")
        notes.await_panes()
        found = one.page.evaluate(TEXT)
        self.check(note, found)
        body.click()
        one.page.keyboard.press("Control+End")
        text = "".join(chance.choice(WORDS) + chance.choice("   \n") for _ in range(40))
        self.typed[note] = found + text
        killer = threading.Timer(chance.uniform(0.02, 1.2), self.kill)
        if at_mark:
            self.marks_left = chance.randint(1, 20)
        else:
            killer.start()
        try:
            # Type at several speeds. A status that precedes its write would show best at the highest speed.
            one.page.keyboard.type(text, delay=0 if at_mark else chance.choice((0, 5, 30)))
            if at_mark:
                # Kill the browser if there were too few status changes.
                self.kill()
            one.page.wait_for_event("close", timeout=60_000)
        except Overdue as reason:
            raise AssertionError("a minute after Chromium was killed, its page is still there") from reason
        except Error:
            pass
        finally:
            self.marks_left = None
            if not at_mark:
                killer.join()
        await_end_of_profile(self.folder)
        try:
            one.context.close()
        except Error:
            pass
        return note

    def check(self, note, found):
        """Checks the stored text: it contains all marked text, and only typed text."""
        marked, typed = self.marked.get(note, ""), self.typed.get(note, "")
        self.assertEqual(found[:len(marked)], marked)
        self.assertEqual(found, typed[:len(found)])

    def kill(self):
        """Kills the browser's main process and its children, found by the profile's folder, so no other test is
        affected."""
        for pid, line in processes_of_profile(self.folder).items():
            if b"--type=" not in line:
                os.kill(pid, signal.SIGKILL)

    def compare_with_server(self):
        one = self.start(offline=False)
        notes = Notes(one, self.user).sign_in()
        notes.await_server()
        here = self.user.notes()
        for note in self.marked:
            self.check(note, here[note]["body"])
        self.close(one)
        print(f"  {len(self.marked)} notes, {sum(map(len, self.marked.values()))} characters were marked", flush=True)


TEXT = """() => {
    const field = [...document.querySelectorAll(".note *")].map((each) => each.shadowRoot)
        .findLast((root) => root?.querySelector('[aria-multiline="true"]'));
    if (field.querySelector(".cm-gap")) throw new Error("the note does not fit into the window");
    return field.querySelector(".cm-placeholder") ? ""
        : [...field.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\\n");
}"""
