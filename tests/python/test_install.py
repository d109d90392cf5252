# SPDX-License-Identifier: BSD-3-Clause
"""pip install, and the package in its place."""

import ast
import os
import shutil
import subprocess
import sys

import pytest

from pdump import _library

PROJECT = os.path.join(os.environ.get("top_srcdir", ""), "bindings", "python")


def has(*modules):
    from importlib.util import find_spec

    return all(find_spec(name) for name in modules)


@pytest.fixture(params=["source", "build"])
def project(request, tmp_path):
    """A copy of the project: pip leaves things in it."""
    if request.param == "build":
        origin = os.path.join(os.environ.get("top_builddir", ""), "bindings",
                              "python")
    else:
        origin = PROJECT
    if not os.path.isfile(os.path.join(origin, "pyproject.toml")):
        pytest.skip("the project's folder is not known")
    if not has("pip", "setuptools", "wheel", "cffi"):
        pytest.skip("pip, setuptools, wheel and cffi are needed")
    top = tmp_path / "top"
    copy = top / "bindings" / "python"
    shutil.copytree(origin, copy,
                    ignore=shutil.ignore_patterns("__pycache__", "Makefile*"))
    source = os.environ["top_srcdir"]
    (top / "include").mkdir()
    shutil.copy(os.path.join(source, "include", "pdump.h"), top / "include")
    shutil.copy(os.path.join(source, "configure.ac"), top)
    return copy


def test_pip_installs_offline(project, tmp_path, env):
    target = tmp_path / "target"
    env["PIP_NO_INDEX"] = "1"
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-build-isolation",
         "--no-deps", "--disable-pip-version-check", "--target", str(target),
         str(project)], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("py.typed", "_abi.py", "_cdef.py", "_config.py",
                 "scorep/user.py"):
        assert (target / "pdump" / name).is_file(), name
    code = ("import pdump, sys; print(pdump.__file__, pdump.__version__)\n"
            "with pdump.region('r'): pass\n"
            "print(pdump.current().query('r').visits)")
    used = subprocess.run([sys.executable, "-c", code], cwd=tmp_path,
                          capture_output=True, text=True, timeout=300,
                          env={**env, "PYTHONPATH": os.pathsep.join(
                              [str(target), env.get("PYTHONPATH", "")])})
    assert used.returncode == 0, used.stderr
    place, version, visits = used.stdout.split()
    assert place.startswith(str(target)) and visits == "1"
    import pdump

    assert version == pdump.__version__


def test_everything_in_the_folder_is_installed():
    """A module that the Makefile forgets is not installed."""
    if not os.path.isdir(PROJECT):
        pytest.skip("the project's folder is not known")
    with open(os.path.join(PROJECT, "Makefile.am"), encoding="utf-8") as text:
        listed = text.read()
    for folder, _, files in os.walk(os.path.join(PROJECT, "pdump")):
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), PROJECT)
            if path.endswith((".py", ".typed")):
                assert path in listed, path


def test_every_test_is_in_the_tarball():
    here = os.path.dirname(os.path.abspath(__file__))
    makefile = os.path.join(here, "..", "Makefile.am")
    with open(makefile, encoding="utf-8") as text:
        listed = text.read()
    for name in os.listdir(here):
        if name.endswith((".py", ".sh")):
            assert f"python/{name}" in listed, name


def test_public_functions_have_documentation_and_hints():
    import pdump

    for name in pdump.__all__:
        value = getattr(pdump, name)
        assert value.__doc__, name
        if callable(value) and not isinstance(value, type):
            assert "return" in value.__annotations__, name


def hints_missing(tree):
    """Names of functions that lack a hint for an argument or the result."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        known = node.args
        given = [*known.posonlyargs, *known.args, *known.kwonlyargs,
                 known.vararg, known.kwarg]
        bare = [arg.arg for arg in given if arg is not None
                and arg.annotation is None and arg.arg not in ("self", "cls")]
        if bare or node.returns is None and node.name != "__init__":
            yield f"{node.name}({', '.join(bare)})"


def test_every_function_has_hints_and_every_module_a_docstring():
    import pdump

    folder = os.path.dirname(pdump.__file__)
    seen = 0
    for place, _, files in os.walk(folder):
        for name in files:
            if not name.endswith(".py") or name == "_abi.py":
                continue
            with open(os.path.join(place, name), encoding="utf-8") as text:
                tree = ast.parse(text.read())
            assert ast.get_docstring(tree), name
            assert list(hints_missing(tree)) == [], name
            seen += 1
    assert seen > 25
    bad = ast.parse("def f(x) -> int: ...\nasync def g(y: int): ...")
    assert list(hints_missing(bad)) == ["f(x)", "g()"]


def test_the_library_is_the_one_asked_for():
    assert _library.path == os.environ.get("PDUMP_LIBRARY", _library.path)
