#!/bin/bash
# SPDX-License-Identifier: MIT
# An RTOS reports to the recorder which thread runs: each thread is a context of its own. The two threads of the
# workload do the same work, pre-empted at different places, so the paths of both must be the same sequence. `make
# test-long` does that on a Cortex-M3, too.
set -u
weft=build/host/weft
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
builds=("mps3-an547 -O2 direct" "microbit -O2 direct")
[ -z "${WEFT_LONG:-}" ] || builds+=("mps2-an385 -O0 direct" "mps2-an385 -O2 direct")
for build in "${builds[@]}"; do
    set -- $build
    elf=$(make -s build-firmware BOARD="$1" APP=threads PROBES=mem OPT="$2" DELIVERY="$3" | tail -n 1)
    $weft capture --icount 5 "$elf" -o "$out/threads.weft" >"$out/log" 2>&1
    $weft dump "$out/threads.weft" --elf "$elf" 2>>"$out/log" >"$out/dump"
    for thread in 512 513; do
        awk -v thread=$thread '$1 == thread && ($2 == "path" || $2 == "entry")' "$out/dump" | cut -d ' ' -f 2- >"$out/$thread"
    done
    # At the end the threads idle, one longer than the other.
    same=$(cat "$out/512" "$out/513" | wc -l)
    same=$((same / 2 - 100))
    switches=$(awk '$2 == "context" && $1 >= 512' "$out/dump" | wc -l)
    if [ "$switches" -ge 4 ] && [ $same -gt 1000 ] &&
        cmp <(head -n $same "$out/512") <(head -n $same "$out/513") >>"$out/log" 2>&1; then
        echo "ok $1 $2 $3: both threads show the same paths, through $switches switches"
    else
        tail -n 5 "$out/log" | sed 's/^/# /'
        echo "not ok $1 $2 $3: both threads show the same paths, through $switches switches"
    fi
done

# Without probes the threads have no names: every command calls them by the function that they begin in.
elf=$(make -s build-firmware BOARD=mps2-an385 APP=threads PROBES=none OPT=-O2 | tail -n 1)
full=$out/full.weft
$weft capture --full --icount 5 "$elf" -o "$full" >"$out/log" 2>&1
# While they sleep, only the emulator's clock goes on.
$weft capture --full --icount 5 "$elf" -o "$out/again.weft" >>"$out/log" 2>&1
if cmp "$full" "$out/again.weft" >>"$out/log" 2>&1; then
    echo "ok with --icount a run whose threads sleep repeats exactly"
else
    tail -n 5 "$out/log" | sed 's/^/# /'
    echo "not ok with --icount a run whose threads sleep repeats exactly"
fi
names() { grep -ao 'thread 51[0-9] ([a-z_]*)' "$@" | sort -u | tr '\n' ' '; }
wrong=
for command in stack irq "functions --tree"; do
    $weft $command --json "$full" --elf "$elf" >"$out/json" 2>>"$out/log"
    [ "$(names "$out/json")" = "thread 512 (thread) thread 513 (thread) " ] || wrong="$wrong $command"
done
for format in perfetto folded ctf; do
    $weft export --as $format "$full" --elf "$elf" -o "$out/$format" >>"$out/log" 2>&1
    [ "$(names -rh "$out/$format")" = "thread 512 (thread) thread 513 (thread) " ] || wrong="$wrong $format"
done
of_513=$($weft functions --json "$full" --elf "$elf" --context 513 2>>"$out/log")
for name in "thread 513 (thread)" "thread 513"; do
    [ "$($weft functions --json "$full" --elf "$elf" --context "$name" 2>>"$out/log")" = "$of_513" ] || wrong="$wrong '$name'"
done
for name in "thread 513 (nothing)" "thread 511" "thread 513 (thread" "thread 513 ()"; do
    $weft functions --json "$full" --elf "$elf" --context "$name" >/dev/null 2>>"$out/log" && wrong="$wrong '$name'"
done
[ -z "$wrong" ] && echo "ok every command calls a thread by the function that it begins in" || {
    tail -n 5 "$out/log" | sed 's/^/# /'
    echo "not ok every command calls a thread by the function that it begins in: not$wrong"
}

# A name that is too long is cut after a whole character, and its bracket is closed.
long=größe_größe_größe_größe_größe_größe_größe_größe_größe_größe_größe_größe
wrong=
for begin in "" x xx; do
    arm-none-eabi-objcopy --redefine-sym thread=$begin$long "$elf" "$out/long.elf" 2>>"$out/log"
    $weft stack --json "$full" --elf "$out/long.elf" >"$out/json" 2>>"$out/log"
    python3 - "$out/json" "$begin$long" <<'END' >>"$out/log" 2>&1 || wrong="$wrong '$begin'"
import json, re, sys
names = [s["name"] for s in json.load(open(sys.argv[1], encoding="utf-8"))["stacks"] if s["context"] >= 512]
cut = [re.fullmatch(r"thread 51[23] \((.{50,})\)", name) for name in names]
sys.exit(0 if len(names) == 2 and all(c and sys.argv[2].startswith(c[1]) for c in cut) else str(names))
END
done
[ -z "$wrong" ] && echo "ok a long name is cut after a whole character" || {
    tail -n 5 "$out/log" | sed 's/^/# /'
    echo "not ok a long name is cut after a whole character: not after$wrong"
}
