# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the ABI for C and Fortran equals tests/capi/abi.txt: symbols of the libraries, declarations of rivulet.h,
and the layout of its struct. RIVULET_UPDATE_ABI=1 rewrites the file."""

import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
FILE = ROOT / "tests" / "capi" / "abi.txt"
BUILD = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build"))
LIBRARIES = BUILD / "lib"
# Symbols of C++ and of the compiler begin with an underscore, as do the symbols of gfortran's modules.
SYMBOLS = {"librivulet.so": "[a-zA-Z]", "librivulet_corsika.so": "[a-zA-Z]",
           "librivulet_fortran.so": "__rivulet_MOD_"}
HEAD = """# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Made by tests/cli/once/test_abi.py, which says what to do where it differs.
"""
ADVICE = """
What is gone or changed breaks programs that are linked with the library: raise SOVERSION, which is MAJOR.MINOR of
CMakeLists.txt's VERSION, unless no release has had it. For what is only added SOVERSION may stay. Then write
tests/capi/abi.txt anew, RIVULET_UPDATE_ABI=1 ctest --test-dir build -R cli_abi, and commit it."""


def symbols(library):
    """Returns the names of the symbols that a library exports."""
    listed = subprocess.run(["nm", "-D", "--defined-only", LIBRARIES / library], check=True, text=True,
                            stdout=subprocess.PIPE).stdout.split("\n")
    names = (line.split()[2] for line in listed if line)
    return sorted(name for name in names if re.match(SYMBOLS[library], name))


def layout():
    """Returns the members of rivulet_options with types and offsets."""
    library = ctypes.CDLL(str(LIBRARIES.resolve() / "librivulet.so"))
    library.rivulet_options_layout.restype = ctypes.c_char_p
    return library.rivulet_options_layout().decode().splitlines()


def declarations():
    """Returns the declarations of rivulet.h, one per line: functions and types, and members and enumerators with their
    type's name."""
    text = (ROOT / "src" / "capi" / "rivulet.h").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r'(?m)^#.*$|^extern "C" \{$|^\}$|\bRIVULET_API\b', "", text)
    blocks = r"typedef (?:struct|enum) (\w+) \{([^}]*)\}[^;]*;"
    found = [f"{name}: {one}" for name, body in re.findall(blocks, text) for one in re.split("[,;]", body)
             if one.strip()]
    found += re.sub(blocks, "", text).split(";")
    return [" ".join(one.split()) for one in found if one.strip()]


def committed():
    """Returns the sections of the committed file, by name."""
    parts = re.split(r"(?m)^\[(.*)\]\n", FILE.read_text(encoding="utf-8"))[1:]
    return {name: lines.splitlines() for name, lines in zip(parts[::2], parts[1::2])}


@unittest.skipUnless((LIBRARIES / "librivulet.so").exists() and shutil.which("nm"),
                     "it takes shared libraries of Linux, and nm")
class Abi(unittest.TestCase):
    def test_it_is_the_committed_one(self):
        if "-fsanitize" in (BUILD / "CMakeCache.txt").read_text(encoding="utf-8"):
            self.skipTest("Python is built without the sanitizers")
        built = {name: symbols(name) for name in SYMBOLS if (LIBRARIES / name).exists()}
        if not built.get("librivulet_fortran.so"):
            built.pop("librivulet_fortran.so", None)  # no Fortran library, or not built by gfortran
        built |= {"rivulet_options": layout(), "rivulet.h": declarations()}
        if os.environ.get("RIVULET_UPDATE_ABI"):
            FILE.write_text(HEAD + "".join(f"[{name}]\n" + "".join(f"{line}\n" for line in lines)
                                           for name, lines in built.items()), encoding="utf-8")
        known = committed()
        changes = [f"{name}: {what}: {line}" for name, lines in built.items() for what, these, others in (
            ("gone or changed", known.get(name, []), lines), ("added", lines, known.get(name, [])))
                   for line in these if line not in others]
        self.assertEqual(changes, [], "\n" + "\n".join(changes) + ADVICE)

    def test_every_function_is_exported(self):
        declared = {match[1] for one in declarations() if not one.startswith("typedef")
                    and (match := re.search(r"(\w+)\(", one))}
        self.assertEqual(declared, set(symbols("librivulet.so")))
