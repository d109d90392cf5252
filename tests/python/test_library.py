# SPDX-License-Identifier: BSD-3-Clause
"""Loading: the declarations, the search for the library, the import."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from pdump import _cdef, _config, _library


def declared():
    return re.findall(r"\b(pdump_\w+)\(", _cdef.CDEF)


def test_every_declared_function_is_exported():
    names = declared()
    assert len(names) > 40
    for name in names:
        assert hasattr(_library.lib, name), name


def test_the_compiled_declarations_are_those_of_the_text():
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(_cdef.CDEF)
    from pdump import _abi

    for kind in re.findall(r"^struct (pdump_\w+) \{", _cdef.CDEF, re.M):
        text, made = ffi.typeof(f"struct {kind}"), \
            _abi.ffi.typeof(f"struct {kind}")
        assert [(n, f.offset, f.type.cname) for n, f in text.fields] == \
            [(n, f.offset, f.type.cname) for n, f in made.fields]
    lib = _abi.ffi.dlopen(_library.path)
    old = ffi.dlopen(_library.path)
    for name in declared():
        assert _abi.ffi.typeof(getattr(lib, name)).cname == \
            ffi.typeof(getattr(old, name)).cname


def test_the_declarations_are_those_of_the_header():
    header = os.environ.get("PDUMP_HEADER")
    cc = os.environ.get("CC", "cc").split()
    if not header or not shutil.which(cc[0]):
        pytest.skip("PDUMP_HEADER is not set, or there is no compiler")
    text = subprocess.run([*cc, "-E", "-P", "-DPDUMP_CFFI", header],
                          capture_output=True, text=True, check=True,
                          timeout=300).stdout
    assert text.split() == _cdef.CDEF.split()


def test_the_abi_is_that_of_the_library():
    assert _library.lib.pdump_abi_version() == _library.ABI


def test_the_release_is_that_of_the_library():
    import pdump

    assert pdump.version() == pdump.__version__ == _config.VERSION


def test_importing_starts_no_session(run):
    done = run("""
        import pdump
        assert not pdump.is_active()
        import pdump.timers, pdump.pyperfdump, pdump.scorep, pdump.results
        assert not pdump.is_active()
    """)
    assert done.out == done.err == ""
    assert [p.name for p in done.folder.iterdir()] == ["script.py"]


def test_importing_loads_little(run):
    done = run("""
        import sys
        before = set(sys.modules)
        import pdump
        print(*sorted(set(sys.modules) - before))
    """)
    slow = {"pycparser", "cffi", "numpy", "pandas", "inspect", "typing",
            "ctypes", "threading", "re"}
    assert not slow & set(done.out.split()), done.out


def test_an_order_is_an_order(run):
    done = run("import pdump", code=1, PDUMP_LIBRARY="/nowhere/libpdump.so")
    told = done.err.partition("ImportError: cannot load libpdump")[2]
    assert told.count("/nowhere/libpdump.so") == 1
    assert _config.SONAME not in told
    assert done.err.count("Traceback") == 1


def copy_package(to):
    import pdump

    shutil.copytree(os.path.dirname(pdump.__file__), to / "pdump")
    return to / "pdump"


def start(folder, code, env):
    """Run code that finds its package in the folder first."""
    places = os.pathsep.join([str(folder), env.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, text=True,
        capture_output=True, env={**env, "PYTHONPATH": places}, timeout=300)


def test_the_error_lists_every_attempt(tmp_path, env):
    package = copy_package(tmp_path)
    (package / "_config.py").write_text(
        'VERSION = "0"\nLIBDIR = "/nowhere/lib"\nPKGLIBDIR = ""\n'
        'SONAME = "libpdump-absent.so.0"\n')
    env.pop("PDUMP_LIBRARY")
    done = start(tmp_path, "import pdump", env)
    tried = done.stderr.split("ImportError")[-1].splitlines()[1:]
    assert len(tried) == 3
    assert str(package / "libpdump-absent.so.0") in tried[0]
    assert "/nowhere/lib/libpdump-absent.so.0" in tried[1]
    assert tried[2].strip().startswith("libpdump-absent.so.0")


def test_the_library_in_the_package_comes_first(tmp_path, env):
    package = copy_package(tmp_path)
    shutil.copy(os.path.realpath(_library.path), package / _config.SONAME)
    env.pop("PDUMP_LIBRARY")
    done = start(tmp_path, "from pdump import _library; print(_library.path)",
                 env)
    assert done.stdout.strip() == str(package / _config.SONAME), done.stderr


def test_a_library_of_another_abi_is_refused(tmp_path, env):
    cc = os.environ.get("CC", "cc").split()
    if not shutil.which(cc[0]):
        pytest.skip("no compiler")
    (tmp_path / "other.c").write_text(
        "int pdump_abi_version(void) { return 99; }\n")
    other = tmp_path / "other.so"
    subprocess.run([*cc, "-shared", "-fPIC", "-o", other,
                    tmp_path / "other.c"], check=True, timeout=300)
    env["PDUMP_LIBRARY"] = str(other)
    done = start(tmp_path, "import pdump", env)
    assert f"{other}: ABI 99, need {_library.ABI}" in done.stderr


def test_a_file_that_is_no_library_is_named(tmp_path, run):
    bad = tmp_path / "bad.so"
    bad.write_text("nothing")
    done = run("import pdump", code=1, PDUMP_LIBRARY=bad)
    assert str(bad) in done.err


def test_without_compiled_declarations_cffi_reads_the_text(tmp_path, env):
    package = copy_package(tmp_path)
    (package / "_abi.py").unlink()
    done = start(tmp_path, "import pdump; print(pdump.version())", env)
    assert done.stdout.strip() == _config.VERSION, done.stderr


def test_reloading_the_package_keeps_it_usable(run):
    done = run("""
        import importlib, pdump
        with pdump.region("before"):
            importlib.reload(pdump)
        with pdump.region("after"):
            pass
        import pdump.region
        assert callable(pdump.region)
    """)
    assert done.visits() == {"before": 1, "after": 1}
