"""Browser contexts as devices of one user, each with tabs of the page, and everything that can happen to them."""

import json
import math
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from types import SimpleNamespace

from greenlet import getcurrent

from support.case import BrowserCase
from support.chromium import SHELL, chromium
from support.depth import chosen_seed, ends_within, runs
from support.devices import Device, Versions
from support.world import DEAL, DISTURBANCES, FATES, MOST_DEVICES, PATIENCE, World

# Each DEAL of simulations has every disturbance three times, and so many of its first ones have it twice.
TWICE = 5
# How many simulations run, and how many of them at once.
WORLDS = runs("ALMANAC_TEST_WORLDS", quick=2, standard=TWICE, long=6 * DEAL)
AT_ONCE = int(os.environ.get("ALMANAC_TEST_AT_ONCE", "2"))
# So many failures end it.
ENOUGH = 3
# No step of a simulation takes longer, in seconds, whatever else a machine has to do. What asks a page waits for as long as
# that does not answer.
LONGEST_SILENCE = 1.5 * PATIENCE


class Run:
    """Simulations that are to run, and what became of them."""

    def __init__(self, instance, seed):
        self.instance = instance
        self.versions = Versions(instance.home)
        self.seeds = queue.Queue()
        for world in range(seed, seed + WORLDS):
            self.seeds.put(world)
        self.tally = Counter()
        self.failures = []
        self.ended = []

    def take(self):
        """Returns the seed of another simulation; None when it is enough."""
        try:
            return self.seeds.get_nowait() if len(self.failures) < ENOUGH else None
        except queue.Empty:
            return None

    @property
    def goes_on(self):
        return not self.seeds.empty() and len(self.failures) < ENOUGH

    def failed(self, world, what):
        self.failures.append(f"ALMANAC_TEST_SEED={world} ALMANAC_TEST_WORLDS=1: {what}")


class Worker(threading.Thread):
    """Runs simulations in a browser of its own, until there are no more or one fails."""

    def __init__(self, run):
        super().__init__(daemon=True)
        self._run = run
        self._heard = time.monotonic()
        self._processes = []
        self._is_ended = False
        self._taken = None
        self._mine = None

    def run(self):
        # What Playwright goes on with when it has an answer.
        self._mine = getcurrent()
        devices = []
        try:
            with chromium(program=SHELL) as browser:
                self._processes = processes_of(browser)
                stage = SimpleNamespace(browser=browser, instance=self._run.instance)
                devices += [Device(stage) for _ in range(MOST_DEVICES)]
                while (seed := self._run.take()) is not None and self.succeeds(devices, seed):
                    pass
        except Exception:  # pylint: disable=broad-except
            # A browser that was ended ends in whatever way.
            if not self._is_ended:
                self._run.failed(self._taken, traceback.format_exc())
        for device in devices:
            device.gate.shut()

    def hear(self, waits=False):
        """Something goes on; or it waits for another simulation."""
        self._heard = math.inf if waits else time.monotonic()

    def end_if_silent(self):
        """Fails the simulation that runs when nothing was heard of it for too long, and ends its browser and Playwright's
        driver, and with them what waits for these; returns whether it did."""
        if time.monotonic() - self._heard < LONGEST_SILENCE:
            return False
        self._is_ended = True
        frames = sys._current_frames()  # pylint: disable=protected-access
        stack = traceback.format_stack(self._mine and self._mine.gr_frame or frames.get(self.ident))
        self._run.failed(self._taken, "".join([f"nothing was heard of it for {LONGEST_SILENCE} s; it is at\n", *stack]))
        for process in self._processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return True

    def succeeds(self, devices, seed):
        """Runs a simulation; returns whether it succeeded, and with it whether its browser is as it was."""
        self.hear()
        self._taken = seed
        try:
            world = World(self._run.instance, devices, self._run.versions, seed, self.hear)
            failure = self.failure_of(world)
        except Exception:  # pylint: disable=broad-except
            failure = traceback.format_exc()
        if self._is_ended:
            return False
        if failure:
            self._run.failed(seed, failure)
            return False
        self._run.tally.update(world.happened)
        self._run.ended.append(seed)
        return True

    @staticmethod
    def failure_of(world):
        """Runs a simulation; returns what went wrong."""
        failure = ""
        try:
            world.run()
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
    @ends_within(300 + 60 * WORLDS)
    def test_worlds(self):
        """devices with tabs that are killed, cut off, out of room and renewed agree with the library and the command
        line, and every word is there once"""
        seed = chosen_seed(DEAL)
        run = Run(self.instance, seed)
        self.addCleanup(run.versions.end)
        workers = []
        begun = time.monotonic()
        while workers or run.goes_on:
            if run.goes_on and len(workers) < AT_ONCE:
                workers.append(Worker(run))
                workers[-1].start()
            workers[0].join(0.5)
            workers = [worker for worker in workers if worker.is_alive() and not worker.end_if_silent()]
        print(f"  {len(run.ended)} worlds from ALMANAC_TEST_SEED={seed}, {time.monotonic() - begun:.0f} s: "
              f"{dict(run.tally)}", flush=True)
        if run.failures:
            self.fail("\n".join([f"{len(run.failures)} of {WORLDS} worlds failed", *run.failures]))
        self.assertEqual(len(run.ended), WORLDS)
        if WORLDS >= TWICE and seed % DEAL == 0:
            kinds = (*DISTURBANCES, *(FATES if WORLDS >= DEAL else ()))
            self.assertEqual([kind for kind in kinds if not run.tally[kind]], [])
