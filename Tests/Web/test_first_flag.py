"""A newcomer's journey in the console: the first flag, from the link that signs in to the kill switch."""

import datetime
import re

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.step_pictures import StepPictures

KEY = "checkout.express"
PLACE = {"plan": "pro", "country": "DE"}
# The zone of the newcomer's browser, in which 09:00 is 08:00 UTC or 07:00 UTC.
ZONE = "Europe/Berlin"

VIEWS_ARE_IN_ONE_ROW = """() => {
    const [form, json] = ["form", "json"].map((name) => document.getElementById(`flag-${name}`));
    return form && json && form.getBoundingClientRect().y === json.getBoundingClientRect().y;
}"""


class FirstFlagTests(BrowserCase):
    def test_first_flag_at_a_desk(self):
        """a newcomer creates, targets, releases, explains, turns off and turns on a first flag with the mouse"""
        self.make_journey("1280", viewport={"width": 1280, "height": 900})

    def test_first_flag_on_a_phone(self):
        """a newcomer makes the same journey with the fingers on a phone"""
        self.make_journey("390", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)

    def make_journey(self, width, **options):
        self.instance.begin("development", {})
        one = self.person(timezone_id=ZONE, locale="en-US", reduced_motion="reduce", **options)
        journey = Journey(self, one, width)
        journey.sign_in()
        journey.create()
        journey.add_rule()
        journey.release()
        journey.explain()
        journey.turn_off_and_on()


class Journey:
    """The steps of the journey. Each step asserts what the page shows and what the server answers to apps."""

    def __init__(self, case, one, width):
        self.case = case
        self.instance = case.instance
        self.one = one
        self.page = one.page
        self.console = Console(one, "development")
        self.width = width
        self.press = (lambda target: target.tap()) if width == "390" else (lambda target: target.click())
        self.pictures = StepPictures(one.page, width)
        today = datetime.date.today()
        self.monday = today + datetime.timedelta(days=7 - today.weekday())

    def button(self, name, **options):
        return self.page.get_by_role("button", name=name, **options)

    @staticmethod
    def time(day):
        """Returns a pattern of nine o'clock in the console's sentences."""
        return rf"{day:%b} {day.day}, {day.year}, 9:00\sAM"

    def evaluate(self, user, **attributes):
        """Returns the variant and the reason that an app gets."""
        answer = self.instance.evaluate("development", KEY, {"targetingKey": user, **attributes})
        return answer.get("variant"), answer["reason"]

    def sign_in(self):
        self.one.open(self.instance.link(["development"]))
        expect(self.page.get_by_role("heading", name="development is empty")).to_be_visible()
        self.pictures.take("signed-in")

    def create(self):
        self.press(self.button("Create the first flag"))
        dialog = self.page.get_by_role("dialog", name="New flag")
        key = dialog.get_by_label("Key", exact=True)
        expect(key).to_be_focused()
        self.pictures.take("new-flag")
        self.page.keyboard.type(KEY)
        expect(dialog.get_by_role("combobox", name="Type of the value")).to_have_value("boolean")
        self.pictures.take("key")
        self.press(dialog.get_by_role("button", name="Add to draft"))
        expect(self.page.get_by_role("heading", name=KEY, exact=True)).to_be_visible()
        expect(self.console.review_button()).to_be_visible()
        self.case.assertEqual(self.instance.flags("development"), [])
        words = self.page.get_by_text("Everyone gets", exact=True)
        self.case.assertLess(words.bounding_box()["height"], 48, "the words are on one line")
        self.pictures.take("draft")

    def add_rule(self):
        self.press(self.button("Add rule"))
        rule = self.console.rule(1)
        attributes = rule.get_by_role("combobox", name="Attribute")
        values = rule.get_by_role("textbox", name="Value")
        self.pictures.take("rule")
        attributes.fill("plan")
        values.fill("pro")
        self.press(self.button("Add condition"))
        attributes.nth(1).fill("country")
        values.nth(1).fill("DE")
        self.press(self.button("Add condition"))
        operators = rule.get_by_role("combobox", name="Operator")
        operators.last.select_option("time ≥")
        self.pictures.take("conditions")
        rule.get_by_label("time", exact=True).fill(f"{self.monday}T09:00")
        rule.get_by_role("combobox", name="serve").select_option("Percentage rollout…")
        shares = rule.get_by_role("textbox", name="Percentage")
        expect(shares).to_have_count(2)
        expect(shares.first).to_have_value("10")
        rule.scroll_into_view_if_needed()
        self.pictures.take("rollout")

    def release(self):
        dialog = self.console.review()
        expect(dialog).to_contain_text(re.compile(
            rf"If plan is pro, country is DE, and from {self.time(self.monday)}, serve on 10%, off 90%"))
        expect(dialog.get_by_text("Default variant: off", exact=True)).to_be_visible()
        self.pictures.take("review")
        self.console.message_field().fill("Express checkout for a tenth of pro users in Germany")
        self.pictures.take("message")
        self.press(self.console.save_button())
        self.console.await_saved()
        release = self.instance.releases("development")[0]
        self.case.assertEqual(release["message"], "Express checkout for a tenth of pro users in Germany")
        self.case.assertEqual(self.evaluate("anna", **PLACE), ("off", "DEFAULT"))
        self.pictures.take("released")
        # The page renders these buttons again after the release, so they are found and compared in one step.
        self.page.wait_for_function(VIEWS_ARE_IN_ONE_ROW)
        part = self.page.get_by_role("region", name=f"Use {KEY} in an app")
        expect(part).to_be_in_viewport()
        self.pictures.take("use-in-an-app")
        expect(self.console.context()).to_have_value("targetingKey: \nplan: \ncountry: ")

    def explain(self):
        """Reads why users get their variants: now, and at the rule's time."""
        lucky, other = self.users()
        self.ask(f"targetingKey: {lucky}\nplan: pro\ncountry: DE")
        expect(self.sentences()).to_have_text([
            re.compile(rf"^Rule 1 didn’t match: time is .*, and the rule wants from {self.time(self.monday)}$"),
            "No rule matched, so everyone gets off"])
        self.sentences().last.scroll_into_view_if_needed()
        self.pictures.take("too-early")
        self.page.get_by_label("Time", exact=True).fill(f"{self.monday}T09:00")
        for user, share, variant in ((lucky, "10%", "on"), (other, "90%", "off")):
            self.ask(f"targetingKey: {user}\nplan: pro\ncountry: DE")
            time = rf"time {self.time(self.monday)} \(from {self.time(self.monday)}\)"
            expect(self.sentences().first).to_have_text(
                re.compile(rf"^Rule 1 matched: plan is pro; country is DE; {time}$"))
            expect(self.sentences().last).to_contain_text(f"User {user} is in the {share} that get {variant} (bucket ")
            self.sentences().last.scroll_into_view_if_needed()
            self.pictures.take(f"why-{variant}")
        self.ask(f"targetingKey: {lucky}\nplan: free\ncountry: DE")
        expect(self.sentences()).to_have_text(
            ["Rule 1 didn’t match: plan is free, and the rule wants pro", "No rule matched, so everyone gets off"])
        self.pictures.take("why-not")
        expect(self.console.review_button()).to_be_hidden()
        self.case.assertEqual(self.evaluate(lucky, **PLACE), ("off", "DEFAULT"))

    def sentences(self):
        answer = self.page.get_by_role("status").filter(has=self.page.get_by_text("Show JSON", exact=True))
        return answer.get_by_role("listitem")

    def ask(self, context):
        self.console.context().fill(context)

    def users(self):
        """Returns a user who is among the ten percent and one who is not, as the server splits them."""
        stored = self.instance.must("GET", f"/development/config/{KEY}", token="development").json()["value"]
        split = {**stored, "targeting": stored["targeting"]["if"][1]}
        users = {}
        for number in range(200):
            context = {"targetingKey": f"user-{number}"}
            answer = self.instance.must("POST", f"/development/flags/{KEY}/explain", {
                "definition": split, "context": context}, token="development").json()
            users.setdefault(answer["variant"], f"user-{number}")
            if len(users) == 2:
                break
        return users["on"], users["off"]

    def turn_off_and_on(self):
        self.press(self.console.flag_switch("off"))
        expect(self.console.flag_switch("on")).to_be_visible()
        expect(self.sentences()).to_have_text(["The flag is off, so apps use their own default"])
        self.case.assertEqual(self.evaluate("anna", **PLACE), ("", "DISABLED"))
        self.pictures.take("turned-off")
        impact = self.page.get_by_role("status").filter(has_text="sampled users").first
        # The name and the share are two elements with a gap between them.
        expect(impact.get_by_text("The app’s own default", exact=True)).to_be_visible()
        self.press(self.button("Undo"))
        expect(self.console.flag_switch("off")).to_be_visible()
        self.case.assertEqual(self.evaluate("anna", **PLACE), ("off", "DEFAULT"))
        messages = [one["message"] for one in self.instance.releases("development")[:2]]
        self.case.assertEqual(messages, [f"Turn on {KEY}", f"Turn off {KEY}"])
        self.pictures.take("turned-on")
