"""Records what Flagsmith's own client answers for the environment document in a folder."""

import importlib.metadata
import json
import pathlib
import random
import sys
import warnings

import recording
from flagsmith import Flagsmith
from flagsmith.offline_handlers import LocalFileHandler

UNIT = "$.identity.identifier"

TRAITS = {
    "email": ["ana@example.com", "b.c+d@example.org", "ana@example.com\n", "x@example.net", "", 5],
    "is_staff": [True, False, "true", "false", "True", "no", 1, 0],
    "age": [17, 18, 18.5, 30, 40, 41, 52, "17", "18", "30", "040", "41.0", "29.5", "adult", True],
    "country": ["DE", "FR", "ES", "US", "de", "", 49],
    "plan": ["free", "pro", "trial", "Pro", True, False, 3],
    "app_version": [
        "2.4.0", "2.4.0-rc.1", "2.4.0-rc.0", "2.4.0-rc.1.a", "2.4.0-10", "2.4.0-alpha", "2.5.1", "2.5.1+b7", "2.10.0",
        "v2.4.1", "2.4", "2", "2.0.0", "2.0.0+x", "02.5.0", "0.9.9", "2.6.0-01", 2, 2.4, True, "",
    ],
    "customer_id": [
        1001, 1002, "1001", "1003", "01002", "A-77", "007", 7, 5, "5", -12, "-12", "-012", "x", 13, "13", "4.0", 1.5,
        True, "", "-5", -5, "123456789012345678901234567890",
    ],
    "balance": [
        -3.5, -1.5, 1, "1.0", "1", 3.5, -0.5, -0.75, "-0.75", 19.99, "19.99", "19.990", 10000, 10000.5, "10001.5", 5,
        "5", " 5 ", "05", "12345678901234567890", "12345678901234567891", "012345678901234567890", "1e4", "empty", True, 0,
        "0", "-0",
    ],
    "company": [
        "Acme GmbH", "Test GmbH", "Bäckerei", "Bakery", "Zoo", "", "Ådal", "12", "007", 12, True, False, 1.5, "3.10",
    ],
    "zip": [
        "01067", "80331", "81541", "80331\n", "5.10", "5.1", 80331, 5.1, True, "123", "0123", 122, 124, "True", "ß",
        "nan", "x",
    ],
}


def callers(generator, count):
    """Returns attributes by their names in the file; a caller in six lacks an attribute."""
    found = []
    for number in range(count):
        attributes = {}
        if number % 12:
            known = [f"user-{generator.randrange(30)}", "zoë@example.com", "", f"{generator.randrange(10**7)}"]
            attributes[UNIT] = generator.choice(known + [f"user-{generator.randrange(10**6):x}"] * 5)
            for name, values in TRAITS.items():
                if generator.randrange(6):
                    attributes[name] = generator.choice(values)
        found.append(attributes)
    return found


def main(folder):
    file = pathlib.Path(folder) / "environment.json"
    client = Flagsmith(offline_mode=True, offline_handler=LocalFileHandler(str(file)))
    keys = [state["feature"]["name"] for state in json.loads(file.read_text())["feature_states"]]

    def answer(key, attributes):
        if UNIT in attributes:
            traits = {name: value for name, value in attributes.items() if name != UNIT}
            flag = client.get_identity_flags(attributes[UNIT], traits).get_flag(key)
        else:
            flag = client.get_environment_flags().get_flag(key)
        return {"enabled": flag.enabled, "value": flag.value}

    version = importlib.metadata.version("flagsmith")
    engine = importlib.metadata.version("flagsmith-flag-engine")
    everyone = callers(random.Random(20261130), 480)
    # The engine compares versions with texts, of which the package semver warns.
    warnings.simplefilter("ignore", DeprecationWarning)
    recording.write(folder, f"flagsmith {version} with flagsmith-flag-engine {engine}", 0, keys, everyone, answer)


main(sys.argv[1])
