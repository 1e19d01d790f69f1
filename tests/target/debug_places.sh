#!/bin/bash
# SPDX-License-Identifier: MIT
# Names in `monitor weft why`: locals and arguments of the function that executes now, and what a message says of names
# that are no place. What each holds follows from the source.
. tests/lib/check.sh
weft=build/host/weft

for level in -Og -O2; do
    cp "$(make -s build-firmware BOARD=mps2-an385 PROBES=none OPT=$level APP=tests/target/programs/arguments.c 2>"$tmp/make" |
        tail -n 1)" "$tmp/run.elf"
    $weft capture --full --icount 0 "$tmp/run.elf" -o "$tmp/run.weft" >/dev/null 2>&1 &&
        $weft wet build "$tmp/run.weft" --elf "$tmp/run.elf" -o "$tmp/run.wet" >/dev/null
    timeout 60 $weft debug "$tmp/run.wet" >"$tmp/said" 2>&1 <<'GDB'
break *put if $r0 == 5
continue
echo AT\n
weft why at
echo VALUE\n
weft why value
echo ELSEWHERE\n
weft why turns
weft why nosuch
weft why &table
weft why 0x40000004
echo FOLDED\n
delete
break *fold if $r0 == 6
continue
watch folded
continue
continue
weft why word
GDB
    after() { sed -n "/^(gdb) $1/{n;p;q}" "$tmp/said"; } # MARK: the line after it
    verdict "an_argument_is_what_the_caller_passed$level" "$(after AT | grep -c 'r0 = 5 .*main')" = 1
    # 3 * 5 + fold(5, 3): 5 -> 27 -> 136 -> 680
    verdict "so_is_the_second_one$level" "$(after VALUE | grep -c 'r1 = 695 .*main')" = 1
    verdict "a_local_of_another_function_is_not_known$level" "$(grep -c "^(gdb) 'turns' is not a variable" "$tmp/said")" = 1
    verdict "nor_is_a_name_that_nothing_has$level" "$(grep -c "^(gdb) 'nosuch' is not a variable" "$tmp/said")" = 1
    verdict "an_expression_is_named_whole$level" "$(grep -c "^(gdb) '&table' is not a variable" "$tmp/said")" = 1
    verdict "nothing_was_stored_at_a_register_of_a_timer$level" \
        "$(grep -c "^(gdb) nothing was stored at '0x40000004' before" "$tmp/said")" = 1
    # fold(6, 3): 32, then 161. At -O2 it is unrolled, and computes all before it stores: 805
    verdict "an_argument_that_changes_is_what_it_is_now$level" "$(tail -n 40 "$tmp/said" | grep -c 'r[0-9]* = \(161\|805\) .*fold')" -gt 0
done
# At -O2 GCC calls a copy, fold.constprop.0, which the user calls fold.
printf 'weft goto end\nweft calls fold\nweft why fold@call#9\n' | timeout 60 $weft debug "$tmp/run.wet" >"$tmp/said" 2>&1
verdict a_copy_of_a_function_has_its_name "$(grep -c '^(gdb) 8 calls' "$tmp/said")" = 1 -a \
    "$(grep -c '^(gdb) there are 8 instances, not 9' "$tmp/said")" = 1
verdict of_wet_values_too "$($weft wet values "$tmp/run.wet" --elf "$tmp/run.elf" --at fold@call | grep -c '"function":"fold.constprop.0"')" = 8
cp "$(make -s build-firmware BOARD=mps2-an385 PROBES=values OPT=-O2 APP=tests/target/programs/arguments.c 2>"$tmp/make" |
    tail -n 1)" "$tmp/probes.elf"
$weft capture "$tmp/probes.elf" -o "$tmp/probes.weft" >/dev/null 2>&1
copy=$(nm "$tmp/probes.elf" | grep -c ' fold\.constprop\.0$')
printf 'weft goto end\nweft calls fold\n' | timeout 60 $weft debug "$tmp/probes.weft" >"$tmp/said" 2>&1
verdict nor_do_probes_know_it_by_another "$copy" = 1 -a "$(grep -c '^8 calls' "$tmp/said")" = 1
