# SPDX-License-Identifier: BSD-3-Clause
"""Regions: blocks, decorators, calls; what is recorded, and what is not."""


def test_01_blocks_decorators_and_calls_count_once_each(run):
    done = run("""
        import pdump
        with pdump.region("block"):
            pass
        r = pdump.region("object")
        with r:
            with r:
                pass
        pdump.region_begin("call")
        pdump.region_end("call")
        pdump.region_begin("innermost")
        pdump.region_end()
        @pdump.region()
        def unnamed(): return 1
        @pdump.region("named")
        def other(): return 2
        @pdump.region
        def bare(): return 3
        assert (unnamed(), other(), bare()) == (1, 2, 3)
    """)
    assert done.visits() == {
        "block": 1, "object": 1, "object/object": 1, "call": 1,
        "innermost": 1, "__main__:unnamed": 1, "named": 1, "__main__:bare": 1}
    assert done.err == ""


def test_02_methods_of_two_classes_stay_distinct(run):
    done = run("""
        from pdump import region
        class A:
            @region()
            def f(self): return self
            @region()
            @classmethod
            def c(cls): return cls
            @classmethod
            @region()
            def d(cls): return cls
            @region()
            @staticmethod
            def s(): return "s"
        class B(A):
            @region()
            def f(self): return super().f()
        a, b = A(), B()
        assert a.f() is a and b.f() is b
        assert A.c() is A and B.c() is B and b.d() is B
        assert A.s() == a.s() == "s"
    """)
    assert done.visits() == {
        "__main__:A.f": 1, "__main__:B.f": 1, "__main__:B.f/__main__:A.f": 1,
        "__main__:A.c": 2, "__main__:A.d": 1, "__main__:A.s": 2}


def test_08_threads_have_trees_of_their_own(run):
    done = run("""
        import threading, pdump
        r = pdump.region("work")
        start = threading.Event()
        def work(n):
            start.wait()
            for i in range(n):
                with r:
                    with r:
                        pass
        early = threading.Thread(target=work, args=(100,))
        early.start()
        with pdump.region("main"):
            late = threading.Thread(target=work, args=(200,))
            late.start()
            start.set()
            early.join(); late.join()
    """)
    rows = done.results()
    assert len(set(rows["thread"])) == 3
    assert done.visits() == {"main": 1, "work": 300, "work/work": 300}


def test_12_exceptions_leave_every_region(run):
    done = run("""
        from pdump import region
        @region()
        def fails():
            with region("inner"):
                raise KeyError("x")
        for _ in range(3):
            try:
                with region("block"):
                    fails()
            except KeyError as exc:
                assert exc.args == ("x",)
            else:
                assert False, "swallowed"
        with region("after"): pass
    """)
    assert done.visits() == {
        "block": 3, "block/__main__:fails": 3,
        "block/__main__:fails/inner": 3, "after": 1}
    assert not any(node.is_open for _, node in done.tree().walk())


def test_14_a_million_visits_are_a_million_visits(run):
    done = run("""
        from pdump import region
        r = region("r")
        @region()
        def f(): pass
        for _ in range(500_000):
            with r: pass
            f()
    """)
    assert done.visits() == {"r": 500_000, "__main__:f": 500_000}


def test_recursion(run):
    done = run("""
        from pdump import region
        @region("f")
        def f(n): return n and f(n - 1)
        f(3)
    """)
    assert done.visits() == {"f": 1, "f/f": 1, "f/f/f": 1, "f/f/f/f": 1}


def test_decorated_functions_look_like_themselves(run):
    run("""
        import inspect, pickle, functools
        from pdump import region
        @region("x")
        def f(a, b=2, *, c: int = 3) -> str:
            "what f does"
            return a, b, c
        assert f.__name__ == "f" and f.__doc__ == "what f does"
        assert str(inspect.signature(f)) == "(a, b=2, *, c: int = 3) -> str"
        assert f(1, c=4) == (1, 2, 4)
        assert pickle.loads(pickle.dumps(f)) is f
        assert region("p")(functools.partial(f, 7))() == (7, 2, 3)
        assert region()(functools.partial(f, 7))() == (7, 2, 3)
        class Callable:
            def __call__(self): return 8
        assert region()(Callable())() == 8
        assert region("n")(len)("abc") == 3
        r = region("x")
        assert pickle.loads(pickle.dumps(r)) is r and "x" in repr(r)
    """)


def test_decorators_tell_where_the_function_is(run):
    done = run("""
        from pdump import region
        @region()
        def f(): pass
        f()
    """)
    node = done.tree()["__main__:f"]
    assert node.file.endswith("script.py") and node.line == 3


def test_without_the_native_module_the_same_is_recorded(run, tmp_path):
    script = """
        import pdump
        from pdump import _native
        @pdump.region()
        def f(): pass
        for _ in range(2):
            f()
            with pdump.region("a"), pdump.region("a"):
                pdump.region_begin("b")
                pdump.region_end("b")
                pdump.region_begin("c")
                pdump.region_end()
        print(_native.Region is None)
    """
    done = run(script, PDUMP_MODULES=tmp_path / "nowhere",
               PDUMP_OUTPUT_FORMAT="csv")
    assert done.out == "True\n" and done.err == ""
    cffi = done.visits()
    assert cffi == {"__main__:f": 2, "a": 2, "a/a": 2, "a/a/b": 2,
                    "a/a/c": 2}
    assert done.tree()["__main__:f"].line == 4
    assert run(script, PDUMP_OUTPUT_FORMAT="csv").visits() == cffi


def test_another_session_has_regions_and_places_again(run):
    done = run("""
        import pdump
        @pdump.region()
        def f(): pass
        r = pdump.region("r")
        for i in range(3):
            pdump.set("PDUMP_FILENAME", "run%d" % i)
            pdump.init()
            f()
            with r: pass
            pdump.finalize()
        f()                         # after the end: not recorded
    """)
    for i in range(3):
        tree = done.results(f"run{i}").tree()
        assert {n.path: n.visits for _, n in tree.walk()} == {
            "__main__:f": 1, "r": 1}
        assert tree["__main__:f"].line == 3


def test_children_record_if_followed(run):
    done = run("""
        import os, pdump
        r = pdump.region("r")
        with r:
            pid = os.fork()
        if pid == 0:
            with r: pass
            with pdump.region("child"): pass
            os._exit(0)
        os.waitpid(pid, 0)
    """, PDUMP_FOLLOW=1)
    rows = done.results()
    assert len(set(rows["pid"])) == 2
    assert done.visits()["child"] == 1


def test_ctrl_c_leaves_a_dump(run):
    import signal

    done = run("""
        import os, signal, pdump
        with pdump.region("done"): pass
        with pdump.region("interrupted"):
            os.kill(os.getpid(), signal.SIGINT)
            while True: pass
    """, code=-signal.SIGINT)
    assert "KeyboardInterrupt" in done.err
    assert done.visits() == {"done": 1, "interrupted": 1}
