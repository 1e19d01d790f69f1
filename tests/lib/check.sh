# SPDX-License-Identifier: MIT
# What test scripts share: `. tests/lib/check.sh` makes a folder $tmp, removed at the end, and defines
#   verdict NAME TEST-EXPRESSION...        prints `ok NAME` if `test EXPRESSION` holds
#   expect NAME STATUS PATTERN COMMAND...  runs COMMAND; ok if its status is STATUS and all of its standard
#                                          output matches the basic regular expression PATTERN ('' matches no output)
#   shown                                  passes its input on, and shows it in the log, too (tee on the name of
#                                          standard error would empty the log: what failed before would be lost)
#   in_long                                whether this is make test-long, or WEFT_LONG=1 is in the environment
#   verdicts PREFIX COMMAND...             runs a test program, with PREFIX_ before the names of its verdicts; it has
#                                          failed if it ends otherwise than by 0, or by 1 after a failure
set -u
# A command in the build with the address sanitizer spends most of its time on its start: half of it on the search for
# leaks, on the surroundings of each global object, and on the callers of each allocation. Test programs do all that,
# and so does make test-long; tests/golden/command.sh, loops.sh, model.sh, profiles.sh and wpp.sh ask for leaks.
[ -n "${WEFT_LONG:-}" ] || export ASAN_OPTIONS=report_globals=0:malloc_context_size=1:${ASAN_OPTIONS:-detect_leaks=0}
. tests/lib/python.sh
tmp=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

in_long() {
    [ -n "${WEFT_LONG:-}" ]
}

verdict() {
    local name=$1
    shift
    if test "$@"; then echo "ok $name"; else echo "not ok $name"; fi
}

shown() {
    tee >(sed 's/^/# /' >&2)
}

verdicts() {
    local prefix=$1 status
    shift
    "$@" >"$tmp/verdicts"
    status=$?
    sed -E "s/^((not )?ok) /\1 ${prefix}_/" "$tmp/verdicts"
    [ $status -eq "$(grep -cm 1 '^not ok' "$tmp/verdicts")" ] || echo "not ok ${prefix}_ended_with_status_$status"
}

expect() {
    local name=$1 want=$2 pattern=$3 out status
    shift 3
    out=$("$@" 2>"$tmp/stderr")
    status=$?
    if [ $status -eq "$want" ] && { [ -z "$pattern$out" ] || printf '%s' "$out" | tr '\n' '\001' | grep -qx -- "$pattern"; }; then
        echo "ok $name"
    else
        echo "# status $status, wanted $want; output: $out"
        sed 's/^/# stderr: /' "$tmp/stderr" | head -n 20
        echo "not ok $name"
    fi
}
