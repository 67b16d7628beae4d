"""Records answers of Firebase Remote Config.

firebase-admin evaluates the trees of server-template.json. Firebase's service alone evaluates the expressions of
template.json, so these answers come from an implementation of its documentation in this file.
"""

import datetime
import hashlib
import json
import logging
import pathlib
import random
import re
import sys
import zoneinfo
from importlib.metadata import version

import firebase_admin
import recording
from firebase_admin import credentials, remote_config
from google.auth.credentials import AnonymousCredentials

NOW = 1_764_500_000
UNIT = "firebaseInstallationId"

#: The values of attributes by their names in templates.
ATTRIBUTES = {
    "device.os": ["ios", "iOS", "android", "web", 5],
    "device.country": ["FI", "SE", "se", "DE", "US"],
    "device.language": ["fi", "sv-SE", "sv", "nb", "de-DE"],
    "app.version": [
        "2.9.9", "2.10", "2.10.0", "2.11.0.1", "1.3.9", "1.4.0", "3.0", "3", "3.0.0.0", "2.0.1", " 2.0.2", "2.0.2-beta", "4-rc",
        "1.7.0", "1.7.1", "0.9beta3", "", 3, 2.5,
    ],
    "app.build": ["299", "300", "301", 300, "1990", "x"],
    "app.id": ["1:469340048437:ios:5a1b", "1:469340048437:android:77"],
    "app.firstOpenTimestamp": [
        1748728800, 1748728801, 1735689600, 1735689601, "2025-06-01T00:00:00+02:00", "2025-05-31T22:00:01Z", "2024-12-31T23:59:59Z",
        "soon", True,
    ],
    "userProperty.plan": ["plus", " plus ", "family\n", "free", "Plus", 4],
    "userProperty.orders": [3, "3", 12, 12.5, "12.50", "13 pieces", "", "1e2", 0, -1],
    "userProperty.balance": [-2, -2.01, "-3", 0, "minus"],
    "customSignal.level": [0, "0", 0.5, 1, "1", 2, "", "none"],
    "customSignal.shell": ["1.2.3.4", "1.2.3.5", "1.2.4", "1.2", 2, 1.2, "1.2.3.4.5", "1.2.3.4.5.6", "2-beta"],
    "customSignal.city": ["Hamburg", "Freiburg", "Ingolstadt", "Kiel", "", 7],
    "customSignal.device": ["tablet", "tablet ", "phone"],
    "customSignal.region": ["us-east1", "us-west2", "eu-west4", " eu-west4", "asia-south1", "us-", "", 5, 0, "US-EAST1", "xus-east1"],
    "customSignal.load": [0, 1, 2.5, "2.5", " 2.5 ", 2.6, 11, "11", "high", "", "2.5x", -3],
    "customSignal.runtime": ["1.20", "1.20.0", "1.2", "1.19.9", "1.21", "2", 2, 1.2, "v1.20", "1.20-rc", "1..2", ""],
}


def callers():
    generator = random.Random(2025)
    for number in range(440):
        attributes = {}
        if number % 10:
            choices = ["fid-tester-1", "fid-tester-2", "fid-17"] if number % 30 == 1 else [f"fid-{generator.randrange(10**6)}"]
            attributes[UNIT] = generator.choice(choices)
        for name, values in ATTRIBUTES.items():
            if generator.random() < 0.45:
                attributes[name] = generator.choice(values)
        yield attributes


class Expression:
    """An evaluation of an expression by Firebase's documentation of conditions."""

    TEXT = r"'([^']*)'"

    def __init__(self, expression):
        self.elements = re.split(r" && (?=(?:[^']*'[^']*')*[^']*$)", expression)

    def holds(self, attributes):
        return all(self.element(element, attributes) for element in self.elements)

    def element(self, element, attributes):
        texts = re.findall(self.TEXT, element)
        if element in ("true", "false"):
            return element == "true"
        if element.startswith("percent"):
            return self.percent(element, texts, attributes.get(UNIT))
        if element.startswith("dateTime"):
            return compare(element.split()[1], NOW, moment(texts))
        if element.startswith("app.firstOpenTimestamp"):
            own = instant(attributes.get("app.firstOpenTimestamp"))
            return own is not None and compare(element.split()[1], own, moment(texts))
        if found := re.match(r"(app\.firebaseInstallationId|device\.country|device\.language) in \[", element):
            own = attributes.get(UNIT if "Installation" in found[1] else found[1])
            fold = str.lower if "device" in found[1] else str
            return isinstance(own, str) and fold(own) in [fold(text) for text in texts]
        if found := re.match(r"(app\.id|device\.os) (==|!=) ", element):
            own = attributes.get(found[1])
            fold = str.lower if "device" in found[1] else str
            return isinstance(own, str) and (fold(own) == fold(texts[0])) == (found[2] == "==")
        if found := re.match(r"version\(app\.(customSignal)\['(\w+)'\]\) (\S+) ", element):
            return versions(found[3], text_of(attributes.get(f"customSignal.{found[2]}")), texts[1])
        found = re.match(r"app\.(version|build|userProperty|customSignal)(?:\['(\w+)'\])?(.*)$", element)
        own = text_of(attributes.get(f"{found[1]}.{found[2]}" if found[2] else f"app.{found[1]}"))
        if own is None:
            return False
        rest, targets = found[3], re.findall(self.TEXT, found[3])
        if rest.startswith(".contains"):
            return any(target in own for target in targets)
        if rest.startswith(".notContains"):
            return not any(target in own for target in targets)
        if rest.startswith(".exactlyMatches"):
            return own.strip() in [target.strip() for target in targets]
        if rest.startswith(".matches"):
            return any(re.search(target, own) for target in targets)
        if rest.startswith("."):
            return versions(re.match(r"\.([<>=!]+)\(", rest)[1], own, targets[0])
        relation, number = rest.split()
        try:
            return compare(relation, float(own), float(number))
        except ValueError:
            return False

    def percent(self, element, texts, unit):
        if not unit:
            return False
        seed = f"{texts[0]}." if texts else ""
        bucket = int(hashlib.sha256(f"{seed}{unit}".encode()).hexdigest(), 16) % 100_000_000
        numbers = [round(float(number) * 1_000_000) for number in re.findall(r"(?<![\w'-])[\d.]+", re.sub(r"\(.*\)", "", element))]
        if "between" in element:
            return numbers[0] < bucket <= numbers[1]
        return bucket <= numbers[0] if "<=" in element else bucket > numbers[0]


def compare(relation, left, right):
    return {"<": left < right, "<=": left <= right, "==": left == right, "!=": left != right, ">": left > right, ">=": left >= right}[
        relation
    ]


def versions(relation, own, target):
    if own is None:
        return False
    parts = [text.split(".") for text in (own, target)]
    if not all(part.isdecimal() for part in parts[0] + parts[1]) or len(parts[0]) > 5:
        return False
    left, right = ([int(part) for part in version] + [0] * (5 - len(version)) for version in parts)
    return compare(relation, left, right)


def text_of(value):
    return None if value is None or isinstance(value, (bool, list, dict)) else str(value)


def moment(texts):
    zone = zoneinfo.ZoneInfo(texts[1] if len(texts) > 1 else "UTC")
    return datetime.datetime.fromisoformat(texts[0]).replace(tzinfo=zone).timestamp()


def instant(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    try:
        return datetime.datetime.fromisoformat(value).timestamp() if isinstance(value, str) else None
    except ValueError:
        return None


class NoCredential(credentials.Base):
    """A credential for a library that asks Firebase for nothing."""

    def get_credential(self):
        return AnonymousCredentials()


def converted(value, kind):
    if kind == "STRING":
        return value
    return json.loads(value)


def main(folder):
    template = json.loads((folder / "template.json").read_text(encoding="utf-8"))
    server = json.loads((folder / "server-template.json").read_text(encoding="utf-8"))
    kept = {name: item for name, item in template["parameters"].items() if "conditionalValues" in item}
    for group in template["parameterGroups"].values():
        kept |= {name: item for name, item in group["parameters"].items() if "conditionalValues" in item}
    # These conditions have syntax or data that only Firebase's service knows.
    unknown = ["Buyers", "Browser", "Lookahead", "Backslash", "Either", "Unknown zone", "Skipped hour", "Future element"]
    unknown += ["Half below", "Deleted"]
    kept = {name: item for name, item in kept.items() if not set(item["conditionalValues"]) & set(unknown)}
    kept = {name: item for name, item in kept.items() if name not in ("rolled", "not_boolean")}
    conditions = {item["name"]: Expression(item["expression"]) for item in template["conditions"]}

    def expected(key, attributes):
        item = kept[key]
        for name, condition in conditions.items():
            if name in item["conditionalValues"] and condition.holds(attributes):
                chosen = item["conditionalValues"][name]
                break
        else:
            chosen = item.get("defaultValue", {"useInAppDefault": True})
        return recording.DEFAULT if chosen.get("useInAppDefault") else converted(chosen["value"], item["valueType"])

    logging.disable()
    app = firebase_admin.initialize_app(NoCredential(), {"projectId": "nordlicht"})
    client = remote_config.init_server_template(app=app, template_data_json=json.dumps(server))

    def answer(key, attributes):
        if key in kept:
            return expected(key, attributes)
        signals = {name.removeprefix("customSignal."): value for name, value in attributes.items() if name.startswith("customSignal.")}
        config = client.evaluate(signals | {"randomization_id": attributes.get(UNIT, "")})
        if config.get_value_source(key) != "remote":
            return recording.DEFAULT
        return converted(config.get_string(key), server["parameters"][key]["valueType"])

    keys = [*kept, *(name for name in server["parameters"])]
    recording.write(folder, f"firebase-admin {version('firebase-admin')}", NOW, keys, list(callers()), answer)


main(pathlib.Path(sys.argv[1]))
