"""A TCP proxy in front of the instance that simulates outages."""

import socket
import threading


class Gate:
    """A proxy that forwards TCP connections to a loopback port while it is open. Held responses arrive late, or never
    if the gate is shut first."""

    def __init__(self, target):
        self._target = target
        # Guards the members below; connections exist only while the gate is open.
        self._lock = threading.Lock()
        self._connections = set()
        self._listener = None
        # Cleared while responses are held.
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
        """Refuses new connections and cuts existing ones."""
        with self._lock:
            listener, self._listener = self._listener, None
            connections, self._connections = self._connections, set()
        if listener:
            # A shutdown is the only call that wakes a thread waiting in accept.
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for connection in connections:
            self._end(connection)
        self._answers_pass.set()

    def hold_answers(self):
        """Forwards requests and holds responses."""
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
        """Copies until one side closes, then closes both."""
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
