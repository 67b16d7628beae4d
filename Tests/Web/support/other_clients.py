"""Other programs of a user that write notes: a device with the Swift library, and the command line."""

import json
import os
import subprocess
import tempfile

from support.instance import CHECKOUT

# The timeout of each command, in seconds.
TIMEOUT = 120
# The number of the first word, and the limit on words per life of the device; the pages' words begin with 0.
FIRST_WORD, WORDS = 100_000, 5_000


class OtherClients:
    """A device that edits at random, is killed and restarted, and a command line."""

    def __init__(self, instance, environment, token, random):
        self.instance = instance
        self.environment = environment
        self.random = random
        self.folder = tempfile.TemporaryDirectory()
        self.token = os.path.join(self.folder.name, "token")
        with open(self.token, "w", encoding="ascii") as file:
            file.write(token)
        self.outputs = []
        self.device = None
        self.start()

    def start(self, steps=None):
        """Starts a life of the device with a number of steps, by default enough for the pages' run."""
        if steps is None:
            steps = self.random.randrange(10, 40)
        output = os.path.join(self.folder.name, f"output-{len(self.outputs)}")
        first = FIRST_WORD + WORDS * len(self.outputs)
        words = [device_program(), os.path.join(self.folder.name, "device.db"),
                 f"{self.instance.url}/{self.environment}", str(first), str(steps)]
        with open(self.token, encoding="ascii") as token, open(output, "wb") as file:
            variables = {**os.environ, "ALMANAC_TEST_TOKEN": token.read(),
                         "ALMANAC_TEST_CA_FILE": os.path.join(self.instance.home, "tls", "ca.pem")}
            self.device = subprocess.Popen(words, env=variables, stdout=file, stderr=subprocess.PIPE, text=True)
        self.outputs.append(output)

    def ask(self, request):
        """Handles a page's request: see `OtherClients` in simulation/simulation.js."""
        if "words" in request:
            if self.random.randrange(4) == 0:
                self.kill()
                self.start()
            return {"status": self.command(*request["words"]).returncode}
        if "ends" in request:
            self.kill()
            self.start(steps=self.random.randrange(10))
            self.finish()
            self.must("note", "sync")
            return {"logs": [self.lines(output) for output in self.outputs]}
        self.start(steps=0)
        self.finish()
        device = [json.loads(line.removeprefix("note ")) for line in self.lines(self.outputs[-1])
                  if line.startswith("note ")]
        command = json.loads(self.must("note", "list", "--json").stdout)
        return {"lists": {"the library": device, "the command line": command}}

    def finish(self):
        """Waits until the device has finished."""
        _, errors = self.device.communicate(timeout=TIMEOUT)
        if self.device.returncode != 0:
            raise AssertionError(f"the device ended with {self.device.returncode}: {errors}")

    def kill(self):
        if self.device.poll() is None:
            self.device.kill()
        _, errors = self.device.communicate(timeout=TIMEOUT)
        if errors:
            raise AssertionError(f"the device printed: {errors}")

    def end(self):
        if self.device.poll() is None:
            self.device.kill()
            self.device.communicate(timeout=TIMEOUT)
        self.folder.cleanup()

    def command(self, *words):
        variables = {**os.environ, "ALMANAC_URL": self.instance.url, "ALMANAC_ENVIRONMENT": self.environment,
                     "ALMANAC_CA_FILE": os.path.join(self.instance.home, "tls", "ca.pem"),
                     "ALMANAC_TOKEN_FILE": self.token, "XDG_DATA_HOME": self.folder.name}
        outcome = subprocess.run([os.path.join(self.instance.home, "bin", "almanac"), *words], env=variables,
                                 capture_output=True, text=True, timeout=TIMEOUT, check=False)
        # Status 3: no such note.
        if outcome.returncode not in (0, 3):
            raise AssertionError(f"almanac {' '.join(words)}: {outcome.returncode} {outcome.stderr}")
        return outcome

    def must(self, *words):
        outcome = self.command(*words)
        if outcome.returncode != 0:
            raise AssertionError(f"almanac {' '.join(words)}: {outcome.stderr}")
        return outcome

    @staticmethod
    def lines(output):
        """Returns the complete lines of a life's output."""
        with open(output, encoding="utf-8", errors="replace") as file:
            return file.read().split("\n")[:-1]


def device_program():
    """Returns the path of the device program of the library's tests, and builds it if needed."""
    given = os.environ.get("ALMANAC_NOTES_DEVICE")
    if given:
        return given
    program = os.path.join(CHECKOUT, ".build", "debug", "almanac-notes-device")
    if not os.path.exists(program):
        subprocess.run(["swift", "build", "--package-path", CHECKOUT, "--product", "almanac-notes-device"], check=True,
                       stdout=subprocess.DEVNULL)
    return program
