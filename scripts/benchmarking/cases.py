# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of the cases of bench_generators: pi_NAME, bulk_NAME_TYPE, alias_NAME_CELLS, set_up_NAME and
set_up_NAME_STREAMS; what is mapped by team ends with _team."""

import re

CASE = re.compile(r"(?P<kind>pi|bulk|alias|set_up)_(?P<name>\w+?)"
                  r"(?:_(?P<what>uint32|float|double|\d{2,}(?:x\d+)?))?(?:_(?P<mapping>team))?")
MAPPINGS = ("lane", "team")
GENERATORS = "generators"  # the part of a record, and the program
# Of generators, where they are not their names.
TITLES = {"hybrid_tausworthe": "hybrid Tausworthe"}


def part_of(case, part):
    """A part (kind, name, what, mapping) of a generator's case; None of others."""
    found = CASE.fullmatch(case)
    return found and found[part]


def mapping_of(case):
    return part_of(case, "mapping") or "lane"


def behind(mapping):
    """What cases' names end with."""
    return "" if mapping == "lane" else f"_{mapping}"


def title_of(name):
    return TITLES.get(name, name)
