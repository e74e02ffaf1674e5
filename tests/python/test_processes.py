# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes: fork, spawn, and streams by id."""

import multiprocessing
import os
import subprocess
import sys
import textwrap

import pytest

import rivulet

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


def mean_of(task):
    return float(rivulet.Stream("mt19937", 42, task).random(1000).mean())


def script(text, **variables):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True,
                          text=True, check=False, timeout=100, env={**os.environ, **variables})


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_streams_by_id_in_processes(method):
    expected = [mean_of(task) for task in range(8)]  # uses the library in this process first
    for workers in (1, 3):
        with multiprocessing.get_context(method).Pool(workers) as pool:
            assert pool.map(mean_of, range(8)) == expected


@needs_fork
def test_a_forked_child_is_refused():
    """A forked child would draw the same numbers as its parent."""
    done = script("""
        import os, sys, threading, numpy, rivulet
        stream, bits = rivulet.Stream(), rivulet.BitGenerator("mt19937")
        rng = numpy.random.Generator(bits)
        rng.random(), stream.random()
        release = threading.Event()
        def holds():  # as a thread that draws would, at the time of the fork
            with stream.lock, bits.lock:
                taken.set()
                release.wait()
        taken = threading.Event()
        thread = threading.Thread(target=holds)
        thread.start()
        taken.wait()
        pid = os.fork()
        if pid == 0:
            for use in (stream.random, rng.random, rng.standard_normal, lambda: rng.permutation(9),
                        lambda: stream.state, lambda: stream.position, lambda: stream.skip(1),
                        lambda: rivulet.Stream(), lambda: rivulet.Stream("philox4x32").child(1)):
                try:
                    use()
                except RuntimeError as failure:
                    print(failure)
            sys.stdout.flush()
            os._exit(0)
        release.set()
        thread.join()
        assert os.waitpid(pid, 0)[1] == 0
        rng.random(), stream.random()
        """)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 9 and len(set(lines)) == 1
    assert lines[0].startswith("this process cannot use Rivulet (it is a fork of a process that uses Rivulet")


@needs_fork
def test_a_child_may_use_what_its_parent_has_not():
    done = script("""
        import multiprocessing, rivulet
        def draw(task):
            return rivulet.Stream("mt19937", 42, task).bits()
        with multiprocessing.get_context("fork").Pool(2) as pool:
            drawn = pool.map(draw, range(4))
        assert drawn == [draw(task) for task in range(4)], drawn
        """)
    assert done.returncode == 0, done.stderr


@needs_fork
def test_streams_that_a_pool_sends_do_not_hang():
    """If unpickling raised an error in a worker, the Pool would wait forever. The first draw raises it instead."""
    done = script("""
        import multiprocessing, numpy, rivulet
        def draw(stream):
            return stream.random()
        def draw_by_numpy(bits):
            return numpy.random.Generator(bits).random()
        kinds = ((draw, rivulet.Stream), (draw_by_numpy, rivulet.BitGenerator))
        tasks = [(use, [kind("mt19937", 1, i) for i in range(4)]) for use, kind in kinds]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            for use, streams in tasks:
                try:
                    pool.map(use, streams)
                except RuntimeError as failure:
                    print(failure)
        """)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2 and len(set(lines)) == 1
    assert lines[0].endswith(
        "Make the pool before the first stream, or use multiprocessing.get_context('spawn').")
