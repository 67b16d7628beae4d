"""Random definitions and contexts, both realistic and unusual."""

import random

# A time in seconds with which rules compare.
NOW = 1_790_000_000
TEXTS = [
    "free", "pro", "team", "", "1", "10", " 7 ", "true", "é", "e\u0301", "日本", "a@example.com", "b@faas.com", "0",
    "x",
]
VERSIONS = [
    "1.2.3", "v1.2", "2", "1.10.0-beta.2", "1.10.0-beta.11", "1.10.0+5", "V2.0.0", "nonsense", "1.2.3.4", "01.2.3",
]
NUMBERS = [0, 1, -1, 2, 3, 7, 10, 18, 25, 50, 99, 1.5, 0.1, 2.0, 1e3, 9007199254740991, NOW, NOW + 5]
NAMES = [
    "plan", "age", "email", "beta", "tags", "user.name", "user.id", "version", "score", "country", "nothing", "tags.0",
]
VARIANTS = ["on", "off", "red", "true", "false", "1", "2.5"]
EVALUATORS = {
    "staff": {"ends_with": [{"var": "email"}, "@faas.com"]},
    "adult": {">=": [{"var": "age"}, 18]},
}


class Definitions:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.one, self.draw, self.number = self.chance.choice, self.chance.random, self.chance.randint

    def plain(self):
        return self.one([self.one(TEXTS), self.one(NUMBERS), True, False, None, self.one(VERSIONS)])

    def variable(self):
        name = self.one(NAMES + ["targetingKey", "$flagd.flagKey", "$flagd.timestamp"])
        return {"var": self.one([name, name, [name], [name, self.plain()]])}

    def weight(self):
        draw = self.draw()
        if draw < 0.8:
            return self.one([0, 1, 5, 10, 25, 50, 50, 100, 1000, 2147483647])
        return {"-": [self.variable(), self.one(NUMBERS)]} if draw < 0.95 else self.one([-1, 2.5, "5", None, 25.0])

    def split(self, depth):
        buckets = [
            [self.result(depth - 2), self.weight()] if self.draw() < 0.85 else [self.one(VARIANTS)]
            for _ in range(self.number(1, 4))
        ]
        draw = self.draw()
        if draw < 0.4:
            return {"fractional": buckets}
        if draw < 0.6:
            return {"fractional": [{"cat": [{"var": "$flagd.flagKey"}, self.variable()]}] + buckets}
        return {"fractional": [self.variable() if draw < 0.9 else self.value(depth - 1)] + buckets}

    def condition(self, depth):
        draw = self.draw()
        if draw < 0.2:
            return {self.one(["==", "!=", "===", "!=="]): [self.variable(), self.plain()]}
        if draw < 0.35:
            return {self.one(["<", "<=", ">", ">="]): [self.variable(), self.one([self.plain(), self.one(NUMBERS)])]}
        if draw < 0.5:
            members = [self.plain() for _ in range(self.one([1, 3, 12]))]
            return {"in": [self.variable(), members if self.draw() < 0.7 else self.variable()]}
        if draw < 0.6:
            relation = self.one(["=", "!=", "<", "<=", ">", ">=", "^", "~", "?"])
            return {"sem_ver": [{"var": "version"}, relation, self.one(VERSIONS)]}
        if draw < 0.68:
            return {self.one(["starts_with", "ends_with"]): [self.variable(), self.one(TEXTS)]}
        if draw < 0.75:
            return {"$ref": self.one(["staff", "adult"])}
        if draw < 0.8:
            inner = {self.one(["==", "<", "in"]): [{"var": ""}, self.plain()]}
            return {self.one(["some", "all", "none"]): [{"var": "tags"}, inner]}
        if depth <= 0 or draw < 0.85:
            return self.value(0)
        return {self.one(["and", "or", "!", "!!"]): [self.condition(depth - 1) for _ in range(self.number(1, 3))]}

    def value(self, depth):
        draw = self.draw()
        if depth <= 0 or draw < 0.4:
            return self.one([self.variable(), self.plain(), self.variable()])
        if draw < 0.6:
            arguments = [self.value(depth - 1) for _ in range(self.number(1, 3))]
            return {self.one(["+", "-", "*", "/", "%", "min", "max"]): arguments}
        if draw < 0.75:
            return {"cat": [self.value(depth - 1) for _ in range(self.number(1, 3))]}
        if draw < 0.8:
            return {"substr": [self.value(depth - 1), self.one([-3, -1, 0, 1, 2]), self.one([-2, 0, 1, 2])]}
        if draw < 0.85:
            return {"missing": [self.one(NAMES), self.one(NAMES)]}
        if draw < 0.9:
            return {"reduce": [{"var": "tags"}, {"cat": [{"var": "accumulator"}, {"var": "current"}]}, "x"]}
        if draw < 0.93:
            return {"map": [{"var": "tags"}, {"cat": [{"var": ""}, "!"]}]}
        if draw < 0.95:
            return {"merge": [self.value(depth - 1), self.variable()]}
        return self.condition(depth - 1)

    def result(self, depth):
        draw = self.draw()
        if depth <= 0 or draw < 0.45:
            return self.one(VARIANTS[:5] + ["on", "off", None, True, False, 1, 2.5, "missing variant"])
        if draw < 0.7:
            pairs = []
            for _ in range(self.number(1, 2)):
                pairs += [self.condition(depth - 1), self.result(depth - 1)]
            return {"if": pairs + ([self.result(depth - 1)] if self.draw() < 0.8 else [])}
        if draw < 0.92:
            return self.split(depth)
        if draw < 0.98:
            return self.condition(depth - 1)
        return self.one([self.value(depth - 1), {"regex": [self.variable(), ".*"]}])

    def definition(self):
        kind = self.one(["bool", "text", "number", "object"])
        values = {
            "bool": lambda: self.draw() < 0.5,
            "text": lambda: self.one(TEXTS),
            "number": lambda: self.one(NUMBERS),
            "object": lambda: {"size": self.one(NUMBERS), "of": [self.one(TEXTS)]},
        }
        names = self.chance.sample(VARIANTS, self.number(2, len(VARIANTS)))
        flag = {
            "state": "DISABLED" if self.draw() < 0.03 else "ENABLED",
            "variants": {name: values[kind]() for name in names},
        }
        if self.draw() < 0.85:
            flag["defaultVariant"] = self.one(names + [None]) if self.draw() < 0.97 else "not there"
        if self.draw() < 0.95:
            flag["targeting"] = self.result(4) if self.draw() < 0.97 else {}
            if not isinstance(flag["targeting"], dict):
                flag["targeting"] = {"if": [self.condition(2), flag["targeting"]]}
        return flag

    def context(self):
        whole = {
            "targetingKey": self.one(["u%d" % self.number(0, 10_000), "é", "x" * self.number(1, 60)]),
            "plan": self.one(TEXTS),
            "age": self.one(NUMBERS),
            "email": self.one(["a@example.com", "b@faas.com"]),
            "beta": self.draw() < 0.5,
            "tags": [self.one(TEXTS + NUMBERS) for _ in range(self.number(0, 4))],
            "user": {"name": self.one(TEXTS), "id": self.one([1, 70_000, 2**53 + 1, 2**63, -5, 1.5, 4.0])},
            "version": self.one(VERSIONS + [1, 1.2]),
            "score": self.one([0.5, 65504.0, 1e-7, 3.1, 1e30]),
            "country": self.one(["NO", "CL", "JP", None]),
        }
        return {name: value for name, value in whole.items() if self.draw() < 0.85}
