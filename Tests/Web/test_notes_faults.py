"""Tests of failing servers and sessions while notes are written: no text is lost, and the state shows the problem."""

import json

from support.engine import EnginesCase
from support.notes import NotesUser

NOTES = "**/development/notes*"


class FaultsTests(EnginesCase):
    def answers(self, **answer):
        """Fulfils every request about notes with this response."""
        self.one.context.route(NOTES, lambda route: route.fulfill(**answer))

    def server_is_back(self):
        self.one.context.unroute(NOTES)

    def fails_and_recovers(self, phase, problem, **answer):
        """Writes while the server sends this response, waits for the reported state, restores the server, and syncs."""
        tab = self.first_tab()
        self.answers(**answer)
        note = tab.create("written meanwhile")
        state = tab.await_state(f"s.phase === '{phase}' && s.retryAt !== null")
        self.assertEqual((state["problem"], state["pending"]), (problem, 1))
        tab.write(note, "and changed")
        self.server_is_back()
        tab.sync()
        self.assertIsNone(tab.do("engine.state()")["problem"])
        self.assertEqual([each["body"] for each in self.user.notes().values()], ["and changed"])
        return state

    def test_error(self):
        """an internal error of the server: the notes wait, and are sent later"""
        self.one.checks.allow("status of 500")
        self.fails_and_recovers("waiting", "http-500", status=500, body="oops")

    def test_too_many(self):
        """a Retry-After of one hour is respected, unless the user syncs"""
        self.one.checks.allow("status of 429")
        before = self.first_time()
        state = self.fails_and_recovers(
            "waiting", "too-many-requests", status=429, headers={"Retry-After": "3600"},
            content_type="application/problem+json", body='{"type": "urn:almanac:problem:too-many-requests"}')
        self.assertGreater(state["retryAt"], before + 3_500_000)

    def test_garbage(self):
        """a response of meaningless bytes"""
        self.fails_and_recovers("failed", "unexpected-answer", status=200, body=bytes(range(256)))

    def test_page_instead(self):
        """a captive portal's page instead of a response"""
        self.fails_and_recovers("failed", "unexpected-answer", status=200, content_type="text/html",
                                body="<!doctype html><h1>Please sign in to the network</h1>")

    def test_other_document(self):
        """a JSON document that is no list of notes"""
        self.fails_and_recovers("failed", "unexpected-answer", status=200, content_type="application/json",
                                body='{"cursor": "1.abcd", "order": ["../x"], "details": {}}')

    def test_away(self):
        """an unreachable server"""
        tab = self.first_tab()
        self.one.checks.allow("net::ERR_FAILED")
        self.one.context.route(NOTES, lambda route: route.abort())
        tab.create("written meanwhile")
        tab.await_state("s.phase === 'offline' && s.pending === 1")
        self.server_is_back()
        tab.sync()

    def test_session_ends(self):
        """a session ends: notes stay readable and writable, and are sent after the sign-in"""
        self.one.checks.allow("status of 401")
        tab = self.first_tab()
        note = tab.create("before")
        tab.await_state("s.pending === 0")
        self.user.end_sessions()
        tab.write(note, "after the end")
        tab.await_state("s.phase === 'signInNeeded' && s.pending === 1 && s.retryAt === null")
        self.assertEqual(tab.do("engine.note(words[0])", note)["text"]["body"], "after the end")
        tab.create("another")
        self.assertEqual(tab.titles(), ["another", "before"])
        self.assertEqual(self.engines.sign_in(tab.page), 201)
        tab.sync()
        self.assertEqual(sorted(each["body"] for each in self.user.notes().values()), ["", "after the end"])

    def test_session_of_another_user(self):
        """another user signs in in another tab: the first user's notes are not sent to that account"""
        self.one.checks.allow("status of 401")
        tab = self.first_tab()
        mine, other = self.user, NotesUser(self.instance)
        self.engines.user = other
        self.signed_in()
        tab.create("of the first user")
        tab.await_state("s.phase === 'signInNeeded' && s.pending === 1")
        self.assertEqual(other.notes(), {})
        self.engines.user = mine
        self.engines.sign_in(tab.page)
        tab.sync()
        self.assertEqual([each["title"] for each in mine.notes().values()], ["of the first user"])

    def test_account_erased(self):
        """a server without the notes: the user is asked, and notes to keep are sent again"""
        tab = self.first_tab()
        for number in range(5):
            tab.create(f"note {number}")
        tab.sync()
        self.one.checks.allow("status of 4(01|10)")
        self.user.must("DELETE", "/account")
        self.user.create("the first of a new account")
        self.engines.sign_in(tab.page)
        tab.do("engine.syncNow()")
        state = tab.await_state("s.phase === 'deciding'")
        self.assertEqual(state["decision"], {"missing": 5, "total": 5})
        self.assertEqual(len(tab.titles()), 5)
        tab.create("written while nothing is decided")
        other = self.engines.opened()
        other.await_state("s.phase === 'deciding' && s.decision.missing === 5")
        other.do("engine.decide('keep')")
        tab.await_state("s.phase === 'upToDate' && s.pending === 0")
        self.assertEqual(len(self.user.notes()), 7)

    def test_older_page(self):
        """a stale response with all notes does not revert a later edit whose outcome has arrived"""
        tab = self.first_tab()
        # Two stale responses: the one of an account without notes, and after the edit the one with the first text.
        pages = [self.page_of_all()]

        def answer(route):
            if route.request.method == "GET":
                route.fulfill(content_type="application/json", body=pages[0])
                return
            if len(pages) > 1:
                pages.pop(0)
            route.continue_()

        self.one.context.route(NOTES, answer)
        note = tab.create("Saturday", "milk")
        tab.await_state("s.phase === 'upToDate' && s.pending === 0")
        pages.append(self.page_of_all())
        tab.write(note, "oat milk")
        tab.await_state("s.phase === 'upToDate' && s.pending === 0")
        self.assertEqual(len(pages), 1)
        self.assertEqual(tab.do("engine.note(words[0])", note)["text"]["body"], "oat milk")
        self.server_is_back()
        tab.sync()
        self.assertEqual(tab.do("engine.note(words[0])", note)["text"]["body"], "oat milk")

    def test_refused_change(self):
        """a refused note needs attention, keeps its text, and stops no other note"""
        self.one.checks.allow("status of 413")
        tab = self.first_tab()
        long = tab.do("engine.create({ title: 'long', body: 'word '.repeat(1 << 20) })")["id"]
        tab.create("short")
        state = tab.await_state("s.phase === 'upToDate' && s.attention === 1 && s.pending === 1")
        self.assertIsNone(state["problem"])
        [summary] = tab.do("engine.summaries(words)", long)
        self.assertEqual(summary["status"], "needsAttention")
        self.assertEqual([each["title"] for each in self.user.notes().values()], ["short"])
        tab.do("engine.discardChange(words[0])", long)
        tab.await_state("s.attention === 0 && s.pending === 0")

    def page_of_all(self):
        """Returns the server's present response to a request for all notes."""
        return json.dumps(self.user.must("GET", "/notes"))

    def first_time(self):
        """Returns the browser's time, in milliseconds."""
        return self.one.page.evaluate("Date.now()")
