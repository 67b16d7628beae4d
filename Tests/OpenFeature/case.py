"""A base class for tests against a running instance, through nginx."""

import copy
import http.client
import json
import ssl
import unittest

from flagset import DOCUMENT

# Three environments: readable by everyone, readable with a token only, and without a set version of splits.
PUBLIC, TOKEN_ONLY, UNVERSIONED = "development", "closed", "imported"
# The time limit of a response, in seconds. Responses are normally immediate.
RESPONSE_TIMEOUT = 30


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    def json(self):
        return json.loads(self.body)

    def flags(self):
        """Returns the flags of a bulk response by key."""
        return {flag["key"]: flag for flag in self.json()["flags"]}


class FlagCase(unittest.TestCase):
    # The instance and a folder for files, set by main.py.
    instance = None
    folder = None
    # The interpreters with flagd's evaluator, by version of splits.
    flagd = None
    # The interpreter with Unleash's client.
    unleash = None
    _tokens = {}

    def setUp(self):
        for environment in (PUBLIC, TOKEN_ONLY):
            self.put_flags(environment, DOCUMENT, "lenient=true&fractional=3")

    def put_flags(self, environment, document, query=""):
        """Replaces all flags of an environment."""
        return self.instance.must("PUT", f"/{environment}/flags.json?{query}", document, token=environment)

    def flags_of(self, environment, query=""):
        return self.instance.must("GET", f"/{environment}/flags.json{query}", token=environment)

    def change(self, environment, flag, **members):
        """Sets members of a flag's definition."""
        return self.instance.must("PATCH", f"/{environment}/config", {flag: members}, token=environment)

    def token(self, environment, scope):
        """Returns a token with only the given scope. Makes it at the first call."""
        if (environment, scope) not in self._tokens:
            file = f"{self.folder}/{environment}-{len(self._tokens)}.token"
            self.instance.almanac(
                "token", "create", environment, "--scope", scope, "--label", "clients", "--output", file)
            with open(file, encoding="ascii") as opened:
                token = opened.read().strip()
            # The worker learns of the token with a delay.
            for _ in range(500):
                asked = self.send("GET", f"/{environment}/tokens", headers={"Authorization": f"Bearer {token}"})
                if asked.status != 401:
                    break
            self._tokens[environment, scope] = token
        return self._tokens[environment, scope]

    def send(self, method, path, body=None, headers=None, host="localhost"):
        """Sends a request with exactly these headers."""
        connection = http.client.HTTPSConnection(
            "localhost", self.instance.port, timeout=RESPONSE_TIMEOUT,
            context=ssl.create_default_context(cafile=f"{self.instance.home}/tls/ca.pem"))
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            connection.putheader("Host", f"{host}:{self.instance.port}")
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            if sent is not None:
                connection.putheader("Content-Length", str(len(sent)))
            connection.endheaders(sent)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    @staticmethod
    def document():
        """Returns a copy of the tests' flags."""
        return copy.deepcopy(DOCUMENT)
