"""Tests of flagd's sets imported into Almanac, and of Almanac's sets read by flagd."""

import json
import os
import subprocess
import sys

from case import TOKEN_ONLY, UNVERSIONED, PUBLIC, FlagCase
from flagset import BROKEN, SWITCH, flag
from test_web_client import BULK, PROVIDER

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "flagd"))
from definitions import EVALUATORS, Definitions  # noqa: E402

PEOPLE = 100_000
# The number of random flags, and of random contexts for which each flag is evaluated.
RANDOM_FLAGS, RANDOM_CONTEXTS = 200, 20


class ImportedSetTests(FlagCase):
    def test_recorded_schemes(self):
        """the buckets of other systems that Swift's tests compare with are those of the formulas in Python"""
        computed = subprocess.run([sys.executable, os.path.join(HERE, "schemes.py")], check=True, capture_output=True)
        with open(os.path.join(HERE, "../Core/TargetingTests/schemes.jsonl"), "rb") as file:
            self.assertEqual(file.read(), computed.stdout)

    def test_broken_flags_are_refused(self):
        """a set with a broken flag is refused with each fault and its path, and taken leniently"""
        whole = self.document()
        for key in BROKEN:
            del whole["flags"][key]
        self.put_flags(TOKEN_ONLY, whole)
        before = self.flags_of(TOKEN_ONLY)
        answer = self.instance.call("PUT", f"/{TOKEN_ONLY}/flags.json", self.document(), token=TOKEN_ONLY)
        self.assertEqual(answer.status, 422)
        problem = answer.json()
        self.assertTrue(problem["type"].endswith(":invalid-flag"))
        self.assertEqual(sorted({fault["key"] for fault in problem["faults"]}), sorted(BROKEN))
        for fault in problem["faults"]:
            self.assertTrue(fault["path"].startswith("/targeting"), fault)
            self.assertTrue(fault["message"])
        after = self.flags_of(TOKEN_ONLY)
        self.assertEqual((after.body, after.headers["Almanac-Cursor"]), (before.body, before.headers["Almanac-Cursor"]))

    def test_export_and_import(self):
        """a set that is exported and imported again is the same set, and no release"""
        exported = self.flags_of(TOKEN_ONLY)
        self.assertEqual(exported.json(), self.document())
        answer = self.instance.call("PUT", f"/{TOKEN_ONLY}/flags.json?lenient=true", exported.body, token=TOKEN_ONLY)
        self.assertEqual(answer.status, 200)
        again = self.flags_of(TOKEN_ONLY)
        self.assertEqual(again.body, exported.body)
        self.assertEqual(again.headers["Almanac-Cursor"], exported.headers["Almanac-Cursor"])

    def test_version_of_splits(self):
        """a set that doesn't say how its splits are made keeps the version that the environment has"""
        for version in ("3", "2"):
            self.put_flags(TOKEN_ONLY, self.document(), f"lenient=true&fractional={version}")
            self.put_flags(TOKEN_ONLY, self.document(), "lenient=true")
            self.assertEqual(self.flags_of(TOKEN_ONLY).headers["Almanac-Fractional"], version)

    def test_split_in_halves(self):
        """of many ids each half gets half, a ramp from 10 to 20 percent moves nobody out, through the server"""
        document = {"flags": {
            "half": flag(SWITCH, "off", {"fractional": [["on", 50], ["off", 50]]}),
            "few": flag(SWITCH, "off", {"fractional": [{"var": "targetingKey"}, ["on", 10], ["off", 90]]}),
            "more": flag(SWITCH, "off", {"fractional": [{"var": "targetingKey"}, ["on", 20], ["off", 80]]})}}
        for version in (2, 3):
            self.put_flags(TOKEN_ONLY, document, f"fractional={version}")
            counts = dict.fromkeys(document["flags"], 0)
            for name in document["flags"]:
                sample = self.instance.must(
                    "POST", f"/{TOKEN_ONLY}/flags/{name}/sample", {"count": PEOPLE}, token=TOKEN_ONLY).json()
                self.assertEqual(sample["sampled"], PEOPLE)
                counts[name] = {one["name"]: one["count"] for one in sample["variants"]}["on"]
            self.assertLess(abs(counts["half"] / PEOPLE - 0.5), 0.005)
            self.assertLess(abs(counts["few"] / PEOPLE - 0.1), 0.005)
            self.assertLess(abs(counts["more"] / PEOPLE - 0.2), 0.005)
            grown = self.instance.must(
                "POST", f"/{TOKEN_ONLY}/flags/few/sample",
                {"count": PEOPLE, "definition": document["flags"]["more"]}, token=TOKEN_ONLY).json()
            # Ids may enter the variant, but none may leave it.
            self.assertEqual({(move["from"], move["to"]) for move in grown["moves"]}, {("off", "on")})
            self.assertEqual(grown["moved"], counts["more"] - counts["few"])

    def test_imported_set_keeps_variants(self):
        """a set of flagd's as it is now keeps the variant that everybody had"""
        split = {"flags": {"half": flag(SWITCH, "off", {"fractional": [["on", 50], ["off", 50]]}),
                           "third": flag(SWITCH, "off", {"fractional": [{"var": "email"}, ["on", 1], ["off", 2]]})}}
        is_new = not self.flags_of(UNVERSIONED).json()["flags"]
        self.put_flags(UNVERSIONED, split, "" if is_new else "fractional=2")
        self.assertEqual(self.flags_of(UNVERSIONED).headers["Almanac-Fractional"], "2")
        contexts = [{"targetingKey": f"user-{number}", **({"email": f"é{number}@example.com"} if number % 3 else {})}
                    for number in range(500)]
        before = self.outcomes(2, {"document": split, "contexts": contexts})
        moved = 0
        for context, expected in zip(contexts, before):
            for key, found in self.bulk(UNVERSIONED, context).items():
                moved += expected[key]["corrected"]["variant"] != found["variant"]
        self.assertEqual(moved, 0)

    def test_random_flags(self):
        """random flags come out of a bulk evaluation as flagd's own evaluator has them, exported too"""
        for version in (2, 3):
            definitions = Definitions(18 + version)
            flags = {}
            while len(flags) < RANDOM_FLAGS:
                made = definitions.definition()
                # Skip rules with the time, because the server's clock differs from the test's.
                if "$flagd.timestamp" not in json.dumps(made):
                    flags[f"random-{len(flags)}"] = made
            document = {"flags": flags, "$evaluators": EVALUATORS}
            contexts = [definitions.context() for _ in range(RANDOM_CONTEXTS)]
            self.put_flags(PUBLIC, document, f"fractional={version}&lenient=true")
            exported = self.flags_of(PUBLIC).json()
            alone = self.outcomes(version, {"document": document, "contexts": contexts})
            whole = self.outcomes(version, {"document": exported, "contexts": contexts}, "--whole")
            corrected = 0
            for context, one, other in zip(contexts, alone, whole):
                answers = self.bulk(PUBLIC, context)
                self.assertEqual(sorted(answers), sorted(flags))
                for key, answer in answers.items():
                    with self.subTest(version=version, flag=json.dumps(flags[key]), context=json.dumps(context)):
                        self.assert_same(answer, one[key]["corrected"])
                        self.assert_same(answer, other[key]["expected"])
                        corrected += one[key]["corrected"] != one[key]["expected"]
            print(f"  splits of version {version}: {RANDOM_FLAGS * RANDOM_CONTEXTS} evaluations,"
                  f" {corrected} after a correction of the reference")

    def outcomes(self, version, asked, *words):
        done = subprocess.run(
            [self.flagd[str(version)], os.path.join(HERE, "flagd", "outcomes.py"), str(version), *words],
            input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=300,
            env={**os.environ, "PYTHONPATH": ""})
        return json.loads(done.stdout)

    def bulk(self, environment, context):
        answer = self.send("POST", f"/{environment}/{BULK}", {"context": context},
                           {**PROVIDER, "X-API-Key": self.token(environment, "flags:evaluate")})
        self.assertEqual(answer.status, 200, answer.body[:300])
        return answer.flags()

    def assert_same(self, answer, expected):
        if expected["reason"] == "ERROR":
            self.assertEqual(answer.get("errorCode"), expected["error"])
            return
        self.assertEqual((answer["reason"], answer["variant"]), (expected["reason"], expected["variant"] or ""))
        self.assertEqual(json.dumps(plain(answer.get("value"))), json.dumps(plain(expected["value"])))


def plain(value):
    """Returns a value in which 1.0 equals 1, but true does not."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(value[name]) for name in sorted(value)}
    return value
