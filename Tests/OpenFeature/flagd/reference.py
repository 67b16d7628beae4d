"""Evaluates a flag with flagd's evaluator for Python."""

import importlib
import json
import logging
import time

import corrections
from corrections import CORRECTIONS, NUMBER, UNKNOWN
from definitions import NOW
from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import OpenFeatureError

core_module = importlib.import_module("openfeature.contrib.tools.flagd.core.flagd_core")
targeting_module = corrections.targeting_module
# The evaluator logs every invalid version.
logging.disable(logging.CRITICAL)
time.time = lambda: NOW + 0.25


def use(version):
    corrections.version = version


def outcome(document, key, asked, names=(), core=None):
    """Evaluates a flag of a document with some corrections. `core` is an evaluator that has read the document."""
    corrections.correct(names)
    try:
        if core is None:
            core = FlagdCore()
            core.set_flags(json.dumps(document))
        stored = core._flag_store.get_flag(key)
        if UNKNOWN in names and stored.state == "ENABLED" and corrections.has_unknown(stored.targeting):
            return {"reason": "ERROR", "error": "PARSE_ERROR"}
        return resolved(core, key, asked, NUMBER in names)
    except OpenFeatureError as error:
        return {"reason": "ERROR", "error": error.error_code.value}
    except Exception as error:
        return {"crash": type(error).__name__}


def resolved(core, key, asked, writes_numbers=False):
    attributes = {name: value for name, value in asked.items() if name != "targetingKey"}
    plain = core_module.targeting

    def written(*args):
        result = plain(*args)
        number = isinstance(result, (int, float)) and not isinstance(result, bool)
        return corrections.js_string(result) if number or isinstance(result, (list, dict)) else result

    core_module.targeting = written if writes_numbers else plain
    try:
        result = core._resolve(key, None, EvaluationContext(asked.get("targetingKey"), attributes))
    finally:
        core_module.targeting = plain
    return {"reason": str(result.reason.value), "variant": result.variant, "value": result.value}


def corrected(document, key, asked, expected):
    """Returns the outcome with all corrections and the names of those that matter, or None if nothing changes."""
    found = outcome(document, key, asked, CORRECTIONS)
    if found == expected:
        return None
    names = [name for name in CORRECTIONS if outcome(document, key, asked, [name]) != expected]
    return found, names or ["several at once"]
