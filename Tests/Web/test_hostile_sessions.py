"""Tests of hostile requests against sessions, through nginx and at the hosts that browsers use."""

import base64
import hashlib
import os
import re
import unittest
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from support.attacks import AT_THE_ROUTER, ATTACKS, COOKIE, FOREIGN, JSON, MARK, NAME, OWN, TOKEN
from support.case import BrowserCase
from support.instance import CHECKOUT
from support.marigold import token_of
from support.raw import Raw

# A value in a config that only signed-in users may read; no response to an attack may contain it.
SECRET = "f2c1-canary-of-live"
PAGE = (OWN, MARK, JSON)


class Victim(NamedTuple):
    """A signed-in user, and the facts that an attacker may know about the session."""

    cookie: str
    id: str
    token: str
    user: str

    @property
    def value(self):
        return self.cookie.partition("=")[2]

    def fill(self, text):
        """Fills the placeholders in an attack's text."""
        secret = base64.urlsafe_b64decode(self.value + "=")
        digest = base64.urlsafe_b64encode(hashlib.sha256(secret).digest()).decode().rstrip("=")
        for word, meaning in (("cookie", self.cookie), ("value", self.value), ("short", self.value[:-1]),
                              ("rest", self.value[1:]), ("digest", digest), ("id", self.id), ("token", self.token),
                              ("user", self.user)):
            text = text.replace(f"@{word}@", meaning)
        return text


class HostileSessionTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.raw = Raw(self.instance)
        self.instance.begin("live", {"canary": SECRET})
        self.token = token_of(self.instance, "live", "victim", "admin")

    def test_nobody_gets_in(self):
        """each hostile request is refused, discloses nothing, and changes nothing"""
        victim = self.sign_in(self.instance.almanac("token", "user", "live", "--sub", "alice").strip())
        before = self.state()
        for attack in ATTACKS:
            with self.subTest(attack.name):
                answer = self.raw.send(
                    attack.method, victim.fill(attack.target),
                    [(name, victim.fill(value)) for name, value in attack.headers], victim.fill(attack.body),
                    host=attack.host, server_name=attack.server_name)
                self.assertEqual(answer.status, attack.status, answer.body[:300])
                if attack.problem:
                    self.assertEqual(answer.json()["type"].rpartition(":")[2], attack.problem)
                self.assert_nothing_given(answer, victim)
                # Compare with the state after the previous attack, so that its change is not blamed on this one.
                before, expected = self.state(), before
                self.assertEqual(before, expected)
                self.assertEqual(self.ask("GET", "/live/session", victim.cookie).json()["session"]["id"], victim.id)
        print(f"  {len(ATTACKS)} hostile requests")

    def test_lists_agree(self):
        """every attack in the router's own tests is also sent through nginx, and names of attacks are unique"""
        path = os.path.join(CHECKOUT, "Tests", "Domains", "IdentityTests", "SessionAttackTests.swift")
        with open(path, encoding="utf-8") as file:
            theirs = re.findall(r'Attack\(\s*"([^"]+)"', file.read())
        self.assertGreaterEqual(len(theirs), 40)
        self.assertEqual([attack.name for attack in AT_THE_ROUTER], theirs)
        self.assertEqual(len({attack.name for attack in ATTACKS}), len(ATTACKS))

    def test_cookie_set_before_is_not_taken_over(self):
        """a cookie that an attacker set before a sign-in is useless after it"""
        chosen = f"{NAME}={'B' * 43}"
        answer = self.ask("POST", "/live/session", chosen, f'{{"token":"{self.token}"}}')
        self.assertEqual(answer.status, 201)
        cookie = cookie_of(answer)
        self.assertNotEqual(cookie, chosen)
        self.assertEqual(self.ask("GET", "/live/session", chosen).status, 401)
        self.assertEqual(self.ask("GET", "/live/session", cookie).status, 200)
        # The sign-in also ends a session of the attacker's that the browser had.
        own = self.sign_in().cookie
        self.assertEqual(self.ask("POST", "/live/session", own, f'{{"token":"{self.token}"}}').status, 201)
        self.assertEqual(self.ask("GET", "/live/session", own).status, 401)

    def test_ended_session_is_worth_nothing(self):
        """a session that was revoked, signed out, or made from a revoked token grants no access"""
        for end in (
            lambda victim: self.instance.must("DELETE", f"/live/sessions/{victim.id}", token="live"),
            lambda victim: self.ask("DELETE", "/live/session", victim.cookie),
            lambda victim: self.instance.almanac("token", "revoke", "live", self.id_of_token(victim)),
        ):
            token_of.cache_clear()
            self.token = token_of(self.instance, "live", "victim", "admin")
            victim = self.sign_in()
            self.assertEqual(self.ask("GET", "/live/config", victim.cookie).status, 200)
            end(victim)
            self.await_end(victim)
            before = self.state()
            for method, path, body in (
                ("GET", "/live/config", ""), ("GET", "/live/events", ""), ("GET", "/live/tokens", ""),
                ("POST", "/live/tokens", TOKEN), ("PATCH", "/live/config", '{"canary":"changed"}'),
                ("GET", "/live/session", ""), ("GET", "/live/sessions", ""),
            ):
                answer = self.ask(method, path, victim.cookie, body)
                self.assertEqual(answer.status, 401, f"{method} {path}")
                self.assert_nothing_given(answer, victim)
            self.assertEqual(self.state(), before)
        token_of.cache_clear()

    def test_link_opens_once_where_it_was_made_for(self):
        """a link's code opens one session, in its environment and application, with its token's scopes"""
        code = self.code("live", self.token)
        for path, host in (("/staging/session", "console.localhost"), ("/live/session", "notes.localhost")):
            self.assertEqual(self.ask("POST", path, None, code, host=host).status, 403, f"{host}{path}")
        self.assertEqual(self.ask("POST", "/live/session", None, code).status, 201)
        self.assertEqual(self.ask("POST", "/live/session", None, code).status, 403)
        reader = token_of(self.instance, "live", "reader", "config:read")
        cookie = cookie_of(self.ask("POST", "/live/session", None, self.code("live", reader)))
        self.assertEqual(self.ask("GET", "/live/config", cookie).status, 200)
        before = self.state()
        for method, path, body in (
            ("PATCH", "/live/config", '{"canary":"changed"}'), ("POST", "/live/tokens", TOKEN),
            ("GET", "/live/tokens", ""), ("GET", "/live/audit", ""), ("POST", "/live/session/link", "{}"),
            ("DELETE", f"/live/sessions/{self.sign_in().id}", ""),
        ):
            self.assertIn(self.ask(method, path, cookie, body).status, (401, 403, 404), f"{method} {path}")
        self.assertEqual(self.state()["revision"], before["revision"])
        self.assertEqual(self.state()["tokens"], before["tokens"])

    def test_link_ends_no_session_unasked(self):
        """the code of an attacker's link does not end another user's session, and stays valid after the attempt"""
        victim = self.sign_in()
        code = self.code("live", token_of(self.instance, "live", "reader", "config:read"))
        for body in (code, code.replace("}", ',"replaces":false}')):
            answer = self.ask("POST", "/live/session", victim.cookie, body)
            self.assertEqual(answer.status, 409, answer.body)
            told = answer.json()
            self.assertEqual(told["type"], "urn:almanac:problem:session-would-end")
            self.assertEqual((told["signed_in"]["name"], told["would_be"]["name"]), ("victim", "reader"))
            self.assert_nothing_given(answer, victim)
        self.assertEqual(self.ask("GET", "/live/session", victim.cookie).json()["session"]["id"], victim.id)
        agreed = self.ask("POST", "/live/session", victim.cookie, code.replace("}", ',"replaces":true}'))
        self.assertEqual(agreed.status, 201, agreed.body)
        self.await_end(victim)

    def test_callback_counts_once(self):
        """a sign-in at the provider can finish once, in the browser and with the state that it started with"""
        mine, theirs = self.begin_sign_in(), self.begin_sign_in()
        expired = "/#/people/sign-in?problem=sign-in-expired"
        for cookie, state in ((mine[0], theirs[1]), (theirs[0], mine[1]), (None, mine[1]), (mine[0], ""),
                              (mine[0], mine[0].partition("=")[2]), (f"{mine[0]}; {mine[0]}", mine[1])):
            self.assertEqual(self.come_back(cookie, state), expired)
        # The provider rejects the code, and the state cannot be used again.
        self.assertEqual(self.come_back(*mine), "/#/people/sign-in?problem=sign-in-refused")
        self.assertEqual(self.come_back(*mine), expired)

    def test_answers_are_not_shared(self):
        """nginx does not cache for the public any response to a signed-in user"""
        victim = self.sign_in()
        cursor = self.ask("GET", "/live/config", victim.cookie).headers["Almanac-Cursor"]
        path = f"/live/config?since=0&revision={cursor}"
        self.assertIn(SECRET, self.ask("GET", path, victim.cookie).body.decode())
        for headers in ((), (FOREIGN, ("Cookie", victim.cookie)), (OWN,)):
            answer = self.raw.send("GET", path, headers)
            self.assertEqual(answer.status, 401)
            self.assert_nothing_given(answer, victim)

    def ask(self, method, path, cookie, body="", host="console.localhost"):
        """Sends a request like the console's page."""
        headers = [*PAGE, ("Cookie", cookie)] if cookie else PAGE
        return self.raw.send(method, path, headers, body, host=host)

    def sign_in(self, user=""):
        answer = self.ask("POST", "/live/session", None, f'{{"token":"{self.token}"}}')
        self.assertEqual(answer.status, 201, answer.body)
        return Victim(cookie_of(answer), answer.json()["session"]["id"], self.token, user)

    def code(self, environment, token):
        made = self.instance.must("POST", f"/{environment}/session/link", {}, token=token).json()
        return f'{{"code":"{made["code"]}"}}'

    def begin_sign_in(self):
        """Starts a sign-in; returns its cookie and its state."""
        answer = self.raw.send("GET", "/people/session/login", [OWN])
        self.assertEqual(answer.status, 303)
        return cookie_of(answer), parse_qs(urlsplit(answer.headers["Location"]).query)["state"][0]

    def come_back(self, cookie, state):
        headers = [("Cookie", cookie)] if cookie else []
        answer = self.raw.send("GET", f"/people/session/callback?code=made-up&state={state}", headers)
        self.assertFalse([line for line in answer.headers.get_all("Set-Cookie", []) if ".login" not in line])
        return answer.headers["Location"]

    def id_of_token(self, victim):
        return self.ask("GET", "/live/session", victim.cookie).json()["token_id"]

    def await_end(self, victim):
        """Waits until the server refuses the session."""
        for _ in range(600):
            if self.ask("GET", "/live/session", victim.cookie).status == 401:
                return
        self.fail("the session goes on")

    def state(self):
        """Returns the state that an attack could have changed."""
        read = {name: self.instance.must("GET", f"/live/{name}", token="live") for name in ("sessions", "tokens")}
        config = self.instance.must("GET", "/live/config", token="live")
        return {
            "revision": config.headers["Almanac-Cursor"], "config": config.body,
            "sessions": sorted(one["id"] for one in read["sessions"].json()),
            "tokens": sorted((one["id"], one.get("revoked_at")) for one in read["tokens"].json()),
            "others": [self.instance.releases(name)[:1] for name in ("development", "staging")],
        }

    def assert_nothing_given(self, answer, victim):
        text = answer.body.decode(errors="replace") + str(answer.headers)
        for secret in (SECRET, victim.value, victim.token, victim.id, "PRIVATE KEY"):
            self.assertNotIn(secret, text)
        for line in answer.headers.get_all("Set-Cookie", []):
            self.assertIn("Max-Age=0", line)
        self.assertNotIn("Access-Control-Allow-Credentials", answer.headers)
        self.assertIn(answer.headers.get("Access-Control-Allow-Origin"), (None, ""))
        self.assertNotEqual(answer.status, 101)
        self.assertTrue((answer.headers.get("Location") or "/#/people/").startswith("/#/people/"))


def cookie_of(answer):
    """Returns the name and value of the cookie that a response sets."""
    return next(line.partition(";")[0] for line in answer.headers.get_all("Set-Cookie") if "Max-Age=0" not in line)


if __name__ == "__main__":
    unittest.main()
