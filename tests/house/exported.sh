#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What libpdump.so exports: libpdump/pdump.map.in has the names that modules, the
# pdump command, and tests of them use, and no other; probe/handshake.h has those
# of preloaded libraries.  Which libraries bind to which, and that plugins leave
# struct pdump_recorder to probe/.
set -u
build=${top_builddir:-$PWD/..}
modules=${PDUMP_MODULES_BUILT:-$build/plugins/modules}
cd "${top_srcdir:-.}" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
: >"$work/bad"

bad() {
    echo "$*" | tee -a "$work/bad"
}

finish() {
    n_bad=$(wc -l <"$work/bad")
    echo "$*$n_bad wrong"
    exit $((n_bad > 0))
}

# names FILE...: the words of them that begin as our functions do.
names() { grep -ohw 'pdump_[a-z0-9_]*' "$@" | sort -u; }

# node NAME: the functions of a node of the version script.
node() {
    sed -n "/^$1 {/,/^};/p" libpdump/pdump.map.in | names
}

# each_in LIST ABOUT: the names on standard input are in LIST.
each_in() {
    sort -u >"$work/left"
    for name in $(sort -u "$1" | comm -23 "$work/left" -); do
        bad "$name: $2"
    done
}

preloaded="cyg io mem pmpi python run"
for name in $preloaded; do
    echo plugins/$name/*.[ch]
done | xargs cat >"$work/preloaded.c"
{
    find plugins/mpi plugins/hdf5 plugins/hdf5_mpi plugins/html plugins/otf2 \
        plugins/symbols tools tests/cli tests/fuzz -name '*.[ch]'
    echo tests/unit/plugin/check_hdf5.c
} | xargs cat >"$work/users.c"
names "$work/users.c" >"$work/users"
names "$work/preloaded.c" libpdump/probe/*_hot.h plugins/handshake/*.c \
    >"$work/preloaded"
node PDUMP_0.1 >"$work/public"
node PDUMP_HANDSHAKE >"$work/handshake"
node PDUMP_PRIVATE_@PACKAGE_VERSION@ >"$work/private"
sed -n 's/^    F([^,]*, \(pdump_[a-z0-9_]*\),.*/\1/p' libpdump/probe/handshake.h \
    >"$work/table"

[ "$(wc -l <"$work/private")" -gt 50 ] || bad "no private node was found"
[ "$(wc -l <"$work/table")" -gt 30 ] || bad "no table was found"
each_in "$work/users" "is exported, and no module, command or test uses it" \
    <"$work/private"
each_in "$work/preloaded" \
    "is in probe/handshake.h, and no preloaded library uses it" <"$work/table"

# Plugins that know the recorder would have to be built with it.
grep -n 'pdump_recorder\|[>.]r\(->\|\.\)' $(for name in $preloaded; do
    echo plugins/$name/*.[ch]
done) >"$work/known" && bad "plugins know the recorder: $(cat "$work/known")"

# What was built.
library=$build/libpdump/.libs/libpdump.so
command -v readelf >/dev/null && [ -f "$library" ] || {
    finish "only sources, without readelf or a shared library: "
}
version=$(sed -n 's/^AC_INIT(\[libpdump\], \[\(.*\)\])/\1/p' configure.ac)

# symbols FILE: "defined|needed NAME NODE" of our functions.
symbols() {
    readelf --dyn-syms -W "$1" |
        awk '$8 ~ /^pdump_/ {
            split($8, part, /@+/)
            print $7 == "UND" ? "needed" : "defined", part[1], part[2]
        }'
}

symbols "$library" | sort -u >"$work/symbols"
sed -n 's/^defined \([^ ]*\) .*/\1/p' "$work/symbols" >"$work/defined"
grep -v pdump_lock_ "$work/handshake" | cat - "$work/public" "$work/private" |
    each_in "$work/defined" "is in pdump.map.in, and does not exist"
if [ -z "${LOCK_CHECKS:-}" ]; then
    cat "$work/public" "$work/handshake" "$work/private" >"$work/listed"
    each_in "$work/listed" "is exported, and not in pdump.map.in" \
        <"$work/defined"
fi
sed -n "s/^defined \([^ ]*\) PDUMP_PRIVATE_$version\$/\1/p" "$work/symbols" |
    sort >"$work/in_node"
cmp -s "$work/in_node" "$work/private" ||
    bad "$library has no node of release $version"

# needs NODE FILE: the functions that FILE takes from it.
needs() {
    symbols "$2" | sed -n "s/^needed \([^ ]*\) $1\$/\1/p"
}

n_seen=0
for file in "$modules"/*.so "$modules"/*/*.so "$build/tools/pdump/.libs/pdump"; do
    [ -f "$file" ] || continue
    n_seen=$((n_seen + 1))
    name=${file##*/}
    case $name in
    libpdump-* | pdump_python.so)
        symbols "$file" | sed -n 's/^needed \([^ ]*\) .*/\1/p' |
            grep -v ^pdump_lock_ >"$work/needed"
        { cat "$work/public" && echo pdump_handshake; } >"$work/stable"
        each_in "$work/stable" "$name binds it, and may be refused" \
            <"$work/needed"
        symbols "$file" | sed -n 's/^defined \([^ ]*\) .*/\1/p' |
            each_in /dev/null "$name exports it"
        ;;
    *)
        needs "PDUMP_PRIVATE_$version" "$file" |
            each_in "$work/private" "$name needs it"
        ;;
    esac
done
[ $n_seen -ge 6 ] || bad "only $n_seen libraries were found in $modules"
finish "$(wc -l <"$work/private") private names, $(wc -l <"$work/table") for" \
    "preloaded libraries, $n_seen libraries, "
