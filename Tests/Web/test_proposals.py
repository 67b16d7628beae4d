"""Tests of proposals: two people review a release before it is one."""

import re

from playwright.sync_api import expect

from support.console import Console
from support.look import find_faults
from support.people import PeopleCase
from support.step_pictures import StepPictures


class ProposalTests(PeopleCase):
    def test_two_people(self):
        """one person requests a review, another comments, asks for a change and approves; both pages show each step at
        once, and the release is made by one press"""
        self.instance.begin("development", {"app.greeting": "Hello", "app.retries": 3})
        admin = self.operator("development")
        ada = self.joined(admin, "development", "Ada Lovelace", "editor")
        mara = self.joined(admin, "development", "Mara Lindqvist", "approver")
        # From now on, only who may approve invites approvers.
        self.configure("development", approvals={"required": 1})
        mara.open_screen("proposals")
        ada.edit_text("app.greeting", "Good morning")
        ada.review_button().click()
        dialog = ada.page.get_by_role("dialog")
        expect(dialog.get_by_role("button", name="Request review")).to_be_enabled()
        expect(ada.save_button()).to_be_hidden()
        ada.message_field().fill("Greet by the time of day")
        dialog.get_by_role("button", name="Request review").click()
        pictures = StepPictures(ada.page, "proposal", ("light", "dark"))
        title = ada.page.get_by_role("heading", name="Greet by the time of day")
        expect(title).to_be_visible()
        expect(ada.review_button()).to_be_hidden()
        expect(ada.page.get_by_text("1 more approval needed for app.greeting.")).to_be_visible()
        expect(ada.page.get_by_role("button", name="Approve")).to_have_count(0)
        pictures.take("requested")
        self.assertEqual(find_faults(ada.page, "a proposal"), [])

        expect(mara.page.get_by_role("link", name="Proposals 1 waits for your review")).to_be_visible()
        waiting = mara.page.get_by_role("table", name="Waiting for your review")
        expect(waiting).to_contain_text("Ada Lovelace")
        self.assertEqual(find_faults(mara.page, "the list of proposals"), [])
        waiting.get_by_role("link", name="Greet by the time of day").click()
        comment = mara.page.get_by_label("Comment")
        mara.page.get_by_role("button", name="Request changes").click()
        expect(mara.page.get_by_text("Write what should change first.")).to_be_visible()
        comment.fill("What about the evening?")
        mara.page.get_by_role("button", name="Comment").click()
        expect(ada.page.get_by_text("What about the evening?")).to_be_visible()
        comment.fill("Greet with “Welcome” instead")
        mara.page.get_by_role("button", name="Request changes").click()
        expect(ada.page.get_by_text("Mara Lindqvist asked for changes.")).to_be_visible()
        pictures.take("rejected")

        ada.page.get_by_role("button", name="Edit", exact=True).click()
        form = ada.page.get_by_role("dialog")
        form.get_by_label("Value").fill("Welcome")
        form.get_by_role("button", name="Save").click()
        expect(mara.page.get_by_text("round 2 of reviews")).to_be_visible()
        expect(mara.page.get_by_text("Outdated")).to_be_visible()
        mara.page.get_by_role("button", name="Approve").click()
        expect(mara.page.get_by_text(re.compile("Mara Lindqvist approved"))).to_be_visible()
        release = ada.page.get_by_role("button", name="Release…")
        expect(release).to_be_visible()
        pictures.take("approved")
        release.click()
        ada.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Release ")).click()
        for console in (ada, mara):
            expect(console.page.get_by_text("Released", exact=True)).to_be_visible()
        self.assertEqual(self.instance.config("development")["app.greeting"], "Welcome")
        self.assertEqual(self.instance.releases("development")[0]["message"], "Greet by the time of day")

    def test_acknowledged_release(self):
        """a release without approvals is marked with its reason, until somebody who may approve acknowledges it"""
        self.instance.begin("development", {"app.greeting": "Hello"})
        self.instance.release("development", {"app.greeting": "Closed today"}, "Close the shop")
        self.instance.bypass_approvals(
            "development", self.instance.releases("development")[0]["revision"], "The payments fail")
        admin = self.operator("development")
        ada = self.joined(admin, "development", "Ada Lovelace", "editor")
        mara = self.joined(admin, "development", "Mara Lindqvist", "approver")
        for console in (ada, mara):
            console.open_screen("releases")
            expect(console.page.get_by_text("Released without approval: The payments fail")).to_be_visible()
            expect(console.page.get_by_text("Not reviewed")).to_have_count(2)
        expect(ada.page.get_by_role("button", name="Acknowledge")).to_have_count(0)
        pictures = StepPictures(mara.page, "acknowledge", ("light", "dark"))
        pictures.take("unreviewed")
        self.assertEqual(find_faults(mara.page, "a release without approvals"), [])
        mara.page.get_by_role("button", name="Acknowledge").click()
        expect(mara.page.get_by_text("Release acknowledged").first).to_be_visible()
        expect(mara.page.get_by_text("Not reviewed")).to_have_count(0)
        expect(mara.page.get_by_role("button", name="Acknowledge")).to_have_count(0)
        self.assertIs(self.instance.releases("development")[0]["unreviewed"], False)

    def test_calendar(self):
        """the calendar has proposals with a time and rollouts of flags by the viewer's day, and follows their changes"""
        start, end = "2020-01-01T00:00:00Z", "2099-06-01T08:00:00Z"
        self.instance.begin_with_flags("development", {"checkout.express": {
            "state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off",
            "targeting": {"almanac.ramp": [[[start, 0], [end, 100]], "on", "off"]}}})
        one = self.operator("development", timezone_id="Europe/Berlin")
        page = one.page
        console = Console(one, "development")
        console.open_screen("proposals")
        page.get_by_role("link", name="Calendar").click()
        expect(page.get_by_role("link", name="Calendar")).to_have_attribute("aria-current", "page")
        running = page.get_by_role("listitem").filter(has_text="checkout.express")
        expect(running).to_contain_text("In progress")
        made = self.propose({"checkout.fees": 3}, "Raise the fees")
        made = self.change(made, {"apply_at": "2099-12-31T20:00:00-05:00", "zone": "America/New_York"})
        expect(page.get_by_role("heading", name="Friday, January 1, 2100")).to_be_visible()
        due = page.get_by_role("listitem").filter(has_text="Raise the fees")
        expect(due).to_contain_text("2:00 AM")
        expect(due).to_contain_text("Dec 31, 2099, 8:00 PM (America/New_York)")
        expect(due).to_contain_text("Draft")
        self.assertEqual(find_faults(page, "the calendar"), [])
        due.get_by_role("link").click()
        expect(page.get_by_role("heading", name="Raise the fees")).to_be_visible()
        page.go_back()
        self.change(made, {"apply_at": None})
        expect(due).to_have_count(0)

    def propose(self, entries, message):
        headers = {"Content-Type": "application/json", "Almanac-Message": message}
        return self.instance.must("PATCH", "/development/config?replace=true&propose=true", entries,
                                  token="development", headers=headers).json()

    def change(self, proposal, members):
        headers = {"Content-Type": "application/json", "If-Match": f'"{proposal["version"]}"'}
        return self.instance.must("PATCH", f"/development/proposals/{proposal['number']}", members,
                                  token="development", headers=headers).json()
