# SPDX-License-Identifier: BSD-3-Clause
"""Python's frames in stacks, between those of compiled code."""

import csv
import os
import subprocess
import sys

import pytest

from runner_kit import find_dump

if sys.version_info < (3, 10):
    pytest.skip("of Python 3.9 stacks have compiled code only",
                allow_module_level=True)

#: Functions that use given parts of the CPU time.  use() is one line of work.
USE = """
import asyncio, functools, itertools, os, random, signal, sys, threading, time

until = threading.local()

def use(ns):
    if not hasattr(until, "ns"):
        until.ns = time.thread_time_ns()
    until.ns += ns
    while time.thread_time_ns() < until.ns:
        pass

"""

SHARES = USE + """
def half(ns):
    use(ns // 100 * 50)

def third(ns):
    use(ns // 100 * 30)

def sixth(ns):
    use(ns // 100 * 15)

def rest(ns):
    use(ns // 100 * 5)

def all(ns):
    while ns > 0:
        part = random.randrange(500_000, 1_500_000)
        for function in half, third, sixth, rest:
            function(part)
        ns -= part
"""


def frames(tool, name="perf_dump"):
    """(path, stacks) of each frame; the path is a list, outermost first."""
    rows, found = {}, []
    with open(find_dump(tool.folder, name), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = row["thread"], row["node"]
            path = rows.get((row["thread"], row["parent"]), []) + [
                row["region"]]
            rows[key] = path
            if row["group"] == "stack":
                found.append((path, int(row["pdump::stacks.sum [1]"])))
    return found


def run(tool, text, *options, hz=250, **more):
    done = tool.run(text, f"--stacks={hz}", "--format", "csv", *options,
                    err=None, **more)
    if "no stacks are taken" in done.stderr:
        pytest.skip("stacks cannot be taken here")
    return done


def with_name(tool, name):
    """Stacks that have a function; a recursion counts once."""
    return sum(n for path, n in frames(tool)
               if path[-1] == name and name not in path[:-1])


def check_shares(tool):
    seen = {name: with_name(tool, name)
            for name in ("half", "third", "sixth", "rest")}
    n = sum(seen.values())
    assert n > 60
    # Within 5 standard deviations, which is missed once in a million times.
    for name, percent in ("half", 50), ("third", 30), ("sixth", 15), (
            "rest", 5):
        p = percent / 100
        assert (seen[name] - n * p) ** 2 <= 25 * n * p * (1 - p) + 4, seen


def metadata(tool):
    path = str(find_dump(tool.folder)).replace(".csv", ".meta.csv")
    with open(path, encoding="utf-8") as file:
        return {row["key"]: row["value"] for row in csv.DictReader(file)
                if row["table"] == "metadata"}


def test_shares(tool):
    run(tool, SHARES + "all(2_000_000_000)\n")
    check_shares(tool)
    # What has started the script is left out.
    assert {path[0] for path, _ in frames(tool) if path[-1] == "half"} == {
        "<module>"}
    facts = metadata(tool)
    assert facts["stacks_unfinished"] == facts["stacks_lost"] == "0"


def test_shares_in_threads(tool):
    run(tool, SHARES + """
def work():
    all(700_000_000)

threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
""")
    check_shares(tool)


def test_python_calls_c_calls_python(tool):
    run(tool, USE + """
def key(value):
    use(20_000_000)
    return value

def ordered():
    return sorted(range(30), key=key)

ordered()
""")
    paths = [path for path, _ in frames(tool) if path[-1] == "key"]
    assert paths
    for path in paths:
        at = path.index("ordered")
        assert len(path) - 1 - at >= 2, path  # list.sort() is between them
        assert path[at - 1] == "<module>"
        assert not {"key", "use"} & set(path[at:-1])


def test_lines(tool):
    script = USE + """
def two_lines():
    use(300_000_000)
    for _ in range(10):

        use(30_000_000)

two_lines()
"""
    first = script.splitlines().index("def two_lines():") + 1
    run(tool, script)
    details = str(find_dump(tool.folder)).replace(".csv", ".details.csv")
    with open(details, encoding="utf-8") as file:
        lines = {int(row["label"].rpartition(":")[2])
                 for row in csv.DictReader(file)
                 if row["table"] == "stacks"
                 and row["label"].rpartition(":")[0].endswith("script.py")}
    inside = {line for line in lines if first <= line <= first + 4}
    assert {first + 1, first + 4} <= inside <= {
        first + 1, first + 2, first + 4}
    with open(find_dump(tool.folder), encoding="utf-8") as file:
        row = next(row for row in csv.DictReader(file)
                   if row["region"] == "two_lines")
    assert os.path.basename(row["file"]) == "script.py"
    assert row["line"] == str(first)


def test_generators_coroutines_and_methods(tool):
    run(tool, USE + """
class Thing:
    def method(self):
        use(200_000_000)

def generator():
    for _ in range(10):
        use(20_000_000)
        yield 1

async def inner():
    use(200_000_000)

async def outer():
    await asyncio.sleep(0)
    await inner()

def recursive(n):
    return recursive(n - 1) if n else use(200_000_000)

def main():
    Thing().method()
    list(generator())
    asyncio.run(outer())
    recursive(50)

main()
""")
    paths = ["/".join(path) for path, _ in frames(tool)
             if path[-1] == "use"]
    name = "Thing.method" if sys.version_info >= (3, 11) else "method"
    assert any(f"main/{name}/" in path or path.endswith(f"main/{name}/use")
               or f"/{name}/" in path for path in paths)
    assert any("/generator/" in path for path in paths)
    assert any("/outer/" in path and "/inner/" in path for path in paths)
    assert any(path.count("/recursive") == 51 for path in paths)


def test_code_that_comes_and_goes(tool):
    """A frame never has the name of code that was at its place before."""
    run(tool, USE + """
def make(i):
    space = {"use": use}
    exec(compile(f"def made_{i}():\\n use(400_000)\\n", f"file_{i}", "exec"),
         space)
    return space.pop(f"made_{i}")

for i in range(2000):
    make(i)()
""", hz=1000)
    with open(find_dump(tool.folder), encoding="utf-8") as file:
        made = [row for row in csv.DictReader(file)
                if row["region"].startswith("made_")]
    assert len(made) > 20
    for row in made:
        assert row["file"] == "file_" + row["region"][5:]
        assert row["line"] == "1"


def test_the_program_may_profile_itself(tool):
    done = run(tool, USE + """
seen = []
sys.setprofile(lambda frame, event, arg: seen.append(event))
use(100_000_000)
sys.setprofile(None)
print(seen[0], len(seen) > 5)
""")
    assert done.stdout == "call True\n"


def test_names_of_all_kinds(tool):
    run(tool, USE + """
def größe_大():
    use(200_000_000)

größe_大()
""")
    assert with_name(tool, "größe_大") > 0


def test_killed(tool):
    command = os.environ.get("PDUMP_COMMAND")
    if not command:
        pytest.skip("PDUMP_COMMAND does not name the pdump command")
    process = tool.start(USE + """
def busy():
    use(1_000_000_000)

busy()
print("done", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
""", "--stacks=250")
    if "no stacks are taken" in process.communicate(timeout=300)[1]:
        pytest.skip("stacks cannot be taken here")
    subprocess.run([command, "recover", tool.env["PDUMP_STORE"]],
                   cwd=tool.folder, check=True,
                   env={**tool.env, "PDUMP_OUTPUT_FORMAT": "csv"},
                   capture_output=True, timeout=300)
    assert with_name(tool, "busy") > 10


def test_every_function_at_once(tool):
    """Calls, exceptions, imports and threads at the highest rate."""
    done = run(tool, """
import json, re, threading

def fail(n):
    if n == 0:
        raise ValueError(n)
    fail(n - 1)

def work():
    n = 0
    for i in range(300):
        try:
            fail(i % 40)
        except ValueError:
            n += 1
        n += len(json.loads(json.dumps({str(k): k for k in range(50)})))
        n += len(re.findall("a+", "aab" * 100))
    total.append(n)

total = []
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total)
""", hz=10000)
    assert done.stdout == f"{[300 * (1 + 50 + 100)] * 8}\n"
