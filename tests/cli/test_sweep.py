# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sweep job measures every case once, draws the numbers it should, and stores what it found."""

import hashlib
import itertools
import re
import struct

import h5py
import numpy

import ranmar
import refusal
import rivulet_cli

NUMBERS = 5003  # no whole number of fetches
FETCHES = (20, 333)
INSTANCES = (1, 2, 7)  # 7 divides neither fetch, so that the fetch is rounded up
PER_TEAM = (1, 4)
IJ, KL = 1802, 30078  # the last instances wrap into ij
CALL = 6
KEPT = 10
TINY = [f"sweep.numbers={NUMBERS}", f"sweep.fetch={list(FETCHES)}",
        f"sweep.instances={list(INSTANCES)}", f"sweep.per_team={list(PER_TEAM)}",
        f"sweep.call={CALL}", f"sweep.ij={IJ}", f"sweep.kl={KL}"]
# Of TINY. Serial and OpenMP builds, all compilers and processors must give it.
GOLDEN = "5319c465bfdd1121031bdbc4557f15d1e51dc8d6d45e9b92989ac26aff935983"

INTEGERS = ("fetch", "instances", "per_team", "buffered")
SECONDS = ("seconds", "kernel", "transfer", "other")


def last_numbers(fetch, instances):
    """The numbers that the digest takes of a case: of a sequence whose instances each make their
    share of a fetch, the first ten after the fetches measured and two more."""
    share = -(-fetch // instances)
    drawn = share * instances
    runs = -(-NUMBERS // drawn) + 2
    places = [divmod(n, drawn) for n in range(runs * drawn, runs * drawn + KEPT)]
    streams = [ranmar.raw("ranmar48", *ranmar.seeds_of(s, IJ, KL), share * (runs + 1 + KEPT))
               for s in range(instances)]
    return [streams[place // share][run * share + place % share] * 2.0 ** -48
            for run, place in places]


def expected_digest():
    sha = hashlib.sha256()
    for fetch, instances in itertools.product(FETCHES, INSTANCES):
        sha.update(struct.pack(f"<QQ{KEPT}d", fetch, instances, *last_numbers(fetch, instances)))
    return sha.hexdigest()


class Sweep(rivulet_cli.Case):
    def sweep(self, *arguments, **options):
        return self.run_ok("sweep", *TINY, "--output", "sweep.h5", *arguments, **options)

    def test_digest_is_of_the_right_numbers(self):
        self.assertEqual(expected_digest(), GOLDEN)
        for threads in (1, 2):
            with self.subTest(threads=threads):
                self.assertEqual(self.sweep(threads=threads).digest, GOLDEN)

    def test_teams_and_order_do_not_change_the_digest(self):
        for overrides in (["sweep.per_team=[4]"], ["sweep.per_team=[16,3]"],
                          ["sweep.fetch=[333,20]", "sweep.instances=[7,1,2]"]):
            with self.subTest(overrides=overrides):
                self.assertEqual(self.sweep(*overrides).digest, GOLDEN)

    def test_report(self):
        done = self.sweep()
        rows = re.findall(r"^ +(\d+) +(\d+) +(\d+)((?: +[0-9.]+ s +[0-9.]+ x){2})$", done.out,
                          re.MULTILINE)
        self.assertEqual([tuple(map(int, row[:3])) for row in rows],
                         list(itertools.product(PER_TEAM, FETCHES, INSTANCES)), done)
        self.assertRegex(done.out, r"\nsequential: \S+ s\n")
        for name in ("unbuffered", "buffered"):
            self.assertRegex(done.out, rf"\nbest {name}: \S+ x sequential\n")
            self.assertRegex(
                done.out, rf"\nbest {name}, profile: \S+ s kernel \(\d+ %\), \S+ s transfer "
                r"\(\d+ %\), \S+ s other \(\d+ %\); fetch \d+, \d+ instances?, \d+ a team\n")
        rate, unit = rivulet_cli.FOM_LINE.search(done.out).groups()
        self.assertEqual(unit, "numbers/s")
        self.assertGreater(float(rate), 0)

    def test_results_file(self):
        done = self.sweep()
        self.assertEqual(self.files(), ["sweep.h5"])
        with h5py.File(self.directory / "sweep.h5") as file:
            self.assertEqual(file.attrs["digest"], done.digest)
            result = file["results/sweep"]
            self.assertEqual(set(result), {*INTEGERS, *SECONDS})
            cases = zip(*(result[name][:].tolist() for name in INTEGERS))
            self.assertEqual(
                sorted(cases),
                sorted(itertools.product(FETCHES, INSTANCES, PER_TEAM, (0, 1))))
            for name in INTEGERS:
                self.assertEqual(result[name].dtype, "<u8")
            for name in SECONDS:
                self.assertEqual(result[name].dtype, "<f8")
                self.assertEqual(result[name].attrs["unit"], "s")
                self.assertTrue((result[name][:] >= 0).all())
            self.assertTrue((result["seconds"][:] > 0).all())
            self.assertTrue((result["kernel"][:] > 0).all())
            rest = result["seconds"][:] - result["kernel"][:] - result["transfer"][:]
            numpy.testing.assert_allclose(
                result["other"][:], numpy.maximum(rest, 0), rtol=0, atol=1e-12)
            self.assertEqual(result.attrs["numbers"], NUMBERS)
            self.assertEqual(result.attrs["call"], CALL)
            self.assertGreater(result.attrs["sequential_seconds"], 0)
            best = result["seconds"][:][result["buffered"][:] == 0].min()
            self.assertAlmostEqual(file["timing"].attrs["figure_of_merit"] * best / NUMBERS, 1)
        self.require_repeated(done, "sweep.h5")


class SweepRefusals(refusal.Refusal):
    def test_ranks(self):
        self.refuse(["sweep", *TINY], "2 MPI ranks", "one host program", "one rank", ranks=(2,))

    def test_decks(self):
        whole = "Give whole numbers from 1 to"
        key = "section 'sweep'"
        self.refuse_each((
            (["sweep", *TINY, override], *phrases) for override, *phrases in (
                ("sweep.instances=[1,21]", "sweep.fetch=20 for 21 instances", "share of a fetch"),
                ("sweep.call=21", "sweep.fetch=20 for calls of 21", "more than the buffer holds"),
                ("sweep.instances=[2,1,2]", "sweep.instances names 2", "more than once",
                 "Name each value once"),
                ("sweep.fetch=[]", key, "'fetch'", "it is empty", "[1, 2, 3]"),
                ("sweep.fetch=text", key, "'fetch'", "'text' is not a whole number", whole),
                ("sweep.instances=[2,text]", key, "'instances'", "'text' is not", whole),
                ("sweep.instances=[1.5]", key, "'instances'", "'1.5' is not", whole),
                ("sweep.instances=[0]", key, "'instances'", "0 is out of range", whole),
                ("sweep.per_team=[1,17]", key, "'per_team'", "17 is out of range", whole),
                ("sweep.fetch=[-5]", key, "'fetch'", "'-5' is negative", whole),
                ("sweep.numbers=999", key, "'numbers'", "999 is out of range", "from 1000 to"),
                ("sweep.kl=30082", key, "'kl'", "30082 is out of range", "from 0 to 30081"),
                ("sweep.ij=31329", key, "'ij'", "31329 is out of range", "from 0 to 31328"))), ranks=(1,))


class PublishedDeck(rivulet_cli.Case):
    DECK = rivulet_cli.SOURCE_DIR.resolve() / "inputs/published/ranmar_sweep.yaml"

    def test_it_is_valid_and_runs(self):
        self.assertIn("# valid", self.run_ok(self.DECK, "--validate").out)
        done = self.run_ok(self.DECK, "sweep.numbers=1000", "sweep.fetch=[100]",
                           "sweep.instances=[1,50]", "--output", "sweep.h5")
        self.assertEqual(len(re.findall(r"^ +[14] +100 +(1|50) ", done.out, re.MULTILINE)), 4)
