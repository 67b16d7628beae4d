"""Records the answers of the evaluation library in GO Feature Flag's Python provider, which is WebAssembly."""

import datetime
import importlib.metadata
import json
import pathlib
import random
import sys

from gofeatureflag_python_provider.wasm import EvaluateWasm, WasmFlagContext, WasmInput

import recording

NOW = 1_796_083_200  # 2026-12-01T00:00:00Z
ATTRIBUTES = {
    "email": ["ada@example.com", "Grace@EXAMPLE.COM", "lin@example.org", "", 7],
    "anonymous": [True, False, "true"],
    "appVersion": [
        "2.9.9", "2.10.0", "2.10.0-rc.1", "2.10.0-rc.2", "2.10.1", "2.10", "v2.9.0", "2.11.0+build.7", "3.0.0", "3.1.4",
        "3.01.0", "10.0.0", 3, ""],
    "country": ["DE", "de", "AT", "CH", "FR", "JP", "BR", "", 0, ["DE"]],
    "plan": ["free", "pro", "Pro", "team", "trial", "7", 7, 0, True],
    "seats": [3, 3.9, 5, 5.5, 6, 7.5, 8, 8.4, 10, 20, -1.5, -2, -2.5, -3, 0, "10", "5", True, [5]],
    "score": [0.1, 0.25, 1.5, 2.5, 4.5, 4, "4.5", False],
    "beta": [True, False, "true", 1, 0],
    "referrer": ["https://example.org", None, ""],
    "nickname": ["Zoë", "anna", "Émile", "f", "F", "m", "Marta", "k", "", 5, False, ["anna"]],
    "level": [0, 1, 2.5, 3, "3", "3.0", 4, "4", 5, "5", "", 6, 7, "7", True, False, [3], {"n": 3}],
    "groups": [["vip", "staff"], ["staff"], [], "vip", "vipers", "", 3],
    "company.id": ["c-1", "c-2", "c-77", "", 12],
    "company.plan": ["enterprise", "team", "Partner", "free", "DE", "FR", 4],
    "company.seats": [99, 100, 250, 99.9, "100"],
}
# The flags that the importer leaves out because the library's versions differ, fail or answer at random.
SKIPPED = {"before-version-1", "thirds", "two-spaces", "upper-case-and", "json-some"}


def callers(count):
    chance = random.Random(20261201)
    for number in range(count):
        attributes = {"targetingKey": f"user-{chance.randrange(12 if number % 3 == 0 else 10**7)}"}
        if chance.random() < 0.06:
            attributes = chance.choice([{}, {"targetingKey": ""}])
        has_company = chance.random() < 0.6
        for name, values in ATTRIBUTES.items():
            if chance.random() < 0.6 and (has_company or not name.startswith("company.")):
                attributes[name] = chance.choice(values)
        yield {name: value for name, value in attributes.items() if value is not None}


def context(attributes):
    nested = {"gofeatureflag": {"currentDateTime": datetime.datetime.fromtimestamp(NOW, datetime.UTC).isoformat()}}
    for name, value in attributes.items():
        outer, dot, inner = name.partition(".")
        if dot:
            nested.setdefault(outer, {})[inner] = value
        else:
            nested[name] = value
    return nested


folder = pathlib.Path(sys.argv[1])
flags = json.loads((folder / "flags.json").read_text(encoding="utf-8"))
library = EvaluateWasm(pool_size=1)
library.initialize()


def answer(key, attributes):
    flag_context = WasmFlagContext(defaultSdkValue=None)
    result = library.evaluate(
        WasmInput(flagKey=key, flag=flags[key], evalContext=context(attributes), flagContext=flag_context))
    return recording.DEFAULT if result.variationType == "SdkDefault" else result.value


version = importlib.metadata.version("gofeatureflag-python-provider")
keys = [key for key in flags if key not in SKIPPED]
recording.write(
    folder, f"gofeatureflag-python-provider {version}", NOW, keys, list(callers(500)), answer)
