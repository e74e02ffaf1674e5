# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models the seconds of a run as a sum of terms that depend on the nodes n, ranks R and work W:

    set-up     a + b log2 R       each rank computes the same tables; the ranks agree
    work       c W / n            drawing and using the numbers
    reduction  d + e log2 R       sums over the ranks
    output     f + g R            root collects a row from each rank; metadata
    rest       h                  waiting, and time outside all phases

Each term is fitted to its own phases, by least squares with nonnegative coefficients. A bootstrap yields the
uncertainty. Each sample redraws the repetitions on each number of nodes, with replacement. For each number of nodes,
all residuals change sign in half of the samples; a misfit of the model thus counts as scatter. The intervals are for
one run, so they include the scatter of whole runs about the model.
"""

import math
import statistics
from operator import itemgetter

from common.modules import numpy

PARTS = {"set-up": ("setup",), "work": ("rng", "compute", "transfer"), "reduction": ("reduction",),
         "output": ("io",)}
TERMS = ("set-up", "work", "reduction", "output", "rest")
SAMPLES = 1000  # bootstrap samples: the percentiles' error is about a tenth of the interval's width
SEED = 1
INTERVAL = (2.5, 97.5)  # percent
FEWEST_SIZES = 4  # needed to extrapolate: two sizes determine a growing term, two more test its form


def seconds_of(row):
    """Returns a dict from each term to the seconds of a row, averaged over ranks. The time that ranks wait for each
    other is in the reduction or the rest."""
    parts = {term: sum(row[f"{phase}_avg"] for phase in phases) for term, phases in PARTS.items()}
    return {**parts, "rest": max(row["total"] - sum(parts.values()), 0.0)}


def columns(term, nodes, ranks, amount, grows):
    """Returns the list of factors that multiply a term's coefficients. If the study has a single size
    (`grows` is false), growing terms are constant."""
    if term == "work":
        return [amount / nodes]
    if term == "rest" or not grows:
        return [1.0]
    return [1.0, float(ranks) if term == "output" else math.log2(ranks)]


def least_squares(rows, values):
    """Returns nonnegative coefficients. While any is negative, drops the column of the most negative coefficient and
    fits again. Dropped columns have coefficient 0."""
    matrix = numpy.asarray(rows, dtype=float)
    active = list(range(matrix.shape[1]))
    while active:
        scales = numpy.maximum(numpy.abs(matrix[:, active]).max(axis=0), 1e-300)
        found = numpy.linalg.lstsq(matrix[:, active] / scales, numpy.asarray(values), rcond=None)[0] / scales
        if found.min() >= 0:
            break
        active.pop(int(found.argmin()))
    solution = numpy.zeros(matrix.shape[1])
    if active:
        solution[active] = found
    return solution


class Model:
    """The model fitted to the rows of a study."""

    def __init__(self, study, rows):
        self.study, self.rows = study, rows
        self.grows = len({row["nodes"] for row in rows}) > 1
        self.coefficients = self.fit((row, seconds_of(row)) for row in rows)
        self.samples = self.bootstrap()

    def fit(self, measured):
        """Returns a dict from each term to its coefficients, fitted to pairs of a row and its seconds by term."""
        pairs = list(measured)
        return {term: least_squares([columns(term, row["nodes"], row["ranks"], row["amount"], self.grows)
                                     for row, _ in pairs],
                                    [seconds[term] for _, seconds in pairs]) for term in TERMS}

    def bootstrap(self):
        """Returns SAMPLES pairs: coefficients by term, and a factor for the scatter of one run about the model."""
        draw = numpy.random.default_rng(SEED)
        by_size = [[(row, self.measured_and_reflected(row)) for row in self.rows if row["nodes"] == nodes]
                   for nodes in self.sizes()]
        normal = statistics.NormalDist(sigma=self.scatter() or 1e-9)  # NormalDist needs sigma > 0
        samples = []
        for at in range(SAMPLES):
            chosen = []
            for pairs in by_size:
                side = draw.integers(2)
                chosen += [(pairs[i][0], pairs[i][1][side]) for i in draw.integers(len(pairs), size=len(pairs))]
            samples.append((self.fit(chosen), math.exp(normal.inv_cdf((at + 0.5) / SAMPLES))))
        return samples

    def scatter(self):
        """Returns the relative standard deviation of a run from the model. Its square is the sum of two variances: that
        of the repetitions about their mean, and that of the means per size about the model. The second
        variance has two degrees of freedom fewer than there are sizes, because of the fit."""
        deviations = [[total_of(row) / self.total_on(nodes) - 1 for row in self.rows if row["nodes"] == nodes]
                      for nodes in self.sizes()]
        means = [statistics.fmean(one) for one in deviations]
        within = sum((one - mean)**2 for runs, mean in zip(deviations, means) for one in runs)
        return math.sqrt(within / max(len(self.rows) - len(deviations), 1)
                         + sum(mean**2 for mean in means) / max(len(deviations) - 2, 1))

    def measured_and_reflected(self, row):
        """Returns two dicts of seconds by term: the measured ones, and their reflection about the model."""
        actual, fitted = seconds_of(row), self.terms_on(row["nodes"])
        return actual, {term: 2 * fitted[term] - actual[term] for term in TERMS}

    def extrapolation_problem(self):
        """Returns the reason why the model cannot be extrapolated to larger sizes, or "" if it can."""
        if len(self.sizes()) < FEWEST_SIZES:
            return f"{len(self.sizes())} measured, and {FEWEST_SIZES} or more show how terms grow"
        if any(row["ranks"] == 1 for row in self.rows):
            return ("one of them has a single rank, and a file that several ranks write takes a fixed time "
                    "more, which a fit mistakes for growth")
        return ""

    def amount_on(self, nodes):
        times = nodes if self.study["kind"] == "weak" else 1
        return self.study["amount"]["value"] * times

    def terms_on(self, nodes, coefficients=None):
        """Returns a dict from each term to the model's seconds."""
        ranks = nodes * self.study["ranks_a_node"]
        by_term = coefficients or self.coefficients
        return {term: float(sum(one * two for one, two in zip(
            by_term[term], columns(term, nodes, ranks, self.amount_on(nodes), self.grows))))
            for term in TERMS}

    def total_on(self, nodes, coefficients=None):
        return sum(self.terms_on(nodes, coefficients).values())

    def efficiency(self, nodes, seconds):
        """Returns the efficiency of a whole run that takes `seconds`, relative to the median on the fewest nodes."""
        fewest = self.sizes()[0]
        base_seconds = statistics.median(self.measured(fewest, total_of))
        return base_seconds / seconds * (fewest / nodes if self.study["kind"] == "strong" else 1)

    def total_interval(self, nodes):
        """Returns the bootstrap's 95 % interval for the seconds of one whole run."""
        values = [self.total_on(nodes, coefficients) * factor for coefficients, factor in self.samples]
        return tuple(float(one) for one in numpy.percentile(values, INTERVAL))

    def outside(self):
        """Returns the rows whose total is outside the interval for their number of nodes."""
        intervals = {nodes: self.total_interval(nodes) for nodes in self.sizes()}
        return [row for row in self.rows
                if not intervals[row["nodes"]][0] <= total_of(row) <= intervals[row["nodes"]][1]]

    def sizes(self):
        return sorted({row["nodes"] for row in self.rows})

    def measured(self, nodes, value):
        return [value(row) for row in self.rows if row["nodes"] == nodes]

    def residual_on(self, nodes):
        """Returns the relative deviation of the model's total from the median of the whole runs."""
        return self.total_on(nodes) / statistics.median(self.measured(nodes, total_of)) - 1


total_of, merit_of = itemgetter("total"), itemgetter("merit")


def rate_efficiency(model, nodes, row_merit):
    """Returns the efficiency by the figure of merit, relative to the median on the fewest nodes. The figure of merit
    excludes set-up and output."""
    fewest = model.sizes()[0]
    base_rate = statistics.median(model.measured(fewest, merit_of)) / fewest
    return row_merit / nodes / base_rate
