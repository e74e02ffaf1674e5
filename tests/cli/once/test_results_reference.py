# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of docs/results_file.md are what jobs declare: every dataset and attribute that a file
has is in them, with its type and unit, and every name in them is in some file. And the table of
streams is the same on any number of ranks, and that of the plan."""

import re
import unittest

import h5py
import numpy

import test_digests as digests
import rivulet_cli

PAGE = rivulet_cli.SOURCE_DIR / "docs" / "results_file.md"
POINTS = ["pi", "pi.points=5000", "streams.count=32"]
PUBLISHED = ["streams.seeding=published"]
ALIAS = ["alias", "alias.samples=3000", "streams.count=8"]
PICTURE = ["occlusion", "occlusion.width=40", "occlusion.height=16", "streams.count=8"]
TRIANGLE = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nf 1 2 3\n"

DECKS = [
    POINTS,
    [*POINTS, *PUBLISHED, "streams.parameters=published"],
    [*POINTS, "streams.generator=mt19937"],
    [*POINTS, "streams.generator=philox4x32"],
    [*POINTS, "streams.generator=ranmar24"],
    [*POINTS, "streams.generator=ranmar24", *PUBLISHED],
    [*POINTS, "streams.generator=lfsr113"],
    [*POINTS, "streams.generator=hybrid_tausworthe", *PUBLISHED],
    ["fill", "fill.numbers=5000", "fill.to=file", "streams.count=8"],
    [*ALIAS, "alias.keep=indices"],
    [*ALIAS, "alias.keep=coordinates", "alias.within=uniform", "table.weights=file",
     "table.file=table.h5", "table.axes=x,y", "table.bits=32"],
    ["correlate", "correlate.numbers=30000", "correlate.lags=10", "streams.count=8"],
    ["battery", "battery.tests=small.6 small.10"],
    ["battery", "battery.tests=small.8", "battery.repeat=2"],
    ["battery", "battery.tests=small.8", "battery.sequence=shared"],
    ["battery", "battery.tests=small.8", "battery.source=words.bin"],
    [*PICTURE, "occlusion.passes=[1, 2]"],
    [*PICTURE, "occlusion.scene=file", "occlusion.file=scene.obj"],
    [*PICTURE, "occlusion.numbers=on_demand"],
    [*PICTURE, "streams.of=16", "occlusion.width=4", "occlusion.height=4"],
]


class Row:
    """A row of a table: the names in its first column, and those of them that files had."""

    def __init__(self, names, about):
        self.about = f"{names} | {about}"
        self.unseen = {name: re.compile(self.pattern(name))
                       for name in re.findall(r"`([^`]+)`", names)}
        self.patterns = list(self.unseen.values())

    @staticmethod
    def pattern(name):
        """`open_N` is of any number N, `disjoint: ...` begins a name."""
        return re.escape(name).replace("_N", r"_\d+").replace(r"\.\.\.", ".+")

    def has(self, name):
        self.unseen = {key: pattern for key, pattern in self.unseen.items()
                       if not pattern.fullmatch(name)}
        return any(pattern.fullmatch(name) for pattern in self.patterns)


def tables():
    """Rows by group: '/', '/config', '/results/pi', ..."""
    text = PAGE.read_text(encoding="utf-8").partition("\n## Results files\n")[2].partition("\n## ")[0]
    found = {}
    group = "/"
    for line in text.splitlines():
        heading = re.match(r"`(/[\w/]+)`", line)
        if heading:
            group = heading[1]
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] not in ("name", "attribute"):
            found.setdefault(group, []).append(Row(cells[0].lstrip("| "), cells[1]))
    return found


def type_of(dtype):
    text = h5py.check_string_dtype(dtype) is not None
    return "text" if text else f"{dtype.kind}{8 * dtype.itemsize}"


def entries(group):
    """(name, type, unit) of a group's datasets and attributes, but for what describes these."""
    for name, one in group.items():
        if isinstance(one, h5py.Dataset):
            yield name, type_of(one.dtype), one.attrs.get("unit", "")
    for name in group.attrs:
        owner = name.removesuffix("_unit")
        if name == "description" or (owner != name and owner in group.attrs):
            continue
        kind = type_of(group.attrs.get_id(name).dtype)
        yield name, kind, group.attrs.get(f"{name}_unit", "")


@unittest.skipUnless(rivulet_cli.has_battery(), "it takes RIVULET_BATTERY=ON")
class ResultsReference(rivulet_cli.Case):
    def setUp(self):
        super().setUp()
        (self.directory / "scene.obj").write_text(TRIANGLE, encoding="utf-8")
        numpy.random.default_rng(1).integers(0, 2**32, 7200000, numpy.uint32).tofile(
            self.directory / "words.bin")
        with h5py.File(self.directory / "table.h5", "w") as file:
            file["weights"] = [[1.0, 2.0, 3e-13], [4.0, 5.0, 6.0]]  # one cell is lost
            file["x"] = [0.0, 1.0, 3.0]  # edges
            file["y"] = [0.0, 1.0, 4.0, 5.0]
        self.tables = tables()

    def check(self, group, name, kind, unit):
        rows = [row for row in self.tables.get(group, []) if row.has(name)]
        said = " / ".join(row.about for row in rows)
        self.assertTrue(rows, f"{group} has {name} ({kind}, {unit}), which the page does not list")
        self.assertIn(kind, said, f"type of {group}/{name}")
        if unit not in ("", "1"):
            self.assertIn(unit, said, f"unit of {group}/{name}")

    def test_every_name_is_in_both(self):
        for deck in DECKS:
            self.run_ok(*deck, "--output", "out.h5")
            with h5py.File(self.directory / "out.h5") as file:
                groups = ["/", *(f"/{one}" for one in ("config", "streams", "timing") if one in file),
                          *(f"/results/{job}" for job in file["results"])]
                for group in groups:
                    for entry in entries(file[group]):
                        with self.subTest(deck=" ".join(deck)):
                            self.check(group, *entry)
            (self.directory / "out.h5").unlink()
        unseen = [f"{group}: {name}" for group, rows in self.tables.items() for row in rows
                  for name in row.unseen]
        self.assertEqual(unseen, [])


STREAMS = 97
RANKS = (1, 3) if rivulet_cli.MPIEXEC else (1,)
IDS = numpy.arange(STREAMS, dtype=numpy.uint64)
FIRST_PAIR = 1802 * 30082 + 30050  # the pairs that follow go on in ij

# What is expected, where a document says what a stream starts from.
PUBLISHED = {
    "dcmt521": {"seed": IDS * 0x33ff},
    "ranmar48": {"ij": (FIRST_PAIR + IDS) // 30082, "kl": (FIRST_PAIR + IDS) % 30082},
    "lfsr113": {"seed": IDS * 1099087573 % 2**32},
}


class WhoDrewWhat(rivulet_cli.Case):
    def streams(self, ranks, *settings):
        """The datasets of /streams."""
        self.run_ok("pi", "pi.points=9700", f"streams.count={STREAMS}", *settings,
                    "--output", "out.h5", ranks=ranks)
        with h5py.File(self.directory / "out.h5") as file:
            return {name: item[()] for name, item in file["streams"].items()}

    def require_same(self, *settings):
        """On all numbers of ranks; the table."""
        tables = [self.streams(ranks, *settings) for ranks in RANKS]
        for table in tables:
            numpy.testing.assert_array_equal(table["id"], IDS)
            self.assertEqual(list(table), list(tables[0]))
            for name, values in table.items():
                numpy.testing.assert_array_equal(values, tables[0][name], name)
        return tables[0]

    def test_published_seeds(self):
        for generator, expected in PUBLISHED.items():
            with self.subTest(generator=generator):
                table = self.require_same(f"streams.generator={generator}", "streams.kl=30050",
                                          "streams.seeding=published")
                for name, values in expected.items():
                    numpy.testing.assert_array_equal(table[name], values, name)

    def test_the_last_published_pair(self):
        deck = ["pi", "pi.points=100", "streams.generator=ranmar48", "streams.seeding=published",
                "streams.ij=31328", "streams.kl=30080", "output.file="]
        self.run_ok(*deck, "streams.count=2")
        done = rivulet_cli.run(*deck, "streams.count=3")
        self.assertEqual((done.code, len(done.messages)), (1, 1), done)
        self.assertIn("3 streams from (ij, kl) = (31328, 30080) on do not exist", done.messages[0])

    def test_native_starts(self):
        for generator in digests.startable():
            with self.subTest(generator=generator):
                self.require_same(f"streams.generator={generator}")

    def test_sets_and_indices(self):
        """Twisters on 32 sets: stream id is number id / 32 on set id % 32."""
        table = self.require_same("streams.generator=dcmt521", "streams.parameters=published")
        numpy.testing.assert_array_equal(table["index"], IDS // 32)
        numpy.testing.assert_array_equal(table["parameter_set"],
                                         table["parameter_set"][IDS.astype(int) % 32])
        self.assertEqual(len(set(table["parameter_set"][:32])), 32)
