"""Simulations with the notes' modules in a page: devices that go offline and crash, against the real server."""

import base64
import os
import random
import subprocess
import tempfile

from support.case import BrowserCase
from support.depth import chosen_seed, ends_within, runs
from support.instance import CHECKOUT
from support.other_clients import OtherClients

# The number of simulations, and the interval at which one includes the library and the command line.
SIMULATIONS = runs("ALMANAC_TEST_WORLDS", quick=4, standard=8, long=80)
WITH_OTHER_CLIENTS = 4


class NotesSyncTests(BrowserCase):
    @ends_within(300 + 30 * SIMULATIONS)
    def test_devices_agree(self):
        """simulated devices on a faulty network, often crashing, agree with the library and the command line"""
        seed = chosen_seed(WITH_OTHER_CLIENTS)
        page = self.page_with_modules()
        failures = []
        clients = None
        page.expose_function("otherClients", lambda request: clients.ask(request))
        for number in range(seed, seed + SIMULATIONS):
            # Use a new user, even if the seed is repeated.
            token = self.sign_in_user(page, f"simulated-{number}-{random.randrange(1 << 60)}")
            if number % WITH_OTHER_CLIENTS == 0:
                clients = OtherClients(self.instance, "development", token, random.Random(number))
                self.addCleanup(clients.end)
            failure = page.evaluate(
                "(parts) => simulation.runSimulation({ ...parts, module: simulation.module })",
                {"environment": "development", "seed": number, "lines": 1 if number % 2 else 8, "steps": 60,
                 "hasOtherClients": number % WITH_OTHER_CLIENTS == 0})
            if failure:
                failures.append(f"ALMANAC_TEST_SEED={number} ALMANAC_TEST_WORLDS=1: {failure}")
        print(f"{SIMULATIONS} simulations from ALMANAC_TEST_SEED={seed}")
        if failures:
            self.fail("\n".join([f"of {SIMULATIONS} simulations these failed:", *failures]))

    def page_with_modules(self):
        one = self.person(application="notes")
        # Some responses are truncated, and responses to a closed page are dropped.
        one.checks.allow(r"status of 50[0-9]")
        page = one.open()
        with tempfile.TemporaryDirectory() as folder:
            bundle = os.path.join(folder, "simulation.js")
            subprocess.run(
                ["esbuild", os.path.join(CHECKOUT, "Tests/Web/simulation/simulation.js"), "--bundle", "--format=iife",
                 "--global-name=simulationModule", "--log-level=warning",
                 # The module is passed as an argument.
                 "--log-override:empty-import-meta=silent", f"--outfile={bundle}"], check=True)
            with open(bundle, encoding="utf-8") as file:
                page.evaluate(file.read() + "\nglobalThis.simulation = { ...simulationModule };")
        with open(self.text_merge(), "rb") as file:
            page.evaluate(
                "(text) => { simulation.module = Uint8Array.from(atob(text), (each) => each.charCodeAt(0)); }",
                base64.b64encode(file.read()).decode())
        return page

    def sign_in_user(self, page, name):
        """Signs a user in to the page's session, like another device; returns the user's token."""
        token = self.instance.almanac("token", "user", "development", "--sub", name).strip()
        status = page.evaluate(
            """async (token) => (await fetch("/development/session", { method: "POST",
                headers: { "Content-Type": "application/json", "Almanac-Session": "1" },
                body: JSON.stringify({ token }) })).status""", token)
        self.assertEqual(status, 201)
        return token

    @staticmethod
    def text_merge():
        given = os.environ.get("ALMANAC_TEXTMERGE")
        if given:
            return given
        folder = os.path.join(CHECKOUT, ".build", "textmerge")
        subprocess.run([os.path.join(CHECKOUT, "Sources/Web/wasm/build"), folder], check=True, stdout=subprocess.DEVNULL)
        [module] = [name for name in os.listdir(folder) if name.startswith("textmerge-") and "wasi" not in name]
        return os.path.join(folder, module)
