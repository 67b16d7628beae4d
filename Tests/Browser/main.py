"""Runs the tests in a browser: main.py HOME [--xunit-output FILE] [--evidence FOLDER] [PATTERN ...]"""

import argparse
import os
import sys
import unittest

from support.case import BrowserCase
from support.chromium import chromium
from support.instance import Instance
from support.results import Results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("home")
    parser.add_argument("--xunit-output")
    parser.add_argument("--evidence", default="/tmp")
    parser.add_argument("--welcome", help="a file with what deploy/run printed")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_intermixed_args()
    os.makedirs(options.evidence, exist_ok=True)
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in options.patterns] or None
    suite = loader.discover(os.path.dirname(os.path.abspath(__file__)))
    results = Results(sys.stdout, options.evidence)
    BrowserCase.instance = Instance(options.home)
    BrowserCase.evidence = options.evidence
    if options.welcome:
        with open(options.welcome, encoding="utf-8") as file:
            BrowserCase.welcome = file.read()
    with chromium() as browser:
        BrowserCase.browser = browser
        suite.run(results)
    if options.xunit_output:
        results.write_file(options.xunit_output)
    print(f"{results.testsRun} tests ran", flush=True)
    return 0 if results.testsRun and results.wasSuccessful() and not loader.errors else 1


if __name__ == "__main__":
    sys.exit(main())
