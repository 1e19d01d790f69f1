#!/bin/bash
# SPDX-License-Identifier: MIT
# weft race: all of 80 planted races are found (two seeds, two ways to compile; WEFT_LONG: four) in full recordings and
# in those with probes, and none in protected variants or in the workloads; threads with locks. WEFT_LONG: each program
# in both kinds of recording at both levels; else the full one at -O2 and that with probes at -O0.
. tests/lib/check.sh
weft=build/host/weft

record() { # MAKE...: $elf and $tmp/full.weft
    elf=$(make -s build-firmware PROBES=none "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture --full --icount 5 "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
}

probed() { # MAKE...: $elf and $tmp/probes.weft
    elf=$(make -s build-firmware PROBES=mem "$@" 2>"$tmp/log" | tail -n 1)
    $weft capture --icount 5 "$elf" -o "$tmp/probes.weft" >"$tmp/log" 2>&1
}

compared() { # NAME RECORDING
    $weft race --json --elf "$elf" "$2" >"$tmp/races.json" 2>"$tmp/log"
    local status=$?
    python3 tests/target/inspect/races.py --compare "$tmp/expected" "$tmp/races.json" >"$tmp/result"
    sed 's/^/# /' "$tmp/result"
    verdict "$1: all races are found, and none that is not one" \
        "$status $(cat "$tmp/result")" = "0 found 80 of 80, wrong 0 of 65"
}

planted() { # SEED MAKE...
    local seed=$1
    shift
    mkdir -p "$tmp/$seed"
    python3 tests/target/inspect/races.py "$seed" 80 "$tmp/$seed/races.c" "$tmp/expected"
    if in_long || [ "$seed" = 4 ]; then
        record "APP=$tmp/$seed/races.c" "$@"
        compared "seed $seed $*" "$tmp/full.weft"
    fi
    if in_long || [ "$seed" = 2 ]; then
        probed "APP=$tmp/$seed/races.c" "$@"
        compared "seed $seed $* with probes" "$tmp/probes.weft"
    fi
    rm -rf "$(dirname "$(dirname "$elf")")"
}

planted 2 OPT=-O0
[ -z "${WEFT_LONG:-}" ] || planted 1
[ -z "${WEFT_LONG:-}" ] || planted 3 OPT=-Os
planted 4 BOARD=mps2-an386 # moves 64 bits by one load of a double

for app in interrupts threads ${WEFT_LONG:+thermostat}; do
    # The same words as tests/target/irq.sh and stack.sh have.
    [ $app = threads ] || in_long || app='interrupts VARIANT=short INTERRUPT_ITEMS=17'
    record APP=$app
    expect "${app%% *}: no race" 0 '.*0 races; [0-9]* bytes.*' $weft race --elf "$elf" "$tmp/full.weft"
    probed APP=$app
    $weft race --elf "$elf" "$tmp/probes.weft" >"$tmp/out" 2>/dev/null
    verdict "${app%% *} with probes: no race" "$(sed 's/;.*//' "$tmp/out")" = "0 races"
done

# Hundreds of threads that live for a short time, each a context of its own.
# The status, races by kind and object where there are thousands of each, those of `plain`, threads.
counted() { # RECORDING
    $weft race --json --elf "$elf" "$1" >"$tmp/races.json" 2>"$tmp/log"
    echo $? "$(python3 - "$tmp/races.json" <<'P'
import collections, json, sys
races = json.load(open(sys.argv[1]))["races"]
count = collections.Counter((r["kind"], r["object"]) for r in races)
print(*(f"{kind} of {name}," if n > 22000 else f"{n}" for (kind, name), n in sorted(count.items())),
      count["lost update", "plain"], len({r["over"] for r in races}))
P
    )"
}
# Each of 300 threads with each other. (Of `pair` some are not known: a thread that is stopped between its last two
# stores does not store both in one turn.)
all="0 lost update of plain, torn read of pair, torn write of copy, torn write of pair, 89700 300"
groups() { # COUNT: five, or one more where the compiler has an instruction of the five in two copies
    case $1 in 5 | 6) echo few ;; *) echo "$1" ;; esac
}
record APP=tests/target/inspect/crowd.c VARIANT=crowd
verdict "300 threads: each pair races, where nothing protects, and nowhere else" "$(counted "$tmp/full.weft")" = "$all"
verdict "and the lines say so once for all" \
    "$(groups "$($weft race --elf "$elf" "$tmp/full.weft" | grep -c ' [0-9]* pairs of threads have')")" = few
probed APP=tests/target/inspect/crowd.c VARIANT=crowd
verdict "300 threads with probes: likewise" "$(counted "$tmp/probes.weft")" = "$all"
verdict "and the lines, which know of each thread only its number" \
    "$(groups "$($weft race --elf "$elf" "$tmp/probes.weft" | grep -c 'pairs of threads are alike')")" = few
verdict "which take only memory that is theirs" "$(groups "$(build/${WEFT_BUILD:-asan}/weft race --elf "$elf" \
    "$tmp/probes.weft" 2>&1 | grep -c 'pairs of threads are alike')")" = few
record APP=tests/target/inspect/crowd.c VARIANT=crowd1500 "APP_CFLAGS=-DCROWD=1500 -DPROTECTED"
used=$(python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)' $weft race --elf "$elf" "$tmp/full.weft")
echo "# 1500 threads: status and MiB: $used"
verdict "1500 threads: 11 KB each" "${used% *}" = 0 -a "${used#* }" -lt 40
expect "1500 protected threads: no race" 0 '.*0 races;.*' $weft race --elf "$elf" "$tmp/full.weft"

names() { # RECORDING OPTION...
    local recording=$1
    shift
    $weft race --json "$@" --elf "$elf" "$recording" | grep -o '"object":"[^"]*"' |
        cut -d '"' -f 4 | LC_ALL=C sort -u | xargs
}
probed APP=tests/target/inspect/sharing.c
verdict "threads with probes: masks, exclusive stores and known locks protect" "$(names "$tmp/probes.weft")" = \
    "bare locked one_sided plain refused signalled unswitched"
verdict "threads with probes: --lock names others" "$(names "$tmp/probes.weft" --lock take_lock:give_lock)" = \
    "bare one_sided plain refused signalled unswitched"
record APP=tests/target/inspect/sharing.c
verdict "threads: masks, exclusive stores and known locks protect" "$(names "$tmp/full.weft")" = \
    "bare locked one_sided plain refused signalled"
verdict "threads: --lock names others" "$(names "$tmp/full.weft" --lock take_lock:give_lock)" = \
    "bare one_sided plain refused signalled"
expect "one interleaving" 0 \
    '.*lost update of plain.*thread 51[23] (thread) loads it  thread sharing.c:[0-9]*.*stores it.*stores it.*' \
    $weft race --elf "$elf" "$tmp/full.weft"
pairs() { # FILE: lines for `plain`, what follows, and the races of it in --json
    grep -c 'of plain ' "$1"
    grep -A 4 'of plain ' "$1" | tail -n 1
    $weft race --json --elf "$elf" "$tmp/full.weft" | grep -o '"object":"plain"' | wc -l
}
$weft race --elf "$elf" "$tmp/full.weft" >"$tmp/out" 2>"$tmp/log"
verdict "threads of one name are one race, with their number; --json lists each pair" "$(pairs "$tmp/out" | xargs)" = \
    "1 2 pairs of threads have these names: 2 are interrupted, 2 come in between 2"
expect "a lock that is not in the image: the command line is wrong" 2 '' \
    $weft race --lock no:such --elf "$elf" "$tmp/full.weft"
expect "a lock without its other half: the command line is wrong" 2 '' \
    $weft race --lock take_lock --elf "$elf" "$tmp/full.weft"
head -c $(($(stat -c %s "$tmp/full.weft") - 30)) "$tmp/full.weft" >"$tmp/cut.weft"
expect "a cut full recording: done, with a gap" 3 '.*races.*' $weft race --elf "$elf" "$tmp/cut.weft"

exactly() { # NAME OBJECTS: the races of tests/target/inspect/NAME.c
    local opt
    for opt in -O2 -O0; do
        if in_long || [ $opt = -O2 ]; then
            record "APP=tests/target/inspect/$1.c" OPT=$opt
            verdict "$1 $opt: what is not protected, and nothing else" "$(names "$tmp/full.weft")" = "$2"
        fi
        in_long || [ $opt = -O0 ] || continue
        probed "APP=tests/target/inspect/$1.c" OPT=$opt
        verdict "$1 $opt: likewise with probes, and each access belongs to an instruction" \
            "$(names "$tmp/probes.weft" 2>"$tmp/log"; grep -o 'belong to no instruction' "$tmp/log")" = "$2"
    done
}
exactly protections "lost_basepri_too_weak lost_bits lost_count lost_handlers lost_ticks lost_wide"
later="lost_after_handler lost_after_nested lost_conditional lost_enabled_early"
exactly more_protections "$later lost_lowered lost_moved_back lost_no_exclusive lost_one_side"
kinds="lost_assigned lost_bits lost_cell lost_cleared lost_copied lost_element[1] lost_in_svc lost_raised"
exactly shared_kinds "$kinds lost_short lost_wide_store"
shapes="lost_early lost_events lost_half_exclusive lost_low lost_nested lost_priority lost_ring.count lost_sample"
exactly user_shapes "$shapes lost_time lost_toggle lost_uart"
exactly user_protocols "lost_mail lost_overrun lost_request lost_reset lost_reset_full lost_unasked"
asked="lost_asked lost_asked_deep"
exactly kernel_shapes "$asked lost_checked lost_deep lost_kept lost_reread lost_saved lost_seen_first lost_sent lost_taken"
for opt in -O2 -O0; do
    if in_long || [ $opt = -O2 ]; then
        record APP=tests/target/inspect/suspended.c OPT=$opt
        verdict "suspended $opt: what a word of main keeps a handler from, and nothing else" \
            "$(names "$tmp/full.weft")" = "lost_late lost_listed lost_lowered lost_not_seen lost_other lost_pair"
    fi
    in_long || [ $opt = -O0 ] || continue
    probed APP=tests/target/inspect/suspended.c OPT=$opt PROBES=values
    verdict "suspended $opt: likewise with probes and values" \
        "$(names "$tmp/probes.weft")" = "lost_late lost_listed lost_lowered lost_not_seen lost_other lost_pair"
done

probed APP=tests/target/inspect/untold.c
expect "a mask that the recording does not tell: status 3" 3 '{.*' $weft race --json --elf "$elf" "$tmp/probes.weft"
$weft race --elf "$elf" "$tmp/probes.weft" 2>&1 >/dev/null | grep 'not known' >"$tmp/unknown"
verdict "the message says what is not reported, and how often, and nothing of requests" \
    "$(sed 's/.*not known: \(.*\), BASEPRI.*/\1/' "$tmp/unknown")" = '1 values written to PRIMASK'
probed APP=tests/target/inspect/untold.c PROBES=values
expect "with values it is reported, and protects" 0 '.*0 races.*' $weft race --elf "$elf" "$tmp/probes.weft"
probed APP=kernels
expect "one context alone: nothing could race, whatever is not known of its instructions" 0 \
    '.*"races":\[\],"kernel":0,"unknown":0.*' $weft race --json --elf "$elf" "$tmp/probes.weft"
probed APP=tests/target/inspect/untold.c PROBES=paths
expect "without accesses: the input is bad" 1 '' $weft race --elf "$elf" "$tmp/probes.weft"

# What happens within a kernel's own code is counted, not listed.
record APP=tests/target/programs/kernel_race
verdict "the program's own race is listed" "$(names "$tmp/full.weft")" = shared
verdict "and the kernel's with --kernel" "$(names "$tmp/full.weft" --kernel)" = "ready shared"
verdict "which is counted otherwise" "$($weft race --elf "$elf" "$tmp/full.weft" 2>/dev/null | tail -n 1)" = \
    "1 more within the kernel's own code: --kernel shows them"
