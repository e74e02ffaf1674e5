# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/results_file.md and --describe-results list exactly the datasets and attributes of the files, with types and
units. The table of streams is the same on any number of ranks, and agrees with the documents."""

import itertools
import os
import re
import textwrap
import unittest

import h5py
import numpy

import test_digests as digests
import rivulet_cli

PAGE = rivulet_cli.SOURCE_DIR / "docs" / "results_file.md"
MARKER = "<!-- from here on written by tests/cli/once/test_results_reference.py -->\n"
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
    ["battery", "battery.tests=default.1 default.3", "battery.chunk=65536", "streams.count=1"],
    [*PICTURE, "occlusion.passes=[1, 2]"],
    [*PICTURE, "occlusion.scene=file", "occlusion.file=scene.obj"],
    [*PICTURE, "occlusion.numbers=on_demand"],
    ["create", "create.count=1"],
]
JOBS = ("pi", "fill", "alias", "correlate", "occlusion", "battery", "create")


def rows():
    """Returns the handwritten entries of the page's lists, by group: the names, and the text without the meaning."""
    text = PAGE.read_text(encoding="utf-8").partition("\n## Results files\n")[2].partition("\n## ")[0]
    found, group = {}, "/"
    for line in re.sub(r"\n +", " ", text).splitlines():
        group = match[1] if (match := re.match(r"`(/\w+)`", line)) else group
        if entry := re.match(r"- ((?:`[/@][^`]+`(?:\[\w+\])?(?: \([^)]*\))?(?:, )?)+): ", line):
            found.setdefault(group, []).append((set(re.findall(r"`[/@]([^`]+)`", entry[1])), entry[1]))
    return found


USUAL = "f64", "u64", "text"  # types that the page omits
OF_ANY_FILE = {"/@format", "/@format_version", "/@version"}


def numbered(name):
    """Replaces a final number by N: open_N for open_64, edgesN for edges0."""
    return re.sub(r"\d+$", "N", name)


def text_of(value):
    return value.decode() if isinstance(value, bytes) else value


def type_of(dtype):
    text = h5py.check_string_dtype(dtype) is not None
    return "text" if text else f"{dtype.kind}{8 * dtype.itemsize}"


def entries(group):
    """Yields (name, type, unit, axes) of a group's datasets and attributes, except attributes that describe other
    entries. Attributes have no axes."""
    for name, one in group.items():
        if isinstance(one, h5py.Dataset):
            yield name, type_of(one.dtype), text_of(one.attrs.get("unit", "")), text_of(one.attrs.get("dimensions", ""))
    for name in getattr(group, "attrs", ()):
        owner = name.removesuffix("_unit")
        if name == "description" or (owner != name and owner in group.attrs):
            continue
        kind = type_of(group.attrs.get_id(name).dtype)
        yield name, kind, text_of(group.attrs.get(f"{name}_unit", "")), ""


@unittest.skipUnless(rivulet_cli.has_battery(), "it takes RIVULET_BATTERY=ON")
class ResultsReference(rivulet_cli.Case):
    def setUp(self):
        super().setUp()
        (self.directory / "scene.obj").write_text(TRIANGLE, encoding="utf-8")
        numpy.random.default_rng(1).integers(0, 2**32, 7200000, numpy.uint32).tofile(
            self.directory / "words.bin")
        with h5py.File(self.directory / "table.h5", "w") as file:
            file["weights"] = [[1.0, 2.0, 3e-13], [4.0, 5.0, 6.0]]  # one cell is too unlikely to be drawn
            file["x"] = [0.0, 1.0, 3.0]  # edges of the cells
            file["y"] = [0.0, 1.0, 4.0, 5.0]

    def check(self, group, name, kind, unit):
        """Requires that the page lists a name with its type and unit. Returns the page's (group, name)."""
        name = "disjoint: ..." if name.startswith("disjoint: ") else name
        said = " / ".join(line for names, line in rows()[group] if name in names)
        kind = "" if kind in USUAL else kind
        self.assertTrue(all(word in said for word in (kind, unit if unit != "1" else "")) and said, (group, name, kind, unit))
        return group, name

    def described(self, job):
        """Returns [place, type, axes, unit, meaning] of each result."""
        return [re.split("  +", line) for line in self.run_ok("--describe-results", job).out.splitlines()]

    def listed(self, job):
        """Returns the page's list of a job. Neighbouring results that differ only in their names share an entry."""
        text = f"\n### {'/results/' + job if job != 'create' else 'Parameter files: /'}\n\n"
        for key, some in itertools.groupby(self.described(job), lambda one: ("@" in one[0], *one[1:])):
            is_attribute, kind, axes, unit, meaning = key
            names = ", ".join(f"`{'@' if is_attribute else '/'}{re.split('[/@]', place)[-1]}`" for place, *_ in some)
            names += f"[{axes}]" if axes != "-" else ""
            facts = [one for one, usual in ((kind, USUAL), (unit, ("-", "1"))) if one not in usual]
            text += textwrap.fill(f"- {names}{' (' + ', '.join(facts) + ')' if facts else ''}: {meaning}", 120,
                                  subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) + "\n"
        return text

    def test_the_page_has_the_results_of_each_job(self):
        by_hand, marker, text = PAGE.read_text(encoding="utf-8").partition(MARKER)
        lists = "".join(map(self.listed, JOBS))
        if os.environ.get("RIVULET_UPDATE_DOCS"):
            PAGE.write_text(by_hand + marker + lists, encoding="utf-8")
            self.skipTest("wrote the page instead")
        self.assertEqual(text, lists, "write it anew: RIVULET_UPDATE_DOCS=1 ctest --test-dir build -R results_reference")

    def test_every_name_is_in_both(self):
        seen, on_page = set(), set()
        described = {numbered(place): [kind, numbered(axes), unit]
                     for job in JOBS for place, kind, axes, unit, _ in self.described(job)}
        for deck in DECKS:
            path = "out.h5" if deck[0] != "create" else "sets.h5"
            self.run_ok(*deck, "--output", path)
            with self.subTest(deck=" ".join(deck)), h5py.File(self.directory / path) as file:
                for group in ("/", "/config", "/streams", "/timing"):
                    for entry in entries(file.get(group, {})) if deck[0] != "create" else ():
                        on_page.add(self.check(group, *entry[:-1]))
                group = "/" if deck[0] == "create" else f"/results/{deck[0]}"
                for name, kind, unit, axes in entries(file[group]):
                    place = numbered(group.rstrip("/") + "/" + name if axes else f"{group}@{name}")
                    if place not in OF_ANY_FILE:
                        self.assertIn(place, described)
                        self.assertEqual([kind, numbered(axes) or described[place][1], unit or "-"], described[place], place)
                    seen.add(place)
            (self.directory / path).unlink()
        self.assertEqual(set(described) - seen, set())
        self.assertEqual({(group, name) for group, some in rows().items() for names, _ in some for name in names}, on_page)


STREAMS = 97
RANKS = (1, 3) if rivulet_cli.MPIEXEC else (1,)
IDS = numpy.arange(STREAMS, dtype=numpy.uint64)
FIRST_PAIR = 1802 * 30082 + 30050  # kl overflows after 32 pairs, which increments ij

# The published seeds of streams, as the documents define them.
PUBLISHED = {
    "dcmt521": {"seed": IDS * 0x33ff},
    "ranmar48": {"ij": (FIRST_PAIR + IDS) // 30082, "kl": (FIRST_PAIR + IDS) % 30082},
    "lfsr113": {"seed": IDS * 1099087573 % 2**32},
}


class StreamsTable(rivulet_cli.Case):
    def streams(self, ranks, *settings):
        """Runs the pi job, and returns the datasets of /streams."""
        self.run_ok("pi", "pi.points=9700", f"streams.count={STREAMS}", *settings,
                    "--output", "out.h5", ranks=ranks)
        with h5py.File(self.directory / "out.h5") as file:
            return {name: item[()] for name, item in file["streams"].items()}

    def require_same(self, *settings):
        """Requires the same table on all numbers of ranks, and returns it."""
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
        """With 32 sets, stream `id` uses set id % 32, with index id / 32 (rounded down)."""
        table = self.require_same("streams.generator=dcmt521", "streams.parameters=published")
        numpy.testing.assert_array_equal(table["index"], IDS // 32)
        numpy.testing.assert_array_equal(table["parameter_set"],
                                         table["parameter_set"][IDS.astype(int) % 32])
        self.assertEqual(len(set(table["parameter_set"][:32])), 32)
