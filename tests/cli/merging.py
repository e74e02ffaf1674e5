# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of `rivulet merge` share."""

import h5py
import numpy

import refusal
import rivulet_cli

# What a merged file says otherwise than a single run's.
OF_THE_RUN = ("/config", "/timing")


class Case(rivulet_cli.Case):
    def read(self, name):
        """Every dataset and attribute but those of the run itself."""
        found = {}

        def keep(path, node):
            if f"/{path}".startswith(OF_THE_RUN):
                return
            for key, value in node.attrs.items():
                found[f"{path}@{key}"] = numpy.asarray(value).tolist()
            if isinstance(node, h5py.Dataset):
                found[path] = node[()].tolist()
        with h5py.File(self.directory / name) as file:
            file.visititems(keep)
            found["digest"] = file.attrs["digest"]
            deck = file["config/deck"][()].decode()
        found["deck"] = deck.partition("output:")[0]
        found.pop("results/alias@table_seconds", None)
        return found


class Refusal(refusal.Refusal, Case):
    def merge(self, names, *phrases, output="all.h5"):
        self.refuse(["merge", *names], *phrases, output=output, ranks=(1,))
