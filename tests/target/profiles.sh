#!/bin/bash
# SPDX-License-Identifier: MIT
# Real runs: for each workload (the larger ones with WEFT_LONG), the k-iteration path forest and the grammar that the
# target made are those of the paths that the emulator saw at the probes of the same run; and so is what the host makes
# of the control stream. And that a path which is new to the forest masks interrupts for 100 instructions at most.
set -u
weft=build/host/weft
check=build/host/tests/target/profiles_check
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

verdict() { # NAME FILE FILE: they are equal, and not empty
    if [ -s "$2" ] && cmp "$2" "$3" >>"$out/log" 2>&1; then
        echo "ok $1"
    else
        tail -n 5 "$out/log" | sed 's/^/# /'
        echo "not ok $1"
    fi
}

run() { # APP K OPTION...
    local app=$1 k=$2
    shift 2
    local elf
    elf=$(make -s build-firmware APP="$app" PROBES=paths CODER=grammar KSF="$k" "$@" 2>>"$out/log" | tail -n 1)
    local time=
    # By the host's clock, a watched processor is so slow that interrupts leave it no time.
    case $app in interrupts | threads) time="--icount 3" ;; esac
    if ! timeout 300 $weft capture "$elf" $time -o "$out/t.weft" --watch "$out/watch" >"$out/log" 2>&1; then
        tail -n 5 "$out/log" | sed 's/^/# /'
        echo "not ok $app: captured"
        return
    fi
    $check ngrams "$k" "$out/watch" >"$out/plain"
    $weft paths -k "$k" "$out/t.weft" >"$out/profile" 2>>"$out/log"
    verdict "$app: the target's $k-IPF counts every sequence" "$out/plain" "$out/profile"
    $weft paths -k "$k" --from control --elf "$elf" "$out/t.weft" 2>>"$out/log" | cut -f 1,2 >"$out/control"
    verdict "$app: and so does the $k-IPF of its control stream" "$out/plain" "$out/control"
    local contexts one
    contexts=$($check contexts "$out/watch")
    for context in $contexts; do
        one=
        [ "$contexts" = 0 ] || one="--context $context"
        $check stream "$context" "$out/watch" >"$out/stream"
        $weft grammar --json --format u32 "$out/stream" >"$out/plain"
        $weft grammar --json $one "$out/t.weft" >"$out/joined" 2>>"$out/log"
        verdict "$app: its grammar segments join to the grammar of the whole stream, context $context" "$out/plain" "$out/joined"
        $weft grammar $one "$out/t.weft" 2>>"$out/log" | $weft grammar --expand --format u32 - >"$out/back"
        verdict "$app: which expands to the stream, context $context" "$out/stream" "$out/back"
    done
    rm -f "$out/watch"
}

masked() { # APP KSF_ONLY
    local elf most
    elf=$(make -s build-firmware APP="$1" PROBES=paths KSF=4 KSF_ONLY="$2" 2>>"$out/log" | tail -n 1)
    timeout 300 qemu-system-arm -M mps2-an385 -nographic -monitor none -serial null -kernel "$elf" -icount 5 \
        -semihosting-config "enable=on,target=native,arg=x,arg=weft-trace=$out/m.weft" \
        -plugin "file=build/host/weft_qemu.so,mode=count,out=$out/count" >>"$out/log" 2>&1
    most=$(awk '$1 == "masked" { print $2 }' "$out/count")
    [ "${most:-0}" -gt 0 ] && [ "$most" -le 100 ] || printf 'not '
    echo "ok $1, KSF_ONLY=$2: interrupts are masked for $most instructions at most"
}

# A profile only: the probe makes most of the forest. A handler works at the same nodes; nothing is written meanwhile.
shared() {
    local elf
    elf=$(make -s build-firmware APP=tests/target/programs/same_nodes.c PROBES=paths KSF=2 KSF_ONLY=1 2>>"$out/log" | tail -n 1)
    timeout 300 $weft capture "$elf" --icount 3 -o "$out/t.weft" --watch "$out/watch" >"$out/log" 2>&1 || echo "not ok captured"
    $check ngrams 2 "$out/watch" >"$out/plain"
    $weft paths -k 2 "$out/t.weft" >"$out/profile" 2>>"$out/log"
    verdict "a handler at the same nodes: the target's 2-IPF counts every sequence" "$out/plain" "$out/profile"
}

shared
masked kernels 0
[ -z "${WEFT_LONG:-}" ] || masked jpeg 0
[ -z "${WEFT_LONG:-}" ] || masked jpeg 1
[ -z "${WEFT_LONG:-}" ] || masked interrupts 0
masked interrupts 1
[ -z "${WEFT_LONG:-}" ] || run jpeg 4
run kernels 4
run kernels 3 MODE=span
run interrupts 2 $([ -n "${WEFT_LONG:-}" ] || echo VARIANT=short INTERRUPT_ITEMS=17)
if [ -z "${WEFT_QUICK:-}" ]; then
    [ -z "${WEFT_LONG:-}" ] || run kernels 12
    [ -z "${WEFT_LONG:-}" ] || run threads 3
    if [ -n "${WEFT_LONG:-}" ]; then
        run bzip2 2
        run lz4 5
        run zlib 3 OPT=-Os
        run lua 4
    fi
fi

# Source lines, and costs from the ELF: those of all paths together are about what the program executes without probes.
elf=$(make -s build-firmware APP=jpeg PROBES=paths KSF=2 | tail -n 1)
plain=$(make -s build-firmware APP=jpeg PROBES=none | tail -n 1)
$weft capture "$elf" -o "$out/t.weft" >"$out/log" 2>&1
$weft capture "$plain" --count "$out/count" >>"$out/log" 2>&1
cost=$($weft hot --min-cost 0 --min-length 1 --max-length 1 --elf "$elf" "$out/t.weft" | awk '{ sum += $1 } END { print sum + 0 }')
executed=$(awk '$1 == "total" { print $2 }' "$out/count")
if [ $((cost * 10)) -gt $((executed * 9)) ] && [ $((cost * 10)) -lt $((executed * 12)) ]; then
    echo "ok the paths of jpeg cost together about what it executes"
else
    echo "# $cost of $executed"
    echo "not ok the paths of jpeg cost together about what it executes"
fi
if $weft hot --json --min-cost 0 --min-length 1 --max-length 1 --elf "$elf" "$out/t.weft" 2>>"$out/log" | grep -q '"paths":[0-9]*,"bounded":[0-9]*,"estimated":0}'; then
    echo "ok and it is said of how many of them the cost is not exact"
else
    echo "not ok and it is said of how many of them the cost is not exact"
fi
if $weft paths -k 2 --elf "$elf" "$out/t.weft" | awk -F '\t' '$3 ~ /^stbi__idct_block stb_image.h:[0-9]/ { found++ } END { exit !found }'; then
    echo "ok the lines of a path come from the ELF"
else
    echo "not ok the lines of a path come from the ELF"
fi

without() { # FRAME: $out/u.weft is $out/t.weft without its frame of that number, or without the middle one
    python3 - "$out/t.weft" "$out/u.weft" "$1" <<'P'
import sys
frames = open(sys.argv[1], "rb").read().split(b"\0")
del frames[2 + int(sys.argv[3]) if sys.argv[3] != "middle" else len(frames) // 2]
open(sys.argv[2], "wb").write(b"\0".join(frames))
P
}

# The profile beside a control stream that lost a frame counted that one's paths, too.
without 1
$weft paths -k 2 --elf "$elf" "$out/t.weft" >"$out/whole" 2>>"$out/log"
$weft paths -k 2 --elf "$elf" "$out/u.weft" >"$out/answer" 2>"$out/said"
status=$?
[ $status = 3 ] && cmp -s "$out/whole" "$out/answer" &&
    grep -q 'from, counted \([1-9][0-9]*\) of \1 paths$' "$out/said" || printf 'not '
echo "ok a profile has what the control stream lost, and paths says so"

# So does a merge of it, which then has lost nothing. With the image it counts the stream, which has.
merged() { # RECORDING OPTION...: the status, paths and losses
    rm -f "$out/p"
    $weft merge --json "$@" -o "$out/p" >"$out/merged" 2>>"$out/log"
    echo $? "$(sed 's/.*"paths":\([0-9]*\),.*"lost":\([0-9]*\),"gaps":\([0-9]*\).*/\1 \2 \3/' "$out/merged")"
}
read -r _ events _ <<<"$(merged "$out/t.weft")"
[ "$(merged "$out/u.weft")" = "0 $events 0 0" ] || printf 'not '
echo "ok merge counts the $events paths of such a profile, and nothing is lost"
read -r status held lost gaps <<<"$(merged "$out/u.weft" --elf "$elf")"
[ "$status $((held + lost)) $gaps" = "3 $events 1" ] && [ "$lost" -gt 0 ] || printf 'not '
echo "ok merge with the image counts the stream, of which $lost paths are lost"

# Paths that stand in a profile alone are events, too.
elf=$(make -s build-firmware APP=interrupts PROBES=paths KSF=4 KSF_ONLY=1 | tail -n 1)
events=$($weft capture --icount 3 "$elf" -o "$out/t.weft" 2>>"$out/log" | sed -n 's/^\([0-9]*\) events, .*/\1/p')
told=$($weft info --json "$out/t.weft" 2>>"$out/log" | sed -n 's/.*"frames":[0-9]*,"events":\([0-9]*\),.*/\1/p')
[ "${events:-0}" -gt 1000 ] && [ "$events" = "$told" ] || printf 'not '
echo "ok capture and info say how many paths a profile has: $events"
# A frame in the middle that is missing: what info counts as recorded is what paths has; the rest is lost.
without middle
read -r held lost <<<"$($weft info --json "$out/u.weft" 2>>"$out/log" |
    sed 's/.*"paths":{"recorded":\([0-9]*\),"lost":\([0-9]*\)}.*/\1 \2/')"
answer=$($weft paths -k 1 "$out/u.weft" 2>>"$out/log" | awk '{ s += $1 } END { print s }')
[ "$held" = "$answer" ] && [ $((held + lost)) = "$events" ] && [ "$lost" -gt 0 ] || printf 'not '
echo "ok of a profile with a missing frame, info counts the $held paths that paths has, and $lost lost ones"
