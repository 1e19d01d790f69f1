#!/bin/bash
# SPDX-License-Identifier: MIT
# The loop coder on the target carries the stream that the raw coder carries, for some workloads (WEFT_LONG: each) and
# W = 8, 32, 128, 512. make test takes 8 and 512 of kernels and 128 of jpeg on the target, the others on the host.
# Where a second image takes other paths (interrupts, threads, hashes of addresses), the recorded stream goes through
# the same coder on the host instead; so do the other streams, to test `weft loops` on containers.
. tests/lib/check.sh
. tests/lib/coder.sh
weft=build/host/weft
windows="8 32 128 512"

paths() { # FILE.weft: its path numbers, a line each
    $weft dump "$1" --events control | awk '$2 == "path" { print $3 }'
}

# record NAME APP CODER FLAG...: $tmp/NAME.weft and the paths in $tmp/NAME.
record() {
    local name=$1
    shift
    coder_elf "$tmp/$name.elf" "$@" && $weft capture --icount 5 "$tmp/$name.elf" -o "$tmp/$name.weft" >"$tmp/log" 2>&1 &&
        paths "$tmp/$name.weft" >"$tmp/$name" && [ -s "$tmp/$name" ]
}

on_host() { # APP W
    $weft loops --window "$2" --binary "$tmp/nest" "$tmp/raw.weft" >/dev/null 2>>"$tmp/log" &&
        $weft loops --expand "$tmp/nest" --format text >"$tmp/back" && cmp "$tmp/raw" "$tmp/back" >>"$tmp/log"
    verdict "$1_through_a_window_of_$2_on_the_host" $? -eq 0
}

on_target() { # APP W
    record loops "$1" loops -DWEFT_AUTO_LOOPS_WINDOW="$2" && cmp "$tmp/raw" "$tmp/loops" >>"$tmp/log"
    local status=$?
    [ $status -eq 0 ] || sed 's/^/# /' "$tmp/log"
    verdict "$1_through_a_window_of_$2_on_the_target" $status -eq 0
}

for app in kernels jpeg interrupts ${WEFT_LONG:+zlib threads bzip2 lua lz4}; do
    record raw $app raw
    verdict "${app}_is_recorded_raw" $? -eq 0
    for w in $windows; do
        case $app:$w${WEFT_LONG:+:long} in
        lua:* | interrupts:* | threads:* | kernels:32 | kernels:128 | jpeg:8 | jpeg:32 | jpeg:512) on_host $app $w ;;
        *)
            on_target $app $w
            on_host $app $w
            ;;
        esac
    done
done

# Source lines of the hottest loop.
record raw kernels raw
$weft loops --tree --elf "$tmp/raw.elf" "$tmp/raw.weft" >"$tmp/tree"
verdict loops_have_source_lines "$(grep -c 'matrix_product tests/workloads/kernels/numeric.c:1[0-9]' "$tmp/tree")" -gt 0
# On a terminal, a summary of the tree takes the image beside the recording by itself, as that of the nest does.
python3 -B tests/lib/columns.py 80 $weft loops --tree "$tmp/raw.weft" >"$tmp/screen"
verdict a_summary_of_the_tree_has_names "$(grep -c 'matrix_product' "$tmp/screen")" -gt 0
python3 -B tests/lib/columns.py 80 $weft loops --tree --min-share 1 "$tmp/raw.weft" >"$tmp/screen"
verdict with_another_share_too "$(grep -c 'matrix_product' "$tmp/screen")" -gt 0
