#!/bin/bash
# SPDX-License-Identifier: MIT
# The core in its other forms records as well: properties and unit tests of the recorder hold. With -Os, what is inlined
# elsewhere stands once (the functions whose names end in `apart`), and shorter ways are left out (WEFT_SMALL); a
# Cortex-M0 takes smaller steps (WEFT_SHORT_STEPS).
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
make -s build-host >&2 || exit 1
libs=$(sed -n 's/^HOST_LIBS := //p' tools/tools.mk)

holds() { # FLAGS FILES-OF-CORE TEST...: the other files are as in build/host
    local flags=$1 core=$2 test
    shift 2
    rm -rf "${out:?}"/*
    # shellcheck disable=SC2016 # The inner shell's.
    # shellcheck disable=SC2086 # Names.
    printf '%s\n' $core tests/lib/{check,check_host,hostile,loop_model,nas,model,model_ranges}.c | xargs -P 2 -I{} sh -c \
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

holds -Os 'core/*.c' prop/prop_{recorder,sequitur,ksf,ksf_parts,loopnest,recorder_ksf} unit/test_recorder_{coders,limits} unit/test_{bytes,ksf,tre,loopnest,sequitur,bfcm}
# Files that ask for the macro, or include one that does.
asking=$(grep -lw WEFT_SHORT_STEPS core/*.[ch] | grep -v config.h | paste -sd '|' | sed 's/\./\\./g')
asking=$(grep -lE "$asking" build/host/core/*.d | sed 's|^build/host/||; s/d$/c/')
# make test-long: the larger property in this form, too.
holds '-O2 -DWEFT_SHORT_STEPS=1' "$asking" prop/prop_{recorder_lent,ksf} ${WEFT_LONG:+prop/prop_recorder} unit/test_recorder_history
