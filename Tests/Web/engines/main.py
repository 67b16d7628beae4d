"""Runs the journeys in Firefox and WebKitGTK: main.py --home FOLDER [--xunit-output FILE] [--evidence FOLDER]
[PATTERN ...]"""

import argparse
import os
import sys
import unittest

from engine_case import EngineCase
from support.instance import Instance
from support.results import Report, Results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", required=True)
    parser.add_argument("--xunit-output")
    parser.add_argument("--evidence", default="/tmp")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_intermixed_args()
    os.makedirs(options.evidence, exist_ok=True)
    EngineCase.instance = Instance(os.path.realpath(options.home))
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in options.patterns] or None
    report = Report(sys.stdout)
    results = Results(lambda message: message[0] == "ended" and report.add(message[1]), options.evidence)
    loader.discover(os.path.dirname(os.path.abspath(__file__))).run(results)
    if options.xunit_output:
        report.write_file(options.xunit_output)
    print(f"{report.count} tests ran", flush=True)
    return 0 if report.count and report.succeeded else 1


if __name__ == "__main__":
    sys.exit(main())
