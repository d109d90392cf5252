# SPDX-License-Identifier: BSD-3-Clause
"""Functions as regions: pdump.instrumenter, and their names."""

import sys

import pytest

from pdump import _native
from runner_kit import BACKENDS, HAS_MONITORING

pytestmark = pytest.mark.skipif(_native.module is None, reason=_native.why)


def test_enable_without_the_runner(run):
    done = run("""
        import sys, pdump
        def f(): g()
        def g(): pass
        f()
        with pdump.instrumenter.enable():
            assert pdump.instrumenter.backend() != "none"
            f()
        f()
        assert pdump.instrumenter.backend() == "none"
        assert sys.getprofile() is None
        """)
    assert done.err == ""
    assert done.visits() == {"__main__:f": 1, "__main__:f/__main__:g": 1}


def test_enable_names_a_region(run):
    done = run("""
        from pdump import instrumenter
        def f(): pass
        @instrumenter.enable("main")
        def main():
            f()
        main()
        """)
    assert done.visits()["main"] == 1
    assert done.visits()["main/__main__:main/__main__:f"] == 1


def test_enable_in_recursion_ends(run):
    done = run("""
        import sys
        from pdump import instrumenter
        def leaf(): pass
        @instrumenter.enable()
        def down(n):
            leaf()
            if n:
                down(n - 1)
            leaf()
        down(5)
        assert instrumenter.backend() == "none"
        leaf()
        try:
            with instrumenter.enable():
                raise KeyError
        except KeyError:
            pass
        assert instrumenter.backend() == "none"
        """)
    assert sum(v for p, v in done.visits().items()
               if p.endswith(":leaf")) == 12


def test_05_coroutines_and_generators_are_switched_while_they_run(run):
    done = run("""
        import asyncio
        from pdump import instrumenter
        def seen(): pass
        def unseen(): pass
        @instrumenter.enable()
        async def job():
            seen()
            await asyncio.sleep(0.01)
            seen()
        @instrumenter.enable()
        def gen():
            seen()
            yield 1
            seen()
        async def main():
            await asyncio.gather(job(), job(), other())
        async def other():
            await asyncio.sleep(0.005)
            unseen()
        asyncio.run(main())
        for _ in gen():
            unseen()
        assert instrumenter.backend() == "none"
        """)
    flat = done.tree().flat()
    assert flat["__main__:seen"].visits == 6
    assert not any("unseen" in name for name in flat)
    assert done.err == ""


def test_one_object_many_times(run):
    done = run("""
        from pdump import instrumenter
        on, off = instrumenter.enable(), instrumenter.disable()
        def f(): pass
        with on:
            with off:
                with on:
                    with off:
                        f()
                    f()
                f()
            f()
        """)
    assert done.visits() == {"__main__:f": 2}


def test_disable_is_for_one_thread(tool, backend):
    tool.run("""
        import threading
        from pdump import instrumenter
        def f(): pass
        with instrumenter.disable():
            t = threading.Thread(target=f)
            t.start(); t.join()
            f()
        """, backend)
    assert tool.dump().count("__main__:f") == 1


def test_decorated_functions_stay_functions():
    from pdump import instrumenter

    @instrumenter.disable()
    def documented():
        """A text."""

    assert documented.__doc__ == "A text."
    assert documented.__name__ == "documented"


@pytest.mark.parametrize("name", ["", "trace", "PROFILE"])
def test_unknown_backends(name):
    from pdump import instrumenter

    with pytest.raises(ValueError):
        instrumenter.start(name)


@pytest.mark.skipif(HAS_MONITORING, reason="this one has it")
def test_monitoring_needs_a_newer_python():
    from pdump import instrumenter

    with pytest.raises(RuntimeError, match="3.12"):
        instrumenter.start("monitoring")


def test_begin_and_end_in_different_functions(tool, backend):
    tool.run("""
        import pdump
        def start(): pdump.region_begin("work")
        def stop():
            pdump.region_end("work")
            after()
        def middle(): pass
        def after(): pass
        def main():
            for _ in range(10):
                start(); middle(); stop()
        main()
        """, backend)
    dump = tool.dump()
    assert dump.open() == []
    for name in ("work", "__main__:start", "__main__:middle",
                 "__main__:stop", "__main__:after"):
        assert dump.count(name) == 10, name
    assert dump.parents("__main__:middle") == {"work"}
    assert dump.parents("__main__:start") == {"__main__:main"}


def test_c_calls(tool, backend):
    tool.run("""
        def f(items):
            items.append(len(items))
            sorted(items, key=g)
            try:
                int("x")
                ord("xx")
            except (TypeError, ValueError):
                pass
            try:
                ord("xx")
            except TypeError:
                pass
        def g(x): return x
        f([2, 1])
        """, backend, "--c-calls", "--include", "__main__", "--include",
        "builtins")
    dump = tool.dump()
    assert dump.open() == []
    assert dump.count("builtins:len") == 1
    assert dump.count("builtins:ord") == 1
    assert dump.count("builtins:list.append") == 1
    assert dump.count("__main__:g") == 3
    assert dump.parents("__main__:g") == {"builtins:sorted"}
    assert dump.parents("builtins:sorted") == {"__main__:f"}


def test_no_c_calls_unless_asked_for(tool, backend):
    tool.run("len([])", backend)
    assert tool.dump().regions("builtins") == {}


def test_lambdas_by_the_hundred_thousand(tool, backend):
    done = tool.run("""
        import gc, resource
        def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        def some(n):
            for i in range(n):
                eval("lambda: 1")()
        some(10000)
        gc.collect()
        before = peak()
        some(90000)
        print(peak() - before)
        """, backend)
    dump = tool.dump()
    assert dump.count("__main__:<lambda>") == 100000
    assert int(done.stdout) < 20000  # KiB: the code objects were let go


def test_many_names(tool, backend):
    tool.run("""
        for i in range(3000):
            exec(f"def f{i}(): pass\\nf{i}()")
        """, backend)
    assert len(tool.dump().regions("__main__:f")) == 3000


def test_setprofile_of_the_program_wins(tool):
    done = tool.run("""
        import sys
        events = []
        def before(): pass
        def after(): pass
        before()
        sys.setprofile(lambda frame, event, arg: events.append(event))
        after()
        sys.setprofile(None)
        after()
        print("call" in events)
        """, "--instrumenter=profile", err=None)
    assert done.stdout == "True\n"
    assert done.stderr.count("\n") == 1 and "sys.setprofile" in done.stderr
    assert tool.dump().count("__main__:before") == 1
    assert tool.dump().count("__main__:after") == 0


def test_setprofile_back_to_what_was_there(tool):
    tool.run("""
        import sys
        def f(): pass
        earlier = sys.getprofile()
        sys.setprofile(None)
        f()
        sys.setprofile(earlier)
        f(); f()
        """, "--instrumenter=profile")
    assert tool.dump().count("__main__:f") == 2


@pytest.mark.skipif(not HAS_MONITORING, reason="no sys.monitoring")
def test_setprofile_and_monitoring_live_together(tool):
    done = tool.run("""
        import cProfile, sys
        def f(): pass
        sys.setprofile(lambda *args: None)
        f()
        sys.setprofile(None)
        with cProfile.Profile() as p:
            f()
        print(any(e.code is f.__code__ for e in p.getstats()))
        """, "--instrumenter=monitoring")
    assert done.stdout == "True\n"
    assert tool.dump().count("__main__:f") == 2


@pytest.mark.skipif(not HAS_MONITORING, reason="no sys.monitoring")
def test_tool_ids_of_others(tool):
    done = tool.run("""
        import sys
        m = sys.monitoring
        print(sorted(i for i in range(6) if m.get_tool(i)))
        for i in range(6):
            if not m.get_tool(i):
                m.use_tool_id(i, "other")
        def f(): pass
        f()
        """, "--instrumenter=monitoring")
    assert done.stdout == "[4]\n"
    assert tool.dump().count("__main__:f") == 1


@pytest.mark.skipif(not HAS_MONITORING, reason="no sys.monitoring")
def test_no_tool_id_is_left(run):
    done = run("""
        import sys, pdump
        for i in range(6):
            sys.monitoring.use_tool_id(i, "other")
        try:
            with pdump.instrumenter.enable():
                pass
        except RuntimeError as exc:
            print(exc)
        print([sys.monitoring.get_tool(i) for i in range(6)])
        """)
    assert "in use" in done.out
    assert done.out.count("'other'") == 6


@pytest.mark.skipif(not HAS_MONITORING, reason="no sys.monitoring")
def test_filtered_functions_balance_when_they_raise(tool):
    tool.run("""
        def hidden(n):
            if n == 0:
                raise KeyError
            shown(n - 1)
        def shown(n):
            hidden(n)
        for _ in range(3):
            try:
                shown(3)
            except KeyError:
                pass
        """, "--exclude", "hidden")
    dump = tool.dump()
    assert dump.count("__main__:shown") == 12
    assert dump.count("__main__:hidden") == 0
    assert dump.open() == []


def test_greenlet_like_switches_do_not_break_it(tool, backend):
    """Generators that are resumed by another thread."""
    tool.run("""
        import threading, pdump
        def gen():
            with pdump.region("r"):
                yield work()
                yield work()
        def work(): pass
        g = gen()
        next(g)
        def other():
            next(g)
            list(g)
        t = threading.Thread(target=other)
        t.start(); t.join()
        """, backend)
    dump = tool.dump()
    assert dump.open() == []
    assert dump.parents("__main__:work") == {"r"}


def test_nothing_of_ours_is_recorded(tool, backend):
    tool.run("""
        import pdump
        @pdump.region("r")
        def f(): pass
        f()
        with pdump.instrumenter.disable(): pass
        pdump.metadata("a", "b")
        """, backend, "--c-calls")
    dump = tool.dump()
    assert not [r for r in dump.regions() if r.startswith("pdump")]
    assert not [r["file"] for r in dump.rows if "/pdump/" in r["file"]]
    assert sys.implementation.name == "cpython" and BACKENDS
