# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Rivulet is compared with: the cases of peers, what they are called, and which are the fastest."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """One library's generator, in one form or several (launch shapes, numbers of counters at once)."""
    title: str
    cases: str  # pattern of their names
    owner: str = ""  # in headings; the Philox of a GPU is cuRAND's

    def forms(self, rates):
        return [case for case in rates if re.fullmatch(self.cases, case)]

    def fastest(self, rates):
        return max(self.forms(rates), key=rates.get, default=None)

    def name(self, on_gpu):
        return ("cuRAND's " if on_gpu and self.owner else self.owner) + self.title

    def heading(self, on_gpu):
        return f"of {self.name(on_gpu).split('4x32')[0]}"

    def title_of(self, case):
        form = form_of(case)
        return f"{self.title}, {form}" if form else self.title


PHILOX = Peer("Philox4x32-10", r"philox_pi(_\d+(x\d+)?)?", "Random123's ")
PI = (Peer("std::mt19937", "std_mt19937_pi"), PHILOX, Peer("ARS", "ars_pi", "Random123's "),
      Peer("dSFMT", "dsfmt_pi"))
GSL = Peer("gsl_ran_discrete", "gsl_alias")

BULK = re.compile(r"(?P<library>curand|random123|std|dsfmt)(?:_(?P<generator>[a-z0-9]+))?"
                  r"(?:_(?P<ordering>default|dynamic))?_(?P<number>uint32|float|double)")
LIBRARIES = {"curand": "cuRAND ", "random123": "Random123 ", "std": "std::", "dsfmt": "dSFMT"}


def form_of(case):
    """Such as "blocks of 256, 2 sequences per thread" of philox_pi_256x2."""
    found = re.fullmatch(r"\w+_pi_(\d+)(?:x(\d+))?", case)
    if not found:
        return ""
    first, second = found.groups()
    if second:
        return f"blocks of {first}, {second} sequence{'s' if second != '1' else ''} per thread"
    return f"{first} counters at once" if first != "1" else "one counter at a time"


def bulk_rows(rates):
    """Rates of peers' numbers in memory, by (generator, ordering), and then by type."""
    found = {}
    for case, rate in rates.items():
        if one := BULK.fullmatch(case):
            generator = (one["generator"] or "").replace("ars", "ARS")
            name = f"{LIBRARIES[one['library']]}{generator}"
            found.setdefault((name, one["ordering"] or ""), {})[one["number"]] = rate
    return found


def fastest_bulk(rates):
    """The rate of the fastest peer of each type of number."""
    every = [pair for row in bulk_rows(rates).values() for pair in row.items()]
    return {number: max(rate for other, rate in every if other == number) for number, _ in every}
