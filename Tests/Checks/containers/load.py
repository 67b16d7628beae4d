"""Runs clients of all kinds in parallel until a file exists, and prints a line per request.

    load.py URL CA FOLDER    FOLDER holds host.token and user.token; the file FOLDER/enough ends the run

A line names the kind of client and the result of its request: the status or the error. Half of the clients open a
connection per request and never retry. The others keep their connection open. An open connection may end between two
requests; the client then retries on a new connection, like every HTTP client (RFC 9112 section 9.3.1), and the line
contains "again". A stream that ends is resumed after its last event; its line says whether the server sent bye.

At the end, each stream must receive the last acknowledged config revision and note, and each acknowledged write must
be readable. Otherwise a line "missing" is printed. The last line, "done", has the counts of what was acknowledged, and
the longest time without a successful answer to any read, write or note.
"""

import http.client
import json
import os
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse

url, ca, folder = sys.argv[1:]
address = urllib.parse.urlsplit(url)
tls = ssl.create_default_context(cafile=ca)
lines = threading.Lock()
acknowledged = {"config": 0, "notes": 0}
settings, notes = {}, {}
timeout_seconds = 60
last_answers, longest_silences = {}, {}


def token(name):
    with open(f"{folder}/{name}.token") as file:
        return {"Authorization": "Bearer " + file.read().strip()}


def log(kind, outcome):
    with lines:
        print(kind, outcome, flush=True)


def note_answer(kind):
    with lines:
        now = time.monotonic()
        longest_silences[kind] = max(longest_silences.get(kind, 0), now - last_answers.get(kind, now))
        last_answers[kind] = now


def is_stopped():
    return os.path.exists(f"{folder}/enough")


def connect():
    return http.client.HTTPSConnection(address.hostname, address.port, timeout=timeout_seconds, context=tls)


def explain(error):
    return f"{type(error).__name__}: {error}"


class Client:
    """A client that sends requests one after another, on a new connection each or on one persistent connection."""

    def __init__(self, kind, is_persistent):
        self.subject = kind
        self.kind = kind + (" kept" if is_persistent else "")
        self.is_persistent = is_persistent
        self.connection = None
        self.used = False

    def fetch(self, method, path, headers, body=None):
        """Returns the response body, or None without a successful response."""
        again = ""
        while True:
            try:
                status, answer = self.send(method, path, headers, body)
                log(self.kind, f"{status}{again}")
                if status not in (200, 201):
                    return None
                note_answer(self.subject)
                return answer
            except (ConnectionError, http.client.BadStatusLine, ssl.SSLError) as error:
                was_reused, self.connection = self.used, None
                if not was_reused:
                    log(self.kind, explain(error))
                    return None
                again = " again"
            except (OSError, http.client.HTTPException) as error:
                self.connection = None
                log(self.kind, explain(error))
                return None

    def send(self, method, path, headers, body):
        self.used = self.connection is not None
        if self.connection is None:
            self.connection = connect()
        if not self.is_persistent:
            headers = {**headers, "Connection": "close"}
        self.connection.request(method, address.path + path, body, headers)
        response = self.connection.getresponse()
        answer = response.read()
        if response.will_close:
            self.connection = None
        return response.status, answer


def read(is_persistent):
    client = Client("read", is_persistent)
    while not is_stopped():
        client.fetch("GET", "/config", token("host"))


# Reads with curl, because only curl speaks HTTP/2.
def read_with_curl():
    while not is_stopped():
        done = curl()
        # An nginx process that shuts down may accept a connection and close it without reading the request. curl
        # reports an error of the framing layer, and clients retry such a request (RFC 9113 §8.7).
        again = done.returncode == 16
        if again:
            done = curl()
        log("read with curl", (done.stdout + " " + done.stderr.strip()).strip() + (" again" if again else ""))


def curl():
    return subprocess.run(
        ["curl", "-sS", "--max-time", str(timeout_seconds), "--cacert", ca, "--header", "@-", "--output", "/dev/null"]
        + ["--write-out", "%{http_code} HTTP/%{http_version}", url + "/config"],
        input="Authorization: " + token("host")["Authorization"], capture_output=True, text=True)


def write_settings(name, is_persistent):
    client = Client("write", is_persistent)
    headers = {**token("host"), "Content-Type": "application/json"}
    number = 0
    while not is_stopped():
        number += 1
        key = f"load.{name}.{number % 20}"
        answer = client.fetch("PUT", f"/config/{key}", headers, json.dumps({"value": number}))
        if answer:
            settings[key] = number
            with lines:
                acknowledged["config"] = max(acknowledged["config"], json.loads(answer)["revision"])


def write_notes(name, is_persistent):
    client = Client("note", is_persistent)
    headers = {**token("user"), "Content-Type": "application/json"}
    number = 0
    while not is_stopped():
        number += 1
        note = f"{name}-{number}"
        action = ["createNote", {"action_id": f"a-{note}", "id": note, "body": str(number)}]
        answer = client.fetch("POST", "/notes", headers, json.dumps([action]))
        if answer:
            result = json.loads(answer)["results"][0]
            if result["status"] not in ("applied", "duplicate"):
                log("note", f"was {result}")
            notes[note] = str(number)
            with lines:
                acknowledged["notes"] = max(acknowledged["notes"], result["revision"])


class Stream:
    """A client of the event stream of config and a user's notes. It reconnects whenever the stream ends."""

    def __init__(self):
        self.cursor = None
        self.seen = {"config": 0, "notes": 0}

    def is_up_to_date(self):
        return all(self.seen[scope] >= acknowledged[scope] for scope in acknowledged)

    def follow(self, over):
        while not over.is_set():
            try:
                self.hold(over)
            except (OSError, http.client.HTTPException) as error:
                log("stream", explain(error))

    def hold(self, over):
        headers = token("user")
        if self.cursor:
            headers["Last-Event-ID"] = self.cursor
        # nginx keeps the old process for open streams for a while, so a stream that is silent for long is broken.
        connection = http.client.HTTPSConnection(address.hostname, address.port, timeout=timeout_seconds, context=tls)
        connection.request("GET", address.path + "/events", headers=headers)
        response = connection.getresponse()
        log("stream", response.status)
        ending = "ended without bye"
        try:
            for line in response:
                line = line.decode().rstrip("\n")
                if line.startswith("id:"):
                    self.advance(line[3:].strip())
                elif line.startswith("data:") and json.loads(line[5:]).get("type") == "bye":
                    ending = "ended with bye"
                if over.is_set():
                    return
        except (ConnectionError, http.client.IncompleteRead, ssl.SSLError):
            ending = "was cut"
        log("stream", ending)

    def advance(self, cursor):
        self.cursor = cursor
        for part in cursor.split(","):
            scope, place = part.split("=")
            self.seen[scope] = max(self.seen[scope], int(place.split(".")[0]))


def missing():
    reader = Client("check", False)
    present = json.loads(reader.fetch("GET", "/config.json", {
        **token("host"), "Almanac-Min-Revision": str(acknowledged["config"])}))
    for key, value in settings.items():
        if present.get(key) != value:
            yield f"{key} is {present.get(key)}, not {value}"
    found, query = {}, "limit=1000"
    while query:
        page = json.loads(reader.fetch("GET", f"/notes?{query}", token("user")))
        found.update(page["details"])
        query = "limit=1000&" + urllib.parse.urlencode({"next": page["next"]}) if page.get("more") else None
    for note, body in notes.items():
        if found.get(note, {}).get("body") != body:
            yield f"{note} is {found.get(note)}"
    if not settings or not notes:
        yield "nothing was acknowledged"


def main():
    over = threading.Event()
    streams = [Stream() for _ in range(4)]
    clients = [threading.Thread(target=read_with_curl)]
    for number, is_persistent in enumerate([False, True, False]):
        clients.append(threading.Thread(target=read, args=[is_persistent]))
        clients.append(threading.Thread(target=write_settings, args=[f"c{number}", is_persistent]))
        clients.append(threading.Thread(target=write_notes, args=[f"n{number}", is_persistent]))
    followers = [threading.Thread(target=stream.follow, args=[over], daemon=True) for stream in streams]
    for thread in followers + clients:
        thread.start()
    for thread in clients:
        thread.join()
    deadline = time.monotonic() + timeout_seconds
    while not all(stream.is_up_to_date() for stream in streams) and time.monotonic() < deadline:
        time.sleep(0.1)
    over.set()
    for stream in streams:
        if not stream.is_up_to_date():
            log("missing", f"a stream heard of {stream.seen} only, of {acknowledged}")
    for what in missing():
        log("missing", what)
    silences = ", ".join(f"{kind} {longest_silences[kind]:.2f} s" for kind in ("read", "write", "note"))
    log("done", f"{len(settings)} settings, {len(notes)} notes, revisions {acknowledged}, longest silences: {silences}")
    sys.stdout.flush()
    os._exit(0)


main()
