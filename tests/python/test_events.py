# SPDX-License-Identifier: BSD-3-Clause
"""Results.events(): the timeline as columns."""

import subprocess
import sys

import pdump
import pytest

PROFILE = """process,rank,thread,node,parent,region,visits
0,1,0,0,,main,1
0,1,0,1,0,solve,2
0,1,4,0,,main,1
"""
META = """table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,3
dump,0,events,5
"""
EVENTS = """process,rank,thread,time [ns],kind,node,what,value,tag
0,1,0,10,enter,0,,,
0,1,0,12,enter,1,,,
0,1,0,17,send,1,3,4096,9
0,1,0,20,leave,1,,,
0,1,4,5,enter,0,,,
"""


@pytest.fixture
def dump(tmp_path):
    (tmp_path / "x.csv").write_text(PROFILE)
    (tmp_path / "x.meta.csv").write_text(META)
    (tmp_path / "x.events.csv").write_text(EVENTS)
    return tmp_path / "x.csv"


EXPECTED = {
    "process": [0] * 5,
    "rank": [1] * 5,
    "thread": [0, 0, 0, 0, 4],
    "time": [10, 12, 17, 20, 5],
    "kind": ["enter", "enter", "send", "leave", "enter"],
    "node": [0, 1, 1, 1, 0],
    "name": ["main", "solve", "solve", "solve", "main"],
    "what": [0, 0, 3, 0, 0],
    "value": [0, 0, 4096, 0, 0],
    "tag": [0, 0, 9, 0, 0],
}


def test_events_are_columns(dump):
    events = pdump.load(dump).events()
    assert {name: list(events[name]) for name in EXPECTED} == EXPECTED
    assert list(events) == list(EXPECTED)


@pytest.mark.parametrize("missing", ["pandas", "pandas numpy"])
def test_without_pandas_they_are_a_dict(dump, missing):
    code = f"""
import sys
for name in {missing.split()!r}:
    sys.modules[name] = None
import pdump
events = pdump.load({str(dump)!r}).events()
assert type(events) is dict
print({{name: [x if isinstance(x, str) else int(x) for x in column]
       for name, column in events.items()}})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert eval(done.stdout) == EXPECTED


def test_there_may_be_none(dump):
    (dump.parent / "x.meta.csv").unlink()
    events = pdump.load(dump).events()
    assert len(events["time"]) == 0
    assert set(events) == set(EXPECTED)


def test_more_than_a_block(dump):
    n = 200_000
    (dump.parent / "x.meta.csv").write_text(
        META.replace("events,5", f"events,{n}"))
    with open(dump.parent / "x.events.csv", "w") as file:
        file.write(EVENTS.splitlines()[0] + "\n")
        for i in range(n):
            file.write(f"0,1,0,{i},{'leave' if i % 2 else 'enter'},0,,,\n")
    times = pdump.load(dump).events()["time"]
    assert len(times) == n and times[n - 1] == n - 1
