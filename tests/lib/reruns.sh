# SPDX-License-Identifier: MIT
# Sourced after tests/lib/check.sh, by tests of weft rerun.
check=build/host/tests/target/rerun_check
weft=build/host/weft
rm -f "$tmp"/*

build() {
    make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1
}

figure() { # WORD: the number before it, in the last line of the check
    tail -n 1 "$tmp/check" | sed -n "s/.*\b\([0-9][0-9]*\) $1.*/\1/p"
}
