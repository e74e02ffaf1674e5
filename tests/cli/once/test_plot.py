# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/plot reads what every job's files hold, and says plainly what it cannot draw."""

import hashlib
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import unittest
from unittest import mock

import h5py
import numpy

from plot_case import SCRIPTS, PlotCase, jobs
from common import modules
from common.failure import ScriptError
from common.files import reader as seal

# Of each job: arguments of a quick run, and a dataset and an attribute that pictures need.
RUNS = {
    "pi": (["pi.points=20000", "streams.count=8"], "results/pi/running_hits",
           "results/pi@points"),
    "alias": (["alias.samples=1000", "streams.count=8"], "results/alias/histogram",
              "results/alias@axes"),
    "correlate": (["correlate.numbers=10000", "streams.count=8", "correlate.lags=10"],
                  "results/correlate/correlation", "results/correlate@band"),
    "fill": (["fill.numbers=1000", "fill.to=file", "streams.count=8"], "results/fill/counts",
             "results/fill@order"),
    "occlusion": (["occlusion.width=20", "occlusion.height=10", "occlusion.passes=[1, 2, 4]"],
                  "results/occlusion/passes", "results/occlusion@occlusion_rays"),
    "battery": (["battery.tests=crush.71"], "results/battery/p_value", "results/battery@bits"),
    "create": (["create.count=2"], "k", "@seed"),
}


def unseal(path):
    with open(path, "r+b") as file:
        if file.read(seal.BYTES).endswith(seal.LAST_MARK):
            file.seek(0)
            file.write(bytes(seal.BYTES))
        file.seek(-seal.BYTES, os.SEEK_END)
        if file.read().endswith(seal.LAST_MARK):
            file.truncate(file.tell() - seal.BYTES)


def sealed_behind(body, places=(), lines=""):
    """What the program makes of a file that it seals behind, leaving out places."""
    body += b"".join(struct.pack("<QQ", *place) for place in places)
    rest, at = b"", 0
    for first, count in places:
        rest += body[at:first]
        at = first + count
    digest = hashlib.sha256(rest + body[at:] + lines.encode()).hexdigest()
    where = "before this"
    if places:
        where += (f", but for {sum(count for _, count in places)} bytes in {len(places)} places, which the last "
                  f"{16 * len(places)} of them list")
    text = f"rivulet sealed file: SHA-256 {digest} over the {len(body)} bytes {where}{lines or chr(10)}".encode()
    return body + text.ljust(seal.BYTES - len(seal.LAST_MARK)) + seal.LAST_MARK


class Seals(PlotCase):
    def is_broken(self, content):
        (self.directory / "x").write_bytes(content)
        return seal.is_broken(self.path("x"))

    def test_changed_files_are_refused(self):
        self.run_ok("create", *RUNS["create"][0], "--output", "create.h5")
        whole = (self.directory / "create.h5").read_bytes()
        for at in (0, 40, 200, seal.BYTES - 1, seal.BYTES, len(whole) // 2, len(whole) - 1):
            changed = bytearray(whole)
            changed[at] ^= 4
            (self.directory / "create.h5").write_bytes(changed)
            with self.subTest(at=at):
                self.refuses(["create.h5", "it is damaged: its SHA-256", "another copy"], "create.h5")
        (self.directory / "create.h5").write_bytes(whole[:-1])
        self.refuses(["it is damaged: its SHA-256"], "create.h5")

    def test_without_locks(self):
        self.run_ok("create", *RUNS["create"][0], "--output", "create.h5")
        strace = ["strace", "-f", "-o", os.devnull, "-e", "trace=flock", "-e", "inject=flock:error=ENOLCK"]
        if not shutil.which("strace") or subprocess.run([*strace, "true"], capture_output=True, check=False).returncode:
            self.skipTest("strace is missing or may not trace")
        code = "import sys; from common.files import reader; print(*reader.opened(sys.argv[1]))"
        done = subprocess.run([*strace, sys.executable, "-c", code, "create.h5"], cwd=self.directory, text=True,
                              capture_output=True, check=False, env={**os.environ, "PYTHONPATH": str(SCRIPTS)})
        self.assertEqual(done.stderr, "")
        self.assertIn("relation_weight", done.stdout)

    def test_behind_the_file(self):
        body = bytes(range(256)) * 20
        for places in ((), ((100, 50),), ((100, 50), (150, 0), (3000, 2000))):
            for lines in ("", "\nkind: results\n", "\nkind: results\nrun: 17\n"):
                whole = sealed_behind(body, places, lines)
                with self.subTest(places=places, lines=lines):
                    self.assertFalse(self.is_broken(whole))
                    for at in (0, 99, 120, 2999, 4000, 5119, len(body), len(whole) - 512, len(whole) - 440):
                        changed = bytearray(whole)
                        changed[at] ^= 4
                        free = any(first <= at < first + count for first, count in places)
                        self.assertEqual(self.is_broken(bytes(changed)), not free, at)
        self.assertFalse(self.is_broken(body))
        self.assertFalse(self.is_broken(b""))


class Failures(PlotCase):
    def run_job(self, job, *more):
        """The open file, as programs leave it that know nothing of seals."""
        pathlib.Path(self.path(f"{job}.h5")).unlink(missing_ok=True)
        self.run_ok(job, *RUNS[job][0], *more, "--output", f"{job}.h5")
        unseal(self.path(f"{job}.h5"))
        return h5py.File(self.path(f"{job}.h5"), "r+")

    def test_every_job_has_pictures(self):
        self.assertEqual({job.JOB for job in jobs()}, set(RUNS))
        for job in jobs():
            with self.subTest(job=job.JOB):
                self.run_job(job.JOB).close()
                self.read(job, f"{job.JOB}.h5")

    def test_what_is_missing(self):
        for job, (_, dataset, attribute) in RUNS.items():
            with self.subTest(job=job):
                place, _, name = attribute.partition("@")
                with self.run_job(job) as file:
                    kept = file[place or "/"].attrs[name]
                    del file[place or "/"].attrs[name]
                self.refuses([f"{job}.h5", "incomplete", name, f"Run the {job} job"], f"{job}.h5")
                with h5py.File(self.path(f"{job}.h5"), "r+") as file:
                    file[place or "/"].attrs[name] = kept
                    del file[dataset]
                self.refuses(["incomplete", dataset.rpartition("/")[2]], f"{job}.h5")

    def test_what_is_empty_or_does_not_fit(self):
        for job, (_, dataset, _) in RUNS.items():
            with self.subTest(job=job):
                with self.run_job(job) as file:
                    values = file[dataset][()]
                    del file[dataset]
                    file[dataset] = values[:0]
                self.refuses(["damaged", "is empty", f"Run the {job} job"], f"{job}.h5")
                with h5py.File(self.path(f"{job}.h5"), "r+") as file:
                    del file[dataset]
                    file[dataset] = values[:-1]
                self.refuses(["damaged", f"Run the {job} job"], f"{job}.h5")

    def test_p_values_that_are_none(self):
        for name, values, words in (("p_value", [0.5, 1.5], "not between 0 and 1"),
                                    ("p_value", [0.5, numpy.nan], "not between 0 and 1"),
                                    ("test_of_p", [0, 1], "not of 1 test")):
            with self.run_job("battery") as file:
                file[f"results/battery/{name}"][:] = values
            self.refuses(["damaged", f"its dataset {name} is {words}"], "battery.h5")

    def test_numbers_that_cannot_be_drawn(self):
        with self.run_job("correlate") as file:
            file["results/correlate"].attrs["band"] = 0.0
        self.refuses(["damaged", "band"], "correlate.h5")
        with self.run_job("alias") as file:
            file["results/alias"].attrs["samples"] = 0
        self.refuses(["damaged", "0 samples of 10 × 10 cells"], "alias.h5")
        with self.run_job("alias") as file:
            file["results/alias/edges0"] = numpy.arange(5.0)
        self.refuses(["damaged", "edges0", "10 cells"], "alias.h5")
        with self.run_job("fill") as file:
            del file["results/fill/numbers"]
            file["results/fill/numbers"] = numpy.zeros(0)
        self.refuses(["damaged", "numbers is empty"], "fill.h5")
        with self.run_job("create") as file:
            values = file["k"][:, :31]
            del file["k"]
            file["k"] = values
        self.refuses(["damaged", "not of 32 columns"], "create.h5")

    def test_numbers_that_are_not_there(self):
        self.run_job("fill", "fill.to=memory").close()
        self.refuses(["holds no numbers", "fill.to was memory", "fill.to=file"], "fill.h5")

    def test_files_of_others(self):
        self.refuses(["none.h5", "no such file"], "none.h5")
        self.refuses(["it is a folder"], ".")
        self.refuses(["it is no regular file"], "/dev/null")
        self.write("text.h5", "no HDF5")
        self.refuses(["text.h5", "not an HDF5 file"], "text.h5")
        (self.directory / "nothing.h5").touch()
        self.refuses(["not an HDF5 file"], "nothing.h5")
        for value in (None, "other", "rivulet", 5, ["rivulet results", "more"]):
            with self.subTest(format=value), h5py.File(self.path("other.h5"), "w") as file:
                if value is not None:
                    file.attrs["format"] = value
                file.close()
                self.refuses(["other.h5", "not a Rivulet file",
                              "pi, alias, correlate, fill, occlusion, battery or create"], "other.h5")

    def test_damaged_attributes(self):
        for value in ("new", [1, 2], numpy.array([])):
            with self.subTest(format_version=value), self.run_job("pi") as file:
                file.attrs["format_version"] = value
                file.close()
                self.refuses(["pi.h5", "damaged"], "pi.h5")

    def test_files_of_other_jobs(self):
        for kind in ("rivulet results", "rivulet something"):
            with h5py.File(self.path("other.h5"), "w") as file:
                file.attrs["format"] = kind
                file.create_group("results/sieve")
            self.refuses(["no results", "correlate"], "other.h5")

    def test_newer_files(self):
        with self.run_job("pi") as file:
            file.attrs["format_version"] = 2
        self.refuses(["format_version is 2", "up to 1", "scripts/plot of the Rivulet"], "pi.h5")

    def test_files_that_do_not_go_together(self):
        for job in RUNS:
            self.run_job(job).close()
        self.refuses(["together", "alias job", "pi job", "one by one"], "alias.h5", "pi.h5")
        for job, most in (("alias", 1), ("correlate", 4), ("fill", 1),
                          ("occlusion", 1), ("create", 1)):
            self.refuses([f"at most {most}", job, "fewer"], *[f"{job}.h5"] * (most + 1))


class Occlusion(PlotCase):
    DECK = ["occlusion", "occlusion.width=32", "occlusion.height=18", "--output", "a.h5"]

    def test_a_part_of_a_picture(self):
        self.run_ok(*self.DECK, "streams.first=100", "streams.of=576", "streams.count=400")
        self.refuses(["pixels 100 to 499 of 576", "`rivulet merge`"], "a.h5")

    def test_what_cannot_be(self):
        def another_size(group):
            group.attrs.modify("width", 31)

        def more_rays_than_there_were(group):
            group["open_2"][0, 0] = 9

        def a_picture_that_is_not_there(group):
            del group["open_4"]
        for change, *words in ((another_size, "damaged", "open_1 is not of 31 x 18 pixels"),
                               (more_rays_than_there_were, "damaged", "open_2 counts more rays"),
                               (a_picture_that_is_not_there, "incomplete", "open_4")):
            with self.subTest(change.__name__):
                self.run_ok(*self.DECK, "occlusion.passes=[1, 2, 4]")
                with h5py.File(self.path("a.h5"), "r+") as file:
                    change(file["results/occlusion"])
                self.refuses(words, "a.h5")
                (self.directory / "a.h5").unlink()


class Modules(unittest.TestCase):
    def test_missing(self):
        with mock.patch.object(modules, "DISTRIBUTION_PYTHON", "/nowhere/python3"):
            with self.assertRaises(ScriptError) as caught:
                modules.find_modules("json", "no_such_module")
        for word in ("no_such_module", "python3-no_such_module", "pip install"):
            self.assertIn(word, str(caught.exception))

    def test_packages_are_named(self):
        """Two of the three call yaml by another name."""
        with mock.patch.object(modules, "DISTRIBUTION_PYTHON", "/nowhere/python3"):
            with mock.patch.object(modules.importlib.util, "find_spec", return_value=None):
                with self.assertRaises(ScriptError) as caught:
                    modules.find_modules("yaml", "h5py")
        for words in ("yaml and h5py not found", "python3-yaml and python3-h5py (Debian)",
                      "py-pyyaml and py-h5py (Spack)", "`pip install pyyaml h5py`"):
            self.assertIn(words, str(caught.exception))
