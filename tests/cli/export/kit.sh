# SPDX-License-Identifier: BSD-3-Clause
# For the tests of formats, after behaviour/kit.sh: who looks at their files.
formats=$(cd "$kit/../../cli/export" && pwd) || exit 99

# python_with MODULE: the first Python that has it, or nothing.
python_with() {
    for candidate in "${PYTHON:-}" /usr/bin/python3 python3; do
        [ -z "$candidate" ] || ! "$candidate" -c "import $1" 2>/dev/null || {
            echo "$candidate"
            return
        }
    done
}
python=$(python_with json)
validator=$(python_with jsonschema)

# valid SCHEMA GOOD... -- BAD...: what the schema says of files; without a BAD
# one the test would be none.
valid() {
    schema=$1
    shift
    [ -n "${validator:-$python}" ] || {
        echo "skipped: $what: there is no python3"
        return 0
    }
    seen=$(for file in "$@"; do [ "$file" = -- ] || echo "$file"; done)
    # shellcheck disable=SC2086
    timeout -k 10 300 "${validator:-$python}" "$formats/schema.py" "$schema" \
        $seen >"$work/out" 2>"$work/err"
    code=$?
    if [ $code -eq 77 ]; then
        echo "skipped: $what: $(cat "$work/out")"
        return 0
    fi
    [ $code -eq 0 ] || failed "exit code $code of the validator"
    is_good=yes
    for file in "$@"; do
        said=$(grep -F -e "$file " "$work/out" | head -c 400)
        if [ "$file" = -- ]; then
            is_good=no
        elif [ $is_good = yes ]; then
            same "$said" "$file valid" "what the schema says"
        else
            [ "$said" != "$file valid" ] && [ -n "$said" ] ||
                failed "$file is valid: '$said'"
        fi
    done
}
