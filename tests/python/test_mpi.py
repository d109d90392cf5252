# SPDX-License-Identifier: BSD-3-Clause
"""Ranks of a job with mpi4py."""

import textwrap

import pytest

import mpi_kit
import pdump
from runner_kit import dumps_in


@pytest.fixture
def mpirun(tmp_path, env):
    """mpirun(script, n) -> what the job printed."""

    def start(script, n=2, **more):
        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(script))
        done = mpi_kit.run(tmp_path, {**env, **more}, str(path), n=n)
        assert done.returncode == 0, done.stderr
        return done

    return start


SCRIPT = """
from mpi4py import MPI
import pdump
rank = MPI.COMM_WORLD.Get_rank()
with pdump.region("all"):
    with pdump.region("rank %d" % rank):
        MPI.COMM_WORLD.Barrier()
"""


def test_07_ranks_are_in_one_file(mpirun, tmp_path):
    mpirun(SCRIPT)
    files = dumps_in(tmp_path)
    assert len(files) == 1
    results = pdump.load(tmp_path / files[0])
    assert set(results["rank"]) == {0, 1}
    assert results.query("all").visits == 2
    assert results.query("all", rank=1).visits == 1
    assert results.query("rank 1").visits == 1


def test_one_summary_for_all_ranks(mpirun, tmp_path):
    done = mpirun(SCRIPT, PDUMP_PRINT_SUMMARY="1")
    assert done.stdout.count("Timings of all ranks") == 1, done.stdout
    row = [line for line in done.stdout.splitlines() if line[:4] == "all "]
    assert len(row) == 1 and row[0].split()[2] == "2"
    assert "rank 0" in done.stdout and "rank 1" in done.stdout
    assert not [p.name for p in tmp_path.iterdir() if "summary" in p.name]
    assert len(dumps_in(tmp_path)) == 1


def test_the_summary_finds_the_folder_that_the_program_chose(mpirun, tmp_path):
    done = mpirun("import pdump\npdump.set('PDUMP_DUMP_DIR', 'sub')\n" + SCRIPT,
                  PDUMP_PRINT_SUMMARY="1")
    assert done.stdout.count("Timings of all ranks") == 1, done.stdout
    assert len(dumps_in(tmp_path / "sub")) == 1


def test_without_a_format_to_read_rank_0_has_its_own_summary(mpirun):
    done = mpirun(SCRIPT, PDUMP_PRINT_SUMMARY="1", PDUMP_OUTPUT_FORMAT="json")
    assert done.stdout.count("Timings of rank 0") == 1, done.stdout
    assert "rank 1" not in done.stdout


def test_the_summary_is_printed_also_after_mpi_has_ended(mpirun):
    done = mpirun(SCRIPT + "MPI.Finalize()\n", PDUMP_PRINT_SUMMARY="1")
    assert done.stdout.count("Timings") <= 1
