"""Test results in the format that deploy/test expects: a line per failure that begins with ✘, and a JUnit file."""

import os
import time
import traceback
import unittest
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Result(NamedTuple):
    """The result of a test; `lines` are its output."""

    test: str
    seconds: float
    failed: bool
    skipped: bool
    lines: list


class Results(unittest.TestResult):
    """A test result that sends each outcome to another process."""

    def __init__(self, send, folder):
        super().__init__()
        self._send = send
        self._folder = folder
        self._test = None
        self._began = 0.0
        self._failed = self._skipped = False
        self._lines = []
        # Callbacks: `begins` returns a test's deadline in seconds, `ends` runs after the test.
        self.begins = lambda test: 0
        self.ends = lambda: None

    def startTest(self, test):
        super().startTest(test)
        self._begin(test)
        self._send(("began", test.id(), self.begins(test)))

    def stopTest(self, test):
        self.ends()
        super().stopTest(test)
        self._end()

    def addError(self, test, err):
        super().addError(test, err)
        self._fail(test, err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._fail(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self._fail(test, err, str(subtest))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._skipped = True
        self._lines.append(f"– {test.id()}: {reason}")

    def give_up(self, reason):
        """Fails the running test before the process ends."""
        self._failed = True
        self._lines += [f"✘   {line[:400]}" for line in reason.splitlines()] + [f"✘ {self._test.id()}"]
        self._end()

    def _begin(self, test):
        self._test = test
        self._began = time.monotonic()
        self._failed = self._skipped = False
        self._lines = []

    def _end(self):
        took = time.monotonic() - self._began
        mark = "✘" if self._failed else "–" if self._skipped else "✔"
        description = self._test.shortDescription() or self._test.id()
        lines = [*self._lines, f"{mark} {description} ({took:.1f} s)"]
        self._send(("ended", Result(self._test.id(), took, self._failed, self._skipped, lines)))

    # Collect evidence at once, while the pages still exist.
    def _fail(self, test, err, part=""):
        keep = getattr(test, "keep_evidence", None)
        # A class whose setup failed has no running test.
        has_begun = isinstance(test, unittest.TestCase)
        if not has_begun:
            self._begin(test)
        self._failed = True
        ours = [frame for frame in traceback.extract_tb(err[2]) if HERE in frame.filename and ".build" not in frame.filename]
        for frame in ours:
            self._lines.append(f"✘   {frame.filename.rpartition('/')[2]}:{frame.lineno}: {frame.line}")
        for line in str(err[1]).splitlines():
            self._lines.append(f"✘   {line[:400]}")
        self._lines.append(f"✘ {test.id()} {part}")
        if keep:
            self._lines.append(f"✘   kept: {keep(self._folder)}")
        if not has_begun:
            self._end()


class Report:
    """The results of all processes."""

    def __init__(self, stream):
        self._stream = stream
        self._results = []

    @property
    def count(self):
        return len(self._results)

    @property
    def succeeded(self):
        return not any(result.failed for result in self._results)

    def add(self, result):
        self._results.append(result)
        print("\n".join(result.lines), file=self._stream, flush=True)

    def fail(self, test, reason):
        """Records a failure for a test without a result."""
        self.add(Result(test, 0.0, True, False, [f"✘   {reason}", f"✘ {test}"]))

    def write_file(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("<testsuites><testsuite>\n")
            for test, seconds, failed, skipped, _ in self._results:
                inner = "<failure/>" if failed else "<skipped/>" if skipped else ""
                file.write(f"<testcase name={quoteattr(test)} time=\"{seconds:.3f}\">{inner}</testcase>\n")
            file.write("</testsuite></testsuites>\n")
