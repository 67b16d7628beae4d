"""Makes a project of Unleash as a shop's teams might have it, and callers.

    python unleash_project.py FOLDER [FEATURES [SEED]]   writes export.json and segments.json
"""

import json
import pathlib
import random
import sys

AREAS = ["checkout", "search", "basket", "account", "catalogue", "delivery", "mail", "prices", "reviews", "returns"]
THINGS = [
    "banner", "filter", "form", "hints", "history", "layout", "limits", "menu", "photos", "ranking", "retry", "tips",
]
COUNTRIES = ["DE", "AT", "CH", "FR", "NL", "BE", "IT", "ES", "PL", "SE", "US", "GB"]
PLANS = ["free", "basic", "pro", "team", "enterprise"]
CITIES = ["Köln", "Zürich", "Málaga", "Łódź", "Malmö", "Gent", "Paris", "東京", "New York"]
TYPES = ["release", "release", "release", "experiment", "operational", "kill-switch", "permission"]

#: The attributes that have another name in Almanac.
FIELDS = {"userId": "targetingKey", "device.os": "device_os"}


class Project:
    """The files of an export. The same seed makes the same files."""

    def __init__(self, features=200, seed=1):
        self.random = random.Random(seed)
        self.segments = self._segments()
        self.export = {
            "features": [], "featureStrategies": [], "featureEnvironments": [], "contextFields": [], "featureTags": [],
            "segments": [{"id": one["id"], "name": one["name"]} for one in self.segments],
            "tagTypes": [{"name": "simple", "description": "", "icon": "#"}], "dependencies": [],
        }
        names = [f"{area}.{thing}{version}" for version in ("", "-v2", "-v3") for area in AREAS for thing in THINGS]
        self.random.shuffle(names)
        for name in names[:features]:
            self._add(name)

    def write(self, folder):
        folder = pathlib.Path(folder)
        files = {"export.json": self.export, "segments.json": {"segments": self.segments}}
        for name, content in files.items():
            (folder / name).write_text(json.dumps(content, ensure_ascii=False, indent=1))
        return [str(folder / name) for name in files]

    def caller(self):
        """Returns the attributes of a caller. Anonymous callers have a session only."""
        pick = self.random.choice
        caller = {"sessionId": f"{self.random.getrandbits(48):x}"}
        if self.random.random() < 0.8:
            caller["userId"] = pick([f"{self.random.randrange(30_000)}", f"user-{self.random.getrandbits(32):x}"])
            caller["email"] = f"{pick(['anna', 'Bob', 'çelik', 'o.neil'])}{caller['userId']}@{self._domain()}"
        offered = {
            "country": COUNTRIES + ["de", ""], "plan": PLANS, "city": CITIES, "age": [17, "18", 42, "65", 80, "old"],
            "appVersion": ["2.9.3", "2.10.0", "3.0.0-beta.2", "3.0.0", "3.1.4+7", "v3", "10.0.0"],
            "remoteAddress": ["10.4.5.6", "192.0.2.7", "203.0.113.80", "2001:db8::7", "::ffff:10.4.5.6"],
            "tenantId": [f"{self.random.randrange(400)}", self.random.randrange(400)],
            "signedUpAt": [f"202{self.random.randrange(2, 7)}-0{self.random.randrange(1, 10)}-11T10:00:00Z"],
            "device.os": ["iOS", "Android", "web"], "appName": ["shop-web", "shop-app"],
        }
        caller.update({name: pick(values) for name, values in offered.items() if self.random.random() < 0.85})
        return caller

    def _domain(self):
        return self.random.choice(["example.com", "example.org", "Shop.Example.com", "mail.example.net"])

    def _segments(self):
        ids = [str(self.random.randrange(30_000)) for _ in range(2000)]
        parts = [
            ("Beta users", [self._constraint("userId", "IN", ids)]),
            ("Employees", [self._constraint("email", "STR_ENDS_WITH", ["@shop.example.com"], caseInsensitive=True)]),
            ("DACH", [self._constraint("country", "IN", ["DE", "AT", "CH"])]),
            ("Outside the EU", [self._constraint("country", "NOT_IN", COUNTRIES[:10])]),
            ("Paying", [self._constraint("plan", "IN", PLANS[1:])]),
            ("New app", [self._constraint("appVersion", "SEMVER_GT", value="2.9.9")]),
            ("Adults", [self._constraint("age", "NUM_GTE", value="18")]),
            ("Offices", [self._constraint("remoteAddress", "IN_CIDR", ["10.0.0.0/8", "2001:db8::/48"])]),
            ("Since 2025", [self._constraint("signedUpAt", "DATE_AFTER", value="2025-01-01T00:00:00.000Z")]),
            ("Mobile", [self._constraint("device.os", "IN", ["iOS", "Android"])]),
        ]
        return [
            {"id": number, "name": name, "description": "", "constraints": constraints}
            for number, (name, constraints) in enumerate(parts, 1)
        ]

    def _constraint(self, name, operator, values=(), value=None, **members):
        made = {"contextName": name, "operator": operator, "values": list(values), "inverted": False,
                "caseInsensitive": False, **members}
        return made if value is None else {**made, "value": value}

    def _any_constraint(self):
        pick, some = self.random.choice, self.random.sample
        is_inverted = {"inverted": self.random.random() < 0.2}
        time = "2025-06-01T08:00:00.000Z"
        return pick([
            lambda: self._constraint("country", pick(["IN", "NOT_IN"]), some(COUNTRIES, 3), **is_inverted),
            lambda: self._constraint("plan", "IN", some(PLANS, 2), **is_inverted),
            lambda: self._constraint("city", "STR_CONTAINS", some(["ö", "PAR", "東", "ch"], 2), caseInsensitive=True),
            lambda: self._constraint("email", "STR_STARTS_WITH", ["anna", "bob"], caseInsensitive=pick([True, False])),
            lambda: self._constraint("age", f"NUM_{pick(['GT', 'LTE'])}", value=pick(["42", "64.5"]), **is_inverted),
            lambda: self._constraint("appVersion", f"SEMVER_{pick(['LT', 'EQ', 'GT'])}", value="3.0.0", **is_inverted),
            lambda: self._constraint("currentTime", f"DATE_{pick(['AFTER', 'BEFORE'])}", value=time),
            lambda: self._constraint("tenantId", "IN", [str(number) for number in some(range(400), 40)], **is_inverted),
            lambda: self._constraint("email", "REGEX", value="^[a-z]+[0-9]*@(example|mail)\\.", **is_inverted),
            lambda: self._constraint("appName", "IN", ["shop-web"]),
        ])()

    def _strategy(self, feature):
        pick = self.random.choice
        made = {
            "name": "flexibleRollout", "id": f"{self.random.getrandbits(64):x}", "featureName": feature, "title": None,
            "constraints": [self._any_constraint() for _ in range(pick([0, 0, 1, 1, 2]))], "variants": [],
            "segments": self.random.sample(range(1, len(self.segments) + 1), pick([0, 0, 0, 1, 2])),
            "disabled": self.random.random() < 0.1,
            "parameters": {
                "rollout": pick(["100", "100", "50", "25", "10", "5", "75"]),
                "groupId": pick([feature, feature, "shop"]),
                "stickiness": pick(["default", "default", "default", "userId", "sessionId", "tenantId"]),
            },
        }
        kind = self.random.random()
        if kind < 0.1:
            users = ", ".join(str(number) for number in range(0, 9000, 97))
            made |= {"name": "userWithId", "parameters": {"userIds": users}}
        elif kind < 0.15:
            made |= {"name": "default", "parameters": {}}
        elif kind < 0.18:
            made |= {"name": "remoteAddress", "parameters": {"IPs": "10.0.0.0/16, 192.0.2.7,2001:db8::/64"}}
        elif kind < 0.22:
            made |= {"name": "gradualRolloutUserId", "parameters": {"percentage": "40", "groupId": feature}}
        return made

    def _variants(self, stickiness):
        names = self.random.choice([["control", "treatment"], ["a", "b", "c"], ["short", "long", "none", "both"]])
        weights = [1000 // len(names)] * len(names)
        weights[0] += 1000 - sum(weights)
        payloads = [
            None, ("string", "Grüße"), ("json", '{"columns": 3, "tags": [null]}'), ("number", "4.5"), ("csv", "a,b"),
        ]
        made = []
        for name, weight in zip(names, weights):
            variant = {"name": name, "weight": weight, "weightType": "variable", "stickiness": stickiness}
            payload = self.random.choice(payloads)
            made.append({**variant, "payload": dict(zip(("type", "value"), payload))} if payload else variant)
        return made

    def _add(self, name):
        chance = self.random.random
        export = self.export
        strategies = [self._strategy(name) for _ in range(self.random.choice([1, 1, 1, 2, 3]))]
        strategies[0]["disabled"] = False
        variants = []
        if chance() < 0.3:
            # A missing tenantId would leave the choice of a shared variant to chance.
            variants = self._variants("default") if chance() < 0.5 else []
            if variants:
                variants[0]["overrides"] = [{"contextName": "country", "values": ["CH"]}]
            for strategy in strategies:
                strategy["variants"] = self._variants(strategy["parameters"].get("stickiness", "default"))
        for order, strategy in enumerate(strategies):
            export["featureStrategies"].append({**strategy, "sortOrder": order})
        parents = [one["name"] for one in export["features"] if one["name"] not in self._children()]
        if parents and chance() < 0.08:
            parent = {"feature": self.random.choice(parents), "enabled": chance() < 0.7}
            export["dependencies"].append({"feature": name, "dependencies": [parent]})
        export["features"].append({
            "name": name, "description": f"{name.replace('.', ' ').capitalize()} for the shop",
            "type": self.random.choice(TYPES), "project": "shop", "stale": chance() < 0.1, "archived": False,
        })
        export["featureEnvironments"].append({
            "featureName": name, "name": name, "environment": "production", "enabled": chance() < 0.85,
            "variants": variants,
        })
        if chance() < 0.3:
            export["featureTags"].append({"featureName": name, "tagType": "simple", "tagValue": name.split(".")[0]})

    def _children(self):
        return {one["feature"] for one in self.export["dependencies"]}


if __name__ == "__main__":
    Project(*(int(word) for word in sys.argv[2:])).write(sys.argv[1])
