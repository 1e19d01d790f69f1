#!/bin/bash
# SPDX-License-Identifier: MIT
# Loop nests on real control streams: the basic blocks that bzip2 and zlib run, compressing and decompressing a text, as
# 32-bit numbers. Time and memory as the stream grows; the size of the nest beside zstd -19 of the same stream.
set -euo pipefail
symbols=${WEFT_QUICK:+3000000}
symbols=${symbols:-30000000}
out=build/bench/loops-$symbols
mkdir -p $out
tests/workloads/fetch bzip2 zlib >&2

# stream NAME FLAGS SOURCE...: writes its first symbols to $out/NAME.u32
stream() {
    local name=$1 flags=$2
    shift 2
    [ -s "$out/$name.u32" ] && return
    gcc -O2 -c tests/bench/control_log.c -o "$out/control_log.o"
    gcc -w -O1 -fsanitize-coverage=trace-pc $flags -r "$@" -o "$out/$name.o"
    gcc -w -O1 -DTEXT_SIZE=2500000 -I. $flags "tests/workloads/$name/$name.c" "$out/$name.o" \
        "$out/control_log.o" -o "$out/$name"
    WEFT_CONTROL=$out/$name.u32 WEFT_CONTROL_MAX=$symbols "$out/$name" >&2
}
s=build/sources/bzip2
stream bzip2 "-I$s -DBZ_NO_STDIO" $s/{blocksort,huffman,crctable,randtable,compress,decompress,bzlib}.c
s=build/sources/zlib
stream zlib "-I$s" $s/{adler32,compress,crc32,deflate,inffast,inflate,inftrees,trees,uncompr,zutil}.c

for name in bzip2 zlib; do
    echo "$name:"
    build/host/tests/bench/bench_loops $out/$name.u32
    head -c 4000000 $out/$name.u32 >$out/part.u32
    echo "the first million symbols of $name: raw 4000000 bytes, zstd -19 $(zstd -19 -qc $out/part.u32 | wc -c) bytes"
done
build/host/tests/bench/bench_loops --text >$out/lu.txt
echo "LU class C: zstd -19 $(zstd -19 -qc $out/lu.txt | wc -c) bytes; the binary nest is in the figures of bench_loops"
