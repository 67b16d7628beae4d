"""Writes random definitions and contexts, with what flagd's own evaluator for Python makes of them.

    python compare.py VERSION COUNT SEED > FILE

The interpreter has openfeature-flagd-core: 1.0.0 for VERSION 2, 2.0.0 for VERSION 3. FILE is for
`almanac-load-flags --compare FILE`. Where JSON Logic, as JavaScript defines it, or flagd itself says something else than
the Python packages, a case also has what comes out after correcting these here, and the names of the corrections.
"""

import importlib
import json
import math
import random
import sys
import time

from json_logic import builtins
from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import OpenFeatureError

# By their names: a function hides one of the modules.
targeting_module = importlib.import_module("openfeature.contrib.tools.flagd.core.targeting.targeting")
core_module = importlib.import_module("openfeature.contrib.tools.flagd.core.flagd_core")

NOW = 1_790_000_000
VERSION, COUNT, SEED = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
chance = random.Random(SEED)
time.time = lambda: NOW + 0.25
operators = targeting_module.OPERATORS
original = dict(operators)
original_functions = {name: getattr(builtins, name) for name in ("to_string", "to_number", "op_equals")}


# What is corrected, by what is wrong.


def js_string(value):
    if value is None:
        return "null"
    if value is True or value is False:
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e18 else repr(value)
    if isinstance(value, list):
        return ",".join("" if item is None else js_string(item) for item in value)
    return original_functions["to_string"](value)


def js_number(value):
    if isinstance(value, str):
        text = value.strip(" \t\n\v\f\r")
        if text == "":
            return 0
        if text.lstrip("+-").lower() in ("inf", "infinity", "nan") or "_" in text or not text.isascii():
            return float(text) if text.lstrip("+-") == "Infinity" else builtins.NAN
    if isinstance(value, list) and len(value) == 1:
        return builtins.NAN if isinstance(value[0], bool) else js_number(value[0])
    return original_functions["to_number"](value)


def js_equals(data=None, a=None, b=None, *_):
    if a is None or b is None:
        return a is b
    if isinstance(a, (list, dict)) and isinstance(b, (list, dict)):
        return False
    return original_functions["op_equals"](data, a, b)


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a == b


def js_in(data=None, needle=None, haystack=None, *_):
    if isinstance(haystack, list):
        return any(same(needle, item) for item in haystack)
    return original["in"](data, needle, haystack)


def compared(compare):
    def pair(a, b):
        if isinstance(a, (str, list, dict)) and isinstance(b, (str, list, dict)):
            return compare(builtins.to_string(a), builtins.to_string(b))
        return compare(builtins.to_number(a), builtins.to_number(b))

    return lambda data=None, a=None, b=None, c=None, *_: pair(a, b) and (c is None or pair(b, c))


def divided(data=None, a=None, b=None, *_):
    a, b = builtins.to_number(a), builtins.to_number(b)
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def remainder(data=None, a=None, b=None, *_):
    a, b = builtins.to_number(a), builtins.to_number(b)
    return math.nan if b == 0 or math.isinf(a) or math.isnan(a) or math.isnan(b) else math.fmod(a, b)


def extreme(choose):
    def chosen(data=None, *args):
        numbers = [+builtins.to_number(argument) for argument in args]
        return math.nan if any(map(math.isnan, numbers)) else choose(numbers, default=math.nan)

    return chosen


def whole(value):
    return int(value) if isinstance(value, float) and value.is_integer() else value


def split_with_whole_weights(data, *args):
    args = [[a[0], whole(a[1])] if isinstance(a, list) and len(a) == 2 else a for a in args]
    return split_before(data, *args)


def split_without_null(data, *args):
    return split_before(data, *(args[1:] if args and args[0] is None and VERSION == 2 else args))


def set_split(function):
    global split_before
    split_before = operators["fractional"]
    before = split_before

    def correct(data, *args):
        global split_before
        split_before = before
        return function(data, *args)

    operators["fractional"] = correct


def set_joined():
    operators["cat"] = lambda data=None, *args: "".join("" if a is None else builtins.to_string(a) for a in args)


CORRECTIONS = {
    "null is equal to nothing else": lambda: operators.update(
        {"==": js_equals, "!=": lambda *args: not js_equals(*args)}
    ),
    "true is not the same as 1": lambda: operators.update(
        {
            "===": lambda data=None, a=None, b=None, *_: same(a, b),
            "!==": lambda data=None, a=None, b=None, *_: not same(a, b),
            "in": js_in,
        }
    ),
    "what is no text is compared as a number, null too": lambda: operators.update(
        {
            "<": compared(lambda a, b: a < b),
            "<=": compared(lambda a, b: a <= b),
            ">": compared(lambda a, b: a > b),
            ">=": compared(lambda a, b: a >= b),
        }
    ),
    "a remainder has the sign of the first number": lambda: operators.update({"%": remainder}),
    "the greatest of what is no number is no number": lambda: operators.update(
        {"min": extreme(min), "max": extreme(max)}
    ),
    "dividing by 0 is no error": lambda: operators.update({"/": divided}),
    "true, numbers and what is none are written as in JavaScript": lambda: setattr(builtins, "to_string", js_string),
    "null adds nothing to a text": set_joined,
    "an empty text is the number 0": lambda: setattr(builtins, "to_number", js_number),
    "a whole number is a weight, however computed (flagd)": lambda: set_split(split_with_whole_weights),
    "a missing attribute leaves the targeting key (flagd)": lambda: set_split(split_without_null),
    "a number picks a variant as it is written in JavaScript": lambda: None,
    "an unknown operator breaks the flag wherever it stands": lambda: None,
}


def correct(names):
    operators.clear()
    operators.update(original)
    for name, function in original_functions.items():
        setattr(builtins, name, function)
    for name in names:
        CORRECTIONS[name]()
    return set(names)


def has_unknown(rule):
    if isinstance(rule, list):
        return any(map(has_unknown, rule))
    if not isinstance(rule, dict) or len(rule) != 1:
        return False
    ((name, argument),) = rule.items()
    known = ("if", "?:", "and", "or", "map", "filter", "reduce", "all", "some", "none")
    return (name not in original and name not in known) or has_unknown(argument)


def evaluate(document, key, context, names):
    active = correct(names)
    flag = document["flags"][key]
    core = FlagdCore()
    try:
        core.set_flags(json.dumps(document))
        stored = core._flag_store.get_flag(key)
        if "an unknown operator breaks the flag wherever it stands" in active:
            if stored.state == "ENABLED" and stored.targeting and has_unknown(stored.targeting):
                return {"reason": "ERROR", "error": "PARSE_ERROR"}
        attributes = {name: value for name, value in context.items() if name != "targetingKey"}
        if "a number picks a variant as it is written in JavaScript" in active:
            plain = targeting_module.targeting
            def written(*args):
                result = plain(*args)
                number = isinstance(result, (int, float)) and not isinstance(result, bool)
                return js_string(result) if number or isinstance(result, (list, dict)) else result

            core_module.targeting = written
            try:
                result = core._resolve(key, None, EvaluationContext(context.get("targetingKey"), attributes))
            finally:
                core_module.targeting = plain
        else:
            result = core._resolve(key, None, EvaluationContext(context.get("targetingKey"), attributes))
        return {"reason": str(result.reason.value), "variant": result.variant, "value": result.value}
    except OpenFeatureError as error:
        return {"reason": "ERROR", "error": error.error_code.value}
    except Exception as error:
        return {"crash": type(error).__name__}


# Random definitions, as people write them and otherwise.

TEXTS = ["free", "pro", "team", "", "1", "10", " 7 ", "true", "é", "e\u0301", "日本", "a@example.com", "b@faas.com", "0", "x"]
VERSIONS = ["1.2.3", "v1.2", "2", "1.10.0-beta.2", "1.10.0-beta.11", "1.10.0+5", "V2.0.0", "nonsense", "1.2.3.4", "01.2.3"]
NUMBERS = [0, 1, -1, 2, 3, 7, 10, 18, 25, 50, 99, 1.5, 0.1, 2.0, 1e3, 9007199254740991, NOW, NOW + 5]
NAMES = ["plan", "age", "email", "beta", "tags", "user.name", "user.id", "version", "score", "country", "nothing", "tags.0"]
VARIANTS = ["on", "off", "red", "true", "false", "1", "2.5"]


def plain():
    return chance.choice([chance.choice(TEXTS), chance.choice(NUMBERS), True, False, None, chance.choice(VERSIONS)])


def variable():
    name = chance.choice(NAMES + ["targetingKey", "$flagd.flagKey", "$flagd.timestamp"])
    return {"var": chance.choice([name, name, [name], [name, plain()]])}


def weight():
    draw = chance.random()
    if draw < 0.8:
        return chance.choice([0, 1, 5, 10, 25, 50, 50, 100, 1000, 2147483647])
    return {"-": [variable(), chance.choice(NUMBERS)]} if draw < 0.95 else chance.choice([-1, 2.5, "5", None, 25.0])


def split(depth):
    buckets = [
        [result(depth - 2), weight()] if chance.random() < 0.85 else [chance.choice(VARIANTS)]
        for _ in range(chance.randint(1, 4))
    ]
    draw = chance.random()
    if draw < 0.4:
        return {"fractional": buckets}
    if draw < 0.6:
        return {"fractional": [{"cat": [{"var": "$flagd.flagKey"}, variable()]}] + buckets}
    return {"fractional": [variable() if draw < 0.9 else value(depth - 1)] + buckets}


def condition(depth):
    draw = chance.random()
    if draw < 0.2:
        return {chance.choice(["==", "!=", "===", "!=="]): [variable(), plain()]}
    if draw < 0.35:
        return {chance.choice(["<", "<=", ">", ">="]): [variable(), chance.choice([plain(), chance.choice(NUMBERS)])]}
    if draw < 0.5:
        members = [plain() for _ in range(chance.choice([1, 3, 12]))]
        return {"in": [variable(), members if chance.random() < 0.7 else variable()]}
    if draw < 0.6:
        relation = chance.choice(["=", "!=", "<", "<=", ">", ">=", "^", "~", "?"])
        return {"sem_ver": [{"var": "version"}, relation, chance.choice(VERSIONS)]}
    if draw < 0.68:
        return {chance.choice(["starts_with", "ends_with"]): [variable(), chance.choice(TEXTS)]}
    if draw < 0.75:
        return {"$ref": chance.choice(["staff", "adult"])}
    if draw < 0.8:
        inner = {chance.choice(["==", "<", "in"]): [{"var": ""}, plain()]}
        return {chance.choice(["some", "all", "none"]): [{"var": "tags"}, inner]}
    if depth <= 0 or draw < 0.85:
        return value(0)
    return {chance.choice(["and", "or", "!", "!!"]): [condition(depth - 1) for _ in range(chance.randint(1, 3))]}


def value(depth):
    draw = chance.random()
    if depth <= 0 or draw < 0.4:
        return chance.choice([variable(), plain(), variable()])
    if draw < 0.6:
        arguments = [value(depth - 1) for _ in range(chance.randint(1, 3))]
        return {chance.choice(["+", "-", "*", "/", "%", "min", "max"]): arguments}
    if draw < 0.75:
        return {"cat": [value(depth - 1) for _ in range(chance.randint(1, 3))]}
    if draw < 0.8:
        return {"substr": [value(depth - 1), chance.choice([-3, -1, 0, 1, 2]), chance.choice([-2, 0, 1, 2])]}
    if draw < 0.85:
        return {"missing": [chance.choice(NAMES), chance.choice(NAMES)]}
    if draw < 0.9:
        return {"reduce": [{"var": "tags"}, {"cat": [{"var": "accumulator"}, {"var": "current"}]}, "x"]}
    if draw < 0.93:
        return {"map": [{"var": "tags"}, {"cat": [{"var": ""}, "!"]}]}
    if draw < 0.95:
        return {"merge": [value(depth - 1), variable()]}
    return condition(depth - 1)


def result(depth):
    draw = chance.random()
    if depth <= 0 or draw < 0.45:
        return chance.choice(VARIANTS[:5] + ["on", "off", None, True, False, 1, 2.5, "missing variant"])
    if draw < 0.7:
        pairs = [part for _ in range(chance.randint(1, 2)) for part in (condition(depth - 1), result(depth - 1))]
        return {"if": pairs + ([result(depth - 1)] if chance.random() < 0.8 else [])}
    if draw < 0.92:
        return split(depth)
    if draw < 0.98:
        return condition(depth - 1)
    return chance.choice([value(depth - 1), {"regex": [variable(), ".*"]}])


def definition():
    kind = chance.choice(["bool", "text", "number", "object"])
    values = {
        "bool": lambda: chance.random() < 0.5,
        "text": lambda: chance.choice(TEXTS),
        "number": lambda: chance.choice(NUMBERS),
        "object": lambda: {"size": chance.choice(NUMBERS), "of": [chance.choice(TEXTS)]},
    }
    names = chance.sample(VARIANTS, chance.randint(2, len(VARIANTS)))
    flag = {
        "state": "DISABLED" if chance.random() < 0.03 else "ENABLED",
        "variants": {name: values[kind]() for name in names},
    }
    if chance.random() < 0.85:
        flag["defaultVariant"] = chance.choice(names + [None]) if chance.random() < 0.97 else "not there"
    if chance.random() < 0.95:
        flag["targeting"] = result(4) if chance.random() < 0.97 else {}
        if not isinstance(flag["targeting"], dict):
            flag["targeting"] = {"if": [condition(2), flag["targeting"]]}
    return flag


def context():
    whole = {
        "targetingKey": chance.choice(["u%d" % chance.randint(0, 10_000), "é", "x" * chance.randint(1, 60)]),
        "plan": chance.choice(TEXTS),
        "age": chance.choice(NUMBERS),
        "email": chance.choice(["a@example.com", "b@faas.com"]),
        "beta": chance.random() < 0.5,
        "tags": [chance.choice(TEXTS + NUMBERS) for _ in range(chance.randint(0, 4))],
        "user": {"name": chance.choice(TEXTS), "id": chance.choice([1, 70_000, 2**53 + 1, 2**63, -5, 1.5, 4.0])},
        "version": chance.choice(VERSIONS + [1, 1.2]),
        "score": chance.choice([0.5, 65504.0, 1e-7, 3.1, 1e30]),
        "country": chance.choice(["NO", "CL", "JP", None]),
    }
    return {name: value for name, value in whole.items() if chance.random() < 0.85}


EVALUATORS = {
    "staff": {"ends_with": [{"var": "email"}, "@faas.com"]},
    "adult": {">=": [{"var": "age"}, 18]},
}


def main():
    print(json.dumps({"version": VERSION, "now": NOW, "evaluators": EVALUATORS}))
    for _ in range(COUNT):
        key = chance.choice(["checkout", "new-ui", "é"])
        document = {"flags": {key: definition()}, "$evaluators": EVALUATORS}
        asked = context()
        case = {"key": key, "flag": document["flags"][key], "context": asked}
        case["expected"] = evaluate(document, key, asked, [])
        corrected = evaluate(document, key, asked, CORRECTIONS)
        if corrected != case["expected"]:
            case["corrected"] = corrected
            single = [name for name in CORRECTIONS if evaluate(document, key, asked, [name]) != case["expected"]]
            case["corrections"] = single or ["several at once"]
        print(json.dumps(case))


main()
