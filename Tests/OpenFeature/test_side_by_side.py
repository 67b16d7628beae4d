"""Tests of flags imported from another system, whose own client is asked about the same callers."""

import json
import os
import subprocess
import sys
import tempfile

from case import PUBLIC, FlagCase
from test_web_client import BULK

SUPPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Importers/support")
sys.path.append(SUPPORT)
from unleash_project import FIELDS, Project  # noqa: E402

FEATURES = 200
#: The number of callers, which Tests/Importers/side-by-side sets.
CALLERS = int(os.environ.get("ALMANAC_SIDE_BY_SIDE_CALLERS", "100"))


class SideBySideTests(FlagCase):
    def test_unleash_side_by_side(self):
        """a project of Unleash with 200 flags is imported, and Unleash's client and Almanac answer all callers alike"""
        project = Project(FEATURES)
        self.put_flags(PUBLIC, {"flags": {}}, "fractional=3")
        with tempfile.TemporaryDirectory() as folder:
            report = json.loads(self.instance.almanac(
                "import", "unleash", *project.write(folder), "--environment", PUBLIC, "--yes", "--json"))
        kept = {line["source"]: line["key"] for line in report["report"] if line["verdict"] != "cannot"}
        self.assertEqual(len(kept), FEATURES)
        callers = [project.caller() for _ in range(CALLERS)]
        differences = 0
        for caller, expected in zip(callers, self.answers(project, callers)):
            context = {FIELDS.get(name, name): value for name, value in caller.items()}
            found = self.instance.call("POST", f"/{PUBLIC}/{BULK}", {"context": context}, token=PUBLIC).json()["flags"]
            values = {flag["key"]: flag.get("value") for flag in found}
            for source, key in kept.items():
                if values[key] != expected[source]:
                    differences += 1
                    print(f"  {source}: {values[key]} instead of {expected[source]} for {caller}", flush=True)
        self.assertEqual(differences, 0)
        print(f"  {len(callers) * len(kept)} answers alike")

    def answers(self, project, callers):
        """Returns the answers of Unleash's client, which has an interpreter of its own."""
        asked = {"export": project.export, "segments": {"segments": project.segments}, "callers": callers}
        done = subprocess.run(
            [self.unleash, os.path.join(SUPPORT, "unleash_answers.py")], input=json.dumps(asked), capture_output=True,
            text=True, check=True, timeout=900, env={**os.environ, "PYTHONPATH": SUPPORT})
        return json.loads(done.stdout)
