# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that the package builds, and that its wheel works once unpacked."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

import rivulet

ROOT = pathlib.Path(os.environ.get("RIVULET_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
BACKEND = """
import sys, setuptools.build_meta as backend
print(getattr(backend, "build_" + sys.argv[1])(sys.argv[2]))
"""


@pytest.fixture
def source(tmp_path):
    """A copy of the package's sources, because builds write into the source folder."""
    setuptools = pytest.importorskip("setuptools")
    if int(setuptools.__version__.split(".")[0]) < 61:
        pytest.skip(f"setuptools {setuptools.__version__} reads no pyproject.toml")
    shutil.copytree(ROOT / "python", tmp_path / "python",
                    ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "python"


def built(source, kind):
    """Builds the package by calling its PEP 517 backend directly, which downloads nothing."""
    done = subprocess.run([sys.executable, "-c", BACKEND, kind, str(source.parent)], cwd=source,
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": ""})
    assert done.returncode == 0, done.stderr
    return source.parent / done.stdout.splitlines()[-1]


def sources():
    return {f"rivulet/{path.name}" for path in (ROOT / "python" / "rivulet").glob("*.py")} \
        | {"rivulet/py.typed"}


def test_wheel(source, tmp_path):
    pytest.importorskip("wheel")
    wheel = built(source, "wheel")
    assert wheel.name == f"rivulet-{rivulet.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if name.startswith("rivulet/")} == sources()
        told, = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA"))
        assert (ROOT / "python" / "README.md").read_text(encoding="utf-8") in told and "Classifier: Typing" in told
        licence, = (archive.read(name).decode() for name in archive.namelist() if name.endswith("LICENSE"))
        assert licence == (ROOT / "LICENSE").read_text(encoding="utf-8")
        archive.extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-c", "import rivulet; print(rivulet.__file__, rivulet.Stream().random())"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site"),
             "RIVULET_LIBRARY": rivulet.library_path()}, capture_output=True, text=True,
        check=True)
    assert done.stdout.split() == [str(tmp_path / "site" / "rivulet" / "__init__.py"),
                                   str(rivulet.Stream().random())]


def test_sdist(source):
    archive = built(source, "sdist")
    assert archive.name == f"rivulet-{rivulet.__version__}.tar.gz"
    with tarfile.open(archive) as files:
        inside = {name.split("/", 1)[-1] for name in files.getnames()}
    assert sources() | {"pyproject.toml", "README.md", "LICENSE"} <= inside


def test_one_version():
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    version = re.search(r"^  VERSION (\S+)$", cmake, re.MULTILINE)[1]
    assert rivulet.__version__ == version
    from rivulet import _library
    assert version.startswith(_library.RELEASE + ".")


def test_types(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path),
                           "-p", "rivulet"], cwd=ROOT / "python", capture_output=True, text=True,
                          check=False, env={**os.environ, "PYTHONPATH": ""})
    assert done.returncode == 0, done.stdout
