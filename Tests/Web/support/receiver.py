"""A receiver of hooks on this host, which verifies every delivery."""

import http.server
import threading

from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook, WebhookVerificationError

from support.devices import wait_until


class Receiver:
    """A local HTTP server. It answers `status` to events with a valid signature, and 401 to others.

    Its hooks are deleted when the test ends, so that they delay no deliveries of other tests."""

    def __init__(self, case, environment="development"):
        # Set from the hook's secret; until then, every delivery is refused.
        self.secret = None
        # The events in the order of their arrival.
        self.events = []
        # The status of the response to a valid delivery.
        self.status = 204
        # The ids of refused deliveries.
        self.refused = []
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        case.addCleanup(self._server.server_close)
        case.addCleanup(self._server.shutdown)
        case.addCleanup(self._delete_hooks, case.instance, environment)

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_port}/hooks"

    @property
    def permission(self):
        """The member `hooks` of an environment whose hooks may send to this receiver."""
        return {"allow": ["127.0.0.1"], "http": True, "ports": [self._server.server_port]}

    def types(self):
        return [event["type"] for event in self.events]

    def await_types(self, *types):
        """Waits for these events; raises with the received ones."""
        if not wait_until(lambda: self.types() == list(types), 30):
            raise AssertionError(f"the receiver got {self.types()}, refused {self.refused}; expected {list(types)}")

    def _delete_hooks(self, instance, environment):
        for hook in instance.must("GET", f"/{environment}/hooks", token=environment).json():
            if hook["url"] == self.url:
                instance.must("DELETE", f"/{environment}/hooks/{hook['id']}", token=environment)

    def _handler(self):
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # pylint: disable=invalid-name
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(receiver.accept(dict(self.headers), body))
                self.end_headers()

            def log_message(self, *_):
                pass

        return Handler

    def accept(self, headers, body):
        """Returns the status of the response to a delivery."""
        try:
            event = Webhook(self.secret).verify(body, headers)
        except (EmptyWebhookSecretError, WebhookVerificationError):
            self.refused.append(headers.get("webhook-id"))
            return 401
        self.events.append(event)
        return self.status
