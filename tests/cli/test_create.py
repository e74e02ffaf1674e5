# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`rivulet create` makes the same sets on any layout, and optionally the sets of Dynamic Creator."""

import json

import h5py

import rivulet_cli
import twister

COLUMNS = ("id", "a", "b", "c")


class Create(rivulet_cli.Case):
    def create(self, *overrides, name="sets.h5", **options):
        """Creates sets. Returns (run, rows [id, a, b, c], table of k, attributes)."""
        done = self.run_ok("create", "create.first_id=0", *(f"create.{one}" for one in overrides),
                           "--output", name, **options)
        with h5py.File(self.directory / name) as file:
            rows = [tuple(map(int, row)) for row in zip(*(file[name][:] for name in COLUMNS))]
            attributes = {name: value.decode() if isinstance(value, bytes) else value
                          for name, value in file.attrs.items()}
            self.weights = file["relation_weight"][:].tolist()
            self.shorts = file["short_relation"][:].tolist()
            return done, rows, file["k"][:].tolist(), attributes

    def check_file(self, p, made):
        """Checks the properties that every parameter file must have."""
        done, rows, k, attributes = made
        self.assertEqual(attributes["format"], "rivulet parameters")
        self.assertEqual(attributes["p"], p)
        self.assertEqual(attributes["digest"], done.digest)
        self.assertEqual(rivulet_cli.sets_digest(p, rows), done.digest)
        self.assertEqual(int(done.result("sets")), len(rows))
        self.assertEqual(len(k), len(rows))
        defects = []
        for row, dimensions in zip(rows, k):
            self.assertEqual(row[1] & 0xFFFF, row[0], "the id is the low half of a")
            self.assertEqual(row[1] >> 31, 1)
            self.assertEqual(len(dimensions), 32)
            self.assertEqual(dimensions[0], p)
            self.assertEqual(dimensions, sorted(dimensions, reverse=True))
            for v, dimension in enumerate(dimensions, 1):
                self.assertTrue(1 <= dimension <= p // v, (row, v))
            defects.append(sum(p // v - one for v, one in enumerate(dimensions, 1)))
        self.assertEqual(int(done.result("least total defect")), min(defects))
        self.assertEqual(int(done.result("greatest total defect")), max(defects))
        self.assertEqual(int(done.result("least relation weight")), min(self.weights))
        short = [row[0] for row, is_short in zip(rows, self.shorts) if is_short]
        self.assertEqual(int(done.result("sets with short relations")), len(short))
        for weight, is_short in zip(self.weights, self.shorts):
            self.assertTrue(is_short in (0, 1) and (is_short or weight > 3))
        if attributes["candidates"] == "hashed":
            self.assertEqual(short, [])
        ids = ", ".join(map(str, short[:16]))
        more = f", and {len(short) - 16} more" if len(short) > 16 else ""
        line = f"ids with short relations: {ids}{more}\n" if short else "ids with"
        self.assertEqual(line in done.out, bool(short), done)
        return defects

    def test_makes_sets_that_are_not_shipped(self):
        """By default the ids begin after those of the shipped sets."""
        done = self.run_ok("create", "create.count=1")
        with h5py.File(self.directory / "sets.h5") as file:
            self.assertEqual(file["id"][:].tolist(), [512], done)

    def test_any_layout_makes_the_same_sets(self):
        overrides = ("first_id=100", "count=5", "seed=3", "exponent=607")
        first = self.create(*overrides)
        self.check_file(607, first)
        self.assertEqual([row[0] for row in first[1]], [100, 101, 102, 103, 104])
        self.assertEqual(first[3]["seed"], 3)
        self.assertEqual(first[3]["candidates"], "hashed")
        for ranks, threads in rivulet_cli.layouts((1, 3), (2, 1), (4, 1)):
            with self.subTest(ranks=ranks, threads=threads):
                other = self.create(*overrides, ranks=ranks, threads=threads)
                self.assertEqual(other[0].digest, first[0].digest)
                self.assertEqual(other[1:], first[1:])
        self.assertEqual(self.files(), ["sets.h5"])

    def test_shipped_sets_made_again(self):
        for p in (521, 607):
            with self.subTest(p=p):
                made = self.create(f"exponent={p}", "count=4")
                defects = self.check_file(p, made)
                self.assertEqual([row[1:] for row in made[1]], twister.shipped_sets(p)[:4])
                if p == 521:  # the total defects of the published sets are 105 to 121
                    self.assertLess(max(defects), 130)

    def test_sets_of_the_dynamic_creator(self):
        reference = json.loads((rivulet_cli.DATA_DIR / "dc062_compat.json").read_text("utf-8"))
        for ranks, threads, p in rivulet_cli.layouts((1, 1, 521), (1, 2, 607), (2, 1, 521)):
            with self.subTest(p=p, ranks=ranks):
                expected = [tuple(row[:4]) for row in reference[f"p{p}"][:6]]
                made = self.create(f"exponent={p}", "candidates=dc062", "seed=4172",
                                   f"count={len(expected)}", ranks=ranks, threads=threads)
                self.assertEqual(made[1], expected)
                self.check_file(p, made)
                self.assertEqual(made[3]["candidates"], "dc062")

    def test_says_which_of_the_dynamic_creators_sets_have_short_relations(self):
        made = self.create("exponent=607", "candidates=dc062", "seed=4172", "count=24", threads=2)
        self.check_file(607, made)
        self.assertEqual(sum(self.shorts), 20)
        self.assertEqual([weight for weight in self.weights if weight > 3], [5, 4, 4, 5])
        # This set's relation has weight 5, but its bits are adjacent, so it counts as short.
        self.check_file(607, self.create("exponent=607", "candidates=dc062", "seed=4172",
                                         "first_id=60", "count=1"))
        self.assertEqual((self.weights, self.shorts), ([5], [1]))

    def test_the_pi_job_takes_the_file(self):
        created, rows, *_ = self.create("first_id=9", "count=3")
        arguments = ["pi", "streams.parameters=sets.h5", "pi.points=100003", "streams.count=10"]
        digests = set()
        for ranks in rivulet_cli.ranks_up_to(2):
            done = self.run_ok(*arguments, "--output", "pi.h5", ranks=ranks)
            digests.add(done.digest)
            self.assertLess(abs(float(done.result("deviation"))), 4)
        self.assertEqual(len(digests), 1)
        with h5py.File(self.directory / "pi.h5") as file:
            self.assertEqual(file["streams/parameter_set"][:].tolist(),
                             [rows[s % 3][0] for s in range(10)])
            self.assertEqual(file["streams"].attrs["parameters_digest"], created.digest)
            self.assertEqual(file["streams"].attrs["disjoint: parameter source"], "sets.h5")
