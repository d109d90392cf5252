# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures: scripts are run as users run them, in a folder of their own."""

import os
import subprocess
import sys
import textwrap

import pytest

import mpi_kit
import pdump
from runner_kit import BACKENDS, Tool, find_dump


class Run:
    """A script that has ended."""

    def __init__(self, folder, done):
        self.folder = folder
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    def results(self, name="perf_dump"):
        return pdump.load(find_dump(self.folder, name))

    def tree(self):
        return self.results().tree()

    def visits(self):
        """{path: visits}, over all threads and ranks."""
        return {node.path: node.visits for _, node in self.tree().walk()}


@pytest.fixture
def env(tmp_path):
    """The environment of scripts: time only, nothing of the user's, and no
    line that names the file."""
    keep = ("PDUMP_LIBRARY", "PDUMP_MODULES")
    made = {name: value for name, value in os.environ.items()
            if not name.startswith("PDUMP_") or name in keep}
    made.update(PDUMP_EVENTS="none", PDUMP_TELL="never",
                PDUMP_STORE=str(tmp_path),
                PYTHONDONTWRITEBYTECODE="1")
    return made


@pytest.fixture
def run(tmp_path, env):
    """run(script, *args, flags=[], code=0, **environment) -> Run."""

    def start(script, *args, flags=(), code=0, timeout=300, **more):
        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(script), encoding="utf-8")
        here = {**env, **{k: str(v) for k, v in more.items()}}
        here = {k: v for k, v in here.items() if v != "None"}
        done = subprocess.run(
            [sys.executable, *flags, str(path), *args], cwd=tmp_path,
            env=here, capture_output=True, text=True, timeout=timeout)
        result = Run(tmp_path, done)
        if code is not None:
            assert result.code == code, result.err
        return result

    return start


@pytest.fixture
def tool(tmp_path, env):
    return Tool(tmp_path, env)


@pytest.fixture(params=BACKENDS)
def backend(request):
    return f"--instrumenter={request.param}"


@pytest.fixture
def mpirun(tmp_path, env):
    """mpirun(script, *words before it) -> two ranks that have ended."""

    def start(script, *words, code=0, **more):
        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(script))
        done = mpi_kit.run(tmp_path, {**env, **more}, *words, str(path))
        assert code is None or done.returncode == code, done.stderr
        return done

    return start
