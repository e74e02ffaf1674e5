# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses the arguments of scripts."""

import argparse


def parser_of(name, doc, **options):
    """Returns the ArgumentParser of a script. Its help begins with the first paragraph of the script's docstring, and
    ends with the other ones."""
    summary, rest = doc.split("\n\n", 1)
    return argparse.ArgumentParser(prog=f"scripts/{name}", description=summary, epilog=rest,
                                   formatter_class=argparse.RawDescriptionHelpFormatter, **options)
