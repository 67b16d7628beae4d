"""Merges a corpus as diff-match-patch does: applies mine's changes as fuzzy patches to theirs.

Usage: patches.py CORPUS > FILE, with diff-match-patch from PyPI. almanac-load-merge --corpus CORPUS FILE judges FILE.
"""

import pathlib
import sys
import time

from diff_match_patch import diff_match_patch

for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    base, theirs, mine = ((folder / side).read_bytes().decode() for side in ("base", "theirs", "mine"))
    matcher = diff_match_patch()
    start = time.perf_counter()
    merged, _ = matcher.patch_apply(matcher.patch_make(base, mine), theirs)
    milliseconds = (time.perf_counter() - start) * 1000
    sys.stdout.buffer.write(f"{folder.name}\1{milliseconds:.3f}\1{merged}\1".encode())
