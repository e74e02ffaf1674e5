# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every job gives the digests of tests/data/digests.json on what this build runs on."""

from digests import Digests  # noqa: F401, a case that unittest finds here
