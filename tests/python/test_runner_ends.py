# SPDX-License-Identifier: BSD-3-Clause
"""Conformance 11: a program and its end are what they are without the tool."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

from mpi_kit import end
from pdump import _native
from runner_kit import dumps_in

pytestmark = pytest.mark.skipif(_native.module is None, reason=_native.why)


LOOK = """
    import os, sys, pickle, warnings
    class Thing: pass
    main = sys.modules["__main__"]
    print(sys.argv, sys.path, sys.flags, sys.warnoptions, sys._xoptions)
    print(sorted(k for k in vars(main) if k[:2] == "__"), __name__)
    print(main.__dict__.get("__file__"), __package__, __doc__, main.__dict__
          is globals(), type(__builtins__), sys.dont_write_bytecode)
    print(type(pickle.loads(pickle.dumps(Thing()))) is Thing)
    print(repr(__spec__)[:30], type(__loader__).__name__)
    warnings.warn("old", DeprecationWarning)
    assert False, "asserted"
"""


@pytest.mark.parametrize("flags", [
    [], ["-O"], ["-W", "error::UserWarning"], ["-X", "dev"], ["-B", "-u"],
    ["-bb", "-W", "ignore"], ["-OO", "-q"], ["-s"]], ids=" ".join)
def test_11_flags_and_surroundings(tool, flags):
    name = tool.write(LOOK)
    tool.same(name, "a", "--b", "-e", flags=flags)


def test_11_script_in_another_folder(tool):
    tool.write("import os; print(os.sep)", "sub/other.py")
    name = tool.write("import other\n" + LOOK.replace("    ", ""),
                      "sub/script.py")
    tool.same(name)
    tool.same("./" + name)
    tool.same(str(tool.folder / name))
    os.symlink(tool.folder / name, tool.folder / "link.py")
    tool.same("link.py")


def test_11_module(tool):
    tool.write(LOOK, "package/tool.py")
    tool.write("", "package/__init__.py")
    tool.write("from . import tool", "package/__main__.py")
    tool.same("-m", "package.tool", "x")
    tool.same("-m", "package", "-h")
    tool.same("-mpackage")
    done = tool.pdump("-m", "there.is.none")
    assert done.returncode == 1
    assert "No module named" in done.stderr


def test_11_code_and_stdin(tool):
    code = "import sys; print(sys.argv, sys.path[0], __name__); 1/0"
    tool.same("-c", code, "a", "-b", code=1)
    tool.same("-", "a", "-b", input=code, code=1)
    tool.same("-", input="print(__file__, sorted(globals()))", code=0)


def test_11_folder_and_archive(tool):
    tool.write("import sys, part; print(sys.argv, sys.path[0])\n1/0",
               "folder/__main__.py")
    tool.write("print(__name__)", "folder/part.py")
    tool.same("folder", "x", code=1)
    shutil.make_archive(str(tool.folder / "packed"), "zip",
                        tool.folder / "folder")
    tool.same("packed.zip", "x", code=1)


@pytest.mark.parametrize("text, code", [
    ("import sys; sys.exit(7)", 7),
    ("import sys; sys.exit('a text')", 1),
    ("import sys; sys.exit()", 0),
    ("raise SystemExit(300)", 300 & 255),
    ("def f(): 1/0\ndef g(): f()\ng()", 1),
    ("try:\n    1/0\nexcept ZeroDivisionError as e:\n    raise KeyError(3) "
     "from e", 1),
    ("def f(:\n", 1),
    ("open('nowhere/at/all')", 1),
    ("raise KeyboardInterrupt", -signal.SIGINT),
    ("import os; os._exit(9)", 9),
    ("import os; os.abort()", -signal.SIGABRT),
    ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)\n"
     "import time; time.sleep(300)", -signal.SIGTERM),
    ("import sys\nsys.excepthook = lambda *a: print(a[0], a[2].tb_lineno)\n"
     "1/0", 1),
    ("import atexit\natexit.register(print, 'bye')\nraise ValueError", 1),
    ("# -*- coding: latin-1 -*-\nprint(ascii('\xe9'))", 0),
    ("import threading\nthreading.Thread(target=lambda: 1/0, name='T')"
     ".start()", 0),
])
def test_11_ends(tool, text, code):
    tool.same(tool.write(text), code=code)


def test_11_no_such_script(tool):
    tool.same("missing.py", code=2)
    tool.write("", "folder/readme")
    tool.same("folder", code=1)


def test_11_ctrl_c_and_its_dump(tool, backend):
    process = tool.start("""
        import time
        def work():
            print("ready", flush=True)
            time.sleep(300)
        work()
        """, backend)
    code, _, err = end(process, signal.SIGINT)
    assert code == -signal.SIGINT
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert "pdump" not in err
    assert tool.dump().count("__main__:work") == 1


def test_11_term_and_its_dump(tool, backend):
    process = tool.start("""
        import time
        def done(): pass
        def work():
            done()
            print("ready", flush=True)
            time.sleep(300)
        work()
        """, backend)
    code, _, err = end(process, signal.SIGTERM)
    assert (code, err) == (-signal.SIGTERM, "")
    assert tool.dump().count("__main__:done") == 1
    assert tool.stores() == []


def test_11_term_after_a_fork(tool):
    """The thread that writes the dump was not there during the fork."""
    process = tool.start("""
        import os, time
        for _ in range(3):
            pid = os.fork()
            if pid == 0:
                os._exit(0)
            os.waitpid(pid, 0)
        def done(): pass
        done()
        print("ready", flush=True)
        time.sleep(300)
        """)
    assert end(process, signal.SIGTERM) == (-signal.SIGTERM, "", "")
    assert tool.dump().count("__main__:done") == 1


def test_11_a_handler_of_the_program_comes_first(tool, backend):
    process = tool.start("""
        import signal, sys, time
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        def on_term(*args): sys.exit(5)
        signal.signal(signal.SIGTERM, on_term)
        print("ready", flush=True)
        time.sleep(300)
        """, backend)
    assert end(process, signal.SIGTERM) == (5, "", "")
    assert tool.dump().count("__main__:on_term") == 1


def test_11_os_exit_leaves_a_store(tool, backend):
    tool.run("""
        import os
        def work(): pass
        work()
        os._exit(3)
        """, backend, code=3)
    assert dumps_in(tool.folder) == []
    command = os.environ.get("PDUMP_COMMAND")
    if not command:
        pytest.skip("PDUMP_COMMAND does not name the pdump command")
    [store] = tool.stores()
    subprocess.run([command, "recover", store], cwd=tool.folder, env=tool.env,
                   check=True, capture_output=True, timeout=300)
    [found] = dumps_in(tool.folder)
    assert tool.dump(found).count("__main__:work") == 1


def test_pdump_run_that_begins_before_python(tool):
    """With --io the session is there before Python is."""
    command = os.environ.get("PDUMP_COMMAND")
    if not command:
        pytest.skip("PDUMP_COMMAND does not name the pdump command")
    (tool.folder / "work.py").write_text("def work(): pass\nwork()\n")
    env = {name: value for name, value in tool.env.items()
           if name != "PDUMP_EVENTS"}
    subprocess.run([command, "run", "-q", "--io", "-o", "out.csv", "--",
                    sys.executable, "-m", "pdump", "work.py"],
                   cwd=tool.folder, env=env, check=True,
                   capture_output=True, timeout=300)
    assert "__main__:work" in (tool.folder / "out.csv").read_text()
