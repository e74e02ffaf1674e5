# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples in docs/python.md, in docstrings and in the notebook run as shown."""

import doctest
import importlib
import json
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import rivulet

ROOT = pathlib.Path(os.environ.get("RIVULET_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
MODULES = [rivulet.__name__, *(f"rivulet.{one.name}" for one in pkgutil.iter_modules(rivulet.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    pytest.importorskip("h5py")
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_most_modules_have_examples():
    tested = [doctest.DocTestFinder().find(importlib.import_module(name)) for name in MODULES]
    assert sum(any(one.examples for one in found) for found in tested) >= 5


def test_the_page(tmp_path):
    """Runs the page's examples in order, as a reader would. An example that begins with "# file: NAME" is saved under
    that name and runs as a program."""
    pytest.importorskip("h5py")
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    pasted = []
    for block in blocks:
        named = re.match(r"# file: (\S+)\n", block)
        if named:
            (tmp_path / named[1]).write_text(block)
            pasted.append(f"import subprocess, sys\nsubprocess.run([sys.executable, '{named[1]}'], check=True)")
        else:
            pasted.append(block)
    assert len(pasted) >= 6
    done = subprocess.run([sys.executable, "-c", "\n".join(pasted)], cwd=tmp_path, text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    printed = re.findall(r"^print\(.*\)  # (<.*>)$", page, re.MULTILINE)
    assert printed and all(one in done.stdout for one in printed), done.stdout
    assert "Digest" not in done.stdout and re.search(r"3\.1\d+ \+- 0\.00", done.stdout)


def test_every_method_is_on_the_page():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    missing = [name for name in dir(rivulet.Stream)
               if not name.startswith("_") and not re.search(rf"\b{name}\b", page)]
    assert missing == []


def test_the_notebook():
    """A new run of the notebook prints the stored output; pictures are not compared."""
    pytest.importorskip("h5py")
    pytest.importorskip("matplotlib")
    path = ROOT / "python" / "examples" / "pi.ipynb"
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
             if cell["cell_type"] == "code"]
    shown = ["".join("".join(output.get("text", ())) for output in cell["outputs"]
                     if output.get("name") == "stdout") for cell in cells]
    assert all(cell["execution_count"] for cell in cells) and any(shown)
    code = "\nprint('%%')\n".join("".join(cell["source"]) for cell in cells)
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True,
                          check=False, env={**os.environ, "MPLBACKEND": "agg"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("%%\n") == shown
