#!/bin/bash
# SPDX-License-Identifier: MIT
# Grammars of real control streams: bzip2 and zlib compress and decompress a text, observed from outside. Two streams of
# each: acyclic paths and basic blocks. Prints speed at 1, 3, 10 and 30 million symbols, memory, and the binary file
# beside zstd -19.
set -euo pipefail
symbols=${WEFT_QUICK:+3000000}
symbols=${symbols:-30000000}
out=build/bench/grammar-$symbols
mkdir -p $out
tests/workloads/fetch bzip2 zlib >&2

# stream NAME FLAGS SOURCE...: writes its first paths to $out/NAME-paths.u32, its first blocks to $out/NAME-blocks.u32
stream() {
    local name=$1 flags=$2
    shift 2
    [ ! -s "$out/$name-blocks.u32" ] || return 0
    gcc -O2 -c tests/bench/observe.c -o "$out/observe.o"
    gcc -O2 -c tests/bench/control_log.c -o "$out/control_log.o"
    gcc -w -O1 -fsanitize-coverage=trace-pc $flags -r "$@" -o "$out/$name.o"
    local main="-w -O1 -DTEXT_SIZE=4000000 -DROUNDS=1 -I. $flags tests/workloads/$name/$name.c $out/$name.o"
    gcc $main "$out/observe.o" -o "$out/$name-paths"
    gcc $main "$out/control_log.o" -o "$out/$name-blocks"
    OBSERVE_OUT=$out/$name-paths.u32 OBSERVE_MAX=$symbols "$out/$name-paths" >&2
    WEFT_CONTROL=$out/$name-blocks.u32 WEFT_CONTROL_MAX=$symbols "$out/$name-blocks" >&2
}
s=build/sources/bzip2
stream bzip2 "-I$s -DBZ_NO_STDIO" $s/{blocksort,huffman,crctable,randtable,compress,decompress,bzlib}.c
s=build/sources/zlib
stream zlib "-I$s" $s/{adler32,compress,crc32,deflate,inffast,inflate,inftrees,trees,uncompr,zutil}.c

build/host/tests/bench/bench_grammar $out/{bzip2,zlib}-{paths,blocks}.u32
for name in {bzip2,zlib}-{paths,blocks}; do
    head -c 40000000 $out/$name.u32 >$out/part.u32
    symbols=$(($(stat -c %s $out/part.u32) / 4))
    echo "the first $symbols symbols of $name: zstd -19 $(zstd -19 -qc $out/part.u32 | wc -c) bytes"
done
