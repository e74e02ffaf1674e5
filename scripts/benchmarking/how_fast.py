# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/how_fast.md: rates by use, generator and machine, from records.

Where a record has a user's command and a row of a benchmark that say the same, the page shows the command.
"""

import re
import statistics

from benchmarking import commands, streams
from benchmarking.cases import GENERATORS, behind, mapping_of, part_of, title_of
from benchmarking.pages import cases_by_generator, names_of, picture
from common.text import rate_text, seconds_text, table_of

# As people call what records describe.
MACHINES = {"NVIDIA H200": "H200", "AMD EPYC (family 25, model 17)": "core of a Zen 4",
            "Intel(R) Xeon(R) Processor (family 6, model 167)": "core of a Xeon (Rocket Lake)"}
FEW = 4096  # streams: the default

INTRODUCTION = """\
# How fast for me

Which generator is fast on your machine for your use, at what rate, and which command shows the rate. Written by
`scripts/bench --pages docs bench/records/*.json` from [bench/records](../bench/records). [performance.md](performance.md)
has these measurements in full, with the limits of the hardware, [measured.md](measured.md) the others. Rates are medians;
empty fields were not measured. A GPU is used as a whole, a processor by one core. Two GPUs, or two cores, reach about
twice the rate ([performance.md](performance.md#scaling)).

Speed is half of the choice ([choosing.md](choosing.md)); ranmar24's numbers have 24 bits. The commands take every
generator of the tables as `streams.generator`, and draw by lanes; mtgp11213, and on a GPU mt19937, have the mapping `team`
alone. For one core, set this first:

```console
$ export OMP_NUM_THREADS=1
```

The line `Figure of Merit (FOM)` at the end of a run is the rate, `setup` in its table of seconds the set-up.

```console
$ scripts/bench --check
```

runs the commands of the first two sections for every generator, in turn with the benchmark that makes their tables,
and names those that differ from it by more than 10 %.
"""

FUSED = """\
Numbers are drawn and used in registers, as by a kernel that makes its numbers itself: here points per second of the
job pi, a 32-bit word each. On a GPU the rate hardly depends on the number of streams; the pictures show where it does
on a core.

```console
$ rivulet pi streams.generator=dcmt607 pi.points=1e12
```

On a core, `pi.points=1e10` takes a few seconds. *Team*: by `streams.mapping=team`, where it is the fastest or the
only mapping.
"""

BULK = """\
Arrays of numbers for a kernel that reads them: bytes per second into memory, in the fastest type of those that the
generator makes without combining numbers. A float or a 32-bit integer has 4 bytes, a double 8.

```console
$ rivulet fill streams.generator=dcmt521 fill.type=float fill.numbers=1e11
$ rivulet fill streams.generator=dcmt521 fill.type=float fill.numbers=1e9 streams.count=32 fill.memory=256MiB
```

The first command is for a GPU, the second one for a core: without its last two arguments the numbers stay in cache.
The figure of merit counts numbers, not bytes.
"""

BULK_XEON = """\
Table 5 of [measured.md](measured.md#rates) has a core of a newer Xeon (Granite Rapids): 0.81 to 0.91 of the write
bandwidth with twisters and the hybrid Tausworthe generator in integers.
"""

FILE = """\
The disk decides: a core makes up to 10^10 bytes per second, as the tables above show, which is more than most disks
take. The figure of merit counts everything up to the last write. No table has rates: they are those of your disk.

```console
$ rivulet fill fill.to=file fill.type=float fill.numbers=1e9 --output numbers.h5
```

[scaling.md](scaling.md#large-files-from-many-ranks) has the seconds of a file of 512 MiB by four ranks of two cores,
beside those of plain files.
"""

ALIAS = """\
Samples per second of a table of weights, a correlated gaussian of 100 cells, with their histogram: *flat*, one lookup
a sample, and *by rows*, two lookups.

```console
$ rivulet alias streams.generator=hybrid_tausworthe table.layout=flat table.bits=32 alias.samples=1e11
$ rivulet alias streams.generator=hybrid_tausworthe table.bits=32 alias.samples=1e11
```

On a core, `alias.samples=1e9` takes a few seconds. Large tables are limited by reads at random places
([performance.md](performance.md#alias-sampling)).
"""

SET_UP = """\
Seconds from parameter sets to streams ready to draw. *Command*: the phase `setup` of the job pi, which also cuts few
streams into segments. *Kernel*: allocation and jumps alone, of as many streams as the brackets say.

```console
$ rivulet pi streams.generator=dcmt521 streams.count=4096 pi.points=1e11 pi.batches=1
```

On a core, `pi.points=4e9`.
"""

KERNELS = """\
A stream per history, cell or particle, from the C++ library ([library.md](library.md)): philox4x32 needs neither
memory nor set-up, hybrid_tausworthe four words a stream. Tables 6 and 7 of
[measured.md](measured.md#streams-in-your-own-kernels) have a slab transport over both, beside Kokkos' pool and cuRAND,
and the share of the fused kernel's rate that streams of 100 numbers reach (0.62 to 0.78 on an H200).

```console
$ cmake --preset benchmark
$ cmake --build --preset benchmark
$ build-benchmark/bench/library_slab
$ build-benchmark/bench/library_streams
```
"""

SEQUENCE = """\
One sequence that a program in C or Fortran reads, a few numbers or many at a time ([library.md](library.md#speed)): tables
1 (H200) and 4 (a core of a Zen 5) of [measured.md](measured.md#rates), 9 to 63 times as fast as sequential RANMAR.

```console
$ scripts/bench --only memory,sequence
```
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
            for case in cases_by_generator(record, "set_up") if part_of(case, "what") is None}


def noted(cell):
    rate, note = cell
    return rate_text(rate, f"({note})" if note else "").strip()


def table(records, columns):
    """A row for each generator. columns: (what of a record, heading, text of a cell)."""
    shown = [(f"{name_of(record)}{heading}, {record.machine['date']}", found, text_of)
             for record in records for find, heading, text_of in columns if (found := find(record))]
    order = [name for record in records for name in names_of(record)]
    names = dict.fromkeys([*order, *(name for _, found, _ in shown for name in found)])
    return table_of(("generator", *(heading for heading, _, _ in shown)),
                    [(title_of(name), *(text_of(found[name]) if name in found else "" for _, found, text_of in shown))
                     for name in names if any(name in found for _, found, _ in shown)])


def summary(records):
    """The fastest generator of each use on each machine."""
    uses = (("fused kernel", fused, "points/s"), ("bulk into memory", bulk, "B/s"),
            ("alias sampling, flat", alias("100"), "samples/s"))
    machines = [record for record in records if any(find(record) for _, find, _ in uses)]

    def cell(found, unit):
        if not found:
            return ""
        best = max(found, key=lambda name: found[name][0])
        return f"{title_of(best)}: {rate_text(found[best][0], unit)}"

    return table_of(("fastest", *map(name_of, machines)),
                    [(use, *(cell(find(record), unit) for record in machines)) for use, find, unit in uses])


def page(records, pictures):
    """pictures: of a record's name, paths of those that were drawn, by kind."""
    def drawn(kind, text):
        return [line for record in records
                for line in picture(f"{text}: {name_of(record)}", pictures.get(record.name, {}).get(kind))]

    sections = (
        ("Fused kernel", FUSED, table(records, [(fused, "", noted)]), drawn("streams", "Few streams and many")),
        ("Bulk into memory", BULK, table(records, [(bulk, "", noted)]), BULK_XEON.splitlines()),
        ("Bulk to a file", FILE),
        ("Alias sampling", ALIAS,
         table(records, [(alias("100"), ", flat", noted), (alias("10x10"), ", by rows", noted)])),
        ("Set-up", SET_UP, table(records, [
            (set_up_by_command, f", command, {FEW} streams", seconds_text),
            (set_up_of_most, ", kernel", lambda cell: f"{seconds_text(cell[0])} ({cell[1]})")])),
        ("Streams in a kernel of your own", KERNELS),
        ("One sequence for a host code", SEQUENCE))
    lines = [*INTRODUCTION.splitlines(), "", *summary(records), "", *drawn(GENERATORS, "Rates of every generator")]
    for title, text, *parts in sections:
        lines += [f"## {title}", "", *text.splitlines(), ""]
        lines += [line for part in parts for line in [*part, ""]]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
