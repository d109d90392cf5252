# SPDX-License-Identifier: BSD-3-Clause
"""Control and detail: switching, parameters, rewinding, facts."""

import pytest


def test_05_recording_nests(run):
    done = run("""
        import pdump
        from pdump import region
        pdump.disable_recording()
        with region("no"):
            with pdump.disable_recording():
                with region("no"): pass
            with region("no"): pass
        pdump.enable_recording()
        with region("yes"):
            with pdump.disable_recording():
                with region("no"): pass
                with pdump.enable_recording():
                    with region("again"): pass
                with region("no"): pass
        def deep(n):
            with pdump.disable_recording():
                if n:
                    deep(n - 1)
                with region("no"): pass
        deep(5)
        with region("last"): pass
    """)
    assert done.visits() == {"yes": 1, "yes/again": 1, "last": 1}
    assert done.err == ""


def test_enabling_what_is_enabled_is_nothing(run):
    done = run("""
        import pdump
        pdump.enable_recording()
        with pdump.enable_recording():
            with pdump.region("a"): pass
        with pdump.region("b"): pass
    """)
    assert done.visits() == {"a": 1, "b": 1}
    assert done.err == ""


def test_recording_is_switched_back_by_an_exception(run):
    done = run("""
        import pdump
        try:
            with pdump.disable_recording():
                raise KeyError
        except KeyError:
            pass
        with pdump.region("a"): pass
    """)
    assert done.visits() == {"a": 1}


def test_parameters_have_their_own_names_and_types(run):
    done = run("""
        import pdump
        with pdump.region("r"):
            pdump.parameter_int("i", -2**63)
            pdump.parameter_uint("u", 2**64 - 1)
            pdump.parameter_float("f", 0.25)
            pdump.parameter_string("s", "wörd")
    """)
    assert set(done.visits()) == {
        "r", f"r/i={-2**63}", f"r/i={-2**63}/u={2**64 - 1}",
        f"r/i={-2**63}/u={2**64 - 1}/f=0.25",
        f"r/i={-2**63}/u={2**64 - 1}/f=0.25/s=wörd"}
    assert list(done.results()["group"]).count("parameter") == 4


@pytest.mark.parametrize("call, error", [
    ("parameter_int('x', 2**63)", OverflowError),
    ("parameter_uint('x', -1)", OverflowError),
    ("parameter_int('x', 1.5)", TypeError),
    ("parameter_int('x', '1')", TypeError),
    ("parameter_string('x', 1)", TypeError),
    ("parameter_string('x', 'a\\0b')", ValueError),
    ("parameter_int('a=b', 1)", ValueError),
    ("parameter_int('', 1)", ValueError),
    ("parameter_int(None, 1)", TypeError),
    ("parameter_float('x', 'y')", ValueError),
    ("counter_add('x', 2**63)", OverflowError),
    ("marker('')", ValueError),
    ("metadata('', 1)", ValueError),
    ("metadata('k', 'a\\0b')", ValueError),
    ("rewind(1)", TypeError),
    ("thread_name(b'x')", TypeError),
])
def test_bad_arguments_are_refused(call, error):
    import pdump

    was_active = pdump.is_active()
    with pytest.raises(error):
        eval("pdump." + call)
    assert pdump.is_active() == was_active


def test_a_parameter_without_region_costs_a_warning_only(run):
    done = run("""
        import pdump
        pdump.parameter_int("i", 1)
        pdump.counter_add("n", 1)
        print("goes on")
    """)
    assert done.out == "goes on\n" and "no region is open" in done.err


def test_04_rewinding_discards_or_keeps(run):
    done = run("""
        import pdump
        from pdump import region
        for discard in (True, False, True):
            pdump.rewind_begin("calls")
            with region("inside"): pass
            pdump.rewind_end("calls", discard)
        for i in range(4):
            with pdump.rewind("block") as attempt:
                with region("inside"): pass
                if i != 2:
                    attempt.discard()
    """)
    assert done.visits() == {"calls": 1, "calls/inside": 1, "block": 1,
                             "block/inside": 1}


def test_a_marker_is_an_event(run):
    script = """
        import pdump
        with pdump.region("r"):
            pdump.marker("here")
    """
    done = run(script, PDUMP_RECORD="events")
    assert done.results().metadata["events"] == "3"
    assert "events" not in run(script).results().metadata


def test_facts_and_thread_names_are_in_the_dump(run):
    done = run("""
        import pdump
        pdump.metadata("mesh", 128)
        pdump.thread_name("main thread")
        with pdump.region("r"):
            pdump.counter_add("cells", 3)
            pdump.counter_add("cells", 4)
    """)
    results = done.results()
    assert results.metadata["mesh"] == "128"
    assert list(results["thread_name"]) == ["main thread"]
    assert list(results["cells"]) == [7]
    assert list(results["cells.max"]) == [4]


def test_steps(run):
    done = run("""
        import pdump
        for t in range(10):
            with pdump.step():
                with pdump.region("solve"): pass
        pdump.start_step()
        pdump.end_step()
    """, PDUMP_DUMP_STEPS="2,5-6")
    assert done.visits() == {"step": 3, "step/solve": 3}


def test_flush_writes_and_goes_on(run):
    done = run("""
        import pdump
        with pdump.region("a"): pass
        pdump.flush()
        import glob
        [written] = glob.glob("perf_dump.h5") or ["perf_dump.csv"]
        print(pdump.load(written).query("a").visits)
        with pdump.region("a"): pass
    """)
    assert done.out == "1\n" and done.visits() == {"a": 2}


def test_10_finalizing_early_keeps_what_came_before(run):
    done = run("""
        import pdump
        with pdump.region("a"): pass
        pdump.finalize()
        with pdump.region("b"): pass
        try:
            pdump.finalize()
        except pdump.BadState as exc:
            assert isinstance(exc, pdump.Error) and exc.code == -3
    """)
    assert done.visits() == {"a": 1}


def test_settings_from_the_program(run):
    done = run("""
        import pdump
        pdump.init(events=["pdump::cpu_time"], filename="mine", overwrite=True)
        with pdump.region("a"): pass
        for bad in (lambda: pdump.set("PDUMP_EVENTS", "none"),
                    lambda: pdump.init(filename="other")):
            try:
                bad()
            except pdump.BadState:
                pass
            else:
                assert False
    """, PDUMP_EVENTS=None)
    assert [m.name for m in done.results("mine").metrics] == [
        "time", "pdump::cpu_time"]


def test_settings_that_do_not_exist(run):
    run("""
        import pdump
        for name, value, error in (("PDUMP_NOPE", 1, LookupError),
                                   ("PDUMP_CLOCK", "x", ValueError),
                                   ("PDUMP_EVENTS", "a\\0", ValueError)):
            try:
                pdump.set(name, value)
            except error:
                pass
            else:
                assert False, error
    """)
