#!/bin/bash
# SPDX-License-Identifier: MIT
# `make run`: builds a workload with probes, runs it on a Cortex-M3 in the emulator, prints what happened.
# BOARD, APP, OPT, PROBES and the other variables of `make firmware` are passed on.
set -eu
board=${BOARD:-mps2-an385}
app=${APP:-jpeg}
weft=build/host/weft
out=build/demo
mkdir -p $out

# The variables that this make was called with reach the next one by themselves.
elf=$(make -s build-firmware BOARD="$board" APP="$app" | tail -n 1)
plain=$(make -s build-firmware BOARD="$board" APP="$app" PROBES=none | tail -n 1)
trace=$out/$(basename "$app" .c).weft

echo "$ weft capture $elf -o $trace"
$weft capture "$elf" -o "$trace" --json >$out/capture.json || status=$?
[ "${status:-0}" -eq 0 ] || [ "${status:-0}" -eq 3 ] || exit "$status"
number() {
    sed -nE "s/.*\"$1\":([0-9]+).*/\1/p" $out/capture.json
}
events=$(number events)
bytes=$(number bytes)
footprint=$(port/footprint.sh "$elf" "$plain")
part() {
    sed -n "s/^$1 //p" <<<"$footprint"
}
echo
echo "events recorded        $events ($(number paths) paths, $(number accesses) accesses, $(number values) values)"
echo "bytes that left        $bytes"
echo "bytes an event         $(awk "BEGIN { printf \"%.3f\", $bytes / ($events ? $events : 1) }")"
echo "events lost            $(number lost)"
echo "RAM used by Weft       $(part ram) bytes (recorder, buffers, sink)"
echo "flash used by Weft     $(part flash) bytes (engine), $(part probes) bytes (calls of the probes in the program)"

echo
echo "hottest paths: times, routine, source lines in order"
$weft dump "$trace" --elf "$elf" --events control 2>/dev/null | awk '
    $2 == "path" { flush(); path = $3; routine = $4; lines = ""; last = "" }
    $2 == "block" { n = split($5, part, "/"); split(part[n], place, ":")
        if (place[1] != file || lines == "") { file = place[1]; lines = lines (lines == "" ? "" : " ") place[1] ":" place[2] }
        else if (place[2] != last) lines = lines " " place[2]
        last = place[2] }
    function flush() { if (path != "") { count[path]++; if (!(path in what)) what[path] = routine "  " lines } }
    END { flush(); for (p in count) printf "%9d  %s\n", count[p], what[p] }' | sort -rn >$out/hot.txt
head -n 5 $out/hot.txt

echo
echo "the bus, from its first access: context, direction, address, bytes, site, source"
$weft dump "$trace" --elf "$elf" --events bus >$out/bus.txt 2>/dev/null || true
head -n 12 $out/bus.txt
echo
echo "more: $weft info $trace; $weft dump $trace --elf $elf"
page=$PWD/$out/$(basename "$app" .c).html
$weft report --elf "$elf" "$trace" -o "$page" >$out/report.txt 2>&1 || status=$?
[ "${status:-0}" -eq 0 ] || [ "${status:-0}" -eq 3 ] || { cat $out/report.txt; exit "$status"; }
echo "the run as a page for a browser: $page"
