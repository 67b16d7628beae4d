"""The extent of the simulations, set by ALMANAC_TEST_DEPTH: quick, standard or long."""

import os
import random

DEPTHS = ("quick", "standard", "long")
DEPTH = os.environ.get("ALMANAC_TEST_DEPTH") or "standard"
if DEPTH not in DEPTHS:
    raise SystemExit(f"ALMANAC_TEST_DEPTH must be one of {', '.join(DEPTHS)}, not {DEPTH!r}")


def runs(variable, **counts):
    """Returns the number of runs: the value of the environment variable, else the count of the depth."""
    return int(os.environ.get(variable) or counts[DEPTH])


def chosen_seed(step=1):
    """Returns the seed in ALMANAC_TEST_SEED, else a random multiple of `step`; the test prints the seed."""
    return int(os.environ.get("ALMANAC_TEST_SEED") or random.randrange((1 << 30) // step) * step)


def ends_within(seconds):
    """Sets a longer deadline for a test, in seconds."""
    def mark(test):
        test.deadline = seconds
        return test
    return mark
