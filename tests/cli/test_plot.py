# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/plot draws what the results files hold, and says plainly what it cannot draw."""

import importlib.machinery
import importlib.util
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import h5py

BINARY = os.environ["RIVULET_BINARY"]
SCRIPTS = pathlib.Path(os.environ["RIVULET_SOURCE_DIR"]) / "scripts"
SCRIPT = SCRIPTS / "plot"
sys.path.insert(0, str(SCRIPTS.resolve()))

from plotting import modules, pi, results, style
from plotting.errors import PlotError

HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def load_script():
    loader = importlib.machinery.SourceFileLoader("rivulet_plot", str(SCRIPT))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def read_run(path):
    return results.read_file(path, [pi])[1]


class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = load_script()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.files = []
        for points in (10007, 1000003, 20000000):
            name = f"{points}.h5"
            cls.rivulet("pi", f"pi.points={points}", "streams.count=64", "--output", name)
            cls.files.append(str(cls.folder / name))

    @classmethod
    def rivulet(cls, *arguments):
        subprocess.run([BINARY, *arguments], cwd=cls.folder, check=True, capture_output=True)

    def plot(self, *arguments):
        return subprocess.run([sys.executable, str(SCRIPT), *arguments], cwd=self.folder,
                              capture_output=True, text=True, check=False)

    def fails(self, words, *arguments):
        done = self.plot(*arguments)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    # The data.

    def test_running_estimate_is_the_files(self):
        run = read_run(self.files[2])
        points, estimates, errors = pi.running_estimate(run)
        with h5py.File(self.files[2]) as file:
            result = file["results/pi"]
            self.assertEqual(points, result["running_points"][:].tolist())
            expected = 4 * result["running_hits"][:] / result["running_points"][:]
            self.assertEqual(estimates, expected.tolist())
            self.assertEqual(estimates[-1], result.attrs["pi"])
            self.assertEqual(errors[-1], result.attrs["standard_error"])
            self.assertEqual(run.streams, 64)
            self.assertEqual(run.kind, "packed, centred")

    def test_convergence_is_the_files(self):
        runs = [read_run(path) for path in reversed(self.files)]
        points, distances = pi.convergence(runs)["packed, centred"]
        self.assertEqual(points, [10007, 1000003, 20000000])
        for path, distance in zip(self.files, distances):
            with h5py.File(path) as file:
                self.assertEqual(distance, abs(file["results/pi"].attrs["pi"] - math.pi))

    def test_expected_error(self):
        self.assertAlmostEqual(pi.expected_error(1e10), 1.6422e-5, delta=1e-9)

    def test_rounding_to_the_error(self):
        rounded = pi.round_to_error
        self.assertEqual(rounded(3.1415740524, 1.6422e-5), "3.141574 ± 0.000016")
        self.assertEqual(rounded(4.0, 0.0), "4.0")

    # The pictures.

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_what_is_drawn(self):
        run = read_run(self.files[2])
        axes = pi.draw_running(run).axes[0]
        points, estimates, _ = pi.running_estimate(run)
        self.assertEqual(list(axes.lines[0].get_xdata()), points)
        self.assertEqual(list(axes.lines[0].get_ydata()), estimates)
        self.assertEqual(set(axes.lines[1].get_ydata()), {math.pi})
        runs = [read_run(path) for path in self.files]
        axes = pi.draw_convergence(runs).axes[0]
        line, dots = axes.lines
        for n, error in zip(line.get_xdata(), line.get_ydata()):
            self.assertEqual(error, pi.expected_error(n))
        self.assertEqual(list(dots.get_xdata()), [10007, 1000003, 20000000])

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_pictures_are_written(self):
        single = self.files[0]
        for arguments, picture, magic in [
                ([single], "10007.png", b"\x89PNG"),
                ([single, "-o", "one.pdf"], "one.pdf", b"%PDF"),
                (self.files, "convergence.png", b"\x89PNG")]:
            with self.subTest(picture=picture):
                done = self.plot(*arguments)
                self.assertEqual(done.returncode, 0, done.stderr)
                written = (self.folder / picture).read_bytes()
                self.assertTrue(written.startswith(magic))
                self.assertGreater(len(written), 5000)

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_a_single_batch_without_a_spread(self):
        self.rivulet("pi", "pi.points=2", "streams.count=2", "--output", "two.h5")
        done = self.plot("two.h5")
        self.assertEqual(done.returncode, 0, done.stderr)

    # The errors.

    def test_files_that_cannot_be_drawn(self):
        self.fails(["none.h5", "no such file"], "none.h5")
        (self.folder / "text.h5").write_text("no HDF5")
        self.fails(["text.h5", "not an HDF5 file"], "text.h5")
        h5py.File(self.folder / "other.h5", "w").close()
        self.fails(["other.h5", "not a file of Rivulet"], "other.h5")
        self.rivulet("create", "create.count=1", "--output", "sets.h5")
        self.fails(["sets.h5", "rivulet parameters"], "sets.h5")

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_pictures_that_cannot_be_written(self):
        self.fails(["no/such/folder.png", "-o"], self.files[0], "-o", "no/such/folder.png")
        self.fails(["picture.xyz", "-o"], self.files[0], "-o", "picture.xyz")

    def test_missing_modules(self):
        with mock.patch.object(modules, "DISTRIBUTION_PYTHON", "/nowhere/python3"):
            with self.assertRaises(PlotError) as caught:
                modules.find_modules("json", "no_such_module")
        for word in ("no_such_module", "python3-no_such_module", "pip install"):
            self.assertIn(word, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
