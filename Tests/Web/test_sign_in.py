"""Tests of the sign-in at an identity provider, including one that is down or sends invalid responses."""

import os
import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support import hostile
from support.case import BrowserCase
from support.console import Console
from support.faulty_provider import GARBAGE, FaultyProvider
from support.marigold import token_of


class SignInTests(BrowserCase):
    def at_provider(self, one, name, password):
        """Signs in at the provider's page, starting from the console."""
        one.page.get_by_role("link", name="Continue with single sign-on").click()
        expect(one.page).not_to_have_url(re.compile(r"^https://console\."))
        page = one.page
        one.checks.allow_origin(f"{urlsplit(page.url).scheme}://{urlsplit(page.url).netloc}")
        # The provider's page loads external styles; before the sign-in, the console's request gets status 401.
        one.checks.allow(r"ERR_NAME_NOT_RESOLVED|status of 401|http://127\.0\.0\.1")
        page.locator("input[name=username]").fill(name)
        page.locator("input[name=password]").fill(password)
        page.locator("input[name=password]").press("Enter")
        page.wait_for_url(re.compile(r"^https://console\."))

    def test_operator_signs_in_at_the_provider(self):
        """a sign-in at the provider returns to the same place with the scopes of the user's groups, and no token"""
        self.instance.begin("people", {"people.text": "before"})
        one = self.person()
        one.checks.allow_origin(self.provider())
        one.open("#/people/entries/people.text")
        self.at_provider(one, "alice", "wonderland")
        expect(one.page).to_have_url(re.compile(r"#/people/entries/people\.text$"))
        console = Console(one, "people")
        console.edit_text("people.text", "by Alice")
        console.review()
        console.save("Signed in at the provider")
        self.assertEqual(self.instance.releases("people")[0]["author"], "alice")
        kept = one.page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
        self.assertNotIn("eyJ", kept)
        self.assertEqual([item["name"] for item in one.context.cookies() if "login" in item["name"]], [])

    def test_link_asks_before_it_ends_a_session(self):
        """a link of another token asks first; after a refusal the session stays, and the link stays valid until used"""
        reader = token_of(self.instance, "development", "reader", "config:read")
        texts = {"en": ("Sign in as {} instead of {}?", "Stay signed in as {}", "Sign in as {}"),
                 "de": ("Als {} statt als {} anmelden?", "Als {} angemeldet bleiben", "Als {} anmelden")}
        for language, (title, stay, agree) in texts.items():
            one = self.person(locale=language)
            one.sign_in("development")
            one.checks.allow("status of 40[39]")
            name = self.signed_in(one)
            link = self.instance.link(["development"], {"development": reader})
            question = one.page.get_by_role("dialog", name=title.format("reader", name))
            for way in ("button", "Escape"):
                one.open(link)
                expect(question).to_contain_text("development")
                expect(one.page).to_have_url(re.compile("#/development/entries$"))
                if way == "Escape":
                    one.page.keyboard.press("Escape")
                else:
                    question.get_by_role("button", name=stay.format(name)).click()
                expect(question).to_have_count(0)
                self.assertEqual(self.signed_in(one), name)
            # Follow the link from another site, while the page is not open.
            one.page.goto("about:blank")
            one.open(link)
            # The page of the old session stays until the server has responded.
            with one.page.expect_response(lambda answer: answer.request.method == "POST" and answer.ok):
                question.get_by_role("button", name=agree.format("reader")).click()
            expect(one.page.get_by_role("navigation")).to_be_visible()
            self.assertEqual(self.signed_in(one), "reader")
            # A link of the same user and a used link open no dialog.
            # A page that is left before the response keeps the cookie of the session that the server has replaced.
            with one.page.expect_response(lambda answer: answer.request.method == "POST" and answer.ok):
                one.open(self.instance.link(["development"], {"development": reader}))
            one.open(link)
            refusal = re.compile(
                "Couldn’t sign in to development with this link|Mit diesem Link war keine Anmeldung bei development")
            expect(one.page.get_by_role("status").filter(has_text=refusal)).to_have_count(1)
            # A new page shows the message about the used link beside the one about the opened environment.
            one.page.goto("about:blank")
            one.open(link)
            opened = re.compile("(Environment:|Umgebung) development")
            expect(one.page.get_by_role("status").filter(has_text=opened).filter(has_text=refusal)).to_have_count(1)
            expect(one.page.get_by_role("dialog")).to_have_count(0)
            self.assertEqual(self.signed_in(one), "reader")

    def test_sign_in_says_whose_session_it_ends(self):
        """before a sign-in, the page names the user whose session it will end"""
        one = self.operator("people")
        name = self.signed_in(one, "people")
        one.open("#/people/sign-in")
        expect(one.page.get_by_text(f"You’re signed in as {name}. Signing in again ends that session.")).to_be_visible()
        expect(one.page.get_by_role("link", name="Continue with single sign-on")).to_be_visible()

    def signed_in(self, one, environment="development"):
        """Returns the name of the session's user, as the server reports it."""
        return one.page.evaluate("async (path) => (await (await fetch(path)).json()).name", f"/{environment}/session")

    def test_reader_may_read(self):
        """a user whose groups may only read sees the config, but cannot change it"""
        self.instance.begin("people", {"people.text": "before"})
        one = self.person()
        one.checks.allow_origin(self.provider())
        one.open("#/people/entries/people.text")
        self.at_provider(one, "bob", "builder")
        expect(Console(one, "people").value_field()).to_have_value("before")
        expect(Console(one, "people").value_field()).not_to_be_editable()

    def test_name_with_markup_is_inert(self):
        """a name with markup from the provider is shown, without effect"""
        self.instance.begin("people", {"people.text": "before"})
        one = self.person()
        one.checks.allow_origin(self.provider())
        one.open("#/people/entries/people.text")
        self.at_provider(one, "<img src=x onerror=alert(1)>", "markup")
        console = Console(one, "people")
        console.edit_text("people.text", "by markup")
        console.review()
        console.save("Who is this?")
        for _ in console.visit_screens():
            self.assertEqual(one.page.locator(hostile.TRACES).count(), 0)
        one.page.get_by_role("button", name="Account and settings").click()
        expect(one.page.get_by_text("<img src=x onerror=alert(1)>").first).to_be_visible()
        self.assertEqual(one.page.locator(hostile.TRACES).count(), 0)

    def test_provider_away_or_talking_nonsense(self):
        """a provider that is down or sends invalid responses leads back to an explanation; a token still signs in"""
        one = self.person()
        one.checks.allow(r"status of (4|5)\d\d|net::ERR_")
        one.open("#/adrift/sign-in")
        button = one.page.get_by_role("link", name="Continue with single sign-on")
        alert = one.page.get_by_role("main").get_by_role("alert")
        button.click()
        expect(alert).to_contain_text(re.compile("provider|sign-in", re.I))
        self.assertTrue(one.page.url.startswith(one.origin), one.page.url)
        issuer = FaultyProvider(int(os.environ["ALMANAC_BROWSER_ADRIFT"]))
        self.addCleanup(issuer.close)
        one.checks.allow_origin(issuer.url)
        for status, tokens in ((200, GARBAGE), (200, b"{}"), (200, b'{"id_token":"a.b.c","token_type":"Bearer"}'),
                               (500, b""), (400, b'{"error":"<img src=x onerror=alert(1)>"}')):
            issuer.status, issuer.tokens = status, tokens
            one.open("#/adrift/sign-in")
            one.page.reload()
            button.click()
            expect(one.page).to_have_url(re.compile(r"problem="))
            expect(alert).to_be_visible()
            self.assertEqual(one.page.locator(hostile.TRACES).count(), 0)
        one.page.get_by_label("API token").fill(self.instance.token("adrift"))
        one.page.get_by_role("button", name="Sign in", exact=True).click()
        expect(one.page.get_by_role("navigation", name="Main navigation")).to_be_visible()

    def test_provider_that_does_not_answer(self):
        """a provider that does not respond to the code leads to an explanation after a timeout"""
        issuer = FaultyProvider(int(os.environ["ALMANAC_BROWSER_ADRIFT"]))
        self.addCleanup(issuer.close)
        issuer.withholds = True
        one = self.person()
        one.checks.allow(r"status of 4\d\d")
        one.checks.allow_origin(issuer.url)
        one.open("#/adrift/sign-in")
        one.page.get_by_role("link", name="Continue with single sign-on").click()
        expect(one.page).to_have_url(re.compile(r"#/adrift/sign-in\?problem=identity-provider-away$"))
        alert = one.page.get_by_role("main").get_by_role("alert")
        expect(alert).to_contain_text("Your identity provider isn’t responding")
        one.page.get_by_label("API token").fill(self.instance.token("adrift"))
        one.page.get_by_role("button", name="Sign in", exact=True).click()
        expect(one.page.get_by_role("navigation", name="Main navigation")).to_be_visible()

    def provider(self):
        """Returns the origin of the provider of people."""
        environments = self.instance.environments_file()
        parts = urlsplit(environments["people"]["identity"]["issuer"])
        return f"{parts.scheme}://{parts.netloc}"
