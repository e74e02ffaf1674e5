# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the program is that belongs to these scripts, which lie in a clone or in PREFIX/share/rivulet."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
IS_CLONE = (ROOT / "CMakeLists.txt").exists()
BUILD = ROOT / "build" if IS_CLONE else ROOT.parents[1]  # a build's folder, or an installation's
PROGRAM = BUILD / ("rivulet" if IS_CLONE else "bin/rivulet")
