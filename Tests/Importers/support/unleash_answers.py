"""Answers callers by Unleash's Python client: reads {"export", "segments", "callers"}, and writes values by feature."""

import json
import sys

import unleash_callers

asked = json.load(sys.stdin)
state = unleash_callers.client_features(asked["export"], asked["segments"])
client = unleash_callers.client(state)
answers = [
    {feature["name"]: unleash_callers.value(client, feature, caller) for feature in state["features"]}
    for caller in asked["callers"]
]
json.dump(answers, sys.stdout)
