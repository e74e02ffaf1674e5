# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists, for each key of each job's deck, what changes in a run if the key has another value.

test_keys.py compares the lists with the program's own (--dump-default). The decks are small because there are many.
"""

import dataclasses

DIGEST = "digest"  # the numbers change
KERNELS = "kernels"  # the numbers stay, but the kernels or the number of launches change
DATA = "data"  # datasets of the results file change; the digest may change too
FILES = "files"  # the run writes other files


def report(line):
    """The numbers do not change, but this line of the report does."""
    return f"report: {line}"


ALL = "all other choices"


@dataclasses.dataclass(frozen=True)
class Key:
    """Other values of a key, and the output that shows them. Each value, and the default, must produce a different
    output."""
    shown_in: str
    values: tuple  # texts, or ALL
    context: tuple = ()  # the other settings of the deck, also for the default value
    # The settings that each value requires.
    needs: dict = dataclasses.field(default_factory=dict)


def key(shown_in, *values, context="", needs=None):
    return Key(shown_in, values, tuple(context.split()), needs or {})


TWISTERS = "streams.generator=dcmt521"
BASES = {
    "pi": f"pi pi.points=20000 streams.count=100 {TWISTERS} output.file=",
    "fill": f"fill fill.numbers=20000 streams.count=100 {TWISTERS} output.file=",
    "alias": f"alias alias.samples=20000 streams.count=100 {TWISTERS} output.file=",
    "correlate": "correlate correlate.numbers=20000 correlate.lags=10 streams.count=10 "
                 f"{TWISTERS} output.file=",
    "occlusion": "occlusion occlusion.width=20 occlusion.height=10 occlusion.passes=[1] "
                 f"streams.count=4 {TWISTERS} output.file=",
    "battery": f"battery battery.tests=small.8 streams.count=10 {TWISTERS} output.file=",
    "create": "create create.count=2",
    "stream": f"stream fill streams.count=100 {TWISTERS}",
}

PAIRS = "streams.generator=ranmar48 streams.seeding=published"
STREAMS = {
    "streams.generator": [
        key(DIGEST, ALL, needs={"dcmt1279": "streams.parameters={sets1279}",
                                "dcmt2203": "streams.parameters={sets2203}",
                                "hybrid_tausworthe_listing": "streams.seeding=published"})],
    "streams.count": [key(DIGEST, "50", "97")],
    "streams.first": [key(DIGEST, "1", "200", context="streams.of=400")],
    "streams.of": [key(DIGEST, "300", "400")],
    "streams.parameters": [key(DIGEST, "published", "{sets521}")],
    "streams.seeding": [key(DIGEST, ALL)],
    "streams.seed": [key(DIGEST, "1", "18446744073709551615")],
    # The key has an effect only with fewer parameter sets than streams.
    "streams.log2_jump": [key(DIGEST, "100", "300", context="streams.parameters={sets521}")],
    "streams.ij": [key(DIGEST, "1803", context=PAIRS)],
    "streams.kl": [key(DIGEST, "9374", context=PAIRS)],
    "streams.mapping": [key(KERNELS, "team"),
                        key(KERNELS, "lane", context="streams.mapping=team")],
    "streams.segments": [key(KERNELS, "7")],
}

KEEP_CHECKPOINT = "checkpoint.keep=true"
CHECKPOINT = {
    "checkpoint.file": [key(FILES, "a.ckpt", "b.ckpt", context=KEEP_CHECKPOINT)],
    "checkpoint.keep": [key(FILES, "true", context="checkpoint.file=a.ckpt")],
}

# One number in 2^24 is exactly 0; in this sequence it is number 173.
WITH_A_ZERO = ("fill.type=float streams.generator=ranmar24 streams.seeding=published "
               "streams.count=1 streams.ij=1803 streams.kl=28457")
TO_FILE = "fill.to=file output.file=out.h5"
KEEP_SAMPLES = "alias.keep=coordinates output.file=out.h5"

NUMBERS = {
    "fill.type": [key(DIGEST, ALL)],
    "fill.interval": [
        key(DIGEST, "open", "open_closed", "closed", context="fill.type=float"),
        key(DIGEST, "zero_replaced", context=WITH_A_ZERO)],
    "fill.law": [key(DIGEST, ALL)],
    "fill.mean": [key(DIGEST, "2", "3.5", context=f"fill.law={law}")
                  for law in ("normal", "exponential", "log_normal")],
    "fill.deviation": [key(DIGEST, "2", "0.5", context=f"fill.law={law}") for law in ("normal", "log_normal")],
}

KEYS = {
    "pi": {
        **STREAMS,
        "pi.points": [key(DIGEST, "20001")],
        "pi.kernel": [key(KERNELS, ALL)],
        # The mappings differ only for a few points in 10^5.
        "pi.mapping": [key(DIGEST, ALL, context="pi.points=2e6")],
        "pi.point": [key(DIGEST, ALL)],
        "pi.batches": [key(DATA, "1", "3", context="output.file=out.h5")],
        "pi.iterations": [key(KERNELS, "2")],
        **CHECKPOINT,
        "pi.memory": [key(report("word buffer"), "64 KiB", context="pi.kernel=stored pi.points=1e6")],
        "output.file": [key(FILES, "out.h5", "other.h5")],
    },
    "fill": {
        **STREAMS,
        "fill.numbers": [key(DIGEST, "20001")],
        **NUMBERS,
        "fill.order": [key(DATA, ALL, context=TO_FILE)],
        "fill.block": [key(DATA, "200", "400", context=f"fill.order=blocked {TO_FILE}")],
        "fill.to": [key(DATA, ALL, context="output.file=out.h5")],
        "fill.memory": [key(report("number buffer"), "64 KiB", context="fill.numbers=2e6")],
        "fill.iterations": [key(KERNELS, "2")],
        "output.file": [key(FILES, "out.h5", "other.h5")],
    },
    "alias": {
        **STREAMS,
        "table.weights": [key(DIGEST, ALL, needs={"file": "table.file={weights_h5}"})],
        "table.rows": [key(DIGEST, "9")],
        "table.columns": [key(DIGEST, "9")],
        "table.x0": [key(DIGEST, "4.5")],
        "table.y0": [key(DIGEST, "4.5")],
        "table.alpha": [key(DIGEST, "1")],
        "table.width": [key(DIGEST, "2")],
        "table.cells": [key(DIGEST, "50", context=f"table.weights={weights}")
                        for weights in ("exponential", "power", "zipf")],
        "table.rate": [key(DIGEST, "0.06", context="table.weights=exponential")],
        "table.exponent": [key(DIGEST, "1.5", context=f"table.weights={weights}")
                           for weights in ("power", "zipf")],
        "table.file": [key(DIGEST, "{other_h5}",
                           context="table.weights=file table.file={weights_h5}")],
        "table.dataset": [key(DIGEST, "others",
                              context="table.weights=file table.file={weights_h5}")],
        "table.axes": [key(DATA, "x",
                           context=f"table.weights=file table.file={{weights_h5}} {KEEP_SAMPLES}")],
        "table.layout": [key(DIGEST, ALL)],
        # In each deck `auto` chooses the other value.
        "table.bits": [key(DIGEST, "32"), key(DIGEST, "64", context="table.width=10")],
        "alias.samples": [key(DIGEST, "20001")],
        "alias.within": [key(DATA, ALL, context=KEEP_SAMPLES)],
        "alias.keep": [key(DATA, ALL, context="output.file=out.h5")],
        "alias.memory": [key(KERNELS, "64 KiB", context=KEEP_SAMPLES)],
        "alias.iterations": [key(KERNELS, "2")],
        "output.file": [key(FILES, "out.h5", "other.h5")],
    },
    "correlate": {
        **STREAMS,
        "correlate.numbers": [key(DIGEST, "20010")],
        "correlate.lags": [key(DIGEST, "11")],
        "correlate.across": [key(DIGEST, ALL)],
        "correlate.bit": [key(DIGEST, "1", "16")],
        # In each deck `auto` chooses the other value.
        "correlate.method": [key(KERNELS, "fft"),
                             key(KERNELS, "direct", context="correlate.lags=500")],
        "correlate.memory": [key(report("number buffer"), "1 MiB", context="correlate.numbers=1e6")],
        "output.file": [key(FILES, "out.h5", "other.h5")],
    },
    "occlusion": {
        **{name: lines for name, lines in STREAMS.items()
           if name not in ("streams.count", "streams.first", "streams.of", "streams.mapping",
                           "streams.segments")},
        "streams.first": [key(DIGEST, "1", "196", context="streams.of=200")],
        "streams.of": [key(DIGEST, "200")],  # 20 x 10 pixels with a stream each; the run draws streams.count of them
        "streams.count": [key(DIGEST, "2", "3",
                              context="occlusion.numbers=on_demand")],
        "occlusion.scene": [key(DIGEST, ALL, needs={"file": "occlusion.file={table_obj}"})],
        "occlusion.file": [key(DIGEST, "{other_obj}",
                               context="occlusion.scene=file occlusion.file={table_obj}")],
        "occlusion.eye": [key(DIGEST, "1 -9 4", "2,-9,4")],
        "occlusion.target": [key(DIGEST, "0 0 1")],
        "occlusion.zoom": [key(DIGEST, "1", "3")],
        "occlusion.distance": [key(DIGEST, "0.5", "100")],
        "occlusion.width": [key(DIGEST, "21")],
        "occlusion.height": [key(DIGEST, "11")],
        "occlusion.passes": [key(DIGEST, "[2]", "[1, 2]")],
        # With numbers on demand, the digest covers the count of used numbers instead of the picture.
        "occlusion.numbers": [key(DIGEST, ALL)],
        "output.file": [key(FILES, "out.h5", "other.h5")],
    },
    "battery": {
        **{name: lines for name, lines in STREAMS.items()
           if name not in ("streams.first", "streams.of")},
        "streams.first": [key(DIGEST, "1", "200")],
        "battery.tests": [key(DIGEST, "small.10")],
        "battery.first_word": [key(DIGEST, "1", "1000000")],
        "battery.step": [key(DIGEST, "2")],
        "battery.sequence": [key(DIGEST, "each", context="battery.tests=windows"),
                             key(DIGEST, "shared"), key(DIGEST, "testu01", context="battery.tests=long.1")],
        "battery.seeds": [key(DIGEST, "2")],
        "battery.repeat": [key(DIGEST, "2")],
        "battery.chunk": [key(DIGEST, "1000000",
                              context="battery.sequence=shared battery.bytes=100000000 "
                                    "battery.chunk=2000000")],
        "battery.bytes": [key(DIGEST, "150000000",
                              context="battery.sequence=shared battery.chunk=2000000 "
                                    "battery.bytes=100000000")],
        "battery.order": [key(DIGEST, ALL, needs={"blocked": "battery.block=1000",
                                                 "stream": "battery.block=1000"})],
        "battery.block": [key(DIGEST, "1000", "2000",
                              context="battery.order=stream battery.block=500"),
                          key(DIGEST, "1000", "2000",
                              context="battery.order=blocked battery.block=500")],
        "battery.bits": [key(DIGEST, ALL)],
        "battery.source": [key(DIGEST, "{words_bin}")],
        "battery.streams": [key(DIGEST, "8", context="battery.tests=default.22 battery.chunk=65536 "
                                                   "battery.source={words_bin} battery.streams=4")],
        # A permutation of the columns does not change a matrix rank, so the key needs another test.
        "battery.word_bits": [key(DIGEST, "64", context="battery.tests=small.10 battery.byte_order=big "
                                                      "battery.source={words_bin}")],
        "battery.byte_order": [key(DIGEST, "big", context="battery.source={words_bin}")],
        "battery.memory": [key(report("words in memory"), "1 MiB")],
        "output.file": [key(FILES, "out.h5", "other.h5")],
    },
    "create": {
        "create.exponent": [key(DIGEST, ALL, context="create.count=1")],
        "create.first_id": [key(DIGEST, "7")],
        "create.count": [key(DIGEST, "3")],
        "create.seed": [key(DIGEST, "1")],
        "create.candidates": [key(DIGEST, ALL)],
        "output.file": [key(FILES, "other.h5")],
    },
    # `rivulet stream` reads the fill job's deck. Its digest covers the first 64 KiB.
    "stream": {
        **{name: lines for name, lines in STREAMS.items() if name != "streams.of"},
        **NUMBERS,
        "fill.order": [key(DIGEST, ALL, needs={"blocked": "fill.block=200"})],
        "fill.block": [key(DIGEST, "200", "400", context="fill.order=blocked fill.block=300")],
    },
}

# Keys whose effect these runs cannot show, and the reasons.
LAYOUT = {
    "output.chunk": "how large datasets lie in the file: test_results_file.py",
    "output.alignment": "where their chunks do: test_results_file.py",
}
NOT_OBSERVABLE_KEYS = {
    **LAYOUT,
    "output.expect": "with another digest the run fails: test_expected_digest.py",
    "checkpoint.every": "when a checkpoint is written: test_checkpoint.py",
    "checkpoint.signals": "what ends a run: test_checkpoint.py",
}
NOT_OBSERVABLE_WITH_CHECKPOINT = {
    **NOT_OBSERVABLE_KEYS,
    "checkpoint.file": "written while a run goes on, or refused: test_checkpoint.py",
    "checkpoint.keep": "only where pieces are shorter than the run",
}
NOT_OBSERVABLE = {
    "pi": NOT_OBSERVABLE_KEYS,
    "fill": NOT_OBSERVABLE_WITH_CHECKPOINT,
    "alias": {**NOT_OBSERVABLE_WITH_CHECKPOINT, "table.memory": "a larger table is refused: test_bad_alias.py"},
    "correlate": NOT_OBSERVABLE_WITH_CHECKPOINT,
    "battery": {**NOT_OBSERVABLE_WITH_CHECKPOINT, "streams.of": "refused, as a sequence has all streams of its run"},
    "create": {name: why for name, why in NOT_OBSERVABLE_WITH_CHECKPOINT.items() if name not in LAYOUT},
    "occlusion": {
        **NOT_OBSERVABLE_WITH_CHECKPOINT,
        "streams.mapping": "each value but auto and the one that there is, is refused",
        "streams.segments": "more than one is refused",
        "occlusion.warps": "warps of a GPU that share a team's stream: seen in times alone",
    },
    "stream": {
        **NOT_OBSERVABLE_WITH_CHECKPOINT,
        "streams.of": "there is no amount to split",
        "fill.numbers": "how many, where they end",
        "fill.to": "numbers go to standard output",
        "fill.memory": "how many are written at a time",
        "fill.iterations": "there is an endless one",
        "output.file": "numbers go to standard output",
    },
}

# Settings that are documented to have no effect in some decks: job, deck, setting, reason.
WITHOUT_EFFECT = [
    ("pi", "streams.seeding=published", "streams.seed=1", "published seeds are fixed"),
    ("pi", "", "streams.log2_jump=100", "each stream has a parameter set of its own"),
    ("pi", "streams.generator=ranmar48", "streams.log2_jump=100", "for twisters"),
    ("pi", "streams.generator=ranmar48", "streams.parameters=published", "for twisters"),
    ("pi", "streams.generator=ranmar48", "streams.ij=1", "for published seeding"),
    ("pi", "streams.generator=ranmar48", "streams.kl=1", "for published seeding"),
    ("pi", "", "pi.memory=64 KiB", "for the stored kernel"),
    ("alias", "", "table.cells=50", "for tables of one dimension"),
    ("alias", "", "table.rate=0.06", "for exponential weights"),
    ("alias", "", "table.exponent=2", "for power laws"),
    ("alias", "table.weights=zipf", "table.rows=9", "for Gaussian weights"),
    ("alias", "", "alias.memory=1 MiB", "for kept samples"),
    ("alias", "", "table.dataset=others", "for files"),
    ("battery", "battery.source={words_bin}", "streams.seed=1", "for generators"),
    ("battery", "battery.source={words_bin}", "streams.generator=ranmar48", "for generators"),
    ("occlusion", "", "streams.count=5", "for teams; pixels have a stream each"),
    ("occlusion", "", "occlusion.warps=2", "for teams"),
]
