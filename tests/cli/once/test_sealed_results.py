# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results are sealed: what was changed in them is found, and an existing output is told by its seal alone."""

import random
import re

import h5py
import numpy

from refusal import QUICK, Refusal

SEAL = 512  # bytes, src/io/results/sealed_file.hpp
PARTS = {
    "pi": "pi pi.points=1e4 streams.of=8 streams.count=4",
    "fill": "fill fill.numbers=1e4 streams.of=8 streams.count=4",
    "alias": "alias alias.samples=1e4 table.rows=4 table.columns=4 streams.of=8 streams.count=4",
    "correlate": "correlate correlate.numbers=1e4 correlate.lags=8 streams.of=8 streams.count=4",
    "occlusion": "occlusion occlusion.width=8 occlusion.height=8 occlusion.passes=[2] streams.of=64 "
                 "streams.count=32",
}


class SealedResults(Refusal):
    def refuse_merge(self, *phrases):
        self.refuse(["merge", "a.h5", "b.h5"], "b.h5", *phrases, output="all.h5", ranks=[1])

    def make_parts(self, job):
        deck = PARTS[job].split()
        half = deck[-1].partition("=")[2]
        self.run_ok(*deck, "--output", "a.h5")
        self.run_ok(*deck, f"streams.first={half}", "--output", "b.h5")
        return self.directory / "b.h5"


class Merged(SealedResults):
    """The places of crashes and of silent damage are anywhere in a file."""

    def test_a_bit_changed_anywhere(self):
        for job in PARTS:
            part = self.make_parts(job)
            whole = part.read_bytes()
            chance = random.Random(f"bits {job}")
            for _ in range(3):
                at = chance.randrange(len(whole) - SEAL)
                with self.subTest(job=job, at=at):
                    changed = bytearray(whole)
                    changed[at] ^= 1 << chance.randrange(8)
                    part.write_bytes(changed)
                    self.refuse_merge("is damaged", "was cut short or changed")
            part.write_bytes(whole)
            self.run_ok("merge", "b.h5", "a.h5", "--output", "all.h5")
            (self.directory / "all.h5").unlink()

    def test_what_no_digest_is_over(self):
        part = self.make_parts("pi")
        whole = part.read_bytes()
        for name in ("results/pi/running_hits", "results/pi/running_points", "timing/total"):
            with h5py.File(part) as file:
                at = file[name].id.get_chunk_info(0).byte_offset
            with self.subTest(name=name):
                part.write_bytes(whole[:at] + b"\x39" + whole[at + 1:])
                self.refuse_merge("is damaged")
        part.write_bytes(whole)
        with h5py.File(part, "r+") as file:
            file["timing"].attrs["figure_of_merit"] = numpy.nan
        self.refuse_merge("has no seal: it was changed or cut short")
        part.write_bytes(whole[:-1])
        self.refuse_merge("has no seal")


class ExistingOutput(SealedResults):
    def test_is_not_opened(self):
        path = self.directory / "out.h5"
        self.run_ok("pi", *QUICK, "--output", "out.h5")
        whole = path.read_bytes()
        path.write_bytes(b"\xff" * (len(whole) - SEAL) + whole[-SEAL:])
        self.run_ok("pi", *QUICK, "--output", "out.h5")
        for damaged in (whole[:-1], whole[:-SEAL], whole[:-1] + b"x"):
            path.write_bytes(damaged)
            self.refuse(["pi", *QUICK], "it exists and has no seal that says what it is",
                        "or remove it first", output="out.h5")
            self.assertEqual(path.read_bytes(), damaged)


class Numbers(SealedResults):
    """The elements that may fill a disk are not under the seal; everything else is."""

    def test_are_left_out(self):
        path = self.directory / "out.h5"
        self.run_ok("fill", "fill.numbers=3e5", "fill.to=file", "--output", "out.h5")
        seal = path.read_bytes()[-SEAL:].decode()
        self.assertTrue(seal.startswith("rivulet sealed file: SHA-256 "), seal)
        left_out, places = map(int, re.search(r"but for (\d+) bytes in (\d+) places", seal).groups())
        self.assertIn("\nkind: results\n", seal)
        with h5py.File(path) as file:
            numbers = file["results/fill/numbers"]
            self.assertTrue(numbers.attrs["not_sealed"])
            chunks = sorted((chunk.byte_offset, chunk.size) for chunk in
                            (numbers.id.get_chunk_info(i) for i in range(numbers.id.get_num_chunks())))
        self.assertEqual(left_out, sum(size for _, size in chunks))
        listed = numpy.frombuffer(path.read_bytes()[-SEAL - 16 * places:-SEAL], "<u8").reshape(-1, 2)
        covered = [(begin, size) for begin, size in chunks
                   if any(first <= begin and begin + size <= first + most for first, most in listed.tolist())]
        self.assertEqual(covered, chunks)
