# SPDX-License-Identifier: MIT
# What test scripts share: `. tests/lib/check.sh` makes a folder $tmp, removed at the end, and defines
#   verdict NAME TEST-EXPRESSION...        prints `ok NAME` if `test EXPRESSION` holds
#   expect NAME STATUS PATTERN COMMAND...  runs COMMAND; ok if its status is STATUS and all of its standard
#                                          output matches the basic regular expression PATTERN ('' matches no output)
set -u
tmp=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

verdict() {
    local name=$1
    shift
    if test "$@"; then echo "ok $name"; else echo "not ok $name"; fi
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
