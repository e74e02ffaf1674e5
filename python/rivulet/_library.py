# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds librivulet and calls it. This module repeats the signatures of rivulet.h. The library reports the layout of
rivulet_options at run time."""

from __future__ import annotations

import ctypes
import operator
import os
import pathlib
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

RELEASE = "0.1"  # versions 0.1.x of the library have this interface
FILE = "librivulet.dylib" if sys.platform == "darwin" else "librivulet.so"

_INT64 = ctypes.c_int64
_SEQUENCE = ctypes.c_int64
_TYPES: dict[str, Any] = {"int32": ctypes.c_int32, "int64": ctypes.c_int64, "uint32": ctypes.c_uint32,
                          "uint64": ctypes.c_uint64, "text": ctypes.c_char_p}
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "version": (ctypes.c_char_p, []),
    "initialize": (ctypes.c_int, []),
    "message": (ctypes.c_char_p, []),
    "status_name": (ctypes.c_char_p, [ctypes.c_int]),
    "generator_count": (_INT64, []),
    "generator_name": (ctypes.c_char_p, [_INT64]),
    "generator_description": (ctypes.c_char_p, [_INT64]),
    "options_default": (ctypes.c_int, [ctypes.c_void_p]),
    "options_layout": (ctypes.c_char_p, []),
    "create": (ctypes.c_int, [ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(_SEQUENCE)]),
    "create_from": (ctypes.c_int, [ctypes.c_char_p, _INT64, ctypes.c_char_p,
                                   ctypes.POINTER(_SEQUENCE)]),
    "create_child": (ctypes.c_int, [ctypes.c_char_p, _SEQUENCE, ctypes.c_uint64,
                                    ctypes.POINTER(_SEQUENCE)]),
    "destroy": (ctypes.c_int, [_SEQUENCE]),
    "warnings": (ctypes.c_int, [_SEQUENCE, _INT64, ctypes.c_char_p]),
    "describe": (ctypes.c_int, [_SEQUENCE, _INT64, ctypes.c_char_p]),
    "draw": (ctypes.c_int, [_SEQUENCE, ctypes.c_char_p, _INT64, ctypes.POINTER(ctypes.c_double),
                            ctypes.c_int32, _INT64, ctypes.c_void_p]),
    "draw_ahead": (ctypes.c_int, [_SEQUENCE, ctypes.c_char_p, _INT64, ctypes.POINTER(ctypes.c_double),
                                  ctypes.c_int32, _INT64, ctypes.c_void_p,
                                  ctypes.POINTER(_INT64), ctypes.POINTER(_INT64)]),
    "skip_power": (ctypes.c_int, [_SEQUENCE, _INT64, ctypes.c_int32]),
    "position": (ctypes.c_int, [_SEQUENCE, ctypes.POINTER(ctypes.c_uint64),
                                ctypes.POINTER(ctypes.c_uint64)]),
    "save_size": (ctypes.c_int, [_SEQUENCE, ctypes.POINTER(_INT64)]),
    "save": (ctypes.c_int, [_SEQUENCE, _INT64, ctypes.c_char_p]),
    "restore": (ctypes.c_int, [_SEQUENCE, _INT64, ctypes.c_char_p]),
}
# These statuses report wrong arguments and raise ValueError. All others (machine, process, file) raise RuntimeError.
_VALUE_ERRORS = {"NULL_POINTER", "COUNT", "UNKNOWN_NAME", "NAME_TAKEN", "OPTION", "SEED",
                 "WRONG_TYPE", "OUT_OF_RANGE", "SPACE", "NOT_A_STATE", "WRONG_VERSION",
                 "WRONG_GENERATOR"}


def _paths_near_package() -> Iterator[pathlib.Path]:
    package = pathlib.Path(__file__).resolve().parent
    yield package / FILE
    yield package.parents[1] / "build" / "lib" / FILE  # in a clone
    for prefix in list(package.parents)[3:4]:  # in an installation
        for pattern in (f"lib*/{FILE}", f"lib/*/{FILE}"):
            yield from sorted(prefix.glob(pattern))


def _paths_from_pkg_config() -> Iterator[pathlib.Path]:
    try:
        result = subprocess.run(["pkg-config", "--variable=libdir", "rivulet"], text=True,
                                capture_output=True, check=False)
    except OSError:
        return
    if result.returncode == 0 and result.stdout.strip():
        yield pathlib.Path(result.stdout.strip()) / FILE


def _candidates() -> Iterator[tuple[str, str]]:
    """Yields pairs in search order: a library's path or name, and its origin as messages state it."""
    for path in _paths_near_package():
        if path.exists():
            yield str(path), "beside the package"
    yield FILE, "the loader's path"
    yield f"{FILE}.{RELEASE}", "the loader's path"
    for path in _paths_from_pkg_config():
        yield str(path), "pkg-config"


def _load() -> ctypes.CDLL:
    named = os.environ.get("RIVULET_LIBRARY")
    candidates = iter([(named, "RIVULET_LIBRARY")]) if named else _candidates()
    tried = []
    for path, origin in candidates:
        try:
            return ctypes.CDLL(path)
        except OSError as failure:
            tried.append(f"{origin}: {failure}")
    where = "RIVULET_LIBRARY names a file that does not load" if named else "it is in none of the known places"
    raise OSError("librivulet cannot be loaded (" + where + "). Set RIVULET_LIBRARY to the path of "
                  f"{FILE}. Tried:\n  " + "\n  ".join(tried))


class Library:
    """The functions of rivulet.h as attributes, without the prefix rivulet_. `check` raises ValueError or RuntimeError
    for a status other than RIVULET_OK."""

    def __init__(self) -> None:
        self.cdll = _load()
        for name, (result, arguments) in _FUNCTIONS.items():
            try:
                function = getattr(self.cdll, "rivulet_" + name)
            except AttributeError:
                raise OSError(f"{self.cdll._name} is another version (it has no rivulet_{name})."
                              f" Set RIVULET_LIBRARY to the path of librivulet {RELEASE}.") from None
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        version = self.version().decode()
        if not version.startswith(RELEASE + "."):
            raise OSError(f"{self.cdll._name} is another version ({version}). Set RIVULET_LIBRARY to the path of "
                          f"librivulet {RELEASE}.")
        layout = self.options_layout()
        if layout is None:  # the processor lacks instructions that the library uses
            raise ImportError(self.message().decode())
        *members, (_, size) = (line.rsplit(" ", 1) for line in layout.decode().splitlines())
        self.size = int(size)
        self.layout = {name: (_TYPES[kind], int(offset)) for (name, kind), offset in
                       ((member.split(), offset) for member, offset in members)}

    def __getattr__(self, name: str) -> Any:  # tells type checkers that __init__ sets the attributes
        raise AttributeError(name)

    def check(self, status: int) -> None:
        if status == 0:
            return
        name = self.status_name(status).decode().replace("RIVULET_ERROR_", "")
        message = in_python(self.message().decode(errors="replace"))
        raise (ValueError if name in _VALUE_ERRORS else RuntimeError)(message)


_IN_PYTHON = {  # the library's wording (a regular expression): this package's wording
    r"(?<![\w./\"-])first_stream(?![\w/-]|\.\w)": "id",  # the lookarounds exclude paths and the user's own words
    "Fork before the first call of rivulet_.*": "Make the pool before the first stream, or use "
                                                "multiprocessing.get_context('spawn').",
    'Set generator_options to words such as "log2_jump=100"': "Pass one of these, such as log2_jump=100",
    "Lower count, instances or buffer_numbers": "Pass a smaller size",
    "Lower count, buffer_numbers or block_length": "Pass a smaller size",
    r"id \+ instances at or below": "id below",  # after first_stream has become id
    "id or instances": "id",
    "; interval 0 .. 4, as rivulet_interval": "",
    "Restore into a sequence": "Assign it to a stream",
    "estroy sequences": "elete streams",
    "To go back, restore .*": "To go back, assign a saved state: stream.state = saved.",
}


def in_python(text: str) -> str:
    """Returns a message of the library, reworded for users of this package."""
    for pattern, replacement in _IN_PYTHON.items():
        text = re.sub(pattern, replacement, text)
    return text


class Options:
    """A struct rivulet_options, with the layout that the library reports."""

    def __init__(self, library: Library) -> None:
        self._layout = library.layout
        self.buffer = ctypes.create_string_buffer(library.size)
        self._texts: list[bytes] = []  # keeps alive the texts that the struct points to
        library.check(library.options_default(self.buffer))

    def __setitem__(self, name: str, value: Any) -> None:
        kind, offset = self._layout[name]
        is_text = kind is ctypes.c_char_p
        try:
            value = os.fsencode(value) if is_text else operator.index(value)
        except TypeError:
            raise TypeError(f"{in_python(name)}={value!r} (it must be {'text' if is_text else 'a whole number'}). Name "
                            "the arguments: Stream('philox4x32', seed=42, id=7).") from None
        if is_text:
            if b"\0" in value:  # a C string would end there
                raise ValueError(f"{in_python(name)}={value!r} (it has a zero byte). Remove it.")
            self._texts.append(value)
        else:
            minimum = 0 if kind(-1).value > 0 else -1 << (8 * ctypes.sizeof(kind) - 1)
            maximum = minimum + (1 << 8 * ctypes.sizeof(kind)) - 1
            minimum = 0 if name == "first_stream" else minimum
            if not minimum <= value <= maximum:  # ctypes would truncate it
                raise ValueError(f"{in_python(name)}={value} (it must be {minimum} .. "
                                 f"{maximum}). Pass a number in this range.")
        kind.from_buffer(self.buffer, offset).value = value

    def __getitem__(self, name: str) -> Any:
        kind, offset = self._layout[name]
        value = kind.from_buffer(self.buffer, offset).value
        return value.decode() if isinstance(value, bytes) else value


_lock = threading.Lock()
_loaded: list[Library] = []


def library() -> Library:
    """Returns the library. The first call loads it; raises OSError or ImportError if the library cannot be used."""
    if not _loaded:
        with _lock:
            if not _loaded:
                _loaded.append(Library())
    return _loaded[0]


def library_path() -> str:
    """Returns the path of the loaded library, or its name if the system's loader found it by name."""
    return str(library().cdll._name)


def library_version() -> str:
    """Returns the version of the loaded library.

    >>> library_version()
    '0.1.0'
    """
    return str(library().version().decode())


def generators() -> dict[str, str]:
    """Returns a dict from each generator's name to its description. docs/choosing.md compares the generators.

    >>> generators()["philox4x32"]
    "Philox4x32-10, Random123's and cuRAND's, a function of a counter"
    """
    lib = library()
    return {lib.generator_name(i).decode(): lib.generator_description(i).decode()
            for i in range(lib.generator_count())}
