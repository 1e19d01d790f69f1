#!/bin/bash
# SPDX-License-Identifier: MIT
# What is derived and not recorded is right, or unknown: with any one frame missing, what follows it is the same as in
# the whole recording, except for addresses that follow from the lost ones. These are counted, and with derive=path they
# end with their paths.
. tests/lib/check.sh
weft=build/host/weft

record() { # APP DERIVE OPTION...: $tmp/$DERIVE.weft and its ELF in $elf
    elf=$(make -s build-firmware "APP=$1" OPT=-O2 PROBES=mem "DERIVE=$2" "${@:3}" 2>>"$tmp/log" | tail -n 1)
    $weft capture "$elf" -o "$tmp/$2.weft" >>"$tmp/log" 2>&1
    $weft dump "$tmp/$2.weft" --elf "$elf" --events bus,control >"$tmp/$2.txt" 2>>"$tmp/log"
}

# One byte-exact copy of the container without its N-th frame; frames are runs between zero bytes.
cat >"$tmp/drop.py" <<'PY'
import sys
source, target, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
runs = open(source, "rb").read().split(b"\0")
frames = [i for i, run in enumerate(runs) if len(run) > 4]
del runs[frames[number]]
open(target, "wb").write(b"\0".join(runs))
PY

# The dumps after the gap: the same lines at the end, except for unknown addresses.
cat >"$tmp/tail.py" <<'PY'
import sys
whole, cut = (open(name).read().splitlines() for name in sys.argv[1:3])
events = ("load", "store", "path")
kind = lambda line: line.split(" ", 2)[1]
after = 0
while kind(cut[-1 - after]) not in ("gap", "unresolved"):
    after += 1
# Most lines are equal. Only those that are not are taken apart.
cut = [line for line in cut[len(cut) - after:] if kind(line) in events]
whole = [line for line in whole if kind(line) in events][-len(cut):]
unknown = wrong = 0
for mine, right in zip(cut, whole):
    if mine == right:
        continue
    mine, right = mine.split(), right.split()
    lost = mine[1] == right[1] and mine[2] == "unknown" and mine[mine.index("site"):] == right[right.index("site"):]
    unknown += lost
    wrong += not lost
    if wrong == 1 and not lost:
        print("#", mine, right, file=sys.stderr)
print(unknown, wrong, len(cut))
PY

for app in kernels ${WEFT_LONG:+jpeg}; do
    drops=5
    in_long || drops=3 # dumps are long
    for derive in path activation; do
        record $app $derive
        frames=$($weft info --json "$tmp/$derive.weft" | sed 's/.*"frames":\([0-9]*\).*/\1/')
        worst=0 wrong=0 status_wrong=0 tried=0
        for n in $(seq 2 $((frames / drops + 1)) $((frames - 3))); do
            python3 "$tmp/drop.py" "$tmp/$derive.weft" "$tmp/cut.weft" "$n"
            $weft dump "$tmp/cut.weft" --elf "$elf" --events bus,control >"$tmp/cut.txt" 2>"$tmp/errors"
            [ $? -eq 3 ] || status_wrong=$((status_wrong + 1))
            read -r unknown bad lines < <(python3 "$tmp/tail.py" "$tmp/$derive.txt" "$tmp/cut.txt")
            said=$(sed -n 's/.*addresses of \([0-9]*\) accesses are not known.*/\1/p' "$tmp/errors")
            [ "${said:-0}" = "$unknown" ] || status_wrong=$((status_wrong + 1))
            wrong=$((wrong + bad)) tried=$((tried + 1))
            [ "$unknown" -le $worst ] || worst=$unknown
        done
        echo "# $app, derive=$derive: $tried frames dropped, one at a time, of $frames; at most $worst addresses unknown"
        verdict "${app}_${derive}_has_no_wrong_address_after_a_gap" "$wrong" = 0
        verdict "${app}_${derive}_counts_what_is_unknown" "$status_wrong" = 0
        [ $derive = activation ] || verdict "${app}_unknown_addresses_end_with_their_path" "$worst" -lt 50
    done
done

# A search that keeps the best it found (tools/gcc/kept.cc): its three addresses in a turn follow from one record. With
# three records, a quarter of all accesses would be recorded.
record lz4 activation
recorded=$($weft info --json --elf "$elf" "$tmp/activation.weft" | tr -d ' ' |
    sed 's/.*"derived":{"recorded":\([0-9]*\).*/\1/')
echo "# lz4: $recorded accesses are recorded"
verdict a_search_that_keeps_its_best_takes_one_record_a_turn "$recorded" -lt 60000

# A longjmp in code without probes, which goes on in an older activation of a recursive routine, at the call where the
# newest one stood: no address is wrong, and those that are not known are counted.
for derive in none path activation; do
    record tests/target/programs/landing $derive "PLUGIN_MORE=exclude-file=*unseen.c"
    $weft dump "$tmp/$derive.weft" --elf "$elf" --events bus >"$tmp/all.$derive" 2>"$tmp/errors"
    echo $? >"$tmp/status.$derive"
    # The stack is another one in each of these builds.
    grep -v ' rounds' "$tmp/all.$derive" >"$tmp/bus.$derive"
done
unknown=$(grep -c unknown "$tmp/bus.activation")
said=$(sed -n 's/.*addresses of \([0-9]*\) accesses are not known.*/\1/p' "$tmp/errors")
wrong=$(paste -d' ' <(cut -d' ' -f1-3 "$tmp/bus.activation") <(cut -d' ' -f1-3 "$tmp/bus.none") |
    awk '$3 != "unknown" && ($1 != $4 || $2 != $5 || $3 != $6)' | wc -l)
verdict longjmp_without_probes_gives_no_wrong_address "$wrong $(wc -l <"$tmp/bus.activation")" = \
    "0 $(wc -l <"$tmp/bus.none")"
verdict longjmp_without_probes_is_counted "$(cat "$tmp/status.activation") $said" = "3 $unknown" -a "$unknown" -gt 0
for command in 'report -o' 'export --as sqlite -o'; do
    # shellcheck disable=SC2086 # words
    expect "longjmp_without_probes_is_counted_by_${command%% *}" 3 '.*' \
        $weft $command "$tmp/shown" --elf "$elf" "$tmp/activation.weft"
done
verdict longjmp_without_probes_leaves_what_called_the_routine \
    "$(grep -c ' rounds' "$tmp/all.activation") $(grep -c 'unknown.* rounds' "$tmp/all.activation")" = "4 0"
cut -d' ' -f1-4 "$tmp/bus.path" | cmp -s - <(cut -d' ' -f1-4 "$tmp/bus.none")
verdict longjmp_without_probes_with_derive_path "$? $(cat "$tmp/status.path")" = "0 0"

# C++'s run-time library marks what was thrown as caught and gives up, and its strings catch what only an allocation
# throws: no reason to doubt an address. But a handler of `new` may be any code.
record tests/target/programs/landing activation "PLUGIN_MORE=exclude-file=*unseen.c" FLAGS=-DGIVES_UP
$weft dump "$tmp/activation.weft" --elf "$elf" --events bus >"$tmp/bus.up" 2>"$tmp/errors"
verdict what_only_gives_up_makes_no_address_unknown "$? $(grep -c unknown "$tmp/bus.up")" = "0 0" -a \
    "$(wc -l <"$tmp/bus.up")" -ge 90
record tests/target/programs/landing activation "PLUGIN_MORE=exclude-file=*unseen.c" "FLAGS=-DGIVES_UP -DSETS_HANDLER"
$weft dump "$tmp/activation.weft" --elf "$elf" --events bus >"$tmp/bus.up" 2>"$tmp/errors"
verdict a_handler_of_new_makes_addresses_unknown $? -eq 3 -a "$(grep -c unknown "$tmp/bus.up")" -gt 0
