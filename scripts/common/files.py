# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads the module _files of the Python package without the package, which needs librivulet."""

import importlib.util

from common.program import ROOT

_spec = importlib.util.spec_from_file_location("rivulet_files", ROOT / "python" / "rivulet" / "_files.py")
reader = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(reader)
