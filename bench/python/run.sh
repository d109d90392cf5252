#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Measure the Python package of a build folder; PYTHON= chooses the interpreter.
#   bench/python/run.sh FOLDER [--strict] [--json FILE]
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
for name in $(env | sed -n 's/^\(PDUMP_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
# Installed, the package is compiled.
unset PYTHONDONTWRITEBYTECODE
"${PYTHON:-python3}" -m compileall -q "$build/bindings/python/pdump" || exit 1
PYTHONPATH=$build/bindings/python${PYTHONPATH:+:$PYTHONPATH} \
PDUMP_LIBRARY=$build/libpdump/.libs/libpdump.so \
PDUMP_MODULES=$build/plugins/modules \
    exec "${PYTHON:-python3}" "$here/bench.py" "$@"
