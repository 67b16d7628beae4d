"""The flags of the tests: one for each type, each reason and each possible error."""

VERSION_OR_SPLIT = {
    "if": [
        {"sem_ver": [{"var": "version"}, ">=", "2.10.0"]},
        {"fractional": [{"var": "targetingKey"}, ["on", 20], ["off", 80]]},
        "off",
    ]
}


def flag(variants, default=None, targeting=None, state="ENABLED", metadata=None):
    made = {"state": state, "variants": variants}
    if default is not None:
        made["defaultVariant"] = default
    if targeting is not None:
        made["targeting"] = targeting
    if metadata is not None:
        made["metadata"] = metadata
    return made


SWITCH = {"on": True, "off": False}
PRO = {"if": [{"==": [{"var": "plan"}, "pro"]}, "on"]}

FLAGS = {
    "types.switch": flag(SWITCH, "on"),
    "types.text": flag({"de": "Grüße 👋", "en": "Hello"}, "de"),
    "types.whole": flag({"few": 3, "many": 9007199254740993}, "many", {"if": [{"var": "few"}, "few"]}),
    "types.fraction": flag({"one": 1, "half": 0.5}, "one", {"if": [{"var": "half"}, "half"]}),
    "types.object": flag({"red": {"hex": "#f00", "of": [1, 2.5, None, {"deep": True}]}}, "red"),
    "reasons.targeted": flag(SWITCH, "off", PRO),
    "reasons.nothing-picked": flag(SWITCH, "off", {"if": [{"==": [{"var": "plan"}, "pro"]}, "on", None]}),
    "reasons.code-default": flag(SWITCH),
    "reasons.code-default-by-rule": flag(SWITCH, None, PRO),
    "reasons.split": flag(SWITCH, "off", {"fractional": [["on", 100], ["off", 0]]}),
    "reasons.disabled": flag(SWITCH, "on", state="DISABLED"),
    "errors.no-variant": flag(SWITCH, "off", {"if": [{"var": "beta"}, "blue", "on"]}),
    "errors.unknown-operator": flag(SWITCH, "off", {"regex": [{"var": "email"}, ".*"]}),
    "errors.no-such-rule": flag(SWITCH, "off", {"if": [{"$ref": "nobody"}, "on"]}),
    "shared.staff": flag(SWITCH, "off", {"if": [{"$ref": "staff"}, "on"]}),
    "people.open": flag(SWITCH, "on", metadata={"almanac.public": True, "owner": "web"}),
    "people.open-object": flag({"a": {"n": 1}}, "a", metadata={"almanac.public": True}),
    "people.split": flag(SWITCH, "off", VERSION_OR_SPLIT),
}

DOCUMENT = {
    "flags": FLAGS,
    "$evaluators": {"staff": {"ends_with": [{"var": "email"}, "@example.com"]}},
    "metadata": {"owner": "platform", "revision-of-set": 7},
}
# The flags that evaluate to an error. A strict import refuses a set that contains them.
BROKEN = {"errors.unknown-operator": "PARSE_ERROR", "errors.no-such-rule": "PARSE_ERROR"}
