# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests scripts/scaling: a study on this machine, the model of a simulated cluster with known terms, its picture, and
refusals."""

import json
import math
import os
import pathlib
import sys
import types
import unittest

import h5py
import numpy

import rivulet_cli
from plot_case import needs_matplotlib, require_readable

ROOT = rivulet_cli.SOURCE_DIR.resolve()
sys.path.insert(0, str(ROOT / "scripts"))
from common.failure import ScriptError  # noqa: E402, found through the path above
from studying import collected, planned, report  # noqa: E402
from studying.model import Model  # noqa: E402

MESSAGE = r" \(.+\)\. \S.*[.?]$"
SLURM = "scheduler: slurm\ncores: 8\nnuma: 2\ntime: 01:00:00\n"


def phases(nodes, ranks, amount):
    """Returns the seconds of each phase on the simulated cluster."""
    return {"setup": 0.5 + 0.01 * math.log2(ranks), "rng": 0.0, "compute": 8e-9 * amount / nodes,
            "reduction": 0.002 + 0.003 * math.log2(ranks), "transfer": 0.0, "io": 0.05 + 1e-4 * ranks}


def study_of(kind, nodes, deck="pi"):
    study = {"deck": deck, "overrides": [], "kind": kind, "nodes": nodes, "unit": "node", "ranks_a_node": 2,
             "amount": {"key": "pi.points", "value": 10**9}, "scheduler": "slurm", "threads": 4, "runs": []}
    study["runs"] = [planned.run_of(study, n, r) for r in range(2) for n in nodes]
    return study


class Scaling(rivulet_cli.Case):
    def scaling(self, *arguments):
        return self.run_script("scaling", *arguments)

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

    def write_results(self, study, noise=0.0):
        """Writes a results file for each run, with the seconds of the simulated cluster."""
        random = numpy.random.default_rng(1)
        for run in study["runs"]:
            known = {phase: seconds * (1 + noise * random.standard_normal())
                     for phase, seconds in phases(run["nodes"], run["ranks"], run["amount"]).items()}
            known["total"] = sum(known.values()) + 0.01
            with h5py.File(self.directory / run["results"], "w") as file:
                file.attrs["digest"] = "ab" * 32
                config, timing = file.create_group("config"), file.create_group("timing")
                config.attrs["ranks"], config.attrs["threads"] = run["ranks"], 4
                timing.attrs["figure_of_merit"] = run["amount"] / known["compute"]
                timing.attrs["figure_of_merit_unit"] = "points/s"
                for phase, seconds in known.items():
                    timing[phase] = numpy.full(run["ranks"], seconds)

    def model(self, study, noise=0.0):
        self.write_results(study, noise)
        return Model(study, collected.collect(self.directory, study, False))

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
        self.assertEqual((self.directory / "s" / "scaling.png").read_bytes()[:4], b"\x89PNG")
        self.refuse("holds a study", "plan", "s", "pi", "pi.points=1e6", "--most", 1)

    def test_a_plan_for_a_cluster(self):
        self.write("m.yaml", SLURM)
        self.ok("plan", "s", "pi", "--kind", "weak", "--most", 6, "--repetitions", 2,
                "--machine", "m.yaml", "pi.points=1e6")
        self.assertEqual(planned.load(self.directory / "s")["nodes"], [1, 2, 4, 6])
        text = (self.directory / "s" / "weak_00006_1.sh").read_text()
        for words in ("#SBATCH --nodes=6\n", "srun --ntasks=12", "pi.points=6000000 "):
            self.assertIn(words, text)
        self.assertEqual(len(self.ok("submit", "s", "--dry-run").splitlines()), 8)

    def test_the_model_finds_the_terms(self):
        for kind in ("strong", "weak"):
            with self.subTest(kind=kind):
                model = self.model(study_of(kind, [1, 2, 4, 8, 16]))
                for nodes in (1, 16, 10_000):
                    known = phases(nodes, 2 * nodes, 10**9 * (nodes if kind == "weak" else 1))
                    terms = model.terms_on(nodes)
                    for term, seconds in (("work", known["compute"]), ("set-up", known["setup"]),
                                          ("reduction", known["reduction"]), ("output", known["io"]), ("rest", 0.01)):
                        self.assertAlmostEqual(terms[term], seconds)
                one, many = sum(phases(1, 2, 10**9).values()), sum(known.values())
                self.assertAlmostEqual(model.efficiency(10_000, model.total_on(10_000)),
                                       (one + 0.01) / (many + 0.01) / (10_000 if kind == "strong" else 1))

    @needs_matplotlib
    def test_the_report(self):
        """The report contains measurements, the extrapolation, and a picture of both."""
        for sizes, most, words in (([1, 2, 4, 8], 3000, "8 times what was measured, they are a guess."),
                                   ([1, 2], 64, "Nothing is extrapolated (sizes: 2 measured, and 4 or more show")):
            study = study_of("weak", sizes, deck="/scratch/someone/" + "folder/" * 20 + "production.yaml")
            model = self.model(study, noise=0.01)
            report.write(self.directory, study, model, most)
            self.assertIn(words, (self.directory / "report.md").read_text())
            figure = report.picture(study, model, most)
            self.addCleanup(report.style.pyplot().close, figure)
            require_readable(self, figure)

    def test_refusals(self):
        self.write("m.yaml", SLURM)
        plan = ("plan", "s", "pi")
        for given, *amounts in (("0 of ",), ("2 of ", "pi.points=1e6", "battery.bytes=1e9")):
            self.refuse(given, *plan, *amounts, "--most", 1)
        self.refuse("battery.bytes are given). Give exactly one as section.key=value.", *plan, "--most", 1)
        self.refuse("this machine has", *plan, "pi.points=1e6", "--most", 4096)
        self.refuse("nothing to plan", *plan, "pi.points=1e6", "--most", 0)
        self.refuse("--gpus with --machine", *plan, "pi.points=1e6", "--most", 1, "--gpus", "--machine", "m.yaml")
        self.refuse("output.expect in a weak study (each number of nodes has its own digest)", *plan, "pi.points=1e6",
                    "output.expect=12", "--most", 1, "--kind", "weak")
        self.refuse("holds no study", "collect", "none")
        self.assertEqual(planned.amount_of(types.SimpleNamespace(overrides=["pi.points=4.8e13"]))["value"], 48 * 10**12)
        for text in ("1.25e1", "-3", "1e6 "):
            self.raises("not a whole number", planned.amount_of,
                        types.SimpleNamespace(overrides=[f"pi.points={text}"]))
        self.assertEqual(self.files(), ["m.yaml"])
        self.ok(*plan, "pi.points=1e6", "--most", 1, "--repetitions", 1, "--program", "./none")
        self.refuse("ended with status", "submit", "s")

    def change(self, name, **attributes):
        with h5py.File(self.directory / name, "a") as file:
            for attribute, value in attributes.items():
                (file if attribute == "digest" else file["config"]).attrs[attribute] = value

    def test_bad_results(self):
        study = study_of("strong", [1, 2])
        collect = (collected.collect, self.directory, study)
        self.raises("no run has results", *collect, True)
        self.write_results(study)
        self.change("strong_00002_1.h5", digest="cd" * 32)
        self.raises("strong_00001_0 and strong_00002_1 have different digests", *collect, False)
        self.assertFalse((self.directory / "collected.json").exists())
        self.change("strong_00002_1.h5", ranks=1)  # the launcher of another MPI starts runs of one rank
        self.raises("is from 1 ranks (4 were planned)", *collect, False)
        self.write("strong_00002_1.h5", "nothing")
        self.raises("not a complete results file", *collect, False)
        os.remove(self.directory / "strong_00002_1.h5")
        self.raises("1 of 4 runs have no results", *collect, False)
        self.assertEqual(len(collected.collect(self.directory, study, True)), 3)

    def test_damaged_studies(self):
        study = study_of("strong", [1, 2])
        self.write_results(study)
        rows = collected.collect(self.directory, study, False)
        for damaged in ([], {}, 5, [{}], [{**rows[0], "total": "1"}], [{**rows[0], "merit": math.nan}]):
            self.write("collected.json", json.dumps(damaged))
            self.raises("collected.json' (it does not have the format that collect writes)", collected.load, self.directory)
        for damaged in ([], {}, 5, {**study, "runs": [{}]}, {**study, "threads": "4"}):
            self.write("study.json", json.dumps(damaged))
            self.raises("study.json' (it is damaged: ", planned.load, self.directory)
        os.remove(self.directory / "collected.json")
        self.raises("has nothing collected", collected.load, self.directory)
