"""Tests of pictures and files in notes: adding, sending, showing, and what a refused or removed file leaves."""

import re
from hashlib import sha256

from playwright.sync_api import Error, expect

from support.bundle import bundle
from support.case import TIMEOUT
from support.devices import wait_until
from support.look import find_faults
from support.notes import Notes, NotesUser, go_offline
from support.notes_editor import EditorCase
from support.notes_files import FilesEditor, noise, photo, picture

PDF = ("Minutes 2026.pdf", "application/pdf", b"%PDF-1.4 " + noise(3000))
# The words in the metadata of the photo.
METADATA = (b"GPSDatum", b"XMPLatitude", b"CameraModel", b"CommentOfPhoto")

class NotesAttachmentsTests(EditorCase):
    def open_note(self, user, note, **options):
        """Opens a note of a user in a new browser."""
        one = self.person(application="notes", **options)
        return FilesEditor(Notes(one, user).sign_in(), note).open()

    def files_editor(self, body="", **options):
        user = NotesUser(self.instance)
        return self.open_note(user, user.create("A trip", body), **options)

    def test_pictures_travel(self):
        """a picture pasted offline appears on another device after both are online, without its location and upright;
        its description is edited there, it opens large, and its deletion is shown on both"""
        here = self.files_editor("Before\n\nAfter")
        there = self.open_note(here.user, here.note)
        go_offline(here.page)
        here.caret_at_end_of("Before")
        here.give("paste", photo())
        expect(here.frame("Saved on this device")).to_be_visible()
        here.give("paste", PDF)
        here.notes.await_status(re.compile("not synced|not sent"))
        # All is on the disk, so a page that starts again offline shows the same.
        here.page.reload()
        self.assertEqual(here.size("photo-6"), [16, 24])
        here.page.context.set_offline(False)
        here.notes.await_server()
        self.assertEqual(there.size("photo-6"), [16, 24])
        data = here.bytes("photo-6.jpg")
        self.assertEqual([word for word in METADATA if word in data or word not in photo()[2]], [])
        self.assertEqual(here.bytes(PDF[0]), PDF[2])

        there.page.get_by_label("Description of the image").fill("The *old* harbour")
        there.page.keyboard.press("Enter")
        expect(here.picture("The *old* harbour")).to_be_visible()
        self.assertIn(r"![The \*old\* harbour](attachments/", here.saved()["body"])

        there.page.keyboard.press("Control+Enter")
        with there.page.expect_download() as download:
            there.preview().get_by_role("button", name=PDF[0]).click()
        self.assertEqual(download.value.suggested_filename, PDF[0])
        there.picture("The *old* harbour").click()
        large = there.page.get_by_role("dialog", name="The *old* harbour")
        expect(large.get_by_role("img", name="The *old* harbour")).to_have_js_property("naturalWidth", 16)
        there.page.keyboard.press("Escape")
        expect(large).to_have_count(0)

        # A third device keeps previews of notes that were never opened there.
        later = self.person(application="notes")
        notes = Notes(later, here.user).sign_in()
        notes.await_server()
        notes.open_settings()
        expect(later.page.get_by_text("1.3 kB on this device")).to_be_visible()
        go_offline(later.page)
        self.assertEqual(FilesEditor(notes, here.note).open().size("The *old* harbour"), [16, 24])

        self.assertEqual(here.user.call("DELETE", f"/attachments/{here.stored()['photo-6.jpg']['id']}").status, 204)
        for editor in (here, there):
            expect(editor.frame("This file was deleted.")).to_be_visible()

    def test_ways_of_adding(self):
        """files are pasted, dropped and selected into the middle of a text while the user types on; others are refused
        with a reason, or stay files"""
        editor = self.files_editor("- [ ] one\n\ntwo")
        editor.caret_at_end_of("two")
        editor.give("paste", ("image.png", "image/png", picture(40, 30)))
        expect(editor.picture("image.png")).to_be_visible()
        editor.give("drop", ("dropped.png", "image/png", picture(20, 20)))
        expect(editor.picture("dropped")).to_be_visible()
        editor.select("Add images", photo("photo-1.jpg"), ("second.png", "image/png", picture(9, 9)))
        expect(editor.picture("second")).to_be_visible()
        editor.select("Attach files", PDF)
        expect(editor.line(PDF[0])).to_be_visible()
        editor.notes.await_server()
        body = re.sub("[a-z2-7]{26}", "ID", editor.saved()["body"])
        self.assertEqual(body.count("attachments/ID"), 5, body)
        self.assertIn("- [ ] one\n      ![dropped](attachments/ID.png)\n", body)
        self.assertIn("two\n![](attachments/ID.png)\n![photo-1](attachments/ID.jpg)\n![second](attachments/ID.png)\n", body)
        self.assertEqual(len(editor.stored()), 5)

        failures = editor.page.locator(".notices .failure")
        editor.give("paste", ("nothing.png", "image/png", b""))
        expect(failures.get_by_text("Empty files can’t be added")).to_be_visible()
        editor.give("paste", ("broken.jpg", "image/jpeg", photo()[2][:40]))
        failures.get_by_text("Damaged image").locator("..").get_by_role("button", name="Keep as a file").click()
        expect(editor.line("broken.jpg")).to_be_visible()
        # A picture that would need 10 GB of memory is never decoded.
        editor.give("paste", ("huge.png", "image/png", picture(50_000, 50_000, b"x")))
        expect(editor.page.locator(".notices").get_by_text("Large image kept as a file")).to_be_visible()
        # The name says HEIC, and this browser can read the bytes, as Safari can read those of HEIC.
        editor.give("paste", ("IMG_0001.HEIC", "image/heic", picture(30, 20)))
        self.assertEqual(editor.size("IMG_0001"), [30, 20])
        editor.give("paste", ("IMG_0002.HEIC", "image/heic", b"\0\0\0\x18ftypheic" + noise(500)))
        expect(editor.page.locator(".notices").get_by_text("Image kept as a file", exact=True)).to_be_visible()
        editor.title().evaluate("(element) => element.focus()")
        editor.give("paste", ("clip.png", "image/png", picture(3, 3)))
        self.assertTrue(wait_until(lambda: len(editor.stored()) == 10, TIMEOUT / 1000), editor.stored())
        self.assertEqual(editor.bytes("IMG_0001.jpg")[:2], b"\xff\xd8")
        self.assertEqual(editor.bytes("IMG_0002.HEIC")[8:12], b"heic")

    def test_sending_resumes(self):
        """an interrupted upload resumes where it was: after a reload, in another tab, and after the renderer is
        killed; a file that the server refuses says why, and sign-out names what is not sent"""
        editor = self.files_editor("")
        context = editor.page.context
        editor.notes.person.checks.allow("ERR_FAILED|status of 4(01|13)")
        content = noise((5 << 20) + 17)
        # The number of pieces that arrive before the network fails.
        left = []

        def let_pass(route):
            if route.request.method == "PATCH" and not left:
                return route.abort()
            if route.request.method == "PATCH":
                left.pop()
            return route.continue_()

        def interrupted():
            """Lets a piece pass, and waits until the next one fails; those of a closing page end as aborted instead."""
            left.append("a piece")
            return context.expect_event("requestfailed", lambda request: request.method == "PATCH"
                                        and request.failure == "net::ERR_FAILED")

        def offsets():
            return [int(request.headers["upload-offset"]) for request in editor.notes.person.checks.requests
                    if request.method == "PATCH"]

        context.route("**/development/attachments/*", let_pass)
        with interrupted():
            editor.select("Attach files", ("film.bin", "application/octet-stream", content))
        expect(editor.line("film.bin")).to_be_visible()
        editor.await_server()
        with interrupted():
            editor.page.reload()
        for is_killed in (False, True):
            page = context.new_page()
            page.goto(editor.page.url)
            expect(FilesEditor(editor.notes, editor.note, page).body()).to_be_visible()
            with interrupted():
                if is_killed:
                    with self.assertRaises(Error):
                        editor.page.goto("chrome://crash")
                editor.page.close()
            editor = FilesEditor(editor.notes, editor.note, page)
            editor.notes.person.page = page
        expect(editor.page.locator(".foot .page-status")).to_have_text("Sending 1 file…")
        # A piece that a closing page takes along is sent again by the next page.
        while max(offsets()) < 4 << 20:
            with interrupted():
                pass
        # Chromium sends a held request when its page closes, so that one more piece may have arrived.
        self.assertEqual(offsets(), sorted(offsets()))
        self.assertLessEqual({0, 1 << 20, 2 << 20, 3 << 20, 4 << 20}, set(offsets()))
        context.unroute("**/development/attachments/*")
        editor.notes.await_server(60_000)
        self.assertEqual(editor.bytes("film.bin"), content)

        editor.give("paste", ("vast.bin", "application/octet-stream", (25 << 20) + 1))
        editor.notes.await_status("1 file needs attention")
        editor.notes.status().click()
        dialog = editor.notes.dialog("Sync status")
        expect(dialog.get_by_text("It’s larger than the server allows.")).to_be_visible()
        editor.page.keyboard.press("Escape")
        editor.notes.open_settings()
        editor.page.get_by_role("button", name="Sign out…").click()
        question = editor.notes.dialog("Sign out?")
        expect(question.get_by_text("1 file isn’t on the server yet.")).to_be_visible()
        expect(question.get_by_role("listitem")).to_have_text(["vast.bin"])
        question.get_by_role("button", name="Sign out and lose unsynced changes").click()
        expect(editor.page.get_by_text("were removed from this device")).to_have_count(2)
        self.assertEqual(editor.page.evaluate("indexedDB.databases()"), [])

    def test_files_that_the_server_lost(self):
        """with "All files" a device has each file offline; a server that lost files in a restore receives them again"""
        here = self.files_editor("Tickets:")
        here.caret_at_end_of("Tickets:")
        here.give("paste", PDF)
        here.notes.await_server()
        there = self.person(application="notes")
        there.checks.allow("status of 410")
        notes = Notes(there, here.user).sign_in()
        notes.await_server()
        notes.open_settings()
        there.page.get_by_label("Files on this device").select_option("All files")
        expect(there.page.get_by_text("2.9 kB on this device")).to_be_visible()
        there.page.keyboard.press("Escape")
        go_offline(there.page)
        reader = FilesEditor(notes, here.note).open()
        there.page.keyboard.press("Control+Enter")
        with there.page.expect_download() as download:
            reader.preview().get_by_role("button", name=PDF[0]).click()
        with open(download.value.path(), "rb") as file:
            self.assertEqual(file.read(), PDF[2])
        here.page.close()
        there.page.context.set_offline(False)

        self.instance.lose_attachment(here.user.environment, here.stored()[PDF[0]]["id"])
        self.assertEqual(here.stored(), {})
        # A restore renews the lineage, after which the server refuses cursors of before.
        there.page.context.route(re.compile(r"/attachments\?since="), lambda route: route.fulfill(
            status=410, content_type="application/problem+json",
            body='{"type": "urn:almanac:problem:resync", "title": "Resync", "status": 410}'), times=1)
        with there.page.context.expect_event("response", lambda response: response.request.method == "PATCH"):
            there.page.reload()
        self.assertEqual(here.bytes(PDF[0]), PDF[2])

    def test_eviction(self):
        """above the limit the bytes that were used last stay: originals go before previews, unsent ones never"""
        self.assertEqual(self.files_editor().page.evaluate(
            bundle("Tests/Web/simulation/eviction.js", "--global-name=eviction") + "eviction.run()"), {
            "c": [True, True], "a": [True, True], "unsent": [True, False], "b": [False, True]})

    def test_text_of_another_account(self):
        """text pasted into another account's page offers to copy its files, and copies them after a press: under their
        ids, or under new ones if they were removed there; a file that is not on this device is named"""
        here = self.files_editor("")
        context = here.page.context
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        here.give("paste", photo(), PDF)
        expect(here.line(PDF[0])).to_be_visible()
        here.notes.await_server()
        mine = {name: each["id"] for name, each in here.stored().items()}
        # Another device of this user adds a file, whose bytes arrive here only when it is opened.
        away = "a" * 26
        content = b"%PDF-1.4 away"
        here.user.must("PUT", f"/attachments/{away}", {
            "bytes": len(content), "sha256": sha256(content).hexdigest(), "type": PDF[1], "name": "away.pdf"})
        sent = here.user.call("PATCH", f"/attachments/{away}?part=file", content, **{
            "Content-Type": "application/octet-stream", "Upload-Offset": "0"})
        self.assertEqual(sent.status, 204)
        here.write_elsewhere(lambda body: f"{body}\n\n[away](attachments/{away}.pdf)\n")
        expect(here.line("away")).to_be_visible()
        here.body().click()
        for keys in ("Control+a", "Control+c"):
            here.page.keyboard.press(keys)

        other = NotesUser(self.instance, "staging")
        note = other.create("A copy")
        person = here.notes.person
        person.page = context.new_page()
        there = FilesEditor(Notes(person, other).sign_in(), note).open()
        notices = there.page.locator(".notices .notice-box")

        def paste(offer):
            there.body().click()
            for keys in ("Control+a", "Control+v"):
                there.page.keyboard.press(keys)
            expect(notices.last).to_contain_text(offer)
            there.await_server()

        paste("3 files are in another account")
        self.assertEqual(there.saved()["body"], here.saved()["body"])
        expect(there.frame("Not here yet")).to_be_visible()
        self.assertEqual(there.stored(), {})
        notices.last.get_by_role("button", name="Copy files").click()
        expect(notices.last).to_have_text(re.compile("Not copied: away.pdf"))
        self.assertEqual(there.size("photo-6"), [16, 24])
        there.notes.await_server()
        self.assertEqual({name: each["id"] for name, each in there.stored().items()}, mine)
        for name in mine:
            self.assertEqual(there.bytes(name), here.bytes(name))

        self.assertEqual(other.call("DELETE", f"/attachments/{mine['photo-6.jpg']}").status, 204)
        expect(there.frame("This file was deleted.")).to_be_visible()
        paste("2 files are in another account")
        notices.last.get_by_role("button", name="Copy files").click()
        self.assertEqual(there.size("photo-6"), [16, 24])
        there.await_server()
        there.notes.await_server()
        new = there.stored()["photo-6.jpg"]["id"]
        self.assertEqual(there.saved()["body"], here.saved()["body"].replace(mine["photo-6.jpg"], new))

    def test_looks(self):
        """pictures, files and placeholders have no fault in the editor, the preview and the large view, and keys reach
        them"""
        unknown = "a" * 26
        editor = self.files_editor(f"Before\n\n![Not sent yet](attachments/{unknown}.png)\n\nAfter")
        expect(editor.frame("Not sent yet")).to_be_visible()
        editor.caret_at_end_of("After")
        editor.give("paste", ("wide.png", "image/png", picture(1500, 500)), PDF)
        expect(editor.picture("wide")).to_be_visible()
        expect(editor.line(PDF[0])).to_be_visible()
        editor.notes.await_server()
        faults = find_faults(editor.page, "editor")
        editor.page.keyboard.press("Control+Enter")
        expect(editor.preview().get_by_role("button", name=PDF[0])).to_be_visible()
        faults += find_faults(editor.page, "preview")
        editor.picture("wide").press("Enter")
        expect(editor.page.get_by_role("dialog", name="wide")).to_be_visible()
        faults += find_faults(editor.page, "large view", "dialog")
        editor.page.keyboard.press("ArrowRight")
        expect(editor.page.get_by_role("dialog", name="Not sent yet")).to_be_visible()
        editor.page.keyboard.press("Escape")
        self.assertEqual(faults, [])
