# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A build for this machine's processor on older ones, as qemu-x86_64 (Debian: qemu-user) has them: a sentence, not
a signal."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import rivulet_cli

QEMU = shutil.which("qemu-x86_64")
PROCESSORS = ("Haswell", "Nehalem")  # without AVX-512, without AVX
REFUSAL = "Rivulet cannot run on this processor (it was built for "
LIBRARY = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build")) / "lib" / "librivulet.so"

HOST = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.rivulet_message.restype = library.rivulet_options_layout.restype = ctypes.c_char_p
sequence = ctypes.c_int64(7)
number = ctypes.c_double()
assert library.rivulet_get_double(sequence, ctypes.c_int64(1), ctypes.byref(number)) != 0
assert library.rivulet_create(b"one", None, ctypes.byref(sequence)) != 0
print(library.rivulet_message().decode())
for refused in (library.rivulet_initialize(), library.rivulet_options_default(ctypes.create_string_buffer(1024)),
                library.rivulet_battery(b"small", None, None, None)):
    assert refused != 0
assert library.rivulet_generator_count() == 0 and library.rivulet_options_layout() is None
"""
PACKAGE = """
import rivulet
try:
    rivulet.Stream()
except ImportError as failure:
    print(failure)
"""


def emulated(processor, *command, **environment):
    return subprocess.run([QEMU, "-cpu", processor, *command], text=True, capture_output=True, check=False,
                          env={**os.environ, **rivulet_cli.ENVIRONMENT, **environment})


@unittest.skipUnless(QEMU, "qemu-x86_64 is not installed")
class OlderProcessors(rivulet_cli.Case):
    def setUp(self):
        super().setUp()
        self.older = []
        for processor in PROCESSORS:
            done = emulated(processor, rivulet_cli.BINARY, "--version")
            self.assertIn(done.returncode, (0, 1), processor + done.stderr)
            if done.returncode == 1:
                self.assertIn("rivulet: " + REFUSAL, done.stderr)
                self.assertEqual(done.stdout, "")
                self.older.append(processor)
        if not self.older:
            self.skipTest("the build runs on them")

    def require_library(self):
        if not LIBRARY.exists():
            self.skipTest("the build is static")

    def test_runs_end_with_a_message(self):
        for processor in self.older:
            done = emulated(processor, rivulet_cli.BINARY, "pi", "pi.points=1000")
            self.assertEqual(done.returncode, 1)
            self.assertIn(REFUSAL, done.stderr)

    def test_hosts_of_the_library_get_an_error(self):
        self.require_library()
        for processor in self.older:
            done = emulated(processor, sys.executable, "-c", HOST, str(LIBRARY))
            self.assertEqual(done.returncode, 0, processor + done.stderr)
            self.assertIn(REFUSAL, done.stdout)

    def test_python_raises_an_import_error(self):
        self.require_library()
        for processor in self.older:
            done = emulated(processor, sys.executable, "-c", PACKAGE, RIVULET_LIBRARY=str(LIBRARY),
                            PYTHONPATH=str(rivulet_cli.SOURCE_DIR / "python"))
            self.assertEqual(done.returncode, 0, processor + done.stderr)
            self.assertIn(REFUSAL, done.stdout)


if __name__ == "__main__":
    unittest.main()
