"""Records the answers of GrowthBook's client for Python.

Since version 4, this client leaves out a caller whose bucket is the end of a rollout, whom older clients include. No
caller is at such an end.
"""

import importlib.metadata
import json
import pathlib
import random
import sys

from growthbook import GrowthBook
from growthbook.core import gbhash

import recording

folder = pathlib.Path(sys.argv[1])
payload = json.loads((folder / "features.json").read_text(encoding="utf-8"))

#: The attributes and their values: the constants of the conditions, values beside them, and values of other types.
VALUES = {
    "id": ["", 0, 12, 0.5, True, "user-é", "用户", *(f"user-{n}" for n in range(60))],
    "company": ["Acme", "Globex", "Müller & Söhne", "", 17, 0, None, *(f"company {n}" for n in range(20))],
    "plan": ["free", "pro", "team", "enterprise", "Pro", "TEAM", "go", "", None, 5, True, ["pro"], ["free", "TEAM"]],
    "seats": [1, 5, 5.0, 5.5, 20, 50, 50.5, 51, "5", "20", None, True, [5]],
    "beta": [True, False, 0, 1, "true", "", None],
    "tags": [
        [], ["a"], ["a", "b"], ["b", "a"], ["a", "b", "c"], ["A", "B"], ["GRÖSSE", "größe"], ["größe"], [7], [True],
        [1], ["x", "y", "z", "w"], "a", "c", 7, True, None, {"0": "a"}, [None, "b"], [["a"]],
    ],
    "purchases": [
        [], [{"sku": "book", "price": 12}], [{"sku": "book", "price": 9}, {"sku": "pen", "price": 20}], "book",
        [{"sku": "pen"}], [None, {"price": 3}, 5], {"sku": "book", "price": 12}, [{"sku": "book", "price": "12"}],
    ],
    "anything": ["x", "", 1, 0.5, True, False, None, [], [1], {"a": 1}],
    "url": [
        "https://acme.example/shop", "https://acme.example/cart", "http://acme.example/shop", "HTTPS://ACME/SHOP", "",
        5, None, ["/shop"],
    ],
    "account": [
        {"owner": {"country": "DE"}, "size": 4}, {"owner": {"country": "FR"}, "size": 9}, {"owner": "DE", "size": 5},
        {"owner": {"country": "AT"}, "size": "4"}, {"size": 3}, "DE", None,
    ],
}
VERSIONS = [
    "2.9.9", "2.10.0", "v2.10.0", "2.10.0+build.9", "2.10.0-rc.1", "2.10.0-rc.10", "2.10.0-beta", "2.10", "2.10.0.1",
    "10", "10.0.0", "1.100000.0", "2", "", "abc", 2, 2.1, None, ["2.10.0"],
]


def caller(source):
    attributes = {name: source.choice(values) for name, values in VALUES.items() if source.random() < 0.85}
    if source.random() < 0.9:
        attributes["app"] = {"version": source.choice(VERSIONS)}
    return attributes


def is_at_end(attributes):
    """Returns True if a caller's bucket is the end of a rollout."""
    for key, feature in payload["features"].items():
        for rule in feature.get("rules", []):
            unit = attributes.get(rule.get("hashAttribute", "id"))
            if "coverage" in rule and "force" in rule and isinstance(unit, (str, int, float)):
                version = rule.get("hashVersion", 1)
                if gbhash(rule.get("seed", key), str(unit), version) == rule["coverage"]:
                    return True
    return False


def answer(key, attributes):
    client = GrowthBook(
        attributes=attributes, features=payload["features"], savedGroups=payload["savedGroups"])
    value = client.eval_feature(key).value
    client.destroy()
    return recording.DEFAULT if value is None else value


source = random.Random(7)
callers = [{}, {"id": "user-1"}]
while len(callers) < 400:
    attributes = caller(source)
    if not is_at_end(attributes):
        callers.append(attributes)
client = f"growthbook {importlib.metadata.version('growthbook')}"
# These two cannot be kept, and the reference does not evaluate what their rules need.
keys = [key for key in payload["features"] if key not in ["bandit", "length"]]
recording.write(folder, client, 1796040000, keys, callers, answer)
