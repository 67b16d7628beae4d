"""How much is simulated, by ALMANAC_TEST_DEPTH: quick, standard or long."""

import os
import random

DEPTHS = ("quick", "standard", "long")
DEPTH = os.environ.get("ALMANAC_TEST_DEPTH") or "standard"
if DEPTH not in DEPTHS:
    raise SystemExit(f"ALMANAC_TEST_DEPTH must be one of {', '.join(DEPTHS)}, not {DEPTH!r}")


def runs(variable, **counts):
    """Returns how often a simulation runs: what its variable of the environment says, else the count of the depth."""
    return int(os.environ.get(variable) or counts[DEPTH])


def chosen_seed(step=1):
    """Returns the seed that ALMANAC_TEST_SEED says, else a random one, a multiple of `step`; the test prints it."""
    return int(os.environ.get("ALMANAC_TEST_SEED") or random.randrange((1 << 30) // step) * step)


def ends_within(seconds):
    """Marks a test that may take longer than others: it fails after these seconds."""
    def mark(test):
        test.deadline = seconds
        return test
    return mark
