# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jobs refuse outputs that they cannot write."""

import os

import h5py

import rivulet_cli
from refusal import QUICK, RANKS, Refusal


class Output(Refusal):
    JOBS = (["pi", *QUICK], ["create", "create.count=1"])

    def refuse_output(self, output, *phrases, **options):
        for job in self.JOBS:
            with self.subTest(job=job[0]):
                self.refuse(job, output, *phrases, output=output, **options)

    def test_places(self):
        (self.directory / "folder.h5").mkdir()
        self.write("file", "")
        os.mkfifo(self.directory / "pipe")
        for output, *phrases in (
                ("nowhere/out.h5", "No such file or directory", "Create its directory, or choose another path."),
                ("folder.h5", "Is a directory", "Name a file, not a directory."),
                ("file/out.h5", "Not a directory", "Choose a writable path."),
                ("pipe", "it exists and is not a regular file"),
                ("x" * 300 + ".h5", "File name too long", "Choose a writable path.")):
            self.refuse_output(output, *phrases)

    def test_before_hours_of_work(self):
        self.refuse(["create", "create.exponent=2203", "create.count=50000"], "nowhere/out.h5",
                    output="nowhere/out.h5", ranks=RANKS[:1])

    def test_somebody_elses_file(self):
        self.write("deck.yaml", "job: pi\n")
        self.refuse_output("deck.yaml", "it exists and is not an HDF5 file",
                           "Choose another path, or remove it first.")
        self.assertEqual((self.directory / "deck.yaml").read_text(), "job: pi\n")
        with h5py.File(self.directory / "weights.h5", "w") as file:
            file["weights"] = [1.0, 2.0]
        self.refuse_output("weights.h5", "has no seal: it was changed")

    def test_no_name(self):
        self.refuse(["create", "create.count=1"], "output.file", output="", ranks=RANKS[:1])

    def test_an_older_file_survives(self):
        self.run_ok("pi", *QUICK, "--output", "out.h5")
        before = (self.directory / "out.h5").read_bytes()
        self.refuse(["pi", *QUICK], "File too large", file_limit=65536)
        self.assertEqual((self.directory / "out.h5").read_bytes(), before)


class DiskFull(Refusal):
    """A limit on file sizes simulates a disk that fills up at any point of a write."""

    JOB = ["pi", "pi.points=100000", "streams.count=30000"]  # about 1 MB

    def size_without_limit(self):
        self.run_ok(*self.JOB, "--output", "out.h5")
        path = self.directory / "out.h5"
        size = path.stat().st_size
        path.unlink()
        return size

    def test_at_creation(self):
        self.refuse(self.JOB, "out.h5", "File too large", "another path", file_limit=0)
        self.refuse(["create", "create.count=1"], "out.h5", "File too large", file_limit=1024)

    def check_limits(self, limits, ranks):
        """With each limit, the run either writes the whole file or is refused and leaves no file."""
        refused = []
        for limit in limits:
            with self.subTest(limit=limit, ranks=ranks):
                done = rivulet_cli.run(*self.JOB, "--output", "out.h5", cwd=self.directory,
                                       ranks=ranks, file_limit=limit)
                if done.code == 0:
                    self.assertEqual(self.files(), ["out.h5"])
                    with h5py.File(self.directory / "out.h5") as file:
                        self.assertEqual(file.attrs["digest"], done.digest)
                        self.assertEqual(int(file["results/pi/hits"][:].sum()), done.hits)
                    (self.directory / "out.h5").unlink()
                    continue
                self.require_refusal(done, ["out.h5", "File too large", "ulimit -f"])
                self.assertEqual(self.files(), [])
                refused.append(limit)
        return refused

    def test_anywhere(self):
        size = self.size_without_limit()
        # Runs with limits near the file's size may succeed or fail, because the program reserves extra space.
        refused = self.check_limits([size // 2, size, size + (1 << 20), size + (8 << 20)], RANKS[-1])
        self.assertIn(size // 2, refused)
        self.assertNotIn(size + (8 << 20), refused)
