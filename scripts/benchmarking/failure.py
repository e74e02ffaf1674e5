# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong in a way that a user can do something about."""

import sys


def fail(problem, remedy):
    sys.exit(f"scripts/bench: {problem} {remedy}")
