"""Runs clients of all kinds in parallel until a file exists, and prints a line per request.

    load.py URL CA FOLDER    FOLDER holds host.token and user.token; the file FOLDER/enough ends the run

A line names the kind of client and the result of its request: the status or the error. Half of the clients open a
connection per request and never retry. The others keep their connection open. An open connection may end between two
requests; the client then retries on a new connection, like every HTTP client (RFC 9112 section 9.3.1), and the line
contains "again". A stream that ends is resumed after its last event; its line says whether the server sent bye.

Each write is unique: the value of a key, or a word that is inserted into a note. A failed write is sent again until it
is acknowledged. At the end, the histories of the keys and the texts of the notes are searched for all writes. A line
"lost" names an acknowledged write that was not found, and "doubled" a write that took effect twice. A line "missing"
names a key without its newest value, or a stream that did not receive the newest acknowledged revisions. The last line,
"figures", has the counts, and the longest time without a successful answer to any read, config write or note.
"""

import collections
import http.client
import json
import os
import re
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
acknowledged = {"write": set(), "note": set()}
failures = {"write": 0, "note": 0}
revisions = {"config": 0, "notes": 0}
timeout_seconds = 60
pause_seconds = 0.1
# Earlier runs have written the same keys.
run = f"{time.time_ns():x}"
keys_per_writer = 20
words_per_note = 50
last_answers = dict.fromkeys(("read", "write", "note"), time.monotonic())
longest_silences = dict.fromkeys(last_answers, 0)


def token(name):
    with open(f"{folder}/{name}.token") as file:
        return {"Authorization": "Bearer " + file.read().strip()}


def log(kind, outcome):
    with lines:
        print(kind, outcome, flush=True)


def note_answer(kind):
    with lines:
        now = time.monotonic()
        longest_silences[kind] = max(longest_silences[kind], now - last_answers[kind])
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
                if status in (200, 201):
                    if self.subject in last_answers:
                        note_answer(self.subject)
                    return answer
                break
            except (ConnectionError, http.client.BadStatusLine, ssl.SSLError) as error:
                was_reused, self.connection = self.used, None
                if not was_reused:
                    log(self.kind, explain(error))
                    break
                again = " again"
            except (OSError, http.client.HTTPException) as error:
                self.connection = None
                log(self.kind, explain(error))
                break
        time.sleep(pause_seconds)
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
        if done.returncode != 0:
            time.sleep(pause_seconds)


def curl():
    return subprocess.run(
        ["curl", "-sS", "--noproxy", "*", "--max-time", str(timeout_seconds), "--cacert", ca, "--header", "@-"]
        + ["--output", "/dev/null", "--write-out", "%{http_code} HTTP/%{http_version}", url + "/config"],
        input="Authorization: " + token("host")["Authorization"], capture_output=True, text=True)


def write(client, name, scope, method, path, credentials, body):
    """Sends a write until it is acknowledged. Returns the answer, or None if the run ends before."""
    headers = {**credentials, "Content-Type": "application/json"}
    while not is_stopped():
        answer = json.loads(client.fetch(method, path, headers, json.dumps(body)) or "null")
        if answer and answer.get("results", [{}])[0].get("status") != "rejected":
            with lines:
                acknowledged[client.subject].add(name)
                revisions[scope] = max(revisions[scope], answer["revision"])
            return answer
        if answer:
            log(client.subject, f"was {answer}")
        with lines:
            failures[client.subject] += 1
    return None


def write_settings(writer, is_persistent):
    client = Client("write", is_persistent)
    number = 0
    while not is_stopped():
        number += 1
        value = f"{run}-{writer}-{number}"
        path = f"/config/load.{writer}.{number % keys_per_writer}"
        write(client, value, "config", "PUT", path, token("host"), {"value": value})


def write_notes(writer, is_persistent):
    client = Client("note", is_persistent)
    number = 0
    while not is_stopped():
        word = f"{run}-{writer}-{number}"
        if number % words_per_note == 0:
            note, first, base = word, f"<{word}>", None
            action = ["createNote", {"action_id": f"a-{word}", "id": note, "body": first}]
        else:
            edit = [f"<{word}> ", len(first)]
            action = ["updateNote", {"action_id": f"a-{word}", "id": note, "base": base, "body": edit}]
        answer = write(client, word, "notes", "POST", "/notes", token("user"), [action])
        if answer:
            base = base or answer["results"][0]["revision"]
            number += 1


class Stream:
    """A client of the event stream of config and a user's notes. It reconnects whenever the stream ends."""

    def __init__(self):
        self.cursor = None
        self.seen = {"config": 0, "notes": 0}

    def is_up_to_date(self):
        return all(self.seen[scope] >= revisions[scope] for scope in revisions)

    def follow(self, over):
        while not over.is_set():
            try:
                self.hold(over)
            except (OSError, http.client.HTTPException) as error:
                log("stream", explain(error))
                time.sleep(pause_seconds)

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


def fetch_json(path, credentials):
    return json.loads(Client("check", False).fetch("GET", path, credentials))


def find_settings():
    """Returns the values that the written keys ever had, and reports keys that do not have their newest value."""
    required = {**token("host"), "Almanac-Min-Revision": str(revisions["config"])}
    present = fetch_json("/config.json", required)
    found = []
    for key in present:
        if not key.startswith("load."):
            continue
        history = fetch_json(f"/config/{key}/history?limit=1000", required)
        if present[key] != history[0]["value"]:
            log("missing", f"{key} is {present[key]}, not {history[0]['value']}")
        found += [item.get("value", "") for item in history]
    return found


def find_words():
    found, query = [], "limit=1000"
    while query:
        page = fetch_json(f"/notes?{query}", token("user"))
        for note in page["details"].values():
            found += re.findall("<(.*?)>", note["body"])
        query = "limit=1000&" + urllib.parse.urlencode({"next": page["next"]}) if page.get("more") else None
    return found


def count_writes(kind, found):
    """Reports lost and doubled writes, and returns the counts for the last line."""
    counts = collections.Counter(name for name in found if name.startswith(run))
    lost = [name for name in acknowledged[kind] if name not in counts]
    doubled = [name for name, count in counts.items() if count > 1]
    if not acknowledged[kind]:
        log("missing", f"an acknowledged {kind}")
    for name in lost:
        log("lost", f"{kind} {name}")
    for name in doubled:
        log("doubled", f"{kind} {name}")
    return (f"{len(acknowledged[kind])} acknowledged, {failures[kind]} attempts failed, {len(lost)} lost, "
            f"{len(doubled)} doubled")


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
            log("missing", f"a stream heard of {stream.seen} only, of {revisions}")
    counts = f"config: {count_writes('write', find_settings())}; notes: {count_writes('note', find_words())}"
    silences = ", ".join(f"{kind} {seconds:.2f}" for kind, seconds in longest_silences.items())
    log("figures", f"{counts}; longest seconds without an answer: {silences}")
    sys.stdout.flush()
    os._exit(0)


main()
