"""Corrections of flagd's evaluator for Python where it differs from flagd itself or from JavaScript's JSON Logic."""

import importlib
import math

from json_logic import builtins

# Import by name, because a function hides the module.
targeting_module = importlib.import_module("openfeature.contrib.tools.flagd.core.targeting.targeting")
operators = targeting_module.OPERATORS
original = dict(operators)
original_functions = {name: getattr(builtins, name) for name in ("to_string", "to_number", "op_equals")}
# The version of splits: 2 or 3.
version = 3
# Two corrections that are not of an operator, but take effect at the evaluation of a flag.
NUMBER = "a number picks a variant as it is written in JavaScript"
UNKNOWN = "an unknown operator breaks the flag wherever it stands"


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
    return split_before(data, *(args[1:] if args and args[0] is None and version == 2 else args))


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
    NUMBER: lambda: None,
    UNKNOWN: lambda: None,
}


def correct(names):
    """Applies exactly these corrections to the evaluator."""
    operators.clear()
    operators.update(original)
    for name, function in original_functions.items():
        setattr(builtins, name, function)
    for name in names:
        CORRECTIONS[name]()


def has_unknown(rule):
    if isinstance(rule, list):
        return any(map(has_unknown, rule))
    if not isinstance(rule, dict) or len(rule) != 1:
        return False
    ((name, argument),) = rule.items()
    known = ("if", "?:", "and", "or", "map", "filter", "reduce", "all", "some", "none")
    return (name not in original and name not in known) or has_unknown(argument)
