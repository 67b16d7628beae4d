"""Results of unittest as deploy/test counts them: a line per failure that begins with ✘, and a file of JUnit's form."""

import os
import time
import traceback
import unittest
from xml.sax.saxutils import quoteattr

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Results(unittest.TestResult):
    def __init__(self, stream, folder):
        super().__init__()
        self._stream = stream
        self._folder = folder
        self._cases = []
        self._began = 0.0
        self._failed = False

    def startTest(self, test):
        super().startTest(test)
        self._began = time.monotonic()
        self._failed = False

    def stopTest(self, test):
        super().stopTest(test)
        took = time.monotonic() - self._began
        skipped = any(one is test for one, _ in self.skipped)
        self._cases.append((test.id(), took, self._failed, skipped))
        mark = "✘" if self._failed else "–" if skipped else "✔"
        self._write(f"{mark} {test.shortDescription()} ({took:.1f} s)")

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
        self._write(f"– {test.id()}: {reason}")

    def write_file(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("<testsuites><testsuite>\n")
            for name, took, failed, skipped in self._cases:
                inner = "<failure/>" if failed else "<skipped/>" if skipped else ""
                file.write(f"<testcase name={quoteattr(name)} time=\"{took:.3f}\">{inner}</testcase>\n")
            file.write("</testsuite></testsuites>\n")

    # Called at the moment of the failure, while the pages are still there.
    def _fail(self, test, err, part=""):
        self._failed = True
        ours = [frame for frame in traceback.extract_tb(err[2]) if HERE in frame.filename and ".build" not in frame.filename]
        for frame in ours:
            self._write(f"✘   {frame.filename.rpartition('/')[2]}:{frame.lineno}: {frame.line}")
        for line in str(err[1]).splitlines():
            self._write(f"✘   {line[:400]}")
        self._write(f"✘ {test.id()} {part}")
        keep = getattr(test, "keep_evidence", None)
        if keep:
            self._write(f"✘   kept: {keep(self._folder)}")
        else:
            # A class that could not be set up has no test that is counted.
            self._cases.append((test.id(), 0, True, False))

    def _write(self, line):
        print(line, file=self._stream, flush=True)
