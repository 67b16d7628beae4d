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
from support.world import DISTURBANCES, FATES, MOST_DEVICES, PATIENCE, World

# How many worlds are looked at, and how many of them at once.
WORLDS = int(os.environ.get("ALMANAC_TEST_WORLDS", "40"))
AT_ONCE = int(os.environ.get("ALMANAC_TEST_AT_ONCE", "3"))
# So many failures end it.
ENOUGH = 3
# So often one is looked at in which the browser does not load a page.
MOST_TRIES = 3
# On the average; in seconds. What asks a page waits for as long as that does not answer; on a machine with ten times as
# much to do as it has processors, a world has taken 47 s.
LONGEST_WORLD = 2 * PATIENCE
# No step takes longer. Where one does, Playwright waits for good.
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

    @property
    def goes_on(self):
        return not self.seeds.empty() and len(self.failures) < ENOUGH

    def stalled(self, world, tries):
        self.tally["stalled"] += 1
        if tries < MOST_TRIES:
            self.seeds.put((world, tries + 1))
        else:
            self.failed(world, "the browser loads no page")

    def failed(self, world, what):
        print(f"  ALMANAC_TEST_SEED={world} ALMANAC_TEST_WORLDS=1: {what}", flush=True)
        self.failures.append(world)


class Worker(threading.Thread):
    """Looks at worlds in a browser of its own, until there are no more or something goes wrong."""

    def __init__(self, run):
        super().__init__(daemon=True)
        self._run = run
        self._heard = time.monotonic()
        self._processes = []
        self._is_given_up = False
        self._taken = None
        self._mine = None

    def run(self):
        # What Playwright goes on with when it has an answer.
        self._mine = getcurrent()
        devices = []
        try:
            with chromium() as browser:
                self._processes = processes_of(browser)
                stage = SimpleNamespace(browser=browser, instance=self._run.instance)
                devices += [Device(stage) for _ in range(MOST_DEVICES)]
                while (taken := self._run.take()) and self.look_at(devices, *taken):
                    pass
        except Exception:  # pylint: disable=broad-except
            # What has been given up ends in whatever way.
            if not self._is_given_up:
                print(traceback.format_exc(), flush=True)
        for device in devices:
            device.gate.shut()

    def hear(self, waits=False):
        """Something goes on; or it waits for another world."""
        self._heard = math.inf if waits else time.monotonic()

    def give_up(self):
        """Whether nothing was heard of it for so long that its world is left to another one. Its browser and Playwright's
        driver are ended, and with them what waits for these."""
        if time.monotonic() - self._heard < LONGEST_SILENCE:
            return False
        self._is_given_up = True
        frames = sys._current_frames()  # pylint: disable=protected-access
        stack = traceback.format_stack(self._mine and self._mine.gr_frame or frames.get(self.ident))
        print("".join([f"  world {self._taken} is given up:\n", *stack]), flush=True)
        if self._taken:
            self._run.stalled(*self._taken)
        for process in self._processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return True

    def look_at(self, devices, seed, tries):
        """Whether its browser is as it was."""
        self.hear()
        self._taken = seed, tries
        try:
            world = World(self._run.instance, devices, self._run.versions, seed, self.hear)
            failure = self.found(world)
        except Stalled:
            failure = None
        except Exception:  # pylint: disable=broad-except
            failure = traceback.format_exc()
        if self._is_given_up:
            return False
        self._taken = None
        if failure is None:
            self._run.stalled(seed, tries)
        elif failure:
            self._run.failed(seed, failure)
        else:
            self._run.tally.update(world.happened)
            self._run.ended.append(seed)
        return failure == ""

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


def processes_of(browser):
    """The process ids of a browser and of Playwright's driver, whose child it is."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    [found] = [process["id"] for process in processes if process["type"] == "browser"]
    with open(f"/proc/{found}/stat", encoding="utf-8") as file:
        driver = int(file.read().rsplit(")", 1)[1].split()[1])
    return [driver, found]


class WorldsTests(BrowserCase):
    def test_worlds(self):
        """devices with tabs that are killed, cut off, out of room and renewed agree with the library and the command
        line, and every word is there once"""
        seed = int(os.environ.get("ALMANAC_TEST_SEED") or random.randrange(1 << 30))
        run = Run(self.instance, seed)
        self.addCleanup(run.versions.end)
        workers = []
        begun = time.monotonic()
        while (workers or run.goes_on) and time.monotonic() - begun < LONGEST_WORLD * (2 + WORLDS // AT_ONCE):
            if run.goes_on and len(workers) < AT_ONCE:
                workers.append(Worker(run))
                workers[-1].start()
            workers[0].join(0.5)
            workers = [worker for worker in workers if worker.is_alive() and not worker.give_up()]
        print(f"  {len(run.ended)} worlds from ALMANAC_TEST_SEED={seed}, {time.monotonic() - begun:.0f} s: "
              f"{dict(run.tally)}", flush=True)
        if run.failures:
            self.fail(f"of {WORLDS} worlds these failed: {run.failures}")
        self.assertEqual(len(run.ended), WORLDS)
        if WORLDS >= 40:
            self.assertEqual([kind for kind in (*DISTURBANCES, *FATES) if not run.tally[kind]], [])
