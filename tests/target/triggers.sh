#!/bin/bash
# SPDX-License-Identifier: MIT
# Filters, triggers and sampling leave out what a naive model says of the whole run, and count it; the rest is as in the
# run. Every command names what is left out.
. tests/lib/check.sh
weft=build/host/weft
RARE=0 # the number of rare()'s path, since it is the first function; the model looks it up, too

image() { # NAME CONTROLLED MAKE...
    local name=$1 controlled=$2
    shift 2
    make -s build-firmware APP=tests/target/programs/triggers.c PLUGIN_MORE=control=deep,gate VARIANT="$name" \
        FLAGS="-DCONTROLLED=$controlled -DRARE_PATH=$RARE" "$@" 2>"$tmp/make" | tail -n 1
}

controls() { # MAKE...
    local all elf status result
    all=$(image all 0 "$@")
    elf=$(image controlled 1 "$@")
    $weft capture "$all" -o "$tmp/all.weft" >"$tmp/log" 2>&1
    $weft dump --elf "$all" "$tmp/all.weft" >"$tmp/all" 2>/dev/null
    $weft capture "$elf" -o "$tmp/c.weft" >"$tmp/log" 2>&1
    $weft dump --elf "$elf" "$tmp/c.weft" >"$tmp/dump" 2>"$tmp/gaps"
    status=$?
    $weft info --json "$tmp/c.weft" >"$tmp/info" 2>/dev/null
    result=$(python3 tests/target/triggers_check.py "$tmp/all" "$tmp/dump" "$tmp/info" 2>&1)
    grep -v 'weft capture' "$tmp/log" | sed 's/^/# /'
    [ "$result" = "as the model says" ] || { echo "# $result"; tail -n 3 "$tmp/make"; } | sed 's/^/# /'
    verdict "filters, triggers and sampling as the model says: $*" "$result" = "as the model says" -a $status -eq 3
}

named() { # PATTERN: a gap that dump prints
    verdict "named: $1" "$(grep -c "$1" "$tmp/gaps")" -ge 1
}

controls PROBES=mem DERIVE=none
named 'of thread mode all is recorded, of contexts that are not named so nothing'
named 'on: interrupt 5 is not recorded'
named 'what ran before trigger 7 came is not recorded'
named 'held back for a trigger had no room any more'
named 'only one activation in 5 is recorded of the function whose paths begin with number'
named 'left out by filters, triggers and sampling: .* 36 activations'
controls PROBES=paths DELIVERY=ring
controls PROBES=values DERIVE=none OPT=-O1 BOARD=microbit SINK=uart
[ -z "${WEFT_LONG:-}" ] || controls PROBES=mem DERIVE=none BUS=tre OPT=-Os
