#!/bin/bash
# SPDX-License-Identifier: MIT
# The core compiled with -Os, in which what is inlined elsewhere stands once (the functions whose names end in `apart`),
# records as well: properties and unit tests of the recorder hold.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
tests='prop/prop_recorder unit/test_recorder_coders unit/test_recorder_limits unit/test_bytes unit/test_ksf'
make -s build-host >&2 || exit 1
printf '%s\n' core/*.c tests/lib/{check,check_host,nas,model,model_ranges}.c | xargs -P 2 -I{} sh -c \
    'gcc -std=gnu11 -Os -I. -c "$1" -o "$2/$(basename "$1" .c).o"' sh {} "$out" || exit 1
ar rcs "$out/small.a" "$out"/*.o
libs=$(sed -n 's/^HOST_LIBS := //p' tools/tools.mk)
for test in $tests; do
    : >"$out/results"
    # shellcheck disable=SC2086 # The libraries are words.
    gcc -std=gnu11 -Os -I. "tests/$test.c" "$out/small.a" build/host/libweft.a $libs -o "$out/test" &&
        WEFT_QUICK=1 "$out/test" >"$out/results" || echo "not ok with -Os, $test ends well"
    grep '^not ok' "$out/results"
    grep -q '^ok' "$out/results" || echo -n 'not '
    echo "ok with -Os, $test holds"
done
