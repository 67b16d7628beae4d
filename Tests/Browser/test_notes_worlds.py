"""Browser contexts as devices of one user, each with tabs of the page, and everything that can happen to them."""

import json
import math
import os
import queue
import random
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from types import SimpleNamespace

from greenlet import getcurrent

from support.case import BrowserCase
from support.chromium import chromium
from support.devices import Device, Stalled, Versions
from support.world import DISTURBANCES, MOST_DEVICES, PATIENCE, World

# How many worlds are looked at, and how many of them at once.
WORLDS = int(os.environ.get("ALMANAC_TEST_WORLDS", "40"))
AT_ONCE = int(os.environ.get("ALMANAC_TEST_AT_ONCE", "3"))
# So many failures end it.
ENOUGH = 3
# So often one is looked at in which the browser does not load a page.
MOST_TRIES = 3
# On the average; in seconds. What asks a page waits for as long as that does not answer.
LONGEST_WORLD = PATIENCE
# No step takes longer. Where one does, Playwright waits for good, and its browser is ended.
LONGEST_SILENCE = 1.5 * PATIENCE


class Run:
    """Worlds that are to be looked at, and what became of them."""

    def __init__(self, instance, seed):
        self.instance = instance
        self.versions = Versions(instance.home)
        self.seeds = queue.Queue()
        for world in range(seed, seed + WORLDS):
            self.seeds.put((world, 1))
        self.tally = Counter()
        self.failures = []
        self.ended = []

    def take(self):
        """Another world, and how often it is looked at with that; None when it is enough."""
        try:
            return self.seeds.get_nowait() if len(self.failures) < ENOUGH else None
        except queue.Empty:
            return None

    def stalled(self, world, tries):
        self.tally["stalled"] += 1
        if tries < MOST_TRIES:
            self.seeds.put((world, tries + 1))
        else:
            self.failed(world, "the browser loads no page")

    def failed(self, world, what):
        print(f"  world {world} failed", flush=True)
        self.failures.append(f"ALMANAC_TEST_SEED={world} ALMANAC_TEST_WORLDS=1: {what}")


class Worker(threading.Thread):
    """Looks at worlds in a browser of its own, which is another one after something went wrong."""

    def __init__(self, run):
        super().__init__(daemon=True)
        self._run = run
        self._heard = time.monotonic()
        self._browser = None
        self._is_silent = False
        self._mine = None
        self.world = None

    def run(self):
        # What Playwright goes on with when it has an answer.
        self._mine = getcurrent()
        while taken := self._run.take():
            self.hear()
            with chromium() as browser:
                self._is_silent = False
                self._browser = process_of(browser)
                stage = SimpleNamespace(browser=browser, instance=self._run.instance)
                devices = []
                while taken and self.look_at(stage, devices, *taken):
                    taken = self._run.take()
                self._browser = None
            for device in devices:
                device.gate.shut()

    def hear(self, waits=False):
        """Something goes on; or it waits for another world."""
        self._heard = math.inf if waits else time.monotonic()

    def end_if_silent(self):
        """Ends the browser, and with it what waits for it."""
        if self._browser and time.monotonic() - self._heard > LONGEST_SILENCE:
            self._is_silent = True
            os.kill(self._browser, signal.SIGKILL)
            self._browser = None

    def look_at(self, stage, devices, seed, tries):
        """Whether its browser is as it was."""
        self.world = seed
        try:
            if not devices:
                devices += [Device(stage) for _ in range(MOST_DEVICES)]
            world = World(self._run.instance, devices, self._run.versions, seed, self.hear)
            failure = self.found(world)
        except Stalled:
            return self._run.stalled(seed, tries)
        except Exception:  # pylint: disable=broad-except
            failure = traceback.format_exc()
        if self._is_silent:
            return self._run.stalled(seed, tries)
        if failure:
            return self._run.failed(seed, failure)
        self._run.tally.update(world.happened)
        self._run.ended.append(seed)
        return True

    @staticmethod
    def found(world):
        """What went wrong in a world."""
        failure = ""
        try:
            world.run()
        except Stalled:
            raise
        except Exception:  # pylint: disable=broad-except
            failure = "\n".join([traceback.format_exc(), *(device.evidence() for device in world.devices), ""])
        finally:
            world.others.end()
        try:
            failure += "\n".join(world.end())
        except Exception:  # pylint: disable=broad-except
            failure += traceback.format_exc()
        if failure:
            failure += f"\n{world.done} of {json.dumps(world.plan)} with {len(world.devices)} devices"
        return failure

    def standing(self):
        """What it is at."""
        frames = sys._current_frames()  # pylint: disable=protected-access
        return "\n".join([f"world {self.world}:",
                          *traceback.format_stack(self._mine.gr_frame or frames[self.ident])])


def process_of(browser):
    """The process id of a browser."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    [found] = [process["id"] for process in processes if process["type"] == "browser"]
    return found


class WorldsTests(BrowserCase):
    def test_worlds(self):
        """devices with tabs that are killed, cut off, out of room and renewed agree with the library and the command
        line, and every word is there once"""
        seed = int(os.environ.get("ALMANAC_TEST_SEED") or random.randrange(1 << 30))
        run = Run(self.instance, seed)
        self.addCleanup(run.versions.end)
        workers = [Worker(run) for _ in range(min(AT_ONCE, WORLDS))]
        begun = time.monotonic()
        end = begun + LONGEST_WORLD * (2 + WORLDS // len(workers))
        for worker in workers:
            worker.start()
        while workers and time.monotonic() < end:
            workers[0].join(0.5)
            workers = [worker for worker in workers if worker.is_alive()]
            for worker in workers:
                worker.end_if_silent()
        left = [worker.standing() for worker in workers]
        print(f"  {len(run.ended)} worlds from ALMANAC_TEST_SEED={seed}, {time.monotonic() - begun:.0f} s: "
              f"{dict(run.tally)}", flush=True)
        if run.failures:
            self.fail("\n\n".join([f"{len(run.failures)} of {WORLDS} worlds failed", *run.failures]))
        self.assertEqual(len(run.ended), WORLDS, "\n\n".join(["some did not end", *left]))
        if WORLDS >= 40:
            self.assertEqual([kind for kind in DISTURBANCES if not run.tally[kind]], [])
