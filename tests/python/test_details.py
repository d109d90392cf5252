# SPDX-License-Identifier: BSD-3-Clause
"""Details of calls: tables beside the tree."""

import sys

import pytest

import pdump

PROFILE = """\
process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns]
0,0,10,0,0,,main,user,1,100
0,0,10,0,1,0,MPI_Send,mpi,3,60
"""
META = """\
table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,2
dump,0,details,9
metric,0,name,time
metric,0,unit,ns
metric,0,kind,counter
process,0,rank,0
process,0,pid,10
thread,0,process,0
thread,0,number,0
detail,0,name,mpi
detail,0,about,calls
detail,0,key,site
field,0,detail,0
field,0,name,calls
field,0,kind,sum
field,0,width,1
field,1,detail,0
field,1,name,least
field,1,kind,min
field,1,width,1
field,2,detail,0
field,2,name,squares
field,2,kind,real
field,2,width,1
field,3,detail,0
field,3,name,sizes
field,3,kind,sum
field,3,width,3
"""
DETAILS = """\
table,process,rank,pid,thread,node,path,label,field,index,unit,kind,value
mpi,0,0,10,0,1,,a.c:12 (main),calls,0,,sum,3
mpi,0,0,10,0,1,,a.c:12 (main),least,0,,min,7
mpi,0,0,10,0,1,,a.c:12 (main),squares,0,,real,0.25
mpi,0,0,10,0,1,,a.c:12 (main),sizes,1,,sum,2
mpi,0,0,10,0,1,,a.c:12 (main),sizes,2,,sum,1
mpi,,,,,,,h\u00e9,calls,0,,sum,1
mpi,,,,,,,h\u00e9,least,0,,min,
mpi,,,,,,,h\u00e9,squares,0,,real,0
mpi,,,,,,,h\u00e9,sizes,0,,sum,4
"""

ROWS = [
    {"rank": 0, "thread": 0, "process": 0, "path": "main/MPI_Send",
     "region": "MPI_Send", "label": "a.c:12 (main)", "calls": 3, "least": 7,
     "squares": 0.25, "sizes": [0, 2, 1]},
    {"rank": None, "thread": None, "process": None, "path": "", "region": "",
     "label": "h\u00e9", "calls": 1, "least": None, "squares": 0.0,
     "sizes": [4, 0, 0]},
]


@pytest.fixture
def dump(tmp_path):
    for suffix, text in (("", PROFILE), (".meta", META),
                         (".details", DETAILS)):
        (tmp_path / f"x{suffix}.csv").write_text(text, encoding="utf-8")
    return tmp_path / "x.csv"


def test_details_are_dicts_without_pandas(dump, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    results = pdump.load(dump)
    assert results.details == ("mpi",)
    assert results.detail("mpi") == ROWS
    assert results.runs[0].details == ("mpi",)
    assert results.runs[0].detail("mpi") == ROWS


def test_details_are_a_data_frame(dump):
    pytest.importorskip("pandas")
    frame = pdump.load(dump).detail("mpi")
    assert list(frame.columns) == list(ROWS[0])
    assert frame["calls"].sum() == 4
    assert frame.loc[0, "path"] == "main/MPI_Send"
    assert frame.loc[1, "rank"] != frame.loc[1, "rank"]  # NaN


def test_details_of_several_files(dump, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    both = pdump.load(dump, dump)
    assert [row["process"] for row in both.detail("mpi")] == [0, None, 1]
    assert [row["calls"] for row in both.detail("mpi")] == [3, 2, 3]
    assert [run.detail("mpi")[0]["calls"] for run in both.runs] == [3, 3]


def test_details_that_are_not_there(dump):
    with pytest.raises(pdump.NotFound, match="no details 'io'; there are mpi"):
        pdump.load(dump).detail("io")
    (dump.parent / "x.details.csv").unlink()
    (dump.parent / "x.meta.csv").unlink()
    results = pdump.load(dump)
    assert results.details == ()
    with pytest.raises(pdump.NotFound, match="there are none"):
        results.detail("mpi")
