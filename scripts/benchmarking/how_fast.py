# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/how_fast.md: rates by machine, generator and use, from records.

Where a record has a user's command and a row of a benchmark that say the same, the page shows the command.
"""

import re
import statistics

from benchmarking import commands, peers, streams
from benchmarking.cases import GENERATORS, mapping_of, part_of, title_of
from benchmarking.pages import NUMBERS, best_write, cases_by_generator, names_of, picture
from common.text import milliseconds_text, rate_text, table_of

# As people call what records describe.
MACHINES = {"NVIDIA H200": "H200", "NVIDIA H100 80GB HBM3": "H100", "AMD EPYC (family 25, model 17)": "Core of a Zen 4"}
FEW = 4096  # streams: the default

INTRODUCTION = """\
# Speed by use

This page lists the rate of each use, with the command that measures it. Rates are medians on one GPU or one core. Bold
is a generator all of whose runs were faster than all of the others'; differences below the scatter mean nothing. Two
GPUs or two cores reach about twice the rate. An H100 computes as fast as an H200, and writes 0.77 times as many bytes
per second ([benchmark.md](benchmark.md#reference-results)). [choosing.md](choosing.md) recommends generators. The last
rows are peers, and the highest measured write bandwidth.

On one H200 of a host of four, 2026-11-28, the commands below gave other rates than the tables in two cases: cuRAND's
Philox with dynamic ordering wrote `uint32` at 4.06e12 to 4.14e12 B/s; and streams of sfc64 are never cut, so that its
rows hold with 270336 to 540672 streams, but 4096 reach 2.05e11 points/s, 5.0e11 B/s and 7.7e10 samples/s (flat), and
one stream 5e7 points/s.

`scripts/bench --pages docs bench/records/*.json` wrote this page. [measured.md](measured.md) has other measurements.
"""

USES = """\
## Fused kernel

The job pi uses its numbers in registers.

```sh
export OMP_NUM_THREADS=1
rivulet pi streams.generator=dcmt607 pi.points=1e12
```

The first line is for one core, where `pi.points=1e10` is enough. The rate is the report's `Figure of Merit (FOM)`.
*Team* marks `streams.mapping=team`, where that mapping is the fastest or the only one: without it RANMAR of 48 bits
reaches 0.84 of its row on an H200. The default deck, of 10^10 points, reaches 1.02e12 points/s there.

## Arrays in memory

Measured are `float` for ranmar24, `double` for generators of 48 bits, and all three types for the others. The tables
count bytes, but the figure of merit counts numbers, of 4 or 8 bytes. *Team* rows are in blocked order: interleaved,
mt19937 and mtgp11213 write [less](measured.md#rates).

```sh
rivulet fill streams.generator=dcmt521 fill.type=float fill.numbers=1e11
rivulet fill streams.generator=dcmt521 fill.type=float fill.numbers=1e9 streams.count=32 fill.memory=256MiB
```

The second command is for a core: without its last two arguments numbers stay in cache. A core makes up to 2.7e10 bytes
per second, faster than most disks: writing [a file](scaling.md#large-files-from-many-ranks) takes as long as the disk
needs.

## Alias sampling

Samples of a correlated gaussian of 100 cells, with their histogram, need one lookup each (*flat*) or two (*by rows*).
Reads at random places limit the sampling of [large tables](performance.md).

```sh
rivulet alias streams.generator=hybrid_tausworthe table.layout=flat table.bits=32 alias.samples=1e11
rivulet alias streams.generator=hybrid_tausworthe table.bits=32 alias.samples=1e11
```

On a core, `alias.samples=1e9` is enough.

## Set-up

Set-up makes 4096 streams that are ready to draw: the report's phase `setup`, measured for some generators. The pictures
show allocation and jumps alone, for all.

```sh
rivulet pi streams.generator=dcmt521 streams.count=4096 pi.points=1e11 pi.batches=1
```

On a core, use `pi.points=4e9`.

## Streams in a kernel of your own

On an H200 streams in your own kernel reach 0.64 to 0.92 of the fused rate
([measured.md](measured.md#streams-in-your-own-kernels)). On a CPU engines draw one number at a time, and the order of
the table's rows does not hold: see [distributions](measured.md#distributions). These programs compare with Kokkos'
pool and cuRAND:

```sh
cmake --preset benchmark
cmake --build --preset benchmark
build-benchmark/bench/library_slab
build-benchmark/bench/library_streams
```

## One sequence for a host code

One ranmar48 sequence is 6 times as fast as sequential RANMAR at ten doubles per call, 23 times at 10^7
([measured.md](measured.md#rates)).

```sh
scripts/bench --only memory,sequence
```

## Measuring here

```sh
scripts/bench --only generators,streams,scaling --record mine.json --pages mine
scripts/bench --check
```

The first command measures these rates and those of the peers that it finds, and writes the record, the pages and the
pictures; without `--only` it runs all benchmarks. The second compares the commands of the first two uses with the
tables' rows, and ends with status 3 if two differ by more than 10 %.
"""


def name_of(record):
    return MACHINES.get(record.hardware, record.hardware)


def median(cell):
    return statistics.median(cell[0])


def fastest(record, kind, what=None):
    """Generator -> (rates, note) of its fastest case of a kind, and of a type of number; the note is its mapping."""
    rates = {**{case: one["rates"] for case, one in record.cases(GENERATORS).items()},
             **{row["case"]: row["rates"] for row in record.data.get("commands", [])}}
    found = {}
    for case in cases_by_generator(record, kind):
        name, cell = part_of(case, "name"), (rates[case], mapping_of(case).replace("lane", ""))
        if part_of(case, "what") == what and (name not in found or median(cell) > median(found[name])):
            found[name] = cell
    return found


def fused(record):
    found = {one["generator"]: (one["rates"], "") for one in record.data.get("streams", [])
             if one["streams"] == FEW}
    return {**found, **fastest(record, "pi")}


def bulk(number):
    return lambda record: fastest(record, "bulk", number)


def alias(cells):
    def found(record):
        cases = record.cases(GENERATORS)
        return {name: (cases[case]["rates"], "") for name in names_of(record)
                if (case := f"alias_{name}_{cells}") in record.rates(GENERATORS)}
    return found


def set_up(record):
    """Generator -> (seconds, note) of a user's command."""
    return {one["generator"]: (one["set_up"], "") for one in record.data.get("streams", [])
            if one["streams"] == FEW}


def peer_rows(record):
    """Title -> column -> rate: peers in their fastest forms, and writing alone."""
    rates = record.rates(GENERATORS)
    rows = {}
    for one, column in (*((one, "fused") for one in peers.PI), (peers.GSL, "flat")):
        if case := one.fastest(rates):
            name = one.name("GPUs" in record.machine)
            rows.setdefault(name, {})[column] = rates[case]
    for (name, _), numbers in peers.bulk_rows(rates).items():
        row = rows.setdefault(name, {})
        for number, rate in numbers.items():
            row[number] = max(rate, row.get(number, 0))
    if best := best_write(rates):
        rows["writing alone"] = dict.fromkeys(NUMBERS, best)
    return rows


def noted(cell):
    return rate_text(median(cell), f"({cell[1]})" if cell[1] else "").strip()


def duration(cell):
    return milliseconds_text(median(cell))


def is_best(name, found):
    """Whether all its rates are above all of the others'."""
    return all(min(found[name][0]) > max(rates) for other, (rates, _) in found.items() if other != name)


def scatter(record):
    """How far the rates of a cell lie apart."""
    cells = [cell for _, _, find, text_of in COLUMNS if text_of is noted for cell in find(record).values()]
    apart = sorted((max(cell[0]) - min(cell[0])) / median(cell) for cell in cells)
    half, most = (f"{max(part, 0.01) * 100:.0f} %" for part in (statistics.median(apart), apart[-1]))
    return f"Scatter, (greatest - least) / median: {half} or less in half of the cells, {most} at most."


COLUMNS = (("fused", "fused kernel, points/s", fused, noted),
           ("uint32", "`uint32` into memory, B/s", bulk("uint32"), noted),
           ("float", "`float`, B/s", bulk("float"), noted), ("double", "`double`, B/s", bulk("double"), noted),
           ("flat", "alias, flat, samples/s", alias("100"), noted), ("rows", "alias, by rows", alias("10x10"), noted),
           ("set-up", "set-up, ms", set_up, duration))


def table(record):
    """A row for each generator, a column for each use that was measured; who is fastest for certain is bold. Then the
    peers."""
    columns = [(key, heading, found, text_of) for key, heading, find, text_of in COLUMNS if (found := find(record))]
    every = dict.fromkeys([*names_of(record), *(name for _, _, found, _ in columns for name in found)])
    names = [name for name in every if any(name in found for _, _, found, _ in columns)]

    def cell(name, found, text_of):
        if name not in found:
            return ""
        text = text_of(found[name])
        if text_of is not noted or not is_best(name, found):
            return text
        rate, _, note = text.partition(" ")
        return f"**{rate}** {note}".rstrip()

    return table_of(("generator", *(heading for _, heading, _, _ in columns)),
                    [*((title_of(name), *(cell(name, found, text_of) for _, _, found, text_of in columns))
                       for name in names),
                     *((name, *(rate_text(row[key]) if key in row else "" for key, _, _, _ in columns))
                       for name, row in peer_rows(record).items())])


def page(records, pictures):
    """pictures: of a record's name, paths of those that were drawn, by kind."""
    lines = INTRODUCTION.splitlines()
    for record in records:
        if GENERATORS not in record.data["benchmarks"] and not record.data.get("streams"):
            continue
        drawn = pictures.get(record.name, {})
        lines += ["", f"## {name_of(record)}, {record.machine['date']}", "", *table(record), "", scatter(record), "",
                  *picture("Rates of every generator", drawn.get(GENERATORS)),
                  *picture("Few streams and many", drawn.get("streams"))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*lines, "", *USES.splitlines()])) + "\n"
