# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the report of a study: the page report.md and the picture scaling.png."""

import statistics
import textwrap

from common.text import rate_text, seconds_text, shortened, table_of
from common.modules import matplotlib
from plotting import style
from studying.model import FEWEST_SIZES, TERMS, merit_of, rate_efficiency, seconds_of, total_of

COLOURS = dict(zip(TERMS, (style.SKY, style.BLUE, style.ORANGE, style.GREEN, style.SILVER)))


FARTHEST = 8  # default extrapolation, as a multiple of the largest measured size; anything beyond it is called a guess
ROOM = 0.42  # fraction of the figure's width for the left panel's title
LINE = 70  # characters per line of the subtitle
LEAST_BAR = 0.002  # fraction of the highest bar; shorter bars are invisible
TICKS = 10  # maximum number of labelled ticks


def write(folder, study, model, largest=None):
    """Writes report.md and scaling.png. Extrapolates to `largest` nodes or, by default, to FARTHEST times the largest
    measured size. Does not extrapolate if model.extrapolation_problem() returns a reason."""
    last = model.sizes()[-1]
    largest = last if model.extrapolation_problem() else max(largest or FARTHEST * last, last)
    (folder / "report.md").write_text("\n".join(page(study, model, largest)) + "\n", encoding="utf-8")
    style.save(picture(study, model, largest), folder / "scaling.png")


def heading(study, deck):
    work_text = "the same total work" if study["kind"] == "strong" else f"the same work for each {study['unit']}"
    return f"{study['kind'].capitalize()} scaling of {deck}", (
        f"{work_text}; {study['amount']['key']}={study['amount']['value']:g}, "
        f"{style.count(study['ranks_a_node'], 'rank')} with {style.count(study['threads'], 'thread')} per "
        f"{study['unit']}")


def page(study, model, largest):
    title, subtitle = heading(study, study["deck"])
    return [f"# {title}", "", f"{subtitle[0].upper()}{subtitle[1:]}.", "", "![](scaling.png)", "",
            *measured_table(study, model), "", outside(study, model), "", *phase_table(study, model), "", *model_table(study, model),
            "", *extrapolation(study, model, largest)]


def measured_table(study, model):
    rows = []
    for nodes in model.sizes():
        merit = statistics.median(model.measured(nodes, merit_of))
        total = statistics.median(model.measured(nodes, total_of))
        rows.append((nodes, nodes * study["ranks_a_node"], rate_text(merit, model.rows[0]["unit"]),
                     f"{rate_efficiency(model, nodes, merit):.3f}", seconds_text(total),
                     f"{model.efficiency(nodes, total):.3f}",
                     f"{100 * model.residual_on(nodes):+.1f} %"))
    return [f"Medians of {style.count(len(model.rows) // len(model.sizes()), 'run')}. The rate leaves set-up and output "
            "out, the whole run has all but the start of MPI and Kokkos.", "",
            *table_of((f"{study['unit']}s", "ranks", "rate", "efficiency of the rate", "whole run",
                       "efficiency", "model is off by"), rows)]


def outside(study, model):
    """Returns a sentence that says how many runs are inside or outside the model's 95 % band."""
    rows, every = model.outside(), len(model.rows)
    if not rows:
        return f"Inside the model's 95 % band: {every} of {style.count(every, 'run')}."
    sizes = sorted({row["nodes"] for row in rows})
    by_size = ", ".join(f"{sum(row['nodes'] == nodes for row in rows)} on {style.count(nodes, study['unit'])}"
                        for nodes in sizes)
    return (f"Outside the model's 95 % band: {len(rows)} of {style.count(every, 'run')} ({by_size}). More than one in twenty means "
            "that something disturbed these runs, or that the model does not describe them.")


def medians_of(model, nodes):
    """Returns a dict from each term to its median seconds on this number of nodes."""
    every = model.measured(nodes, seconds_of)
    return {term: statistics.median(seconds[term] for seconds in every) for term in TERMS}


def phase_table(study, model):
    return ["Time by phase (medians, averages over ranks):", "",
            *table_of((f"{study['unit']}s", *TERMS),
                      [(nodes, *map(seconds_text, medians_of(model, nodes).values()))
                       for nodes in model.sizes()])]


FORMULAS = {"set-up": ("{:.3g} s", "{:.2g} s log2 R"), "work": ("{:.4g} s W / n",),
            "reduction": ("{:.3g} s", "{:.2g} s log2 R"), "output": ("{:.3g} s", "{:.2g} s R"),
            "rest": ("{:.3g} s",)}


def model_table(study, model):
    """Returns the lines of the model's table. The unit of work is the work of one node, so the coefficient of the work
    is in seconds."""
    rows = []
    for term in TERMS:
        scale = study["amount"]["value"] if term == "work" else 1
        parts = [text.format(scale * value) for text, value in zip(FORMULAS[term], model.coefficients[term])
                 if value > 0]
        rows.append((term, " + ".join(parts) or "0"))
    return [f"The model, of n {study['unit']}s, R ranks and W times the work of one:", "",
            *table_of(("term", "seconds"), rows)]


def extrapolated_sizes(model, largest):
    """Returns the sizes to which the model is extrapolated: the largest measured size times 2, 4, ... FARTHEST, then
    powers of ten, and `largest`."""
    last = model.sizes()[-1]
    doubled = [last << k for k in range(1, FARTHEST.bit_length())]
    tens = [10**k for k in range(1, len(str(largest))) if 10**k > doubled[-1]]
    return sorted({one for one in (*doubled, *tens, largest) if last < one <= largest})


def extrapolation(study, model, largest):
    why = model.extrapolation_problem()
    if why:
        return [f"Nothing is extrapolated (sizes: {why}). Measure {FEWEST_SIZES} sizes or more, none of a single "
                "rank."]
    rows = []
    for nodes in extrapolated_sizes(model, largest):
        low, high = model.total_interval(nodes)
        parts = [f"{model.efficiency(nodes, seconds):.3f}" for seconds in (model.total_on(nodes), high, low)]
        rows.append((nodes, f"{seconds_text(model.total_on(nodes))} ({seconds_text(low)} to {seconds_text(high)})",
                     f"{parts[0]} ({parts[1]} to {parts[2]})",
                     *map(seconds_text, model.terms_on(nodes).values())))
    if not rows:
        return []
    last = model.sizes()[-1]
    warning = "" if largest <= FARTHEST * last else (
        f" Beyond {FARTHEST * last} {study['unit']}s, {FARTHEST} times what was measured, they are a guess.")
    return ["Extrapolated, with 95 % intervals of a bootstrap. The intervals cover the scatter of these runs and "
            f"the model's misfit, not effects of a larger network or file system.{warning}", "",
            *table_of((f"{study['unit']}s", "whole run", "efficiency", *TERMS), rows)]


def picture(study, model, largest):
    figure, (left, right) = style.pyplot().subplots(1, 2, figsize=(12, 5), layout="constrained")
    add_heading(figure, left, study)
    draw_efficiency(left, study, model, largest)
    style.add_title(right, "Time by phase", "medians of the runs,\naverages over the ranks")
    draw_phases(right, study, model)
    return figure


def add_heading(figure, axes, study):
    """Adds the title and subtitle. The deck's name is shortened until the title fits above the left panel."""
    deck = study["deck"]
    title, subtitle = heading(study, deck)
    lines = [textwrap.fill(line, LINE) for line in subtitle.split("; ")]
    named = style.add_title(axes, title, "\n".join(lines))
    for length in range(len(deck) - 1, 0, -1):
        if named.get_window_extent().width <= ROOM * figure.bbox.width:
            break
        named.set_text(heading(study, shortened(deck, length))[0])


def draw_model(axes, model, largest):
    """Draws the model's line and its 95 % band. Requires FEWEST_SIZES sizes: with fewer sizes, the line would only
    follow the points."""
    first, last = model.sizes()[0], model.sizes()[-1]
    line = sorted({*model.sizes(), *(round(first * (largest / first)**(i / 40)) for i in range(41))})
    intervals = [[model.efficiency(nodes, end) for end in model.total_interval(nodes)] for nodes in line]
    axes.fill_between(line, [low for _, low in intervals], [high for high, _ in intervals],
                      color=style.PALE_BLUE, linewidth=0)
    parts = {"whole run, model (band: 95 %)": ("-", [one for one in line if one <= last])}
    if largest > last:
        parts["extrapolated"] = ("--", [one for one in line if one >= last])
    for label, (dashes, part) in parts.items():
        axes.plot(part, [model.efficiency(nodes, model.total_on(nodes)) for nodes in part], dashes,
                  color=style.BLUE, label=label)


def draw_efficiency(axes, study, model, largest):
    sizes = model.sizes()
    if len(sizes) >= FEWEST_SIZES:
        draw_model(axes, model, largest)
    whole = [(row["nodes"], model.efficiency(row["nodes"], total_of(row))) for row in model.rows]
    rates = [(row["nodes"], rate_efficiency(model, row["nodes"], merit_of(row))) for row in model.rows]
    outliers = [(row["nodes"], model.efficiency(row["nodes"], total_of(row)))
                for row in model.outside() if len(sizes) >= FEWEST_SIZES]
    for points, colour, marker, label in ((whole, style.BLUE, "o", "whole run, measured"),
                                          (rates, style.VERMILION, "s", "figure of merit, measured"),
                                          (outliers, style.INK, "x", "whole run, outside the band")):
        if points:
            axes.plot(*zip(*points), marker, color=colour, label=label, fillstyle="none",
                      markersize=9 if points is outliers else 5)
    axes.set_xscale("log")
    size_ticks(axes.xaxis, [*sizes, *extrapolated_sizes(model, largest)])
    axes.set_ylim(0, 1.05 * max(1.1, *(one for _, one in whole + rates)))
    axes.set_xlabel(f"{study['unit']}s")
    axes.set_ylabel("parallel efficiency")
    axes.grid(color=style.FAINT)
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, fontsize=9)


def size_ticks(axis, sizes):
    """Sets a tick at each size on a logarithmic axis. Labels ticks where there is room, and always labels the largest
    size."""
    room = (sizes[-1] / sizes[0]) ** (1 / TICKS)
    labels = {sizes[-1]: f"{sizes[-1]}"}
    for nodes in reversed(sizes):
        if nodes * room <= min(labels):
            labels[nodes] = f"{nodes}"
    axis.set_ticks(sizes, [labels.get(nodes, "") for nodes in sizes])
    axis.set_minor_locator(matplotlib.ticker.NullLocator())


def draw_phases(axes, study, model):
    places = range(len(model.sizes()))
    bottom = [0.0] * len(places)
    largest = max(sum(medians_of(model, nodes).values()) for nodes in model.sizes())
    for term in TERMS:
        heights = [medians_of(model, nodes)[term] for nodes in model.sizes()]
        if max(heights) < LEAST_BAR * largest:
            continue
        axes.bar(places, heights, 0.6, bottom=bottom, color=COLOURS[term], label=term)
        bottom = [one + two for one, two in zip(bottom, heights)]
    axes.set_xticks(list(places), [str(nodes) for nodes in model.sizes()])
    axes.set_xlabel(f"{study['unit']}s")
    axes.set_ylabel("seconds")
    bars, labels = axes.get_legend_handles_labels()  # reversed below: the legend then begins with the topmost bar
    axes.legend(bars[::-1], labels[::-1], frameon=False, bbox_to_anchor=(1, 1), loc="upper left")
