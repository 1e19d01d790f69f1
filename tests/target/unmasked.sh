#!/bin/bash
# SPDX-License-Identifier: MIT
# Probes in code without privilege and in the handler of NMI, which no mask holds back: with ring delivery nothing is
# wrong or lost in silence. With direct delivery that is not supported: the recording says so if its end is reached, as
# where no interrupt comes while a probe works (calm), and no reader ends with status 0.
. tests/lib/check.sh
weft=build/host/weft
for delivery in ring direct calm; do
    calm=
    [ $delivery != calm ] || calm=1
    elf=$(make -s build-firmware APP=tests/target/programs/unmasked SINK=uart DELIVERY=${delivery/calm/direct} \
        CALM=$calm PROBES=none | tail -n 1)
    timeout 5 qemu-system-arm -M mps2-an385 -display none -monitor none -serial "file:$tmp/$delivery.weft" \
        -icount shift=3 -semihosting-config enable=on,target=native -kernel "$elf" >"$tmp/$delivery.log" 2>&1
    sed 's/^/# /' "$tmp/$delivery.log"
    $weft dump "$tmp/$delivery.weft" >"$tmp/$delivery.events" 2>"$tmp/$delivery.err"
    echo $? >"$tmp/$delivery.status"
done
# Each context's paths follow one another, except at a gap.
order() {
    awk '$2 == "gap" { delete next_; gap = 1 }
         $2 == "path" { if (($1 in next_) ? $3 != next_[$1] : !gap && $3) wrong++; next_[$1] = $3 + 1; n++ }
         END { print n + 0, wrong + 0 }' "$1"
}
read -r paths wrong < <(order "$tmp/ring.events")
lost=$($weft info --json "$tmp/ring.weft" 2>/dev/null | grep -o '"lost":[0-9]*' | head -n 1)
made=$(sed -n 's/^unmasked: \([0-9]*\) in the thread, \([0-9]*\) in SysTick, \([0-9]*\) in NMI.*/\1 + \2 + \3/p' \
    "$tmp/ring.log")
verdict "all three contexts recorded" "$(cut -d' ' -f1 "$tmp/ring.events" | sort -u | tr '\n' ' ')" = "0 15 2 "
verdict "ring: no path is in the wrong place" "$wrong" -eq 0
verdict "ring: each path is recorded or counted" $((paths + ${lost#*:})) -eq $((made))
verdict "ring: a loss has status 3, and none has 0" "$(cat "$tmp/ring.status")" -eq $((${lost#*:} ? 3 : 0))
verdict "direct: the dump is not said to be right" "$(cat "$tmp/direct.status")" -eq 3
verdict "direct: it says why, if its end was reached" \
    "$(grep -c 'no end record\|without privilege.*use ring delivery' "$tmp/direct.err")" -ge 1
verdict "calm: neither is that one" "$(cat "$tmp/calm.status")" -eq 3
verdict "calm: it says why" "$(grep -c 'without privilege.*use ring delivery' "$tmp/calm.err")" -eq 1
verdict "ring: nothing of that kind is said" "$(grep -c 'without privilege' "$tmp/ring.err")" -eq 0
# A Cortex-M0 masks interrupts in an append, which NMI ignores. It has all of its code with privilege.
elf=$(make -s build-firmware BOARD=microbit APP=tests/target/programs/unmasked SINK=uart DELIVERY=ring PROBES=none |
    tail -n 1)
timeout 20 qemu-system-arm -M microbit -display none -monitor none -serial "file:$tmp/m0.weft" \
    -icount shift=3 -semihosting-config enable=on,target=native -kernel "$elf" >"$tmp/m0.log" 2>&1
sed 's/^/# /' "$tmp/m0.log"
$weft dump "$tmp/m0.weft" >"$tmp/m0.events" 2>"$tmp/m0.err"
status=$?
read -r paths wrong < <(order "$tmp/m0.events")
lost=$($weft info --json "$tmp/m0.weft" 2>/dev/null | grep -o '"lost":[0-9]*' | head -n 1)
made=$(sed -n 's/^unmasked: \([0-9]*\) in the thread, \([0-9]*\) in SysTick, \([0-9]*\) in NMI.*/\1 + \2 + \3/p' \
    "$tmp/m0.log")
verdict "ring on a Cortex-M0: no path is in the wrong place" "$wrong" -eq 0
verdict "ring on a Cortex-M0: each path is recorded or counted" $((paths + ${lost#*:})) -eq $((made))
verdict "ring on a Cortex-M0: a loss has status 3, and none has 0" $status -eq $((${lost#*:} ? 3 : 0))
verdict "ring on a Cortex-M0: NMI is no reason to doubt it" "$(grep -c 'without privilege' "$tmp/m0.err")" -eq 0
for command in info "paths -k 1" loops hot; do
    # shellcheck disable=SC2086
    $weft $command "$tmp/direct.weft" >/dev/null 2>&1
    verdict "direct: weft ${command%% *} ends with status 3" $? -eq 3
done
