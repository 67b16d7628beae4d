"""Tests of OpenFeature's SDK for Python with its OFREP provider, both as published."""

import math
import os
import re

from case import TOKEN_ONLY, PUBLIC, FlagCase
from flagset import FLAGS
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode
from openfeature.flag_evaluation import Reason

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../deploy/operating/flags-from-your-language.md")


class PythonClientTests(FlagCase):
    def client(self, environment=TOKEN_ONLY, headers=None, base=None):
        """Returns a client whose provider sends these headers. By default they have a token that may only evaluate."""
        if headers is None:
            headers = {"Authorization": f"Bearer {self.token(environment, 'flags:evaluate')}"}
        provider = OFREPProvider(base or f"{self.instance.url}/{environment}", headers_factory=lambda: headers)
        api.set_provider(provider, self.id())
        self.addCleanup(api.shutdown)
        return api.get_client(self.id())

    def check(self, details, value, variant, reason, error=None):
        self.assertIsNone(details.error_message if error is None else None)
        self.assertEqual((details.variant, details.reason, details.error_code), (variant, reason, error))
        self.assertEqual(details.value, value)
        self.assertIs(type(details.value), type(value))

    def test_documented_example(self):
        """the documentation's example evaluates a flag of the major that it pins"""
        with open(PAGE, encoding="utf-8") as opened:
            example = re.search("```python\n(.*?)```", opened.read(), re.DOTALL).group(1)
        majors = self.instance.must("GET", f"/{TOKEN_ONLY}/majors", token=TOKEN_ONLY).json()
        current = next(major["major"] for major in majors if major["current"])
        flag = "reasons.targeted"
        for written, real in (("https://almanac.example.com/production", f"{self.instance.url}/{TOKEN_ONLY}"),
                              ("TOKEN", self.token(TOKEN_ONLY, "flags:evaluate")),
                              ('"Almanac-Major": "2"', f'"Almanac-Major": "{current}"'), ("new-checkout", flag)):
            self.assertIn(written, example)
            example = example.replace(written, real)
        self.addCleanup(api.shutdown)
        names = {}
        exec(example, names)
        self.assertIs(names["enabled"], True)

    def test_types(self):
        """each type comes through the accessor of its type"""
        client = self.client()
        self.check(client.get_boolean_details("types.switch", False), True, "on", Reason.STATIC)
        self.check(client.get_string_details("types.text", ""), "Grüße 👋", "de", Reason.STATIC)
        self.check(client.get_object_details("types.object", {}), FLAGS["types.object"]["variants"]["red"], "red",
                   Reason.STATIC)

    def test_numbers(self):
        """whole numbers come through the accessor of integers, digits kept, and others through that of floats"""
        client, few = self.client(), EvaluationContext("u1", {"few": True, "half": True})
        self.check(client.get_integer_details("types.whole", 0), 9007199254740993, "many", Reason.DEFAULT)
        self.check(client.get_integer_details("types.whole", 0, few), 3, "few", Reason.TARGETING_MATCH)
        # Another variant has a fraction, so this one is also written with a fraction.
        self.check(client.get_float_details("types.fraction", 0.0), 1.0, "one", Reason.DEFAULT)
        self.check(client.get_float_details("types.fraction", 0.0, few), 0.5, "half", Reason.TARGETING_MATCH)
        # The client itself refuses these.
        for details, default in ((client.get_float_details("types.whole", 0.25), 0.25),
                                 (client.get_integer_details("types.fraction", 4), 4),
                                 (client.get_string_details("types.whole", "x"), "x")):
            self.assertEqual((details.value, details.error_code), (default, ErrorCode.TYPE_MISMATCH))

    def test_reasons(self):
        """each reason arrives as itself"""
        client, pro = self.client(), EvaluationContext("u1", {"plan": "pro"})
        for flag, context, value, variant, reason in (
            ("types.switch", None, True, "on", Reason.STATIC),
            ("reasons.targeted", pro, True, "on", Reason.TARGETING_MATCH),
            ("reasons.targeted", None, False, "off", Reason.DEFAULT),
            ("reasons.nothing-picked", None, False, "off", Reason.DEFAULT),
            ("reasons.split", pro, True, "on", Reason.TARGETING_MATCH),
            ("shared.staff", EvaluationContext("u1", {"email": "a@example.com"}), True, "on", Reason.TARGETING_MATCH),
        ):
            with self.subTest(flag, reason=reason):
                self.check(client.get_boolean_details(flag, not value, context), value, variant, reason)

    def test_caller_default(self):
        """a flag that has no value for somebody gives the caller's own, and is no error"""
        client = self.client()
        for default in (True, False):
            for flag, reason in (("reasons.code-default", Reason.DEFAULT), ("reasons.disabled", Reason.DISABLED),
                                 ("reasons.code-default-by-rule", Reason.DEFAULT)):
                with self.subTest(flag):
                    self.check(client.get_boolean_details(flag, default), default, "", reason)

    def test_errors(self):
        """a flag that is missing or broken gives the caller's default with its code, and breaks no other"""
        client, beta = self.client(), EvaluationContext("u1", {"beta": True})
        for flag, context, code in (
            ("nothing-of-the-kind", None, ErrorCode.FLAG_NOT_FOUND),
            ("errors.unknown-operator", None, ErrorCode.PARSE_ERROR),
            ("errors.no-such-rule", None, ErrorCode.PARSE_ERROR),
            ("errors.no-variant", beta, ErrorCode.GENERAL),
        ):
            with self.subTest(flag):
                details = client.get_boolean_details(flag, True, context)
                self.assertEqual((details.value, details.reason, details.error_code), (True, Reason.ERROR, code))
                self.assertTrue(details.error_message)
        self.check(client.get_boolean_details("errors.no-variant", False), True, "on", Reason.TARGETING_MATCH)

    def test_keys(self):
        """a token is taken as a bearer token and as an API key, and what is none is refused"""
        token = self.token(TOKEN_ONLY, "flags:evaluate")
        for headers in ({"Authorization": f"Bearer {token}"}, {"X-API-Key": token},
                        {"Authorization": f"Bearer {token}", "X-API-Key": "another"}):
            details = self.client(headers=headers).get_boolean_details("types.switch", False)
            self.check(details, True, "on", Reason.STATIC)
        for headers in ({}, {"X-API-Key": "nonsense"}, {"Authorization": "Bearer nonsense"},
                        {"Authorization": "Bearer nonsense", "X-API-Key": token},
                        {"X-API-Key": self.token(PUBLIC, "flags:evaluate")}):
            details = self.client(headers=headers).get_boolean_details("types.switch", False)
            self.assertEqual((details.value, details.error_code), (False, ErrorCode.GENERAL))
            self.assertIn(details.error_message, ("unauthorized", "forbidden"))

    def test_anybody(self):
        """without a token only flags that say so are seen, and only where anybody may read"""
        client = self.client(PUBLIC, headers={})
        self.check(client.get_boolean_details("people.open", False), True, "on", Reason.STATIC)
        self.check(client.get_object_details("people.open-object", {}), {"n": 1}, "a", Reason.STATIC)
        for flag in ("types.switch", "errors.unknown-operator", "reasons.disabled", "nothing-of-the-kind"):
            details = client.get_boolean_details(flag, False)
            self.assertEqual((details.value, details.error_code), (False, ErrorCode.FLAG_NOT_FOUND), flag)
        details = self.client(TOKEN_ONLY, headers={}).get_boolean_details("people.open", False)
        self.assertEqual((details.value, details.error_code), (False, ErrorCode.GENERAL))

    def test_greater_scopes(self):
        """whoever may do more may evaluate, too"""
        for scope in ("admin", "config:write", "config:read", "config:write:types.switch"):
            headers = {"X-API-Key": self.token(TOKEN_ONLY, scope)}
            details = self.client(headers=headers).get_boolean_details("types.switch", False)
            self.check(details, True, "on", Reason.STATIC)

    def test_addresses(self):
        """the provider works with a slash at the end, and at the root of a host that names its environment"""
        headers = {"X-API-Key": self.token(TOKEN_ONLY, "flags:evaluate")}
        there = self.client(headers=headers, base=f"{self.instance.url}/{TOKEN_ONLY}/")
        self.check(there.get_boolean_details("types.switch", False), True, "on", Reason.STATIC)
        # Send a Host header, because some resolvers don't know the hosts under localhost.
        headers = {**headers, "Host": f"{TOKEN_ONLY}.localhost:{self.instance.port}"}
        there = self.client(headers=headers, base=self.instance.url)
        self.check(there.get_boolean_details("types.switch", False), True, "on", Reason.STATIC)

    def test_contexts(self):
        """attributes of any type are taken: texts of all scripts, numbers, lists, objects, and times as texts"""
        definition = {"if": [{"and": [
            {"==": [{"var": "name"}, "Åsa 🦊"]}, {"<": [{"var": "score"}, -0.5]}, {"in": ["b", {"var": "tags"}]},
            {"==": [{"var": "home.city"}, "Oslo"]}, {"!": {"var": "gone"}},
            {"almanac.date": [{"var": "since"}, "<", "2026-07-02T00:00:00Z"]},
        ]}, "on", "off"]}
        document = self.document()
        document["flags"] = {"all-of-it": {"state": "ENABLED", "variants": {"on": True, "off": False},
                                           "targeting": definition}}
        self.put_flags(TOKEN_ONLY, document)
        attributes = {"name": "Åsa 🦊", "score": -1e9, "tags": ["a", "b"], "home": {"city": "Oslo"}, "gone": None,
                      "since": "2026-07-01T23:59:59.999+00:00"}
        client = self.client()
        self.check(client.get_boolean_details("all-of-it", False, EvaluationContext("u1", attributes)), True, "on",
                   Reason.TARGETING_MATCH)
        for name, other in (("name", "Åsa"), ("score", 3), ("tags", "ac"), ("home", {}), ("gone", 1),
                            ("since", "2026-07-02T02:00:00+00:00")):
            details = client.get_boolean_details(
                "all-of-it", True, EvaluationContext("u1", {**attributes, name: other}))
            self.check(details, False, "off", Reason.TARGETING_MATCH)

    def test_numbers_beyond_json(self):
        """a context with what JSON can't say is refused, and the caller's default given"""
        details = self.client().get_boolean_details(
            "reasons.targeted", True, EvaluationContext("u1", {"score": math.inf}))
        self.assertEqual((details.value, details.reason), (True, Reason.ERROR))

    def test_metadata(self):
        """a flag's metadata is above the set's, and what is Almanac's own is not among it"""
        details = self.client().get_boolean_details("people.open", False)
        self.assertEqual(details.flag_metadata, {"owner": "web", "revision-of-set": 7})
        details = self.client().get_boolean_details("types.switch", False)
        self.assertEqual(details.flag_metadata, {"owner": "platform", "revision-of-set": 7})

    def test_kill_switch(self):
        """a flag that is switched off gives the caller's default at once, and is back when it is switched on"""
        client = self.client()
        for state, value, reason in (("DISABLED", False, Reason.DISABLED), ("ENABLED", True, Reason.STATIC)):
            self.change(TOKEN_ONLY, "types.switch", state=state)
            details = client.get_boolean_details("types.switch", False)
            self.assertEqual((details.value, details.reason), (value, reason))

    def test_pinned_major(self):
        """an app that is pinned to a major keeps a variant that was removed after it"""
        major = self.flags_of(TOKEN_ONLY).headers["Almanac-Version"].partition(".")[0]
        pinned = {"X-API-Key": self.token(TOKEN_ONLY, "flags:evaluate"), "Almanac-Major": major}
        self.change(TOKEN_ONLY, "types.text", defaultVariant="en", variants={"de": None})
        new = self.flags_of(TOKEN_ONLY).headers["Almanac-Version"].partition(".")[0]
        self.assertEqual(int(new), int(major) + 1)
        old = self.client(headers=pinned)
        self.check(old.get_string_details("types.text", ""), "Grüße 👋", "de", Reason.STATIC)
        self.check(self.client().get_string_details("types.text", ""), "Hello", "en", Reason.STATIC)
