# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program's results files as NumPy arrays."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Dict, TypeVar

import numpy as np

from . import _files

Value = TypeVar("Value")


def _optional(name: str, missing: str, packages: str) -> Any:
    """Imports and returns an optional module. Raises ImportError with advice if the module is not installed. Errors
    that an installed module raises propagate."""
    try:
        return import_module(name)
    except ModuleNotFoundError as failure:
        if failure.name != name:
            raise
        raise ImportError(f"{missing} ({name} is not installed). Install {packages}, or run "
                          f"`pip install {name}`.") from None


def _h5py() -> Any:
    return _optional("h5py", "results files cannot be read", "python3-h5py (Debian) or py-h5py (Spack)")


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode(errors="backslashreplace")  # paths in the deck may contain bytes that are not UTF-8
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [_plain(one) for one in value]
    if isinstance(value, np.ndarray) and value.dtype.kind == "S":
        return np.char.decode(value, "utf-8", "backslashreplace")
    return value


def _stamp(path: str) -> tuple[int, int, int]:
    """Returns (inode, size, time of modification), which changes if another file replaces this one."""
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns


class _Named(Dict[str, Value]):
    """A dict with names as keys. A lookup also finds a name without its `prefix`."""

    prefix = ""

    def __missing__(self, name: str) -> Value:
        if name.startswith(self.prefix) or self.prefix + name not in self:
            raise KeyError(name)
        return self[self.prefix + name]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or super().__contains__(f"{self.prefix}{name}")

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default


class Results(Mapping[str, Any]):
    """A results file as a mapping from names to arrays, numbers and texts. "hits" is short for "results/pi/hits".
    docs/results_file.md lists all names.

    Each access to an array opens the file, reads the whole array and closes the file, even inside a `with` statement.
    To read parts of an array, use h5py. If an array and a number have the same name, results["hits"] is the array and
    results.attributes["hits"] the number. An unknown name raises KeyError. If another file has replaced this one,
    reading an array raises RuntimeError.

    attributes: a dict of all values that are not arrays
    units, descriptions: two dicts with the unit and the description of each array and attribute
    job, digest: the name of the job, and the SHA-256 of its exact result
    report: the program's standard output, if rivulet.run() ran the program; otherwise ""
    path: the file, or "" if rivulet.run() has deleted it

    >>> import rivulet
    >>> results = rivulet.run("pi", pi={"points": 1000}, streams={"count": 8})
    >>> results["hits"].shape, results.units["hits"]
    ((8,), 'points')
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.path.abspath(os.fspath(path))
        self.report = ""
        self.attributes: _Named[Any] = _Named()
        self.units: _Named[str] = _Named()
        self.descriptions: _Named[str] = _Named()
        self._arrays: list[str] = []
        self._dimensions: dict[str, str] = {}
        self._kept: dict[str, Any] = {}
        h5py = _h5py()
        try:
            self._stamp = _stamp(self.path)
            file = _files.opened(self.path)
        except _files.Damaged as failure:
            raise OSError(f"cannot read '{self.path}' ({failure}). Use another copy of it, or make it again."
                          ) from failure
        except OSError as failure:
            why = failure.strerror if failure.errno else "it is not an HDF5 file"
            raise type(failure)(f"cannot read '{self.path}' ({why}). "
                                "Pass a file that `rivulet` wrote to output.file.") from failure
        with file:
            if _plain(file.attrs.get("format", "")) != "rivulet results":
                raise ValueError(f"'{self.path}' is not a results file of Rivulet (it has "
                                 "another format). Pass a file that `rivulet` wrote to output.file.")
            self._note("", file.attrs)
            file.visititems(lambda name, item: self._visit(name, item, h5py.Dataset))
            jobs = list(file.get("results", ()))
        self.job = jobs[0] if len(jobs) == 1 else ""
        for named in (self.attributes, self.units, self.descriptions):
            named.prefix = f"results/{self.job}/" if self.job else ""
        self.digest = str(self.attributes.get("digest", ""))

    def _visit(self, name: str, item: Any, dataset: type[Any]) -> None:
        if not isinstance(item, dataset):
            self._note(name + "/", item.attrs)
            return
        self._arrays.append(name)
        for key, values_by_name in (("unit", self.units), ("description", self.descriptions),
                                    ("dimensions", self._dimensions)):
            if key in item.attrs:
                values_by_name[name] = str(_plain(item.attrs[key]))

    def _note(self, prefix: str, attributes: Mapping[str, Any]) -> None:
        for name, value in attributes.items():
            base_name = name[:-len("_unit")]
            if name.endswith("_unit") and base_name in attributes:
                self.units.setdefault(prefix + base_name, str(_plain(value)))
            else:
                self.attributes[prefix + name] = _plain(value)

    def __getitem__(self, name: str) -> Any:
        for full_name in (name, f"results/{self.job}/{name}"):
            if full_name in self._arrays:
                return self._kept[full_name] if self._kept else self._read(full_name)
        if name in self.attributes:
            return self.attributes[name]
        near = difflib.get_close_matches(str(name).lower(), list(self), 1)
        raise KeyError(f"no {name!r} in these results. " +
                       (f"Did you mean {near[0]!r}?" if near else "list(results) has all names."))

    def __contains__(self, name: object) -> bool:  # Mapping's own method would read the array
        return name in self._arrays or f"results/{self.job}/{name}" in self._arrays or name in self.attributes

    def _read(self, full_name: str) -> Any:
        if _stamp(self.path) != self._stamp:
            raise RuntimeError(f"'{self.path}' has been replaced since it was opened (it is another file). Open it "
                               "again.")
        with _files.unsealed(self.path) as file:  # the constructor has checked the seal
            return _plain(file[full_name][()])

    def _keep(self) -> None:
        """Reads all arrays into memory before the file is deleted."""
        self._kept = {full_name: self._read(full_name) for full_name in self._arrays}
        self.path = ""

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def __iter__(self) -> Iterator[str]:
        yield from self._arrays
        yield from (name for name in self.attributes if name not in self._arrays)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<rivulet.Results of {self.job or 'a run'}: {', '.join(self)}>"

    def to_xarray(self) -> Any:
        """Returns the job's arrays with their units as an xarray.Dataset. Raises ImportError without xarray.

        The dimensions are those of `rivulet --describe-results`, such as `lag` or `stream`. The coordinates of `stream`
        are the streams' ids. If the file names no dimensions for an array, or their lengths do not fit, the array gets
        new dimensions, such as `NAME_0`.
        """
        xarray = _optional("xarray", "an xarray Dataset cannot be made", "python3-xarray (Debian)")
        prefix, streams = f"results/{self.job}/", self.get("streams/id", ())
        arrays, lengths = {}, {"stream": len(streams)}
        for full_name in (name for name in self._arrays if name.startswith(prefix)):
            array, name = self[full_name], full_name[len(prefix):]
            dimensions = self._dimensions.get(full_name, "").split(",")
            if len(dimensions) != array.ndim or any(lengths.setdefault(axis, size) != size
                                                    for axis, size in zip(dimensions, array.shape)):
                dimensions = [f"{name}_{axis}" for axis in range(array.ndim)]
            metadata = {"units": self.units.get(full_name), "description": self.descriptions.get(full_name)}
            arrays[name] = (dimensions, array, {key: text for key, text in metadata.items() if text})
        return xarray.Dataset(arrays, {"stream": streams} if len(streams) else {}, {
            name[len(prefix):]: value for name, value in self.attributes.items()
            if name.startswith(prefix)})


def open(path: str | os.PathLike[str]) -> Results:  # pylint: disable=redefined-builtin
    """Opens a results file and returns its Results, for example rivulet.open("pi.h5")["hits"]. Raises OSError if the
    file is unreadable or damaged, ValueError if it is not a results file of Rivulet, and ImportError without h5py."""
    return Results(path)
