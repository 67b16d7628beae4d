"""An identity provider that is down, or sends invalid responses."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

GARBAGE = b"<html><script>alert(1)</script>\x00\xff{"


class FaultyProvider:
    """A provider whose discovery and redirects work. `tokens` is its response to the exchange of the code."""

    def __init__(self, port):
        self.tokens = GARBAGE
        self.status = 200
        # True if token requests get no response until `close`.
        self.withholds = False
        self._closed = threading.Event()
        issuer = f"http://127.0.0.1:{port}"
        self.url = issuer
        this = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                parts = urlsplit(self.path)
                if parts.path == "/.well-known/openid-configuration":
                    self.answer(200, json.dumps({
                        "issuer": issuer, "jwks_uri": f"{issuer}/keys", "authorization_endpoint": f"{issuer}/authorize",
                        "token_endpoint": f"{issuer}/token", "response_types_supported": ["code"],
                        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
                        "code_challenge_methods_supported": ["S256"]}).encode())
                elif parts.path == "/keys":
                    self.answer(200, b'{"keys":[]}')
                elif parts.path == "/authorize":
                    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                    answer = urlencode({"code": "a-code", "state": query.get("state", "")})
                    self.answer(303, b"", {"Location": f"{query['redirect_uri']}?{answer}"})
                else:
                    self.answer(404, b"")

            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if this.withholds:
                    this._closed.wait()
                    self.close_connection = True
                    return
                self.answer(this.status, this.tokens)

            def answer(self, status, body, headers=()):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                for name, value in dict(headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format, *arguments):  # pylint: disable=redefined-builtin
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()
