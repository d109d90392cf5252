# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: not blank, labelled, and clear about what is not there."""

import sys

import pytest

import pdump

PROFILE = """\
process,rank,pid,thread,node,parent,region,group,visits,\
time.sum [ns],PAPI_DP_OPS.sum,PAPI_L3_TCM.sum
0,0,10,0,0,,main,user,1,4000000000,300,3
0,0,10,0,1,0,so$l$ve<b>,user,2,3000000000,100,2
1,1,11,0,0,,main,user,1,4000000000,500,3
1,1,11,0,1,0,so$l$ve<b>,user,2,2000000000,200,2
"""
META = """\
table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,4
dump,0,details,{details}
{roofs}metric,0,name,time
metric,0,unit,ns
metric,0,kind,counter
metric,1,name,PAPI_DP_OPS
metric,1,kind,counter
metric,2,name,PAPI_L3_TCM
metric,2,kind,counter
process,0,rank,0
process,0,pid,10
process,1,rank,1
process,1,pid,11
thread,0,process,0
thread,0,number,0
thread,1,process,1
thread,1,number,0
detail,0,name,memory
detail,0,about,memory over time
detail,0,key,time
field,0,detail,0
field,0,name,rss
field,0,kind,max
field,0,unit,B
field,0,width,1
"""
MEMORY = """\
table,process,rank,pid,thread,node,path,label,field,index,unit,kind,value
memory,0,0,10,0,,,000002.500 main,rss,0,B,max,3145728
memory,0,0,10,0,,,000000.500 main/solve,rss,0,B,max,1048576
memory,1,1,11,0,,,000001.000 main,rss,0,B,max,2097152
"""
ROOFS = "metadata,0,peak_flops,1e3\nmetadata,1,peak_bandwidth,100\n"

STEPS = """
import time, pdump
with pdump.region("main"):
    for i in range(5):
        pdump.start_step()
        with pdump.region("work"):
            time.sleep(0.002)
        pdump.end_step()
"""

EVENTS = """
import pdump
with pdump.region("main"):
    for i in range(3):
        with pdump.region("step"):
            pass
    pdump.marker("half")
"""


@pytest.fixture(autouse=True)
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.fixture
def make(tmp_path):
    def write(memory=MEMORY, roofs=""):
        meta = META.format(details=memory.count("\n") - 1, roofs=roofs)
        (tmp_path / "x.csv").write_text(PROFILE)
        (tmp_path / "x.meta.csv").write_text(meta)
        (tmp_path / "x.details.csv").write_text(memory)
        return pdump.load(tmp_path / "x.csv")

    return write


def colours(ax):
    """How many there are in the picture."""
    ax.figure.canvas.draw()
    pixels = ax.figure.canvas.buffer_rgba()
    return len({bytes(p) for row in pixels.tolist() for p in row})


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_flame(make, pyplot):
    ax = make().plot.flame()
    assert colours(ax) > 10
    assert texts(ax) == ["main", r"so\$l\$ve<b>"]
    assert [(bar.get_y() + bar.get_height() / 2, bar.get_width())
            for bar in ax.patches] == [(0, 8e9), (1, 5e9)]
    assert ax.get_xlabel() == "time"
    _, mine = pyplot.subplots()
    assert make().plot.flame("PAPI_L3_TCM", rank=1, ax=mine) is mine
    assert [bar.get_width() for bar in mine.patches] == [3, 2]
    assert len(pyplot.get_fignums()) == 2


def test_ranks(make):
    ax = make().plot.ranks()
    assert colours(ax) > 10
    assert [t.get_text() for t in ax.get_yticklabels()] == [
        r"so\$l\$ve<b>", "main"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["0", "1"]
    assert ax.images[0].get_array().ravel().tolist() == pytest.approx(
        [5e8, -5e8, -5e8, 5e8])
    assert "400 ms" in [t.get_text() for t in ax.figure.axes[1].get_yticklabels()]
    assert len(make().plot.ranks(top=1).get_yticklabels()) == 1


def test_short_regions_do_not_drown_long_ones(tmp_path):
    (tmp_path / "x.csv").write_text(
        "process,rank,pid,thread,node,parent,region,visits,time.sum [ns]\n"
        "0,0,10,0,0,,long,1,4000000000\n0,0,10,0,1,,short,1,1000\n"
        "1,1,11,0,0,,long,1,5000000000\n1,1,11,0,1,,short,1,9000\n")
    image = pdump.load(tmp_path / "x.csv").plot.ranks().images[0]
    long, short = abs(image.get_array())
    assert long.min() == image.norm.vmax and short.max() < image.norm.vmax / 1e5


def test_one_rank_is_a_bar_chart(tmp_path):
    (tmp_path / "x.csv").write_text(
        "process,rank,pid,thread,node,parent,region,visits,time.sum [ns]\n"
        "0,0,10,0,0,,main,1,4000000000\n0,0,10,0,1,0,solve,1,3000000000\n")
    ax = pdump.load(tmp_path / "x.csv").plot.ranks()
    assert not ax.images
    assert [bar.get_width() for bar in ax.patches] == [3e9, 1e9]
    ax.figure.canvas.draw()
    assert [t.get_text() for t in ax.get_xticklabels()
            if 0 <= t.get_position()[0] <= 3e9] == [
        "0", "500 ms", "1 s", "1.5 s", "2 s", "2.5 s", "3 s"]
    assert texts(ax) == ["3.00 s", "1.00 s"]


def test_neighbours_never_share_a_colour(tmp_path):
    head = "process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns]\n"
    rows = [f"0,0,10,0,{i + 1},0,region {i % 60},user,1,{2000 - i}\n"
            for i in range(60)]
    rows += [f"0,0,10,0,{i + 61},{i + 1},region {(i + 7) % 60},user,1,900\n"
             for i in range(60)]
    (tmp_path / "x.csv").write_text(
        head + "0,0,10,0,0,,main,user,1,200000\n" + "".join(rows))
    ax = pdump.load(tmp_path / "x.csv").plot.flame(min_share=0)
    bars = [(round(bar.get_y()), bar.get_x(), bar.get_x() + bar.get_width(),
             bar.get_facecolor()) for bar in ax.patches]
    assert len(bars) == 121
    for level, left, right, colour in bars:
        for other in bars:
            if other[0] == level and other[1] == pytest.approx(right):
                assert other[3] != colour
            if other[0] == level + 1 and left - 1e-6 <= other[1] < right - 1e-6:
                assert other[3] != colour


def test_colours_are_those_of_kinds(tmp_path):
    from pdump._colours import KINDS, Palette, colour, distinct, kind_of

    assert kind_of("MPI_Send", "mpi", "", False) == "mpi"
    assert kind_of("MPI_Init_thread", "mpi", "", False) == "start"
    assert kind_of("f", "stack", "a.py", False) == "python"
    assert kind_of("f", "stack", "a.c", False) == "stack"
    assert kind_of("f", "user", "", True) == "python"
    assert kind_of("f", "user", "", False) == "compute"
    assert len({colour(kind) for kind in KINDS}) == len(KINDS)
    assert len({colour("mpi", shade) for shade in range(80)}) == 80
    assert len(set(distinct(12))) == 12
    (tmp_path / "x.csv").write_text(
        "process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns]\n"
        "0,0,10,0,0,,main,user,1,4000\n0,0,10,0,1,0,MPI_Send,mpi,1,3000\n")
    ax = pdump.load(tmp_path / "x.csv").plot.flame()
    assert [t.get_text() for t in ax.get_legend().get_texts()] == [
        "compute", "MPI"]
    pair = Palette({"a": "mpi", "b": "mpi"}, [("a", "b")])
    assert pair.of("a") != pair.of("b")


def test_kinds_are_those_of_the_page():
    import re
    from pathlib import Path

    from pdump._colours import KINDS

    page = Path(__file__).parents[2] / "plugins/html/page/kinds.js"
    rows = re.findall(r'key: "(\w+)", name: "([^"]+)", hue: (\d+), '
                      r'full: (\d+)', page.read_text(encoding="utf-8"))
    assert {key: (name, int(hue), int(full))
            for key, name, hue, full in rows} == KINDS


def test_levels(run):
    """They have no shares, and of a rank there is the highest."""
    results = run(STEPS, PDUMP_EVENTS="pdump::rss").results()
    with pytest.raises(pdump.BadValue, match="pdump::rss is a level"):
        results.plot.flame("pdump::rss")
    ax = results.plot.ranks("pdump::rss")
    assert ax.get_title() == "the highest pdump::rss in the regions"
    ranks, values = results.plot._by_rank("pdump::rss")
    assert ranks == [0]
    assert max(v.max() for v in values.values()) == max(
        v for v in results["pdump::rss.max"] if v == v)


def test_long_names(make):
    from pdump.plot import _short

    assert _short("x" * 40) == "x" * 40
    assert _short("a" * 100 + "b" * 100) == "a" * 20 + "\u2026" + "b" * 20


def test_timeline(run):
    results = run(STEPS, PDUMP_EVENTS="pdump::rss").results()
    ax = results.plot.timeline()
    assert colours(ax) > 5
    line, = ax.lines
    assert len(line.get_xdata()) == 5
    assert min(line.get_ydata()) >= 0.002
    assert list(line.get_xdata()) == sorted(line.get_xdata())
    assert ax.get_ylabel() == "time [s]"
    path = ax.get_title()
    assert results.plot.timeline("/" + path, "pdump::rss").get_ylabel() == \
        "pdump::rss [MiB]"
    samples = results.samples()
    assert [s.number for s in samples if s.path == path] == [0, 1, 2, 3, 4]
    with pytest.raises(pdump.NotFound, match="no samples of 'nope'.*" + path):
        results.plot.timeline("nope")
    with pytest.raises(pdump.NotFound, match="there are time"):
        results.samples("nope")


def test_timeline_of_events(run):
    results = run(EVENTS, PDUMP_RECORD="events").results()
    ax = results.plot.timeline()
    assert colours(ax) > 2
    main, steps = ax.collections
    assert len(main.get_paths()) == 1 and len(steps.get_paths()) == 3
    outer = main.get_paths()[0].get_extents()
    for path in steps.get_paths():
        box = path.get_extents()
        assert outer.x0 <= box.x0 <= box.x1 <= outer.x1
        assert box.y0 >= outer.y1
    marker, = ax.lines
    assert outer.x0 <= marker.get_xdata()[0] <= outer.x1
    assert [t.get_text() for t in ax.get_yticklabels()] == [
        "rank 0, thread 0"]
    assert ax.get_title() == "Timeline"
    assert "main" in texts(ax)  # steps have a name if they are long enough


def test_gaps_of_a_timeline():
    from pdump._lanes import Lane

    outer, inner, other = (0, "outer"), (1, "inner"), (2, "other")
    lane = Lane({0: [outer], 1: [outer, inner], 2: [outer, other]})
    lane.see("leave", 3, 1, "inner")  # a ring has lost that it began
    lane.see("at", 7, 2, "other")
    lane.go([], 9)
    assert lane.boxes == [(1, 3, 0, "inner"), (1, 7, 2, "other"),
                          (0, 3, 6, "outer")]


def test_many_lines_are_a_band(make):
    from pdump.plot import _draw_lines
    from matplotlib import pyplot

    _, ax = pyplot.subplots()
    _draw_lines(ax, {(i, i, 0): [(0, 0.0, i), (1, 1.0, 2 * i)]
                     for i in range(41)})
    assert len(ax.lines) == 1 and len(ax.collections) == 1
    assert list(ax.lines[0].get_ydata()) == [20, 40]


def test_memory(make):
    ax = make().plot.memory()
    assert colours(ax) > 5
    # Labels are milliseconds.
    assert [list(line.get_xdata()) for line in ax.lines] == [
        [0.0005, 0.0025], [0.001]]
    assert ax.get_xlabel() == "time [s]"
    assert [list(line.get_ydata()) for line in ax.lines] == [[1, 3], [2]]
    assert ax.get_ylabel() == "memory [MiB]"
    with pytest.raises(pdump.NotFound, match="no times"):
        make(MEMORY.replace(",00000", ",x")).plot.memory()


def test_roofline(make):
    ax = make().plot.roofline()
    assert colours(ax) > 10
    assert sorted(texts(ax)) == ["main", r"so\$l\$ve<b>"]
    points = {t: tuple(c.get_offsets()[0])
              for t, c in zip(texts(ax), ax.collections)}
    # 500 FLOP in 3 s for 2 lines of 64 bytes; 300 in 5 s for 4.
    assert points["main"] == pytest.approx((500 / 128, 500 / 3))
    assert points[r"so\$l\$ve<b>"] == pytest.approx((300 / 256, 60))
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert not ax.lines and not ax.get_legend()
    line, = make(roofs=ROOFS).plot.roofline().lines
    assert list(line.get_xdata())[1] == 10
    assert list(line.get_ydata())[1:] == [1000, 1000]
    line, = make().plot.roofline(peak_bandwidth=10).lines
    assert line.get_ydata()[1] == pytest.approx(10 * line.get_xdata()[1])
    ax = make().plot.roofline(flop="PAPI_L3_TCM", bytes="PAPI_DP_OPS", top=1)
    assert len(texts(ax)) == 1


def test_what_is_not_there(make, tmp_path):
    results = make()
    with pytest.raises(pdump.NotFound, match="there are no samples"):
        results.plot.timeline()
    for picture in results.plot.flame, results.plot.ranks:
        with pytest.raises(pdump.NotFound, match="'nope' is not recorded"):
            picture("nope")
    with pytest.raises(pdump.NotFound, match="needs one of nope"):
        results.plot.roofline(flop="nope")
    with pytest.raises(pdump.BadValue, match="peak_flops is no speed"):
        results.plot.roofline(peak_flops=-1)
    (tmp_path / "x.details.csv").unlink()
    (tmp_path / "x.meta.csv").unlink()
    with pytest.raises(pdump.NotFound, match="was not recorded"):
        pdump.load(tmp_path / "x.csv").plot.memory()


def test_without_matplotlib(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="plots need matplotlib"):
        make().plot.flame()


def test_table_of_a_notebook(make):
    html = make()._repr_html_()
    assert "4 rows, 2 ranks, 2 regions" in html
    assert "so$l$ve&lt;b&gt;" in html and "<b>" not in html
    assert html.count("<tr>") == 3
    assert html.index("main") > html.index("so$")
    # The name may be broken into lines, figures are on the right, in one.
    assert html.count("overflow-wrap:anywhere") == 3
    assert html.count("text-align:right;white-space:nowrap") == 9


def test_roofline_of_counters_of_the_program(run):
    results = run("""
        import pdump, time
        pdump.metadata("peak_flops", "1e12")
        with pdump.region("main"):
            pdump.counter_add("flop", 600)
            pdump.counter_add("bytes", 200)
            with pdump.region("inner"):
                pdump.counter_add("flop", 100)
                pdump.counter_add("bytes", 400)
                time.sleep(0.001)
        """).results()
    ax = results.plot.roofline()
    points = {t: c.get_offsets()[0][0]
              for t, c in zip(texts(ax), ax.collections)}
    assert points == pytest.approx({"main": 3, "inner": 0.25})
    assert list(ax.lines[0].get_ydata()) == [1e12, 1e12]
