# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests rivulet.run(), rivulet.open() and the results that they return."""

import gc
import os
import pickle
import shutil
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pytest

import rivulet

h5py = pytest.importorskip("h5py")
PROGRAM = os.environ.get("RIVULET_PROGRAM", "rivulet")
BATTERY = os.environ.get("RIVULET_TEST_BATTERY") != "0"  # True if the build has the battery job
SMALL = {"pi": {"points": 100_000}, "streams": {"count": 8, "generator": "mt19937"}}


@pytest.fixture(scope="module")
def pi():
    return rivulet.run("pi", **SMALL)


def test_a_run_has_the_program_s_results(pi, tmp_path):
    done = subprocess.run([PROGRAM, "pi", "pi.points=100000", "streams.count=8",
                           "streams.generator=mt19937", "--output", tmp_path / "pi.h5"],
                          capture_output=True, text=True, check=True)
    assert re.findall(r"Digest: (\S+)", done.stdout) == [pi.digest]
    assert pi.digest in pi.report
    assert pi.job == "pi"
    opened = rivulet.open(tmp_path / "pi.h5")
    assert opened.digest == pi.digest
    for name in ("results/pi/hits", "results/pi/pi", "streams/id"):
        np.testing.assert_array_equal(opened[name], pi[name])


def test_results_by_name(pi):
    assert isinstance(pi["hits"], np.ndarray) and pi["hits"].dtype == np.uint64
    assert pi["hits"].sum() == pi.attributes["results/pi/hits"]
    assert pi["pi"] == 4 * pi["hits"].sum() / pi["points"]
    assert pi.units["results/pi/hits"] == pi.units["results/pi/points"] == "points"
    assert "points inside, stream by stream" in pi.descriptions["results/pi/hits"]
    assert "mt19937" in pi["config/deck"]
    assert pi["streams/generator"] == "mt19937"
    assert pi.units["hits"] == pi.units.get("points") == "points" and pi.attributes["hits"] == pi["hits"].sum()
    assert pi.descriptions["hits"] == pi.descriptions["results/pi/hits"] and "hits" in pi.units
    assert pi.units.get("misses") is None and "misses" not in pi.attributes
    for one in (pi, pi.units, pickle.loads(pickle.dumps(pi.units))):
        with pytest.raises(KeyError, match="'misses'"):
            one["misses"]
    assert not any(name.endswith("_unit") for name in pi)
    assert len(pi) == len(list(pi)) == len(dict(pi)) and "hits" in pi
    assert "results/pi/hits" in repr(pi)


def test_files_of_others(tmp_path):
    """open() refuses files that Rivulet did not write. A pipe does not block it."""
    (tmp_path / "text").write_text("text")
    os.mkfifo(tmp_path / "pipe.h5")
    h5py.File(tmp_path / "other.h5", "w").close()
    for name, failure, says in (("text", OSError, r"text' \(it is not an HDF5 file\)\. Pass a file that `rivulet` wrote"),
                                ("none", FileNotFoundError, r"none' \(No such file or directory\)"),
                                ("pipe.h5", OSError, r"pipe\.h5' \(it is not a regular file\)\. Pass a file"),
                                ("other.h5", ValueError, "is not a results file of Rivulet")):
        with pytest.raises(failure, match=says):
            rivulet.open(tmp_path / name)


def test_damaged_files_are_refused_before_hdf5_opens_them(tmp_path):
    """HDF5 may crash on damaged files, or read wrong numbers."""
    path = tmp_path / "pi.h5"
    rivulet.run("pi", path, **SMALL)
    whole = path.read_bytes()
    for at in (0, 60, 100, 130, 300, 511, 4000, len(whole) // 2, len(whole) - 1):
        changed = bytearray(whole)
        changed[at] ^= 4
        path.write_bytes(changed)
        with pytest.raises(OSError, match=r"pi\.h5' \(it is damaged: its SHA-256 .*\)\. Use another copy"):
            rivulet.open(path)
    path.write_bytes(whole[:-1])
    with pytest.raises(OSError, match="it is damaged"):
        rivulet.open(path)
    path.write_bytes(whole)
    with h5py.File(path, "a") as file:
        file.attrs["comment"] = "mine"
    with pytest.raises(OSError, match="it is damaged"):
        rivulet.open(path)
    subprocess.run(f"printf '%512s' | dd conv=notrunc of={path}", shell=True, check=True, capture_output=True)
    assert rivulet.open(path).attributes["comment"] == "mine"


def test_every_bit_of_a_seal_counts(tmp_path):
    path = tmp_path / "pi.h5"
    rivulet.run("pi", path, **SMALL)
    whole = path.read_bytes()
    for bit in range(0, 8 * 512, 5):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        with pytest.raises(OSError, match="it is damaged"):
            rivulet.open(path)


def test_large_files_are_read_by_their_ends(tmp_path):
    """If a fill's results exceed 64 MiB, the seal excludes the numbers."""
    path = tmp_path / "fill.h5"
    rivulet.run("fill", path, fill={"numbers": 9 << 20, "to": "file", "type": "uint64"}, streams={"count": 8})
    numbers = rivulet.open(path)["numbers"]
    with open(path, "r+b") as file:
        seal = file.read(512)
        left_out = re.search(rb"but for the (\d+) bytes from byte (\d+) on", seal)
        count, first = map(int, left_out.groups())
        assert 72 << 20 <= count < 73 << 20
        for at, damaged in ((first - 1, True), (first + count, True), (first + count // 2, False)):
            file.seek(at)
            byte = file.read(1)
            file.seek(at)
            file.write(bytes([byte[0] ^ 1]))
            file.flush()
            if damaged:
                with pytest.raises(OSError, match="it is damaged"):
                    rivulet.open(path)
                file.seek(at)
                file.write(byte)
                file.flush()
    assert np.count_nonzero(rivulet.open(path)["numbers"] != numbers) == 1


@pytest.mark.parametrize("error", ["ENOLCK", "EOPNOTSUPP", "524"])
@pytest.mark.parametrize("asked", ["TRUE", "FALSE", None])
def test_files_without_locks(tmp_path, error, asked):
    """open() works on file systems without locks, for every value of HDF5_USE_FILE_LOCKING."""
    strace = ["strace", "-f", "-o", os.devnull, "-e", "trace=flock", "-e", f"inject=flock:error={error}"]
    if not shutil.which("strace") or subprocess.run([*strace, "true"], capture_output=True, check=False).returncode:
        pytest.skip("strace is missing or may not trace")
    pi = rivulet.run("pi", tmp_path / "pi.h5", **SMALL)
    code = "import rivulet, sys; print(rivulet.open(sys.argv[1])['hits'].sum())"
    environment = {**os.environ, "HDF5_USE_FILE_LOCKING": asked} if asked else None
    done = subprocess.run([*strace, sys.executable, "-c", code, pi.path], env=environment, capture_output=True,
                          text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{pi['hits'].sum()}\n", "")


def test_results_without_a_file(tmp_path, monkeypatch):
    """Results without a file are in memory, can be pickled, and leave no files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = rivulet.run("pi", **SMALL)
    assert results.path == "" and not list(tmp_path.iterdir())
    copied = pickle.loads(pickle.dumps(results))
    del results
    gc.collect()
    assert copied["hits"].sum() == copied.attributes["results/pi/hits"] and copied.report


def test_results_keep_to_their_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = rivulet.run("pi", "pi.h5", **SMALL)
    monkeypatch.chdir("/")
    again = pickle.loads(pickle.dumps(first))
    np.testing.assert_array_equal(again["hits"], first["hits"])
    assert first.path == str(tmp_path / "pi.h5")
    rivulet.run("pi", first.path, pi={"points": 5000}, streams={"count": 8})
    for one in (first, again):
        with pytest.raises(RuntimeError, match=r"pi\.h5' has been replaced since it was opened .* Open it again\."):
            one["hits"]
        assert "hits" in one and "misses" not in one  # does not read the file
        assert one["points"] == 100_000


def test_sections_of_the_output(tmp_path):
    results = rivulet.run("pi", {"file": tmp_path / "pi.h5", "chunk": "2 MiB"}, **SMALL)
    assert results.path == str(tmp_path / "pi.h5") and "chunk: 2 MiB" in results["config/deck"]
    assert rivulet.run("pi", output={"chunk": "1 MiB"}, **SMALL).path == ""


def test_decks_lists_and_launchers(tmp_path):
    deck = tmp_path / "deck.yaml"
    deck.write_text("job: pi\npi:\n  points: 5000\nstreams:\n  count: 8\n")
    results = rivulet.run(deck, tmp_path / "pi.h5", launcher=["env", "OMP_NUM_THREADS=1"],
                          streams={"generator": "ranmar48"})
    assert (tmp_path / "pi.h5").exists() and results["points"] == 5000
    assert results["config/threads"] == 1
    assert rivulet.run(deck, launcher="env OMP_NUM_THREADS=1 'A=b c'")["config/threads"] == 1
    filled = rivulet.run("fill", fill={"numbers": 1000, "to": "file", "type": "double"},
                         streams={"count": 1, "generator": "mt19937", "seed": 3})
    np.testing.assert_array_equal(filled["numbers"], rivulet.Stream("mt19937", 3).random(1000))


def test_refusals_are_the_program_s(capsys):
    with pytest.raises(RuntimeError) as refused:
        rivulet.run("pi", pi={"pionts": 3})
    done = subprocess.run([PROGRAM, "pi", "pi.pionts=3"], capture_output=True, text=True,
                          check=False)
    assert f"rivulet: command line: {refused.value}" in done.stderr
    assert "pionts" in str(refused.value)
    assert str(refused.value) in capsys.readouterr().err  # the message is shown too
    with pytest.raises(RuntimeError, match=r'Did you mean pi=\{"points": 1000000\.0\}\?$'):
        rivulet.run("pi", points=1e6)
    with pytest.raises(RuntimeError, match=r'\. Pass each section as a dict: run\("pi", pi=\{"points": 10\*\*6\}\)\.$'):
        rivulet.run("pi", pints=1e6)
    with pytest.raises(RuntimeError, match=r'\. Set alias=\{"keep": "coordinates"\}, or omit alias\.within\.$'):
        rivulet.run("alias", alias={"within": "uniform", "keep": "none"})
    with pytest.raises(RuntimeError, match="nope.yaml"):
        rivulet.run("nope.yaml")
    with pytest.raises(ValueError, match="job create .*writes parameter sets, not results"):
        rivulet.run("create")
    with pytest.raises(RuntimeError, match="status 3"):
        rivulet.run("pi", launcher=["sh", "-c", "exit 3"])


def test_expected_digests(pi, tmp_path):
    assert rivulet.run("pi", {"expect": pi.digest}, **SMALL).report.endswith(f"Digest: {pi.digest} (as expected)\n")
    with pytest.raises(RuntimeError, match=f"^the digest is {pi.digest}, not {'0' * 64} as output.expect says"):
        rivulet.run("pi", {"file": tmp_path / "pi.h5", "expect": "0" * 64}, **SMALL)
    assert rivulet.open(tmp_path / "pi.h5").digest == pi.digest
    if not BATTERY:
        return
    failing = {"battery": {"tests": "beyond.49"}, "streams": {"generator": "dcmt521", "count": 1}}
    failed = rivulet.run("battery", **failing)
    assert "beyond.49" in failed["failed"]
    expected = rivulet.run("battery", {"expect": failed.digest}, **failing)
    assert expected.digest == failed.digest and expected.report.endswith(" (as expected)\n")
    deck = tmp_path / "deck.yaml"
    deck.write_text(f"job: battery\noutput:\n  expect: {'0' * 64}\nbattery:\n  tests: small\n")
    assert rivulet.run(deck, **failing).report.endswith(" (not compared: battery.tests was given)\n")
    with pytest.raises(RuntimeError, match=f"^the digest is {failed.digest}, not "):
        rivulet.run("battery", {"expect": "0" * 64}, **failing)


@pytest.mark.skipif("hybrid_tausworthe_listing" not in rivulet.generators() or not BATTERY, reason="not built")
def test_a_battery_whose_tests_fail_has_results():
    results = rivulet.run("battery", battery={"tests": "small.1"}, streams={
        "generator": "hybrid_tausworthe_listing", "count": 1, "seeding": "published"})
    assert results["failed"] == "small.1 BirthdaySpacings" and results.digest in results.report


def test_progress_goes_to_a_terminal():
    """The program shows its progress bar only on terminals, so run() gives it a pseudoterminal."""
    import pty
    source, end = pty.openpty()
    code = ("import rivulet; rivulet.run('pi', launcher=['sh', '-c',"
            "'if [ -t 2 ]; then echo terminal >&2; fi; exec \"$@\"', 'sh'],"
            "pi={'points': 1000}, streams={'count': 8})")
    with subprocess.Popen([sys.executable, "-c", code], stderr=end) as process:
        os.close(end)
        seen = os.read(source, 1000)
    assert process.returncode == 0 and b"terminal" in seen


def test_without_optional_packages(pi, monkeypatch):
    from rivulet import _program
    monkeypatch.setattr(_program, "_run", lambda _: pytest.fail("the program has run"))
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ImportError, match="xarray is not installed"):
        pi.to_xarray()
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match="h5py is not installed"):
        rivulet.open("pi.h5")
    with pytest.raises(ImportError, match="h5py is not installed"):
        rivulet.run("pi")


@pytest.mark.parametrize("name", ["h5py", "xarray"])
def test_a_broken_package_says_so_itself(pi, monkeypatch, tmp_path, name):
    (tmp_path / f"{name}.py").write_text("import no_such_module")
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="No module named 'no_such_module'"):
        rivulet.open("pi.h5") if name == "h5py" else pi.to_xarray()


def test_xarray(pi):
    pytest.importorskip("xarray")
    data = pi.to_xarray()
    assert data["hits"].dims == ("stream",) and data["hits"].attrs["units"] == "points"
    assert data["running_hits"].dims == data["running_points"].dims == ("batch",)
    assert data.attrs["pi"] == pi["pi"]
    later = rivulet.run("pi", pi={"points": 80_000, "batches": 8}, streams={"count": 8, "first": 100}).to_xarray()
    assert later["running_hits"].shape == later["hits"].shape == (8,)  # equal lengths, but different dimensions
    assert later["running_hits"].dims == ("batch",) and list(later["stream"]) == list(range(100, 108))


@pytest.mark.parametrize("job, sections, name, dimensions", [
    ("fill", {"fill": {"numbers": 800, "to": "file"}, "streams": {"count": 8}}, "numbers", ("number",)),
    ("fill", {"fill": {"numbers": 800}, "streams": {"count": 8}}, "checksum1", ("stream",)),
    ("correlate", {"correlate": {"numbers": 10000, "lags": 8}, "streams": {"count": 8}}, "correlation", ("lag",)),
    ("occlusion", {"occlusion": {"width": 8, "height": 8, "passes": [1]}}, "hits", ("height", "width")),
    ("occlusion", {"occlusion": {"width": 8, "height": 8, "passes": [1]}}, "error", ("error_0",)),  # one pass: empty
    ("alias", {"alias": {"samples": 8000}}, "covariance", ("axis", "other_axis")),
    ("alias", {"alias": {"samples": 8000}}, "histogram", ("cell",))])
def test_dimensions_of_arrays(job, sections, name, dimensions):
    pytest.importorskip("xarray")
    assert rivulet.run(job, **sections).to_xarray()[name].dims == dimensions


def test_where_the_program_is(monkeypatch, tmp_path):
    from rivulet import _program
    other = tmp_path / "rivulet"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("RIVULET_PROGRAM", "/some/where")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _program.find_program() == "/some/where"
    monkeypatch.delenv("RIVULET_PROGRAM")
    assert _program.find_program() == str(other)
    monkeypatch.setenv("PATH", "")
    folder = tmp_path / "build" / "lib"
    folder.mkdir(parents=True)
    monkeypatch.setattr(_program, "library_path", lambda: str(folder / "librivulet.so"))
    with pytest.raises(FileNotFoundError, match="PATH, .*build/rivulet.*Set RIVULET_PROGRAM"):
        _program.find_program()
    beside = folder.parent / "rivulet"
    beside.symlink_to(other)
    assert _program.find_program() == str(beside)


def test_a_program_that_is_named_wrongly(monkeypatch, tmp_path):
    named = tmp_path / "rivulet"
    monkeypatch.setenv("RIVULET_PROGRAM", str(named))
    for failure, why in ((FileNotFoundError, "No such file"), (PermissionError, "Permission denied")):
        with pytest.raises(failure, match=rf"cannot be started \(RIVULET_PROGRAM={named}: {why}.*\)\. Set RIVULET_"):
            rivulet.run("pi")
        named.write_text("")
    with pytest.raises(FileNotFoundError, match="'no_launcher'"):
        rivulet.run("pi", launcher="no_launcher")


def test_values_of_a_deck_as_text():
    from rivulet._program import _words

    assert list(_words("a", {"b": [True, 2], "c": False, "d": "x"})) == ["a.b=[true, 2]", "a.c=false", "a.d=x"]
    for value in (None, ["x, y"]):
        with pytest.raises(ValueError, match="cannot write it as text"):
            list(_words("a", {"b": value}))
