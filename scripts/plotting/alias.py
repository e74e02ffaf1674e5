# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the alias job."""

from plotting.alias_maps import draw_maps
from plotting.alias_rows import draw_flat, draw_rows
from plotting.alias_sampling import coarser, read

JOB = "alias"
KIND = "results"
NAME_OF_SEVERAL = ""
MOST_FILES = 1

__all__ = ["JOB", "KIND", "MOST_FILES", "NAME_OF_SEVERAL", "draw", "read"]


def draw(results):
    sampling = coarser(results[0])
    if sampling.is_flat:
        return [("", draw_flat(sampling))]
    return [("rows", draw_rows(sampling)), ("maps", draw_maps(sampling))]
