# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks where and in which order the package searches for librivulet, and its message if it finds none."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import rivulet
from rivulet import _library

FILE = _library.FILE
LIBRARY = pathlib.Path(rivulet.library_path())
PACKAGE = pathlib.Path(rivulet.__file__).parent


def found(package, path="/usr/bin:/bin", **variables):
    """Returns the path of the library that an interpreter with only these variables loads, or the interpreter's error
    output."""
    done = subprocess.run(
        [sys.executable, "-c", "import rivulet; print(rivulet.library_path(), *rivulet.generators())"],
        env={"PYTHONPATH": str(package), "PATH": path, **variables}, capture_output=True, text=True,
        check=False)
    return done.stdout.split(" ")[0] if done.returncode == 0 else done.stderr


@pytest.fixture
def installed(tmp_path):
    """Copies the package, without a library, into a prefix. Returns its site-packages directory."""
    place = tmp_path / "prefix" / "lib" / "python3" / "site-packages"
    shutil.copytree(PACKAGE, place / "rivulet", ignore=shutil.ignore_patterns("__pycache__"))
    return place


def pkg_config(tmp_path, folder):
    (tmp_path / "rivulet.pc").write_text(
        f"libdir={folder}\nName: Rivulet\nDescription: it\nVersion: 0.1.0\n")
    return str(tmp_path)


def linked(folder):
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / FILE
    link.symlink_to(LIBRARY)
    return str(link)


def has_pkg_config():
    return shutil.which("pkg-config") is not None


def test_the_order(installed, tmp_path):
    if os.path.exists(f"/usr/lib/{FILE}"):
        pytest.skip("this machine has a librivulet of its own")
    named = linked(tmp_path / "named")
    if has_pkg_config():
        last = linked(tmp_path / "last")
        config = {"PKG_CONFIG_PATH": pkg_config(tmp_path, tmp_path / "last")}
        assert found(installed, **config) == last
    else:
        config = {}
    linked(tmp_path / "loader")
    config["LD_LIBRARY_PATH"] = str(tmp_path / "loader")
    assert found(installed, **config) == FILE
    prefix = linked(tmp_path / "prefix" / "lib")
    assert found(installed, **config) == prefix
    beside = linked(installed / "rivulet")
    assert found(installed, **config) == beside
    assert found(installed, RIVULET_LIBRARY=named, **config) == named


def test_a_checkout_has_its_build(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "python" / "rivulet")
    built = linked(tmp_path / "build" / "lib")
    assert found(tmp_path / "python") == built


def test_a_library_that_is_nowhere(installed, tmp_path):
    (installed / "rivulet" / FILE).write_text("no library")
    config = {"PKG_CONFIG_PATH": pkg_config(tmp_path, "/nowhere")}
    message = found(installed, **config)
    assert "OSError: librivulet cannot be loaded (it is in none of the known places)" in message
    assert "Set RIVULET_LIBRARY" in message
    for part in ("beside the package: ", "the loader's path: "):
        assert part in message
    assert not has_pkg_config() or "pkg-config: /nowhere/" in message


def test_a_library_that_is_named_wrongly(installed):
    linked(installed / "rivulet")
    message = found(installed, RIVULET_LIBRARY="/nowhere/it.so")
    assert "RIVULET_LIBRARY names a file that does not load" in message and "/nowhere/it.so" in message
    assert "beside the package" not in message


def test_a_library_of_another_version(installed):
    other = subprocess.run([sys.executable, "-c", "import _ctypes; print(_ctypes.__file__)"],
                           capture_output=True, text=True, check=True).stdout.strip()
    assert "is another version (it has no rivulet_version)" \
        in found(installed, RIVULET_LIBRARY=other)


def test_a_library_of_a_later_version(monkeypatch):
    monkeypatch.setattr(_library, "RELEASE", "9.9")
    with pytest.raises(OSError, match=rf"is another version \({rivulet.__version__}\)\. Set RIVULET_LIBRARY to the path of librivulet 9\.9\."):
        _library.Library()
