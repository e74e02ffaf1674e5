# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A study's page, report.md, and picture, scaling.png."""

import statistics

from common.text import rate_text, seconds_text, table_of
from plotting import style
from studying.model import TERMS, merit_of, rate_efficiency, seconds_of, total_of

COLOURS = dict(zip(TERMS, (style.SKY, style.BLUE, style.ORANGE, style.GREEN, style.SILVER)))


FARTHEST = 8  # times the largest measured size: farther than that a fit is a guess, to be asked for


def write(folder, study, model, most=None):
    """Extrapolates to `most` nodes, or else as far as a fit can be trusted."""
    most = max(most or FARTHEST * model.sizes()[-1], model.sizes()[-1])
    (folder / "report.md").write_text("\n".join(page(study, model, most)) + "\n", encoding="utf-8")
    draw(study, model, most, folder / "scaling.png")


def heading(study):
    way = "the same work on all" if study["kind"] == "strong" else f"as much work for each {study['unit']}"
    return f"{study['kind'].capitalize()} scaling of {study['deck']}", (
        f"{way}; {study['amount']['key']}={study['amount']['value']:g}, "
        f"{style.count(study['ranks_a_node'], 'rank')} of {style.count(study['threads'], 'thread')} a "
        f"{study['unit']}")


def page(study, model, most):
    title, subtitle = heading(study)
    return [f"# {title}", "", f"{subtitle[0].upper()}{subtitle[1:]}.", "", "![](scaling.png)", "",
            *measured_table(study, model), "", *phase_table(study, model), "", *model_table(study, model),
            "", *extrapolation(study, model, most)]


def measured_table(study, model):
    first, rows = model.sizes()[0], []
    for nodes in model.sizes():
        merit = statistics.median(model.measured(nodes, merit_of))
        total = statistics.median(model.measured(nodes, total_of))
        rows.append((nodes, nodes * study["ranks_a_node"], rate_text(merit, model.rows[0]["unit"]),
                     f"{rate_efficiency(model, nodes, merit):.3f}", seconds_text(total),
                     f"{whole_efficiency(study, model, nodes, first, total):.3f}",
                     f"{100 * model.residual_on(nodes):+.1f} %"))
    return [f"Medians of {len(model.rows) // len(model.sizes())} runs. The rate leaves set-up and output "
            "out, the whole run has all but the start of MPI and Kokkos.", "",
            *table_of((f"{study['unit']}s", "ranks", "rate", "efficiency of the rate", "whole run",
                       "efficiency", "model is off by"), rows)]


def whole_efficiency(study, model, nodes, first, total):
    one = statistics.median(model.measured(first, total_of))
    return one / total * (first / nodes if study["kind"] == "strong" else 1)


def medians_of(model, nodes):
    """Seconds of each term."""
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
    """Work in units of what one node gets, so that its coefficient is seconds."""
    rows = []
    for term in TERMS:
        scale = study["amount"]["value"] if term == "work" else 1
        parts = [text.format(scale * value) for text, value in zip(FORMULAS[term], model.coefficients[term])
                 if value > 0]
        rows.append((term, " + ".join(parts) or "0"))
    return [f"The model, of n {study['unit']}s, R ranks and W times the work of one:", "",
            *table_of(("term", "seconds"), rows)]


def beyond(model, most):
    """Doublings of the largest measured size as far as a fit can be trusted, then powers of ten; and `most`."""
    last = model.sizes()[-1]
    doubled = [last << k for k in range(1, FARTHEST.bit_length())]
    tens = [10**k for k in range(1, len(str(most))) if 10**k > doubled[-1]]
    return sorted({one for one in (*doubled, *tens, most) if last < one <= most})


def extrapolation(study, model, most):
    rows = []
    for nodes in beyond(model, most):
        low, high = map(seconds_text, model.interval_of(model.total_on, nodes))
        low_part, high_part = model.interval_of(model.efficiency_on, nodes)
        rows.append((nodes, f"{seconds_text(model.total_on(nodes))} ({low} to {high})",
                     f"{model.efficiency_on(nodes):.3f} ({low_part:.3f} to {high_part:.3f})",
                     *map(seconds_text, model.terms_on(nodes).values())))
    if not rows:
        return []
    last = model.sizes()[-1]
    far = "" if most <= FARTHEST * last else (
        f" Beyond {FARTHEST * last} {study['unit']}s, {FARTHEST} times what was measured, they are a guess.")
    return ["Extrapolated, with 95 % intervals of a bootstrap over the repetitions. They know the scatter of "
            f"these runs, not what a larger network or file system adds.{far}", "",
            *table_of((f"{study['unit']}s", "whole run", "efficiency", *TERMS), rows)]


def draw(study, model, most, name):
    figure, (left, right) = style.pyplot().subplots(1, 2, figsize=(12, 5), layout="constrained")
    title, subtitle = heading(study)
    style.add_title(left, title, subtitle)
    draw_efficiency(left, study, model, most)
    style.add_title(right, "Time by phase", "medians, averages over ranks")
    draw_phases(right, study, model)
    style.save(figure, name)


def draw_efficiency(axes, study, model, most):
    sizes = model.sizes()
    line = sorted({*sizes, *(round(most ** (i / 40)) for i in range(41))})
    last = sizes[-1]
    intervals = [model.interval_of(model.efficiency_on, nodes) for nodes in line]
    axes.fill_between(line, [low for low, _ in intervals], [high for _, high in intervals],
                      color=style.PALE_BLUE, linewidth=0)
    for dashes, label, part in (("-", "whole run, model (band: 95 %)", [one for one in line if one <= last]),
                                ("--", "extrapolated", [one for one in line if one >= last])):
        axes.plot(part, [model.efficiency_on(nodes) for nodes in part], dashes, color=style.BLUE, label=label)
    first, top = sizes[0], 1.1
    for values, colour, marker, label in (
            (lambda n: [whole_efficiency(study, model, n, first, one) for one in model.measured(n, total_of)],
             style.BLUE, "o", "whole run, measured"),
            (lambda n: [rate_efficiency(model, n, one) for one in model.measured(n, merit_of)],
             style.VERMILION, "s", "figure of merit, measured")):
        points = [(n, one) for n in sizes for one in values(n)]
        axes.plot(*zip(*points), marker, color=colour, label=label, markersize=5, fillstyle="none")
        top = max(top, *(one for _, one in points))
    axes.set_xscale("log")
    if most <= 1000:
        style.plain_ticks(axes.xaxis)
    axes.set_ylim(0, 1.05 * top)
    axes.set_xlabel(f"{study['unit']}s")
    axes.set_ylabel("parallel efficiency")
    axes.grid(color=style.FAINT)
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, fontsize=9)


def draw_phases(axes, study, model):
    places = range(len(model.sizes()))
    bottom = [0.0] * len(places)
    for term in TERMS:
        heights = [medians_of(model, nodes)[term] for nodes in model.sizes()]
        axes.bar(places, heights, 0.6, bottom=bottom, color=COLOURS[term], label=term)
        bottom = [one + two for one, two in zip(bottom, heights)]
    axes.set_xticks(list(places), [str(nodes) for nodes in model.sizes()])
    axes.set_xlabel(f"{study['unit']}s")
    axes.set_ylabel("seconds")
    bars, labels = axes.get_legend_handles_labels()  # the topmost first
    axes.legend(bars[::-1], labels[::-1], frameon=False, bbox_to_anchor=(1, 1), loc="upper left")
