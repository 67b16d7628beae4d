"""Which tests run, and in what order."""

import unittest
from itertools import chain

from support.quick import QUICK

# Before all others: the link that deploy/run prints, which works for ten minutes, and the config that a new instance has.
FIRST = "test_first_run.FirstRunTests"
# Seconds that classes take, where it is more than DEFAULT_SECONDS. The longest begin first, so that no process works
# alone in the end.
SECONDS = {
    "WorldsTests": 150, "NotesSyncTests": 100, "FlagTests": 120, "NotesOpenTests": 100, "NotesEditorTests": 100,
    "NotesForEveryoneTests": 90, "ForEveryoneTests": 80, "NotesFrameTests": 80, "TabsTests": 80, "NotesListTests": 80,
    "KillTests": 60, "UpdateTests": 60, "OfflineTests": 60, "NotesHistoryTests": 50, "NotesRowsTests": 50,
    "FaultsTests": 50, "ReleaseTests": 40, "ValueTests": 40, "FrameTests": 40, "HostileSessionTests": 40,
}
DEFAULT_SECONDS = 5


def find_classes(folder, patterns, is_quick):
    """Returns the ids of the tests that run, a list for each class, and what could not be loaded."""
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in patterns] or None
    classes = {}
    for test in flat(loader.discover(folder)):
        # One that stands for a module that could not be loaded.
        if test.id().startswith("unittest."):
            continue
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
