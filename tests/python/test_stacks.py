# SPDX-License-Identifier: BSD-3-Clause
"""Stacks: by function, and no trouble for everything else."""

import sys

import pytest

import pdump

HEAD = "process,rank,pid,thread,node,parent,region,group,file,line,visits"
TIME = ",time.sum [ns]"
STACKS = ",pdump::stacks.sum [1],pdump::stack_time.sum [ns]"
#: A region with work in it, which calls itself and solve; a second thread with
#: work only; another rank.  The columns of stacks are the last two.
ROWS = """\
0,0,10,0,0,,main,user,m.c,1,1,20000,10,10000
0,0,10,0,1,0,work,stack,work.c,10,0,,10,10000
0,0,10,0,2,1,work,stack,work.c,10,0,,8,8100
0,0,10,0,3,2,solve,stack,step.c,20,0,,5,5000
0,0,10,0,4,0,solve,user,m.c,3,2,9000,0,0
0,0,10,1,5,,work,stack,work.c,10,0,,3,3000
1,1,11,0,0,,main,user,m.c,1,1,20000,1,1000
1,1,11,0,1,0,work,stack,work.c,10,0,,1,1000
"""


def write(path, rows, has_stacks):
    head = HEAD + TIME + (STACKS if has_stacks else "")
    path.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    return path


@pytest.fixture
def dump(tmp_path):
    return write(tmp_path / "x.csv", ROWS.splitlines(), True)


@pytest.fixture
def plain(tmp_path):
    """The same run without stacks."""
    rows = [row.rsplit(",", 2)[0] for row in ROWS.splitlines()
            if ",stack," not in row]
    return write(tmp_path / "plain.csv", rows, False)


WANTED = [
    {"function": "work", "file": "work.c", "line": 10, "self": 9000,
     "total": 14000, "self_stacks": 9, "stacks": 14},
    {"function": "solve", "file": "step.c", "line": 20, "self": 5000,
     "total": 5000, "self_stacks": 5, "stacks": 5},
]


def test_stacks_are_dicts_without_pandas(dump, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    results = pdump.load(dump)
    assert results.stacks() == WANTED
    assert results.stacks(rank=1) == [
        dict(WANTED[0], self=1000, total=1000, self_stacks=1, stacks=1)]
    assert [row["self"] for row in results.stacks(thread=1)] == [3000]


def test_stacks_are_a_data_frame(dump):
    pytest.importorskip("pandas")
    frame = pdump.load(dump).stacks()
    assert list(frame.columns) == list(WANTED[0])
    assert frame.to_dict("records") == WANTED


def test_stacks_of_several_files_add_up(dump, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    both = pdump.load(dump, dump)
    assert [row["self"] for row in both.stacks()] == [18000, 10000]


def test_all_else_is_as_without_stacks(dump, plain):
    with_stacks, without = pdump.load(dump), pdump.load(plain)
    assert [m.name for m in with_stacks.metrics] == ["time"]
    assert with_stacks.columns == without.columns
    assert len(with_stacks) == len(without) == 3
    for name in without.columns:
        if name != "node":  # numbers of the file
            a, b = with_stacks[name], without[name]
            assert str(list(a)) == str(list(b)), name
    assert str(with_stacks.tree()) == str(without.tree())
    assert with_stacks.query("solve").sum == 9000
    assert with_stacks.query("/main/solve").sum == 9000
    assert not [c for c in without.diff(with_stacks) if c.delta()]


def test_without_stacks_there_is_a_message(plain):
    with pytest.raises(pdump.NotFound, match="no stacks were taken"):
        pdump.load(plain).stacks()
