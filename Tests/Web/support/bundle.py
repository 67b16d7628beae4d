"""Modules of the project as one script."""

import os
import subprocess
import tempfile

from support.instance import CHECKOUT


def bundle(module, *options):
    """The text of a script that is a module, by its path in the checkout, with all that it imports."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script.js")
        subprocess.run(["esbuild", os.path.join(CHECKOUT, module), "--bundle", "--format=iife", "--log-level=warning",
                        f"--outfile={script}", *options], check=True)
        with open(script, encoding="utf-8") as file:
            return file.read()
