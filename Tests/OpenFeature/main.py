"""Runs the tests: main.py HOME [--xunit-output FILE] [--flagd VERSION=PYTHON ...] [--unleash PYTHON] [PATTERN ...]"""

import argparse
import os
import sys
import tempfile
import unittest

from case import FlagCase
from support.instance import Instance
from support.results import Report, Results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("home")
    parser.add_argument("--xunit-output")
    parser.add_argument("--flagd", action="append", default=[])
    parser.add_argument("--unleash")
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_intermixed_args()
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in options.patterns] or None
    suite = loader.discover(os.path.dirname(os.path.abspath(__file__)))
    report = Report(sys.stdout)
    FlagCase.instance = Instance(options.home)
    FlagCase.flagd = dict(word.split("=", 1) for word in options.flagd)
    FlagCase.unleash = options.unleash
    # The variable that names trusted authorities for Python's requests.
    os.environ.update(REQUESTS_CA_BUNDLE=f"{options.home}/tls/ca.pem", NO_PROXY="*")
    with tempfile.TemporaryDirectory() as folder:
        FlagCase.folder = folder
        suite.run(Results(lambda message: message[0] == "ended" and report.add(message[1]), folder))
    if options.xunit_output:
        report.write_file(options.xunit_output)
    print(f"{report.count} tests ran", flush=True)
    return 0 if report.count and report.succeeded and not loader.errors else 1


if __name__ == "__main__":
    sys.exit(main())
