"""Runs the tests in browsers: main.py --place FOLDER ... [--quick] [--xunit-output FILE] [--evidence FOLDER] [PATTERN
...]

A place is a folder with an instance, a browser profile and a port (see environments.sh); each place gets a process."""

import argparse
import os
import sys

from support.processes import Processes
from support.results import Report
from support.schedule import find_classes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--place", action="append", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--xunit-output")
    parser.add_argument("--evidence", default="/tmp")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_intermixed_args()
    os.makedirs(options.evidence, exist_ok=True)
    classes, errors = find_classes(os.path.dirname(os.path.abspath(__file__)), options.patterns, options.quick)
    for error in errors:
        print(f"✘ {error}", flush=True)
    report = Report(sys.stdout)
    Processes(classes, report, options.evidence).run(options.place)
    if options.xunit_output:
        report.write_file(options.xunit_output)
    print(f"{report.count} tests ran", flush=True)
    return 0 if report.count and report.succeeded and not errors else 1


if __name__ == "__main__":
    sys.exit(main())
