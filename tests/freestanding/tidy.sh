#!/bin/bash
# SPDX-License-Identifier: MIT
# clang-tidy, with the checks of .clang-tidy, finds no mistake in core and in the host sources. What was found clean is
# not looked at again until it, a header of it, or .clang-tidy changes (tests/tests.mk, run-tidy). Its analyzer looks at
# the core, in make test-long at all, in make check at nothing.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
out=$tmp/out
files=$(ls core/*.c tools/lib/*/*.c tools/weft/*.c tools/qemu/*.c | wc -l)
version=$(clang-tidy --version | sed -nE 's/.*LLVM version ([0-9]+).*/\1/p')
if [ "$version" != 14 ]; then # each version finds other things
    echo "# the sources are held by clang-tidy 14; this is version $version, so they are not looked at"
elif make -s -k -j "${JOBS:-2}" run-tidy >"$out" 2>&1; then
    echo "ok clang-tidy finds nothing in $files files"
else
    grep -E ': (warning|error): |Error' "$out" | sort -u | sed 's/^/# /'
    echo "not ok clang-tidy finds nothing in $files files"
fi

# A mistake that it has to find.
printf 'static int f(int *p)\n{\n    return p ? 0 : *p;\n}\nint main(void)\n{\n    return f(0);\n}\n' >"$tmp/planted.c"
if clang-tidy --quiet --config-file=.clang-tidy "$tmp/planted.c" -- >"$out" 2>/dev/null || ! grep -q 'core.NullDereference' "$out"; then
    echo "not ok clang-tidy finds a planted mistake"
else
    echo "ok clang-tidy finds a planted mistake"
fi
