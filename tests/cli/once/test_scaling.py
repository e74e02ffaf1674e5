# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/scaling: plans, what is collected from results files, the model, and a study run here."""

import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import types
import unittest

import h5py
import numpy

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
sys.path.insert(0, str(ROOT / "scripts"))
from benchmarking.runs import PHASES  # noqa: E402
from common.failure import ScriptError  # noqa: E402
from studying import collected, model as models, planned, report  # noqa: E402
from studying.model import Model, seconds_of  # noqa: E402

MESSAGE = r" \(.+\)\. \S.*[.?]$"
SLURM = "scheduler: slurm\ncores: 8\nnuma: 2\ntime: 01:00:00\n"


def phases(nodes, ranks, amount):
    """What a cluster would take whose terms are known."""
    return {"setup": 0.5 + 0.01 * math.log2(ranks), "rng": 0.0, "compute": 8e-9 * amount / nodes,
            "reduction": 0.002 + 0.003 * math.log2(ranks), "transfer": 0.0, "io": 0.05 + 1e-4 * ranks}


def study_of(kind, nodes, repetitions=2):
    study = {"deck": "pi", "overrides": [], "kind": kind, "nodes": nodes, "unit": "node", "ranks_a_node": 2,
             "amount": {"key": "pi.points", "value": 10**9}, "scheduler": "slurm", "threads": 4, "runs": []}
    study["runs"] = [planned.run_of(study, n, r) for r in range(repetitions) for n in nodes]
    return study


class Scaling(rivulet_cli.Case):
    def setUp(self):
        super().setUp()
        many = models.SAMPLES
        models.SAMPLES = 100  # a tenth of what users get, for a tenth of the time
        self.addCleanup(setattr, models, "SAMPLES", many)

    def scaling(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "scripts" / "scaling", *map(str, arguments)],
                              cwd=self.directory, text=True, capture_output=True, check=False,
                              env={**os.environ, **rivulet_cli.ENVIRONMENT})

    def ok(self, *arguments):
        done = self.scaling(*arguments)
        self.assertEqual(done.returncode, 0, done)
        return done.stdout

    def refuse(self, phrase, *arguments):
        done = self.scaling(*arguments)
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr.strip(), r"^scripts/scaling: .+" + MESSAGE)
        self.assertIn(phrase, done.stderr)

    def raises(self, phrase, function, *arguments):
        with self.assertRaises(ScriptError) as caught:
            function(*arguments)
        self.assertRegex(str(caught.exception).replace("\n", " "), MESSAGE)
        self.assertIn(phrase, str(caught.exception))

    def write_results(self, study, digest="ab" * 32, noise=0.0):
        """A results file each run, with the seconds of the known cluster."""
        random = numpy.random.default_rng(1)
        for run in study["runs"]:
            known = {phase: seconds * (1 + noise * random.standard_normal())
                     for phase, seconds in phases(run["nodes"], run["ranks"], run["amount"]).items()}
            known["total"] = sum(known.values()) + 0.01
            with h5py.File(self.directory / run["results"], "w") as file:
                file.attrs["digest"] = digest
                config, timing = file.create_group("config"), file.create_group("timing")
                config.attrs["ranks"], config.attrs["threads"] = run["ranks"], 4
                timing.attrs["figure_of_merit"] = run["amount"] / known["compute"]
                timing.attrs["figure_of_merit_unit"] = "points/s"
                for phase in PHASES:
                    timing[phase] = numpy.full(run["ranks"], known[phase])

    def test_plan_for_a_cluster(self):
        self.write("m.yaml", SLURM)
        self.ok("plan", "s", "pi", "pi.points=1e6", "--kind", "weak", "--most", 6, "--repetitions", 2,
                "--machine", "m.yaml")
        study = planned.load(self.directory / "s")
        self.assertEqual(study["nodes"], [1, 2, 4, 6])
        self.assertEqual(len(study["runs"]), 8)
        text = (self.directory / "s" / "weak_00006_1.sh").read_text()
        self.assertIn("#SBATCH --nodes=6\n", text)
        self.assertIn("srun --ntasks=12", text)
        self.assertIn("pi.points=6000000 --output", text.replace('"', "").replace("'", ""))
        self.assertNotIn("pi.points=1e6", text)
        said = self.ok("submit", "s", "--dry-run")
        self.assertEqual(len(said.splitlines()), 8)
        (self.directory / "s" / "weak_00006_1.h5").touch()
        self.assertNotIn("weak_00006_1", self.ok("submit", "s", "--dry-run"))
        self.refuse("holds a study", "plan", "s", "pi", "pi.points=1e6", "--most", 1)

    def test_gpus_stand_for_nodes(self):
        self.ok("plan", "s", "pi", "pi.points=1e6", "--most", 4, "--repetitions", 1, "--gpus")
        study = planned.load(self.directory / "s")
        self.assertEqual((study["unit"], study["nodes"]), ("GPU", [1, 2, 4]))
        script = (self.directory / "s" / "strong_00004_0.sh").read_text()
        self.assertIn("mpiexec --bind-to none -n 4 ", script)
        self.assertNotIn("OMP_PROC_BIND", script)  # all ranks' threads would be on the first core

    def test_what_cannot_be_said(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([sys.executable, ROOT / "scripts" / "scaling", "plan", "s", "pi", "pi.points=1e6",
                                   "--most", "1"], cwd=self.directory, stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "scripts/scaling: cannot write to standard output (No space left on device). Check "
                             "where it is redirected.\n"))

    def test_bad_plans(self):
        self.refuse("the amount of work is missing (pi.points is not among section.key=value). Add", "plan", "s",
                    "pi", "--most", 1)
        for text, phrase in (("1.5e6", "no whole number"), ("-3", "no whole number"), ("1e6 ", "no whole")):
            chosen = types.SimpleNamespace(deck="pi", amount=None, overrides=[f"pi.points={text}"])
            self.raises(phrase, planned.amount_of, chosen)
        self.refuse("this machine has", "plan", "s", "pi", "pi.points=1e6", "--most", 4096)
        self.refuse("holds no study", "collect", "none")
        self.assertEqual(self.files(), [])
        self.write("m.yaml", SLURM)
        self.refuse("--gpus with --machine (a machine file says how many GPUs a node has). Give only one of them.", "plan", "s", "pi", "pi.points=1e6", "--most", 1, "--gpus",
                    "--machine", "m.yaml")

    def test_collects(self):
        study = study_of("strong", [1, 2])
        self.write_results(study)
        rows = collected.collect(self.directory, study, False)
        self.assertEqual([row["ranks"] for row in rows], [2, 4, 2, 4])
        self.assertAlmostEqual(rows[0]["compute"], 8.0)
        self.assertEqual(collected.load(self.directory), rows)
        with open(self.directory / "collected.csv", encoding="utf-8") as file:
            self.assertEqual([float(row["merit"]) for row in csv.DictReader(file)],
                             [row["merit"] for row in rows])

    def test_what_is_damaged(self):
        study = study_of("strong", [1, 2])
        self.write_results(study)
        self.write("study.json", json.dumps(study))
        rows = collected.collect(self.directory, study, False)
        for damaged in ([], {}, None, 5, "x", [1], [{}], [rows[0], {**rows[1], "total": "1"}],
                        [{**rows[0], "unit": None}], [{**rows[0], "merit": math.nan}],
                        [{key: value for key, value in rows[0].items() if key != "io_avg"}]):
            with self.subTest(rows=damaged):
                self.write("collected.json", json.dumps(damaged))
                self.raises("collected.json' (it is not what collect writes)", collected.load, self.directory)
        self.write("collected.json", "[]")
        self.refuse("it is not what collect writes", "report", ".")
        for damaged in ([], {}, 5, {**study, "runs": [1]}, {**study, "runs": [{}]}, {**study, "threads": "4"},
                        {key: value for key, value in study.items() if key != "kind"}):
            with self.subTest(study=damaged):
                self.write("study.json", json.dumps(damaged))
                self.raises("study.json' (it is damaged: ", planned.load, self.directory)

    def test_digests_must_agree(self):
        study = study_of("strong", [1, 2])
        self.write_results(study)
        with h5py.File(self.directory / "strong_00002_1.h5", "a") as file:
            file.attrs["digest"] = "cd" * 32
        self.raises("strong_00001_0 and strong_00002_1 have different digests", collected.collect,
                    self.directory, study, False)
        self.assertFalse((self.directory / "collected.json").exists())

    def test_weak_studies_differ_between_sizes_alone(self):
        study = study_of("weak", [1, 2])
        self.write_results(study)
        with h5py.File(self.directory / "weak_00002_0.h5", "a") as file:
            file.attrs["digest"] = "cd" * 32
        self.raises("different digests", collected.collect, self.directory, study, False)
        with h5py.File(self.directory / "weak_00002_1.h5", "a") as file:
            file.attrs["digest"] = "cd" * 32
        self.assertEqual(len(collected.collect(self.directory, study, False)), 4)

    def test_bad_results(self):
        study = study_of("strong", [1, 2])
        self.raises("no run has results", collected.collect, self.directory, study, True)
        self.write_results(study)
        with h5py.File(self.directory / "strong_00002_1.h5", "a") as file:
            file["config"].attrs["ranks"] = 1  # as of a launcher with another MPI
        self.raises("is of 1 ranks (planned were 4)", collected.collect, self.directory, study, False)
        self.write("strong_00002_1.h5", "nothing")
        self.raises("no complete results file", collected.collect, self.directory, study, False)
        os.remove(self.directory / "strong_00002_1.h5")
        self.raises("1 of 4 runs have no results", collected.collect, self.directory, study, False)
        self.assertEqual(len(collected.collect(self.directory, study, True)), 3)

    def test_model_finds_the_terms(self):
        for kind in ("strong", "weak"):
            with self.subTest(kind=kind):
                study = study_of(kind, [1, 2, 4, 8, 16])
                self.write_results(study)
                model = Model(study, collected.collect(self.directory, study, False))
                for nodes in (1, 16, 10_000):
                    amount = 10**9 * (nodes if kind == "weak" else 1)
                    known = phases(nodes, 2 * nodes, amount)
                    terms = model.terms_on(nodes)
                    self.assertAlmostEqual(terms["work"], known["compute"])
                    self.assertAlmostEqual(terms["set-up"], known["setup"])
                    self.assertAlmostEqual(terms["reduction"], known["reduction"])
                    self.assertAlmostEqual(terms["output"], known["io"])
                    self.assertAlmostEqual(terms["rest"], 0.01)
                self.assertLess(abs(model.residual_on(8)), 1e-9)

    def test_model_says_how_sure_it_is(self):
        study = study_of("strong", [1, 2, 4, 8], repetitions=5)
        self.write_results(study, noise=0.01)
        model = Model(study, collected.collect(self.directory, study, False))
        low, high = model.total_interval(100)
        true = sum(phases(100, 200, 10**9).values()) + 0.01
        self.assertTrue(low < true < high, (low, true, high))
        self.assertLess(high - low, 0.1 * true)

    def test_efficiencies_are_those_of_the_known_cluster(self):
        for kind in ("strong", "weak"):
            with self.subTest(kind=kind):
                study = study_of(kind, [1, 2, 4, 16])
                self.write_results(study)
                model = Model(study, collected.collect(self.directory, study, False))
                one = sum(phases(1, 2, 10**9).values()) + 0.01
                many = sum(phases(16, 32, 10**9 * (16 if kind == "weak" else 1)).values()) + 0.01
                known = one / many / (16 if kind == "strong" else 1)
                self.assertLess(known, 0.999)
                self.assertAlmostEqual(model.efficiency(16, model.total_on(16)), known)
                self.assertAlmostEqual(model.efficiency(16, many), known)
                rate = models.merit_of(model.rows[0])
                self.assertAlmostEqual(models.rate_efficiency(model, 16, 0.9 * 16 * rate), 0.9)
                for row in model.rows:  # as if 16 nodes had taken twice as long as the model says
                    row["total"] *= 2 if row["nodes"] == 16 else 1
                self.assertAlmostEqual(model.residual_on(16), -0.5)

    def test_rates_are_against_the_fewest_nodes(self):
        study = study_of("strong", [2, 4])
        self.write_results(study)
        model = Model(study, collected.collect(self.directory, study, False))
        two, four = (model.measured(nodes, models.merit_of)[0] for nodes in (2, 4))
        self.assertAlmostEqual(models.rate_efficiency(model, 2, two), 1)
        self.assertAlmostEqual(models.rate_efficiency(model, 4, four), four / two / 2)

    def test_no_negative_terms(self):
        study = study_of("strong", [1, 2, 4])
        rows = [{"nodes": n, "ranks": 2 * n, "amount": 1, "total": 1.0, "merit": 1.0, "unit": "x/s",
                 **{f"{phase}_avg": 1.0 / n for phase in PHASES}} for n in (1, 2, 4)]
        self.assertTrue(all(seconds_of(row)["rest"] >= 0 for row in rows))
        for found in Model(study, rows).coefficients.values():
            self.assertTrue((found >= 0).all(), found)

    def fitted(self, study, noise=0.0, changed=None):
        """The model of a study whose runs take a factor longer, by name."""
        self.write_results(study, noise=noise)
        rows = collected.collect(self.directory, study, False)
        for row in rows:
            factor = (changed or {}).get(row["name"], 1)
            row["total"] *= factor
            row["compute_avg"] *= factor
        return Model(study, rows)

    def report_of(self, study, most, **how):
        report.write(self.directory, study, self.fitted(study, **how), most)
        self.assertEqual((self.directory / "scaling.png").read_bytes()[:4], b"\x89PNG")
        return (self.directory / "report.md").read_text()

    def drawn(self, study, most, **how):
        """The left panel and the picture that it is in."""
        figure = report.picture(study, self.fitted(study, **how), most)
        self.addCleanup(report.style.pyplot().close, figure)
        figure.canvas.draw()
        return figure.axes[0], figure

    def test_the_band_has_the_misfit(self):
        """Repetitions that do not scatter at all, and one size that no term describes."""
        study = study_of("weak", [1, 2, 4, 8, 16])
        model = self.fitted(study, changed={"weak_00004_0": 1.05, "weak_00004_1": 1.05})
        self.assertGreater(abs(model.residual_on(4)), 0.02)
        self.assertEqual(model.outside(), [])
        low, high = model.total_interval(128)
        self.assertGreater(high - low, 0.04 * model.total_on(128))
        exact = self.fitted(study)
        low, high = exact.total_interval(128)
        self.assertLess(high - low, 1e-6 * exact.total_on(128))

    def test_report(self):
        study = study_of("weak", [1, 2, 4, 8])
        text = self.report_of(study, None, noise=0.01)
        for line in ("# Weak scaling of pi", "| 4 | 8 | ", " s W / n |", "Inside the model's 95 % band: 8 of 8 runs."):
            self.assertIn(line, text)
        last = text.partition("Extrapolated")[2]
        self.assertEqual(re.findall(r"(?m)^\| (\d+) ", last), ["16", "32", "64"])
        self.assertNotIn("guess", last)

    def test_report_of_farther_than_can_be_trusted(self):
        study = study_of("weak", [1, 2, 3, 4])
        last = self.report_of(study, 3000, noise=0.01).partition("Extrapolated")[2]
        self.assertEqual(re.findall(r"(?m)^\| (\d+) ", last), ["8", "16", "32", "100", "1000", "3000"])
        self.assertIn("Beyond 32 nodes, 8 times what was measured, they are a guess.", last)
        self.assertNotIn("Extrapolated", self.report_of(study, 4))
        self.assertEqual(re.findall(r"(?m)^\| (\d+) ", self.report_of(study, 10).partition("Extrapolated")[2]),
                         ["8", "10"])

    def test_too_little_to_extrapolate(self):
        ranks = {"ranks_a_node": 1}
        few, single = study_of("strong", [1, 2]), {**study_of("strong", [1, 2, 4, 8]), **ranks}
        single["runs"] = [planned.run_of(single, n, r) for r in range(2) for n in single["nodes"]]
        for study, why in ((few, "2 measured, and 4 or more show"), (single, "one of them has a single rank, and")):
            with self.subTest(why=why):
                text = self.report_of(study, 64, noise=0.01)
                self.assertIn(f"Nothing is extrapolated (sizes: {why}", text)
                self.assertNotIn("| 64 |", text)
                axes, _ = self.drawn(study, study["nodes"][-1])
                self.assertNotIn("extrapolated", {line.get_label() for line in axes.lines})

    def test_runs_outside_the_band(self):
        study = study_of("strong", [1, 2, 4, 8, 16], repetitions=4)
        how = {"noise": 0.01, "changed": {"strong_00008_1": 1.5}}
        self.assertIn("Outside the model's 95 % band: 1 of 20 runs (1 on 8 nodes). ", self.report_of(study, None, **how))
        axes, _ = self.drawn(study, 128, **how)
        marked = {line.get_label(): line.get_xdata() for line in axes.lines}["whole run, outside the band"]
        self.assertEqual(list(marked), [8])

    def test_the_picture_ends_where_the_table_does(self):
        axes, _ = self.drawn(study_of("strong", [1, 2, 4, 8]), 64, noise=0.01)
        lines = {line.get_label(): line.get_xdata() for line in axes.lines}
        self.assertEqual((lines["whole run, model (band: 95 %)"][0], lines["whole run, model (band: 95 %)"][-1]), (1, 8))
        self.assertEqual((lines["extrapolated"][0], lines["extrapolated"][-1]), (8, 64))
        low, high = axes.get_xlim()
        for line in axes.lines:  # no marker is cut
            self.assertTrue(low < min(line.get_xdata()) and max(line.get_xdata()) < high)
        legend = axes.get_legend().get_window_extent()
        self.assertFalse(legend.overlaps(axes.get_window_extent()))
        self.assertFalse(legend.overlaps(axes.xaxis.label.get_window_extent()))

    def test_ticks_are_sizes(self):
        for sizes, most, labels in (([1, 2], 2, "1 2"), ([1, 2, 4, 8], 64, "1 2 4 8 16 32 64"),
                                    ([2**k for k in range(11)], 8192, " 2  8  32  128  512  2048  8192")):
            with self.subTest(sizes=sizes):
                axes, _ = self.drawn(study_of("weak", sizes), most)
                self.assertEqual(" ".join(one.get_text() for one in axes.get_xticklabels()), labels)

    def test_titles_do_not_meet(self):
        for deck in ("pi", "/scratch/project_4711/someone/" + "folder/" * 20 + "production.yaml", "W" * 80):
            with self.subTest(deck=deck):
                study = {**study_of("strong", [1, 2]), "deck": deck}
                study["amount"] = {"key": "occlusion.a_key_of_some_length", "value": 10**9}
                axes, figure = self.drawn(study, 2)
                left, right = (one.get_tightbbox() for one in figure.axes)
                self.assertLess(left.x1, right.x0)
                self.assertTrue(axes.get_title(loc="left").endswith(deck[-7:]))

    @unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")
    def test_a_study_here(self):
        program = pathlib.Path(rivulet_cli.BINARY).resolve()
        self.ok("plan", "s", "pi", "pi.points=1e6", "streams.count=64", "--most", 1, "--repetitions", 2,
                "--program", program)
        self.ok("submit", "s")
        self.ok("collect", "s")
        rows = json.loads((self.directory / "s" / "collected.json").read_text())
        self.assertEqual(len({row["digest"] for row in rows}), 1)
        self.assertIn("report.md", self.ok("report", "s"))

    def test_a_run_that_fails(self):
        self.ok("plan", "s", "pi", "pi.points=1e6", "--most", 1, "--repetitions", 1, "--program", "./none")
        self.refuse("ended with status", "submit", "s")
