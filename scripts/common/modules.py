# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the Python modules that a script needs."""

import importlib.util
import os
import subprocess
import sys

from common.failure import ScriptError

DISTRIBUTION_PYTHON = "/usr/bin/python3"
# PyPI names that differ from the module's name. Spack prefixes the PyPI name with py-; Debian uses the module's name.
PACKAGES = {"yaml": "pyyaml"}


class Lazy:
    """A module that is imported when it is first used. Scripts thus print their help without it."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, attribute):
        return getattr(importlib.import_module(self.name), attribute)


matplotlib, numpy = Lazy("matplotlib"), Lazy("numpy")


def find_modules(*names):
    """Checks that all modules are installed. If some are missing, restarts the script with the distribution's Python.
    If that Python lacks them too, raises ScriptError."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if not missing:
        return
    is_other = os.path.realpath(sys.executable) != os.path.realpath(DISTRIBUTION_PYTHON)
    if is_other and os.access(DISTRIBUTION_PYTHON, os.X_OK):
        check = [DISTRIBUTION_PYTHON, "-c", f"import {', '.join(names)}"]
        if subprocess.run(check, capture_output=True, check=False).returncode == 0:
            os.execv(DISTRIBUTION_PYTHON, [DISTRIBUTION_PYTHON, *sys.argv])
    debian = " and ".join(f"python3-{name}" for name in missing)
    packages = [PACKAGES.get(name, name) for name in missing]
    spack = " and ".join(f"py-{name}" for name in packages)
    raise ScriptError(
        f"{' and '.join(missing)} not found ({sys.executable} does not have it). Install "
        f"{debian} (Debian), {spack} (Spack), or `pip install {' '.join(packages)}`.")
