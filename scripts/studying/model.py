# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seconds of a run as a sum of terms of the nodes n, ranks R and work W:

    set-up     a + b log2 R       the same tables on each rank; agreements
    work       c W / n            what streams are drawn for
    reduction  d + e log2 R       sums over the ranks
    output     f + g R            root collects a row a rank; metadata
    rest       h                  waiting, and what no phase counts

Each term is fitted to its own phase, by least squares without negative coefficients. The uncertainty is a
bootstrap: the repetitions on each number of nodes are drawn anew, with replacement.
"""

import math
import statistics

PARTS = {"set-up": ("setup",), "work": ("rng", "compute", "transfer"), "reduction": ("reduction",),
         "output": ("io",)}
TERMS = ("set-up", "work", "reduction", "output", "rest")
SAMPLES = 1000  # of the bootstrap: percentiles to about a tenth of their own width
SEED = 1
INTERVAL = (2.5, 97.5)  # percent


def seconds_of(row):
    """By term, averaged over the ranks: what they wait for each other is in the reduction, or the rest."""
    parts = {term: sum(row[f"{phase}_avg"] for phase in phases) for term, phases in PARTS.items()}
    return {**parts, "rest": max(row["total"] - sum(parts.values()), 0.0)}


def columns(term, nodes, ranks, amount, grows):
    """What a term's coefficients are multiplied with; terms that grow need several sizes to be seen."""
    if term == "work":
        return [amount / nodes]
    if term == "rest" or not grows:
        return [1.0]
    return [1.0, float(ranks) if term == "output" else math.log2(ranks)]


def least_squares(rows, values):
    """Coefficients, none of them negative: the most negative column is left out until there is none."""
    import numpy

    matrix = numpy.asarray(rows, dtype=float)
    kept = list(range(matrix.shape[1]))
    while kept:
        scales = numpy.maximum(numpy.abs(matrix[:, kept]).max(axis=0), 1e-300)
        found = numpy.linalg.lstsq(matrix[:, kept] / scales, numpy.asarray(values), rcond=None)[0] / scales
        if found.min() >= 0:
            break
        kept.pop(int(found.argmin()))
    all_of_them = numpy.zeros(matrix.shape[1])
    if kept:
        all_of_them[kept] = found
    return all_of_them


class Model:
    """Fitted to the rows of a study."""

    def __init__(self, study, rows):
        self.study, self.rows = study, rows
        self.grows = len({row["nodes"] for row in rows}) > 1
        self.coefficients = self.fit(rows)
        self.samples = self.bootstrap()

    def fit(self, rows):
        return {term: least_squares([columns(term, row["nodes"], row["ranks"], row["amount"], self.grows)
                                     for row in rows],
                                    [seconds_of(row)[term] for row in rows]) for term in TERMS}

    def bootstrap(self):
        import random

        draw = random.Random(SEED)
        by_size = [[row for row in self.rows if row["nodes"] == nodes]
                   for nodes in sorted({row["nodes"] for row in self.rows})]
        return [self.fit([row for rows in by_size for row in draw.choices(rows, k=len(rows))])
                for _ in range(SAMPLES)]

    def amount_on(self, nodes):
        times = nodes if self.study["kind"] == "weak" else 1
        return self.study["amount"]["value"] * times

    def terms_on(self, nodes, coefficients=None):
        """Seconds of each term."""
        ranks = nodes * self.study["ranks_a_node"]
        known = coefficients or self.coefficients
        return {term: float(sum(one * two for one, two in zip(
            known[term], columns(term, nodes, ranks, self.amount_on(nodes), self.grows))))
            for term in TERMS}

    def total_on(self, nodes, coefficients=None):
        return sum(self.terms_on(nodes, coefficients).values())

    def efficiency_on(self, nodes, coefficients=None):
        """Of the whole run, against one node."""
        one, many = self.total_on(1, coefficients), self.total_on(nodes, coefficients)
        return one / many / (nodes if self.study["kind"] == "strong" else 1)

    def interval_of(self, function, nodes):
        """Low and high ends of what the bootstrap's models say."""
        import numpy

        values = [function(nodes, sample) for sample in self.samples]
        return tuple(float(one) for one in numpy.percentile(values, INTERVAL))

    def sizes(self):
        return sorted({row["nodes"] for row in self.rows})

    def measured(self, nodes, value):
        return [value(row) for row in self.rows if row["nodes"] == nodes]

    def residual_on(self, nodes):
        """Of the median whole run, relative."""
        return self.total_on(nodes) / statistics.median(self.measured(nodes, total_of)) - 1


def total_of(row):
    return row["total"]


def merit_of(row):
    return row["merit"]


def rate_efficiency(model, nodes, row_merit):
    """Of the figure of merit, which leaves out set-up and output, against the median on the fewest nodes."""
    fewest = model.sizes()[0]
    one = statistics.median(model.measured(fewest, merit_of)) / fewest
    return row_merit / nodes / one
