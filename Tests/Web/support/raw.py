"""Raw HTTP requests, in which the test controls every byte."""

import http.client
import socket
import ssl

from support.instance import Answer

# The timeout of a response, in seconds.
TIMEOUT = 30


class Raw:
    """A client that sends each request to the instance on a new connection."""

    def __init__(self, instance):
        self._port = instance.port
        self._tls = ssl.create_default_context(cafile=f"{instance.home}/tls/ca.pem")

    def send(self, method, target, headers=(), body="", *, host="console.localhost", server_name=None):
        """Sends a request with the given headers, unchanged. `server_name` is the name in the TLS handshake if it
        differs from `host`; without `host`, no Host header is sent."""
        lines = [f"{method} {target} HTTP/1.1", "Connection: close"]
        if host:
            lines.append(f"Host: {host}:{self._port}")
        lines += [f"{name}: {value}" for name, value in headers]
        sent = body.encode()
        if sent:
            lines.append(f"Content-Length: {len(sent)}")
        head = "\r\n".join([*lines, "", ""])
        with socket.create_connection(("127.0.0.1", self._port), timeout=TIMEOUT) as plain:
            with self._tls.wrap_socket(plain, server_hostname=server_name or host or "localhost") as connection:
                try:
                    connection.sendall(head.encode() + sent)
                except OSError:
                    # nginx responds to an oversized request before it has received all of it.
                    pass
                return self._read(connection, method)

    @staticmethod
    def _read(connection, method):
        answer = http.client.HTTPResponse(connection, method=method)
        answer.begin()
        # A stream does not end, so read its first part only.
        is_stream = answer.status == 101 or answer.headers.get_content_type() == "text/event-stream"
        return Answer(answer.status, answer.headers, answer.read1(65536) if is_stream else answer.read())
