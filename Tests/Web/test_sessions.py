"""Tests of ended sessions, of another user's session, and of a server that is down for a while."""

import re

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.gate import Gate


class SessionTests(BrowserCase):
    def test_session_revoked_in_the_middle_of_an_edit(self):
        """a session revoked during an edit asks for a sign-in, and the draft is saved afterwards"""
        self.instance.begin("development", {"edited.text": "before", "other": 1})
        gate = self.gate()
        one = self.operator("development", port=gate.port)
        console = Console(one, "development")
        console.edit_text("edited.text", "typed before the session ended")
        gate.hold_answers()
        self.end_sessions("development")
        one.checks.allow(r"status of 401")
        console.value_field().fill("typed when the session had ended")
        # The event stream or the next forecast reveals the end.
        gate.let_answers_go()
        dialog = one.page.get_by_role("dialog", name="Your session has ended")
        expect(dialog).to_contain_text("Your draft with 1 change is saved.")
        self.sign_in_again(one, dialog)
        expect(console.value_field()).to_have_value("typed when the session had ended")
        console.review()
        console.save("Written over two sessions")
        self.assertEqual(self.instance.config("development")["edited.text"], "typed when the session had ended")

    def test_session_expired_in_the_middle_of_an_edit(self):
        """a session that expires during an edit asks for a sign-in, and the draft is saved afterwards"""
        self.instance.begin("development", {"edited.text": "before", "other": 1})
        gate = self.gate()
        one = self.operator("development", port=gate.port)
        console = Console(one, "development")
        console.edit_text("edited.text", "typed before the time ran out")
        gate.hold_answers()
        self.instance.expire_sessions("development")
        one.checks.allow(r"status of 401")
        console.value_field().fill("typed when the time had run out")
        # The event stream or the next forecast reveals the end.
        gate.let_answers_go()
        dialog = one.page.get_by_role("dialog", name="Your session has ended")
        expect(dialog).to_contain_text("Your draft with 1 change is saved.")
        self.assertEqual(self.ask(one.page, "/development/session"), 401)
        self.sign_in_again(one, dialog)
        expect(console.value_field()).to_have_value("typed when the time had run out")
        console.review()
        console.save("Written over two sessions")
        self.assertEqual(self.instance.config("development")["edited.text"], "typed when the time had run out")

    def test_bad_input_stays_in_the_token_dialog(self):
        """the dialog of a new token shows each error below its field, and stays open when the session has ended"""
        one = self.operator("development")
        page = one.page
        Console(one, "development").open_screen("tokens")
        page.get_by_role("button", name="Create token").click()
        form = page.get_by_role("dialog", name="Create token")
        create = form.get_by_role("button", name="Create token")
        label = form.get_by_label("Label")
        label.fill(" \t\u00a0")
        label.blur()
        expect(label).to_have_accessible_description(re.compile("^Enter a label"))
        label.fill("<b>Till</b>")
        expect(label).not_to_have_attribute("aria-invalid", "true")
        form.get_by_label("Permissions").select_option("some")
        keys, expires, day = (form.get_by_label(name, exact=True) for name in ("Keys", "Expires", "Expiration date"))
        for text, error in (("", "Enter at least one key"), ("app.*\tbad!", "“bad!” isn’t a valid key")):
            keys.fill(text)
            create.click()
            expect(keys).to_be_focused()
            expect(keys).to_have_accessible_description(re.compile(error))
        keys.fill("app.*\tcheckout.fees")
        create.click()
        expect(expires).to_have_accessible_description("Choose an expiration date.")
        expires.select_option("date")
        day.fill("2020-01-01")
        create.click()
        expect(day).to_have_accessible_description("Choose a date in the future.")
        expires.select_option("30")
        one.checks.allow("status of 401")
        self.instance.expire_sessions("development")
        again = page.get_by_role("dialog", name="Your session has ended")
        create.or_(again).first.press("Enter")
        self.sign_in_again(one, again)
        expect(label).to_have_value("<b>Till</b>")
        create.click()
        expect(page.get_by_role("dialog", name="Token created")).to_contain_text("<b>Till</b>")
        page.get_by_role("button", name="Copy").focus()

    def test_session_revoked_while_a_release_is_reviewed(self):
        """a session revoked before a save is renewed in a dialog over the review, which continues"""
        self.instance.begin("development", {"edited.text": "before", "other": 1})
        gate = self.gate()
        one = self.operator("development", port=gate.port)
        one.checks.allow(r"status of 401")
        console = Console(one, "development")
        console.edit_text("edited.text", "reviewed before the session ended")
        console.review()
        gate.hold_answers()
        self.end_sessions("development")
        with one.page.expect_response(lambda answer: is_save(answer.url)) as refusal:
            one.page.keyboard.press("Control+Enter")
            gate.let_answers_go()
        self.assertEqual(refusal.value.status, 401)
        self.sign_in_again(one, one.page.get_by_role("dialog", name="Your session has ended"))
        expect(console.save_button()).to_be_enabled()
        console.save("Reviewed over two sessions")
        self.assertEqual(self.instance.config("development")["edited.text"], "reviewed before the session ended")

    def test_refusal_that_comes_after_the_sign_in(self):
        """a request refused for an ended session is repeated if the user has signed in before the refusal arrives"""
        self.instance.begin("development", {"edited.text": "before", "other": 1})
        gate = self.gate()
        one = self.operator("development", port=gate.port)
        one.checks.allow(r"status of 401")
        one.page.add_init_script(HELD_REFUSAL)
        one.page.reload()
        console = Console(one, "development")
        console.edit_text("edited.text", "ordered before the session ended")
        console.review()
        console.message_field().fill("Ordered in one session, done in the next")
        # The stream also ends, which opens the sign-in dialog; that must not happen before the button is pressed.
        gate.hold_answers()
        self.end_sessions("development")
        console.save_button().click()
        gate.let_answers_go()
        dialog = one.page.get_by_role("dialog", name="Your session has ended")
        expect(dialog).to_be_visible()
        one.page.wait_for_function("() => globalThis.hearRefusal")
        self.sign_in_again(one, dialog)
        one.page.evaluate("hearRefusal()")
        console.await_saved()
        self.assertEqual(self.instance.config("development")["edited.text"], "ordered before the session ended")

    def test_draft_outlives_session_and_page(self):
        """a draft survives the end of the session and of the page, and returns after a sign-in"""
        self.instance.begin("development", {"edited.text": "before"})
        one = self.operator("development")
        console = Console(one, "development")
        console.edit_text("edited.text", "typed in another page")
        self.end_sessions("development")
        one.checks.allow(r"status of 401")
        address = one.page.url
        one.page.close()
        one.page = one.context.new_page()
        one.page.goto(address)
        self.sign_in_again(one, one.page.get_by_role("main"))
        console.review()
        console.save("Written in two pages")
        self.assertEqual(self.instance.config("development")["edited.text"], "typed in another page")

    def test_cookie_of_another_environment_or_host_is_worth_nothing(self):
        """a cookie copied to another environment's name, or to the notes' host, grants no access"""
        one = self.operator("development")
        cookie = next(one for one in one.context.cookies() if one["name"] == "__Host-almanac-development")
        self.assertTrue(cookie["httpOnly"] and cookie["secure"])
        self.assertEqual(cookie["sameSite"], "Strict")
        thief = self.person()
        thief.checks.allow(r"status of 401")
        notes = self.instance.page_url("notes")
        thief.context.add_cookies([
            {**cookie, "name": "__Host-almanac-live"},
            {**cookie, "domain": "notes.localhost"},
        ])
        page = thief.open("#/live/entries")
        expect(page.get_by_text("Scopes")).to_have_count(0)
        self.assertEqual(self.ask(page, "/live/config"), 401)
        self.assertEqual(self.ask(page, "/live/releases"), 401)
        thief.checks.allow_origin(notes)
        page.goto(notes)
        self.assertEqual(self.ask(page, "/development/releases"), 401)
        self.assertEqual(self.ask(page, "/development/tokens"), 401)

    def test_other_sites_cannot_use_the_session(self):
        """a page of another site can neither read nor write with the session"""
        self.instance.begin("development", {"other": 1})
        one = self.operator("development")
        one.checks.allow(r".")
        revision = self.instance.releases("development")[0]["revision"]
        page = one.context.new_page()
        one.checks.allow_origin(self.instance.url)
        page.goto(self.instance.url)
        for method, path in (("GET", "/development/releases"), ("PATCH", "/development/config"),
                             ("DELETE", "/development/session"), ("POST", "/development/session/link")):
            for mode in ("cors", "no-cors"):
                heard = page.evaluate(FOREIGN, [f"{one.origin}{path}", method, mode])
                self.assertIn(heard, ("refused", "opaque", 401, 403), f"{method} {path} {mode}")
        self.assertEqual(self.instance.releases("development")[0]["revision"], revision)
        one.open("#/development/entries")
        expect(one.page.get_by_role("navigation", name="Main navigation")).to_be_visible()

    def test_server_gone_for_a_while(self):
        """while the server is down, a bar says so and no text is lost; the page recovers automatically"""
        self.instance.begin("development", {"edited.text": "before", "watched": "before"})
        gate = self.gate()
        one = self.operator("development", port=gate.port)
        console = Console(one, "development")
        console.open_entry("watched")
        expect(console.value_field()).to_have_value("before")
        one.checks.allow(r"net::ERR_|Failed to (fetch|load resource)")
        gate.shut()
        # A forecast of the draft may have a stale base.
        one.checks.allow("status of 412")
        bar = one.page.get_by_role("status").filter(has_text="Can’t reach the server.")
        expect(bar).to_be_visible()
        console.edit_text("edited.text", "typed while the server was gone")
        self.instance.release("development", {"watched": "changed meanwhile"})
        gate.open()
        expect(bar).to_be_hidden()
        console.review()
        console.save("Written over an absence")
        config = self.instance.config("development")
        self.assertEqual(config["edited.text"], "typed while the server was gone")
        self.assertEqual(config["watched"], "changed meanwhile")
        console.open_entry("watched")
        expect(console.value_field()).to_have_value("changed meanwhile")

    def test_messages_of_an_outage_go_with_it(self):
        """the error message of a request during an outage disappears once the connection is restored"""
        gate = self.gate()
        one = self.operator("development", port=gate.port)
        one.checks.allow(r"net::ERR_|Failed to (fetch|load resource)")
        gate.shut()
        one.page.get_by_role("button", name="Account and settings").click()
        one.page.get_by_role("button", name="Sign out").click()
        failure = one.page.get_by_text("Can’t reach the server. Your changes are safe.")
        expect(failure).to_have_count(2)
        gate.open()
        expect(one.page.get_by_text("Connection restored.")).to_have_count(1)
        self.assertEqual(failure.count(), 0)

    def test_screen_that_an_outage_kept_from_opening(self):
        """a screen that could not be opened during an outage opens once the connection is restored"""
        gate = self.gate()
        one = self.operator("development", port=gate.port)
        console = Console(one, "development")
        console.open_screen("entries")
        console.await_parts("administration-part")
        one.checks.allow(r"net::ERR_|Failed to (fetch|load resource)")
        gate.shut()
        console.go("tokens")
        failure = one.page.get_by_role("main").get_by_text("Can’t reach the server.")
        expect(failure).to_be_visible()
        gate.open()
        expect(one.page.get_by_text("Connection restored.")).to_have_count(1)
        expect(failure).to_have_count(0, timeout=3000)
        console.await_screen()

    def test_server_gone_before_the_list_was_read(self):
        """an entry is not reported as missing while the list failed to load, and opens after a retry"""
        self.instance.begin("development", {"some.text": "here"})
        one = self.operator("development")
        console = Console(one, "development")
        one.checks.allow(r"net::ERR_|Failed to (fetch|load resource)")
        one.page.route("**/config?form=summary*", lambda route: route.abort())
        one.page.reload()
        console.open_entry("some.text")
        again = one.page.get_by_role("main").get_by_role("button", name="Try again")
        expect(again).to_be_visible()
        expect(one.page.get_by_text("This entry doesn’t exist")).to_have_count(0)
        one.page.unroute_all()
        again.click()
        expect(console.value_field()).to_have_value("here")
        console.open_entry("another.text")
        expect(one.page.get_by_text("This entry doesn’t exist")).to_be_visible()

    def test_releases_opened_while_the_server_is_gone(self):
        """the list of releases and a release that are opened during an outage appear after it, with those made since"""
        self.instance.begin("development", {"checkout.banner": "Free delivery from 40 euros"})
        self.instance.release("development", {"checkout.banner": "Free delivery from 30 euros"}, "Cheaper delivery")
        revision = self.instance.releases("development")[0]["revision"]
        gate = self.gate()
        one = self.operator("development", port=gate.port)
        console = Console(one, "development")
        # Load the screen's module before the outage.
        console.open_screen("releases")
        console.open_screen("entries")
        one.checks.allow(r"net::ERR_|Failed to (fetch|load resource)")
        gate.shut()
        console.go("releases", revision)
        expect(one.page.locator(".release-list")).to_be_visible()
        bar = one.page.get_by_role("status").filter(has_text="Can’t reach the server.")
        expect(bar).to_be_visible()
        self.instance.release("development", {"checkout.banner": "Free delivery"}, "Free for everyone")
        gate.open()
        expect(bar).to_be_hidden()
        listed = one.page.get_by_role("list", name="Releases")
        expect(listed.get_by_text("Cheaper delivery")).to_be_visible()
        expect(listed.get_by_text("Free for everyone")).to_be_visible()
        expect(one.page.get_by_role("heading", name="Cheaper delivery")).to_be_visible()

    def test_worker_gone_while_several_keys_are_edited(self):
        """several keys are edited while the worker is stopped; the bar disappears once it is back, and all are saved"""
        self.instance.begin("development", {f"gone.k{number}": "before" for number in range(4)})
        one = self.operator("development")
        console = Console(one, "development")
        # Load the forms before the worker stops.
        for number in range(4):
            console.open_entry(f"gone.k{number}")
            expect(console.value_field()).to_have_value("before")
        one.checks.allow(r"status of 50[234]|net::ERR_|status of 412")
        self.addCleanup(self.instance.deploy_run, "--start-service", "worker")
        self.instance.deploy_run("--stop-service", "worker")
        bar = one.page.get_by_role("status").filter(has_text="Can’t reach the server.")
        for number in range(4):
            console.edit_text(f"gone.k{number}", f"typed without a server {number}")
        expect(bar).to_be_visible()
        self.instance.deploy_run("--start-service", "worker")
        expect(bar).to_be_hidden()
        console.review()
        console.save("Written over an absence of the worker")
        self.assertEqual(self.instance.config("development"),
                         {f"gone.k{number}": f"typed without a server {number}" for number in range(4)})

    def gate(self):
        """Creates a proxy between the test's browser and the server."""
        gate = Gate(self.instance.port)
        self.addCleanup(gate.shut)
        return gate

    def ask(self, page, path):
        """Returns the status of a request sent by the page."""
        return page.evaluate("async (path) => (await fetch(path)).status", path)

    def end_sessions(self, environment):
        for session in self.instance.must("GET", f"/{environment}/sessions", token=environment).json():
            self.instance.must("DELETE", f"/{environment}/sessions/{session['id']}", token=environment)

    def sign_in_again(self, one, place):
        place.get_by_label("API token").fill(self.instance.token("development"))
        place.get_by_role("button", name="Sign in", exact=True).click()
        expect(place.get_by_label("API token")).to_have_count(0)


# Delays the refusal of a save until the test calls `hearRefusal`.
HELD_REFUSAL = """
const send = globalThis.fetch;
globalThis.fetch = async (...call) => {
    const answer = await send(...call);
    if (answer.status === 401 && call[1].method === 'PATCH' && !call[0].includes('dry_run'))
        await new Promise((done) => { globalThis.hearRefusal = done; });
    return answer;
};
"""


def is_save(address):
    """Returns true if a request to this address changes the config and is no forecast."""
    return "/development/config?" in address and "replace=true" in address and "dry_run" not in address


FOREIGN = """
async ([url, method, mode]) => {
    try {
        const headers = mode === 'cors' ? { 'Almanac-Session': '1' } : {};
        const body = method === 'GET' ? undefined : '{}';
        const answer = await fetch(url, { method, mode, credentials: 'include', headers, body });
        return answer.type === 'opaque' ? 'opaque' : answer.status;
    } catch { return 'refused'; }
}
"""
