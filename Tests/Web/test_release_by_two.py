"""Test of a release on which two people agree in two browsers, and of the hook that tells of it."""

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from support.console import Console
from support.people import PeopleCase
from support.receiver import Receiver
from support.step_pictures import StepPictures


class ReleaseByTwoTests(PeopleCase):
    def test_release_by_two(self):
        """one person requests a review, another comments, asks for a change, approves it and then its time; the release
        is made by itself at that time, both pages show each step at once, and a receiver verifies each event"""
        self.instance.begin("development", {"checkout.banner": "Welcome back", "checkout.fees": 2})
        receiver = Receiver(self)
        self.configure("development", hooks=receiver.permission)
        admin = self.operator("development")
        receiver.secret = self.create_hook(admin, receiver.url)
        ada = self.joined(admin, "development", "Ada Lovelace", "editor")
        mara = self.joined(admin, "development", "Mara Lindqvist", "approver")
        admin.page.goto("about:blank")
        self.configure("development", approvals={"required": 1})
        # A reload of the instance ends the open streams ten seconds later.
        for one in (ada, mara):
            one.page.reload()
            one.await_screen()
        mara.open_screen("proposals")
        pictures = [StepPictures(one.page, f"release-by-two/{role}", ("light", "dark"))
                    for one, role in ((ada, "author"), (mara, "reviewer"))]
        for step in (self.request_review, self.comment, self.reject, self.change, self.approve, self.schedule,
                     self.await_release):
            step(ada, mara)
            for one in pictures:
                one.take(step.__name__)
        steps = ("submitted", "rejected", "changed", "approved", "changed", "approved", "applied")
        receiver.await_types(*(f"proposal.{step}" for step in steps), "release.created")
        self.assertEqual(receiver.refused, [])
        released = receiver.events[-1]["data"]
        self.assertEqual(
            [(one["key"], one["before"], one["after"]) for one in released["changes"]],
            [("checkout.banner", "Welcome back", "Welcome back. Shipping is free until Sunday.")])
        self.assertEqual(released["message"], "Announce free shipping")
        self.assertEqual(
            self.instance.config("development")["checkout.banner"], "Welcome back. Shipping is free until Sunday.")

    @staticmethod
    def create_hook(admin, url):
        """Creates a hook on the screen; returns its secret."""
        page = admin.page
        Console(admin, "development").open_screen("hooks")
        page.get_by_role("button", name="New hook").click()
        form = page.get_by_role("dialog", name="Create hook")
        form.get_by_label("Label").fill("Chat of the shop team")
        form.get_by_label("URL").fill(url)
        for step in ("submitted", "rejected", "changed", "approved", "applied"):
            form.get_by_label(f"proposal.{step}").check()
        form.get_by_role("button", name="Create hook").click()
        field = page.get_by_role("dialog", name="Secret of the hook").get_by_label("Secret")
        secret = field.input_value()
        field.press("Control+c")
        page.keyboard.press("Escape")
        return secret

    @staticmethod
    def request_review(ada, mara):
        ada.edit_text("checkout.banner", "Shipping is free!!!")
        ada.review_button().click()
        dialog = ada.page.get_by_role("dialog")
        ada.message_field().fill("Announce free shipping")
        dialog.get_by_role("button", name="Request review").click()
        expect(ada.page.get_by_role("heading", name="Announce free shipping")).to_be_visible()
        waiting = mara.page.get_by_role("table", name="Waiting for your review")
        waiting.get_by_role("link", name="Announce free shipping").click()
        expect(mara.page.get_by_role("button", name="Approve")).to_be_visible()

    @staticmethod
    def comment(ada, mara):
        mara.page.get_by_label("Comment").fill("Until when is shipping free?")
        mara.page.get_by_role("button", name="Comment").click()
        expect(ada.page.get_by_text("Until when is shipping free?")).to_be_visible()

    @staticmethod
    def reject(ada, mara):
        mara.page.get_by_label("Comment").fill("Say the last day, please.")
        mara.page.get_by_role("button", name="Request changes").click()
        expect(ada.page.get_by_text("Mara Lindqvist asked for changes.")).to_be_visible()

    @staticmethod
    def change(ada, mara):
        ada.page.get_by_role("button", name="Edit", exact=True).click()
        form = ada.page.get_by_role("dialog")
        form.get_by_label("Value").fill("Welcome back. Shipping is free until Sunday.")
        form.get_by_role("button", name="Save").click()
        expect(mara.page.get_by_text("round 2 of reviews")).to_be_visible()

    @staticmethod
    def approve(ada, mara):
        mara.page.get_by_role("button", name="Approve").click()
        expect(ada.page.get_by_text(re.compile("Mara Lindqvist approved"))).to_be_visible()

    @staticmethod
    def schedule(ada, mara):
        """Sets the time of the release, which is part of an approval."""
        ada.page.get_by_role("button", name="Schedule…").click()
        form = ada.page.get_by_role("dialog")
        time = datetime.now(UTC) + timedelta(seconds=10)
        form.get_by_label("Date and time").fill(time.strftime("%Y-%m-%dT%H:%M:%S"))
        form.get_by_role("button", name="Schedule", exact=True).click()
        expect(mara.page.get_by_text("round 3 of reviews")).to_be_visible()
        mara.page.get_by_role("button", name="Approve").click()
        expect(ada.page.get_by_text("Approved", exact=True)).to_be_visible()

    @staticmethod
    def await_release(ada, mara):
        for one in (ada, mara):
            expect(one.page.get_by_text("Released", exact=True)).to_be_visible(timeout=30_000)
