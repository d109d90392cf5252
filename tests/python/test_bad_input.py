# SPDX-License-Identifier: BSD-3-Clause
"""Bad input, and input that others take badly."""

import pytest


def test_06_bad_end_without_begin_is_told_once_and_changes_nothing(run):
    done = run("""
        import pdump
        pdump.region_end("never")
        pdump.region_end("never")
        with pdump.region("a"):
            pdump.region_end("b")
            with pdump.region("c"):
                pass
    """)
    assert done.visits() == {"a": 1, "a/c": 1}
    assert done.err.count("\n") <= 2 and done.err.count("'never'") == 1


def test_bad_block_without_a_name(run):
    run("""
        from pdump import region
        try:
            with region():
                pass
        except TypeError as exc:
            assert "name" in str(exc)
        else:
            assert False
    """)


@pytest.mark.parametrize("name, error", [
    ("b'bytes'", "TypeError"), ("1", "TypeError"), ("1.5", "TypeError"),
    ("['x']", "TypeError"), ("''", "ValueError"), ("'a\\0b'", "ValueError"),
    ("'x' * 65536", "ValueError"), ("'ä' * 40000", "ValueError")])
@pytest.mark.parametrize("call", ["pdump.region", "pdump.region_begin",
                                  "pdump.region_end"])
def test_bad_names_of_wrong_type_or_with_nul(name, error, call):
    import pdump

    was_active = pdump.is_active()
    with pytest.raises((TypeError, ValueError)) as caught:
        eval(f"{call}({name})")
    assert caught.typename == error
    assert pdump.is_active() == was_active


def test_bad_decorated_class():
    import pdump

    with pytest.raises(TypeError, match="class"):
        pdump.region("x")(type("C", (), {}))


@pytest.mark.parametrize("name", [
    "a/b", "a,b", 'quo"te', "new\nline", "ünïcödé 測定", "x" * 65535, " ",
    "\ud800", "a\\b", "=", "NaN"])
def test_names_come_back_as_they_were(run, name):
    done = run(f"""
        import pdump
        with pdump.region({name!r}):
            pass
        pdump.region_begin({name!r})
        pdump.region_end({name!r})
    """)
    expected = name.encode("utf-8", "backslashreplace").decode()
    assert list(done.results()["region"]) == [expected]
    assert list(done.results()["visits"]) == [2]


def test_names_built_at_run_time_stay_apart(run):
    done = run("""
        import pdump
        for i in range(1000):
            with pdump.region("r%d" % i):
                pass
            pdump.region_begin("b%d" % i)
            pdump.region_end("b%d" % i)
    """)
    visits = done.visits()
    assert len(visits) == 2000 and set(visits.values()) == {1}


def test_more_regions_than_have_classes_of_their_own(run):
    done = run("""
        import pdump
        made = [pdump.region("r%d" % i) for i in range(1100)]
        assert len(set(map(type, made))) in (1001, 1)
        for r in made:
            with r as got:
                assert got is r and r.name in repr(r)
        for r in made:
            with r, made[0]:
                pass
    """)
    visits = done.visits()
    assert visits["r1099"] == visits["r5"] == 2 and visits["r0/r0"] == 1


def test_bad_100000_distinct_lambdas(run):
    done = run("""
        import pdump, gc
        for i in range(100_000):
            f = pdump.region("lambda %d" % (i % 1000))(eval("lambda: 0"))
            f()
        gc.collect()
        for i in range(100_000):
            pdump.region()(eval("lambda: 0"))()
    """, timeout=300)
    visits = done.visits()
    assert visits.pop("__main__:<lambda>") == 100_000
    assert len(visits) == 1000 and set(visits.values()) == {100}


def test_bad_counters_do_not_stop_the_program(run):
    done = run("""
        import pdump
        with pdump.region("r"):
            print("goes on")
    """, PDUMP_EVENTS="NO_SUCH_EVENT")
    assert done.out == "goes on\n"
    assert "NO_SUCH_EVENT" in done.err
    assert "only time is recorded" in done.err
    assert done.visits() == {"r": 1}


def test_bad_deleted_output_directory(run, tmp_path):
    done = run("""
        import os, pdump
        os.mkdir("gone")
        os.chdir("gone")
        with pdump.region("r"):
            os.rmdir("../gone")
        print("goes on")
    """, TMPDIR=tmp_path)
    assert done.out == "goes on\n"


def test_bad_exception_in_a_decorated_function(run):
    done = run("""
        from pdump import region
        class Odd(BaseException): pass
        @region()
        def fails(kind): raise kind
        @region("generator")
        def generator(): yield 1; raise Odd
        for kind in (KeyError, SystemExit, KeyboardInterrupt, Odd,
                     StopIteration, GeneratorExit, MemoryError):
            try:
                fails(kind)
            except BaseException as exc:
                assert type(exc) is kind
        try:
            list(generator())
        except Odd:
            pass
        with region("after"): pass
    """)
    assert done.visits() == {"__main__:fails": 7, "generator": 2, "after": 1}
    assert not any(node.is_open for _, node in done.tree().walk())


@pytest.mark.parametrize("follow", [0, 1])
def test_bad_fork_in_a_thread(run, follow):
    done = run("""
        import os, threading, pdump
        def fork():
            with pdump.region("in the thread"):
                pid = os.fork()
                with pdump.region("after"): pass
                if pid == 0:
                    os._exit(0)
                os.waitpid(pid, 0)
        with pdump.region("main"):
            t = threading.Thread(target=fork)
            t.start(); t.join()
    """, flags=["-W", "ignore"], PDUMP_FOLLOW=follow)
    assert done.err == ""
    visits = done.visits()
    assert visits.pop("after", 0) == follow
    assert visits == {"main": 1, "in the thread": 1, "in the thread/after": 1}


def test_bad_script_that_calls_os_exit(run):
    done = run("""
        import os, pdump
        with pdump.region("done"): pass
        with pdump.region("open"):
            os._exit(3)
    """, code=3)
    [store] = [p for p in done.folder.iterdir() if p.name != "script.py"]
    import pdump

    tree = pdump.load(store).tree()
    assert tree["done"].visits == 1 and tree["open"].is_open


def test_bad_setprofile_none(tool, backend):
    done = tool.run("""
        import sys
        def before(): pass
        def after(): pass
        def calls():
            before()
            sys.setprofile(None)
            after()
        calls()
        print("goes on")
        """, backend, err=None)
    assert done.stdout == "goes on\n"
    dump = tool.dump()
    assert dump.open() == []
    assert dump.count("__main__:before") == dump.count("__main__:calls") == 1
    if "profile" in backend:
        assert "sys.setprofile" in done.stderr
        assert dump.count("__main__:after") == 0
    else:
        assert dump.count("__main__:after") == 1


def test_bad_gc(tool, backend):
    """Regions in finalizers and in callbacks of the collector; code objects
    that go away while their regions stay."""
    tool.run("""
        import gc, pdump
        def callback(*args):
            with pdump.region("collector"): pass
        gc.callbacks.append(callback)
        gc.set_threshold(5)
        class Cycle:
            def __init__(self): self.me = self
            @pdump.region("finalizer")
            def __del__(self): pass
        def work():
            for i in range(200):
                Cycle()
                here = {}
                exec("def f(): pass\\nf()", here)
        with pdump.region("around"):
            work()
        gc.callbacks.clear()
        gc.collect()
        """, backend, "--include", "__main__")
    dump = tool.dump()
    assert dump.open() == []
    assert dump.count("finalizer") == 200 and dump.count("collector") > 10
    assert dump.count("__main__:work") == dump.count("around") == 1


def test_bad_module_reload(run, tmp_path):
    (tmp_path / "part.py").write_text(
        "import pdump\n@pdump.region()\ndef f(): pass\n")
    done = run("""
        import gc, importlib, part
        for _ in range(5):
            f = part.f
            importlib.reload(part)
            gc.collect()
            f(); part.f()
    """)
    assert done.visits() == {"part:f": 10}
