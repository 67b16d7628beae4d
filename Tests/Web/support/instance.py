"""A client of the tested instance that uses API tokens."""

import json
import os
import ssl
import subprocess
import urllib.error
import urllib.request

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        return json.loads(self.body) if self.body else None


class Instance:
    """An instance started by `deploy/run` in a folder."""

    def __init__(self, home):
        self.home = home
        with open(os.path.join(home, "run", "port"), encoding="ascii") as file:
            self.port = int(file.read())
        self.url = f"https://localhost:{self.port}"
        self._tls = ssl.create_default_context(cafile=os.path.join(home, "tls", "ca.pem"))

    def page_url(self, application="console", port=None):
        return f"https://{application}.localhost:{port or self.port}"

    def environments_file(self):
        with open(os.path.join(self.home, "environments.json"), encoding="utf-8") as file:
            return json.load(file)

    def token(self, environment):
        """Returns an API token with all permissions."""
        with open(os.path.join(self.home, "tokens", f"{environment}.token"), encoding="ascii") as file:
            return file.read().strip()

    def call(self, method, path, body=None, *, token=None, headers=None, host=None):
        """Sends a request; any body but bytes and text becomes JSON. `token` is a token or an environment's name."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        if token:
            sent["Authorization"] = f"Bearer {token if token.startswith('almanac_') else self.token(token)}"
        if host:
            sent["Host"] = f"{host}:{self.port}"
        if body is not None and not isinstance(body, bytes):
            body = (body if isinstance(body, str) else json.dumps(body)).encode()
        request = urllib.request.Request(f"{self.url}{path}", data=body, headers=sent, method=method)
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=self._tls), KeepErrors)
        with opener.open(request, timeout=30) as answer:
            return Answer(answer.status, answer.headers, answer.read())

    def must(self, method, path, body=None, **options):
        answer = self.call(method, path, body, **options)
        if answer.status >= 300:
            raise AssertionError(f"{method} {path}: {answer.status} {answer.body[:500]!r}")
        return answer

    def release(self, environment, entries, message="A release of the tests", token=None):
        """Makes a release of values by key; None removes a key."""
        return self.must(
            "PATCH", f"/{environment}/config?replace=true", entries, token=token or environment,
            headers={"Content-Type": "application/json", "Almanac-Message": message})

    def config(self, environment):
        answer = self.must("GET", f"/{environment}/config", token=environment)
        return {entry["key"]: entry["value"] for entry in answer.json()}

    def flags(self, environment):
        """Returns the keys of the flags."""
        answer = self.must("GET", f"/{environment}/config", token=environment)
        return [entry["key"] for entry in answer.json() if entry.get("kind") == "flag"]

    def begin_with_flags(self, environment, flags, shared=None):
        """Replaces the config of an environment with these flags; definitions are JSON texts or Python values."""
        self.begin(environment, {})
        written = [f'"{key}":{{"kind":"flag","value":{value if isinstance(value, str) else json.dumps(value)}}}'
                   for key, value in flags.items()]
        if shared:
            written.append(f'"_flags":{{"kind":"flag-set","value":{json.dumps(shared)}}}')
        for start in range(0, len(written), 5000):
            body = "{" + ",".join(written[start:start + 5000]) + "}"
            self.must("PATCH", f"/{environment}/config?replace=true&form=entries", body, token=environment)

    def evaluate(self, environment, key, context):
        """Evaluates a flag for a context, like an app."""
        return self.call("POST", f"/{environment}/ofrep/v1/evaluate/flags/{key}", {"context": context},
                         token=environment).json()

    def releases(self, environment):
        """Returns the releases, the newest first."""
        return self.must("GET", f"/{environment}/releases", token=environment).json()

    def begin(self, environment, entries):
        """Replaces the config of an environment with these entries."""
        gone = {key: None for key in self.config(environment) if key not in entries}
        if gone or entries:
            self.release(environment, {**gone, **entries}, "The beginning of a test")

    def link(self, environments, tokens=None):
        """Returns the fragment of a link that signs in to the console, as `almanac session open` prints it."""
        codes = []
        for environment in environments:
            token = (tokens or {}).get(environment, environment)
            code = self.must("POST", f"/{environment}/session/link", {}, token=token).json()["code"]
            codes.append(f"{environment}={code}")
        return "#/open/" + ",".join(codes)

    def almanac(self, *words):
        """Runs the command line on this host."""
        environment = {**os.environ, "ALMANAC_ENVIRONMENTS": os.path.join(self.home, "environments.json"),
                       "ALMANAC_SQL": os.path.join(CHECKOUT, "sql"), "ALMANAC_URL": self.url,
                       "ALMANAC_CA_FILE": os.path.join(self.home, "tls", "ca.pem"),
                       "ALMANAC_TOKEN_FILE": os.path.join(self.home, "tokens", "{environment}.token")}
        outcome = subprocess.run([os.path.join(self.home, "bin", "almanac"), *words], env=environment,
                                 capture_output=True, text=True, timeout=60, check=False)
        if outcome.returncode != 0:
            raise AssertionError(f"almanac {' '.join(words)}: {outcome.stderr}")
        return outcome.stdout

    def expire_sessions(self, environment):
        """Expires all sessions, as the database's superuser."""
        self._run_sql(environment, "update sessions set expires_at = clock_timestamp() - interval '1 s';"
                                   " select pg_notify('almanac_sessions', '')")

    def bypass_approvals(self, environment, revision, reason):
        """Stores a reason with a release, as an administrator gives it who releases without approvals."""
        self._run_sql(
            environment, f"update config_releases set bypass_reason = '{reason}' where revision = {revision};")

    def lose_attachment(self, environment, id):
        """Deletes an attachment's row, which a restored backup of an earlier time lacks."""
        self._run_sql(environment, f"with lost as (delete from attachments where id = '{id}' returning account_id, bytes)"
                                   " update accounts a set attachments = a.attachments - 1,"
                                   " attachment_bytes = a.attachment_bytes - lost.bytes"
                                   " from lost where a.id = lost.account_id")

    def forget_requests(self, environment):
        """Forgets the requests of apps, so that the next one is the environment's first."""
        # The list records the requests that the worker remembers.
        self.must("GET", f"/{environment}/majors", token=environment)
        self._run_sql(environment, "update config_majors set last_asked_at = null")

    def _run_sql(self, environment, script):
        subprocess.run(
            ["psql", "-X", "-q", "-w", "-v", "ON_ERROR_STOP=1", "-h", os.path.join(self.home, "run/sockets/postgres"),
             "-p", "5432", "-U", "postgres", "-d", f"almanac_{environment}", "-c", script],
            check=True, timeout=60, stdout=subprocess.DEVNULL,
            env={**os.environ, "PGPASSFILE": os.path.join(self.home, "secrets", "superuser.pgpass")})

    def reload(self, environments):
        """Replaces the environments file; returns the error message if it is refused, or an empty string."""
        path = os.path.join(self.home, "environments.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(environments, file, indent=2)
        outcome = subprocess.run([os.path.join(CHECKOUT, "deploy", "run"), "--reload"], check=False, timeout=120,
                                 env={**os.environ, "ALMANAC_HOME": self.home}, capture_output=True, text=True)
        return "" if outcome.returncode == 0 else outcome.stdout + outcome.stderr

    def deploy_run(self, *words):
        """Runs deploy/run with options such as --stop-service nginx."""
        subprocess.run([os.path.join(CHECKOUT, "deploy", "run"), *words], check=True, timeout=60,
                       env={**os.environ, "ALMANAC_HOME": self.home}, stdout=subprocess.DEVNULL)


class KeepErrors(urllib.request.HTTPErrorProcessor):
    """A handler that returns responses of any status instead of raising."""

    def http_response(self, request, response):
        return response

    https_response = http_response
