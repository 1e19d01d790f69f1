#!/bin/bash
# SPDX-License-Identifier: MIT
# What is derived and not recorded is right, or unknown: with any one frame missing, what follows it is the same as in
# the whole recording, except for addresses that follow from the lost ones. These are counted, and with derive=path they
# end with their paths. WEFT_LONG: more frames, in jpeg, too, and lz4.
. tests/lib/check.sh
weft=build/host/weft

record() { # APP DERIVE OPTION...: $tmp/$DERIVE.weft and its ELF in $elf
    elf=$(make -s build-firmware "APP=$1" OPT=-O2 PROBES=mem "DERIVE=$2" "${@:3}" 2>>"$tmp/log" | tail -n 1)
    $weft capture "$elf" -o "$tmp/$2.weft" >>"$tmp/log" 2>&1
    $weft dump "$tmp/$2.weft" --elf "$elf" --events bus,control >"$tmp/$2.txt" 2>>"$tmp/log"
}

# drops.py WEFT ELF RECORDING DUMP PARTS: byte-exact copies of the container, each without one frame: the first of each
# of PARTS parts. Frames are runs between zero bytes. The dump after the gap has the same lines at the end, except for
# unknown addresses, whose number is said. Prints the frames tried, all frames, the most unknown addresses, and how
# often an address, or a status or number, was wrong.
cat >"$tmp/drops.py" <<'PY'
import re, subprocess, sys
weft, elf, source, dump, parts = sys.argv[1:]
runs = open(source, "rb").read().split(b"\0")
frames = [i for i, run in enumerate(runs) if len(run) > 4]
events = re.compile(r"^\S+ (?:load|store|path)(?: .*)?$", re.M)
gaps = re.compile(r"^\S+ (?:gap|unresolved)(?: .*)?$", re.M)
whole = events.findall(open(dump).read())
info = subprocess.run([weft, "info", "--json", source], capture_output=True, text=True).stdout
count = int(re.search(r'"frames":(\d+)', info)[1])
tried = worst = wrong = said_wrong = 0
for number in range(2, count - 2, count // int(parts) + 1):
    cut = source + ".cut"
    open(cut, "wb").write(b"\0".join(runs[:frames[number]] + runs[frames[number] + 1:]))
    done = subprocess.run([weft, "dump", cut, "--elf", elf, "--events", "bus,control"], capture_output=True, text=True)
    tail = events.findall(done.stdout, [gap.end() for gap in gaps.finditer(done.stdout)][-1])
    unknown = 0
    # Most lines are equal. Only those that are not are taken apart.
    for mine, right in zip(tail, whole[len(whole) - len(tail):]):
        if mine == right:
            continue
        mine, right = mine.split(), right.split()
        if mine[1] == right[1] and mine[2] == "unknown" and mine[mine.index("site"):] == right[right.index("site"):]:
            unknown += 1
        else:
            wrong += 1
            if wrong == 1:
                print("#", mine, right, file=sys.stderr)
    said = re.search(r"addresses of (\d+) accesses are not known", done.stderr)
    said_wrong += done.returncode != 3 or int(said[1] if said else 0) != unknown
    tried, worst = tried + 1, max(worst, unknown)
print(tried, count, worst, wrong, said_wrong)
PY

for app in kernels ${WEFT_LONG:+jpeg}; do
    drops=5
    in_long || drops=3 # dumps are long
    for derive in path activation; do
        record $app $derive
        read -r tried frames worst wrong status_wrong < \
            <(python3 "$tmp/drops.py" $weft "$elf" "$tmp/$derive.weft" "$tmp/$derive.txt" $drops)
        echo "# $app, derive=$derive: $tried frames dropped, one at a time, of $frames; at most $worst addresses unknown"
        verdict "${app}_${derive}_has_no_wrong_address_after_a_gap" "$tried" -ge 3 -a "$wrong" = 0
        verdict "${app}_${derive}_counts_what_is_unknown" "$status_wrong" = 0
        [ $derive = activation ] || verdict "${app}_unknown_addresses_end_with_their_path" "$worst" -lt 50
    done
done

# A search that keeps the best it found (tools/gcc/kept.cc): its three addresses in a turn follow from one record.
searched() { # APP N: at most N accesses are recorded
    local recorded
    record $1 activation
    recorded=$($weft info --json --elf "$elf" "$tmp/activation.weft" | tr -d ' ' |
        sed 's/.*"derived":{"recorded":\([0-9]*\).*/\1/')
    echo "# $1: $recorded accesses are recorded"
    verdict "a_search_that_keeps_its_best_takes_one_record_a_turn: ${1##*/}" "$recorded" -lt $2
}
searched tests/target/programs/longest.c 20000 # with a record wherever a candidate is counted, 94,000
! in_long || searched lz4 60000

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
