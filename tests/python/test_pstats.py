# SPDX-License-Identifier: BSD-3-Clause
"""The format pstats, read by the standard module of that name."""

import io
import os
import pstats
import subprocess

import pytest

import mpi_kit
from pdump import _native

pytestmark = pytest.mark.skipif(_native.module is None, reason=_native.why)

SCRIPT = """
    import time
    def leaf():
        time.sleep(0.01)
    def middle():
        leaf(); leaf()
    def fac(n):
        return n * fac(n - 1) if n else 1
    class Thing:
        def leaf(self):
            leaf()
    for _ in range(3):
        middle()
    fac(9)
    fac(4)
    Thing().leaf()
"""

#: It prints how long it took, by its own clock.
TIMED = """
    import time
    began = time.perf_counter()
""" + SCRIPT + """
    print(time.perf_counter() - began)
"""


def functions(path, file="script.py"):
    """{name: (primitive calls, calls, tottime, cumtime, callers)}"""
    stats = pstats.Stats(str(path), stream=io.StringIO()).stats
    return {name: values for (place, _, name), values in stats.items()
            if os.path.basename(place) == file}


def test_figures_are_right(tool, backend):
    done = tool.run(TIMED, backend, "--format", "pstats", "--include",
                    "__main__", env={"PDUMP_CLOCK": "monotonic"})
    found = functions(tool.folder / "perf_dump.pstats")
    assert {name: values[:2] for name, values in found.items()} == {
        "<module>": (1, 1), "leaf": (7, 7), "middle": (3, 3), "fac": (2, 15),
        "Thing": (1, 1), "Thing.leaf": (1, 1)}
    (_, _, own, total, callers) = found["leaf"]
    assert 0.07 <= own == total <= float(done.stdout)
    assert {key[2]: value[:2] for key, value in callers.items()} == {
        "middle": (6, 6), "Thing.leaf": (1, 1)}
    called = next(value for key, value in callers.items()
                  if key[2] == "middle")
    (_, _, own, total, _) = found["middle"]
    assert total >= called[3] >= 0.06
    assert own == pytest.approx(total - called[3], abs=1e-6)
    # Recursion: cumulated once, calls of itself by itself.
    callers = {key[2]: value for key, value in found["fac"][4].items()}
    assert callers["<module>"][:2] == (2, 2)
    assert callers["fac"][:2] == (13, 2)
    assert found["fac"][3] <= found["<module>"][3]


def test_the_same_as_cprofile_writes(tool, backend):
    """Counts, primitive calls and who called whom; times are another run's."""
    tool.run(SCRIPT, backend, "-o", "ours.pstats", "--include", "__main__")
    tool.python("-m", "cProfile", "-o", "theirs.pstats", "script.py")
    ours, theirs = (functions(tool.folder / f"{name}.pstats")
                    for name in ("ours", "theirs"))
    for name in ("leaf", "middle", "fac"):
        mine, other = ours[name], theirs[name]
        if name == "leaf":  # cProfile has one name for both
            assert mine[:2] == (7, 7)
            continue
        assert mine[:2] == other[:2]
        assert {k[2]: v[:2] for k, v in mine[4].items()} == \
            {k[2]: v[:2] for k, v in other[4].items()}
        assert [k[1] for k in sorted(mine[4])] == \
            [k[1] for k in sorted(other[4])]


def test_the_module_prints_and_adds_it(tool):
    tool.run(SCRIPT, "--format", "pstats")
    path = str(tool.folder / "perf_dump.pstats")
    out = io.StringIO()
    stats = pstats.Stats(path, path, stream=out)
    stats.sort_stats("cumulative").print_stats("fac")
    stats.print_callers("leaf")
    stats.print_callees("middle")
    assert "30/4" in out.getvalue()
    assert "middle" in out.getvalue()


def test_names_of_all_kinds(run):
    done = run("""
        import pdump
        for name in ("plain", "ünïcödé 測定", "a/b", "new\\nline", "x" * 65535):
            with pdump.region(name):
                pass
        for _ in range(40000):
            with pdump.region("often"): pass
    """, PDUMP_OUTPUT_FORMAT="pstats")
    found = functions(done.folder / "perf_dump.pstats", "~")
    assert set(found) == {"plain", "ünïcödé 測定", "a/b", "new\nline",
                          "x" * 65535, "often"}
    assert found["often"][:2] == (40000, 40000)


def test_export_writes_it_from_any_dump(tool):
    command = os.environ.get("PDUMP_COMMAND")
    if not command:
        pytest.skip("PDUMP_COMMAND does not name the pdump command")
    tool.run(SCRIPT, "-o", "run.csv")
    subprocess.run([command, "export", "-f", "pstats", "run.csv"],
                   cwd=tool.folder, env=tool.env, check=True, timeout=300,
                   capture_output=True)
    assert functions(tool.folder / "run.pstats")["fac"][:2] == (2, 15)


MPI_SCRIPT = """
    from mpi4py import MPI
    def work(): pass
    for _ in range(MPI.COMM_WORLD.rank + 1):
        work()
    MPI.COMM_WORLD.Barrier()
"""


def test_a_file_of_each_rank_as_mpiprof_writes_them(tool):
    name = tool.write(MPI_SCRIPT)
    done = mpi_kit.run(tool.folder, tool.env, "-m", "pdump", "--format",
                       "pstats", "-o", "mpiprof.{rank}.pstats", name)
    assert (done.returncode, done.stderr) == (0, "")
    for rank in 0, 1:
        found = functions(tool.folder / f"mpiprof.{rank}.pstats")
        assert found["work"][:2] == (rank + 1, rank + 1)


def test_ranks_are_added_up_otherwise(tool):
    name = tool.write(MPI_SCRIPT)
    done = mpi_kit.run(tool.folder, tool.env, "-m", "pdump", "--format",
                       "pstats", name)
    assert (done.returncode, done.stderr) == (0, "")
    found = functions(tool.folder / "perf_dump.pstats")
    assert found["work"][:2] == (3, 3)
    assert found["<module>"][:2] == (2, 2)
