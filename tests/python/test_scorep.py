# SPDX-License-Identifier: BSD-3-Clause
"""Programs and command lines written for Score-P's Python bindings."""

import pytest

from runner_kit import HAS_MONITORING

FUNCTIONS = """
    import pdump
    def seen(): pass
    with pdump.region("own"):
        seen()
"""


def test_an_end_that_was_never_begun(run):
    done = run("""
        import pdump
        pdump.region_begin("a")
        for name in ("never", "nor", "never"):
            pdump.region_end(name)
        pdump.region_end("a")
    """)
    assert done.visits() == {"a": 1}
    for name in ("never", "nor"):
        assert f"region '{name}' was never begun here; 'a' is open" in done.err
    assert {text.split("'")[1]: n
            for text, n in done.results().warnings.items()
            if "never begun" in text} == {"never": 2, "nor": 1}


@pytest.mark.parametrize("options", [
    ["--noinstrumenter", "--instrumenter-type=profile"],
    ["--instrumenter-type=profile", "--noinstrumenter"],
    ["--nopython", "--instrumenter-type=cProfile"],
    ["--instrumenter-type=trace", "--nopython"]])
def test_no_instrumenter_wins_in_any_order(tool, options):
    tool.run(FUNCTIONS, *options)
    assert tool.dump().regions() == {"own": 1}


def test_an_instrumenter_does_not_come_back_by_its_order(tool):
    tool.run(FUNCTIONS, "--instrumenter-type=dummy",
             "--instrumenter-type=profile")
    assert tool.dump().count("__main__:seen") == 1


def test_options_of_score_p_are_accepted(tool):
    tool.run(FUNCTIONS, "--mutex=pthread", "--kokkos", "--thread=pthread",
             "--nocompiler", "--keep-files", "--noinstrumenter")
    assert tool.dump().regions() == {"own": 1}


def test_verbose_names_the_settings(tool):
    for option in ("-v", "--verbose"):
        done = tool.run(FUNCTIONS, option, "-o", "out.csv", err=None)
        assert "pdump: PDUMP_FILENAME=out\n" in done.stderr


def test_instrumenter_file(tool):
    tool.write("def bar(): print('bar')", "other.py")
    tool.write("""
        import other, pdump
        assert __name__ != "__main__"
        other.bar = pdump.region("chosen")(other.bar)
    """, "chooser.py")
    done = tool.run("import other; other.bar()", "--noinstrumenter",
                    "--instrumenter-file=chooser.py")
    assert done.stdout == "bar\n"
    assert tool.dump().regions() == {"chosen": 1}


def test_an_instrumenter_file_that_is_not_there(tool):
    done = tool.run("print(1)", "--instrumenter-file", "none.py", code=2,
                    err=None)
    assert "none.py: No such file" in done.stderr and done.stdout == ""
