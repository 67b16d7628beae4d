"""What flagd's own evaluator for Python makes of each flag of a set for each of some contexts.

    python outcomes.py VERSION [--whole]

Reads {"document": …, "contexts": […]}, and writes an object for each context: {flag: {"expected": …, "corrected": …}}.
With --whole the set is read as it is, as a program does that evaluates flags in its own process, and corrections of all
kinds are made. Else each flag is read alone, evaluated as the packages are, and again with corrections of all kinds.
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
