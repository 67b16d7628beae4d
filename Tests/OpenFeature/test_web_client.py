"""Tests with the recorded requests of OpenFeature's OFREP provider for browsers, in their original order."""

import http.client
import json
import ssl
import time
from urllib.parse import quote, urlsplit

from case import TOKEN_ONLY, RESPONSE_TIMEOUT, PUBLIC, FlagCase

# A page on another site. The browser adds these headers, and the provider sends the others.
ORIGIN = "https://app.example.com"
BROWSER = {"Accept": "*/*", "Accept-Encoding": "gzip, deflate, br", "Origin": ORIGIN, "Sec-Fetch-Mode": "cors",
           "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty"}
PROVIDER = {"Content-Type": "application/json; charset=utf-8"}
BULK = "ofrep/v1/evaluate/flags"


class WebClientTests(FlagCase):
    def fetch(self, context, etag=None, query="", environment=PUBLIC, headers=None, path=BULK):
        """Sends the provider's bulk evaluation. Without a context, the request body has no such member."""
        sent = {**BROWSER, "Accept-Encoding": "identity", **PROVIDER, **(headers or {})}
        if etag:
            sent["If-None-Match"] = etag
        body = {} if context is None else {"context": context}
        return self.send("POST", f"/{environment}/{path}{query}", body, sent)

    def key(self, environment=TOKEN_ONLY):
        return {"X-API-Key": self.token(environment, "flags:evaluate")}

    def test_first_fetch(self):
        """the first evaluation has all that is visible, in the form that the provider takes"""
        answer = self.fetch({"targetingKey": "u1", "plan": "pro"}, environment=TOKEN_ONLY, headers=self.key())
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.headers["Content-Type"].startswith("application/json"))
        self.assertTrue(answer.headers["ETag"])
        flags = answer.flags()
        self.assertEqual(sorted(flags), sorted(self.document()["flags"]))
        for flag in flags.values():
            if "errorCode" in flag:
                # isEvaluationFailureResponse
                self.assertEqual(sorted(flag), ["errorCode", "errorDetails", "key"])
                continue
            self.assertIsInstance(flag["variant"], str)
            self.assertIn(flag["reason"], ("STATIC", "DEFAULT", "TARGETING_MATCH", "DISABLED"))
            self.assertIsInstance(flag["metadata"], dict)
            self.assertIsNotNone(flag.get("value", "left out"))
        self.assertEqual(flags["reasons.targeted"]["value"], True)
        self.assertNotIn("value", flags["reasons.disabled"])
        self.assertEqual(flags["errors.no-such-rule"]["errorCode"], "PARSE_ERROR")
        self.assertNotIn(b"almanac.", answer.body)

    def test_anybody_sees_public_flags(self):
        """a page without a token sees the flags that say so, and nothing of others"""
        answer = self.fetch({"targetingKey": "u1"})
        self.assertEqual(sorted(answer.flags()), ["people.open", "people.open-object"])
        self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "*")
        refused = self.fetch({"targetingKey": "u1"}, environment=TOKEN_ONLY)
        self.assertEqual(refused.status, 401)
        self.assertTrue(refused.json()["errorDetails"])

    def test_poll(self):
        """a poll that has the newest is answered 304 without a body, and one after a change is not"""
        context, headers = {"targetingKey": "u1", "plan": "pro"}, self.key()
        first = self.fetch(context, environment=TOKEN_ONLY, headers=headers)
        for _ in range(3):
            again = self.fetch(context, first.headers["ETag"], environment=TOKEN_ONLY, headers=headers)
            self.assertEqual((again.status, again.body), (304, b""))
            self.assertEqual(again.headers["ETag"], first.headers["ETag"])
        self.change(TOKEN_ONLY, "types.switch", defaultVariant="off")
        changed = self.fetch(context, first.headers["ETag"], environment=TOKEN_ONLY, headers=headers)
        self.assertEqual(changed.status, 200)
        self.assertIs(changed.flags()["types.switch"]["value"], False)
        self.assertNotEqual(changed.headers["ETag"], first.headers["ETag"])

    def test_changed_context(self):
        """the provider keeps its ETag when anything but the targeting key changes: never a 304 for that"""
        headers = self.key()
        contexts = [
            {"targetingKey": "u1"}, {"targetingKey": "u1", "plan": "free"}, {"targetingKey": "u1", "plan": "pro"},
            {"targetingKey": "u1", "plan": "pro", "email": "a@example.com"}, {"targetingKey": "u2", "plan": "pro"},
            {"targetingKey": "u1", "plan": ["pro"]}, {"plan": "pro"}, {}, None,
        ]
        answers = [self.fetch(context, environment=TOKEN_ONLY, headers=headers) for context in contexts]
        for index, context in enumerate(contexts):
            for other, answer in enumerate(answers):
                found = self.fetch(context, answer.headers["ETag"], environment=TOKEN_ONLY, headers=headers)
                if index == other:
                    self.assertEqual(found.status, 304, context)
                # A missing context equals an empty one.
                elif {index, other} != {len(contexts) - 1, len(contexts) - 2}:
                    self.assertEqual(found.status, 200, f"{context} with the ETag of {contexts[other]}")
                    self.assertEqual(found.flags(), answers[index].flags())

    def test_changed_visibility(self):
        """an ETag of somebody who sees more, or of another environment, is none for somebody else"""
        context = {"targetingKey": "u1"}
        whole = self.fetch(context, headers=self.key(PUBLIC))
        part = self.fetch(context)
        self.assertGreater(len(whole.flags()), len(part.flags()))
        self.assertEqual(self.fetch(context, whole.headers["ETag"]).status, 200)
        self.assertEqual(self.fetch(context, part.headers["ETag"], headers=self.key(PUBLIC)).status, 200)
        self.assertEqual(
            self.fetch(context, whole.headers["ETag"], environment=TOKEN_ONLY, headers=self.key()).status, 200)

    def test_time_changes_the_answer(self):
        """what a rule makes of the time is never hidden behind a 304"""
        document = self.document()
        document["flags"] = {"clock": {"state": "ENABLED", "variants": {"a": "a"}, "defaultVariant": "a", "targeting": {
            "fractional": [{"cat": [{"var": "$flagd.timestamp"}]}, ["a", 50], [None, 50]]}}}
        self.put_flags(TOKEN_ONLY, document)
        seen, headers = {}, self.key()
        # While the time yields the same value, the ETag stays the same, and vice versa.
        end = time.monotonic() + 60
        while time.monotonic() < end:
            answer = self.fetch({}, environment=TOKEN_ONLY, headers=headers)
            seen.setdefault(json.dumps(answer.flags()), set()).add(answer.headers["ETag"])
            if len(seen) == 2:
                break
        self.assertEqual([len(etags) for etags in seen.values()], [1, 1])
        self.assertFalse(set.intersection(*seen.values()))

    def test_event(self):
        """an event of the stream names what to ask for; the provider asks with that and its old ETag, and gets it"""
        for environment, headers in ((PUBLIC, {}), (TOKEN_ONLY, self.key())):
            with self.subTest(environment):
                self.follow_one_event(environment, headers)

    def follow_one_event(self, environment, headers):
        context = {"targetingKey": "u1"}
        first = self.fetch(context, environment=environment, headers=headers)
        [stream] = first.json()["eventStreams"]
        self.assertEqual(stream["type"], "sse")
        self.assertNotIn("origin", stream["endpoint"])
        # An EventSource sends none of the page's headers.
        connection = http.client.HTTPSConnection(
            "localhost", self.instance.port, timeout=RESPONSE_TIMEOUT,
            context=ssl.create_default_context(cafile=f"{self.instance.home}/tls/ca.pem"))
        self.addCleanup(connection.close)
        connection.request("GET", stream["endpoint"]["requestUri"],
                           headers={"Accept": "text/event-stream", "Origin": ORIGIN})
        response = connection.getresponse()
        self.assertEqual(response.status, 200)
        # In the other environment, only its own origins may read.
        self.assertEqual(response.headers["Access-Control-Allow-Origin"], "*" if environment == PUBLIC else None)
        # The stream has begun, so it will report the following releases.
        response.readline()
        released = self.change(environment, "people.open", defaultVariant="off").headers["Almanac-Cursor"]
        # An event of an earlier release may still arrive.
        etag = self.next_refetch(response)
        while etag.strip('"') != released:
            etag = self.next_refetch(response)
        again = self.fetch(context, first.headers["ETag"], f"?flagConfigEtag={quote(etag)}", environment, headers)
        self.assertEqual(again.status, 200)
        self.assertIs(again.flags()["people.open"]["value"], False)
        # The provider now has the newest evaluation.
        newest = self.fetch(context, again.headers["ETag"], f"?flagConfigEtag={quote(etag)}", environment, headers)
        self.assertEqual(newest.status, 304)
        self.change(environment, "people.open", defaultVariant="on")

    def next_refetch(self, response):
        for line in response:
            if line.startswith(b"data:") and b"refetchEvaluation" in line:
                data = json.loads(line[5:])
                self.assertEqual(data["type"], "refetchEvaluation")
                return data["etag"]
        return self.fail("the stream ended without an event")

    def test_event_of_the_future(self):
        """an ETag of an event that no worker has heard of is waited for, and then refused for now"""
        answer = self.fetch({}, query="?flagConfigEtag=999999999", environment=TOKEN_ONLY, headers=self.key())
        self.assertEqual(answer.status, 503)
        self.assertRegex(answer.headers["Retry-After"], r"^\d+$")
        self.assertTrue(answer.json()["errorDetails"])

    def test_ticket_is_no_token(self):
        """a ticket of the stream opens the stream, and nothing else"""
        [stream] = self.fetch({}, environment=TOKEN_ONLY, headers=self.key()).json()["eventStreams"]
        ticket = urlsplit(stream["endpoint"]["requestUri"]).query
        self.assertRegex(ticket, "ticket=.{20}")
        for method, path in (("GET", "config"), ("POST", BULK), ("GET", "flags.json"), ("GET", "releases")):
            answer = self.send(method, f"/{TOKEN_ONLY}/{path}?{ticket}", None if method == "GET" else {}, PROVIDER)
            self.assertIn(answer.status, (400, 401), path)
        value = ticket.partition("ticket=")[2].partition("&")[0]
        for headers in ({"Authorization": f"Bearer {value}"}, {"X-API-Key": value}):
            self.assertEqual(self.fetch({}, environment=TOKEN_ONLY, headers=headers).status, 401)
        for other in (f"/{TOKEN_ONLY}/events?ticket={value[:-2]}AA", f"/{TOKEN_ONLY}/events?ticket=",
                      f"/{TOKEN_ONLY}/events", f"/{TOKEN_ONLY}/notes?{ticket}"):
            answer = self.send("GET", other, headers={"Accept": "text/event-stream"})
            self.assertIn(answer.status, (400, 401, 403), other)

    def test_preflight(self):
        """a browser may send what the provider sends, and read what it reads"""
        for path in (BULK, f"{BULK}/people.open"):
            answer = self.send("OPTIONS", f"/{PUBLIC}/{path}", headers={
                **BROWSER, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization,content-type,if-none-match,x-api-key"})
            self.assertEqual(answer.status, 204)
            self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "*")
            self.assertIn("POST", answer.headers["Access-Control-Allow-Methods"])
            allowed = {word.strip().lower() for word in answer.headers["Access-Control-Allow-Headers"].split(",")}
            self.assertLessEqual({"authorization", "content-type", "if-none-match", "x-api-key"}, allowed)
            exposed = self.fetch({}, path=path).headers["Access-Control-Expose-Headers"]
            self.assertLessEqual({"etag", "retry-after"}, {word.strip().lower() for word in exposed.split(",")})

    def test_addresses(self):
        """with a slash at the end, and at the root of a host that names its environment"""
        expected = self.fetch({}).flags()
        for path, host in ((f"/{PUBLIC}/{BULK}/", "localhost"), (f"/{BULK}", f"{PUBLIC}.localhost"),
                           (f"/{BULK}/", f"{PUBLIC}.localhost")):
            answer = self.send("POST", path, {}, PROVIDER, host=host)
            self.assertEqual(answer.status, 200, path)
            self.assertEqual(answer.flags(), expected)
        # The path belongs to the host of the request, because the stream is opened there.
        [stream] = answer.json()["eventStreams"]
        self.assertTrue(stream["endpoint"]["requestUri"].startswith("/events"))

    def test_bodies(self):
        """what isn't a context is refused in OFREP's words; an empty body is nobody in particular"""
        for body in (b"", b"{}", b'{"context":{}}', b'{"context":{"targetingKey":""}}', b" {} \n"):
            answer = self.send("POST", f"/{PUBLIC}/{BULK}", body, PROVIDER)
            self.assertEqual(answer.status, 200, body)
        for body, code in ((b"{", "PARSE_ERROR"), (b"nonsense", "PARSE_ERROR"), (b'{"context":1}', "INVALID_CONTEXT"),
                           (b'{"context":[]}', "INVALID_CONTEXT"), (b"[]", "PARSE_ERROR INVALID_CONTEXT"),
                           (b'{"context":"u1"}', "INVALID_CONTEXT"), (b"null", "PARSE_ERROR INVALID_CONTEXT")):
            for path, key in ((BULK, None), (f"{BULK}/people.open", "people.open")):
                answer = self.send("POST", f"/{PUBLIC}/{path}", body, PROVIDER)
                self.assertEqual(answer.status, 400, body)
                found = answer.json()
                self.assertIn(found["errorCode"], code.split(), body)
                self.assertTrue(found["errorDetails"])
                self.assertEqual(found.get("key"), key)

    def test_missing_flag(self):
        """a single evaluation of a flag that isn't there says so with its key"""
        answer = self.fetch({}, path=f"{BULK}/nothing-of-the-kind")
        self.assertEqual(answer.status, 404)
        found = answer.json()
        self.assertEqual((found["key"], found["errorCode"]), ("nothing-of-the-kind", "FLAG_NOT_FOUND"))
        self.assertTrue(found["errorDetails"])
        # A hidden flag must yield the same response, except for its key and the request's id.
        hidden = self.fetch({}, path=f"{BULK}/reasons.targeted")
        expected = answer.body.replace(b"nothing-of-the-kind", b"reasons.targeted")
        expected = expected.replace(found["instance"].encode(), hidden.json()["instance"].encode())
        self.assertEqual(hidden.body, expected)
