# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong in a way that a user can do something about."""


class PlotError(Exception):
    """Its text is one line: PROBLEM (WHY). WHAT TO DO."""
