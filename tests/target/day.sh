#!/bin/bash
# SPDX-License-Identifier: MIT
# A profile that a device keeps and sends each day (port/cortex-m/weft_profile.h), with both deliveries: what was
# counted, what was lost where there is no room, and that weft merge takes it.
. tests/lib/check.sh
weft=$PWD/build/host/weft
bytes_max=16384

day() { # NAME MAKE...: $tmp/NAME.weft, of two days; $elf
    local name=$1
    shift
    elf=$tmp/$name.elf
    cp "$(make -s build-firmware APP=tests/target/programs/day.c PROBES=paths KSF=4 KSF_ONLY=1 "$@" \
        2>"$tmp/log" | tail -n 1)" "$elf"
    (cd "$tmp" && rm -f day.weft && $weft capture --trust --icount 3 "$elf" -o "$tmp/before.weft") >"$tmp/log" 2>&1
    verdict "$name: it runs to its end" $? -eq 0
    mv "$tmp/day.weft" "$tmp/$name.weft"
}

sum() { # FILE DAY [FUNCTION-AND-LINES]: paths that were counted
    $weft paths -k 1 --recording "$2" --elf "${1%.weft}.elf" "$1" 2>/dev/null |
        awk -F '\t' -v w="${3:-}" 'index($3, w) { s += $1 } END { print s + 0 }'
}

# Each call of step ends with one of its paths that come to its return.
calls() {
    $weft paths -k 1 --recording "$2" --elf "$elf" "$1" 2>/dev/null |
        awk -F '\t' '$3 ~ /^step/ && $3 ~ /29/ { s += $1 } END { print s + 0 }'
}

for delivery in direct ring; do
    day $delivery DELIVERY=$delivery
    verdict "$delivery: the first day's 100 calls" "$(calls "$tmp/$delivery.weft" 1)" = 100
    verdict "$delivery: the second day's 50 calls" "$(calls "$tmp/$delivery.weft" 2)" = 50
    verdict "$delivery: interrupts are counted" "$(sum "$tmp/$delivery.weft" 1 SysTick_Handler)" -gt 0
    verdict "$delivery: sequences, too" "$($weft paths -k 4 "$tmp/$delivery.weft" | wc -l)" -gt 30
    $weft merge --json --elf "$elf" "$tmp/$delivery.weft" -o "$tmp/$delivery.p" >"$tmp/$delivery.merged" 2>"$tmp/log"
    status=$?
    lost=$(sed 's/.*"lost":\([0-9]*\).*/\1/' "$tmp/$delivery.merged")
    verdict "$delivery: weft merge takes it, and says that $lost are lost" $status -eq $((lost ? 3 : 0))
done
# With ring delivery nothing is masked: an interrupt that comes while a path is counted loses its own.
verdict "direct: nothing is lost" "$(grep -c '"lost":0,' "$tmp/direct.merged")" = 1
verdict "ring: of interrupts alone" "$lost" -lt 100
# What info counts as recorded are the paths that the answers have, without those that the ring lost meanwhile.
recorded=$($weft info --json "$tmp/ring.weft" 2>"$tmp/log" | sed -n 's/.*"paths":{"recorded":\([0-9]*\),.*/\1/p')
verdict "ring: info counts as recorded what paths has" "$recorded" = \
    $(($(sum "$tmp/ring.weft" 1) + $(sum "$tmp/ring.weft" 2)))
# Two profiles in turn: what one counted is sent before the other goes on.
day two FLAGS=-DDAY_TWO VARIANT=two
verdict "two profiles in turn: the calls of each part" \
    "$(for i in 1 2 3 4; do calls "$tmp/two.weft" $i; done | xargs)" = "100 10 20 20"
# A call that waits while many profiles begin goes on in none of them.
day many FLAGS=-DDAY_MANY=199 VARIANT=many
verdict "200 profiles begin during a call: the calls of each part" \
    "$(for i in 1 2 3; do calls "$tmp/many.weft" $i; done | xargs)" = "100 10 40"
$weft merge --elf "$elf" "$tmp/many.weft" -o "$tmp/many.p" >"$tmp/log" 2>&1
verdict "and weft merge takes it, with nothing lost" $? -eq 0
verdict "both deliveries count the same calls and rounds" \
    "$(sum "$tmp/direct.weft" 1 step)" = "$(sum "$tmp/ring.weft" 1 step)"

# Room for a few sequences: those are exact, the rest is lost and counted.
all=$(($(sum "$tmp/direct.weft" 1 step) + $(sum "$tmp/direct.weft" 2 step)))
day small FLAGS=-DDAY_NODES=12 VARIANT=small
verdict "small: a day takes $(stat -c %s "$tmp/small.weft") bytes" "$(stat -c %s "$tmp/small.weft")" -lt $bytes_max
$weft merge --json --elf "$elf" "$tmp/small.weft" -o "$tmp/small.p" >"$tmp/merged" 2>"$tmp/log"
verdict "small: something is lost, so the status is 3" $? -eq 3
lost=$(sed 's/.*"lost":\([0-9]*\).*/\1/' "$tmp/merged")
counted=$(($(sum "$tmp/small.weft" 1) + $(sum "$tmp/small.weft" 2)))
verdict "small: $counted are counted, $lost are lost, of $all and those of main and interrupts" \
    "$lost" -gt 0 -a $counted -gt 0 -a $((counted + lost)) -gt "$all" -a $((counted + lost)) -lt $((all + 170))
expect "the forest of a ring goes without a control stream only" 2 '' \
    make -s build-firmware APP=tests/target/programs/day.c PROBES=paths KSF=4 DELIVERY=ring
