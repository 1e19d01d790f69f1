#!/bin/bash
# SPDX-License-Identifier: MIT
# Address models of a recording: the numeric kernels' sites come out as the loops they are, the target's engine finds
# what the host's single-domain search finds, and a recording through the engines gives the same models as a plain one.
# WEFT_LONG: the models of all functions with one thread and with two; else of one function.
. tests/lib/check.sh
weft=build/host/weft

record() { # NAME OPTION...
    local name=$1
    shift
    elf=$(make -s build-firmware APP=kernels OPT=-O2 PROBES=mem "$@" 2>>"$tmp/log" | tail -n 1)
    $weft capture "$elf" -o "$tmp/$name.weft" >>"$tmp/log" 2>&1
    $weft model "$tmp/$name.weft" --elf "$elf" >"$tmp/$name.txt" 2>>"$tmp/log"
}

record plain
plain=$elf
verdict a_recording_is_modelled "$(tail -n 1 "$tmp/plain.txt" | grep -c 'exact: yes')" = 1

site() { # NAME PATTERN: one nest at the site that matches PATTERN, and the test's NAME
    verdict "$1" "$(grep '^// site' "$tmp/plain.txt" | grep -v ' nests' | grep -c "$2")" = 1
}
site product_a 'matrix_product.*load `a\[i\]\[k\]`.*4096 accesses, stride 4, rectangular'
site product_b 'matrix_product.*load `b\[k\]\[j\]`.*4096 accesses, stride 64, rectangular'
site cholesky_row 'cholesky.*load `a\[i\]\[k\]`.*560 accesses, stride 8, triangular'
site fir_taps 'fir.*load `taps\[k\]`.*3856 accesses, stride 2, rectangular'
site stencil_store 'stencil.*store `to\[i\]\[j\]`.*1536 accesses, stride 4, rectangular'

verdict a_list_of_addresses_has_no_stride "$(awk '/^\/\/ site/ { site = $0 } /^access\(.*,/ && site !~ / nests$/ && site !~ /accesses, irregular$/' "$tmp/plain.txt")" = ""

# For people: a line per site, busiest first; names before numbers. Pipes get the loops unless they ask for the summary.
COLUMNS=100 $weft model "$tmp/plain.weft" --elf "$plain" --summary >"$tmp/summary" 2>>"$tmp/log"
verdict a_summary_is_a_screenful "$(wc -l <"$tmp/summary")" -le 26
verdict a_summary_says_how_a_matrix_is_walked "$(grep -c '^a\[0\]\.\.\[255\] .*matrix_product:[0-9]* load a\[i\]\[k\] .*%  16, 0, 1 x 4 B$' \
    "$tmp/summary")" = 1
verdict a_summary_fits_100_columns "$(awk 'length > 100' "$tmp/summary" | shown)" = ""
verdict steps_back_are_negative_in_texts "$(grep -cE '42949[0-9]{5}|107374[0-9]{4}\]' "$tmp/plain.txt")" = 0
verdict a_step_back_is_minus "$(grep -c 'load `from\[i\]\[j-1\]`' "$tmp/plain.txt")" -gt 0
# The sites of one function only: each search for models takes long.
$weft model "$tmp/plain.weft" --elf "$plain" --function cholesky --summary --top 0 >"$tmp/summary" 2>>"$tmp/log"
verdict all_sites_have_a_line "$(grep -c '[0-9]%  ' "$tmp/summary")" = "$(grep -c '^// site [0-9]*, cholesky,' "$tmp/plain.txt")"
only='--function cholesky'
! in_long || only=
for threads in 1 2; do
    # shellcheck disable=SC2086 # two words or none
    $weft model "$tmp/plain.weft" --elf "$plain" $only --threads $threads >"$tmp/threads.$threads" 2>>"$tmp/log"
done
verdict the_models_do_not_depend_on_threads -s "$tmp/threads.1" -a \
    "$(cmp "$tmp/threads.1" "$tmp/threads.2" 2>&1)" = ""
expect forms_exclude_each_other 2 '' $weft model "$tmp/plain.weft" --elf "$plain" --summary --nests
expect a_summary_is_of_a_recording 2 '' $weft model --summary /dev/null

build/host/tests/target/tre_check "$tmp/plain.weft" "$plain" numeric.c >"$tmp/check"
status=$?
tail -n 1 "$tmp/check" | sed 's/^/# /'
read -r _ sites _ same _ longer _ other _ bytes _ accesses <<<"$(tail -n 1 "$tmp/check")"
verdict the_target_engine_loses_nothing $status -eq 0
verdict the_target_engine_finds_every_nest_of_the_host "$longer" = 0
verdict most_numeric_sites_are_one_nest $((2 * same)) -gt "$sites"
verdict a_model_takes_a_tenth_of_a_byte_an_access $((10 * bytes)) -lt "$accesses"

record tre BUS=tre
# Addresses may differ from image to image; the loops do not.
shape() { grep '^// site' "$1" | sed 's/ in [^ ]*, / /; s/, [0-9]* nests//' | grep numeric.c; }
verdict through_the_engines_the_same_models "$(cmp <(shape "$tmp/plain.txt") <(shape "$tmp/tre.txt") 2>&1)" = ""

expect a_container_wants_the_program 2 '' $weft model "$tmp/plain.weft"
expect another_program_is_refused 1 '' $weft model "$tmp/plain.weft" --elf build/host/weft
