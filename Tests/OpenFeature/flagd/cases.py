"""Writes random definitions and contexts, with the outcomes of flagd's own evaluator for Python.

    python cases.py VERSION COUNT SEED > FILE

The interpreter must have openfeature-flagd-core: 1.0.0 for VERSION 2, 2.0.0 for VERSION 3. FILE is for
`almanac-load-flags --compare FILE`. The Python packages differ in places from flagd itself and from JSON Logic as
JavaScript defines it. For an affected case, FILE also contains the outcome after corrections, and the names of the
corrections.
"""

import json
import sys

import reference
from definitions import EVALUATORS, NOW, Definitions


def main():
    version, count, seed = map(int, sys.argv[1:4])
    reference.use(version)
    definitions = Definitions(seed)
    print(json.dumps({"version": version, "now": NOW, "evaluators": EVALUATORS}))
    for _ in range(count):
        key = definitions.one(["checkout", "new-ui", "é"])
        document = {"flags": {key: definitions.definition()}, "$evaluators": EVALUATORS}
        asked = definitions.context()
        case = {"key": key, "flag": document["flags"][key], "context": asked}
        case["expected"] = reference.outcome(document, key, asked)
        better = reference.corrected(document, key, asked, case["expected"])
        if better:
            case["corrected"], case["corrections"] = better
        print(json.dumps(case))


main()
