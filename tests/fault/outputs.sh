#!/bin/bash
# SPDX-License-Identifier: MIT
# Outputs that cannot be, or must not be, written: nothing that the user has is destroyed, and the message says what
# went wrong.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft

seq 1 50000 >"$tmp/in"
cp "$tmp/in" "$tmp/kept"
refused() { # NAME COMMAND...: a wrong command line, and the input is as it was
    local name=$1
    shift
    expect "$name" 2 '' "$@" <"$tmp/in"
    verdict "${name}_and_keeps_it" "$(cmp "$tmp/in" "$tmp/kept" && echo same)" = same
}
ln -s in "$tmp/link"
refused squeeze_does_not_write_over_its_input $weft squeeze "$tmp/in" -o "$tmp/in"
refused squeeze_knows_its_input_by_another_name $weft squeeze "$tmp/in" -o "$tmp/link"
refused squeeze_knows_its_standard_input $weft squeeze - -o "$tmp/in"
refused capture_does_not_write_over_the_program $weft capture "$tmp/in" -o "$tmp/in"
refused capture_does_not_write_over_the_dump $weft capture --from-memory "$tmp/in" -o "$tmp/in"
refused build_does_not_write_over_the_recording $weft wet build "$tmp/in" --elf "$tmp/nothing" -o "$tmp/in"
refused build_does_not_write_over_the_program $weft wet build "$tmp/nothing" --elf "$tmp/in" -o "$tmp/in"

printf '%s\n' "$tmp/in" >"$tmp/list"
refused merge_does_not_write_over_what_its_list_names $weft merge --list "$tmp/list" -o "$tmp/in"
refused report_does_not_write_over_its_devices $weft report "$tmp/bad" --elf "$tmp/bad" --svd "$tmp/in" -o "$tmp/in"
refused follow_does_not_write_over_the_program $weft capture --from-swo "$tmp/bad" --elf "$tmp/in" -o "$tmp/in"
refused counts_do_not_go_over_the_program $weft capture "$tmp/in" --count "$tmp/in"
refused capture_does_not_write_over_what_the_program_reads $weft capture "$tmp/bad" --input "$tmp/in" -o "$tmp/in"
refused nor_does_what_goes_beside_it $weft capture "$tmp/bad" --input "$tmp/in" --count "$tmp/in"
expect two_outputs_have_two_names 2 '' $weft capture "$tmp/in" --watch "$tmp/new" -o "$tmp/new"

# A partial file is removed; what is not a regular file stays.
echo 1 2 no >"$tmp/bad"
expect squeeze_of_no_numbers 1 '' $weft squeeze "$tmp/bad" -o "$tmp/partial"
verdict squeeze_leaves_no_partial_file ! -e "$tmp/partial"
mkfifo "$tmp/pipe"
cat "$tmp/pipe" >"$tmp/read" &
expect squeeze_of_no_numbers_into_a_pipe 1 '' $weft squeeze "$tmp/bad" -o "$tmp/pipe"
wait
verdict squeeze_leaves_the_pipe -p "$tmp/pipe"
elf=$(make -s build-firmware APP=kernels PROBES=mem 2>/dev/null | tail -n 1)
expect capture_wants_a_file 4 '' timeout 60 $weft capture "$elf" -o /dev/null
verdict and_says_so "$(cat "$tmp/stderr")" = "weft capture: cannot write '/dev/null': it is not a file on a disk"
expect counts_go_nowhere 4 '' timeout 60 build/host/weft capture "$elf" --count "$tmp/nothing/counts"
expect counts_go_where_a_name_has_a_comma 0 '' timeout 60 build/host/weft capture "$elf" --count "$tmp/a,b"
verdict and_are_there "$(sed -n 's/^total [1-9][0-9]*$/there/p' "$tmp/a,b")" = there
expect counts_of_an_emulator_without_its_plugin 1 '' env WEFT_QEMU_PLUGIN="$tmp/bad" timeout 60 build/host/weft capture "$elf" --count "$tmp/counts"

# Where standard output or error is closed, what is printed does not go to the file that is opened next.
timeout 60 build/host/weft capture "$elf" -o "$tmp/run.weft" >/dev/null 2>&1
(head -c 6000 "$tmp/run.weft" && tail -c +9000 "$tmp/run.weft") >"$tmp/cut.weft"
export="$weft export --as csv --elf $elf $tmp/cut.weft -o"
$export "$tmp/right" >/dev/null 2>"$tmp/told"
verdict an_export_with_gaps_says_so "$? $(grep -c -m 1 gap "$tmp/told")" = '3 1'
same_file() { # NAME
    verdict "$1" "$(cmp "$tmp/right" "$tmp/closed" && echo same)" = same
    rm -f "$tmp/closed"
}
$export "$tmp/closed" >/dev/null 2>&-
same_file no_message_goes_into_the_file
$export "$tmp/closed" >&- 2>/dev/null
verdict a_result_that_cannot_be_printed_is_an_error $? -eq 4
same_file no_result_goes_into_the_file
$weft info - <&- >/dev/null 2>&1
verdict a_closed_input_is_an_error $? -eq 1

# What is new on the disk goes again: the folder of a trace, too. One that was there stays.
too_small() { # FOLDER
    (ulimit -f 0 && trap '' XFSZ && exec $weft export --as ctf --elf "$elf" "$tmp/cut.weft" -o "$1" >/dev/null 2>"$tmp/told")
}
too_small "$tmp/trace"
verdict a_trace_on_a_full_disk_leaves_no_folder "$? $([ -e "$tmp/trace" ] || echo none)" = '4 none'
mkdir "$tmp/trace"
too_small "$tmp/trace"
verdict and_no_file_in_a_folder_that_was_there "$? $(ls -A "$tmp/trace" && echo nothing)" = '4 nothing'
expect squeeze_of_a_recording 1 '' $weft squeeze "$tmp/run.weft" -o "$tmp/partial"
verdict and_says_what_it_is "$(grep -c 'it is a recording, not a stream' "$tmp/stderr")" = 1

# A full disk is not a fault of the input.
$weft squeeze "$tmp/in" -o "$tmp/squeezed" >/dev/null
$weft model "$tmp/in" -o "$tmp/nests" >"$tmp/text" 2>/dev/null
$weft loops "$tmp/in" --binary "$tmp/loops" >/dev/null
$weft grammar "$tmp/in" >"$tmp/grammar"
for format in text i64; do
    for command in "unsqueeze $tmp/squeezed" "model --expand $tmp/nests" "model --expand $tmp/text" "loops --expand $tmp/loops" \
        "grammar --expand $tmp/grammar"; do
        $weft $command --format $format 2>"$tmp/told" >/dev/full
        verdict "${command%% *}_to_a_full_disk_as_$format" "$? $(cat "$tmp/told")" = \
            "4 weft ${command%% *}: cannot write the result: No space left on device"
    done
done
