# SPDX-License-Identifier: BSD-3-Clause
"""Levels (gauges, such as pdump::rss) do not add up: the highest counts."""

import pytest

import pdump

RSS = "pdump::rss"
PROFILE = """\
process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns],\
pdump::rss.sum [B],pdump::rss.min [B],pdump::rss.max [B]
0,0,10,0,0,,main,user,1,90,100,100,100
0,0,10,0,1,0,solve,user,3,60,900,200,400
0,0,10,0,2,1,solve,user,1,10,700,700,700
1,1,11,0,0,,main,user,1,80,150,150,150
1,1,11,0,1,0,solve,user,2,50,800,300,500
"""
META = """\
table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,5
metric,0,name,time
metric,0,unit,ns
metric,0,kind,counter
metric,1,name,pdump::rss
metric,1,unit,B
metric,1,kind,gauge
process,0,rank,0
process,0,pid,10
process,1,rank,1
process,1,pid,11
thread,0,process,0
thread,0,number,0
thread,1,process,1
thread,1,number,0
"""


@pytest.fixture
def make(tmp_path):
    def write(profile=PROFILE):
        (tmp_path / "x.csv").write_text(profile)
        (tmp_path / "x.meta.csv").write_text(META)
        return pdump.load(tmp_path / "x.csv")

    return write


def test_a_tree_has_the_highest(make):
    tree = make().tree()
    assert tree["main"].value(RSS) == 150
    assert tree["main"]["solve"].value(RSS) == 500
    assert make().tree(rank=0)["main"]["solve"].value(RSS) == 400
    assert [line.split()[-2:] for line in str(tree).splitlines()[2:]] == [
        ["150", "B"], ["500", "B"], ["700", "B"]]
    assert tree["main"].value("time") == 170


def test_of_a_recursion_every_visit_counts(make):
    results = make()
    for stats in (results.tree().flat(RSS)["solve"],
                  results.query("solve", RSS)):
        assert (stats.value, stats.min, stats.max) == (700, 200, 700)
        assert (stats.visits, stats.mean) == (6, 400)
    for stats in (results.tree().flat()["solve"], results.query("solve")):
        assert (stats.value, stats.sum, stats.visits) == (110, 110, 6)


def test_a_query_has_the_highest(make):
    results = make()
    assert results.query("solve", RSS, rank=1).value == 500
    stats = results.query("/main/solve", RSS)
    assert stats.value == 500 and stats.is_level
    assert repr(stats) == "<Stats visits=5 min=200 max=500>"
    assert "sum=110" in repr(results.query("solve"))


def test_the_highest_are_compared(make):
    before, after = make(), make(PROFILE.replace("800,300,500", "500,250,250"))
    diff = before.diff(after)
    assert diff["main/solve"].value(RSS) == (500, 400)
    assert diff["main/solve"].delta(RSS) == -100
    assert diff["main"].ratio(RSS) == 1
    pytest.importorskip("pandas")
    frame = diff.to_pandas()
    assert frame.loc["main/solve", (RSS, "ratio")] == 0.8


def test_columns_are_as_they_are_in_the_file(make):
    results = make()
    assert list(results[RSS]) == [100, 900, 700, 150, 800]
    assert list(results[RSS + ".max"]) == [100, 400, 700, 150, 500]
    pytest.importorskip("pandas")
    frame = results.to_pandas()
    assert frame[RSS + ".max"].groupby("path").max().to_dict() == {
        "main": 150, "main/solve": 500, "main/solve/solve": 700}


def test_the_running_program(run):
    run("""
        import pdump
        RSS = "pdump::rss"
        def visit(n):
            with pdump.region("visit"):
                if n: visit(n - 1)
        for i in range(3): visit(2)
        highest = pdump.current().query("visit", RSS)
        assert highest.visits == 9 and highest.value == highest.max > 0
        for total in (True, False):
            assert pdump.timing("visit", RSS, total) == highest.value
        try:
            pdump.timing("nope", RSS)
        except pdump.NotFound:
            pass
        else:
            assert False
    """, PDUMP_EVENTS="pdump::rss")


def test_an_open_region_has_its_level(run):
    """Of this thread: those of others are not known before they end."""
    run("""
        import threading
        import pdump
        RSS = "pdump::rss"
        begun, done = threading.Event(), threading.Event()
        def wait():
            with pdump.region("elsewhere"):
                begun.set()
                done.wait(60)
        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        begun.wait(60)
        with pdump.region("here"):
            results = pdump.current()
            tree = results.tree()
            assert tree["here"].visits == 0 and tree["here"].is_open
            [line] = [x for x in str(tree).splitlines() if "here" in x.split()]
            assert line.endswith("iB"), line
            assert tree["here"].value(RSS) > 0
            assert results.query("here", RSS).value > 0
            assert pdump.timing("here", RSS) > 0
            assert tree["elsewhere"].value(RSS) is None
            assert pdump.timing("elsewhere", RSS) == 0
        done.set()
        thread.join()
    """, PDUMP_EVENTS="pdump::rss")
