# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer on the parser of decks. The test needs clang.
pkg-config finds HDF5 and libcrypto; yaml-cpp and fmt must be in the compiler's default folders."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import hostile
import rivulet_cli

COMPILER = shutil.which(os.environ.get("RIVULET_FUZZING_COMPILER") or "clang++")
SOURCES = ["deck", "deck_reader", "input_file", "messages", "schema", "scalar_text", "communicator",
           "hdf5_support",
           # Sources with which a communicator's abort() removes files and prints messages.
           "open_outputs", "output_lock", "output_names", "node", "sha256", "file_space", "stop_signals",
           "standard_streams"]
FLAGS = ["-std=c++20", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined",
         "-DFMT_SHARED", "-DRIVULET_ENABLE_MPI=0", "-DRIVULET_HDF5_IS_PARALLEL=0"]


def package(*names):
    """Returns the flags of pkg-config for the first package that exists."""
    for name in names:
        done = subprocess.run(["pkg-config", "--cflags", "--libs", name], capture_output=True, text=True,
                              check=False)
        if done.returncode == 0:
            return shlex.split(done.stdout)
    raise unittest.SkipTest(f"pkg-config knows no {' or '.join(names)}")


@unittest.skipUnless(COMPILER, "clang++ is not installed, which brings libFuzzer")
class Fuzzers(hostile.Hostile):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.objects = pathlib.Path(folder.name)
        cls.root = rivulet_cli.SOURCE_DIR.resolve()
        libraries = [*package("hdf5-serial", "hdf5-openmpi", "hdf5"), *package("libcrypto"), "-lyaml-cpp", "-lfmt"]
        cls.flags = [*FLAGS, f"-I{cls.root}/src", f"-I{cls.root}/include",
                     *(word for word in libraries if not word.startswith("-l") and word[:2] != "-L")]
        cls.libraries = [word for word in libraries if word[:2] in ("-l", "-L")]
        for name in SOURCES:
            cls.compile(next((cls.root / "src/io").rglob(f"{name}.cpp")), cls.objects / f"{name}.o", "-c", "-fsanitize=fuzzer-no-link")

    @classmethod
    def compile(cls, source, output, *more):
        done = subprocess.run([COMPILER, *cls.flags, *more, str(source), "-o", str(output)], capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr[-3000:])

    def test_decks(self):
        self.compile(pathlib.Path(__file__).parent / "fuzz_decks.cpp", self.directory / "fuzz", "-fsanitize=fuzzer",
                     *map(str, self.objects.iterdir()), *self.libraries)
        (self.directory / "corpus").mkdir()
        for number, deck in enumerate(hostile.DECKS):
            (self.directory / "corpus" / str(number)).write_bytes(deck)
        done = subprocess.run(["./fuzz", "corpus", f"-max_total_time={int(hostile.SECONDS)}", "-timeout=20",
                               "-max_len=1000", f"-seed={hostile.SEED}", "-print_final_stats=1"],
                              cwd=self.directory, capture_output=True, text=True, errors="replace", check=False)
        print("fuzz_decks:", *re.findall(r"stat::number_of_executed_units: +\d+", done.stderr))
        found = [path.read_bytes() for path in self.directory.glob("*-*") if path.is_file()]
        self.assertEqual((done.returncode, found), (0, []), done.stderr[-4000:])
