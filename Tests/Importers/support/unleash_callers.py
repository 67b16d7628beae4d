"""Unleash's Python client over an export, without a server."""

import json
import tempfile

from UnleashClient import UnleashClient
from UnleashClient.cache import FileCache

#: The attributes of a context that are no properties.
FIELDS = ["userId", "sessionId", "remoteAddress", "environment", "appName", "currentTime"]


def client_features(export, segments):
    """Returns an export in the form of /api/client/features, as Unleash's server makes it."""
    states = {one["featureName"]: one for one in export["featureEnvironments"]}
    dependencies = {one["feature"]: one["dependencies"] for one in export["dependencies"]}
    features = []
    for feature in export["features"]:
        if feature["archived"]:
            continue
        name = feature["name"]
        strategies = [one for one in export["featureStrategies"] if one["featureName"] == name and not one["disabled"]]
        strategies.sort(key=lambda one: one["sortOrder"])
        features.append({
            "name": name,
            "type": feature["type"],
            "enabled": states[name]["enabled"],
            "variants": states[name]["variants"],
            "dependencies": dependencies.get(name, []),
            "strategies": [
                {part: one[part] for part in ("name", "parameters", "constraints", "variants", "segments")}
                for one in strategies
            ],
        })
    return {
        "version": 2,
        "features": features,
        "segments": [{part: one[part] for part in ("id", "name", "constraints")} for one in segments["segments"]],
    }


def client(state):
    """Returns a client that evaluates features and asks no server."""
    cache = FileCache("almanac", directory=tempfile.mkdtemp())
    cache.bootstrap_from_dict(state)
    client = UnleashClient(
        "http://localhost:1", "almanac", disable_metrics=True, disable_registration=True, cache=cache)
    client.initialize_client(fetch_toggles=False)
    # The client would add the name of the app and of the environment to each context.
    client.unleash_static_context = {}
    return client


def context(attributes):
    """Returns the context of a caller in the client's form."""
    fields = {name: value for name, value in attributes.items() if name in FIELDS}
    return fields | {"properties": {name: value for name, value in attributes.items() if name not in FIELDS}}


def value(client, feature, attributes):
    """Returns what a caller gets, as the value of the flag in Almanac."""
    context_of_caller = context(attributes)
    if not feature["variants"] and not any(one["variants"] for one in feature["strategies"]):
        return client.is_enabled(feature["name"], context_of_caller)
    variant = client.get_variant(feature["name"], context_of_caller)
    result = {"enabled": variant["feature_enabled"], "variant": variant["name"]}
    if "payload" in variant:
        result["payload"] = content(variant["payload"])
    return result


def content(payload):
    """Returns JSON and numbers as such, and other payloads as texts."""
    if payload["type"] not in ("json", "number"):
        return payload["value"]
    try:
        return json.loads(payload["value"])
    except ValueError:
        return payload["value"]
