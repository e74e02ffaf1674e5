# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of rates on one machine: of every generator, and with few streams or many."""

import math
import pathlib

from benchmarking import peers, streams
from benchmarking.cases import GENERATORS, MAPPINGS, behind, title_of
from benchmarking.pages import best_write, names_of
from common.text import rate_text
from plotting import style

COLOURS = (style.BLUE, style.LIGHT_BLUE, style.ORANGE)
# As many as there are generators in streams.GENERATORS.
STREAMS_STYLE = [*style.SERIES_STYLE, (style.INK, "X"), (style.GREY, "*")]
LINE_COLOURS = (style.VERMILION, style.GREEN, style.PURPLE, style.INK)


def bars(axes, title, subtitle, unit, names, series, lines, is_log=False):
    """series: label -> generator -> rate, at most three; lines: label -> rate, drawn across."""
    style.add_title(axes, title, subtitle)
    names = [name for name in names if any(name in one for one in series.values())]
    height = 0.8 / len(series)
    for index, (label, rates) in enumerate(series.items()):
        places = [place + (index - (len(series) - 1) / 2) * height for place in range(len(names))]
        axes.barh(places, [rates.get(name, 0) for name in names], height, color=COLOURS[index],
                  label=label)
    for (label, rate), colour in zip(lines.items(), LINE_COLOURS):
        axes.axvline(rate, color=colour, linewidth=1.5, label=f"{label}, {rate_text(rate)}")
    axes.set_yticks(range(len(names)), [title_of(name) for name in names])
    axes.invert_yaxis()
    if is_log:
        axes.set_xscale("log")
        axes.set_xlim(left=10.0 ** math.floor(math.log10(min(min(one.values()) for one in series.values() if one))))
        axes.set_xlabel(unit)
    else:
        style.in_powers(axes.xaxis, unit, axes.get_xlim()[1])
    if len(series) + len(lines) > 1:
        axes.legend(frameon=False, fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.15),
                    ncols=2 if len(series) + len(lines) > 3 else 3)


def of_generators(rates, names, before, after):
    return {name: rates[before + name + after] for name in names if before + name + after in rates}


def fastest_bulk(rates, names, after):
    found = {}
    for name in names:
        every = [rate for kind in ("uint32", "float", "double")
                 if (rate := rates.get(f"bulk_{name}_{kind}{after}")) is not None]
        if every:
            found[name] = max(every)
    return found


def by_mapping(rates_of):
    return {f"mapping {mapping}": rates_of(behind(mapping)) for mapping in MAPPINGS}


def fastest(record, rates, every):
    """Rates of the peers that were measured."""
    return {one.name("GPUs" in record.machine): rates[case] for one in every if (case := one.fastest(rates))}


def limits(rates):
    """What bounds numbers in memory, and what others reach."""
    best, others = best_write(rates), peers.fastest_bulk(rates)
    return {**({"memory, written": best} if best else {}),
            **({"the fastest peer": max(others.values())} if others else {})}


def draw_streams(record, path):
    figure, axes = style.new_axes("Few streams and many: fused pi", f"points/s, {record.hardware}",
                                  width=9)
    every = streams.by_generator(record.data["streams"])
    for (name, rows), (colour, marker) in zip(every.items(), STREAMS_STYLE):
        axes.plot(list(rows), [streams.median_rate(row) for row in rows.values()], color=colour, marker=marker,
                  label=title_of(name))
    axes.set_xscale("log")
    axes.set_yscale("log")
    counts = sorted({count for rows in every.values() for count in rows})
    axes.set_xticks(counts, [f"{count:,}" for count in counts], minor=False)
    axes.set_xticks([], minor=True)
    axes.set_xlabel("streams")
    axes.grid(axis="y", color=style.FAINT)
    axes.legend(frameon=False, fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    pathlib.Path(path).parent.mkdir(exist_ok=True)
    style.save(figure, path)


def draw(record, path):
    rates = record.rates(GENERATORS)
    names = names_of(record)
    figure, ((pi, bulk), (alias, set_up)) = style.pyplot().subplots(
        2, 2, figsize=(13, 9 + 0.45 * max(0, len(names) - 11)), layout="constrained")
    bars(pi, "Fused pi", "numbers drawn and used in registers", "points/s", names,
         by_mapping(lambda after: of_generators(rates, names, "pi_", after)),
         fastest(record, rates, peers.PI))
    bars(bulk, "Bulk to memory", "the fastest of floats, doubles and 32-bit integers", "B/s", names,
         by_mapping(lambda after: fastest_bulk(rates, names, after)),
         limits(rates))
    bars(alias, "Alias sampling with histogram", "from a table of 100 cells", "samples/s", names,
         {"100 cells flat": of_generators(rates, names, "alias_", "_100"),
          "10 x 10 by rows": of_generators(rates, names, "alias_", "_10x10")},
         fastest(record, rates, (peers.GSL,)))
    few = of_generators(rates, names, "set_up_", "_4096")
    bars(set_up, "Set-up", "streams made ready to draw", "streams/s", names,
         {"many streams": of_generators(rates, names, "set_up_", ""),
          **({"4096 streams": few} if few else {})}, {}, is_log=True)
    figure.suptitle(record.hardware)
    pathlib.Path(path).parent.mkdir(exist_ok=True)
    style.save(figure, path)
