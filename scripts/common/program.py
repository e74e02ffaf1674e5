# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the program that belongs to these scripts. They are in a clone or in PREFIX/share/rivulet."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
IS_CLONE = (ROOT / "CMakeLists.txt").exists()
BUILD = ROOT / "build" if IS_CLONE else ROOT.parents[1]  # a build folder, or an installation's prefix
PROGRAM = BUILD / ("rivulet" if IS_CLONE else "bin/rivulet")
