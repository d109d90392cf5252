# SPDX-License-Identifier: BSD-3-Clause
"""python -m pdump --io, --heap and --mpi: libraries that come before others."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

import mpi_kit
import pdump
from runner_kit import find_dump


def modules(name):
    """Skip without this library."""
    folder = pathlib.Path(os.environ.get("PDUMP_MODULES", "."))
    if not list(folder.glob(name)):
        pytest.skip(f"there is no {name}")


def rows(folder, table):
    """(region, label) -> row, of a table of details."""
    results = pdump.load(find_dump(folder))
    return {(row["path"].rpartition("/")[2], row["label"]): row
            for row in list_of(results.detail(table))}


def list_of(detail):
    """Rows as dictionaries, with pandas and without."""
    return detail.to_dict("records") if hasattr(detail, "to_dict") else detail


def test_io_is_seen_in_its_region(tmp_path, env):
    modules("libpdump-io.so")
    (tmp_path / "script.py").write_text(textwrap.dedent("""
        import os, sys, pdump
        with pdump.region("main"):
            with open("data", "wb", buffering=0) as file:
                for _ in range(4):
                    file.write(b"x" * 1000)
        print(os.environ.get("LD_PRELOAD"), sys.flags.optimize, sys.argv[1:])
    """))
    done = subprocess.run(
        [sys.executable, "-O", "-m", "pdump", "--io", "--noinstrumenter",
         "script.py", "a", "b c"], cwd=tmp_path, env=env, text=True,
        capture_output=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "None 1 ['a', 'b c']\n"
    found = [row for (name, label), row in rows(tmp_path, "io").items()
             if name == "write" and label.endswith("/data")]
    assert [(row["calls"], row["bytes"]) for row in found] == [(4, 4000)]
    assert found[0]["path"] == "main/write"


def test_objects_are_seen_in_their_region(tmp_path, env):
    modules("libpdump-mem.so")
    (tmp_path / "script.py").write_text(textwrap.dedent("""
        import os, pdump
        with pdump.region("keeps"):
            kept = [bytes(1000) for _ in range(500)]
        with pdump.region("makes"):
            made = [bytes(1000) for _ in range(300)]
        with pdump.region("frees"):
            del made
        print(os.environ.get("LD_PRELOAD"), os.environ.get("PYTHONMALLOC"))
    """))
    done = subprocess.run(
        [sys.executable, "-m", "pdump", "--heap", "--noinstrumenter",
         "script.py"], cwd=tmp_path, env=env, text=True, capture_output=True,
        timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "None None\n"
    found = {row["path"]: row for row in list_of(
        pdump.load(find_dump(tmp_path)).detail("heap"))}
    # The objects have a head of their own, and there are some others.
    assert 500 <= found["keeps"]["allocations"] < 1000
    assert 500_000 <= found["keeps"]["allocated"] < 600_000
    assert 300_000 <= found["makes"]["allocated"] < 360_000
    assert 300 <= found["frees"]["frees"] < 500
    assert 300_000 <= found["frees"]["freed"] < 360_000
    assert found["makes"]["live"] < 20_000
    assert 500_000 <= found["keeps"]["live"] < 600_000
    assert found["makes"]["peak"] >= 300_000


def test_io_keeps_what_was_preloaded(tmp_path, env):
    modules("libpdump-io.so")
    (tmp_path / "script.py").write_text(
        "import os\nprint(os.environ['LD_PRELOAD'])\n")
    done = subprocess.run(
        [sys.executable, "-m", "pdump", "--io", "script.py"], cwd=tmp_path,
        env={**env, "LD_PRELOAD": "libm.so.6"}, text=True,
        capture_output=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "libm.so.6\n"), done.stderr


def test_without_the_library_the_program_runs(tmp_path, env):
    (tmp_path / "script.py").write_text("print('ran')\n")
    code = ("from pdump import _native, runner\n"
            "_native.folder = '/nowhere'\n"
            "runner.main(['--io', '--noinstrumenter', 'script.py'])\n")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env,
                          text=True, capture_output=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "ran\n")
    assert "--io has no effect: /nowhere/libpdump-io.so" in done.stderr


def test_mpi_calls_have_their_place_in_python(tmp_path, env):
    modules("*/libpdump-pmpi.so")
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent("""
        import array, pdump
        from mpi4py import MPI
        comm = MPI.COMM_WORLD
        data, room = array.array("d", [1] * 10), array.array("d", [0] * 10)
        def exchange():
            comm.Sendrecv(data, 1 - comm.rank, recvbuf=room)
        with pdump.region("main"):
            for _ in range(5):
                exchange()
    """))
    done = mpi_kit.run(tmp_path, env, "-m", "pdump", "--mpi=p2p",
                       "--noinstrumenter", str(script))
    assert done.returncode == 0, done.stderr
    results = pdump.load(find_dump(tmp_path))
    found = [row for row in list_of(results.detail("mpi"))
             if row["path"] == "main/MPI_Sendrecv"]
    assert len(found) == 2
    for row in found:
        assert row["label"] == f"{script}:7 (exchange)"
        assert row["calls"] == 5
        assert row["bytes_out"] == row["bytes_in"] == 400
    assert not [row for row in list_of(results.detail("mpi"))
                if row["path"].endswith("MPI_Comm_rank")]
