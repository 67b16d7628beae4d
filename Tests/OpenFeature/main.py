"""Runs the tests: main.py HOME [--xunit-output FILE] [--flagd VERSION=PYTHON ...] [PATTERN ...]"""

import argparse
import os
import sys
import tempfile
import unittest

from case import FlagCase
from support.instance import Instance
from support.results import Results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("home")
    parser.add_argument("--xunit-output")
    parser.add_argument("--flagd", action="append", default=[])
    parser.add_argument("patterns", nargs="*")
    options = parser.parse_intermixed_args()
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in options.patterns] or None
    suite = loader.discover(os.path.dirname(os.path.abspath(__file__)))
    FlagCase.instance = Instance(options.home)
    FlagCase.flagd = dict(word.split("=", 1) for word in options.flagd)
    # Where Python's requests look for authorities that their user trusts.
    os.environ.update(REQUESTS_CA_BUNDLE=f"{options.home}/tls/ca.pem", NO_PROXY="*")
    with tempfile.TemporaryDirectory() as folder:
        FlagCase.folder = folder
        results = Results(sys.stdout, folder)
        suite.run(results)
    if options.xunit_output:
        results.write_file(options.xunit_output)
    print(f"{results.testsRun} tests ran", flush=True)
    return 0 if results.testsRun and results.wasSuccessful() and not loader.errors else 1


if __name__ == "__main__":
    sys.exit(main())
