#!/bin/bash
# SPDX-License-Identifier: MIT
# weft merge: what a profile of one recording answers is what the recording answers; order and steps do not matter; bad
# inputs and repeated ones are named. In `make test` the sanitizers see one of several runs that do the same, in `make
# test-long` all.
. tests/lib/check.sh
weft=build/${WEFT_BUILD:-asan}/weft
plain=$weft
in_long || plain=build/host/weft
v1=tests/golden/v1
elf=$(make -s build-firmware APP=kernels PROBES=paths | tail -n 1)
other=$(make -s build-firmware APP=interrupts PROBES=paths | tail -n 1)
for i in 1 2; do
    build/host/weft capture "$elf" -o "$tmp/k$i.weft" --icount "$i" >"$tmp/log" 2>&1
    build/host/weft capture "$other" -o "$tmp/i$i.weft" --icount $((i + 3)) >>"$tmp/log" 2>&1
done
$weft merge --elf "$elf" "$tmp/k1.weft" -o "$tmp/k1.p" >"$tmp/log"

same() { # NAME COMMAND...: of the recording, and of the profile
    local name=$1
    shift
    "$@" "$tmp/k1.weft" >"$tmp/a" 2>"$tmp/log"
    "$@" "$tmp/k1.p" >"$tmp/b" 2>>"$tmp/log"
    if [ -s "$tmp/a" ] && cmp "$tmp/a" "$tmp/b"; then echo "ok $name"; else echo "not ok $name"; fi
}
same "paths of a profile are those of its recording" $weft paths -k 3 --elf "$elf"
same "functions" $weft functions --elf "$elf"
for of in k1.weft k1.p; do
    $weft functions --json --elf "$elf" "$tmp/$of" >"$tmp/$of.json"
done
verdict "functions --json, without the moments and places of calls, which a profile does not know" "$(python3 -c '
import json, sys
run, merged = (json.load(open(name)) for name in sys.argv[1:])
told = [key for f in merged["functions"] for key in ("min_at", "max_at") if f[key] is not None]
for f in run["functions"]:
    f["min_at"] = f["max_at"] = None
for f in run["functions"] + merged["functions"]:
    for side in "callers", "callees": # edges of one function, which a recording keeps apart by their lines
        edges = [(e["name"], e["calls"], e["inclusive"]) for e in f[side]]
        f[side] = sorted([name] + [sum(e[i] for e in edges if e[0] == name) for i in (1, 2)] for name in {e[0] for e in edges})
print(run == merged, told)' "$tmp/k1.weft.json" "$tmp/k1.p.json")" = "True []"
same "the tree of calls" $weft functions --tree --elf "$elf"
same "coverage" $weft coverage --json --elf "$elf"
$weft export --as callgrind --elf "$elf" -o "$tmp/calls" "$tmp/k1.p" >/dev/null 2>&1
verdict "callgrind of a profile says that lines of calls are not known" \
    "$(grep -c '^desc: Calls: those whose line is not known' "$tmp/calls")" = 1 -a \
    "$(grep -c ^calls= "$tmp/calls")" -gt 0
same "lcov" $weft export --as lcov -o /dev/stderr --json --elf "$elf"
for of in k1.weft k1.p; do
    $weft export --as sqlite --elf "$elf" -o "$tmp/$of.db" "$tmp/$of" >"$tmp/log" 2>&1
    sqlite3 "$tmp/$of.db" 'SELECT id, function, count, instructions FROM paths ORDER BY id' >"$tmp/$of.rows"
    sqlite3 "$tmp/$of.db" "SELECT sum(instructions) = (SELECT value FROM about WHERE key = 'total') FROM paths" \
        >"$tmp/$of.sum"
done
verdict "the paths of a database, also those whose calls a longjmp unwound" -s "$tmp/k1.p.rows" -a \
    "$(cksum <"$tmp/k1.weft.rows")" = "$(cksum <"$tmp/k1.p.rows")"
verdict "they add up to the total" "$(cat "$tmp/k1.weft.sum" "$tmp/k1.p.sum" | xargs)" = "1 1"
verdict "fleet top says the same of each path" "$($weft fleet top --json --top 1000000 "$tmp/k1.p" | python3 -c '
import json, sys
print(sum(p["instructions"] for p in json.load(sys.stdin)["paths"]))')" = \
    "$(sqlite3 "$tmp/k1.weft.db" 'SELECT sum(instructions) FROM paths')"
expect "the order of events is not in a profile" 1 '' $weft export --as chrome -o "$tmp/x" --elf "$elf" "$tmp/k1.p"
expect "nor for hot" 1 '' $weft hot --min-cost 1 --min-length 1 --max-length 2 "$tmp/k1.p"
expect "nor for dump" 1 '' $weft dump "$tmp/k1.p"

# A decoder that was written from docs/FORMATS.md, and what the recording itself says.
cat >"$tmp/tables.py" <<'P'
import json, sys
calls, run = (json.load(open(name)) for name in sys.argv[1:])
for f in calls["functions"]:
    print("function", *(f[key] for key in "calls self more estimated inclusive min max".split()), "%.9g" % f["mean"])
for loop in run["loops"]:
    print("loop", *(loop[key] for key in "entered rounds min max".split()))
for node in calls["tree"]:
    if node["name"]:
        print("chain", node["depth"], node["calls"], node["self"])
P
build/host/weft functions --tree --json --elf "$elf" "$tmp/k1.weft" >"$tmp/calls"
build/host/weft overview --json --elf "$elf" "$tmp/k1.weft" >"$tmp/run"
python3 "$tmp/tables.py" "$tmp/calls" "$tmp/run" | sort >"$tmp/expected"
python3 tests/golden/formats.py tables "$tmp/k1.p" | sort >"$tmp/tables"
verdict "docs/FORMATS.md is enough to decode the functions, loops and chains of a merged profile" \
    "$(cut -d ' ' -f 1 "$tmp/tables" | uniq | xargs)" = "chain function loop" -a "$(cksum <"$tmp/tables")" = "$(cksum <"$tmp/expected")"
python3 tests/golden/formats.py sequences "$tmp/k1.p" >"$tmp/sequences"
build/host/weft paths -k 4 --elf "$elf" "$tmp/k1.weft" | cut -f 1,2 | cmp - "$tmp/sequences"
verdict "and its sequences of paths" "${PIPESTATUS[*]}" = "0 0 0"

both="--elf $elf --elf $other"
$plain merge $both --label version=1 "$tmp/k1.weft" "$tmp/i1.weft" -o "$tmp/a.p" >"$tmp/log" 2>&1
$plain merge $both --label version=2 "$tmp/i2.weft" "$tmp/k2.weft" -o "$tmp/b.p" >>"$tmp/log" 2>&1
$weft merge "$tmp/a.p" "$tmp/b.p" -o "$tmp/ab.p" >>"$tmp/log" 2>&1
$plain merge "$tmp/b.p" "$tmp/a.p" -o "$tmp/ba.p" >>"$tmp/log" 2>&1
printf '%s\tversion=2\n%s\tversion=1\n# no input\n\n%s\tversion=2\n%s\tversion=1\n' \
    "$tmp/k2.weft" "$tmp/i1.weft" "$tmp/i2.weft" "$tmp/k1.weft" >"$tmp/list"
$plain merge $both --list "$tmp/list" -o "$tmp/list.p" >>"$tmp/log" 2>&1
for i in 1 2 3; do $weft merge $both --list "$tmp/list" --share $i/3 -o "$tmp/share$i.p" >>"$tmp/log" 2>&1; done
cat "$tmp"/share?.p >"$tmp/cat.p"
$plain merge "$tmp/cat.p" -o "$tmp/shares.p" >>"$tmp/log" 2>&1
build/host/weft info --json "$tmp/ab.p" >"$tmp/info"
python3 tests/golden/formats.py profile "$tmp/ab.p" | cmp - "$tmp/info"
verdict "docs/FORMATS.md is enough to decode a profile of several images" "${PIPESTATUS[*]}" = "0 0"
verdict "two orders give the same profile" "$(cksum <"$tmp/ab.p")" = "$(cksum <"$tmp/ba.p")"
verdict "so does a list" "$(cksum <"$tmp/ab.p")" = "$(cksum <"$tmp/list.p")"
verdict "so do shares of it" "$(cksum <"$tmp/ab.p")" = "$(cksum <"$tmp/shares.p")"
expect "a profile of several images wants the image" 1 '' $weft paths -k 2 "$tmp/ab.p"
expect "the same recording twice is refused" 1 '' $weft merge "$tmp/a.p" "$tmp/ab.p" -o "$tmp/x.p"
for command in 'paths -k 2' 'coverage --json'; do
    expect "$command of profiles that have a recording in common is refused" 1 '' \
        $weft $command --elf "$elf" "$tmp/a.p" "$tmp/ab.p"
    expect "$command of profiles that have none is not" 0 '.*[1-9].*' $plain $command --elf "$elf" "$tmp/a.p" "$tmp/b.p"
done
# A recording beside a profile that holds it, whatever labels it was merged with; of several in a file, any.
$plain merge --elf "$elf" --label device=d1,version=1 "$tmp/k1.weft" -o "$tmp/named.p" >"$tmp/log" 2>&1
cat "$tmp/k2.weft" "$tmp/k1.weft" >"$tmp/k21.weft"
for command in 'paths -k 2' 'coverage --json'; do
    for inputs in "k1.p k1.weft" "a.p k1.weft" "k1.weft named.p" "k2.weft k1.weft named.p"; do
        expect "$command of $inputs, which holds one of them, is refused" 1 '' \
            $plain $command --elf "$elf" $(printf "$tmp/%s " $inputs)
    done
    expect "$command of a file that also holds it is refused" 1 '' \
        $weft $command --elf "$elf" "$tmp/k1.p" "$tmp/k21.weft"
    expect "$command of another recording is not" 0 '.*[1-9].*' \
        $weft $command --elf "$elf" "$tmp/named.p" "$tmp/k2.weft"
done
expect "paths --from with a profile and a recording: nothing is counted" 2 '' \
    $weft paths --from control --elf "$elf" "$tmp/b.p" "$tmp/k1.weft"
expect "on the command line too" 1 '' $weft merge "$tmp/k1.weft" "$tmp/k1.weft" -o "$tmp/x.p"
verdict "and nothing is written" ! -e "$tmp/x.p"
{ cat "$tmp/k1.weft"; head -c 20 /dev/zero; } >"$tmp/padded.weft"
expect "zero bytes after the last frame make no other recording" 1 '' \
    $weft merge "$tmp/k1.weft" "$tmp/padded.weft" -o "$tmp/x.p"
# Nor do frames that came twice, or late.
python3 - "$tmp" <<'P'
import sys
folder = sys.argv[1]
whole = open(folder + "/k1.weft", "rb").read()
head, frames = whole[:6], [frame + b"\0" for frame in whole[6:].split(b"\0")[:-1]]
assert len(frames) > 3
open(folder + "/twice.weft", "wb").write(head + b"".join(frames[:2] + frames[1:]))
open(folder + "/late.weft", "wb").write(head + b"".join(frames[:1] + frames[2:3] + frames[1:2] + frames[3:]))
P
for other_order in twice late; do
    expect "frames that came $other_order make no other recording" 1 '' \
        $weft merge "$tmp/k1.weft" "$tmp/$other_order.weft" -o "$tmp/x.p"
    $plain merge --elf "$elf" "$tmp/$other_order.weft" -o "$tmp/$other_order.p" >"$tmp/log" 2>&1
    verdict "frames that came $other_order make no other profile" "$(cksum <"$tmp/$other_order.p")" = "$(cksum <"$tmp/k1.p")"
done
$plain merge --elf "$elf" "$tmp/padded.weft" -o "$tmp/padded.p" >"$tmp/log" 2>&1
verdict "nor another profile" "$(cksum <"$tmp/padded.p")" = "$(cksum <"$tmp/k1.p")"
head -c 100 "$tmp/a.p" >"$tmp/cut.p"
printf '%s\n' "$tmp/k1.weft" "$tmp/none.weft" README.md "$tmp/cut.p" "$tmp/k1.weft" >"$tmp/bad"
expect "bad ones of a list are left out" 3 '{"recordings":1,"skipped":4,.*}' \
    $weft merge $both --json --list "$tmp/bad" -o "$tmp/x.p"
$plain merge $both --list "$tmp/bad" -o "$tmp/x.p" >"$tmp/log" 2>&1
verdict "and named" "$(grep -c 'left out: .*\(none.weft\|README.md\|cut.p\|k1.weft\): ' "$tmp/log")" = 4
mkfifo "$tmp/fifo"
printf '%s\n' "$tmp/k1.weft" "$tmp/fifo" /dev/zero "$tmp" >"$tmp/irregular"
expect "a FIFO, a device and a folder of a list are left out" 3 '{"recordings":1,"skipped":3,.*}' \
    timeout 20 $weft merge $both --json --list "$tmp/irregular" -o "$tmp/x.p"
printf '%s\0%s\0' "$tmp/k1.weft" "$tmp/k2.weft" >"$tmp/zeros"
expect "a list whose names end with zero bytes, as of find -print0, is refused" 1 '' \
    $weft merge $both --list "$tmp/zeros" -o "$tmp/x.p"
printf '# none of today\n\n' >"$tmp/nobody"
cp "$tmp/k1.p" "$tmp/kept.p"
expect "a list that names no input is refused" 1 '' $weft merge $both --list "$tmp/nobody" -o "$tmp/kept.p"
verdict "and what was there is kept" "$(cksum <"$tmp/kept.p")" = "$(cksum <"$tmp/k1.p")"
expect "a share is I/N" 2 '' $weft merge --share 3 "$tmp/k1.weft" -o "$tmp/x.p"
for share in 18446744073709551617/18446744073709551618 -1/-1 +1/2; do
    expect "a share is not $share" 2 '' $plain merge --share $share "$tmp/k1.weft" -o "$tmp/x.p"
done
expect "labels of what is merged already" 2 '' $weft merge --label version=3 "$tmp/a.p" -o "$tmp/x.p"
expect "but of a recording beside it" 0 '.*' $weft merge --label version=3 "$tmp/k1.weft" "$tmp/a.p" -o "$tmp/x.p"
expect "a label is K=V" 2 '' $weft merge --label device "$tmp/k1.weft" -o "$tmp/x.p"
expect "another image is refused" 1 '' $weft merge --elf "$other" "$tmp/k1.weft" -o "$tmp/x.p"

# What a question names and no recording has is an error, not an empty answer.
for question in top rare uncovered; do
    expect "fleet $question: an image of no recording" 1 '' $weft fleet $question --elf "$other" "$tmp/k1.p"
    expect "fleet $question: labels of no recording" 1 '' $weft fleet $question --label version=9 "$tmp/a.p"
done
for from in control profile; do
    expect "paths --from $from: of recordings only" 2 '' $weft paths --from $from --elf "$elf" "$tmp/k1.p"
done
for asked in 'top --fewer 3' 'top --all' 'rare --before version=1' 'rare --level 0.1' 'compare -k 2' 'compare --top 3' \
    'uncovered -k 2' 'uncovered --top 3' 'uncovered --fewer 3' 'uncovered --after version=1'; do
    expect "fleet $asked: an option of another question" 2 '' $plain fleet $asked "$tmp/a.p"
done
expect "fleet compare: labels of no recording" 1 '' $weft fleet compare --before version=1 --after version=9 "$tmp/a.p"
$plain merge --label version=1 tests/golden/v2/plain.weft -o "$tmp/old.p" >"$tmp/log" 2>&1
$plain merge --label version=2 tests/golden/v2/copies.weft -o "$tmp/new.p" >"$tmp/log" 2>&1
expect "fleet compare: no image, so no function is known" 1 '.*' \
    $weft fleet compare --before version=1 --after version=2 "$tmp/old.p" "$tmp/new.p"
expect "report: an image of no recording" 1 '' $weft report --elf "$other" "$tmp/k1.p" -o "$tmp/x.html"
expect "report: labels of no recording" 1 '' $weft report --label version=9 "$tmp/a.p" -o "$tmp/x.html"
verdict "no page is left" ! -e "$tmp/x.html"

# A profile that an earlier weft wrote answers as it did then. The file is never edited.
# Written again only for a new kind of question: these commands, from a build whose answers are known good.
old=tests/golden/profiles
answers() { # PROFILE
    local question
    for question in "fleet top --top 1000 -k 3" "fleet rare" "fleet compare --before version=1 --after version=2 --all" \
        "fleet uncovered"; do
        echo "weft $question"
        $weft $question "$1" 2>&1
    done
}
answers $old/v1.weft-profile | cmp - $old/v1.txt
verdict "the golden profile answers as ever" "${PIPESTATUS[*]}" = "0 0"
$plain merge $old/v1.weft-profile -o "$tmp/again.p" >"$tmp/log" 2>&1
weft=$plain
answers "$tmp/again.p" | cmp - $old/v1.txt
verdict "and so does what it is merged into" "${PIPESTATUS[*]}" = "0 0"
