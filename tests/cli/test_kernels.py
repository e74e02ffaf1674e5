# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each job launches the expected kernels for each mapping, kernel, method, order and layout. Equal digests of two
choices prove nothing if both launched the same kernel."""

import unittest

import test_digests as digests
import rivulet_cli
from side_by_side import observe_all
from test_correlate import HAS_FFTW, METHODS

# The kernels that start the streams, by generator: native seeding, published seeding, and more streams than the 32
# published parameter sets.
STARTS = {
    "dcmt521": {"seed_streams"},
    "dcmt607": {"seed_streams"},
    "dcmt521 streams.seeding=published": {"seed_streams"},
    "dcmt521 streams.parameters=published": {"seed_streams", "jump_polynomials", "jump",
                                             "scatter_streams"},
    "ranmar24": {"seed_streams"},
    "ranmar48": {"seed_streams"},
    "ranmar48_scaled": {"seed_streams"},
    "ranmar48x": {"seed_streams"},
    "ranmar48 streams.seeding=published": {"seed_streams"},
    "hybrid_tausworthe": {"seed_streams", "scatter_streams"},
    "lfsr113": {"seed_streams", "scatter_streams"},
    "xoshiro256pp": {"seed_streams", "scatter_streams"},
    # A jump costs only two products, so with many threads even streams of 200 points would be cut into segments.
    "pcg64dxsm streams.segments=1": {"seed_streams", "scatter_streams"},
    "sfc64": {"seed_streams"},
    "mrg32k3a": {"seed_streams", "scatter_streams"},
    "lfsr113 streams.seeding=published": {"seed_streams"},
}

PI = "pi pi.points=20000 streams.count=100 output.file="
FILL = "fill fill.numbers=20000 streams.count=100 output.file="
STREAM = "stream fill streams.count=100"
# The weights vary little, so thresholds of 32 bits suffice.
ALIAS = ("alias alias.samples=20000 streams.count=100 streams.generator=dcmt521 table.width=10 "
         "output.file=")
CORRELATE = "correlate correlate.numbers=20000 correlate.lags=10 streams.count=10 output.file="

# The kernels that draw and count, by deck: with lanes, with teams, and those that do not depend on the mapping.
BY_MAPPING = {
    PI: ("pi_fused", "pi_fused_team", set()),
    f"{PI} pi.kernel=stored": ("generate", "generate_team", {"pi_count"}),
    f"{PI} pi.kernel=stored pi.point=pair pi.mapping=published": (
        "generate", "generate_team", {"pi_count"}),
    FILL: ("draw_numbers", "draw_numbers_team", {"number_checksum"}),
    f"{FILL} fill.order=blocked fill.block=200": (
        "draw_numbers", "draw_numbers_team", {"number_checksum"}),
    f"{FILL} fill.order=blocked fill.block=200 fill.to=file output.file=out.h5": (
        "draw_numbers", "draw_numbers_team", {"number_checksum", "order"}),
    STREAM: ("draw_numbers", "draw_numbers_team", set()),
    f"{STREAM} fill.order=blocked fill.block=200": ("draw_numbers", "draw_numbers_team", {"order"}),
    f"{CORRELATE} correlate.method=direct": (
        "draw_numbers", "draw_numbers_team",
        {"to_numbers", "moments", "first_numbers", "last_numbers"}),
    f"{CORRELATE} correlate.method=fft": (
        "draw_numbers", "draw_numbers_team",
        {"correlate_fft", "correlate_flush", "moments", "first_numbers", "last_numbers"}),
}

# For streams that are cut into segments: the kernels that start the segments and join them.
CUT = {"copy_states", "jump", "jump_polynomials"}
IN_SEGMENTS = {
    PI: {"pi_fused"},
    f"{PI} pi.kernel=stored": {"generate", "pi_count"},
    FILL: {"draw_numbers", "number_checksum"},
    STREAM: {"draw_numbers"},
}

# The alias job: the kernels that make the table, and the kernels that draw from it.
MAKE_TABLE = {"distribution", "largest_weight", "alias_sums", "alias_sums_scan", "alias_masses", "alias_lines",
              "alias_lines_scan", "alias_fill", "alias_draws", "alias_asked", "alias_precision", "probabilities",
              "histogram"}
ALIAS_DRAWS = {
    ALIAS: set(),
    f"{ALIAS} table.layout=flat": set(),
    f"{ALIAS} table.weights=zipf": set(),
    f"{ALIAS} table.rows=20011 table.columns=7 table.width=10000": set(),
    f"{ALIAS} alias.keep=indices output.file=out.h5": set(),
    f"{ALIAS} alias.keep=coordinates output.file=out.h5": {"alias_coordinates"},
}
# Tables with small weights that need thresholds of 64 bits.
MAKE_WIDE_TABLE = MAKE_TABLE | {"alias_wide_draws", "alias_upper"}
WIDE_DRAWS = {
    f"{ALIAS} table.width=1": set(),
    f"{ALIAS} table.width=1 table.layout=flat": set(),
    f"{ALIAS} table.rows=20011 table.columns=7": set(),
}
# Places within cells come from separate streams.
ALIAS_PLACES = f"{ALIAS} alias.keep=coordinates alias.within=uniform output.file=out.h5"

OCCLUSION = ("occlusion occlusion.width=20 occlusion.height=10 occlusion.passes=[1] "
             "streams.generator=hybrid_tausworthe streams.count=4 output.file=")
# In interleaved orders with the team mapping, a device draws the numbers of these generators in a separate kernel.
LONG = ("mt19937", "mtgp11213")
TILES = {"draw_numbers", "battery_keep"}
BATTERY = "battery streams.generator=philox4x32 streams.count=100 output.file="
OTHERS = {
    f"{OCCLUSION}": {"seed_streams", "scatter_streams", "occlusion"},
    f"{OCCLUSION} occlusion.scene=room": {"seed_streams", "scatter_streams", "occlusion"},
    f"{OCCLUSION} occlusion.numbers=hash": {"occlusion"},
    f"{OCCLUSION} occlusion.numbers=on_demand streams.generator=philox4x32": {
        "start_counters", "occlusion_on_demand"},
    f"{BATTERY} battery.tests=small.1": TILES | {
        "battery_items", "battery_digits", "battery_places", "battery_sort", "battery_spacings",
        "battery_largest", "battery_repeated"},
    f"{BATTERY} battery.tests=small.3 battery.bits=reversed": TILES | {
        "battery_marks", "battery_long_gaps", "battery_gaps", "battery_reverse", "battery_sum_copies"},
    f"{BATTERY} battery.tests=small.5": TILES | {
        "battery_assume", "battery_exits", "battery_correct", "battery_before", "battery_segments",
        "battery_sum_copies"},
    f"{BATTERY} battery.tests=small.8": TILES | {
        "battery_items", "battery_sum_copies"},
    f"{BATTERY} battery.tests=small.8 battery.bits=low8": TILES | {
        "battery_items", "battery_low_bits", "battery_sum_copies"},
    f"{BATTERY} battery.tests=small.8 streams.generator=dcmt521 streams.mapping=team": {
        "seed_streams", "draw_numbers_team", "battery_keep", "battery_items",
        "battery_sum_copies"},
    "create create.count=2": {"create_sets"},
    "create create.count=2 create.candidates=dc062": {"create_sets"},
}


def decks():
    """Yields every deck of the tables with the kernels that it must launch."""
    start = STARTS["dcmt521"]
    built = rivulet_cli.generators()
    for generator, kernels in STARTS.items():
        if generator.split()[0] in built:
            yield f"{PI} streams.generator={generator}", kernels | {"pi_fused"}
    for deck, (lane, team, rest) in BY_MAPPING.items():
        if "method=fft" in deck and not HAS_FFTW:
            continue
        for generator in ("dcmt521", "ranmar48"):
            for mapping, kernel in (("lane", lane), ("team", team)):
                yield (f"{deck} streams.generator={generator} streams.mapping={mapping}",
                       STARTS[generator] | {kernel} | rest)
    for deck, kernels in IN_SEGMENTS.items():
        yield f"{deck} streams.generator=dcmt521 streams.segments=7", start | CUT | kernels
    for table, draws in (MAKE_TABLE, ALIAS_DRAWS), (MAKE_WIDE_TABLE, WIDE_DRAWS):
        for deck, rest in draws.items():
            yield deck, start | table | {"alias"} | rest
            yield f"{deck} streams.mapping=team", start | table | {"alias_team"} | rest
    yield ALIAS_PLACES, start | MAKE_TABLE | {"alias", "draw_numbers", "alias_coordinates"}
    yield (f"{ALIAS_PLACES} streams.mapping=team",
           start | MAKE_TABLE | {"alias_team", "draw_numbers_team", "alias_coordinates"})
    yield from (one for one in OTHERS.items() if rivulet_cli.is_built(one[0]))


@unittest.skipIf(rivulet_cli.on_device(rivulet_cli.backends()) and not rivulet_cli.has_device(),
                 "no device")
class Kernels(unittest.TestCase):
    def compare(self, expected):
        found = observe_all([(tuple(deck.split()), 1) for deck in expected])
        for (deck, _), seen in found.items():
            with self.subTest(deck=" ".join(deck)):
                if isinstance(seen, Exception):
                    self.fail(str(seen))
                self.assertEqual(set(seen.launches), expected[" ".join(deck)])

    @unittest.skipIf(rivulet_cli.on_device(rivulet_cli.backends()), "the host's kernels")
    def test_each_deck_runs_its_kernels(self):
        self.compare(dict(decks()))

    def test_what_multiplies(self):
        """Correlations use dot products or FFTW on a CPU, and tiles or batches of transforms on a device."""
        kernels = {"direct": ("to_numbers", "correlate_tiles"), "fft": ("correlate_fft",
                                                                        "fft_products")}
        device = rivulet_cli.on_device(rivulet_cli.backends())
        for method in METHODS:
            with self.subTest(method=method):
                run = (*CORRELATE.split(), f"correlate.method={method}"), 1
                launches = set(observe_all([run])[run].launches)
                self.assertEqual(launches & {one for both in kernels.values() for one in both},
                                 {kernels[method][1 if device else 0]})

    def test_each_generator_has_its_mappings(self):
        """On every backend, only the drawing kernel of the mapping is launched."""
        choices = {PI: "pi_fused", f"{PI} pi.kernel=stored": "generate", FILL: "draw_numbers",
                   ALIAS: "alias"}
        device = rivulet_cli.on_device(rivulet_cli.backends())
        ends = {"lane": "", "team": "_team"}
        runs = {}
        for deck, kernel in choices.items():
            kernels = {mapping: {kernel + end} for mapping, end in ends.items()}
            if kernel == "alias":
                kernels = {mapping: {f"alias{end}", f"alias_near{end}"} for mapping, end in ends.items()}
            for generator, mappings in digests.startable().items():
                for mapping in mappings:
                    name = f"{deck} streams.generator={generator} streams.mapping={mapping}"
                    others = set().union(*(kernels[one] for one in ends if one != mapping))
                    wanted = kernels[mapping]
                    if device and kernel == "draw_numbers" and generator in LONG and mapping == "team":
                        wanted, others = {"draw_numbers_rows"}, others | wanted
                    runs[tuple(name.split()), 1] = (wanted, others)
        for (deck, _), seen in (found := observe_all(runs)).items():
            with self.subTest(deck=" ".join(deck)):
                if isinstance(seen, Exception):
                    self.fail(str(seen))
                wanted, others = runs[deck, 1]
                self.assertTrue(wanted & set(seen.launches), seen.launches)
                self.assertFalse(others & set(seen.launches), seen.launches)
        self.assertEqual(len(found), len(runs))

    def test_a_mapping_that_a_generator_lacks(self):
        for deck in (PI, FILL, STREAM, ALIAS, CORRELATE):
            for generator, mappings in digests.startable().items():
                for mapping in {"lane", "team"} - set(mappings):
                    with self.subTest(deck=deck, generator=generator, mapping=mapping):
                        done = rivulet_cli.run(*deck.split(), f"streams.generator={generator}",
                                               f"streams.mapping={mapping}", "--validate")
                        self.assertEqual((done.code, len(done.messages)), (1, 1), done)
                        self.assertIn(f"streams.mapping={mapping} with "
                                      f"streams.generator={generator} (this build supports "
                                      f"this generator with mapping {', '.join(mappings)})", done.messages[0])
