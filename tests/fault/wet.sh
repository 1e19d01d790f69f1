#!/bin/bash
# SPDX-License-Identifier: MIT
# weft wet with files that are not traces, cut or damaged: a message and a status, never a crash. `make test` has fewer
# cuts and flips than `make test-long`, and the sanitizers see one of each pair of runs that differ in the recording.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft
plain=$weft
in_long || plain=build/host/weft

head -c 5000 tests/run >"$tmp/noise"
: >"$tmp/empty"
expect wet_query_of_noise 1 '' $weft wet control "$tmp/noise"
expect wet_query_of_nothing 1 '' $weft wet control "$tmp/empty"
expect wet_query_of_no_file 1 '' $weft wet why "$tmp/absent" --at main
expect wet_build_of_noise 1 '' $weft wet build "$tmp/noise" --elf "$tmp/noise" -o "$tmp/x"
expect wet_without_query 2 '' $weft wet
expect wet_unknown_query 2 '' $weft wet dance "$tmp/noise"
expect wet_values_want_a_place 2 '' $weft wet values "$tmp/noise"
expect wet_bad_number 2 '' $weft wet control "$tmp/noise" --from soon

# A recording and its trace, small: kept in the repository so that no emulator is needed here.
full=tests/fault/wet/small.weft elf=tests/fault/wet/small.elf
expect wet_build 0 '.*"statements":[0-9]*,"bytes":[0-9]*.*' $weft wet build $full --elf $elf -o "$tmp/x.wet" --json
expect wet_place_that_is_not_there 1 '' $weft wet values "$tmp/x.wet" --at nowhere
expect wet_instance_that_is_not_there 1 '' $weft wet slice "$tmp/x.wet" --at result#77
expect wet_value_of_an_instance_that_is_not_there 1 '' $weft wet values "$tmp/x.wet" --at result#77
expect wet_instance_below_none 1 '' $weft wet values "$tmp/x.wet" --at result#-1
expect wet_value 0 '.*"n":1,.*' $weft wet values "$tmp/x.wet" --at result
expect wet_address 0 '.*"object":"result".*' $weft wet addresses "$tmp/x.wet" --at result
# An option of another query is not passed over.
for query in 'control --at main' 'values --at result --from 3' 'addresses --at result --to 3' 'slice --at result --depth 1' \
    'why --at result --forward' 'misses --model stm32f4 --backward' 'misses --model stm32f4 --each --top 2'; do
    # shellcheck disable=SC2086 # words
    expect "wet_${query// /_}_is_refused" 2 '' $weft wet ${query%% *} "$tmp/x.wet" ${query#* }
done
expect dump_of_instructions_goes_forward_only 2 '' $weft dump $full --elf $elf --last 3
for command in values addresses; do
    expect wet_${command}_of_an_address_that_has_none 1 '' $weft wet $command "$tmp/x.wet" --at 0
done
same() { # NAME PLACE PLACE
    verdict "$1" "$($weft wet values "$tmp/x.wet" --at "$2" 2>&1 | cksum)" = \
        "$($weft wet values "$tmp/x.wet" --at "$3" 2>&1 | cksum)"
}
first=$($weft wet values "$tmp/x.wet" --at result | grep -om1 '"address":[0-9]*' | tr -dc 0-9)
expect wet_an_address 0 '.*"n":1,.*' $weft wet values "$tmp/x.wet" --at "$first"
same wet_an_address_with_a_zero_in_front_is_decimal "0$first" "$first"
same wet_an_address_may_be_hexadecimal "$(printf '0x%x' "$first")" "$first"
for place in "+$first" " $first" "$first " 'result+ 0' 'result# 1'; do
    expect "wet_no_place_is:$place" 1 '' $weft wet values "$tmp/x.wet" --at "$place"
done
expect wet_table_of_an_address_that_has_none 1 '' $weft wet values "$tmp/x.wet" --at 0 --table
expect wet_table_of_an_instance_that_is_not_there 1 '' $weft wet values "$tmp/x.wet" --at result#77 --table
verdict wet_table_of_one_instance "$($weft wet values "$tmp/x.wet" --at result#1 --table | wc -l)" -eq 2
expect wet_slice 0 '{"statements":[0-9]*,"instances":[0-9]*,"lines":.*' $weft wet slice "$tmp/x.wet" --at result --json
expect wet_slice_forward 0 'forward slice: .*' $weft wet slice "$tmp/x.wet" --at main --forward
expect wet_why 0 '.*result = .*' $weft wet why "$tmp/x.wet" --at result
verdict wet_control_mirror "$($plain wet control "$tmp/x.wet" | tac | cmp - <($plain wet control "$tmp/x.wet" --backward) && echo same)" = same

# The same program, except for one instruction of main.
main=$(arm-none-eabi-nm $elf | sed -n 's/^\([0-9a-f]*\) T main$/\1/p')
text=($(arm-none-eabi-readelf -lW $elf | awk '$1 == "LOAD" { print $2, $3; exit }'))
cp $elf "$tmp/other.elf"
printf '\xc0\x46' | dd of="$tmp/other.elf" bs=1 seek=$((0x$main - text[1] + text[0])) conv=notrunc status=none
expect wet_build_with_another_program 1 '' $weft wet build $full --elf "$tmp/other.elf" -o "$tmp/y.wet"
verdict which_it_says "$(cat "$tmp/stderr")" = "weft wet: '$tmp/other.elf' is not the program that was recorded: that had another instruction at 0x$main"
expect dump_with_another_program 1 '' $weft dump $full --elf "$tmp/other.elf" --events values
expect dump_with_the_program 0 '.*' $weft dump $full --elf $elf --events values
expect info_counts_a_full_recording 0 '.*"events":[1-9].*"bytes_per_event":[0-9.]*[1-9].*' $weft info --json $full
for command in loops grammar 'hot --min-cost 1 --min-length 1 --max-length 2' 'paths -k 1'; do
    expect "${command%% *}_of_a_full_recording" 0 '.*' $weft $command $full
    expect "${command%% *}_of_a_trace_without_its_image" 2 '' $plain $command "$tmp/x.wet"
    expect "${command%% *}_of_another_program" 1 '' $weft $command "$tmp/x.wet" --elf "$tmp/other.elf"
done
# An image that lies elsewhere has no other instruction there, but none at all.
for command in functions coverage 'paths -k 1' loops info; do
    expect "${command%% *}_of_a_program_that_lies_elsewhere" 1 '' \
        $weft $command tests/golden/wet/v1-tier1.wet --elf tests/golden/wet/small.elf
    verdict and_it_says_so "$(grep -c 'none of the instructions\|another instruction' "$tmp/stderr")" -ge 1
done
cat >"$tmp/moved.py" <<'EOF'
"""moved.py IN OUT: an ELF whose code, constants and symbols lie a megabyte higher."""
import struct
import sys

BY, RAM = 0x100000, 0x20000000
elf = bytearray(open(sys.argv[1], "rb").read())
segments, sections = struct.unpack_from("<II", elf, 28)
segment_size, segment_count, section_size, section_count = struct.unpack_from("<HHHH", elf, 42)


def move(at):
    (address,) = struct.unpack_from("<I", elf, at)
    if address < RAM:
        struct.pack_into("<I", elf, at, address + BY)


move(24)
for segment in range(segments, segments + segment_count * segment_size, segment_size):
    move(segment + 8)
    move(segment + 12)
for section in range(sections, sections + section_count * section_size, section_size):
    kind, flags, _, start, size = struct.unpack_from("<IIIII", elf, section + 4)
    if flags & 2:
        move(section + 12)
    for symbol in range(start, start + size, 16) if kind == 2 else ():
        move(symbol + 4)
open(sys.argv[2], "wb").write(elf)
EOF
python3 "$tmp/moved.py" $elf "$tmp/moved.elf"
for command in dump stack irq io race info functions coverage 'paths -k 1' loops hot "diff $full" "wet build -o $tmp/y.wet"; do
    ask=$weft
    for recording in $full "$tmp/x.wet"; do
        [ "$command$recording" != "wet build -o $tmp/y.wet$tmp/x.wet" ] || continue
        expect "${command%% *}_of_${recording##*.}_with_the_program_moved" 1 '' $ask $command $recording --elf "$tmp/moved.elf"
        ask=$plain
        verdict which_it_says "$(grep -c 'none of the instructions\|another instruction' "$tmp/stderr")" -ge 1
    done
done
expect info_of_a_trace 0 '.*"statements":[1-9].*"checked":true.*' $weft info --json "$tmp/x.wet"
expect info_of_another_program 1 '' $weft info "$tmp/x.wet" --elf "$tmp/other.elf"

bad=0
for cut in 0 51 $(in_long && echo 1 52 100 5000 12000 17000 18000) 1000 9000 18207; do
    head -c $cut $elf >"$tmp/cut.elf"
    $weft wet build $full --elf "$tmp/cut.elf" -o "$tmp/cut.wet" >/dev/null 2>&1
    [ $? -eq 1 ] || bad=$((bad + 1))
done
verdict wet_build_refuses_a_program_that_is_cut $bad -eq 0 -a ! -e "$tmp/cut.wet"

size=$(stat -c %s "$tmp/x.wet")
# tests/fault/wet_file.c tries hundreds of cuts and flips of a file like this one, without a process for each.
step=$((size / 6 + 1)) near=41
in_long && step=$((size / 60 + 1)) near=6
bad=0
for ((cut = 0; cut < size; cut += step)); do
    head -c $cut "$tmp/x.wet" >"$tmp/cut"
    timeout 20 $weft wet slice "$tmp/cut" --at result >/dev/null 2>&1
    [ $? -eq 1 ] || bad=$((bad + 1))
done
verdict wet_refuses_every_cut $bad -eq 0
flip() {
    cp "$tmp/x.wet" "$tmp/flip"
    byte=$(od -An -tu1 -j $1 -N1 "$tmp/x.wet")
    printf "\\x$(printf %02x $((byte ^ (1 << ($1 % 8)))))" | dd of="$tmp/flip" bs=1 seek=$1 conv=notrunc status=none
}
bad=0 missed=0
for ((at = 0; at < size; at += step)); do
    flip $at
    timeout 20 $weft wet slice "$tmp/flip" --at result >/dev/null 2>&1
    [ $? -le 1 ] || bad=$((bad + 1))
    timeout 20 $weft wet why "$tmp/flip" --at result >/dev/null 2>&1
    [ $? -le 1 ] || bad=$((bad + 1))
    timeout 20 $plain info "$tmp/flip" >/dev/null 2>&1
    [ $? -eq 1 ] || missed=$((missed + 1))
done
verdict wet_survives_flips $bad -eq 0
verdict info_sees_every_flip $missed -eq 0
# Some of the last bytes are timestamps.
bad=0 differ=0
for ((at = size - 400; at < size; at += near)); do
    flip $at
    timeout 20 $weft wet control "$tmp/flip" >/dev/null 2>&1
    status=$?
    [ $status -eq 1 ] && bad=$((bad + 1))
    timeout 20 $plain wet control "$tmp/flip" --binary >/dev/null 2>&1
    [ $? -eq $status ] || differ=$((differ + 1))
    timeout 20 $plain wet slice "$tmp/flip" --at main --forward >/dev/null 2>&1
    [ $? -eq 0 -a $status -eq 1 ] && differ=$((differ + 1))
done
verdict wet_control_tells_damage_in_either_form "$bad" -ge 4 -a "$differ" -eq 0
# A call that is the last instruction of its procedure, and returns into the next one, which begins with a branch.
mkdir "$tmp/falls"
cat >"$tmp/falls/main.c" <<'END'
#include <stdio.h>
int one(int n);
__attribute__((noinline)) int called(int n) { return n * 3 + 1; }
__asm(".syntax unified\n.thumb\n.text\n.global one\n.type one, %function\n.thumb_func\none:\n push {r4, lr}\n bl called\n"
      ".global next\n.type next, %function\n.thumb_func\nnext:\n cbz r0, 1f\n adds r0, #1\n1: cmp r0, #9\n bgt 2f\n adds r0, #2\n2: pop {r4, pc}\n");
int main(void)
{
    printf("%d %d\n", one(0), one(9));
}
END
falls=$(make -s build-firmware APP="$tmp/falls" PROBES=none 2>/dev/null | tail -n 1)
timeout 60 build/host/weft capture --full --timeout 20 "$falls" -o "$tmp/falls.weft" >/dev/null 2>&1
expect wet_build_where_a_call_falls_into_the_next_procedure 0 '.*' $weft wet build "$tmp/falls.weft" --elf "$falls" -o "$tmp/falls.wet"
expect wet_control_goes_on_there 0 '.*"function":"next".*' $weft wet control "$tmp/falls.wet"
cut=$(($(stat -c %s $full) / 2))
head -c $cut $full >"$tmp/half.weft"
$weft wet build "$tmp/half.weft" --elf $elf -o "$tmp/half.wet" >/dev/null 2>&1
status=$?
verdict wet_build_of_a_cut_recording_says_so "$status" != 0
