# SPDX-License-Identifier: BSD-3-Clause
"""What users of the Score-P bindings rely on, by the number in the list; 07 is
in test_runner_mpi.py, 11 in test_runner_ends.py, 12 in test_runner_suspend.py.
"""

import pytest

from pdump import _native

pytestmark = pytest.mark.skipif(_native.module is None, reason=_native.why)


FOUR_WAYS = """
    import pdump

    def body():
        pass

    def by_calls():
        pdump.region_begin("calls")
        body()
        pdump.region_end("calls")

    def by_block():
        with pdump.region("block"):
            body()

    @pdump.region("named")
    def named():
        body()

    @pdump.region()
    def unnamed():
        body()

    for _ in range(5):
        by_calls(); by_block(); named(); unnamed()
"""


def test_01_every_way_counts_once_with_functions(tool, backend):
    tool.run(FOUR_WAYS, backend)
    dump = tool.dump()
    for name in ("calls", "block", "named", "__main__:unnamed",
                 "__main__:by_calls", "__main__:by_block", "__main__:named"):
        assert dump.count(name) == 5, name
    assert dump.count("__main__:body") == 20
    assert dump.parents("__main__:body") == {
        "calls", "block", "__main__:named", "__main__:unnamed"}
    assert dump.open() == []


def test_01_every_way_counts_once_without_functions(tool):
    tool.run(FOUR_WAYS, "--noinstrumenter")
    assert tool.dump().regions() == {
        "calls": 5, "block": 5, "named": 5, "__main__:unnamed": 5}


def test_02_names_tell_modules_and_classes_apart(tool, backend):
    tool.write("""
        class Second:
            def method(self): pass
        def bar():
            def inner(): pass
            inner()
        """, "module.py")
    tool.run("""
        import module
        class First:
            def method(self): pass
            @classmethod
            def make(cls): return cls()
            @staticmethod
            def still(): pass
            @property
            def value(self): return 1
        def foo(): pass
        foo(); module.bar(); First.make().method(); First.still()
        First().value; module.Second().method()
        """, backend)
    dump = tool.dump()
    for name in ("__main__:foo", "module:bar", "module:bar.<locals>.inner",
                 "__main__:First.method", "module:Second.method",
                 "__main__:First.make", "__main__:First.still",
                 "__main__:First.value", "__main__:<module>",
                 "module:<module>"):
        assert dump.count(name) == 1, name
    row = next(r for r in dump.rows if r["region"] == "module:bar")
    assert row["file"] == str(tool.folder / "module.py")
    assert row["line"] == 4


def test_03_without_the_tool_a_script_is_what_it_is(tool):
    name = tool.write(FOUR_WAYS + "    print('done')\n")
    done = tool.same(name, env={"PDUMP_DUMP_DIR": "elsewhere"})
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_04_rewind_discards_and_keeps(tool, backend):
    tool.run("""
        import pdump
        def work(): pass
        for discard in (True, False):
            pdump.rewind_begin("attempt")
            work()
            pdump.rewind_end("attempt", discard)
        """, backend)
    assert tool.dump().count("attempt") == 1
    assert tool.dump().count("__main__:work") == 1


def test_05_enable_and_disable_nest_in_recursion(tool, backend):
    tool.run("""
        from pdump import instrumenter
        def seen(): pass
        def hidden(): pass

        @instrumenter.disable()
        def off(n):
            hidden()
            if n:
                on(n - 1)
            hidden()

        @instrumenter.enable()
        def on(n):
            seen()
            if n:
                off(n - 1)
            seen()

        seen()
        off(7)
        on(7)
        seen()
        """, backend)
    dump = tool.dump()
    assert dump.count("__main__:hidden") == 0
    assert dump.count("__main__:seen") == 2 + 2 * (4 + 4)
    assert dump.open() == []


def test_06_an_end_without_begin_is_told_once(tool, backend):
    done = tool.run("""
        import pdump
        def f(): pass
        def bad():
            pdump.region_end("never")
        with pdump.region("around"):
            bad(); bad(); f()
        """, backend, err=None)
    assert done.stderr.count("'never'") == 1
    assert done.stderr.count("\n") == 1
    dump = tool.dump()
    assert dump.parents("__main__:f") == {"around"}
    assert dump.count("around") == dump.count("__main__:f") == 1
    assert dump.open() == []


def test_08_threads_started_before_and_after(tool, backend):
    tool.run("""
        import threading
        from pdump import instrumenter
        go, done = threading.Event(), threading.Event()

        def early():
            go.wait()
            work()
            done.set()
        def late(): work()
        def work(): pass

        with instrumenter.disable():    # of this thread
            one = threading.Thread(target=early); one.start()
        go.set(); done.wait()
        two = threading.Thread(target=late); two.start()
        one.join(); two.join()
        """, backend)
    rows = [r for r in tool.dump().rows if r["region"] == "__main__:work"]
    assert len({r["thread"] for r in rows}) == 2
    assert tool.dump().parents("__main__:work") == {
        "__main__:early", "__main__:late"}


def test_08_threads_that_run_when_it_is_enabled(tool):
    tool.run("""
        import threading
        from pdump import instrumenter
        ready, go = threading.Event(), threading.Event()
        def work(): pass
        def early():
            ready.set()
            go.wait()
            work()
        one = threading.Thread(target=early); one.start(); ready.wait()
        instrumenter.start()
        go.set(); one.join()
        instrumenter.stop()
        """, "--noinstrumenter")
    assert tool.dump().count("__main__:work") == 1


def test_09_files_inside_a_region(tool, backend):
    done = tool.run("""
        import pdump
        with pdump.region("io"):
            with open("data", "w+b") as file:
                file.write(b"x" * 4096); file.seek(0)
                print(len(file.read()))
        """, backend, "-e", "pdump::io_write", "--c-calls")
    assert done.stdout == "4096\n"
    row = next(r for r in tool.dump().rows if r["region"] == "io")
    assert row["pdump::io_write"] >= 4096


def test_10_finalising_early_keeps_what_came_before(tool, backend):
    tool.run("""
        import pdump
        def before(): pass
        def after(): pass
        def main():
            before()
            with pdump.region("around"):
                pdump.finalize()
            after()
        main()
        """, backend)
    dump = tool.dump()
    assert dump.count("__main__:before") == 1
    assert dump.count("__main__:after") == 0
    assert "__main__:main" in " ".join(dump.open())


def test_10_a_second_session_records_again(tool, backend):
    tool.run("""
        import pdump
        def f(): pass
        f()
        pdump.finalize()
        pdump.set("PDUMP_FILENAME", "second")
        pdump.init()
        f(); f()
        """, backend)
    assert tool.dump().count("__main__:f") == 1
    second = tool.dump("second")
    assert second.count("__main__:f") == 2
    assert second.rows[0]["file"] == str(tool.folder / "script.py")


def test_13_module_reload(tool, backend):
    tool.write("def f(): pass\n", "module.py")
    tool.run("""
        import gc, importlib, module
        for _ in range(5):
            module.f()
            importlib.reload(module)
            gc.collect()
        """, backend)
    assert tool.dump().count("module:f") == 5
    assert tool.dump().count("module:<module>") == 6


def test_14_a_million_calls(tool, backend):
    tool.run("""
        def f(): pass
        for _ in range(1000000): f()
        """, backend)
    assert tool.dump().count("__main__:f") == 1000000


def test_15_the_environment_is_untouched(tool):
    name = tool.write("""
        import os, subprocess, sys
        print(sorted(os.environ.items()))
        subprocess.run([sys.executable, "-c",
                        "import os; print(sorted(os.environ.items()))"])
        """)
    tool.same(name, env={"LD_LIBRARY_PATH": "/some/where"})
    tool.same(name, env={"LD_PRELOAD": None})
