"""Pictures and files in the notes' editor, by the names that users see."""

import base64
import os
import random
import struct
import zlib

from support.instance import CHECKOUT
from support.notes_editor import Editor

PICTURES = os.path.join(CHECKOUT, "Tests/Web/moving/pictures")

# Pastes files into an element, or drops them at the end of its first line. A file's content is base64, or a number of
# zeros.
GIVE = """(element, [kind, files]) => {
    const data = new DataTransfer();
    for (const [name, type, content] of files) {
        const bytes = typeof content === "number" ? new Uint8Array(content)
            : Uint8Array.from(atob(content), (unit) => unit.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
    }
    const { right, top } = element.getBoundingClientRect();
    const form = { bubbles: true, cancelable: true, composed: true, clientX: right - 8, clientY: top + 8 };
    element.dispatchEvent(kind === "paste"
        ? new ClipboardEvent("paste", { ...form, clipboardData: data })
        : new DragEvent("drop", { ...form, dataTransfer: data }));
}"""


def photo(name="photo-6.jpg"):
    """Returns a photo with a location and its orientation, as a file of a browser."""
    with open(os.path.join(PICTURES, name), "rb") as file:
        return (name, "image/jpeg", file.read())


def noise(size):
    """Returns bytes that no compression makes shorter, always the same ones for a size."""
    return random.Random(size).randbytes(size)


def picture(width, height, content=b""):
    """Returns a PNG that says these dimensions."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = content or zlib.compress((b"\0" + b"\x30\x80\xc0" * width) * height)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


class FilesEditor(Editor):
    def give(self, kind, *files):
        """Pastes or drops files, whose content is bytes or a number of zeros."""
        self.body().evaluate(GIVE, [kind, [
            (name, type, data if isinstance(data, int) else base64.b64encode(data).decode())
            for name, type, data in files]])

    def select(self, label, *files):
        """Selects files in the chooser that a button or the menu of the note opens."""
        button = self.page.get_by_role("button", name=label)
        if label == "Attach files":
            self.page.get_by_role("button", name="More").click()
        with self.page.expect_file_chooser() as chosen:
            button.click()
        chosen.value.set_files([{"name": name, "mimeType": type, "buffer": data} for name, type, data in files])

    def picture(self, name):
        return self.page.get_by_role("button", name=f"Open image {name}")

    def frame(self, text):
        """Returns the frame of a picture or a placeholder that contains a text."""
        return self.page.locator(".attachment:visible").filter(has_text=text)

    def size(self, name):
        """Returns the natural size of a shown picture, once it is decoded."""
        return self.picture(name).locator("img").evaluate(
            "async (image) => { await image.decode(); return [image.naturalWidth, image.naturalHeight]; }")

    def stored(self):
        """Returns the attachments on the server by name."""
        return {each["name"]: each for each in self.user.must("GET", "/attachments")["attachments"]}

    def bytes(self, name):
        """Returns the bytes of an attachment as another device receives them."""
        return self.user.call("GET", f"/attachments/{self.stored()[name]['id']}").body
