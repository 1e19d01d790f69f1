#!/bin/bash
# SPDX-License-Identifier: MIT
# Frames of a recording that are missing, doubled or in another order (tests/fault/frames.py): with status 0 the answer
# is that of the whole recording. Once with memory probes, once with records of several paths each (packs), whose
# contents are in a frame of their own. `make test` asks each command for each kind of change with one of the two;
# `make test-long` for every change, with both.
. tests/lib/check.sh
weft=$PWD/build/host/weft
ways() { # PROBES PART
    elf=$PWD/$(make -s build-firmware APP=kernels PROBES="$1" OPT=-O2 | tail -n 1)
    $weft capture "$elf" -o "$tmp/$1.weft" >/dev/null 2>&1
    python3 tests/fault/frames.py "$weft" "$tmp/$1.weft" "$elf" "$(in_long && echo all || echo "$2")" "$1"
}
ways mem 0
ways paths 1

# A lost record counts as one path, and may have held several: every command says "at least". The recording without its
# third frame of a trace, and without the frame of packs, which capture put last.
cd "$tmp" || exit 1
python3 - <<'P'
whole = open("paths.weft", "rb").read()
frames = [f + b"\0" for f in whole[6:].split(b"\0")[:-1]]
open("lost.weft", "wb").write(whole[:6] + b"".join(frames[:3] + frames[4:]))
open("bare.weft", "wb").write(whole[:6] + b"".join(frames[:-1]))
P
verdict "the frame of packs is the last" "$($weft info bare.weft 2>/dev/null | grep -c 'count as one here')" -eq 1
while read -r command; do
    $weft $command >text 2>errors
    status=$?
    said=$(cat text errors | grep -cE 'at least [0-9,]+ .*lost|lost:? +at least')
    wrong=$(cat text errors | grep -E '[1-9][0-9,]* (paths[^;]* are lost|paths lost|lost)|^  lost +[1-9]' | grep -cv 'at least')
    verdict "what is lost is at least so much: ${command%%.weft*}" $status -eq 3 -a "$said" -gt 0 -a "$wrong" -eq 0
done <<L
info lost.weft
info --summary lost.weft
overview lost.weft --elf $elf
functions lost.weft --elf $elf
paths -k 1 lost.weft --elf $elf
loops lost.weft --elf $elf
dump lost.weft --elf $elf
coverage lost.weft --elf $elf
report lost.weft --elf $elf -o page.html
export --as csv lost.weft --elf $elf -o table.csv
merge lost.weft -o lost.weft-profile --elf $elf
functions lost.weft-profile --elf $elf
info lost.weft-profile
fleet top lost.weft-profile --elf $elf
L
verdict "the page says so, too" "$(grep -c 'lost at least' page.html)" -gt 0
for command in info functions coverage overview "paths -k 1"; do
    verdict "and in JSON: $command" \
        "$($weft $command --json lost.weft --elf "$elf" 2>/dev/null | grep -cE '"lost_is": *"at least"')" -eq 1
    verdict "where nothing is lost it is not there: $command" \
        "$($weft $command --json paths.weft --elf "$elf" 2>/dev/null | grep -c 'lost_is')" -eq 0
done

# What exports write into their files, where the format has a place for it.
exported() { # RECORDING: a line for each format
    for as in callgrind pprof speedscope chrome perfetto ctf sqlite; do
        rm -rf out
        $weft export --as $as "$1" --elf "$elf" -o out >/dev/null 2>&1
        case $as in
        pprof) gzip -dc out | grep -aoE '(at least )?[0-9]+ paths lost' ;;
        perfetto) grep -aoE 'events lost(, at least)?' out | head -n 1 ;;
        chrome) grep -oE '"lost_paths": *[0-9]+(, *"lost_is": *"at least")?' out ;;
        ctf) grep -oE 'lost = "[^"]*"' out/metadata ;;
        sqlite) sqlite3 out "SELECT group_concat(key || ' ' || value) FROM about WHERE key LIKE 'lost_%'" ;;
        *) grep -oE '(at least )?[0-9]+ paths lost|nothing lost' out ;;
        esac
    done | sed -E 's/[1-9][0-9]*/N/'
}
verdict "exports of a recording that lost packs say at least so much" "$(exported lost.weft)" = \
    'at least N paths lost
at least N paths lost
at least N paths lost
"lost_paths":N,"lost_is":"at least"
events lost, at least
lost = "at least N paths lost"
lost_paths N,lost_is at least'
verdict "those of the whole recording say that nothing is" "$(exported paths.weft)" = \
    '0 paths lost
0 paths lost
nothing lost
"lost_paths":0
events lost
lost = "0 paths lost"
lost_paths 0'
verdict "those of a profile of it, too" "$(exported lost.weft-profile 2>/dev/null | grep -c 'at least')" -eq 4
for jobs in 1 2; do
    yes "lost.weft" | head -n 8 >list
    verdict "merge says so in JSON, with $jobs processes" \
        "$($weft merge --jobs $jobs --list list --json -o both.weft-profile --elf "$elf" 2>/dev/null | grep -c '"lost_is": *"at least"')" -eq 1
done
for command in info "fleet top"; do
    verdict "and of its profile: $command" \
        "$($weft $command --json lost.weft-profile 2>/dev/null | grep -cE '"lost_is": *"at least"')" -eq 1
done
verdict "functions and coverage of its profile, too" \
    "$(for c in functions coverage; do $weft $c --json --elf "$elf" lost.weft-profile 2>/dev/null; done | grep -cE '"lost_is": *"at least"')" -eq 2

# The contents of packs say nothing of the run that its other frames do not say.
expect "a recording with and without the frame of packs is one" 1 '' \
    $weft merge --elf "$elf" paths.weft bare.weft -o both.weft-profile
verdict "as merge says" "$(grep -c 'merged already' stderr)" -eq 1

# Parts of merged profiles that are missing, doubled, moved or another profile's.
for i in 1 2; do $weft merge --elf "$elf" --label v=$i paths.weft -o $i.weft-profile; done
$weft merge 1.weft-profile 2.weft-profile -o 3.weft-profile
cd "$OLDPWD" || exit 1
verdict "no splice of a profile changes what is said of it in silence" \
    "$(tests/fault/spliced.py "$weft" 15 profile "$tmp"/[123].weft-profile | shown | tail -n 1)" = '0 wrong, 0 killed'
