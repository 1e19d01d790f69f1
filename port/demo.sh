#!/bin/bash
# SPDX-License-Identifier: MIT
# `make run`: builds a workload with probes, runs it on a Cortex-M3 in the emulator, and prints what happened on one
# screen, with what to do next. BOARD, APP, OPT, PROBES and the other variables of `make firmware` are passed on.
set -eu
board=${BOARD:-mps2-an385}
app=${APP:-jpeg}
name=$(basename "$app")
name=${name%.*}
name=${name:-app}
weft=build/host/weft
out=build/demo
trace=$out/$name.weft
mkdir -p $out

now() { # what is done at the moment; the next line takes its place on a terminal
    if [ -t 2 ]; then printf '\r\033[K%s' "$1" >&2; fi
}

# The variables that this make was called with reach the next one by themselves. The decoder samples a sensor meanwhile.
export JPEG_TICKS=1
quiet=-s
[ "${V:-0}" != 1 ] || quiet=--no-print-directory
built() {
    make $quiet build-firmware BOARD="$board" APP="$app" VARIANT="${VARIANT:-demo}" "$@" | tail -n 1
}
now "building $name for $board ..."
elf=$(built)
plain=$(built PROBES=none)
# NAME.elf beside NAME.weft is found without --elf.
cp "$elf" "$out/$name.elf"

now "running $name on $board ..."
# Instructions as the clock: interrupts come at the same places each time.
$weft capture "$out/$name.elf" -o "$trace" --icount 4 --json >$out/capture.json 2>$out/capture.log || status=$?
now ''
[ "${status:-0}" -eq 0 ] || [ "${status:-0}" -eq 3 ] || { cat $out/capture.log >&2; exit "$status"; }

footprint=$(port/footprint.sh "$elf" "$plain")
part() {
    sed -n "s/^$1 //p" <<<"$footprint"
}
sed 's/^/it says: /' $out/capture.log
echo "Weft in it: $(part ram) bytes of RAM, $(part flash) of flash, and $(part probes) for calls of probes"
$weft overview "$trace" || status=$?
[ "${status:-0}" -eq 0 ] || [ "${status:-0}" -eq 3 ] || exit "$status"
now "writing $out/$name.html ..."
$weft report "$trace" -o "$out/$name.html" >$out/report.txt 2>&1 || status=$?
now ''
[ "${status:-0}" -eq 0 ] || [ "${status:-0}" -eq 3 ] || { cat $out/report.txt >&2; exit "$status"; }
cat <<END

NEXT ($out/$name.html is the run as a page for a browser)
  $weft hot $trace                   # what repeats
  $weft model $trace --function main  # what it walks
  $weft dump $trace | head -n 30     # each event
  make run APP=interrupts                                   # or your folder
END
