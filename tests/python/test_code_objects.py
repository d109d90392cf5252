# SPDX-License-Identifier: BSD-3-Clause
"""Code objects come, go, and have data of others: nothing of ours is seen in
them."""

import importlib.util

import pytest

# A callback that goes away with the program's variables, before the code
# objects of the standard library do.
OWNER = """
    import ctypes
    import os
    import sys

    api = ctypes.pythonapi
    request = api.PyUnstable_Eval_RequestCodeExtraIndex \\
        if sys.version_info >= (3, 12) else api._PyEval_RequestCodeExtraIndex
    freed = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(freed.append)
    index = request(callback)


    def called():
        return os.path.join("a", "b")


    called()
    passing = eval("lambda: 42")
    passing()
    del passing
    print(freed)
"""


def test_slots_of_other_owners_are_left_alone(tool, backend):
    assert tool.run(OWNER, backend).stdout == "[]\n"
    assert tool.dump().count("__main__:called") == 1


def test_ends_while_functions_are_recorded(run):
    done = run("""
        import os
        import pdump

        switch = pdump.instrumenter.enable()
        switch.__enter__()
        os.path.join("a", "b")
    """)
    assert done.err == ""


def test_many_that_come_and_go(tool, backend):
    tool.run("""
        def kept():
            return 1

        for i in range(3000):
            names = {}
            exec(f"def made_{i % 3}(): return {i}", names)
            names[f"made_{i % 3}"]()
            kept()
    """, backend)
    found = tool.dump().regions()
    assert found["__main__:kept"] == 3000
    # exec() gives these no module of their own.
    made = {name: n for name, n in found.items() if ":made_" in name}
    assert sorted(made.values()) == [1000, 1000, 1000], made


@pytest.mark.skipif(
    importlib.util.find_spec("test") is None
    or importlib.util.find_spec("test.test_code") is None,
    reason="this Python has no test.test_code: install libpython3-testsuite")
def test_those_of_pythons_own_tests(tool):
    done = tool.pdump("-m", "test", "test_code", timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
