"""The programs of the engines: their processes, profiles and trust in the certificate authority of the instance."""

import os
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager

SYSTEM_AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
# The time in seconds that a program may take to start on a loaded machine.
START_TIMEOUT = 60


def as_nobody():
    """Returns the words that start a program as nobody if the tests run as root."""
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"] if os.geteuid() == 0 else []


@contextmanager
def folder_of_nobody():
    with tempfile.TemporaryDirectory(prefix="almanac-engine-", ignore_cleanup_errors=True) as folder:
        give_to_nobody(folder)
        yield folder


def give_to_nobody(folder):
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", "nobody:", folder], check=True)


@contextmanager
def program(words, log, home, **variables):
    """Starts a program that runs, with its children, until the block ends."""
    environment = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "NO_AT_BRIDGE": "1",
                   "DBUS_SESSION_BUS_ADDRESS": "disabled:", **variables}
    with open(log, "ab") as output:
        process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   start_new_session=True)
        try:
            yield process
        finally:
            # The children of an engine stay in its process group.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def await_value(read, process, subject):
    """Returns the value of `read` once there is one, while the process runs."""
    deadline = time.monotonic() + START_TIMEOUT
    while not (value := read()):
        if process.poll() is not None:
            raise AssertionError(f"{subject} ended with status {process.returncode}")
        if time.monotonic() > deadline:
            raise AssertionError(f"{subject} did not start within {START_TIMEOUT} s")
        time.sleep(0.02)
    return value


def read_file(path):
    try:
        with open(path, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


@contextmanager
def display(log):
    """Starts a display without a screen; yields its name."""
    with folder_of_nobody() as home:
        number = os.path.join(home, "number")
        script = 'exec Xvfb -displayfd 3 -screen 0 1600x1200x24 -nolisten tcp 3>"$0"'
        with program([*as_nobody(), "sh", "-c", script, number], log, home) as process:
            yield ":" + await_value(lambda: read_file(number), process, "Xvfb")


def trusting(authority, words):
    """Returns the words that start a program which trusts the authority: GnuTLS reads a single file, which a mount
    namespace replaces for the program only."""
    script = 'mount --bind "$0" "$1" && shift && exec "$@"'
    own_user = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", *own_user, "--mount", "sh", "-c", script, authority, SYSTEM_AUTHORITIES, *words]
