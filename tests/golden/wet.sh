#!/bin/bash
# SPDX-License-Identifier: MIT
# Whole execution traces of each version of the format answer as they did when they were written. These files are
# never edited; those of versions 3 to 22 are of another program (small.c), with answers of their own; so is v19-found.
# `tests/golden/wet.sh write` writes the answers again: only for a new kind of question, from a build whose answers are
# known good.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft
folder=tests/golden/wet

answers() { # FILE
    $weft wet control "$1" | cksum
    $weft wet control "$1" --backward --binary | cksum
    for place in main result; do
        $weft wet values "$1" --at $place
        $weft wet addresses "$1" --at $place
        $weft wet slice "$1" --at $place --json | cksum
        $weft wet slice "$1" --at $place --forward --json | cksum
    done
    $weft wet why "$1" --at result --source-dir "$tmp" | sed 's/   |.*//'
}
answers_v4() { # FILE: those of version 3 of the program, and its history
    answers "$1"
    for by in statement line object; do
        $weft wet misses "$1" --by $by --top 12 --json
    done | sed -E 's/"bytes[a-z_]*":[0-9.]*//g' # depends on the tier and on the version of zstd
    for way in '' --backward; do
        $weft wet misses "$1" --each $way | cksum
    done
    $weft wet misses "$1" --model cortex-m7,icache=none --at table --from 10 --to 90 | grep -v bytes.per | awk "{ print \$1, \$2, \$3 }"
}
if [ "${1:-}" = write ]; then
    answers $folder/v2-tier2.wet >$folder/answers.txt
    answers $folder/v3-tier2.wet >$folder/answers_v3.txt
    answers_v4 $folder/v4-tier2.wet >$folder/answers_v4.txt
    answers_v4 $folder/v6-tier2.wet >$folder/answers_v6.txt
    answers $folder/v13-tier2.wet >$folder/answers_v13.txt
    answers_v4 $folder/v14-tier2.wet >$folder/answers_v14.txt
    answers $folder/v19-found.wet >$folder/answers_found.txt
fi
for file in "$folder"/v*.wet; do
    # Each version, the oldest and the newest in both tiers: tier 1 is a part of tier 2.
    in_long || case $file in */v1-* | */v22-*) ;; *-tier1.wet) continue ;; esac
    expected=$folder/answers.txt
    ask=answers
    case $file in
    *-found.wet) expected=$folder/answers_found.txt ;;
    */v[3579]-* | */v11-* | */v15-* | */v19-*) expected=$folder/answers_v3.txt ;;
    */v4*) expected=$folder/answers_v4.txt ask=answers_v4 ;;
    */v[68]-* | */v1[026]-* | */v20-*) expected=$folder/answers_v6.txt ask=answers_v4 ;;
    */v13-* | */v17-* | */v21-*) expected=$folder/answers_v13.txt ;;
    */v14-* | */v18-* | */v22-*) expected=$folder/answers_v14.txt ask=answers_v4 ;;
    esac
    # With the sanitizers the newest, and with WEFT_LONG all.
    weft=build/${WEFT_BUILD:-asan}/weft
    case ${file##*/}${WEFT_LONG:-} in v22-tier2.wet | v19-found.wet | *.wet?*) ;; *) weft=build/host/weft ;; esac
    $ask "$file" >"$tmp/answers" 2>"$tmp/notes"
    verdict "${file##*/}_answers_as_ever" "$(cmp "$tmp/answers" $expected && echo same)" = same
    case $file in
    */v1-*) verdict "${file##*/}_cannot_be_checked_and_it_says_so" "$(sort -u "$tmp/notes")" = "weft wet: note: $file is of version 1, whose data have no check sum" ;;
    *) verdict "${file##*/}_needs_no_note" ! -s "$tmp/notes" ;;
    esac
done
weft=build/${WEFT_BUILD:-asan}/weft
printf 'weftwet\027' | cat - <(tail -c +9 $folder/v8-tier2.wet) >"$tmp/later.wet"
expect a_later_version_is_refused 1 '' $weft wet control "$tmp/later.wet"
verdict and_named "$(cat "$tmp/stderr")" = "weft wet: '$tmp/later.wet': byte 7: format version 23; this weft reads versions 1 to 22"
