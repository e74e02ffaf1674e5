# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results file of the pi job has the documented content, and its deck repeats the run."""

import math
import re
import socket

import h5py
import numpy

import rivulet_cli

POINTS = 1234567
STREAMS = 1037
SETS = 512
OVERRIDES = [f"pi.points={POINTS}", f"streams.count={STREAMS}", "pi.batches=7",
             "pi.kernel=stored", "pi.point=pair", "streams.seed=77", "streams.log2_jump=300"]
PHASES = ("setup", "rng", "compute", "reduction", "transfer", "io", "total")
RANKS = (1, 4) if rivulet_cli.MPIEXEC else (1,)


class ResultsFile(rivulet_cli.Case):
    def each_run(self):
        """Yields (ranks, run, open file) for 1 rank and, with MPI, for 4 ranks."""
        for ranks in RANKS:
            done = self.run_ok("pi", *OVERRIDES, "--output", "out.h5", ranks=ranks)
            self.assertEqual(self.files(), ["out.h5"])
            with h5py.File(self.directory / "out.h5") as file:
                yield ranks, done, file

    def test_root(self):
        for _, done, file in self.each_run():
            self.assertEqual(file.attrs["format"], "rivulet results")
            self.assertEqual(file.attrs["format_version"], 1)
            self.assertEqual(set(file), {"config", "streams", "results", "timing"})
            self.assertEqual(file.attrs["digest"], done.digest)

    def test_config(self):
        for ranks, done, file in self.each_run():
            heading = done.out.splitlines()[0]
            version = file["/config"].attrs["version"]
            self.assertEqual(version, file.attrs["version"])
            git = file["/config"].attrs["git_hash"]
            self.assertTrue(heading.startswith(f"Rivulet {version} (git {git})"), heading)
            self.assertIn(f"Kokkos {file['/config'].attrs['kokkos_version']} "
                          f"{file['/config'].attrs['backend']}", heading)
            self.assertEqual(file["/config"].attrs["ranks"], ranks)
            self.assertEqual(file["/config"].attrs["threads"], 1)
            self.assertEqual(rivulet_cli.lines_of(file["/config/hosts"]), [socket.gethostname()] * ranks)
            file.visititems(lambda name, item: self.assertFalse(  # ncdump crashes on arrays of fixed-length strings
                isinstance(item, h5py.Dataset) and item.dtype.kind == "S" and item.shape, name))
            self.assertRegex(file["/config"].attrs["written"],
                             r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            for name in ("compiler", "build_type"):
                self.assertTrue(file["/config"].attrs[name], name)
            self.assertIn("Kokkos", file["/config/kokkos"][()].decode())
            deck = file["/config/deck"][()].decode()
            self.assertIn(deck, done.out)
            for override in OVERRIDES:
                key, value = override.split(".")[1].split("=")
                self.assertRegex(deck, rf"(?m)^  {key}: {value}$")

    def test_streams(self):
        for _, _, file in self.each_run():
            ids = numpy.arange(STREAMS)
            for name, expected in (("id", ids), ("parameter_set", ids % SETS),
                                   ("seed", ids % SETS), ("index", ids // SETS)):
                found = file[f"/streams/{name}"]
                numpy.testing.assert_array_equal(found[:], expected, name)
            self.assertEqual(file["/streams"].attrs["log2_jump"], 300)
            self.assertEqual(file["/streams"].attrs["run_seed"], 77)
            self.assertEqual(file["/streams"].attrs["generator"], "dcmt521")
            self.assertEqual(file["/streams"].attrs["seeding"], "native")
            self.assertRegex(file["/streams"].attrs["parameters_digest"],
                             "^[0-9a-f]{64}$")
            self.assertIn("3 * 2^302 <= 2^521",
                          file["/streams"].attrs["disjoint: within a set"])

    def test_pi(self):
        for _, done, file in self.each_run():
            where = "/results/pi"
            hits = file[where + "/hits"]
            self.assertIsNotNone(hits.chunks)
            self.assertEqual(hits.dtype, numpy.dtype("<u8"))
            self.assertEqual(file[where].attrs["points"], POINTS)
            total = int(file[where].attrs["hits"])
            self.assertEqual(total, done.hits)
            self.assertEqual(total, int(hits[:].sum()))
            mean = total / POINTS
            variance = (mean - mean * mean) / (POINTS - 1)
            error = 4 * math.sqrt(variance)
            for name, expected in (("mean", mean), ("pi", 4 * mean), ("variance", variance), ("standard_error", error),
                                   ("deviation", (4 * mean - math.pi) / error)):
                stored = float(file[where].attrs[name])
                self.assertAlmostEqual(stored, expected, delta=1e-12 * abs(expected) + 1e-300)
                printed = float(done.result(name.replace("_", " ")))
                self.assertAlmostEqual(printed, expected, delta=1e-3 * abs(expected))

    def test_large_datasets_lie_as_the_deck_says(self):
        deck = ["fill", "fill.numbers=200000", "fill.to=file", "streams.count=64"]
        digests = set()
        for ranks in RANKS:
            for chunk, alignment in ((64, 64), (128, 4)):
                done = self.run_ok(*deck, f"output.chunk={chunk} KiB",
                                   f"output.alignment={alignment} KiB", "--output", "out.h5",
                                   ranks=ranks)
                digests.add(done.digest)
                with h5py.File(self.directory / "out.h5") as file:
                    numbers = file["results/fill/numbers"]
                    self.assertEqual(numbers.chunks, (chunk * 1024 // 8,))
                    places = {numbers.id.get_chunk_info(i).byte_offset % (alignment * 1024)
                              for i in range(numbers.id.get_num_chunks())}
                    self.assertEqual(places, {0})
        self.assertEqual(len(digests), 1)

    def test_running_estimate(self):
        for _, _, file in self.each_run():
            points = file["/results/pi/running_points"][:].astype(int)
            hits = file["/results/pi/running_hits"][:].astype(int)
            self.assertEqual((len(points), points[-1], hits[-1]), (7, POINTS, file["/results/pi"].attrs["hits"]))
            self.assertTrue((numpy.diff(points) > 0).all() and (numpy.diff(hits) > 0).all())
            self.assertTrue((abs(hits / points - math.pi / 4) < 4 * 0.42 / points**0.5).all())

    def test_digest(self):
        for _, done, file in self.each_run():
            points = rivulet_cli.points_of_streams(POINTS, STREAMS)
            self.assertEqual(sum(points), POINTS)
            self.assertEqual(rivulet_cli.pi_digest(points, file["/results/pi/hits"][:]),
                             done.digest)

    def test_timing(self):
        for ranks, done, file in self.each_run():
            self.assertEqual(set(file["/timing"]), set(PHASES))
            rows = dict(re.findall(r"^(\w+) +([0-9.]+) +[0-9.]+ +[0-9.]+$", done.out, re.M))
            for phase in PHASES:
                seconds = file[f"/timing/{phase}"][:]
                self.assertEqual(len(seconds), ranks)
                self.assertTrue((seconds >= 0).all() and (seconds < 100).all(), phase)
                self.assertIn(phase, rows)
                if phase != "total":
                    continue
                self.assertAlmostEqual(seconds.min(), float(rows[phase]), delta=2e-6)
            for phase in ("setup", "rng", "compute", "io"):
                self.assertTrue((file[f"/timing/{phase}"][:] > 0).all(), phase)
            merit = float(file["/timing"].attrs["figure_of_merit"])
            printed = float(rivulet_cli.FOM_LINE.search(done.out).group(1))
            self.assertAlmostEqual(merit, printed, delta=1e-5 * merit)

    def test_stored_deck_of_a_deck(self):
        self.write("deck.yaml", "job: pi\npi: {points: 3e5, mapping: published}\n"
                                "streams: {count: 100}\noutput:\n  file: \"a file, 'odd' #1.h5\"\n")
        first = self.run_ok("deck.yaml")
        self.assertEqual(self.files(), ["a file, 'odd' #1.h5", "deck.yaml"])
        with h5py.File(self.directory / "a file, 'odd' #1.h5") as file:
            self.write("again.yaml", file["/config/deck"][()].decode())
        (self.directory / "a file, 'odd' #1.h5").unlink()
        self.assertEqual(self.run_ok("again.yaml").digest, first.digest)
        self.assertEqual(self.files(), ["a file, 'odd' #1.h5", "again.yaml", "deck.yaml"])
