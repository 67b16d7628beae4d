"""Records what LaunchDarkly's client answers for the flags in flags.json and segments.json."""

import json
import logging
import pathlib
import random
import sys
import tempfile

import ldclient
import recording
from importlib.metadata import version
from ldclient.config import Config
from ldclient.integrations import Files

ENVIRONMENT = "production"
NOW = 1_764_500_000

KEYS = ["user-mira", "user-jonas", "user-blocked", *(f"user-{number}" for number in range(1, 260))]
DEVICES = ["device-lab-1", "device-lab-2", "device-lost", *(f"device-{number}" for number in range(1, 90))]
COMPANIES = ["company-aalto", "company-2", "company-9", *(f"company-{number}" for number in range(10, 40))]

#: The values of attributes by their names, which begin with the kind and a colon unless the kind is user.
ATTRIBUTES = {
    "email": [
        "mira@nordlicht.example", "jo@beta.example", "kim+test@post.example", "Staff@NORDLICHT.example", "staff@a.example",
        "x@example.org", "", 7, ["a@b.example", "c@nordlicht.example"], ["staff"], [["staff"]], "nordlicht.example",
    ],
    "country": ["FI", "SE", "NO", "DE", "US", "fi", "FR", ["US", "SE"], 3, True],
    "plan": ["free", "team", "team-2024", "company-l", "enterprise", "Company", ["free", "team"], [], 1],
    "orders": [0, 1, 3, 5.5, 5.6, 20, 21, 49, 50, 99, 100, 999, 1000, "100", "3", True, [2, 500], ["7"], {"total": 4}],
    "appVersion": [
        "2.9.9", "2.10", "2.10.0", "2.10.1", "1", "3", "3.0.0", "3.1.0-rc.1", "3.1.0-rc.1+build.5", "3.2.0", "3.2.1", "4.0.0",
        "v2.0.0", "02.0.0", "2.0.0.0", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-alpha", "1.0.0-01", "9.9.9", 2, 2.5, "", "latest",
        ["2.0.0", "5.0.0"],
    ],
    "signedUpAt": [
        "2019-12-31T23:59:59Z", "2020-01-01T00:00:00Z", "2020-01-01T00:30:00+01:00", "2025-06-30T23:59:59.999Z",
        "2025-07-01T00:00:00Z", "2025-03-01T12:00:00-05:00", 1577836799999, 1577836800000, 1735689600000, 1735689600001,
        1740000000000, 1.5e15, "2019-01-01", "1577836799999", "", True, ["2018-01-01T00:00:00Z", "x"], 0, -5000,
    ],
    "groups": ["admins", "support", "guest-1", ["admins", "sales"], ["sales"], [], ["guest-2", "sales"], ["Admins"], 4, [4]],
    "level": [1, "1", True, "True", "two", 0, False, 2, [1], [False, "x"], ["1"], 1.0, {"a": 1}],
    "coupon": ["NORD-2025", "xNORD-2025", "NORD-20", "Sommerfest", "WINTER", "12345", "12a", "", 12345, ["no", "NORD-0001"]],
    "/address/city": ["Turku", "Malmö", "turku", "Oslo", ["Turku"], 5],
    "/address/zip": ["20100", "11122", 20100],
    "app.build": [3999, 4000, 4001, "4001"],
    "odd/name": ["x", "y"],
    "/~1raw": ["literal", "other"],
    "accountId": ["acme", "borea", "corvus", "delta", "33333", 33333, 7, "", 2.5, True, ["acme"], "eino", "fjord", "gamma"],
    "anonymous": [True, False],
    "name": ["Mira", "Jonas", "Kim", ""],
    "device:os": ["iOS", "iPadOS", "Android", "ios"],
    "device:/battery/level": [5, 19.9, 20, 80, "5"],
    "device:anonymous": [True, False],
    "company:size": [10, 250, 251, 9000, "9000"],
}


def callers():
    generator = random.Random(2025)
    for number in range(480):
        attributes = {}
        has_user = number % 12 > 0
        if has_user:
            attributes["key"] = generator.choice(KEYS[:12] if number % 3 == 0 else KEYS)
        if generator.random() < 0.3 or not has_user:
            attributes["device:key"] = generator.choice(DEVICES[:5] if number % 2 == 0 else DEVICES)
        if generator.random() < 0.2:
            attributes["company:key"] = generator.choice(COMPANIES[:5] if number % 2 == 0 else COMPANIES)
        for name, values in ATTRIBUTES.items():
            kind = name.split(":")[0] if ":" in name else "user"
            if ("key" if kind == "user" else f"{kind}:key") in attributes and generator.random() < 0.42:
                attributes[name] = generator.choice(values)
        yield attributes


def context(attributes):
    """Returns LaunchDarkly's context of attributes."""
    kinds = {}
    for name, value in attributes.items():
        kind, _, reference = name.rpartition(":")
        part = kinds.setdefault(kind or "user", {})
        path = reference[1:].split("/") if reference.startswith("/") else [reference.replace("~", "~0").replace("/", "~1")]
        names = [step.replace("~1", "/").replace("~0", "~") for step in path]
        for step in names[:-1]:
            part = part.setdefault(step, {})
        part[names[-1]] = value
    return ldclient.Context.from_dict({"kind": "multi", **kinds})


def evaluated(flag):
    """Returns a flag of the REST API in the form that LaunchDarkly's clients get, for the environment."""
    settings = flag["environments"][ENVIRONMENT]
    targets, contexts = settings["targets"], settings["contextTargets"]
    if contexts:
        placed = {target["variation"] for target in contexts if target["contextKind"] == "user"}
        missing = [target["variation"] for target in targets if target["variation"] not in placed]
        contexts = [{"contextKind": "user", "variation": number, "values": []} for number in missing] + contexts
    return {
        **{name: settings[name] for name in ("on", "salt", "version", "targets", "fallthrough", "prerequisites")},
        "key": flag["key"],
        "variations": [variation["value"] for variation in flag["variations"]],
        "offVariation": settings.get("offVariation"),
        "contextTargets": contexts,
        "rules": [rule for rule in settings["rules"] if not rule.get("disabled")],
    }


def main(folder):
    flags = json.loads((folder / "flags.json").read_text(encoding="utf-8"))["items"]
    segments = json.loads((folder / "segments.json").read_text(encoding="utf-8"))["items"]
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(
            {
                "flags": {flag["key"]: evaluated(flag) for flag in flags},
                "segments": {segment["key"]: segment for segment in segments},
            },
            file,
        )
        file.flush()
        logging.disable()
        ldclient.set_config(
            Config("sdk-offline", send_events=False, update_processor_class=Files.new_data_source(paths=[file.name]))
        )
        client = ldclient.get()
        assert client.is_initialized()

    def answer(key, attributes):
        detail = client.variation_detail(key, context(attributes), None)
        return recording.DEFAULT if detail.value is None else detail.value

    name = f"launchdarkly-server-sdk {version('launchdarkly-server-sdk')}"
    recording.write(folder, name, NOW, [flag["key"] for flag in flags], list(callers()), answer)
    client.close()


main(pathlib.Path(sys.argv[1]))
