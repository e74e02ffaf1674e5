# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/plot draws readable pictures of each job's results file, and refuses other files with a clear message."""

import importlib.machinery
import importlib.util
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from unittest import mock

import h5py
import numpy

import rivulet_cli
from plot_case import needs_matplotlib, require_readable

SCRIPTS = rivulet_cli.SOURCE_DIR.resolve() / "scripts"
SCRIPT = SCRIPTS / "plot"
sys.path.insert(0, str(SCRIPTS))

from common import modules  # noqa: E402, found through the path above
from common.failure import ScriptError  # noqa: E402
from common.files import reader as seal  # noqa: E402
from plotting import battery, rates, results, style, sweep  # noqa: E402

# Form of a message: "PROBLEM (REASON). REMEDY."
MESSAGE = r"^cannot [^\n]+ \(.+\)\. [A-Z][^\n]+\.$"

# For each job: arguments of a quick run, and a dataset and an attribute that its pictures need.
RUNS = {
    "pi": (["pi.points=20000", "streams.count=8"], "results/pi/running_hits", "results/pi@points"),
    "alias": (["alias.samples=1000", "streams.count=8"], "results/alias/histogram", "results/alias@axes"),
    "correlate": (["correlate.numbers=10000", "streams.count=8", "correlate.lags=10"],
                  "results/correlate/correlation", "results/correlate@band"),
    "fill": (["fill.numbers=1000", "fill.to=file", "streams.count=8"], "results/fill/counts", "results/fill@order"),
    "occlusion": (["occlusion.width=32", "occlusion.height=18", "occlusion.passes=[1, 2, 4, 8]"],
                  "results/occlusion/passes", "results/occlusion@occlusion_rays"),
    "battery": (["battery.tests=crush.71 small.8"], "results/battery/p_value", "results/battery@bits"),
    "create": (["create.count=2"], "k", "@seed"),
}
# Runs whose pictures have another form. The runs of an entry share one picture.
MORE_PICTURES = (
    ("pi", ["pi.points=2", "streams.count=2"]),
    ("pi", ["pi.points=100"], ["pi.points=10007"], ["pi.points=1000003"]),
    ("correlate", ["correlate.numbers=20000", "correlate.lags=20", "streams.count=8"],
     ["correlate.numbers=500000", "correlate.lags=20", "correlate.across=next", "streams.count=8"]),
    ("fill", ["fill.numbers=20000", "fill.to=file", "streams.count=100", "fill.order=blocked"]),
    ("fill", ["fill.numbers=1", "fill.to=file", "streams.count=1"]),
    ("occlusion", ["occlusion.width=32", "occlusion.height=18", "occlusion.passes=[3]"]),
    ("battery", ["streams.generator=mt19937", "streams.count=1", "battery.tests=small"]),
    ("create", ["create.count=1", "create.exponent=607"]))


RUNS = {job: run for job, run in RUNS.items() if rivulet_cli.is_built(job)}


def jobs():
    """Returns the modules of scripts/plot, by the names of their jobs."""
    loader = importlib.machinery.SourceFileLoader("rivulet_plot", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return {job.JOB: job for job in module.JOBS}


def unseal(path):
    """Overwrites the seal of a file with zeros. Readers then accept changes to the file."""
    with open(path, "r+b") as file:
        file.write(bytes(seal.BYTES))


class PlotCase(rivulet_cli.Case):
    """A test with a results file of each job, made once."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="rivulet-")
        cls.addClassCleanup(folder.cleanup)
        cls.made = pathlib.Path(folder.name)
        for job, (deck, *_) in RUNS.items():
            done = rivulet_cli.run(job, *deck, "--output", f"{job}.h5", cwd=cls.made)
            assert done.code == 0, done

    def copy(self, job):
        """Returns an open copy of the job's file, without its seal."""
        path = shutil.copy(self.made / f"{job}.h5", self.directory)
        unseal(path)
        return h5py.File(path, "r+")

    def refuses(self, words, *names):
        """Requires that reading the files fails with one message that contains the words."""
        with self.assertRaises(ScriptError) as caught:
            results.read_files([str(self.directory / name) for name in names], list(jobs().values()))
        self.assertRegex(str(caught.exception), MESSAGE)
        for word in words:
            self.assertIn(word, str(caught.exception))


@needs_matplotlib
class Pictures(PlotCase):
    def tearDown(self):
        style.pyplot().close("all")

    def require_pictures(self, job, files, **options):
        for figure in dict(job.draw([results.read_file(str(file), [job])[1] for file in files])).values():
            require_readable(self, figure, **options)

    def test_of_each_job(self):
        self.assertEqual({job for job in jobs() if rivulet_cli.is_built(job)}, set(RUNS))
        for name, job in jobs().items():
            if name not in RUNS:
                continue
            with self.subTest(job=name):
                self.require_pictures(job, [self.made / f"{name}.h5"])

    def test_of_other_forms(self):
        for name, *decks in MORE_PICTURES:
            if name not in RUNS:
                continue
            with self.subTest(job=name, decks=decks):
                for i, deck in enumerate(decks):
                    rivulet_cli.run(name, *deck, "--output", f"{i}.h5", cwd=self.directory)
                files = [self.directory / f"{i}.h5" for i in range(len(decks))]
                self.require_pictures(jobs()[name], files)
                for file in files:
                    file.unlink()

    def test_of_tables_of_weights(self):
        """Tables of one dimension (rare cells are omitted), of few columns (one cell is never drawn), and of many
        rows."""
        energy, few = numpy.geomspace(0.1, 100, 13), numpy.outer(numpy.geomspace(1, 1e-6, 12), 1 + numpy.arange(5))
        few[0, 0] = 0
        for weights, axes in ((numpy.ones(1), {}), (numpy.geomspace(1, 1e-5, 12), {"energy": energy}),
                              (few, {"energy": energy, "cosine": numpy.linspace(-1, 1, 6)}),
                              (1.0 + numpy.arange(1100 * 30).reshape(1100, 30), {}), (numpy.ones((2, 3, 4)), {})):
            with self.subTest(shape=weights.shape):
                names = [f"table.axes={','.join(axes)}"] if axes else []
                self.run_ok("alias", "streams.count=7", "alias.samples=30000", *self.table(weights, **axes), *names,
                            "--output", "a.h5")
                self.require_pictures(jobs()["alias"], [self.directory / "a.h5"], cuts_points=weights.ndim == 1)
                (self.directory / "a.h5").unlink()

    def test_of_many_p_values(self):
        """No p-value fails, some neighbours fail, or all fail."""
        some = numpy.full(160, 0.3)
        some[:4], some[80:88], some[150:] = 1, 1e-5, 0
        for p in ([0.3], [0], some, numpy.full(160, 0.3), numpy.zeros(160)):
            with self.subTest(number=len(p), sum=sum(p)):
                several = 2 if len(p) > 15 else 1
                tests = [f"big.{i + 1} AppearanceSpacings" for i in range(len(p) // several)]
                found = battery.Battery("a.bin", 10**9, tests, numpy.arange(len(p)) // several, numpy.array(p))
                for figure in dict(battery.draw([found])).values():
                    require_readable(self, figure)

    def write_sweep(self, per_team=(1, 4), interfaces=(0, 1), **changes):
        """Writes a table like that of `scripts/bench --only sweep`."""
        rows = [{"per_team": team, "fetch": fetch, "instances": instances, "buffered": buffered, "kernel": 0.5,
                 "seconds": (1 + buffered) * (1 + 0.1 * fetch / instances), "transfer": 0.25} for team, fetch, instances, buffered
                in itertools.product(per_team, (20, 333), (1, 2, 7), interfaces)]
        self.write("sweep.json", json.dumps({
            "numbers": 5003, "call": 6, "machine": "OpenMP, one core", "repetitions": 5, "sequential_seconds": 3.5,
            "rows": rows, **changes}))

    def test_of_a_sweep(self):
        self.write_sweep()
        drawn = dict(sweep.draw([sweep.read([self.directory / "sweep.json"])]))
        self.assertEqual(list(drawn), ["1_per_team", "4_per_team"])
        for figure in drawn.values():
            require_readable(self, figure)

    def test_tables_that_are_no_sweep(self):
        for changes, words in (({"rows": [{}]}, "(it is not such a table: 'fetch')"), ({"more": 1}, "(it is not such a table"),
                               ({"interfaces": (1,)}, "with 1 per team, it lacks buffered or unbuffered cases")):
            self.write_sweep(**changes)
            done = self.plot("sweep.json")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done)
            self.assertRegex(done.stderr.removeprefix("scripts/plot: ").strip(), MESSAGE)
            self.assertIn(words, done.stderr)

    def test_of_records(self):
        records = [str(SCRIPTS.parent / f"bench/records/{name}_generators.csv") for name in ("h200", "zen4")]
        for paths in (records, records[1:]):
            require_readable(self, dict(rates.draw([rates.read(path) for path in paths]))[""])
        self.write("a.csv", "part,case,median,least,greatest\nsequence,pi_x,1,1,1\n")
        self.write("b.csv", "study,name\npi,a\n")
        for name, words in (("a.csv", "it has no rates of generators"), ("b.csv", "it is not such a record: 'part'"),
                            ("none.csv", "No such file or directory")):
            done = self.plot(name)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done)
            self.assertRegex(done.stderr.removeprefix("scripts/plot: ").strip(), MESSAGE)
            self.assertIn(words, done.stderr)

    def plot(self, *arguments):
        return self.run_script("plot", *arguments)

    def test_files_are_written(self):
        for job in ("pi", "occlusion"):
            shutil.copy(self.made / f"{job}.h5", self.directory)
        for arguments, names in ((["pi.h5"], ["pi.png"]), (["pi.h5", "-o", "two"], ["two.png"]),
                                 (["pi.h5", "pi.h5"], ["convergence.png"]),
                                 (["occlusion.h5", "-o", "o.pdf"], ["o.pdf", "o_error.pdf"])):
            done = self.plot(*arguments)
            self.assertEqual((done.returncode, done.stderr, done.stdout.split()), (0, "", names))
            for name in names:
                magic = {"png": b"\x89PNG", "pdf": b"%PDF"}[name.rpartition(".")[2]]
                self.assertTrue((self.directory / name).read_bytes().startswith(magic), name)

    def test_an_occlusion_picture_of_one_column_without_errors(self):
        """The datasets have one dimension. The camera looks past the scene, so all rays are open."""
        self.run_ok("occlusion", "occlusion.width=1", "occlusion.height=7", "occlusion.passes=[1, 2, 4]",
                    "occlusion.eye=0, 0, 100", "occlusion.target=0, 0, 200", "--output", "o.h5")
        with h5py.File(self.directory / "o.h5") as file:
            self.assertEqual(file["results/occlusion/error"][()].tolist(), [0, 0, 0])
        done = self.plot("o.h5")
        self.assertEqual((done.returncode, done.stderr, done.stdout.split()), (0, "", ["o.png"]), done)

    def test_files_that_cannot_be_written(self):
        shutil.copy(self.made / "pi.h5", self.directory)
        for arguments, words in ((["none.h5"], "cannot read 'none.h5' (there is no such file)"),
                                 (["pi.h5", "-o", "no/such/folder.png"], "cannot write 'no/such/folder.png' ("),
                                 (["pi.h5", "-o", "."], "cannot write '.' (it is a folder). Name a file with -o, "
                                  "such as pi.png"),
                                 (["pi.h5", "-o", "picture.xyz"], "cannot write 'picture.xyz' (")):
            done = self.plot(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
            self.assertIn(f"scripts/plot: {words}", done.stderr)
        self.assertEqual(self.files(), ["pi.h5"])
        for redirected, why in ((">/dev/full", "No space left on device"), (">&-", "it is closed")):
            done = subprocess.run(["/bin/sh", "-c", f'exec "$@" {redirected}', "sh", sys.executable, SCRIPT, "pi.h5"],
                                  cwd=self.directory, text=True, stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stderr), (1, f"scripts/plot: cannot write to standard output "
                                                              f"({why}). Check where it is redirected.\n"))


def replaced(place, values):
    """Returns a function that replaces a dataset of a file by `values`, or by values(old values) if `values` is a
    function."""
    def change(file):
        old = file[place][()]
        del file[place]
        file[place] = values(old) if callable(values) else values
    return change


def attribute(group, name, value):
    return lambda file: file[group].attrs.__setitem__(name, value)


# Job, change of its results file, and words of the message.
DAMAGED = (
    ("pi", attribute("/", "format_version", 2), "format_version is 2", "up to 1", "scripts/plot of the Rivulet"),
    ("pi", attribute("/", "format_version", "new"), "damaged"),
    ("pi", attribute("/", "format_version", [1, 2]), "damaged"),
    ("battery", replaced("results/battery/p_value", lambda p: p + 1), "damaged", "p_value is not between 0 and 1"),
    ("battery", replaced("results/battery/p_value", lambda p: p * numpy.nan), "p_value is not between 0 and 1"),
    ("battery", replaced("results/battery/test_of_p", lambda p: p + 9), "test_of_p is not of 2 tests"),
    ("correlate", attribute("results/correlate", "band", 0.0), "damaged", "band is 0.0"),
    ("alias", attribute("results/alias", "samples", 0), "damaged", "0 samples of 10 × 10 cells"),
    ("alias", lambda file: file.__setitem__("results/alias/edges0", numpy.arange(5.0)), "damaged", "edges0", "10 cells"),
    ("fill", replaced("results/fill/numbers", numpy.zeros(0)), "damaged", "numbers is empty"),
    ("fill", replaced("results/fill/numbers", numpy.zeros(5)), "damaged", "it has 5 numbers, not 1,000"),
    ("create", replaced("k", lambda k: k[:, :31]), "damaged", "not of 32 columns"),
    ("occlusion", attribute("results/occlusion", "width", 31), "damaged", "open_1 is not of 31 x 18 pixels"),
    ("occlusion", replaced("results/occlusion/open_2", numpy.full((18, 32), 99)), "open_2 counts more rays"),
    ("occlusion", lambda file: file["results/occlusion"].__delitem__("open_4"), "incomplete", "open_4"))


class Refusals(PlotCase):
    def test_damaged_results(self):
        for job, change, *words in DAMAGED:
            if job not in RUNS:
                continue
            with self.subTest(job=job, words=words):
                with self.copy(job) as file:
                    change(file)
                self.refuses([f"{job}.h5", *words], f"{job}.h5")

    def test_what_is_missing_or_empty_or_does_not_fit(self):
        for job, (_, dataset, one) in RUNS.items():
            place, _, name = one.partition("@")
            for change, *words in ((lambda file: file[place or "/"].attrs.__delitem__(name), "incomplete", name),
                                   (lambda file: file.__delitem__(dataset), "incomplete", dataset.rpartition("/")[2]),
                                   (replaced(dataset, lambda old: old[:0]), "damaged", "is empty"),
                                   (replaced(dataset, lambda old: old[:-1]), "damaged")):
                with self.subTest(job=job, words=words):
                    with self.copy(job) as file:
                        change(file)
                    self.refuses([f"{job}.h5", f"Run the {job} job", *words], f"{job}.h5")

    def test_changed_files(self):
        for job in ("create", "pi"):
            whole = (self.made / f"{job}.h5").read_bytes()
            for at in (3, 40, 110, seal.BYTES - 30, seal.BYTES, len(whole) // 2, len(whole) - 1):
                changed = bytearray(whole)
                changed[at] ^= 4
                (self.directory / "x.h5").write_bytes(changed)
                self.refuses(["x.h5", "it is damaged: its SHA-256", "another copy"], "x.h5")

    def test_parts(self):
        for job, deck, *words in (
                ("fill", ["fill.to=memory"], "holds no numbers", "fill.to was memory", "fill.to=file"),
                ("occlusion", ["streams.first=100", "streams.of=576", "streams.count=400"],
                 "pixels 100 to 499 of 576", "`rivulet merge a.h5 b.h5 --output all.h5`")):
            self.run_ok(job, *RUNS[job][0], *deck, "--output", f"{job}.h5")
            self.refuses([f"{job}.h5' (", *words], f"{job}.h5")

    def test_files_of_others(self):
        names = f"{', '.join(list(jobs())[:-1])} or {list(jobs())[-1]}"
        self.write("text.h5", "no HDF5")
        for value in ("", "other", "rivulet", "rivulet results", "rivulet something"):
            with h5py.File(self.directory / f"{value}.h5", "w") as file:
                file.attrs["format"] = value
                file.create_group("results/sieve")
        for name, *words in (("none.h5", "no such file"), (".", "it is a folder"), ("/dev/null", "not a regular file"),
                             ("text.h5", "not an HDF5 file"), (".h5", "not a Rivulet file", names),
                             ("other.h5", "not a Rivulet file"), ("rivulet.h5", "not a Rivulet file"),
                             ("rivulet results.h5", f"holds no results of the {names} job"),
                             ("rivulet something.h5", "holds no results")):
            self.refuses(words, name)

    def test_files_that_do_not_go_together(self):
        for job in RUNS:
            self.copy(job).close()
        self.refuses(["together", "fill job", "pi job", "one by one"], "fill.h5", "pi.h5")
        for job, most in (("alias", 1), ("correlate", 4), ("fill", 1), ("occlusion", 1), ("create", 1)):
            self.refuses([f"at most {most}", job, "fewer"], *[f"{job}.h5"] * (most + 1))

    def test_missing_modules(self):
        """Two of the three installers use another name for the package yaml."""
        with mock.patch.object(modules, "DISTRIBUTION_PYTHON", "/nowhere/python3"), \
                mock.patch.object(modules.importlib.util, "find_spec", return_value=None):
            with self.assertRaises(ScriptError) as caught:
                modules.find_modules("yaml", "h5py")
        for words in ("yaml and h5py not found", "python3-yaml and python3-h5py (Debian)",
                      "py-pyyaml and py-h5py (Spack)", "`pip install pyyaml h5py`"):
            self.assertIn(words, str(caught.exception))
