# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of every generator's rates on one machine."""

import pathlib

from benchmarking.pages import GENERATORS, NAMES, best_write
from plotting import style

COLOURS = (style.BLUE, style.LIGHT_BLUE)


def bars(axes, title, unit, series, lines):
    """series: label -> generator -> rate, at most two; lines: label -> rate, drawn across."""
    style.add_title(axes, title, unit)
    names = [name for name in NAMES if any(name in one for one in series.values())]
    height = 0.8 / len(series)
    for index, (label, rates) in enumerate(series.items()):
        places = [place + (index - (len(series) - 1) / 2) * height for place in range(len(names))]
        axes.barh(places, [rates.get(name, 0) for name in names], height, color=COLOURS[index],
                  label=label)
    for (label, rate), colour in zip(lines.items(), (style.VERMILION, style.GREEN)):
        axes.axvline(rate, color=colour, linewidth=1.5, label=label)
    axes.set_yticks(range(len(names)), [NAMES[name] for name in names])
    axes.invert_yaxis()
    if len(series) + len(lines) > 1:
        axes.legend(frameon=False, fontsize=9, loc="upper center", ncols=4,
                    bbox_to_anchor=(0.5, -0.1))


def of_generators(rates, before, behind):
    return {name: rates[before + name + behind] for name in NAMES if before + name + behind in rates}


def fastest_bulk(rates, behind):
    found = {}
    for name in NAMES:
        every = [rate for kind in ("uint32", "float", "double")
                 if (rate := rates.get(f"bulk_{name}_{kind}{behind}")) is not None]
        if every:
            found[name] = max(every)
    return found


def known(rates, lines):
    return {label: rates[case] for label, case in lines.items() if case in rates}


def draw(record, path):
    rates = record.rates(GENERATORS)
    figure, ((pi, bulk), (alias, set_up)) = style.pyplot().subplots(
        2, 2, figsize=(13, 9), layout="constrained")
    bars(pi, "Fused pi", "points/s",
         {"lane": of_generators(rates, "pi_", ""), "team": of_generators(rates, "pi_", "_team")},
         known(rates, {"std::mt19937": "std_mt19937_pi", "Philox4x32-10": "philox_pi"}))
    best = best_write(rates)
    bars(bulk, "Bulk to memory, the fastest type", "B/s",
         {"lane": fastest_bulk(rates, ""), "team": fastest_bulk(rates, "_team")},
         {"memory, written": best} if best else {})
    bars(alias, "Alias sampling with histogram", "samples/s",
         {"100 cells flat": of_generators(rates, "alias_", "_100"),
          "10 x 10 by rows": of_generators(rates, "alias_", "_10x10")},
         known(rates, {"gsl_ran_discrete": "gsl_alias"}))
    bars(set_up, "Set-up", "streams/s", {"all": of_generators(rates, "set_up_", "")}, {})
    figure.suptitle(record.hardware)
    pathlib.Path(path).parent.mkdir(exist_ok=True)
    style.save(figure, path)
