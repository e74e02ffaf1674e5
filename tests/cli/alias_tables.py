# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of weights for alias jobs."""

import h5py


class TableFiles:
    """Of a test case with a directory."""

    def table(self, weights, name="table.h5", **datasets):
        """Writes weights, and axes by their names; returns the overrides that name the file."""
        with h5py.File(self.directory / name, "w") as file:
            file["weights"] = weights
            for other, values in datasets.items():
                file[other] = values
        return ["table.weights=file", f"table.file={name}"]
