"""Tests of import and export: a preview comes first, and an export equals its import."""

import base64
import hashlib
import io
import json
import pathlib
import posixpath
import re
import zipfile

import markdown
from playwright.sync_api import expect

from support.case import BrowserCase
from support.look import find_faults
from support.notes import Notes, NotesUser

folder = pathlib.Path(__file__).resolve().parent / "moving"
expected = json.loads((folder / "expected.json").read_text())


def tree(form):
    """Returns the files of an export by their paths."""
    place = folder / form
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def archive(files):
    with io.BytesIO() as memory:
        with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as zipped:
            for path, content in files.items():
                zipped.writestr(path, content)
        return memory.getvalue()


def id_of(content):
    """Returns the id that an import gives to a file."""
    return base64.b32encode(hashlib.sha256(content).digest()[:16]).decode().rstrip("=").lower()


# Returns the pixels of a picture as a browser shows it.
PIXELS = """async (text) => {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]), { imageOrientation: "from-image" });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return [bitmap.width, bitmap.height, ...context.getImageData(0, 0, bitmap.width, bitmap.height).data];
}"""

# Returns true if the page has handled the drop.
DROP = """(element, [name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    const event = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    return !element.dispatchEvent(event("dragover")) && !element.dispatchEvent(event("drop"));
}"""


class NotesMoveTests(BrowserCase):
    def notes_of(self, user=None):
        """Opens a user's page for import and export."""
        person = self.person(application="notes")
        notes = Notes(person, user or NotesUser(self.instance)).sign_in()
        notes.go("move")
        expect(notes.page.get_by_role("heading", name="Import and export")).to_be_visible()
        return notes

    def test_files_are_dropped_anywhere(self):
        """files dropped beside every target are shown in the import, or refused with a notice, and never opened"""
        person = self.person(application="notes")
        notes = Notes(person, NotesUser(self.instance)).sign_in()
        notes.await_server()
        self.drop(notes, "plan.md", "bread")
        button = notes.page.get_by_role("button", name="Import 1 note")
        expect(button).to_be_visible()
        self.drop(notes, "list.md", "milk")
        button.click()
        expect(notes.page.get_by_text("1 note imported.")).to_be_visible()
        notes.await_server()
        self.assertEqual([note["title"] for note in notes.user.notes().values()], ["list"])
        notes.page.keyboard.press("?")
        self.drop(notes, "plan.md", "bread")
        expect(notes.page.locator(".notice-box").filter(has_text="Files can’t be imported here")).to_be_visible()

    def drop(self, notes, name, text):
        """Drops a file on the sidebar; fails if the browser would open it."""
        self.assertTrue(notes.page.locator("#side").evaluate(DROP, [name, text]))

    def choose(self, notes, name, content):
        notes.page.locator("input.file").set_input_files({"name": name, "mimeType": "", "buffer": content})

    def take(self, notes, name, content, count):
        self.choose(notes, name, content)
        notes.page.get_by_role("button", name=f"Import {count} notes").click()
        expect(notes.page.get_by_text(f"{count} notes imported.")).to_be_visible()
        notes.await_server()

    def export(self, notes, form):
        notes.page.locator(f"input[value={form}]").check()
        with notes.page.expect_download() as download:
            notes.page.get_by_role("button", name="Export", exact=True).click()
        with zipfile.ZipFile(download.value.path()) as zipped:
            return {path: zipped.read(path) for path in zipped.namelist()}


    def assert_same(self, found, kept):
        self.assertEqual(sorted(found), sorted(kept))
        for path, content in kept.items():
            self.assertEqual(found[path].decode("latin1"), content.decode("latin1"), path)

    def check_round_trip(self, form):
        """Checks that an export is imported and exported unchanged, in its own format and through another account."""
        user = NotesUser(self.instance)
        notes = self.notes_of(user)
        files = tree(form)
        # A file of Joplin gets an id, and its place in an export has this name.
        names = {path.split("/")[1]: id_of(content) + ".png"
                 for path, content in files.items() if path.startswith("_resources/")}
        def renamed(text, folder="_resources"):
            for name, own in names.items():
                text = text.replace(f"../_resources/{name}", f"{'../' if folder == '_resources' else ''}{folder}/{own}")
            return text
        wanted = [found["note"] for found in expected[form]["notes"]]
        for note in wanted:
            note["body"] = renamed(note["body"], "attachments")
        self.take(notes, "export.zip", archive(files), len(wanted))
        details = user.notes()
        for note in wanted:
            if note["trashed"]:
                continue
            there = details[note["id"]]
            for part in ("title", "body", "tags", "pinned"):
                self.assertEqual(there[part], note[part], (note["id"], part))
        attached = {names[path.split("/")[1]]: content for path, content in files.items() if path.startswith("_resources/")}
        kept = {path: renamed(content.decode()).encode() for path, content in files.items()
                if not path.startswith("_resources/")}
        kept |= {f"_resources/{name}": content for name, content in attached.items()}
        self.assert_same(self.export(notes, form), kept)
        exported = self.export(notes, "markdown")
        texts = {file["path"]: renamed(file["text"], "attachments").encode() for file in expected[form]["markdown"]}
        self.assertEqual(exported, texts | {f"attachments/{name}": content for name, content in attached.items()})
        # Import the same file again, and the export into another account.
        self.choose(notes, "export.zip", archive(files))
        expect(notes.page.get_by_text(f"{len(wanted)} notes already exist.")).to_be_visible()
        expect(notes.page.get_by_role("button", name="Import")).to_have_count(0)
        other = self.notes_of()
        self.take(other, "notes.zip", archive(exported), len(wanted))
        self.assert_same(self.export(other, form), kept)

    def test_simplenote_round_trip(self):
        """Simplenote's export is imported, and exported unchanged"""
        self.check_round_trip("simplenote")

    def test_joplin_round_trip(self):
        """Joplin's export is imported, and exported unchanged"""
        self.check_round_trip("joplin")

    def test_says_what_is_left_out(self):
        """the preview lists the imported notes, and the skipped ones with the reason"""
        user = NotesUser(self.instance)
        notes = self.notes_of(user)
        content = json.dumps({"activeNotes": [
            {"id": "a", "content": "Fits\nmilk", "tags": ["x" * 65, "y"]},
            {"id": "b", "content": "T\n" + "b" * 2**20 + "b"}, {"id": "c"}, {"id": "d", "content": "<img src=x onerror=alert(1)>"},
        ]})
        self.choose(notes, "Backup.json", content.encode())
        page = notes.page
        expect(page.get_by_text("2 notes will be imported.")).to_be_visible()
        for text in ("1 tag skipped: tags can have 1 to 64 characters",
                     "1 note skipped: text longer than 1 MiB",
                     "1 file or entry skipped: not a note"):
            expect(page.get_by_text(text)).to_be_visible()
        self.assertEqual(user.notes(), {})
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("2 notes will be imported.")).to_have_count(0)
        self.assertEqual(user.notes(), {})
        self.choose(notes, "Backup.json", content.encode())
        expect(page.get_by_role("button", name="Import 2 notes")).to_be_focused()
        self.assertEqual(find_faults(page, "import"), [])
        page.set_viewport_size({"width": 768, "height": 1000})
        self.assertGreater(page.get_by_role("main").bounding_box()["width"], 500)
        page.get_by_role("button", name="Import 2 notes").click()
        # The skipped items are still listed after the import.
        expect(page.get_by_text("2 notes imported.")).to_be_visible()
        expect(page.get_by_text("1 note skipped: text longer than 1 MiB")).to_be_visible()

    def test_other_programs(self):
        """files of Hugo and Bear keep titles and tags, and the page reports tags found in texts"""
        user = NotesUser(self.instance)
        notes = self.notes_of(user)
        body = "#home/garden #several words#\n\nplant #2"
        self.choose(notes, "notes.zip", archive({
            "Post.md": '+++\ntitle = "Hello: TOML"\ntags = ["go"]\ndraft = true\n+++\ntext',
            "Garden- one.md": f"# Garden: one\n{body}",
        }))
        page = notes.page
        for text in ("2 notes will be imported.", "1 note keeps fields in its text that aren’t supported",
                     "1 note gets tags from the #tags in its text; the text doesn’t change"):
            expect(page.get_by_text(text)).to_be_visible()
        page.get_by_text("1 note gets tags from the #tags").click()
        expect(page.get_by_text("Garden- one.md: home/garden, several words")).to_be_visible()
        page.get_by_role("button", name="Import 2 notes").click()
        expect(page.get_by_text("2 notes imported.")).to_be_visible()
        notes.await_server()
        found = sorted((note["title"], note["body"], note["tags"]) for note in user.notes().values())
        self.assertEqual(found, [("Garden: one", body, ["home/garden", "several words"]),
                                 ("Hello: TOML", "+++\ndraft = true\n+++\n\ntext", ["go"])])

    def test_keep_and_evernote(self):
        """an archive by Takeout and a notebook of Evernote are reported and imported together, and only once"""
        user = NotesUser(self.instance)
        notes = self.notes_of(user)
        page = notes.page
        [(name, notebook)] = tree("evernote").items()
        both = [{"name": "takeout.zip", "mimeType": "", "buffer": archive(tree("keep"))},
                {"name": name, "mimeType": "", "buffer": notebook}]
        page.locator("input.file").set_input_files(both)
        for text in ("14 notes will be imported.", "1 pinned · 1 in Trash · last edited Sep 13, 2020",
                     "2 pictures or files skipped: empty", "1 note has encrypted text", "3 notes lose details"):
            expect(page.get_by_text(text)).to_be_visible()
        page.get_by_text("3 notes lose details").click()
        expect(page.get_by_text("Untitled Note: reminder, due date")).to_be_visible()
        page.get_by_role("button", name="Import 14 notes").click()
        expect(page.get_by_text("14 notes imported.")).to_be_visible()
        notes.await_server()
        found = {note["title"]: note for note in user.notes().values()}
        self.assertEqual(found["مواعيد"]["tags"], ["archived", "صحة"])
        self.assertRegex(found["Trip plan"]["body"], r"See \[Einkauf für Samstag 🛒\]\(notes/en-[0-9a-f]{32}\)")
        page.locator("input.file").set_input_files(both)
        expect(page.get_by_text("14 notes already exist.")).to_be_visible()
        expect(page.get_by_role("button", name="Import")).to_have_count(0)

    def test_files_of_a_vault(self):
        """a vault's files come in without their locations, open in another program, and are equal in another account"""
        user = NotesUser(self.instance)
        notes = self.notes_of(user)
        pictures = tree("pictures")
        files = {f"Bilder/{name}": content for name, content in pictures.items()} | {
            "Rechnung März.pdf": b"%PDF-1.7 bill", "kaputt.jpg": b"\xff\xd8\xff\xe1 cut off"}
        embedded = "\n\n".join(f"![[{name}|300]]" for name in sorted(pictures))
        self.choose(notes, "vault.zip", archive(files | {
            ".obsidian/app.json": b"{}",
            "Reise.md": f"{embedded}\n\n[Rechnung](Rechnung%20M%C3%A4rz.pdf) ![[kaputt.jpg]] ![[weg.png]]".encode(),
            "Tag/Zwei.md": b"![See](../Bilder/photo-6.jpg)",
        }))
        page = notes.page
        for text in ("2 notes will be imported.", f"{len(files)} pictures and files",
                     "1 note refers to pictures or files that aren’t there"):
            expect(page.get_by_text(text)).to_be_visible()
        page.get_by_role("button", name="Import 2 notes").click()
        expect(page.get_by_text("2 notes imported.")).to_be_visible()
        expect(page.get_by_text("1 picture is damaged and stays a file")).to_be_visible()
        notes.await_server()
        exported = self.export(notes, "markdown")
        self.check_opens_elsewhere(exported, len(files))
        for name, content in pictures.items():
            clean = exported[f"attachments/{id_of(content)}.{name.split('.')[1]}"]
            self.assertNotRegex(clean, b"GPSDatum|XMPLatitude|CameraModel", name)
            one, other = (page.evaluate(PIXELS, base64.b64encode(each).decode()) for each in (content, clean))
            self.assertEqual(one, other, name)
        # Another device has the files from the server only.
        device = self.notes_of(user)
        device.await_server()
        self.assert_same(self.export(device, "markdown"), exported)
        other = self.notes_of()
        self.take(other, "notes.zip", archive(exported), 2)
        again = self.export(other, "markdown")
        self.assertEqual(sorted(hashlib.sha256(content).digest() for path, content in exported.items() if "/" in path),
                         sorted(hashlib.sha256(content).digest() for path, content in again.items() if "/" in path))
        self.check_opens_elsewhere(again, len(files))
        # The account's own export adds nothing.
        self.choose(notes, "notes.zip", archive(exported))
        expect(page.get_by_text("2 notes already exist.")).to_be_visible()
        expect(page.get_by_role("button", name="Import")).to_have_count(0)
        self.check_opens_elsewhere(self.export(notes, "joplin"), len(files))

    def test_files_above_the_limit(self):
        """an import leaves out files that the environment does not accept, once the page knows its limit"""
        notes = self.notes_of(NotesUser(self.instance, "staging"))
        page = notes.page
        skipped = page.get_by_text("1 picture or file skipped: larger than the server allows")
        files = archive({"a.md": b"![[fits.bin]] ![[large.bin]]", "fits.bin": bytes(1 << 20),
                         "large.bin": bytes((1 << 20) + 1)})
        for _ in range(50):
            self.choose(notes, "notes.zip", files)
            expect(page.get_by_text("1 note will be imported.")).to_be_visible()
            if skipped.is_visible():
                break
        expect(skipped).to_be_visible()
        page.get_by_role("button", name="Import 1 note").click()
        expect(page.get_by_text("1 note imported.")).to_be_visible()
        notes.await_server()

    def check_opens_elsewhere(self, exported, count):
        """Checks that every link that Python's Markdown makes of an export leads to one of its files."""
        targets = set()
        for path, content in exported.items():
            if not path.endswith(".md"):
                continue
            page = markdown.markdown(content.decode(), extensions=["meta"])
            for target in re.findall(r'(?:src|href)="([^"]*)"', page):
                targets.add(posixpath.normpath(posixpath.join(posixpath.dirname(path), target)))
        self.assertEqual(targets, {path for path in exported if not path.endswith(".md")})
        self.assertEqual(len(targets), count)

    def test_archives_that_are_refused(self):
        """zip bombs, and archives without a readable file, are refused with a reason, and nothing is imported"""
        user = NotesUser(self.instance)
        notes = self.notes_of(user)
        words = {"zip-damaged": "damaged", "zip-large": "Too much for one import", "too-large": "larger than 64 MiB",
                 "zip-name": "leads outside the archive", "zip-encrypted": "encrypted",
                 "zip-method": "uses a compression method that isn’t supported"}
        for vector in json.loads((folder / "archives.json").read_text()):
            page = vector["page"]
            reasons = [page["failure"]] if "failure" in page else [what for _, what in page["remarks"]]
            if reasons and not page.get("files"):
                self.choose(notes, "archive.zip", bytes.fromhex(vector["bytes"]))
                expect(notes.page.get_by_role("status").filter(has_text=words[reasons[0]])).to_be_visible()
        self.choose(notes, "picture.png", b"\x89PNG")
        expect(notes.page.get_by_text("No notes of a known format found.")).to_be_visible()
        self.assertEqual(user.notes(), {})
