# SPDX-License-Identifier: BSD-3-Clause
# For python.sh, python_runner.sh and python_others.sh: run pytest on the package
# as it was built.
# make gives PYTHON, top_builddir and the rest of the environment.

has_pytest()
{
    test -n "$1" && "$1" -c 'import pytest, _cffi_backend' 2>/dev/null
}

# find_tested: set PYTHON to the system's if the chosen one has no pytest.
find_tested()
{
    has_pytest "$PYTHON" || { ! has_pytest /usr/bin/python3; } ||
        PYTHON=/usr/bin/python3
}

# run_tests PYTHON PART: ends with pytest's status, or 77 and the reason.  PART
# is all, runner (what `python -m pdump` does), or rest; two parts can run at the
# same time.
run_tests()
{
    test -n "$1" || { echo "no Python was found"; exit 77; }
    test "${PDUMP_SANITIZERS:-no}" = no || {
        echo "Python itself is not built with sanitizers"
        exit 77
    }
    test -f "$top_builddir/bindings/python/pdump/_config.py" || {
        echo "configured without the Python package"
        exit 77
    }
    has_pytest "$1" || {
        echo "$1 has no pytest or no cffi: install python3-pytest python3-cffi"
        exit 77
    }
    for name in $(env | sed -n 's/^\(PDUMP_[A-Z_]*\)=.*/\1/p'); do
        case $name in
        PDUMP_COMMAND | PDUMP_SANITIZERS | PDUMP_TEST_PYTHONS) ;;
        *) unset "$name" ;;
        esac
    done
    PYTHONPATH=$top_builddir/bindings/python${PYTHONPATH:+:$PYTHONPATH}
    PDUMP_LIBRARY=$top_builddir/libpdump/.libs/libpdump.so
    PDUMP_MODULES=$top_builddir/plugins/modules
    PDUMP_HEADER=$top_srcdir/include/pdump.h
    PYTHONDONTWRITEBYTECODE=1
    export PYTHONPATH PDUMP_LIBRARY PDUMP_MODULES PDUMP_HEADER
    export PYTHONDONTWRITEBYTECODE
    tests=$(cd "${srcdir:-.}/python" && pwd)
    folder=$(mktemp -d) || exit 99
    trap 'rm -rf "$folder"' EXIT
    cd "$folder" || exit 99
    "$1" --version
    python=$1
    case $2 in
    all) set -- "$tests" ;;
    runner) set -- "$tests"/test_runner*.py "$tests"/test_lines.py ;;
    rest)
        set -- --ignore-glob="$tests/test_runner*.py" \
            --ignore="$tests/test_lines.py" "$tests"
        ;;
    esac
    timeout 1800 "$python" -m pytest -q -ra -p no:cacheprovider \
        --basetemp="$folder/pytest" "$@"
}
