"""Evaluates each flag of a set for several contexts with flagd's own evaluator for Python.

    python outcomes.py VERSION [--whole]

Reads {"document": …, "contexts": […]}, and writes an object for each context: {flag: {"expected": …,
"corrected": …}}. With --whole, the evaluator reads the whole set, as in a program that evaluates flags in its own
process, and all corrections apply. Otherwise each flag is read alone and evaluated without and with all corrections.
"""

import json
import sys

import reference
from corrections import CORRECTIONS
from openfeature.contrib.tools.flagd.core import FlagdCore


def alone(document, key, asked):
    own = {"flags": {key: document["flags"][key]}, "$evaluators": document.get("$evaluators", {})}
    expected = reference.outcome(own, key, asked)
    better = reference.corrected(own, key, asked, expected)
    return {"expected": expected, "corrected": better[0] if better else expected}


def main():
    reference.use(int(sys.argv[1]))
    asked = json.load(sys.stdin)
    document = asked["document"]
    if "--whole" in sys.argv:
        core = FlagdCore()
        core.set_flags(json.dumps(document))
        found = [{key: {"expected": reference.outcome(document, key, context, CORRECTIONS, core)}
                  for key in document["flags"]} for context in asked["contexts"]]
    else:
        found = [{key: alone(document, key, context) for key in document["flags"]} for context in asked["contexts"]]
    print(json.dumps(found))


main()
