"""Which tests run, in what order, and how long each may take."""

import unittest
from itertools import chain

from support.quick import QUICK

# Before all others: the link that deploy/run prints, which works for ten minutes, and the config that a new instance has.
FIRST = "test_first_run.FirstRunTests"
# Seconds that classes take, where it is more than DEFAULT_SECONDS. The longest begin first, so that no process works
# alone in the end.
SECONDS = {}
DEFAULT_SECONDS = 5
# Seconds after which a test that has not ended fails. Ten times as long as any takes on an idle machine, since a
# machine may have that much more to do.
DEADLINE = 300
DEADLINES = {"WorldsTests.test_worlds": 1800, "NotesSyncTests.test_devices_agree": 900, "KillTests.test_kills": 900}


def find_classes(folder, patterns, is_quick):
    """Returns the ids of the tests that run, a list for each class, and what could not be loaded."""
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in patterns] or None
    classes = {}
    for test in flat(loader.discover(folder)):
        classes.setdefault(class_of(test.id()), []).append(test.id())
    if is_quick:
        classes, unknown = only_quick(classes)
        if unknown and not patterns:
            raise SystemExit(f"support/quick.py names tests that there are not: {', '.join(unknown)}")
    names = sorted(classes, key=lambda name: (name != FIRST, -SECONDS.get(name.split(".")[-1], DEFAULT_SECONDS)))
    return [classes[name] for name in names], loader.errors


def only_quick(classes):
    """Returns the quick tests of each class, and those that are in none."""
    left = set(chain(*QUICK.values()))
    found = {}
    for name, tests in classes.items():
        short = {test.partition(".")[2]: test for test in tests}
        if chosen := [short[test] for test in short if test in left]:
            found[name] = chosen
        left -= set(short)
    return found, sorted(left)


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def class_of(test):
    return test.rpartition(".")[0]


def deadline_of(test):
    return DEADLINES.get(test.partition(".")[2], DEADLINE)
