# SPDX-License-Identifier: BSD-3-Clause
"""For pip: make what `make` would have made.

_cdef.py and _abi.py come from pdump.h, _config.py from the installed libpdump
(pkg-config).  What is there already, from make or the tarball, is taken.
"""

import os
import re
import shlex
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import make_cdef  # noqa: E402

TOP = os.path.join(os.path.realpath(HERE), "..", "..")


def pkg_config(*args):
    """What pkg-config says about libpdump, or an empty string."""
    try:
        command = os.environ.get("PKG_CONFIG", "pkg-config")
        out = subprocess.run([command, *args, "pdump"], text=True,
                             capture_output=True, check=False)
    except OSError:
        return ""
    return out.stdout.strip() if out.returncode == 0 else ""


def find_header():
    """pdump.h of this source tree, or of the installed libpdump."""
    installed = pkg_config("--variable=includedir")
    for folder in (os.path.join(TOP, "include"), installed, "/usr/include"):
        path = os.path.join(folder, "pdump.h")
        if folder and os.path.isfile(path):
            return path
    sys.exit("pdump: there is no pdump.h: install libpdump, or run make first")


def find_version():
    """The release that configure.ac or the built package names."""
    for path, pattern in (
            (os.path.join(HERE, "pdump", "_config.py"), r'VERSION = "(.+)"'),
            (os.path.join(TOP, "configure.ac"),
             r"AC_INIT\(\[libpdump\], \[(.+)\]\)")):
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as text:
                found = re.search(pattern, text.read())
            if found:
                return found.group(1)
    return pkg_config("--modversion") or "0"


def make_declarations(folder):
    """_cdef.py and _abi.py."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    out = subprocess.run(
        [*compiler, "-E", "-P", "-DPDUMP_CFFI", find_header()],
        stdout=subprocess.PIPE, text=True, check=True)
    cdef = os.path.join(folder, "_cdef.py")
    make_cdef.make_cdef(out.stdout, cdef)
    make_cdef.make_abi(cdef, os.path.join(folder, "_abi.py"))


def make_config(folder):
    """_config.py: where libpdump is, if it is installed."""
    libdir = pkg_config("--variable=libdir")
    pkglibdir = os.path.join(libdir, "libpdump") if libdir else ""
    with open(os.path.join(folder, "_config.py"), "w",
              encoding="utf-8") as out:
        out.write(f'"""What pip found.  Generated: do not edit."""\n\n'
                  f"VERSION = {find_version()!r}\n"
                  f"LIBDIR = {libdir!r}\n"
                  f"PKGLIBDIR = {pkglibdir!r}\n"
                  f'SONAME = "libpdump.so.0"\n')


class Build(build_py):
    """Copy the package, then add what is not there."""

    def run(self):
        super().run()
        folder = os.path.join(self.build_lib, "pdump")

        def has(name):
            return os.path.exists(os.path.join(folder, name))

        if not (has("_cdef.py") and has("_abi.py")):
            make_declarations(folder)
        if not has("_config.py"):
            make_config(folder)


setup(version=find_version(), cmdclass={"build_py": Build})
