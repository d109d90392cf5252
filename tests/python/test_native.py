# SPDX-License-Identifier: BSD-3-Clause
"""The types and functions of pdump_python.so."""

import os

import pytest

from pdump import _native

pytestmark = pytest.mark.skipif(_native.module is None, reason=_native.why)


def test_this_python_has_it():
    assert _native.Region is not None
    assert _native.why == ""


def test_attributes_and_subclasses():
    class Mine(_native.Region):
        __slots__ = ()

    one = Mine("solve", "file.f90", 12)
    assert (one.name, one.file, one.line) == ("solve", "file.f90", 12)
    assert Mine(b"\xc3\xa9", line=3).name == "\xe9"
    assert _native.Region("x").file is None
    with pytest.raises(AttributeError):
        one.name = "other"
    assert "solve" in repr(one)


@pytest.mark.parametrize("arguments", [(), (1,), (None,), ("a", "b", "c")])
def test_bad_arguments(arguments):
    with pytest.raises(TypeError):
        _native.Region(*arguments)
    with pytest.raises(TypeError):
        _native.begin()
    with pytest.raises(TypeError):
        _native.begin(3)


def test_references_are_kept_and_let_go(run):
    """Neither objects nor their types nor None gain or lose any."""
    done = run("""
        import sys
        from pdump import _native

        class Mine(_native.Region):
            __slots__ = ()

        name = "a name that is not shared " + str(id(Mine))
        things = Mine, _native.Region, name, None
        before = [sys.getrefcount(each) for each in things]
        for _ in range(10000):
            with Mine(name, name, 1):
                pass
        for each, count in zip(things, before):
            assert abs(sys.getrefcount(each) - count) < 100, each
        """)
    assert done.err == ""


def test_blocks_nest_and_recur(run):
    done = run("""
        from pdump._native import Region
        a, b = Region("a", "some.py", 7), Region("b")
        def down(n):
            with a as self:
                assert self is a
                if n:
                    down(n - 1)
        for _ in range(3):
            with b:
                down(2)
        try:
            with a, b:
                raise KeyError
        except KeyError:
            print("raised")
        """)
    assert (done.out, done.err) == ("raised\n", "")
    assert done.visits() == {"b": 3, "b/a": 3, "b/a/a": 3, "b/a/a/a": 3,
                             "a": 1, "a/b": 1}
    assert "some.py" in done.results()["file"]


def test_begin_and_end(run):
    done = run("""
        from pdump import _native
        print(_native.begin("x"), _native.begin(b"y"), _native.end(None),
              _native.end("x"), _native.end("x"))
        """)
    assert done.out == "0 0 0 0 -3\n"
    assert done.visits() == {"x": 1, "x/y": 1}


def test_regions_and_blocks_are_one_stack(run):
    done = run("""
        from pdump import _native
        with _native.Region("a"):
            _native.begin("b")
            with _native.Region("c"):
                pass
            _native.end("b")
        """)
    assert done.err == ""
    assert done.visits() == {"a": 1, "a/b": 1, "a/b/c": 1}


def test_many_threads(run):
    done = run("""
        import threading
        from pdump._native import Region
        r = Region("r")
        def work():
            for _ in range(1000):
                with r:
                    with r:
                        pass
        threads = [threading.Thread(target=work) for _ in range(20)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        """)
    assert done.visits() == {"r": 20000, "r/r": 20000}


@pytest.mark.parametrize("follow", [0, 1])
def test_fork_inside_of_a_block(run, follow):
    done = run("""
        import os
        from pdump._native import Region
        with Region("around", "here.py", 3):
            with Region("in"):
                pid = os.fork()
            with Region("after", "here.py", 5):
                pass
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
        """, PDUMP_FOLLOW=follow)
    assert done.err == ""
    visits = done.visits()
    assert visits.pop("after", 0) == follow  # in the child it is outermost
    assert visits == {"around": 1, "around/in": 1, "around/after": 1}


def test_finalize_inside_of_a_block(run):
    done = run("""
        import pdump
        from pdump._native import Region
        r = Region("r", "here.py", 3)
        with r:
            pdump.finalize()
        pdump.set("PDUMP_FILENAME", "second")
        pdump.init()
        with r:
            pass
        """)
    assert done.err == ""
    second = done.results("second")
    assert list(second["file"]) == ["here.py"]
    assert list(second["line"]) == [3]


def test_suspend_and_resume(run):
    done = run("""
        from pdump import _native
        _native.begin("task")
        mark = _native.depth()
        assert _native.suspend(mark) is None
        _native.begin("a"); _native.begin("b")
        token = _native.suspend(mark)
        assert _native.depth() == mark
        _native.begin("other"); _native.end("other")
        _native.resume(token)
        _native.resume(None)
        assert _native.depth() == mark + 2
        for name in "b", "a", "task":
            assert _native.end(name) == 0
        """)
    assert done.err == ""
    assert done.visits() == {"task": 1, "task/a": 2, "task/a/b": 2,
                             "task/other": 1}


def test_disabled(run):
    done = run("""
        from pdump import _native
        assert _native.Region is None and _native.begin is None
        class Quiet(_native.Noop):
            __slots__ = ()
        noop = Quiet()
        with noop as self:
            assert self is noop
        _native.new_session(); _native.end_session()
        """, PDUMP_DISABLE=1)
    assert done.err == ""
    assert os.listdir(done.folder) == ["script.py"]


def test_without_the_module_cffi_does_it(run):
    done = run("""
        import pdump
        from pdump import _native
        assert _native.module is None and "not there" in _native.why
        with pdump.region("r"):
            pass
        """, PDUMP_MODULES="/nowhere")
    assert done.visits() == {"r": 1}
