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
from support.simulation import (
    CONVERGENCE_TIMEOUT, DISTURBANCES, MAX_DEVICES, REQUEST_OUTCOMES, SIMULATIONS_PER_SHUFFLE, Simulation)

# SIMULATIONS_PER_SHUFFLE simulations contain every disturbance three times; the first TWICE of them contain each twice.
TWICE = 5
# The number of simulations, and the limit on concurrent ones.
SIMULATIONS = runs("ALMANAC_TEST_WORLDS", quick=2, standard=TWICE, long=6 * SIMULATIONS_PER_SHUFFLE)
CONCURRENT = int(os.environ.get("ALMANAC_TEST_AT_ONCE", "2"))
# The number of failures after which the test stops.
FAILURE_LIMIT = 3
# The longest time between two steps of a simulation, in seconds. A Playwright call blocks until the page answers.
STEP_TIMEOUT = 1.5 * CONVERGENCE_TIMEOUT


class Simulations:
    """The pending simulations, and the results of the finished ones."""

    def __init__(self, instance, seed):
        self.instance = instance
        self.versions = Versions(instance.home)
        self.seeds = queue.Queue()
        for number in range(seed, seed + SIMULATIONS):
            self.seeds.put(number)
        self.tally = Counter()
        self.failures = []
        self.ended = []

    def next_seed(self):
        """Returns the seed of the next simulation, or None if the test shall stop."""
        try:
            return self.seeds.get_nowait() if len(self.failures) < FAILURE_LIMIT else None
        except queue.Empty:
            return None

    @property
    def is_running(self):
        return not self.seeds.empty() and len(self.failures) < FAILURE_LIMIT

    def failed(self, seed, what):
        self.failures.append(f"ALMANAC_TEST_SEED={seed} ALMANAC_TEST_WORLDS=1: {what}")


class Worker(threading.Thread):
    """A thread that runs simulations in its own browser, until none is left or one fails."""

    def __init__(self, run):
        super().__init__(daemon=True)
        self._run = run
        self._last_progress = time.monotonic()
        self._processes = []
        self._is_ended = False
        self._seed = None
        self._greenlet = None

    def run(self):
        # The greenlet that Playwright resumes on a response.
        self._greenlet = getcurrent()
        devices = []
        try:
            with chromium(program=SHELL) as browser:
                self._processes = processes_of(browser)
                stage = SimpleNamespace(browser=browser, instance=self._run.instance)
                devices += [Device(stage, is_source=number % 2 == 1) for number in range(MAX_DEVICES)]
                while (seed := self._run.next_seed()) is not None and self.succeeds(devices, seed):
                    pass
        except Exception:  # pylint: disable=broad-except
            # A killed browser may end with any exception.
            if not self._is_ended:
                self._run.failed(self._seed, traceback.format_exc())
        for device in devices:
            device.gate.shut()

    def on_progress(self, waits=False):
        """Records progress, or that the simulation waits for another one."""
        self._last_progress = math.inf if waits else time.monotonic()

    def kill_if_stuck(self):
        """Fails a simulation without progress, and kills its browser and driver to unblock the thread. Returns true if
        it did."""
        if time.monotonic() - self._last_progress < STEP_TIMEOUT:
            return False
        self._is_ended = True
        frames = sys._current_frames()  # pylint: disable=protected-access
        stack = traceback.format_stack(self._greenlet and self._greenlet.gr_frame or frames.get(self.ident))
        self._run.failed(self._seed, "".join([f"it made no progress for {STEP_TIMEOUT} s; its stack:\n", *stack]))
        for process in self._processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return True

    def succeeds(self, devices, seed):
        """Runs a simulation; returns true on success, which means that its browser can be reused."""
        self.on_progress()
        self._seed = seed
        try:
            simulation = Simulation(self._run.instance, devices, self._run.versions, seed, self.on_progress)
            failure = self.failure_of(simulation)
        except Exception:  # pylint: disable=broad-except
            failure = traceback.format_exc()
        if self._is_ended:
            return False
        if failure:
            self._run.failed(seed, failure)
            return False
        self._run.tally.update(simulation.happened)
        self._run.ended.append(seed)
        return True

    @staticmethod
    def failure_of(simulation):
        """Runs a simulation; returns an error text, or an empty string."""
        failure = ""
        try:
            simulation.run()
        except Exception:  # pylint: disable=broad-except
            failure = "\n".join([traceback.format_exc(), *(device.evidence() for device in simulation.devices), ""])
        finally:
            simulation.other_clients.end()
        try:
            failure += "\n".join(simulation.end())
        except Exception:  # pylint: disable=broad-except
            failure += traceback.format_exc()
        if failure:
            failure += f"\n{simulation.done} of {json.dumps(simulation.plan)} with {len(simulation.devices)} devices"
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


class SimulationTests(BrowserCase):
    @ends_within(300 + 60 * SIMULATIONS)
    def test_simulations(self):
        """devices with killed, offline, full and updated tabs agree with all clients, and every word exists once"""
        seed = chosen_seed(SIMULATIONS_PER_SHUFFLE)
        run = Simulations(self.instance, seed)
        self.addCleanup(run.versions.end)
        workers = []
        begun = time.monotonic()
        while workers or run.is_running:
            if run.is_running and len(workers) < CONCURRENT:
                workers.append(Worker(run))
                workers[-1].start()
            workers[0].join(0.5)
            workers = [worker for worker in workers if worker.is_alive() and not worker.kill_if_stuck()]
        print(f"  {len(run.ended)} simulations from ALMANAC_TEST_SEED={seed}, {time.monotonic() - begun:.0f} s: "
              f"{dict(run.tally)}", flush=True)
        if run.failures:
            self.fail("\n".join([f"{len(run.failures)} of {SIMULATIONS} simulations failed", *run.failures]))
        self.assertEqual(len(run.ended), SIMULATIONS)
        if SIMULATIONS >= TWICE and seed % SIMULATIONS_PER_SHUFFLE == 0:
            kinds = (*DISTURBANCES, *(REQUEST_OUTCOMES if SIMULATIONS >= SIMULATIONS_PER_SHUFFLE else ()))
            self.assertEqual([kind for kind in kinds if not run.tally[kind]], [])
