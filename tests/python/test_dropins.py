# SPDX-License-Identifier: BSD-3-Clause
"""Programs that import scorep, pyperfdump, mpiprof or pyop2 find pdump's."""

import pstats

import pytest

from pdump import _dropins

PROGRAM = """
    import scorep.user, scorep, pyperfdump, pyop2.profiling
    from scorep.user import region
    from pyop2.profiling import timed_region
    from pyop2 import timing
    import pdump.pyperfdump, pdump.scorep, pdump.timers
    assert scorep.user is pdump.scorep.user and region is scorep.user.region
    assert scorep.instrumenter is pdump.scorep.instrumenter
    assert scorep.__version__ == pdump.scorep.__version__
    assert pyperfdump is pdump.pyperfdump
    assert timed_region is pdump.timers.timed_region
    with timed_region("timed"): pass
    assert timing("timed") > 0
    try:
        import pyop2.nothing
    except ImportError:
        print("found")
"""


def test_found_under_the_tool(tool, backend):
    assert tool.run(PROGRAM, backend).stdout == "found\n"
    assert tool.dump().count("timed") == 1


def test_found_in_the_folder_without_the_tool(run, tool):
    folder = tool.pdump("--dropins").stdout.rstrip("\n")
    assert folder == _dropins.FOLDER
    import os

    path = os.pathsep.join([folder, os.environ["PYTHONPATH"]])
    assert run(PROGRAM, PYTHONPATH=path).out == "found\n"


@pytest.mark.parametrize("name", ["scorep", "pyperfdump", "mpiprof", "pyop2"])
def test_what_is_installed_is_found_first(tool, name):
    tool.write("mine = True\n", f"{name}.py")
    tool.run(f"import {name}\nassert {name}.mine")


def test_not_found_without_tool_or_folder(tool):
    done = tool.python("-c", "import scorep")
    assert done.returncode == 1 and "No module named 'scorep'" in done.stderr


def test_found_by_processes_that_are_spawned(tool):
    tool.run("""
        import multiprocessing
        def job(n):
            import scorep.user
            with scorep.user.region("in the child"):
                return n + 1
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                assert pool.map(job, [1]) == [2]
    """, "--noinstrumenter", err=None)


@pytest.fixture
def folder_env(env):
    import os

    return {"PYTHONPATH": os.pathsep.join([_dropins.FOLDER,
                                           os.environ["PYTHONPATH"]])}


def test_scorep_as_a_module_to_run(tool, folder_env):
    name = tool.write("""
        import scorep.user, sys
        def f(): pass
        f()
        print(sys.argv[1:])
    """)
    done = tool.python("-m", "scorep", "--mpp=none", name, "a", "-v",
                       env=folder_env)
    assert done.stderr == "" and done.returncode == 0
    assert done.stdout == "['a', '-v']\n"


@pytest.mark.parametrize("name", ["scorep", "mpiprof", "pdump.scorep",
                                  "pdump"])
def test_help_names_what_was_run(tool, folder_env, name):
    done = tool.python("-m", name, "--help", env=folder_env)
    assert done.stdout.startswith(f"Usage: python -m {name} [OPTION]")
    done = tool.python("-m", name, env=folder_env)
    assert done.returncode == 2
    assert f"Usage: python -m {name} [OPTION]" in done.stderr


@pytest.mark.parametrize("options, written", [
    ([], "mpiprof.0.pstats"), (["-o", "p.{rank}.pstats"], "p.0.pstats"),
    (["--outfile=q.pstats"], "q.pstats")])
def test_mpiprof_as_a_module_to_run(tool, folder_env, options, written):
    name = tool.write("""
        import sys
        def f(): pass
        f()
        sys.exit(3)
    """)
    done = tool.python("-m", "mpiprof", *options, name, env=folder_env)
    assert done.returncode == 3 and done.stderr == ""
    stats = pstats.Stats(str(tool.folder / written)).stats
    assert [calls[0] for where, calls in stats.items() if where[2] == "f"] \
        == [1]


@pytest.mark.parametrize("words", [["-m", "mpiprof"], ["-mmpiprof"]])
def test_mpiprof_is_run_under_the_tool(tool, words):
    """Its options and those of the tool hold."""
    tool.write("def f(): pass\ndef g(): pass\nf(); g()")
    done = tool.pdump("--exclude", "*:g", *words, "-o", "p.{rank}",
                      "--format=pstats", "script.py", "a")
    assert done.returncode == 0 and done.stderr == ""
    names = {where[2] for where in
             pstats.Stats(str(tool.folder / "p.0")).stats}
    assert "f" in names and "g" not in names


def test_scorep_is_run_under_the_tool(tool):
    name = tool.write("""
        import scorep.user, sys
        with scorep.user.region("block"): pass
        def f(): pass
        f()
        print(sys.argv)
    """)
    done = tool.pdump("-o", "named", "-m", "scorep", "--noinstrumenter", name,
                      "--help")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout == "['script.py', '--help']\n"
    assert tool.dump("named").regions() == {"user:block": 1}


def test_a_module_of_that_name_is_run(tool):
    tool.write("print('mine')", "scorep.py")
    assert tool.pdump("-m", "scorep").stdout == "mine\n"


def test_mpiprof_reads_its_variable(tool, folder_env):
    done = tool.python("-m", "mpiprof", tool.write("pass"), env={
        **folder_env, "MPIPROF_OUT": "chosen.{rank}.prof"})
    assert done.returncode == 0 and done.stderr == ""
    assert pstats.Stats(str(tool.folder / "chosen.0.prof")).stats


def test_mpiprof_has_the_profiler(tool):
    pytest.importorskip("mpi4py")
    tool.run("""
        import mpiprof, pdump.mpi
        assert mpiprof.MPIProfiler is pdump.mpi.MPIProfiler
        assert mpiprof.__version__
    """)
