"""Checks of every page in every test."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import Error

# The document's event names the source of a policy violation; the console's message does not.
LISTENER = """
addEventListener('securitypolicyviolation', (event) => almanacRefused(
    `${event.effectiveDirective}: ${event.blockedURI} ${event.sample} ${event.sourceFile}:${event.lineNumber}`));
"""

# Events of a worker reach only the worker itself, so log them.
WORKER_LISTENER = """() => {
    addEventListener('securitypolicyviolation', (event) => console.error(
        `policy report: ${event.effectiveDirective}: ${event.blockedURI} ${event.sample} ${event.sourceFile}`));
    addEventListener('unhandledrejection', ({ reason }) => console.error(`unhandled: ${reason?.stack ?? reason}`));
    addEventListener('error', (event) => console.error(`exception: ${event.error?.stack ?? event.message}`));
}"""


class PageChecks:
    """A collector of policy reports, console errors, exceptions, dialogs and foreign requests of pages and workers."""

    def __init__(self, context, origins):
        self.complaints = []
        self.console = []
        self.requests = []
        self._origins = set(origins)
        self._allowed = [
            # Chromium logs every such response; a forecast on a stale base is repeated.
            re.compile("status of 412 .*dry_run"),
            # A browser is offline only if its test says so.
            re.compile("ERR_(INTERNET_DISCONNECTED|NETWORK_CHANGED)"),
        ]
        context.expose_binding("almanacRefused", lambda _, text: self.complain(f"policy report: {text}"))
        context.add_init_script(LISTENER)
        context.on("console", self._hear)
        context.on("page", lambda page: page.on("worker", self._listen_in))
        context.on("serviceworker", self._listen_in)
        context.on("weberror", lambda error: self.complain(f"exception: {error.error}"))
        context.on("dialog", self._refuse_dialog)
        context.on("request", self._see_request)

    def allow(self, pattern):
        """Allows a complaint that a test provokes, such as a logged status."""
        self._allowed.append(re.compile(pattern))

    def allow_origin(self, origin):
        self._origins.add(origin)

    def complain(self, text):
        self.console.append(text)
        self.complaints.append(text)

    def remaining(self):
        return [text for text in self.complaints if not any(pattern.search(text) for pattern in self._allowed)]

    def _hear(self, message):
        place = message.location
        text = f"{message.type}: {message.text} ({place.get('url')}:{place.get('lineNumber')})"
        self.console.append(text)
        if message.type in ("error", "warning"):
            self.complaints.append(text)

    def _listen_in(self, worker):
        try:
            worker.evaluate(WORKER_LISTENER)
        except Error as reason:
            # The worker may have ended with its page.
            self.console.append(f"a worker without checks: {worker.url}: {reason.message}")

    def _refuse_dialog(self, dialog):
        # The confirmation before leaving a page is the browser's own dialog.
        if dialog.type != "beforeunload":
            self.complain(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _see_request(self, request):
        self.requests.append(request)
        parts = urlsplit(request.url)
        if parts.scheme in ("data", "blob", "about"):
            return
        # A provider's page may load anything; the project's pages never send a Referer.
        if "referer" not in request.headers and f"{parts.scheme}://{parts.netloc}" not in self._origins:
            self.complain(f"request to another origin: {request.method} {request.url}")
