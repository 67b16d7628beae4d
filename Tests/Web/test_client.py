"""Tests of the client for web pages, in pages of another origin."""

import base64
import hashlib
import http.server
import os
import re
import subprocess
import tempfile
import threading
import unittest
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.case import BrowserCase
from support.gate import Gate
from support.instance import CHECKOUT

VERSION = "1.0.0"
# The limit of config.js as transferred to most browsers, in bytes.
BROTLI = 5000
PAGE = """<!doctype html><html lang="en"><title>An app</title><link rel="icon" href="data:,"><p id="color"></p>
<script type="module">
const query = new URLSearchParams(location.search);
if (query.has("refuse")) {
    Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
}
const { createConfig } = await import(`${query.get("url")}/sdk/1.0.0/config.js`);
window.config = createConfig({ url: query.get("url"), environment: "development",
    token: query.get("token") ?? undefined, version: query.get("version"), apply: query.get("apply") ?? "now",
    defaults: { color: "default" } });
const show = () => { document.getElementById("color").textContent = config.get("color", "none"); };
await config.ready;
show();
config.subscribe("color", show);
</script>"""

FLAGS_PAGE = """<!doctype html><html lang="en"><title>An app</title><link rel="icon" href="data:,"><p id="color"></p>
<script type="module">
const query = new URLSearchParams(location.search);
const { AlmanacProvider } = await import(`${query.get("url")}/sdk/1.0.0/flags.js`);
window.provider = new AlmanacProvider({ url: query.get("url"), environment: "development",
    version: query.get("version") });
window.flag = () => provider.resolveStringEvaluation("theme", "none");
const show = () => { document.getElementById("color").textContent = flag().value; };
provider.events.addHandler("PROVIDER_CONFIGURATION_CHANGED", show);
await provider.initialize({ plan: "free" });
show();
</script>"""

EXAMPLE_PAGE = """<!doctype html><html lang="en"><title>An app</title><link rel="icon" href="data:,"><p id="color"></p>
<script type="module">EXAMPLE
document.getElementById("color").textContent = String(enabled);
</script>"""

REACT_PAGE = """<!doctype html><html lang="en"><title>An app</title><link rel="icon" href="data:,"><p id="color"></p>
<script type="module" src="/react.js"></script>"""
REACT = """
import { createRoot } from "react-dom/client";
import { createElement } from "react";
import { useConfig } from "./hook.jsx";
import { createConfig } from "./config.js";
window.config = createConfig({ url: new URLSearchParams(location.search).get("url"), environment: "development",
    version: new URLSearchParams(location.search).get("version") });
const Color = () => useConfig(config, "color", "none");
createRoot(document.getElementById("color")).render(createElement(Color));
"""
CLIENT = os.path.join(CHECKOUT, "Sources", "Web", "client")


def documented_example(instance, major):
    """Returns a page with the documentation's evaluation of a flag, for an instance."""
    path = os.path.join(CHECKOUT, "deploy", "operating", "flags-from-your-language.md")
    with open(path, encoding="utf-8") as file:
        [_, example] = re.findall(r"```js\n(.*?)```", file.read(), re.DOTALL)
    for documented, real in (("https://almanac.example.com", instance.url), ("production", "development"),
                             ('"2"', f'"{major}"'), ("TOKEN", instance.token("development"))):
        if documented not in example:
            raise AssertionError(f"expected {documented} in the example")
        example = example.replace(documented, real)
    return EXAMPLE_PAGE.replace("EXAMPLE", example)


def react_app():
    """Bundles an app with the hook of the documentation."""
    with open(os.path.join(CLIENT, "README.md"), encoding="utf-8") as file:
        [hook] = re.findall(r"```jsx\n(.*?)```", file.read(), re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("hook.jsx", hook), ("app.jsx", REACT)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        os.symlink(os.path.join(CLIENT, "config.js"), os.path.join(folder, "config.js"))
        return subprocess.run(
            ["esbuild", "--bundle", "--format=esm", '--define:process.env.NODE_ENV="production"',
             "--log-level=warning", os.path.join(folder, "app.jsx")],
            check=True, timeout=60, stdout=subprocess.PIPE, env={**os.environ, "NODE_PATH": "/usr/share/nodejs"}).stdout


class AppPage(http.server.BaseHTTPRequestHandler):
    def do_GET(self):  # pylint: disable=invalid-name
        if self.path == "/react.js":
            kind, body = "text/javascript", react_app()
        else:
            pages = {"/react": REACT_PAGE, "/flags": FLAGS_PAGE}
            kind, body = "text/html", pages.get(self.path.partition("?")[0], PAGE).encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class ClientTests(BrowserCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), AppPage)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.app = f"http://127.0.0.1:{cls.server.server_address[1]}"

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        super().setUp()
        self.gate = Gate(self.instance.port)
        self.addCleanup(self.gate.shut)
        self.url = f"https://localhost:{self.gate.port}"
        self.instance.begin("development", {"color": "red", "size": 3})
        version = self.instance.must("GET", "/development/config").headers["Almanac-Version"]
        self.major = int(version.partition(".")[0])

    def visitor(self):
        one = self.person()
        one.checks.allow_origin(self.app)
        one.checks.allow_origin(self.url)
        return one

    def visit(self, one, more="", version=None, path="/"):
        one.page.goto(f"{self.app}{path}?url={self.url}&version={version or self.major}{more}")
        return one.page.locator("#color")

    def put(self, value):
        self.instance.must("PUT", "/development/config/color", {"value": value}, token="development")

    def await_status(self, one, member, value):
        one.page.wait_for_function(f"window.config?.status.{member} === {value!r}")

    def test_value_changes_live(self):
        """a value is on the screen, and a release changes it without a reload"""
        one = self.visitor()
        color = self.visit(one)
        expect(color).to_have_text("red")
        self.await_status(one, "live", "stream")
        self.put("blue")
        expect(color).to_have_text("blue")
        self.assertEqual(one.page.evaluate(
            "[config.get('color', 1), config.get('size', 1), config.get('none', true), config.entries().size]"),
            [1, 3, True, 3])

    def test_flags_change_live(self):
        """a flag follows its definition and the context, in the page's own major, and is cached"""
        free = {"if": [{"==": [{"var": "plan"}, "pro"]}, "dark", "light"]}
        flag = {"state": "ENABLED", "variants": {"light": "light", "dark": "dark"}, "defaultVariant": "light",
                "metadata": {"almanac.public": True}, "targeting": free}
        self.instance.begin_with_flags("development", {"theme": flag})
        answer = self.instance.must("GET", "/development/config", token="development")
        major = int(answer.headers["Almanac-Version"].partition(".")[0])
        one = self.visitor()
        one.checks.allow("ERR_CONNECTION|Failed to load resource")
        shown = self.visit(one, version=major, path="/flags")
        expect(shown).to_have_text("light")
        self.assertEqual(one.page.evaluate("provider.resolveNumberEvaluation('theme', 1).errorCode"), "TYPE_MISMATCH")
        self.assertEqual(one.page.evaluate("provider.resolveStringEvaluation('no', '').errorCode"), "FLAG_NOT_FOUND")
        one.page.evaluate("provider.onContextChange({}, { plan: 'pro' })")
        expect(shown).to_have_text("dark")
        with one.page.expect_request(re.compile("flagConfigEtag=")) as evaluation:
            self.instance.begin_with_flags("development", {"theme": {**flag, "targeting": {"if": [True, "light"]}}})
        # The server answers with the state of the event, also if it was behind.
        self.assertIn(f"version={major}", evaluation.value.url)
        expect(shown).to_have_text("light")
        # The page's major keeps the flag without its variant.
        self.instance.begin_with_flags(
            "development", {"theme": {**flag, "variants": {"light": "white"}, "targeting": {}}})
        one.page.evaluate("provider.onContextChange({}, { plan: 'free' })")
        self.assertEqual(one.page.evaluate("flag().value"), "light")
        self.gate.shut()
        shown = self.visit(one, version=major, path="/flags")
        expect(shown).to_have_text("light")
        self.assertEqual(one.page.evaluate("flag().reason"), "CACHED")

    def test_documented_example(self):
        """the documentation's example for pages without npm evaluates a flag"""
        self.instance.begin_with_flags("development", {"new-checkout": {
            "state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off",
            "targeting": {"if": [{"==": [{"var": "plan"}, "pro"]}, "on"]}}})
        answer = self.instance.must("GET", "/development/config", token="development")
        page = documented_example(self.instance, answer.headers["Almanac-Version"].partition(".")[0])
        one = self.visitor()
        one.page.route(f"{self.instance.url}/app", lambda route: route.fulfill(body=page, content_type="text/html"))
        one.checks.allow_origin(self.instance.url)
        one.page.goto(f"{self.instance.url}/app")
        expect(one.page.locator("#color")).to_have_text("true")

    def test_flags_change_before_the_stream(self):
        """a release between the first evaluation and the stream is not missed"""
        flag = {"state": "ENABLED", "variants": {"light": "light", "dark": "dark"}, "defaultVariant": "light",
                "metadata": {"almanac.public": True}}
        self.instance.begin_with_flags("development", {"theme": flag})
        answer = self.instance.must("GET", "/development/config", token="development")
        one = self.visitor()

        def release(route):
            self.instance.begin_with_flags("development", {"theme": {**flag, "defaultVariant": "dark"}})
            cursor = self.instance.must("GET", "/development/config", token="development").headers["Almanac-Cursor"]
            # A stream that opens from now on is not sent this release.
            while cursor.encode() not in self.instance.must("GET", "/development/events?wait=1").body:
                pass
            route.continue_()

        one.page.route("**/development/events**", release)
        shown = self.visit(one, version=int(answer.headers["Almanac-Version"].partition(".")[0]), path="/flags")
        expect(shown).to_have_text("dark")

    def test_offline_start_and_resume(self):
        """without the server a page starts with cached values; when the server is back, it follows again"""
        one = self.visitor()
        one.checks.allow("ERR_CONNECTION|Failed to load resource")
        color = self.visit(one)
        expect(color).to_have_text("red")
        self.gate.shut()
        color = self.visit(one)
        expect(color).to_have_text("red")
        self.await_status(one, "source", "cache")
        self.put("green")
        self.gate.open()
        expect(color).to_have_text("green")
        self.await_status(one, "live", "stream")
        # A stream that is cut resumes as well.
        self.gate.shut()
        self.put("black")
        self.gate.open()
        expect(color).to_have_text("black")

    def test_refused_storage(self):
        """a page whose storage throws has the values, and its status says so"""
        one = self.visitor()
        expect(self.visit(one, "&refuse=1")).to_have_text("red")
        self.assertEqual(one.page.evaluate("config.status.storage"), "refused")

    def test_silent_stream(self):
        """behind a proxy that buffers streams, and with a clock that is wrong, a page polls"""
        one = self.visitor()
        one.page.clock.install(time="1999-12-31")
        held = []
        one.page.route("**/development/events**", lambda route: held.append(route))
        color = self.visit(one)
        expect(color).to_have_text("red")
        self.put("blue")
        self.forward_until(one, lambda: color.inner_text() == "blue")
        self.assertEqual(one.page.evaluate("config.status.live"), "poll")
        self.assertGreater(len(held), 0)

    def test_retry_after(self):
        """a page sends no request until the time has passed that a refusal names"""
        one = self.visitor()
        one.checks.allow("Failed to load resource")
        one.page.clock.install()
        refused = []

        def refuse(route):
            refused.append(route)
            route.fulfill(status=503, headers={"Retry-After": "300", "Access-Control-Allow-Origin": "*",
                                               "Access-Control-Expose-Headers": "Retry-After"})

        one.page.route("**/development/config**", refuse)
        color = self.visit(one)
        expect(color).to_have_text("default")
        one.page.clock.run_for(290_000)
        self.assertEqual((len(refused), one.page.evaluate("config.status.error")), (1, "503"))
        one.page.unroute("**/development/config**")
        one.page.clock.run_for(10_000)
        self.await_status(one, "source", "server")

    def test_hidden_page(self):
        """a hidden page has no stream; when it is visible again, it has the changes"""
        one = self.visitor()
        color = self.visit(one)
        self.await_status(one, "live", "stream")
        streams = self.streams()
        self.show(one, "hidden")
        while self.streams() == streams:
            pass
        self.put("blue")
        self.assertEqual(color.inner_text(), "red")
        self.show(one, "visible")
        expect(color).to_have_text("blue")

    def test_token(self):
        """a page of the instance sends its token for values and stream; a refused token is visible in the status"""
        one = self.visitor()
        one.checks.allow("Failed to load resource")
        sent = set()
        one.page.on("request", lambda call: sent.add((urlsplit(call.url).path, call.headers.get("authorization"))))
        one.page.route(f"{self.url}/app?**", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        token = self.instance.token("development")
        page = f"{self.url}/app?url={self.url}&version={self.major}&token="
        color = one.page.locator("#color")
        one.page.goto(f"{page}almanac_development_revoked")
        expect(color).to_have_text("default")
        self.assertIn("401", one.page.evaluate("config.status.error"))
        one.page.goto(f"{page}{token}")
        expect(color).to_have_text("red")
        self.await_status(one, "live", "stream")
        for name in ("config", "events"):
            self.assertIn((f"/development/{name}", f"Bearer {token}"), sent)
        self.put("blue")
        expect(color).to_have_text("blue")

    def streams(self):
        """Returns the number of open streams of the environment."""
        return self.instance.must("GET", "/development/events/status", token="development").json()["streams"]

    @staticmethod
    def forward_until(one, is_done):
        """Lets the page's installed clock run until a condition is true."""
        for _ in range(60):
            if is_done():
                return
            one.page.clock.run_for(1000)
        raise AssertionError("the condition is not true after a minute of the page")

    @staticmethod
    def show(one, state):
        """Makes the page hidden or visible, as its tab's state is to its scripts."""
        one.page.evaluate("""state => {
            Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""", state)

    def test_next_start(self):
        """with next-start, a release is used by the next page and not by the present one"""
        one = self.visitor()
        color = self.visit(one, "&apply=next-start")
        expect(color).to_have_text("red")
        self.put("blue")
        self.assertTrue(one.page.evaluate("config.refresh()"))
        self.assertEqual(one.page.evaluate("config.get('color', '')"), "red")
        expect(self.visit(one, "&apply=next-start")).to_have_text("blue")

    def test_pinned_major(self):
        """a page made for a major has a value that later majors removed"""
        self.instance.release("development", {"color": None})
        one = self.visitor()
        expect(self.visit(one, version=self.major)).to_have_text("red")
        expect(self.visit(one, version=self.major + 1)).to_have_text("default")

    def test_react_hook(self):
        """a component with the documentation's hook shows a value and its changes"""
        one = self.visitor()
        color = self.visit(one, path="/react")
        expect(color).to_have_text("red")
        self.put("blue")
        expect(color).to_have_text("blue")

    def test_files(self):
        """the files have their headers, the listed integrity, and config.js its size limit"""
        latest = self.instance.must("GET", "/sdk/latest.json")
        self.assertEqual(latest.json()["version"], VERSION)
        self.assertNotIn("immutable", latest.headers["Cache-Control"])
        for name, facts in latest.json()["files"].items():
            answer = self.instance.must("GET", f"/sdk/{VERSION}/{name}")
            self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "*")
            self.assertIn("immutable", answer.headers["Cache-Control"])
            self.assertEqual(answer.headers.get_content_type(), "text/javascript")
            digest = base64.b64encode(hashlib.sha384(answer.body).digest()).decode()
            self.assertEqual(facts, {"integrity": f"sha384-{digest}", "bytes": len(answer.body)})
        compressed = self.instance.must("GET", f"/sdk/{VERSION}/config.js", headers={"Accept-Encoding": "br"})
        self.assertEqual(compressed.headers["Content-Encoding"], "br")
        print(f"  bytes: {len(compressed.body)} of config.js")
        self.assertLessEqual(len(compressed.body), BROTLI)
        self.assertEqual(self.instance.call("GET", f"/sdk/{VERSION}/none.js").status, 404)

    def test_npm_package(self):
        """npm installs the package from the instance, and Node reads a value"""
        program = f"""
            import {{ createConfig }} from "almanac/config";
            import {{ AlmanacProvider }} from "almanac/flags";
            const config = createConfig({{ url: "{self.instance.url}", environment: "development",
                version: "{self.major}" }});
            await config.ready;
            console.log(config.get("color", config.status.error), config.status.storage, typeof AlmanacProvider);
            config.close();"""
        authority = os.path.join(self.instance.home, "tls", "ca.pem")
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "NODE_EXTRA_CA_CERTS": authority, "npm_config_cafile": authority,
                           "npm_config_cache": f"{folder}/cache", "npm_config_update_notifier": "false"}
            subprocess.run(["npm", "install", "--no-audit", "--no-fund",
                            f"{self.instance.url}/sdk/almanac-{VERSION}.tgz"],
                           check=True, timeout=60, cwd=folder, env=environment, capture_output=True)
            outcome = subprocess.run(["node", "--input-type=module", "--eval", program], check=False, timeout=60,
                                     cwd=folder, env=environment, capture_output=True, text=True)
        self.assertEqual((outcome.stdout, outcome.stderr), ("red none function\n", ""))


if __name__ == "__main__":
    unittest.main()
