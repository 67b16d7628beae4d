"""One interface for Firefox, by Marionette, and WebKitGTK, by WebDriver."""

import http.client
import json
import os
import socket
import subprocess
from contextlib import ExitStack, contextmanager

from programs import as_nobody, await_value, display, folder_of_nobody, give_to_nobody, program, read_file, trusting

FIREFOX = "/usr/bin/firefox-esr"
WEBKIT = "/usr/bin/WebKitWebDriver"
# The timeout of a command and of a condition, in seconds; long because a loaded machine is slow.
COMMAND_TIMEOUT = 60
TIMEOUT = 20
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Each command has its method and path in WebDriver, and its name in Marionette.
COMMANDS = {
    "open": ("POST", "/url", "Navigate"),
    "url": ("GET", "/url", "GetCurrentURL"),
    "reload": ("POST", "/refresh", "Refresh"),
    "back": ("POST", "/back", "Back"),
    "new tab": ("POST", "/window/new", "NewWindow"),
    "close tab": ("DELETE", "/window", "CloseWindow"),
    "switch": ("POST", "/window", "SwitchToWindow"),
    "run": ("POST", "/execute/sync", "ExecuteScript"),
    "act": ("POST", "/actions", "PerformActions"),
    "click": ("POST", "/element/{id}/click", "ElementClick"),
    "picture": ("GET", "/screenshot", "TakeScreenshot"),
    "size": ("POST", "/window/rect", "SetWindowRect"),
}
KEYS = {"Control": "\ue009", "Shift": "\ue008", "Alt": "\ue00a", "Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c",
        "Backspace": "\ue003", "Delete": "\ue017", "Home": "\ue011", "End": "\ue010", "ArrowLeft": "\ue012",
        "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}


class Refused(Exception):
    """An error of the engine, with the name that the standard of WebDriver has for it."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class WebDriver:
    """A session of a driver that speaks HTTP."""

    def __init__(self, port, capabilities):
        self._port = port
        self._path = ""
        session = self._send("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._path = f"/session/{session['sessionId']}"
        self.version = f"{session['capabilities']['browserName']} {session['capabilities']['browserVersion']}"

    def command(self, name, parameters):
        method, path, _ = COMMANDS[name]
        return self._send(method, path.format(**parameters), parameters)

    def _send(self, method, path, parameters):
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=COMMAND_TIMEOUT)
        try:
            connection.request(method, self._path + path, json.dumps(parameters) if method == "POST" else None,
                               {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise Refused(value["error"], value.get("message", ""))
        return value

    def end(self):
        try:
            self._send("DELETE", "", {})
        except (OSError, http.client.HTTPException):
            # The driver may end before it answers.
            pass


class Marionette:
    """A session of Firefox, which speaks JSON with lengths over TCP."""

    def __init__(self, port, capabilities):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=COMMAND_TIMEOUT)
        self._file = self._socket.makefile("rb")
        self._count = 0
        self._receive()
        session = self._send("WebDriver:NewSession", capabilities)
        self.version = f"{session['capabilities']['browserName']} {session['capabilities']['browserVersion']}"

    def command(self, name, parameters):
        result = self._send(f"WebDriver:{COMMANDS[name][2]}", parameters)
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _send(self, name, parameters):
        self._count += 1
        message = json.dumps([0, self._count, name, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, number, error, result = self._receive()
        if number != self._count:
            raise AssertionError(f"the answer has the number {number}, not {self._count}")
        if error:
            raise Refused(error["error"], error["message"])
        return result

    def _receive(self):
        length = b""
        while (byte := self._file.read(1)) != b":":
            if not byte:
                raise ConnectionError("Firefox closed its connection")
            length += byte
        return json.loads(self._file.read(int(length)))

    def end(self):
        self._file.close()
        self._socket.close()


@contextmanager
def firefox(authority, log):
    """Starts Firefox with a new profile that trusts the authority."""
    with folder_of_nobody() as home, ExitStack() as stack:
        profile = os.path.join(home, "profile")
        os.mkdir(profile)
        database = f"sql:{profile}"
        subprocess.run(["certutil", "-N", "-d", database, "--empty-password"], check=True)
        subprocess.run(["certutil", "-A", "-d", database, "-n", "almanac", "-t", "C,,", "-i", authority], check=True)
        with open(os.path.join(profile, "user.js"), "w", encoding="ascii") as file:
            # Firefox writes its port into the profile.
            file.write('user_pref("marionette.port", 0);\n'
                       'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n')
        give_to_nobody(home)
        words = [*as_nobody(), FIREFOX, "--headless", "--no-remote", "--marionette", "--profile", profile, "about:blank"]
        process = stack.enter_context(program(words, log, home))
        port = await_value(lambda: read_file(os.path.join(profile, "MarionetteActivePort")), process, "Firefox")
        yield Marionette(int(port), {})


@contextmanager
def webkit(authority, log):
    """Starts WebKitGTK's browser on a display of its own; its storage is in memory."""
    with ExitStack() as stack:
        name = stack.enter_context(display(log))
        home = stack.enter_context(folder_of_nobody())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = trusting(authority, [*as_nobody(), WEBKIT, f"--port={port}", "--host=127.0.0.1"])
        process = stack.enter_context(program(words, log, home, DISPLAY=name, GDK_BACKEND="x11"))
        await_value(lambda: is_listening(port), process, "WebKitWebDriver")
        session = WebDriver(port, {})
        stack.callback(session.end)
        yield session


def is_listening(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
