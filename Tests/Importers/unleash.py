"""Records the answers of Unleash's Python client, whose engine the other official clients share.

The export has the form of Unleash's admin API. The client gets it in the form in which Unleash's server sends it.
"""

import json
import pathlib
import random
import sys
import time

import recording
import unleash_callers

#: A feature that depends on the name of the host, and one that the server does not send.
UNRECORDED = ["by-host", "archived-feature"]
CALLERS = 420


def value(offered):
    """Returns a value of an attribute that makes rules of the export true or false, or None."""
    return random.choice(VALUES[offered]) if random.random() > 1 / 6 else None


VALUES = {
    "userId": ["7001", "7011", "7012", "42", "anna@example.com", "ñandú", *(f"user-{n}" for n in range(200))],
    "sessionId": [f"{n:x}" for n in range(100_000, 100_200)],
    "tenantId": ["17", 17, 4711, "17.0", "true", "", *(f"tenant-{n}" for n in range(60))],
    "remoteAddress": ["10.1.2.3", "192.0.2.17", "192.168.7.7", "2001:db8::5", "::ffff:10.1.2.3", "203.0.113.9", "x"],
    "country": ["DE", "AT", "CH", "US", "FR", "de", "", "DEU"],
    "plan": ["free", "pro", "team", ""],
    "email": [
        "anna@example.com", "ANNA@EXAMPLE.COM", "özil@example.org", "bob+test@test.com", "test", "attest@x.org", "",
        "42@example.net", 42, "anna@example.com ",
    ],
    "age": [17, "18", 18, "18.5", "65", "66", "100", "1e2", "101", "abc", "", " 18", "inf", "-inf", "nan", "+18", ".5"],
    "score": ["0.1", "0.10000000000000001", "0.2", "0.1000000000000005"],
    "appVersion": [
        "2.9.0", "2.9.1", "2.10.0", "3.0.0", "3.0.0-beta.2", "3.0.0-beta.11", "3.0.0-alpha", "3.0.0+build.7", "v3.0.0",
        "3.0", "1.0.0", "03.0.0", 3, "",
    ],
    "signedUpAt": ["2024-05-05T10:00:00Z", "2025-05-05T10:00:00+02:00", "2025-01-01T00:00:00Z", "yesterday", ""],
    "currentTime": [None, None, None, "2024-01-01T00:00:00Z", "2025-03-03T03:03:03.123Z", "2027-01-01T00:00:00+00:00"],
    "appName": ["shop-web", "shop-ios"],
    "environment": ["production", "staging"],
    "device.os": ["iOS", "Android"],
}


def answer(client, feature, attributes):
    """Returns the value of a flag in Almanac. Repeats the evaluation where it can be random."""
    is_certain = {"userId", "sessionId", "tenantId"} <= attributes.keys() and "random" not in feature["name"]
    repetitions = 1 if is_certain else 64
    values = [unleash_callers.value(client, feature, attributes) for _ in range(repetitions)]
    return recording.RANDOM if any(one != values[0] for one in values) else values[0]


def main(folder):
    files = [json.loads((folder / name).read_text()) for name in ("export.json", "segments.json")]
    state = unleash_callers.client_features(*files)
    client = unleash_callers.client(state)
    features = {one["name"]: one for one in state["features"] if one["name"] not in UNRECORDED}
    random.seed(11)
    callers = []
    for _ in range(CALLERS):
        attributes = {name: value(name) for name in VALUES}
        callers.append({name: one for name, one in attributes.items() if one is not None})
    recording.write(
        folder, "UnleashClient 6.9.1", int(time.time()), list(features), callers,
        lambda key, attributes: answer(client, features[key], attributes))


main(pathlib.Path(sys.argv[1]))
