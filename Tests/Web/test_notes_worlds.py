"""Simulations of several devices of one user in browser contexts, with tabs of the page and disturbances."""

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

# Each DEAL of simulations contains every disturbance three times, and its first TWICE simulations contain each twice.
TWICE = 5
# The number of simulations, and the limit on concurrent ones.
WORLDS = runs("ALMANAC_TEST_WORLDS", quick=2, standard=TWICE, long=6 * DEAL)
AT_ONCE = int(os.environ.get("ALMANAC_TEST_AT_ONCE", "2"))
# The number of failures after which the test stops.
ENOUGH = 3
# The longest time between two steps of a simulation, in seconds. A Playwright call blocks until the page answers.
LONGEST_SILENCE = 1.5 * PATIENCE


class Run:
    """The pending simulations, and the results of the finished ones."""

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
        """Returns the seed of the next simulation, or None if the test shall stop."""
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
    """A thread that runs simulations in its own browser, until none is left or one fails."""

    def __init__(self, run):
        super().__init__(daemon=True)
        self._run = run
        self._heard = time.monotonic()
        self._processes = []
        self._is_ended = False
        self._taken = None
        self._mine = None

    def run(self):
        # The greenlet that Playwright resumes on a response.
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
            # A killed browser may end with any exception.
            if not self._is_ended:
                self._run.failed(self._taken, traceback.format_exc())
        for device in devices:
            device.gate.shut()

    def hear(self, waits=False):
        """Records progress, or that the simulation waits for another one."""
        self._heard = math.inf if waits else time.monotonic()

    def end_if_silent(self):
        """Fails a simulation without progress, and kills its browser and driver to unblock the thread. Returns true if
        it did."""
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
        """Runs a simulation; returns true on success, which means that its browser can be reused."""
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
        """Runs a simulation; returns an error text, or an empty string."""
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
    """Returns the process ids of a browser and of Playwright's driver, its parent."""
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
        """devices with killed, offline, full and updated tabs agree with all clients, and every word exists once"""
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
