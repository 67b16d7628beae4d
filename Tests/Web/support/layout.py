"""Temporary new versions of the notes' pages in an instance."""

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager

from support.instance import CHECKOUT

SCRIPT = """
set -euo pipefail
checkout=$1
source "$checkout/deploy/lib/pages.sh"
# To be small is not what these are for, and takes seconds each time.
finish_files() {
    chmod -R u=rwX,go=rX -- "$1"
    find "$1" -type f -exec brotli -q 1 {} + -exec gzip --keep --fast {} +
}
draft=$(mktemp -d "$3.XXXXXX")
trap 'rm -rf -- "$draft"' EXIT
make_application "$2" "$draft" notes "$4"
publish_application "$draft" "$3"
"""


class Layout:
    """The pages of the notes that nginx serves."""

    def __init__(self, home, folder):
        self.folder = os.path.join(home, "www", "notes")
        self._sources = os.path.join(folder, "www")
        shutil.copytree(os.path.join(CHECKOUT, "Sources", "Web"), self._sources)
        self._module = os.path.join(folder, "textmerge.wasm")
        shutil.copy(self.file("notes/text/textmerge.wasm"), self._module)
        self._count = 0

    def version(self):
        with open(os.path.join(self.folder, "index.html"), encoding="utf-8") as file:
            return re.search(r"/assets/(\w+)/", file.read()).group(1)

    def file(self, path):
        """Returns a file's path in the served version."""
        return os.path.join(self.folder, "assets", self.version(), path)

    def lay_out_another(self):
        """Lays out another version with the same look; returns its name."""
        self._count += 1
        with open(os.path.join(self._sources, "notes", "style.css"), "a", encoding="utf-8") as file:
            file.write(f"\n:root {{ --laid-out: {os.getpid()}{self._count} }}\n")
        subprocess.run(["bash", "-c", SCRIPT, "-", CHECKOUT, self._sources, self.folder, self._module],
                       check=True, timeout=120)
        return self.version()


@contextmanager
def layouts(home):
    """Restores the former pages at the end."""
    with tempfile.TemporaryDirectory() as folder:
        layout = Layout(home, folder)
        before = os.path.join(folder, "before")
        shutil.copytree(layout.folder, before)
        try:
            yield layout
        finally:
            shutil.rmtree(layout.folder)
            shutil.move(before, layout.folder)
