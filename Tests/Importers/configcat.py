"""Records the answers of ConfigCat's client for Python.

The client turns booleans into texts in another way than most of ConfigCat's clients ("True"), and fails on them where
those ignore the rule. So no caller has a boolean. A caller without attributes is one without a user object.
"""

import json
import pathlib
import random
import sys

from configcatclient.configcatclient import ConfigCatClient
from configcatclient.configcatoptions import ConfigCatOptions
from configcatclient.localfiledatasource import LocalFileFlagOverrides
from configcatclient.overridedatasource import OverrideBehaviour
from configcatclient.user import User
from configcatclient.version import CONFIGCATCLIENT_VERSION

import recording

folder = pathlib.Path(sys.argv[1])
path = folder / "config_v6.json"
config = json.loads(path.read_text(encoding="utf-8"))
options = ConfigCatOptions(flag_overrides=LocalFileFlagOverrides(str(path), OverrideBehaviour.LocalOnly))
client = ConfigCatClient.get("configcat-sdk-1/local-only-0000000000/local-only-0000000000", options)

#: The attributes and their values: the constants of the conditions, values beside them, and values of other types.
VALUES = {
    "Identifier": ["", "admin-7", "guest-3", "用户-12", "user-1", "12345", *(f"user-{n}" for n in range(60))],
    "Email": [
        "ada@acme.example", "bob@beta.test", "eve+test@mail.test", "ada@beta.test", "züri@acme.example", "zürich",
        "x@acme-labs.example", "ad", "",
    ],
    "Country": ["Germany", "Österreich", "Switzerland", "France", "O\u0308sterreich", "germany", ""],
    "Plan": ["free", "pro", "team", "enterprise", "Pro", "42", 42, 4.25, 7, "7", 1.0, "true", 19, 1e21, ""],
    "Company": ["Acme", "Globex", "Müller & Söhne", "", 17, 0.5, 12345678901],
    "Seats": [
        1, 10, 49.5, 50, 50.0, 51, "50", " 50 ", "5e1", "fifty", "", "0x32", "Infinity", " -Infinity", "NaN",
    ],
    "SignedUpAt": [1767225599, 1767225600, 1767225600.5, 1767225601, "1767225600", "1767225600.75", "yesterday"],
    "AppVersion": [
        "2.9.9", "2.10.0", "2.10.0-beta.2", "2.10.0-beta.10", "2.10.0-beta", "2.10.0+build.9", "2.11.0-rc.1", "3.0.0",
        "v2.10.0", "2.10", "2", "02.1.0", "2.10.0.1", "", 2, 2.1,
    ],
    "Roles": [["admin"], ["guest", "Redakteur"], [], ["editor"], ["admin", 7], [["admin"]], "admin", "", 5],
    "Platform": ["ios", "android", "web", "", 3],
}


def caller(source):
    """Returns attributes, of which some are missing."""
    return {name: source.choice(values) for name, values in VALUES.items() if source.random() < 0.85}


def answer(key, attributes):
    predefined = [attributes.get(name) for name in ("Identifier", "Email", "Country")]
    details = client.get_value_details(key, None, User(*predefined, custom=attributes) if attributes else None)
    return recording.DEFAULT if details.is_default_value else details.value


source = random.Random(6)
callers = [{}, {"Identifier": ""}, {"Identifier": "12345"}, *(caller(source) for _ in range(397))]
recording.write(folder, f"configcat-client {CONFIGCATCLIENT_VERSION}", 1767225600, list(config["f"]), callers, answer)
