"""The selection and order of the tests."""

import unittest
from itertools import chain

from support.quick import QUICK

# The first class: it needs a new instance's config, and the link of deploy/run, which expires after ten minutes.
FIRST = "test_first_run.FirstRunTests"
# The durations of classes over DEFAULT_SECONDS, in seconds. The longest start first, so that no process is the last.
SECONDS = {
    "FlagTests": 200, "SimulationTests": 120, "NotesEditorTests": 110, "NotesListTests": 100, "NotesOpenTests": 100,
    "ForEveryoneTests": 90, "UpdateTests": 80, "EditTests": 70, "NotesAttachmentsTests": 60, "NotesForEveryoneTests": 60, "NotesSyncTests": 55,
    "NotesStorageTests": 55, "NotesFrameTests": 45, "SessionTests": 40, "HostileTextTests": 40, "KillTests": 35,
    "SignInTests": 35, "ReleaseTests": 30, "PeopleTests": 35, "TabsTests": 25, "NotesAccountsTests": 25, "NotesHistoryTests": 25,
    "ValueTests": 25, "HostileSessionTests": 25, "NotesRowsTests": 20, "NotesMoveTests": 20, "FaultsTests": 20,
    "NotesScreensTests": 20, "OfflineTests": 20, "NotesTouchTests": 15, "TwoPeopleTests": 15,
    "ReleaseByTwoTests": 25, "HookTests": 20, "ProposalTests": 15,
}
DEFAULT_SECONDS = 5


def find_classes(folder, patterns, is_quick):
    """Returns the ids of the selected tests, a list for each class, and the errors of modules that failed to load."""
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in patterns] or None
    classes = {}
    for test in flat(loader.discover(folder)):
        # A placeholder for a module that failed to load.
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
    """Returns the quick tests of each class, and the unknown names."""
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
