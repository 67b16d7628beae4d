"""A door in front of the instance that can be shut: a server that is gone for a while."""

import socket
import threading


class Gate:
    """Passes TCP connections on to a port of loopback, byte by byte, while it is open. What the server says can be held:
    it comes late, or never where the gate is shut meanwhile."""

    def __init__(self, target):
        self._target = target
        # Guards what follows: connections are here exactly while the gate is open.
        self._lock = threading.Lock()
        self._connections = set()
        self._listener = None
        # Not set while what the server says is held.
        self._answers_pass = threading.Event()
        self.port = 0
        self.open()

    def open(self):
        with self._lock:
            listener = socket.create_server(("127.0.0.1", self.port))
            self.port = listener.getsockname()[1]
            self._listener = listener
            self._answers_pass.set()
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def shut(self):
        """Refuses new connections, and ends those that are there."""
        with self._lock:
            listener, self._listener = self._listener, None
            connections, self._connections = self._connections, set()
        if listener:
            # A thread that waits in accept is woken by this alone.
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for connection in connections:
            self._end(connection)
        self._answers_pass.set()

    def hold_answers(self):
        """Passes on what is asked, and keeps what the server says."""
        self._answers_pass.clear()

    def let_answers_go(self):
        self._answers_pass.set()

    def _accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(listener, near), daemon=True).start()

    def _pass_on(self, listener, near):
        try:
            far = socket.create_connection(("127.0.0.1", self._target), timeout=5)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        with self._lock:
            is_open = self._listener is listener
            if is_open:
                self._connections |= {near, far}
        if is_open:
            answers = threading.Thread(target=self._copy, args=(far, near, self._answers_pass.wait), daemon=True)
            answers.start()
            self._copy(near, far)
            answers.join()
        with self._lock:
            self._connections -= {near, far}
        near.close()
        far.close()

    def _copy(self, source, target, wait=lambda: None):
        """Until one of the two ends, and with it both."""
        try:
            while part := source.recv(65536):
                wait()
                target.sendall(part)
        except OSError:
            pass
        self._end(source)
        self._end(target)

    @staticmethod
    def _end(connection):
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
