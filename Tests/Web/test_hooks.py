"""Tests of hooks: a receiver gets signed events, and its deliveries are listed."""

import re

from playwright.sync_api import expect

from support.case import BrowserCase
from support.console import Console
from support.look import find_faults
from support.receiver import Receiver
from support.step_pictures import StepPictures


class HookTests(BrowserCase):
    def test_a_hook_tells_of_a_release(self):
        """an administrator makes a hook, tries it, and a release reaches the receiver; the deliveries are listed, and sent
        again; a hook whose receiver is gone is marked until it is enabled"""
        self.instance.begin("development", {"app.greeting": "Hello"})
        receiver = Receiver(self)
        self.configure("development", hooks=receiver.permission)
        one = self.operator("development")
        page = one.page
        console = Console(one, "development")
        console.open_screen("hooks")
        expect(page.get_by_role("heading", name="No hooks yet")).to_be_visible()
        page.get_by_role("button", name="New hook").click()
        form = page.get_by_role("dialog", name="Create hook")
        form.get_by_label("Label").fill("Chat of the shop team")
        form.get_by_label("URL").fill("https://10.1.2.3/hooks")
        form.get_by_role("button", name="Create hook").click()
        one.checks.allow("status of 422")
        expect(form.get_by_role("alert")).to_contain_text("not a public address")
        form.get_by_label("URL").fill(receiver.url)
        form.get_by_role("button", name="Create hook").click()
        secret = page.get_by_role("dialog", name="Secret of the hook").get_by_label("Secret")
        self.assertRegex(secret.input_value(), "^whsec_")
        receiver.secret = secret.input_value()
        secret.press("Control+c")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Details of Chat of the shop team").click()
        dialog = page.get_by_role("dialog", name="Chat of the shop team")
        dialog.get_by_role("button", name="Send test").click()
        receiver.await_types("hook.test")
        self.instance.release("development", {"app.greeting": "Good morning"})
        receiver.await_types("hook.test", "release.created")
        self.assertEqual(receiver.events[1]["data"]["changes"][0]["after"], "Good morning")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Details of Chat of the shop team").click()
        expect(dialog.get_by_role("row", name=re.compile("release.created.*Delivered.*204"))).to_be_visible()
        pictures = StepPictures(page, "hooks", ("light", "dark"))
        pictures.take("deliveries")
        self.assertEqual(find_faults(page, "a hook", "dialog"), [])
        dialog.get_by_role("button", name="Send again").first.click()
        receiver.await_types("hook.test", "release.created", "release.created")
        dialog.get_by_role("button", name="Replay…").click()
        replay = page.get_by_role("dialog", name="Replay releases")
        replay.get_by_label("After revision").fill(str(receiver.events[1]["data"]["revision"] - 1))
        replay.get_by_role("button", name="Replay releases").click()
        receiver.await_types("hook.test", *["release.created"] * 3)
        self.assertEqual(receiver.events[1], receiver.events[3])
        dialog.get_by_role("button", name="New secret…").click()
        expect(secret).not_to_have_value(receiver.secret)
        receiver.secret = secret.input_value()
        secret.press("Control+c")
        page.keyboard.press("Escape")

        receiver.status = 410
        self.instance.release("development", {"app.greeting": "Good evening"})
        receiver.await_types("hook.test", *["release.created"] * 4)
        page.reload()
        expect(page.get_by_text("Chat of the shop team is disabled")).to_be_visible()
        expect(console.more_tabs()).to_have_accessible_name("More 1 disabled hook")
        pictures.take("disabled")
        self.assertEqual(find_faults(page, "a disabled hook"), [])
        receiver.status = 204
        page.get_by_role("button", name="Enable").click()
        expect(page.get_by_text("is disabled")).to_have_count(0)
        expect(console.more_tabs()).to_have_accessible_name("More")
