#!/bin/bash
# SPDX-License-Identifier: MIT
# The core in its other forms records as well: properties and unit tests of the recorder hold. With -Os, what is inlined
# elsewhere stands once (the functions whose names end in `apart`); a Cortex-M0 takes smaller steps (WEFT_SHORT_STEPS).
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
make -s build-host >&2 || exit 1
libs=$(sed -n 's/^HOST_LIBS := //p' tools/tools.mk)

holds() { # FLAGS TEST...
    local flags=$1 test
    shift
    rm -rf "${out:?}"/*
    # shellcheck disable=SC2016 # The inner shell's.
    printf '%s\n' core/*.c tests/lib/{check,check_host,nas,model,model_ranges}.c | xargs -P 2 -I{} sh -c \
        'gcc -std=gnu11 $3 -I. -c "$1" -o "$2/$(basename "$1" .c).o"' sh {} "$out" "$flags" || exit 1
    ar rcs "$out/small.a" "$out"/*.o
    for test; do
        : >"$out/results"
        # shellcheck disable=SC2086 # The libraries are words.
        gcc -std=gnu11 $flags -I. "tests/$test.c" "$out/small.a" build/host/libweft.a $libs -o "$out/test" &&
            WEFT_QUICK=1 "$out/test" >"$out/results" || echo "not ok with $flags, $test ends well"
        grep '^not ok' "$out/results"
        grep -q '^ok' "$out/results" || echo -n 'not '
        echo "ok with $flags, $test holds"
    done
}

holds -Os prop/prop_recorder unit/test_recorder_coders unit/test_recorder_limits unit/test_bytes unit/test_ksf
holds '-O2 -DWEFT_SHORT_STEPS=1' prop/prop_recorder_lent prop/prop_recorder unit/test_recorder_history
