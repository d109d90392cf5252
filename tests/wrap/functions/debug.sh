# SPDX-License-Identifier: BSD-3-Clause
# Debug files by build ID, as packages of debug symbols install them.  To be
# sourced after behaviour/kit.sh.

# A command that shows it, and all that it starts, another /usr/lib/debug.
debugged=$work/debugged
cat >"$debugged" <<END
#!/bin/sh
exec unshare --map-root-user --mount sh -c \
    'mount --bind "$work/debug" /usr/lib/debug && exec "\$@"' sh "\$@"
END
chmod +x "$debugged"

# split_debug PROGRAM: strip it; what it has lost is in the file that $debugged
# shows.  Returns false, and says why, if that cannot be done here.
split_debug() {
    id=$(readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p')
    if [ -z "$id" ]; then
        echo "skipped: $1 has no build ID"
        return 1
    fi
    file=$work/debug/.build-id/$(echo "$id" | sed 's#^..#&/#').debug
    mkdir -p "${file%/*}" || return 1
    if ! objcopy --only-keep-debug "$1" "$file" || ! strip "$1"; then
        echo "skipped: no objcopy, or no strip"
        return 1
    fi
    if ! timeout 300 "$debugged" true 2>"$work/err"; then
        echo "skipped: /usr/lib/debug cannot be replaced: $(cat "$work/err")"
        return 1
    fi
}
