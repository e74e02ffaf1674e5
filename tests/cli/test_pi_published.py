# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pi job repeats the published program (32 sets, 4096 * 256 numbers each) hit for hit."""

import json

import h5py
import numpy

import rivulet_cli
import twister

STREAMS = 32
NUMBERS = 4096 * 256
DECK = rivulet_cli.SOURCE_DIR.resolve() / "inputs/published/opencl_mt.yaml"
HITS = 26354932


def published_sets():
    path = rivulet_cli.DATA_DIR / "dc_p521_opencl_book_32sets.json"
    sets = json.loads(path.read_text(encoding="utf-8"))["sets"]
    return [(one["aaa"], one["maskB"], one["maskC"]) for one in sets]


def published_hits():
    """Returns the hits of the published kernel's genrand and calc_pi. numpy rounds each operation to float32."""
    state = twister.init_genrand(17, [0x33FF * gid for gid in range(STREAMS)])
    words = twister.words(521, published_sets(), state, NUMBERS)
    scale = numpy.float32(65535)
    hits = []
    for gid in range(STREAMS):
        rand = words[:, gid]
        x = (rand >> numpy.uint32(16)).astype(numpy.float32) / scale
        y = (rand & numpy.uint32(0xFFFF)).astype(numpy.float32) / scale
        hits.append(int(numpy.count_nonzero(x * x + y * y < numpy.float32(1))))
    return hits


class Published(rivulet_cli.Case):
    @classmethod
    def setUpClass(cls):
        cls.expected = published_hits()

    def test_transcription_repeats_the_known_numbers(self):
        self.assertEqual(self.expected[:3], [823560, 823473, 823430])
        self.assertEqual(sum(self.expected), HITS)

    def check(self, *overrides, **options):
        done = self.run_ok(DECK, "--output", "out.h5", *overrides, **options)
        self.assertEqual((done.result("points"), done.hits), (str(STREAMS * NUMBERS), HITS))
        with h5py.File(self.directory / "out.h5") as file:
            self.assertEqual(file["results/pi/hits"][:].tolist(), self.expected)
        self.assertEqual(done.digest,
                         rivulet_cli.pi_digest([NUMBERS] * STREAMS, self.expected))

    def test_fused(self):
        self.check("pi.kernel=fused", threads=2)

    def test_stored(self):
        self.check()

    def test_teams_on_three_ranks(self):
        self.check("pi.kernel=fused", "streams.mapping=team", ranks=3)
