# SPDX-License-Identifier: BSD-3-Clause
"""For the tests with mpi4py: the launcher of the MPI that it was built with."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

import pdump
from runner_kit import find_dump

ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
       "OMPI_MCA_mpi_yield_when_idle": "1"}


def launcher():
    """mpirun, or skip and say why."""
    mpi4py = pytest.importorskip("mpi4py")
    modules = pathlib.Path(os.environ.get("PDUMP_MODULES", "."))
    if not list(modules.glob("*/pdump_mpi.so")):
        pytest.skip("built without MPI")
    config = mpi4py.get_config().get("mpicc", "")
    name = "mpirun.mpich" if "mpich" in config else "mpirun.openmpi"
    found = shutil.which(name) or shutil.which("mpirun")
    if not found:
        pytest.skip("there is no mpirun")
    return found


def start(folder, env, *words, n=2):
    """A job of Python processes that still runs."""
    return subprocess.Popen(
        [launcher(), "-n", str(n), sys.executable, *words], cwd=folder,
        env={**env, **ENV}, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)


def run(folder, env, *words, n=2):
    """The same, until it has ended."""
    process = start(folder, env, *words, n=n)
    code, out, err = end(process)
    return subprocess.CompletedProcess(words, code, out, err)


def end(process, number=None):
    """Wait for a process, after sending it a signal: (code, out, err)."""
    if number is not None:
        process.send_signal(number)
    try:
        out, err = process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, out, err


def by_rank(folder):
    """{(rank, region)} of the one dump of a job."""
    results = pdump.load(find_dump(folder))
    return set(zip(results["rank"], results["region"]))
