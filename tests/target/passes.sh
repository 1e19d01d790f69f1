#!/bin/bash
# SPDX-License-Identifier: MIT
# Loops of one path record their passes where they end, and one record may hold several paths. What a thread records
# is then what it records path by path (EXACT=1); what an interrupt of such a loop records comes before them, and
# exactly in its place with EXACT=1. WEFT_LONG: at each level, with each coder and sink, and packs of larger programs.
. tests/lib/check.sh
weft=build/host/weft

# record NAME MAKE...: $tmp/NAME.thread, $tmp/NAME.all
record() {
    local name=$1 elf
    shift
    elf=$(make -s build-firmware APP=tests/target/programs/passes.c PROBES=paths "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture "$elf" -o "$tmp/$name.weft" >"$tmp/$name.result" 2>"$tmp/$name.printed" || cat "$tmp/log" "$tmp/$name.printed"
    # Without times, and without the numbers of paths, of which packed functions have one more. Their blocks stay.
    $weft dump --elf "$elf" "$tmp/$name.weft" | grep -v '^[0-9]* context ' |
        sed -E 's/^([0-9]+ path) [0-9]+ /\1 /' >"$tmp/$name.all"
    grep '^0 ' "$tmp/$name.all" >"$tmp/$name.thread"
    [ $name != counted -a $name != exact -a $name != packed ] ||
        $weft info --json --elf "$elf" "$tmp/$name.weft" >"$tmp/$name.info"
    [ $name = packed ] || return
    # What the capture adds of packs is enough to read the paths without the image.
    $weft dump "$tmp/$name.weft" 2>/dev/null | grep ' path ' >"$tmp/$name.alone"
    $weft dump --elf "$elf" --events control "$tmp/$name.weft" | grep ' path ' | cut -d ' ' -f 1-3 >"$tmp/$name.with"
}

size=FLAGS=-DSHORT many=15000
[ -z "${WEFT_LONG:-}" ] || size=PACK=0 many=400000
record exact EXACT=1 $size
record counted PACK=0 $size
verdict "all $(wc -l <"$tmp/exact.thread") lines of the thread are the same" \
    "$(wc -l <"$tmp/exact.thread")" -gt $many -a "$(cmp "$tmp/exact.thread" "$tmp/counted.thread" && echo same)" = same
verdict 'all events are' "$(sort "$tmp/exact.all" | cksum)" = "$(sort "$tmp/counted.all" | cksum)"
# The least text: a call for each path, as with EXACT=1. What is recorded is the same as with packs, but for where their
# paths end.
record sized INLINE=size FLAGS=-DSHORT
record packed INLINE=speed FLAGS=-DSHORT
blocks() { grep -v ' path ' "$tmp/$1.thread" | cksum; }
verdict 'INLINE=size records what EXACT=1 does, and the blocks of INLINE=speed' "$(blocks sized)" = "$(blocks packed)" -a \
    "$([ -n "${WEFT_LONG:-}" ] || cmp "$tmp/sized.all" "$tmp/exact.all")" = ''
text() { arm-none-eabi-size -A "$(make -s build-firmware APP=tests/target/programs/passes.c PROBES=paths FLAGS=-DSHORT "$@" | tail -n 1)" |
    awk '$1 == ".text" { print $2 }'; }
verdict 'and takes less text' "$(text INLINE=size)" -lt "$(text INLINE=speed)"
# passes NAME: of the interrupted loop, before the handler began
passes() { awk '$1 == 14 { exit } $2 == "path" && $3 ~ "^interrupted" { n++ } END { print n + 0 }' "$tmp/$1.all"; }
verdict "an interrupt stands in its pass with EXACT=1, and before the passes without" \
    "$(passes exact) $(passes counted)" = "30 0"
verdict 'info says so' "$(grep -o '"loops":"[a-z]*"' "$tmp/exact.info" "$tmp/counted.info" -h | tr '\n' ' ')" = \
    '"loops":"exact" "loops":"counted" '
ways=("-Os BOARD=microbit CODER=loops")
[ -z "${WEFT_LONG:-}" ] || ways+=("-O3" "-O0" "-O2 DELIVERY=ring SINK=uart" "-Os"
    "-O2 CODER=loops" "-O2 CODER=grammar" "-O2 BOARD=microbit")
for way in "${ways[@]}"; do
    record one FLAGS=-DSHORT EXACT=1 OPT=$way
    record other FLAGS=-DSHORT PACK=0 OPT=$way
    verdict "$way: the same" "$(wc -l <"$tmp/one.thread")" -gt 15000 -a \
        "$(cmp "$tmp/one.thread" "$tmp/other.thread" && echo same)" = same
done

# Paths of packs end elsewhere, too; the blocks are the same, and records are fewer.
packs() { # NAME MAKE...
    record one "${@:2}" EXACT=1
    record packed PACK=1 "${@:2}"
    verdict "$1, several in a record: the same" "$(blocks packed)" = "$(blocks one)"
    verdict "$1: and without the image" "$(cmp "$tmp/packed.alone" "$tmp/packed.with" && wc -l <"$tmp/packed.alone")" -gt 1000
    verdict "$1: and few records hold them all" "$(grep -o '"packed":{"records":[0-9]*,"paths":[0-9]*' "$tmp/packed.info" |
        tr -c '0-9\n' ' ' | awk '{ print ($1 * 2 < $2) }')" = 1
}
[ -z "${WEFT_LONG:-}" ] || packs 'jpeg -O2, as ever' APP=jpeg PACK=auto
packs 'kernels -Os, by ring' APP=kernels OPT=-Os DELIVERY=ring SINK=uart
if [ -n "${WEFT_LONG:-}" ]; then
    packs 'kernels, with loops' APP=kernels CODER=loops
    packs 'kernels -O0' APP=kernels OPT=-O0
    packs 'kernels on a microbit' APP=kernels BOARD=microbit
fi

# With memory, a handler's events stand among the accesses of a pack's paths. After a gap, all that is told is what the
# whole recording tells: each context's lines but the first few of an interrupted path, whose start was lost.
elf=$(make -s build-firmware APP=interrupts PROBES=mem DERIVE=path PACK=1 2>"$tmp/log" | tail -n 1)
$weft capture "$elf" -o "$tmp/all.weft" --icount 5 >"$tmp/result" 2>"$tmp/printed"
python3 - "$weft" "$elf" "$tmp/all.weft" "$tmp/part.weft" >"$tmp/parts" 2>&1 <<'END'
import subprocess, sys
weft, elf, whole, part = sys.argv[1:]
frames = open(whole, "rb").read().split(b"\0")

def events(file): # by context, and the exit status
    done = subprocess.run([weft, "dump", "--elf", elf, file], capture_output=True, text=True)
    lines = {}
    for line in done.stdout.splitlines():
        if line.split()[1] in ("load", "store", "path"):
            lines.setdefault(line.split()[0], []).append(line)
    return done.returncode, lines

status, told = events(whole)
good = status == 0 and sum(map(len, told.values())) > 100000
large = [i for i, frame in enumerate(frames) if len(frame) > 500]
for lost in large[1:-1][::len(large) // 4]:
    open(part, "wb").write(b"\0".join(frames[:lost] + frames[lost + 1:]))
    status, left = events(part)
    good &= status == 3
    for context, lines in left.items():
        known = told[context]
        before = next((i for i in range(len(lines)) if lines[i] != known[i]), len(lines))
        after = next((i for i in range(len(lines) - before) if lines[-1 - i] != known[-1 - i]), len(lines) - before)
        unsure = lines[before:len(lines) - after]
        # A pack's paths of which some have their accesses in the lost frame: they are those of the whole, without.
        paths = [line for line in unsure if line.split()[1] == "path"]
        there = [line for line in known[:len(known) - after] if line.split()[1] == "path"]
        good &= not paths or there[-len(paths):] == paths
        # Of the others, those that need no record are told where they stand in the whole.
        whole_rest = iter(known[before:len(known) - after])
        good &= all(line in whole_rest for line in unsure if "unknown" not in line)
        good &= sum("unknown" in line for line in unsure) < 4
        if unsure:
            print(lost, context, unsure)
print(good)
END
verdict 'packs with memory: after a gap all is as it was' "$(tail -n 1 "$tmp/parts")" = True
