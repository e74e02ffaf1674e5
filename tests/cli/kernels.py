# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that runs launch, by the labels that Kokkos gives a tool (kernel_labels.cpp)."""

import collections
import os
import re

TOOL = os.environ.get("RIVULET_KERNEL_LABELS_TOOL", "")


def variables(path):
    """What makes a program write its kernels' labels to the file."""
    # Kokkos 3.7 gave the variable its present name; where both are known they must agree.
    return {"KOKKOS_TOOLS_LIBS": TOOL, "KOKKOS_PROFILE_LIBRARY": TOOL,
            "RIVULET_KERNEL_LABELS": str(path)}


def launches(path):
    """How often the kernels of each label were launched, on all ranks."""
    found = collections.Counter()
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            times, label = line.split(" ", 1)
            found[label] += int(times)
    return found


def own(found):
    """Rivulet's labels, without the prefix; the rest must be those of Kokkos and its kernels, some
    of which have none and are called by their type."""
    foreign = [label for label in found if not re.match("rivulet::|(N6)?Kokkos", label)]
    assert not foreign, f"kernels without a label of Rivulet's: {foreign}"
    return {label.removeprefix("rivulet::"): times for label, times in found.items()
            if label.startswith("rivulet::")}
