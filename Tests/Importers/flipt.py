"""Records the answers of Flipt's Python client, whose engine evaluates a snapshot of the server's flags itself.

A server of this program gives the client the snapshot that Flipt's server makes of a file.
"""

import http.server
import importlib.metadata
import json
import pathlib
import random
import sys
import threading

from flipt_client import FliptClient
from flipt_client.models import ClientOptions

import recording

NOW = 1_796_083_200  # 2026-12-01T00:00:00Z
ATTRIBUTES = {
    "email": ["ada@example.com", "grace@EXAMPLE.com", "@example.com ", "lin@example.org", ""],
    "country": ["DE", "de", "AT", "CH", "FR", "5", "", " "],
    "plan": ["free", "pro", "trial pro", "Pro", "o", "", " "],
    "beta": ["true", "false", "TRUE", "1", "", "yes"],
    "seats": ["1", "2", "3", "5", "+5", "005", "5.0", "7", "8", "11", "13", "20", "-4", "2147483647", "2147483648",
              "99999999999", "", " 5", "many", "1e3"],
    "joined": ["2026-03-01T08:00:00Z", "2026-03-01T08:00:00.999Z", "2026-03-01t07:59:59z", "2026-03-01T09:00:01+01:00",
               "2026-06-01T00:00:00Z", "2026-05-31T23:59:59.9Z", "2026-07-01T02:00:00+02:00", "2025-01-01T00:00:00Z",
               "2026-06-02", "2026-06-02T00:00:00", "soon", ""],
    "left": ["2026-03-01T08:00:00.700Z", "2026-03-01T08:00:01Z", "2020-01-01T00:00:00Z", "never"],
}
# The flags that Flipt's server refuses, or that the importer leaves out because server and clients differ.
SKIPPED = {"too-small-a-share", "no-such-segment", "fraction"}


def callers(count):
    chance = random.Random(20261201)
    for number in range(count):
        attributes = {"entityId": chance.choice(["user-1", "user-2", "staff-7", f"user-{chance.randrange(10**7)}"])}
        if number % 2:
            attributes = {"entityId": f"user-{chance.randrange(10**7)}"}
        for name, values in ATTRIBUTES.items():
            if chance.random() < 0.7:
                attributes[name] = chance.choice(values)
        yield attributes


def snapshot(document):
    """Returns the flags with their segments inside, as the server's snapshot has them."""
    segments = {segment["key"]: segment for segment in document["segments"]}

    def expanded(reference):
        keys = [reference] if isinstance(reference, str) else reference.get("keys") or [reference["key"]]
        operator = "OR_SEGMENT_OPERATOR"
        if isinstance(reference, dict):
            operator = reference.get("operator", operator)
        return {"segmentOperator": operator, "segments": [
            {"key": key, "matchType": segments[key]["match_type"].replace("_MATCH", "_SEGMENT_MATCH"), "constraints": [
                {"type": constraint["type"].replace("_COMPARISON", "_CONSTRAINT_COMPARISON"),
                 "property": constraint["property"], "operator": constraint["operator"],
                 "value": constraint.get("value", "")}
                for constraint in segments[key].get("constraints", [])]}
            for key in keys]}

    def variant(flag, key):
        attachment = next(v for v in flag["variants"] if v["key"] == key).get("attachment")
        return {} if attachment is None else {"attachment": json.dumps(attachment)}

    flags = []
    for flag in document["flags"]:
        if flag["key"] in SKIPPED:
            continue
        result = {"key": flag["key"], "name": flag["name"], "enabled": flag["enabled"], "rules": [], "rollouts": [],
                  "type": flag.get("type", "VARIANT_FLAG_TYPE")}
        for rule in flag.get("rules", []):
            shares = [
                {"variantKey": share["variant"], "rollout": share["rollout"],
                 **{"variantAttachment": text for text in variant(flag, share["variant"]).values()}}
                for share in rule.get("distributions", [])]
            result["rules"].append({**expanded(rule["segment"]), "distributions": shares})
        for rollout in flag.get("rollouts", []):
            if "threshold" in rollout:
                result["rollouts"].append({"threshold": rollout["threshold"]})
            else:
                segment = {**expanded(rollout["segment"]), "value": rollout["segment"].get("value", False)}
                result["rollouts"].append({"segment": segment})
        for choice in flag.get("variants", []):
            if choice.get("default"):
                result["defaultVariant"] = {"id": choice["key"], "key": choice["key"], **variant(flag, choice["key"])}
        flags.append(result)
    return {"namespace": {"key": document["namespace"]["key"]}, "flags": flags}


folder = pathlib.Path(sys.argv[1])
document = json.loads((folder / "features.json").read_text(encoding="utf-8"))
body = json.dumps(snapshot(document)).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = FliptClient(ClientOptions(url=f"http://127.0.0.1:{server.server_port}", update_interval=3600))
flags = {flag["key"]: flag for flag in document["flags"] if flag["key"] not in SKIPPED}


def answer(key, attributes):
    context = {name: value for name, value in attributes.items() if name != "entityId"}
    if flags[key].get("type") == "BOOLEAN_FLAG_TYPE":
        return client.evaluate_boolean(key, attributes["entityId"], context).enabled
    result = client.evaluate_variant(key, attributes["entityId"], context)
    if not result.variant_key:
        return recording.DEFAULT
    if all("attachment" not in variant for variant in flags[key]["variants"]):
        return result.variant_key
    return json.loads(result.variant_attachment or "{}")


version = importlib.metadata.version("flipt-client")
recording.write(folder, f"flipt-client {version}", NOW, list(flags), list(callers(500)), answer)
