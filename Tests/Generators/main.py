"""Runs the tests: main.py HOME [--xunit-output FILE] [PATTERN ...]"""

import argparse
import os
import sys
import tempfile
import unittest

from support.instance import Instance
from support.results import Report, Results
from test_python_client import GeneratedClientTests


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("home")
    parser.add_argument("--xunit-output")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_intermixed_args()
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in options.patterns] or None
    suite = loader.discover(os.path.dirname(os.path.abspath(__file__)))
    report = Report(sys.stdout)
    GeneratedClientTests.instance = Instance(options.home)
    with tempfile.TemporaryDirectory() as folder:
        suite.run(Results(lambda message: message[0] == "ended" and report.add(message[1]), folder))
    if options.xunit_output:
        report.write_file(options.xunit_output)
    print(f"{report.count} tests ran", flush=True)
    return 0 if report.count and report.succeeded and not loader.errors else 1


if __name__ == "__main__":
    sys.exit(main())
