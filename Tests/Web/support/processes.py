"""Worker processes that share the tests: each has its own place and runs one class of tests at a time."""

import os
import signal
import sys
import threading
import time
import traceback
import unittest
from multiprocessing import get_context
from multiprocessing.connection import wait

from greenlet import getcurrent

from support.case import BrowserCase
from support.chromium import SHELL, chromium
from support.instance import Instance
from support.results import Results

# The time a process may take to start, to close a browser, or to report an exceeded deadline, in seconds.
TIMEOUT = 60
# The default deadline of a test, in seconds: ten times the slowest other test on an idle machine, to allow for load.
DEADLINE = 300


class Processes:
    """A scheduler that assigns classes to processes and collects the results of their tests."""

    def __init__(self, classes, report, evidence):
        self._classes = list(classes)
        self._report = report
        self._evidence = evidence

    def run(self, places):
        processes = [Process(place, self._evidence) for place in places]
        for process in processes:
            self._assign(process)
        while processes:
            wait([process.connection for process in processes], timeout=1)
            for process in list(processes):
                if not self._handle_messages(process):
                    processes.remove(process)
        for tests in self._classes:
            self._fail(tests, "every process ended before it ran")

    def _assign(self, process):
        process.tests = list(self._classes.pop(0)) if self._classes else []
        process.connection.send(process.tests)
        process.wait_at_most(TIMEOUT)

    def _handle_messages(self, process):
        """Handles the messages of a process; returns false when the process has ended."""
        try:
            while process.connection.poll():
                self._handle(process, *process.connection.recv())
        except (EOFError, ConnectionResetError):
            process.end()
            if process.tests:
                self._fail(process.tests, f"its process ended with status {process.status}")
            return False
        if process.is_late():
            print(f"✘ a process sent no message within {TIMEOUT} s of its deadline", flush=True)
            process.kill()
        return True

    def _handle(self, process, kind, *words):
        if kind == "began":
            process.wait_at_most(words[1] + TIMEOUT)
        elif kind == "ended":
            result = words[0]
            self._report.add(result)
            if result.test in process.tests:
                process.tests.remove(result.test)
            process.wait_at_most(TIMEOUT)
        else:
            # If a class fails in its setup, its tests have not begun.
            self._fail(process.tests, "it was not run")
            self._assign(process)

    def _fail(self, tests, reason):
        for test in tests:
            self._report.fail(test, reason)
        tests.clear()


class Process:
    def __init__(self, place, evidence):
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        # The tests of its class that have not ended.
        self.tests = []
        self._deadline = 0
        self._process = context.Process(target=run_classes, args=(theirs, place, evidence))
        self._process.start()
        theirs.close()

    @property
    def status(self):
        return self._process.exitcode

    def wait_at_most(self, seconds):
        self._deadline = time.monotonic() + seconds

    def is_late(self):
        return time.monotonic() > self._deadline

    def kill(self):
        self._process.kill()

    def end(self):
        self._process.join(TIMEOUT)
        self._process.kill()
        self._process.join()


def run_classes(connection, place, evidence):
    """Runs classes of tests in a process, one after the other, until none is left."""
    os.environ["ALMANAC_BROWSER_HOME"] = os.path.join(place, "chromium")
    with open(os.path.join(place, "adrift"), encoding="ascii") as file:
        os.environ["ALMANAC_BROWSER_ADRIFT"] = file.read().strip()
    BrowserCase.instance = Instance(os.path.realpath(os.path.join(place, "instance")))
    BrowserCase.evidence = evidence
    welcome = os.path.join(place, "welcome")
    if os.path.exists(welcome):
        with open(welcome, encoding="utf-8") as file:
            BrowserCase.welcome = file.read()
    results = Results(connection.send, evidence)
    Deadline(results)
    loader = unittest.TestLoader()
    with chromium(program=SHELL) as browser:
        BrowserCase.browser = browser
        while names := connection.recv():
            loader.loadTestsFromNames(names).run(results)
            connection.send(("done",))


class Deadline:
    """A watchdog that reports the stacks and ends the process when a test exceeds its deadline, because nothing else
    interrupts a call to an unresponsive browser."""

    def __init__(self, results):
        self._results = results
        self._main = getcurrent()
        results.begins = self._begin
        results.ends = lambda: signal.alarm(0)
        signal.signal(signal.SIGALRM, self._give_up)

    @staticmethod
    def _begin(test):
        """Returns the deadline of a test, in seconds."""
        seconds = getattr(getattr(test, test.id().rpartition(".")[2]), "deadline", DEADLINE)
        signal.alarm(seconds)
        return seconds

    def _give_up(self, *_):
        self._results.give_up("\n".join(["it exceeded its deadline; the stacks:", *self._stacks()]))
        os._exit(1)

    def _stacks(self):
        """Yields the stack of each thread; a test that waits for a browser runs in a greenlet of its own."""
        frames = dict(sys._current_frames())  # pylint: disable=protected-access
        if self._main.gr_frame:
            frames[threading.main_thread().ident] = self._main.gr_frame
        for frame in frames.values():
            yield "".join(traceback.format_stack(frame))
