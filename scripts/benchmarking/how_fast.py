# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/how_fast.md: rates by machine, generator and use, from records.

Where a record has a user's command and a row of a benchmark that say the same, the page shows the command.
"""

import re
import statistics

from benchmarking import commands, streams
from benchmarking.cases import GENERATORS, behind, mapping_of, part_of, title_of
from benchmarking.pages import cases_by_generator, names_of, picture
from common.text import milliseconds_text, rate_text, table_of

# As people call what records describe.
MACHINES = {"NVIDIA H200": "H200", "NVIDIA H100 80GB HBM3": "H100", "AMD EPYC (family 25, model 17)": "Core of a Zen 4"}
FEW = 4096  # streams: the default

INTRODUCTION = """\
# Speed by use

This page has the rate of each use, and the command that shows it. Rates are medians of one GPU or core; the fastest is
bold. Two GPUs or cores reach about twice the rate, and an H100 computes as fast as an H200 and writes 0.7 times as
much. [performance.md](performance.md) compares peers and the hardware's limits. Speed is half of the
[choice](choosing.md). `dcmt1279` and `dcmt2203`, which need created sets, have no rows, nor has `hybrid_tausworthe_listing`
(not for use).

`scripts/bench --pages docs bench/records/*.json` wrote this page. [measured.md](measured.md) has other measurements.
"""

USES = """\
## Fused kernel

Numbers are used in registers: points of the job pi.

```sh
export OMP_NUM_THREADS=1
rivulet pi streams.generator=dcmt607 pi.points=1e12
```

The first line is for one core, where `pi.points=1e10` is enough. The rate is the report's `Figure of Merit (FOM)`.
*Team* is `streams.mapping=team`, where that is the fastest or the only mapping.

## Bulk into memory

Arrays, in the fastest type that the generator makes without combining numbers. The tables count bytes, the figure of
merit counts numbers, of 4 bytes (float, 32-bit integer) or 8 (double).

```sh
rivulet fill streams.generator=dcmt521 fill.type=float fill.numbers=1e11
rivulet fill streams.generator=dcmt521 fill.type=float fill.numbers=1e9 streams.count=32 fill.memory=256MiB
```

The second command is for a core: without its last two arguments numbers stay in cache. A core makes up to 10^10 bytes
per second: a [file](scaling.md#large-files-from-many-ranks) takes as long as the disk.

## Alias sampling

Samples of a correlated gaussian of 100 cells, with their histogram, by one lookup a sample (*flat*) or two (*by rows*).
Reads at random places limit [large tables](performance.md#alias-sampling).

```sh
rivulet alias streams.generator=hybrid_tausworthe table.layout=flat table.bits=32 alias.samples=1e11
rivulet alias streams.generator=hybrid_tausworthe table.bits=32 alias.samples=1e11
```

On a core, `alias.samples=1e9` is enough.

## Set-up

Set-up makes, from parameter sets, 4096 streams that are ready to draw; it is the report's phase `setup`. A number of
streams in brackets marks allocation and jumps alone.

```sh
rivulet pi streams.generator=dcmt521 streams.count=4096 pi.points=1e11 pi.batches=1
```

On a core, `pi.points=4e9`.

## Streams in a kernel of your own

These programs measure streams [beside Kokkos' pool and cuRAND](measured.md#streams-in-your-own-kernels).

```sh
cmake --preset benchmark
cmake --build --preset benchmark
build-benchmark/bench/library_slab
build-benchmark/bench/library_streams
```

## One sequence for a host code

A sequence is 9 to 63 times as fast as sequential RANMAR ([measured.md](measured.md#rates)).

```sh
scripts/bench --only memory,sequence
```

## Measuring here

```sh
scripts/bench --only generators,streams,scaling --record mine.json --pages mine
scripts/bench --check
```

The first command measures these rates beside the peers that it finds, and writes record, pages and pictures; without
`--only` it runs all benchmarks. The second compares the commands of the first two uses with the tables' rows, and ends
with status 3 if two differ by more than 10 %.
"""


def name_of(record):
    return MACHINES.get(record.hardware, record.hardware)


def fastest(record, kind, note_of):
    """Generator -> (rate, note) of its fastest case of a kind."""
    rates = {**record.rates(GENERATORS), **commands.rates(record.data.get("commands", []))}
    found = {}
    for case in cases_by_generator(record, kind):
        name = part_of(case, "name")
        if name not in found or rates[case] > found[name][0]:
            found[name] = (rates[case], note_of(case))
    return found


def fused(record):
    found = {one["generator"]: (streams.median_rate(one), "") for one in record.data.get("streams", [])
             if one["streams"] == FEW}
    return {**found, **fastest(record, "pi", lambda case: mapping_of(case).replace("lane", ""))}


def bulk(record):
    return fastest(record, "bulk", lambda case: part_of(case, "what") + behind(mapping_of(case)).replace("_", ", "))


def alias(cells):
    def found(record):
        rates = record.rates(GENERATORS)
        return {name: (rates[case], "") for name in names_of(record)
                if (case := f"alias_{name}_{cells}") in rates}
    return found


def set_up_by_command(record):
    return {one["generator"]: statistics.median(one["set_up"]) for one in record.data.get("streams", [])
            if one["streams"] == FEW}


def set_up_of_most(record):
    """Generator -> seconds and streams, of its case with the most streams."""
    rates, seconds = record.rates(GENERATORS), record.seconds(GENERATORS)
    return {part_of(case, "name"): (seconds[case], round(rates[case] * seconds[case]))
            for case in cases_by_generator(record, "set_up") if not (part_of(case, "what") or "").isdigit()}


def set_up(record):
    """Generator -> text: by a command, or else by the benchmark."""
    found = {name: f"{milliseconds_text(seconds)} ({count})"
             for name, (seconds, count) in set_up_of_most(record).items()}
    return {**found, **{name: milliseconds_text(seconds) for name, seconds in set_up_by_command(record).items()}}


def noted(cell):
    rate, note = cell
    return rate_text(rate, f"({note})" if note else "").strip()


def table(record):
    """A row for each generator, a column for each use that was measured; the fastest are bold."""
    columns = [(heading, found, text_of) for heading, find, text_of in (
        ("fused kernel, points/s", fused, noted), ("bulk into memory, B/s", bulk, noted),
        ("alias, flat, samples/s", alias("100"), noted), ("alias, by rows", alias("10x10"), noted),
        ("set-up, ms", set_up, str)) if (found := find(record))]
    every = dict.fromkeys([*names_of(record), *(name for _, found, _ in columns for name in found)])
    names = [name for name in every if any(name in found for _, found, _ in columns)]

    def cell(name, found, text_of):
        if name not in found:
            return ""
        text = text_of(found[name])
        if text_of is not noted or found[name][0] < max(rate for rate, _ in found.values()):
            return text
        rate, _, note = text.partition(" ")
        return f"**{rate}** {note}".rstrip()

    return table_of(("generator", *(heading for heading, _, _ in columns)),
                    [(title_of(name), *(cell(name, found, text_of) for _, found, text_of in columns))
                     for name in names])


def page(records, pictures):
    """pictures: of a record's name, paths of those that were drawn, by kind."""
    lines = INTRODUCTION.splitlines()
    for record in records:
        if GENERATORS not in record.data["benchmarks"] and not record.data.get("streams"):
            continue
        drawn = pictures.get(record.name, {})
        lines += ["", f"## {name_of(record)}, {record.machine['date']}", "", *table(record), "",
                  *picture("Rates of every generator", drawn.get(GENERATORS)),
                  *picture("Few streams and many", drawn.get("streams"))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*lines, "", *USES.splitlines()])) + "\n"
