# SPDX-License-Identifier: BSD-3-Clause
"""For the tests of ``python -m pdump``: start it, and look at what it left."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from collections import Counter

import pytest

import pdump

HAS_MONITORING = sys.version_info >= (3, 12)
#: Every way that this Python has to see calls.
BACKENDS = ["profile", "monitoring"] if HAS_MONITORING else ["profile"]

#: For scripts of tests that ask what waiting is charged to: they measure by
#: themselves how long the parts of a program run, without their waits, and
#: print that at their end.  With PDUMP_CLOCK=monotonic the library has the same
#: clock, so that its times are never longer, however slow the machine is.
MEASURED = """
import asyncio, atexit, contextlib, json, time, types
from collections import Counter
ran = Counter()
atexit.register(lambda: print(json.dumps(ran)))

@contextlib.contextmanager
def measured(name):
    began = time.perf_counter()
    try:
        yield
    finally:
        ran[name] += time.perf_counter() - began

@types.coroutine
def _steps(name, coroutine):
    step, given = coroutine.send, None
    while True:
        try:
            with measured(name):
                asked = step(given)
        except StopIteration as stop:
            return stop.value
        try:
            step, given = coroutine.send, (yield asked)
        except BaseException as thrown:
            step, given = coroutine.throw, thrown

async def awaited(name, coroutine):
    return await _steps(name, coroutine)
"""


def find_dump(folder, name="perf_dump"):
    """The file of that name, in whatever format is the default here."""
    if (folder / name).is_file():
        return folder / name
    found = [path for path in folder.glob(name + ".*")
             if re.fullmatch(r"(\.\d+)?\.(h5|csv)",
                             path.name[len(name):])]
    assert len(found) == 1, (name, sorted(os.listdir(folder)))
    return found[0]


def wait_for_end_of(pid):
    """Not our child: look at it until it has gone, or is a zombie."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except OSError:
            return
        time.sleep(0.05)
    raise AssertionError(f"{pid} still runs")


def need_format(name):
    """Skip the test if the format is not there."""
    module = os.path.join(os.environ.get("PDUMP_MODULES", ""), "pdump_hdf5.so")
    if name.startswith("hdf5") and not os.path.exists(module):
        pytest.skip("there is no HDF5")


class Dataset:
    """A dataset of an HDF5 file, as h5dump prints it."""

    def __init__(self):
        self.type = self.space = ""
        self.values = []


def hdf5_datasets(path):
    """{"GROUP/NAME": Dataset} of a file whose groups do not nest."""
    if not shutil.which("h5dump"):
        pytest.skip("there is no h5dump")
    text = subprocess.run(
        ["h5dump", "-y", "-w", "0", "-m", "%.9f", str(path)], check=True,
        capture_output=True, text=True, timeout=300).stdout
    found, group, data = {}, "", None
    for line in map(str.strip, text.splitlines()):
        name = re.fullmatch(r'(GROUP|DATASET) "(.*)" \{', line)
        if name and name[1] == "GROUP":
            group = name[2]
        elif name:
            data = found[f"{group}/{name[2]}"] = Dataset()
        elif line.startswith("DATATYPE"):
            data.type = line.split()[1]
        elif line.startswith("DATASPACE"):
            data.space = line.split("{")[1].strip(" }")
        elif re.match("-?[0-9]", line):
            data.values += map(float, line.rstrip(",").split(","))
    return found


def dumps_in(folder):
    """The names of the dumps there, without what belongs to them."""
    return sorted(name for name in os.listdir(folder)
                  if name.endswith((".h5", ".csv", ".json", ".pstats"))
                  and not re.search(r"\.(meta|samples|stats|details)\.csv$", name))


class Dump:
    """The rows of a file, as a test wants to see them."""

    def __init__(self, path):
        results = pdump.load(path)
        names = results.columns
        columns = [results[name] for name in names]
        self.rows = [dict(zip(names, row)) for row in zip(*columns)]
        self.metrics = [metric.name for metric in results.metrics]

    def count(self, region):
        """Completed visits of a region, wherever it is."""
        return sum(row["visits"] for row in self.rows
                   if row["region"] == region)

    def _visits(self, column, of):
        found = Counter()
        for row in self.rows:
            if row[column].startswith(of):
                found[row[column]] += row["visits"]
        return dict(found)

    def regions(self, of=""):
        """{name: visits} of the regions whose names begin so."""
        return self._visits("region", of)

    def paths(self, of=""):
        """{path: visits}, all threads and processes together."""
        return self._visits("path", of)

    def parents(self, region):
        """The last but one names of the paths of a region."""
        return {row["path"].split("/")[-2] if "/" in row["path"] else ""
                for row in self.rows if row["region"] == region}

    def open(self):
        return [row["path"] for row in self.rows if row["is_open"]]

    def pids(self, region):
        return {row["pid"] for row in self.rows if row["region"] == region}


class Tool:
    """Runs programs with and without ``-m pdump``, in a folder of their own."""

    def __init__(self, folder, env):
        self.folder = folder
        self.env = env

    def write(self, text, name="script.py"):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return name

    def python(self, *words, env=(), timeout=300, **more):
        here = {**self.env, **dict(env)}
        here = {k: v for k, v in here.items() if v is not None}
        return subprocess.run([sys.executable, *words], cwd=self.folder,
                              env=here, text=True, timeout=timeout,
                              capture_output=True, **more)

    def pdump(self, *words, flags=(), **more):
        return self.python(*flags, "-m", "pdump", *words, **more)

    def run(self, text, *options, code=0, err="", **more):
        """Run a script with the tool; it ends with that code."""
        done = self.pdump(*options, self.write(text), **more)
        assert done.returncode == code, done.stderr
        if err is not None:
            assert done.stderr == err
        return done

    def dump(self, name="perf_dump"):
        return Dump(find_dump(self.folder, name))

    def same(self, *words, flags=(), code=None, input=None, **more):
        """Without and with the tool: what is seen is the same."""
        plain = self.python(*flags, *words, input=input, **more)
        ours = self.pdump(*words, flags=flags, input=input, **more)
        assert ours.stdout == plain.stdout
        assert ours.stderr == plain.stderr
        assert ours.returncode == plain.returncode
        if code is not None:
            assert plain.returncode == code
        return ours

    def start(self, text, *options, **more):
        """A process that still runs; its first line has been read."""
        process = subprocess.Popen(
            [sys.executable, "-m", "pdump", *options, self.write(text)],
            cwd=self.folder, env=self.env, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **more)
        process.first_line = process.stdout.readline()
        return process

    def stores(self):
        return [name for name in os.listdir(self.folder)
                if name.startswith("pdump-")]
