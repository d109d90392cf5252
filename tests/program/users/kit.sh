# SPDX-License-Identifier: BSD-3-Clause
# What the tests with a second user share: $other runs a program as that user.
# To be sourced in the build folder of the tests.
victim=$PWD/program/users/victim
plant=$PWD/program/users/plant
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
. "${srcdir:-.}/program/behaviour/kit.sh"
seconds=${seconds:-300}
PDUMP_EVENTS=none
export PDUMP_EVENTS
other="setpriv --reuid 65534 --regid 65534 --clear-groups"

skip() {
    echo "$*"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can become a second user"
$other true 2>/dev/null || skip "this machine has no second user (setpriv)"
chmod 755 "$work"
mkdir -m 755 "$work/bin" && cp "$victim" "$plant" "$work/bin" || exit 99
$other "$work/bin/victim" >/dev/null 2>&1 ||
    skip "the second user cannot run the programs in $PWD"
victim=$work/bin/victim
plant=$work/bin/plant

# case WORD...: a new case, with a folder for stores that everybody may write.
case_of() {
    behaviour "$@"
    chmod 1777 "$PDUMP_STORE"
    chmod 1777 .
}

out_has() { grep -qF -e "$1" "$work/out" || failed "stdout has no \"$1\""; }
err_has() { grep -qF -e "$1" "$work/err" || failed "stderr has no \"$1\""; }
