"""Bundles of the project's modules."""

import os
import subprocess
import tempfile

from support.instance import CHECKOUT


def bundle(module, *options):
    """Bundles a module, by its path in the checkout, with all its imports into one script."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script.js")
        subprocess.run(["esbuild", os.path.join(CHECKOUT, module), "--bundle", "--format=iife", "--log-level=warning",
                        f"--outfile={script}", *options], check=True)
        with open(script, encoding="utf-8") as file:
            return file.read()
