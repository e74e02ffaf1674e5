# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small decks of every job have the same digests on all backends.

The table tests/data/digests.json was made on a CPU. RIVULET_UPDATE_DIGESTS=1 only adds digests of new decks and
generators: published numbers never change.
"""

import concurrent.futures
import functools
import hashlib
import itertools
import json
import os

import rivulet_cli

TABLE = rivulet_cli.DATA_DIR / "digests.json"
# Generators whose parameter sets must be created first: exponent and number of sets.
CREATED = {"dcmt1279": (1279, 4), "dcmt2203": (2203, 2)}
PUBLISHED_ONLY = ("hybrid_tausworthe_listing",)

# More streams than a block has threads, and not a multiple of a warp or a vector. No amount is a multiple of STREAMS.
STREAMS = 1300
# A set with a second stream needs the set's polynomial, which takes 3 ms. With 207 streams, 7 of the 200 sets have a
# second stream.
STREAMS_OF = {"mtgp11213": 207}
# BLOCK stands for 19 numbers of each stream.
OF_EACH_GENERATOR = {
    "pi": ["pi", "pi.points=500009"],
    "pi, stored pairs": ["pi", "pi.points=300007", "pi.kernel=stored", "pi.point=pair",
                         "pi.mapping=published"],
    "fill": ["fill", "fill.numbers=700001", "fill.type=float"],
    "fill, doubles": ["fill", "fill.numbers=300007", "fill.type=double"],
    "fill, blocked": ["fill", "fill.numbers=400009", "fill.type=double", "fill.interval=open",
                      "fill.order=blocked", "fill.block=BLOCK"],
    "fill, normal": ["fill", "fill.numbers=200003", "fill.law=normal", "fill.mean=1.5", "fill.deviation=0.5"],
    "fill, shares": ["fill", "fill.numbers=600011", "fill.type=uint64", "fill.order=blocked"],
    "alias": ["alias", "alias.samples=200003", "table.bits=32"],
    "alias, thresholds of 64 bits": ["alias", "alias.samples=200003", "table.bits=64"],
}
IN_SEGMENTS = ("pi", "pi, stored pairs", "fill, blocked", "alias")
OTHERS = {
    "fill, one team of several streams": [
        "fill", "fill.numbers=300007", "streams.mapping=team", "streams.count=5"],
    # A device draws these decks in segments, with short last segments. With five streams, and with 33, the segments of
    # a warp belong to several streams at different places.
    "fill, one stream": ["fill", "fill.numbers=3000017", "fill.type=float", "streams.count=1"],
    "fill, five streams of Philox": ["fill", "fill.numbers=3000017", "fill.type=uint32",
                                     "streams.generator=philox4x32", "streams.count=5"],
    "fill, 33 streams of Philox": ["fill", "fill.numbers=3000017", "streams.generator=philox4x32",
                                   "streams.count=33"],
    **{f"fill, {law}, {kind}s": ["fill", "fill.numbers=200003", f"fill.type={kind}", f"fill.law={law}", "fill.mean=0.7"]
       for law in ("normal", "exponential", "log_normal") for kind in ("float", "double")},
    "alias, large flat table": [
        "alias", "alias.samples=300007", "table.layout=flat", "table.rows=900",
        "table.columns=1100", "table.bits=32"],
    # On a device a table of this size is sampled section by section.
    "alias, larger than a device's cache": [
        "alias", "alias.samples=20000003", "table.layout=flat", "table.rows=1500",
        "table.columns=2000", "table.width=300", "table.bits=32"],
    # The table of the rows' sums is large enough that the whole device divides it.
    "alias, many rows": ["alias", "alias.samples=300007", "table.rows=20011", "table.columns=7",
                         "table.bits=32"],
    "alias, many rows, thresholds of 64 bits": [
        "alias", "alias.samples=300007", "table.rows=20011", "table.columns=7", "table.width=2000",
        "table.bits=64"],
    # Some lanes of a device's last warp have no stream.
    "alias, 33 streams in teams": ["alias", "alias.samples=200003", "streams.mapping=team",
                                   "streams.count=33", "table.bits=32"],
    "alias, places within cells": [
        "alias", "alias.samples=50021", "alias.keep=coordinates", "alias.within=uniform",
        "output.file=samples.h5", "table.bits=32"],
    # Tests whose number of words depends on the numbers, a test that sorts, and a test of 64-bit words.
    "battery": ["battery", "battery.tests=small.2 small.3 small.5 small.8 small.10"],
    "battery, the default set": ["battery", "battery.chunk=4194304"],
    "battery, blocked and reversed": [
        "battery", "battery.tests=small.6 small.9", "battery.order=blocked", "streams.count=130",
        "battery.block=9100", "battery.bits=reversed", "battery.first_word=1000003"],
    "correlate": ["correlate", "correlate.method=direct", "correlate.numbers=300007",
                  "correlate.lags=40"],
    "correlate, across": ["correlate", "correlate.method=direct", "correlate.numbers=300007",
                          "correlate.lags=33", "correlate.across=next", "correlate.bit=7"],
    "occlusion, spheres": ["occlusion", "occlusion.width=120", "occlusion.height=70",
                           "occlusion.passes=[1, 9]"],
    "occlusion, room": ["occlusion", "occlusion.scene=room", "occlusion.width=110",
                        "occlusion.height=70", "occlusion.passes=[1, 7]",
                        "streams.generator=hybrid_tausworthe"],
    "occlusion, mtgp11213": ["occlusion", "occlusion.width=90", "occlusion.height=50",
                             "occlusion.passes=[5]", "streams.generator=mtgp11213"],
}
STREAMED = {
    "stream": ["fill", "streams.count=37", "streams.generator=ranmar48x"],
    "stream, blocked": ["fill", "streams.count=37", "fill.order=blocked", "fill.type=uint32",
                        f"fill.block={37 * 2}"],
}
STREAMED_BYTES = 1000003


def startable():
    """Returns the generators that start without a parameter file or published seeding, with their mappings."""
    return {name: mappings for name, mappings in rivulet_cli.generators().items()
            if name not in (*CREATED, *PUBLISHED_ONLY)}


@functools.cache
def built():
    return set(rivulet_cli.generators())


def missing_generator(deck):
    """Returns the deck's generator if this build lacks it (RIVULET_GENERATORS); otherwise an empty text."""
    named = [one.partition("=")[2] for one in deck if one.startswith("streams.generator=")]
    wanted = (named or ["dcmt521"])[0]
    return "" if wanted in built() else wanted


def table():
    return json.loads(TABLE.read_text(encoding="utf-8"))


class Digests(rivulet_cli.Case):
    """Digests on this build's backend; on_device.py runs these tests too."""

    expected = {}

    @classmethod
    def setUpClass(cls):
        cls.updates = bool(os.environ.get("RIVULET_UPDATE_DIGESTS"))
        cls.expected = table()

    @classmethod
    def tearDownClass(cls):
        if cls.updates:
            text = json.dumps(cls.expected, indent=1, sort_keys=True) + "\n"
            TABLE.write_text(text, encoding="utf-8")

    def require(self, name, digest):
        if self.updates:
            self.expected.setdefault(name, digest)
        self.assertIn(name, self.expected, "RIVULET_UPDATE_DIGESTS=1 adds new decks to the table")
        self.assertEqual(digest, self.expected[name], name)

    def check(self, decks):
        """Compares the digests of decks. With many cores, decks run in parallel, because a run is mostly start-up."""
        decks = [one for one in decks if rivulet_cli.is_built(one[1])]
        for name, deck in decks:
            if missing_generator(deck):
                with self.subTest(deck=name):
                    self.skipTest(f"{missing_generator(deck)} is not built")

        def digest(named):
            name, deck = named
            out = [] if any(one.startswith("output.file=") for one in deck) else ["output.file="]
            return name, deck, rivulet_cli.run(*deck, *out, threads=2, cwd=self.directory)

        with concurrent.futures.ThreadPoolExecutor(1 + (os.cpu_count() or 1) // 4) as pool:
            for name, deck, done in pool.map(digest, [one for one in decks if not missing_generator(one[1])]):
                with self.subTest(deck=" ".join(deck)):
                    failed_tests = 3 if deck[0] == "battery" else 0
                    self.assertIn(done.code, (0, failed_tests), done)
                    self.require(name, done.digest)

    def start_of(self, generator):
        """Returns the settings that a generator needs to start, and creates its parameter file."""
        if generator in CREATED:
            exponent, count = CREATED[generator]
            path = os.path.join(self.directory, f"sets{exponent}.h5")
            done = rivulet_cli.run("create", f"create.exponent={exponent}",
                                   f"create.count={count}", f"output.file={path}")
            self.assertEqual(done.code, 0, done)
            return [f"streams.parameters={path}"]
        return ["streams.seeding=published"] if generator in PUBLISHED_ONLY else []

    @staticmethod
    def deck_of(generator, name):
        """Returns the named deck of OF_EACH_GENERATOR for a generator."""
        streams = STREAMS_OF.get(generator, STREAMS)
        deck = [one.replace("BLOCK", str(streams * 19)) for one in OF_EACH_GENERATOR[name]]
        return [*deck, f"streams.generator={generator}", f"streams.count={streams}"]

    def test_generators(self):
        """Tests every generator of the program's list with every mapping that it has in this build."""
        decks = []
        for generator, mappings in rivulet_cli.generators().items():
            start = self.start_of(generator)
            decks += [(f"{generator}: {name}",
                       [*self.deck_of(generator, name), f"streams.mapping={mapping}", *start])
                      for name in OF_EACH_GENERATOR for mapping in mappings]
        self.check(decks)

    def test_segments(self):
        """Streams are cut into segments, even where this is slower."""
        cut = itertools.cycle((2, 7, 1000))
        decks = []
        for generator, mappings in rivulet_cli.generators().items():
            if generator in STREAMS_OF:  # each run would take seconds; unit tests cover its segments
                continue
            start = self.start_of(generator)
            decks += [(f"{generator}: {name}",
                       [*self.deck_of(generator, name), f"streams.mapping={mapping}",
                        f"streams.segments={next(cut)}", *start])
                      for name in IN_SEGMENTS for mapping in mappings]
        others = [name for name, deck in OTHERS.items() if deck[0] != "occlusion"]
        decks += [(name, [*OTHERS[name], f"streams.segments={next(cut)}"]) for name in others]
        self.check(decks)

    def test_others(self):
        self.check(OTHERS.items())

    def test_streams(self):
        for name, deck in STREAMED.items():
            with self.subTest(deck=" ".join(deck)):
                if missing_generator(deck):
                    self.skipTest(f"{missing_generator(deck)} is not built")
                data, status, message = rivulet_cli.first_bytes(STREAMED_BYTES, *deck, threads=2, cwd=self.directory)
                self.assertEqual((status, len(data)), (0, STREAMED_BYTES), message)
                self.require(name, hashlib.sha256(data).hexdigest())
