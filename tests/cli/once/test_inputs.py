# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decks of inputs/ do what their comments say."""

import re

import h5py

import rivulet_cli

INPUTS = rivulet_cli.SOURCE_DIR.resolve() / "inputs"


class Inputs(rivulet_cli.Case):
    def run_deck(self, deck, *overrides):
        return self.run_ok(INPUTS / deck, *overrides)

    def test_all_decks_are_valid(self):
        decks = [path for path in sorted(INPUTS.rglob("*.yaml")) if path.parent.name != "machines"]
        self.assertGreaterEqual(len(decks), 4)
        (self.directory / "neutron.h5").touch()  # scripts/make_neutron_table makes it
        for deck in decks:
            with self.subTest(deck=deck.name):
                self.assertIn("# valid", self.run_deck(deck, "--validate").out)

    def test_a_job_s_name_is_its_deck(self):
        """`rivulet JOB` and `rivulet inputs/JOB.yaml` are one run, with one choice of streams."""
        jobs = re.findall(r"(?m)^  (\w+) ", self.run_ok("--list").out.partition("\nGenerators\n")[0])
        decks = [job for job in jobs if (INPUTS / f"{job}.yaml").exists()]
        self.assertEqual(decks, [job for job in jobs if job != "sweep"])
        for job in decks:
            with self.subTest(job=job):
                resolved = self.run_ok(job, "--validate").out
                self.assertEqual(self.run_deck(f"{job}.yaml", "--validate").out, resolved)
                streams = {"generator": "dcmt521", "seeding": "native", "mapping": "auto",
                           "count": "64" if job == "correlate" else "4096"}
                for key, value in streams.items() if job != "create" else ():
                    self.assertIn(f"\n  {key}: {value}\n", resolved)
                self.assertIn("\n  seed: 20261120\n", resolved)

    def test_published_decks_say_how_long_they_take(self):
        for deck in sorted((INPUTS / "published").glob("*.yaml")):
            with self.subTest(deck=deck.name):
                self.assertRegex(deck.read_text(encoding="utf-8"),
                                 r"(?m)^# Takes .*(second|minute).* on two cores")

    def test_pi(self):
        report = self.run_deck("pi.yaml", "pi.points=2e7")
        self.assertEqual(report.result("points"), "20000000")
        self.assertLess(abs(float(report.result("deviation"))), 4)
        with h5py.File(self.directory / "pi.h5") as file:
            self.assertEqual(file["results/pi/running_hits"].shape, (100,))
            self.assertEqual(file["results/pi/running_hits"][-1], int(report.result("hits")))

    def test_opencl_mt_counts_the_published_hits(self):
        for overrides in ([], ["streams.mapping=team"], ["pi.kernel=fused"]):
            with self.subTest(overrides=overrides):
                report = self.run_deck("published/opencl_mt.yaml", *overrides)
                self.assertEqual(report.result("points"), str(32 * 4096 * 256))
                self.assertEqual(report.result("hits"), "26354932")

    def test_pgi_monte_carlo(self):
        report = self.run_deck("published/pgi_monte_carlo.yaml", "pi.iterations=2")
        self.assertEqual(report.result("points"), "67108860")
        # Exact, like every result; it changes only with the streams' definition.
        self.assertEqual(report.result("hits"), "52706340")
        self.assertLess(abs(float(report.result("deviation"))), 4)
        # The article prints the standard deviation of the mean, 5.01e-5; pi's error is 4 times it.
        self.assertAlmostEqual(float(report.result("variance")) ** 0.5, 5.01e-5, delta=5e-8)

    def test_created_sets_serve_the_pi_job(self):
        report = self.run_deck("create.yaml", "create.count=4")
        self.assertEqual(report.result("sets"), "4")
        with h5py.File(self.directory / "sets.h5") as file:
            self.assertEqual(list(file["id"][:]), [512, 513, 514, 515])
        report = self.run_deck(
            "pi.yaml", "pi.points=1e6", "streams.count=16", "streams.parameters=sets.h5")
        self.assertEqual(report.result("parameter sets used"), "4")
