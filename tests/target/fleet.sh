#!/bin/bash
# SPDX-License-Identifier: MIT
# A fleet of 48 runs of two versions of a program. One device takes a path that no other takes, and the later version is
# slower in one function: weft fleet finds both, and nothing else.
. tests/lib/check.sh
weft=build/host/weft
runs=24
mkdir -p "$tmp/a" "$tmp/b"
cp tests/target/programs/fleet.c "$tmp/a/fleet.c"
sed 's/^#include/#define LATER\n#include/' tests/target/programs/fleet.c >"$tmp/b/fleet.c"
for v in a b; do
    elf=$(make -s build-firmware APP="$tmp/$v/fleet.c" PROBES=paths | tail -n 1)
    cp "$elf" "$tmp/$v.elf"
done
one() { # VERSION NUMBER
    local fault=
    [ "$1$2" = b7 ] && fault=' fault'
    build/host/weft capture "$tmp/$1.elf" -o "$tmp/$1$2.weft" --argument "fleet $((RANDOM * 7 + $2))$fault" >"$tmp/$1$2.log" 2>&1 ||
        cat "$tmp/$1$2.log"
    printf '%s\tdevice=%s,version=%s\n' "$tmp/$1$2.weft" "$2" "$1" >"$tmp/$1$2.line"
}
export tmp
export -f one
for v in a b; do seq 1 $runs | sed "s/^/$v /"; done | xargs -P 2 -L 1 bash -c 'RANDOM=$1; one "$@"' _
cat "$tmp"/*.line >"$tmp/list"
expect "a list of 48 recordings is merged" 0 '{"recordings":48,"skipped":0,.*"devices":24,.*}' \
    $weft merge --json --elf "$tmp/a.elf" --elf "$tmp/b.elf" --list "$tmp/list" -o "$tmp/all.p"

$weft fleet rare --json "$tmp/all.p" >"$tmp/rare"
python3 - "$tmp/rare" >"$tmp/found" <<'P'
import json, sys
rows = json.load(open(sys.argv[1]))["paths"]
for r in rows:
    print(r["function"], ",".join(r["devices"]), r["count"])
P
sed 's/^/# /' "$tmp/found"
verdict "the paths that one device took are those of its fault" "$(cut -d ' ' -f 2 "$tmp/found" | sort -u)" = 7
verdict "the planted one among them" "$(grep -c '^alarm 7 [0-9]*$' "$tmp/found")" = 1
$weft fleet compare --json --before version=a --after version=b "$tmp/all.p" >"$tmp/compare"
verdict "the slower function is found, and nothing else" \
    "$(python3 -c 'import json,sys; print(*[f["name"] + " " + f["verdict"] for f in json.load(open(sys.argv[1]))["functions"]])' "$tmp/compare")" = "filter slower"
# Recordings that were merged without their image change nothing of it, and are reported.
$weft merge --label device=99,version=a "$tmp/a1.weft" -o "$tmp/bare.p" >/dev/null 2>&1
$weft merge "$tmp/all.p" "$tmp/bare.p" -o "$tmp/mixed.p" >/dev/null 2>&1
$weft fleet compare --json --before version=a --after version=b "$tmp/mixed.p" >"$tmp/mixed" 2>"$tmp/said"
verdict "a recording without its image does not count" "$? $(grep -c ' 1 recordings were merged without' "$tmp/said")" = "3 1"
verdict "and changes no figure, of paths neither" "$(grep -o '"functions":.*"tested"' "$tmp/compare")" = \
    "$(grep -o '"functions":.*"tested"' "$tmp/mixed")" -a -s "$tmp/mixed"
expect "the halves of a version do not differ" 0 '.*0 of [1-9][0-9]* functions.*' $weft fleet compare --before version=a --after version=a "$tmp/all.p"
expect "code that nobody ran is named" 0 '.*of [0-9]* lines ran' $weft fleet uncovered "$tmp/all.p"
# Each question with --label is as of a profile of those recordings alone. Of each version, five are of site 1.
sed 's/device=\([1-5]\),/site=1,&/; t; s/device=/site=2,&/' "$tmp/list" >"$tmp/sited"
grep 'site=1' "$tmp/sited" >"$tmp/site1.list"
$weft merge --elf "$tmp/a.elf" --elf "$tmp/b.elf" --list "$tmp/sited" -o "$tmp/sited.p" >"$tmp/log" 2>&1
$weft merge --elf "$tmp/a.elf" --elf "$tmp/b.elf" --list "$tmp/site1.list" -o "$tmp/ten.p" >"$tmp/log" 2>&1
for question in top 'rare --fewer 4 -k 4' 'compare --all --before version=a --after version=b' uncovered; do
    $weft fleet $question --json --label site=1 "$tmp/sited.p" >"$tmp/chosen" 2>"$tmp/log"
    $weft fleet $question --json "$tmp/ten.p" >"$tmp/alone" 2>"$tmp/log"
    verdict "fleet ${question%% *} --label site=1: as of that site alone" "$(cksum <"$tmp/chosen")" = "$(cksum <"$tmp/alone")"
    verdict "of its ten recordings" "$(grep -c '^{"recordings":10,' "$tmp/chosen")" = 1
done
expect "--label of the page leaves out other sites from all of it" 0 '.*"recordings":10,.*"changed":0,.*' \
    $weft report --json --label site=1 --level 0.001 "$tmp/sited.p" -o "$tmp/site1.html"
expect "where they are not, more has changed" 0 '.*"recordings":48,.*"changed":1,.*' \
    $weft report --json --level 0.001 "$tmp/sited.p" -o "$tmp/sites.html"
$weft fleet top --top 1 "$tmp/all.p" >"$tmp/top"
verdict "the hottest path is in filter" "$(grep -c 'filter fleet.c:' "$tmp/top")" = 1

# Two functions of one name, in two files of one name, of a program that is built in other folders each time: only the
# one that changed is reported. Its paths differ after 300 lines.
for v in a b; do
    mkdir -p "$tmp/of$v/main/uart" "$tmp/of$v/main/can"
    for bus in uart can; do
        {
            printf 'static volatile unsigned word, one = 1;\n'
            printf '__attribute__((noinline)) static void poll(unsigned n)\n{\n'
            seq 300 | sed 's/.*/    word = word + 1;/'
            printf '    if (n & 1)\n        word = word * 3;\n    else\n        word = word / 5 + word / 7;\n}\n'
            printf 'void %s(unsigned n);\nvoid %s(unsigned n)\n{\n' $bus $bus
            printf '    poll(n%s);\n}\n' "$([ $v$bus = bcan ] && echo ' & ~one')"
        } >"$tmp/of$v/main/$bus/port.c"
    done
    cat >"$tmp/of$v/main/main.c" <<'C'
#include <stdlib.h>
void uart(unsigned n);
void can(unsigned n);
int main(int argc, char **argv)
{
    for (unsigned i = argc > 1 ? (unsigned)atoi(argv[1]) : 0; i > 0; i--) {
        uart(i);
        can(i);
    }
    return 0;
}
C
    elf=$(make -s build-firmware APP="$tmp/of$v/main" PROBES=paths 2>"$tmp/log" | tail -n 1)
    cp "$elf" "$tmp/of$v.elf"
    for n in 10 20 30 40 50 60 70 80; do
        $weft capture "$tmp/of$v.elf" -o "$tmp/of$v$n.weft" --argument "main $n" >"$tmp/log" 2>&1
        printf '%s\tdevice=%s,version=%s\n' "$tmp/of$v$n.weft" $n $v
    done
done >"$tmp/two.list"
$weft merge --elf "$tmp/ofa.elf" --elf "$tmp/ofb.elf" --list "$tmp/two.list" -o "$tmp/two.p" >"$tmp/log" 2>&1
$weft fleet compare --json --before version=a --after version=b "$tmp/two.p" >"$tmp/two.json"
verdict "of two functions of one name in files of one name the right one changed" "$(python3 -c '
import json, sys
print(*["%s %s %s" % (f["name"], "/".join(f["file"].split("/")[-2:]), f["verdict"]) for f in json.load(open(sys.argv[1]))["functions"]
        if f["name"] == "poll"])' "$tmp/two.json")" = "poll can/port.c slower"
verdict "with its two paths, which differ after 300 lines: the one is taken twice as often, the other no longer" "$(python3 -c '
import json, sys
print(*[[p["after"] / p["before"] for p in f["paths"]] for f in json.load(open(sys.argv[1]))["functions"] if f["name"] == "poll"])' "$tmp/two.json")" = \
    "[2.0, 0.0]"
verdict "and the table says which" "$($weft fleet compare --before version=a --after version=b "$tmp/two.p" | grep -c 'poll (can/port.c)')" = 1

# The page: the same answers, read by a browser.
expect "the page of the fleet" 0 '.*"recordings":48,.*"changed":1,"rare":[1-9].*' \
    $weft report --json "$tmp/all.p" -o "$tmp/fleet.html"
python3 -B tests/target/fleet_page_check.py "$tmp/fleet.html" "$tmp/rare" "$tmp/compare"
expect "a page of two versions that do not differ" 0 '.*"changed":0,.*' \
    $weft report --json --before version=a --after version=a "$tmp/all.p" -o "$tmp/same.html"
expect "--label of the page" 0 '.*' $weft report --label version=a "$tmp/all.p" -o "$tmp/a.html"
verdict "leaves the other version out" "$(grep -c '<td class="name">version=' "$tmp/a.html")" = 1
expect "a page of longer sequences than were merged: status 1" 1 '' $weft report -k 9 "$tmp/all.p" -o "$tmp/none.html"
verdict "writes nothing" ! -e "$tmp/none.html"
expect "--before without --after: status 2" 2 '' $weft report --before version=a "$tmp/all.p" -o "$tmp/none.html"
expect "--label with a recording: status 2" 2 '' $weft report --label version=a --elf "$tmp/a.elf" "$tmp/a1.weft" \
    -o "$tmp/none.html"

# --label of the commands that take a profile in the place of a recording: as of a profile of those recordings alone.
for s in 1 2; do
    $weft merge --label site=$s --elf "$tmp/a.elf" "$tmp"/a${s}[0-4].weft -o "$tmp/site$s.p" >"$tmp/log" 2>&1 || cat "$tmp/log"
done
$weft merge "$tmp/site1.p" "$tmp/site2.p" -o "$tmp/sites.p" >"$tmp/log" 2>&1 || cat "$tmp/log"
as_alone() { # NAME COMMAND...
    local name=$1
    shift
    "$@" "$tmp/site2.p" >"$tmp/alone" 2>"$tmp/log"
    "$@" --label site=2 "$tmp/sites.p" >"$tmp/chosen" 2>"$tmp/log"
    verdict "$name --label site=2: as of that site alone" "$(cksum <"$tmp/alone")" = "$(cksum <"$tmp/chosen")" -a -s "$tmp/alone"
    "$@" "$tmp/sites.p" >"$tmp/both" 2>"$tmp/log"
    verdict "$name: which is not all" "$(cksum <"$tmp/both")" != "$(cksum <"$tmp/chosen")"
}
as_alone paths $weft paths -k 1 --elf "$tmp/a.elf"
as_alone functions $weft functions --elf "$tmp/a.elf"
as_alone "coverage --lines" $weft coverage --lines --elf "$tmp/a.elf"
as_alone "export --as folded" $weft export --as folded --elf "$tmp/a.elf" -o /dev/stdout
for s in 1 2 s; do
    $weft export --as sqlite --elf "$tmp/a.elf" -o "$tmp/db" "$tmp/site$s.p" >"$tmp/log" 2>&1
    verdict "export --as sqlite of site$s: status" $? -eq 0
    sqlite3 "$tmp/db" 'SELECT sum(count), sum(instructions) FROM paths' >"$tmp/sums$s"
done
verdict "its paths are the sums of those with either label" "$(paste -d '|' "$tmp/sums1" "$tmp/sums2" |
    awk -F '|' '{ print $1 + $3 "|" $2 + $4 }')" = "$(cat "$tmp/sumss")"
expect "--label that no recording has: status 1" 1 '' $weft paths -k 1 --elf "$tmp/a.elf" --label site=9 "$tmp/sites.p"
expect "--label device: status 2" 2 '' $weft paths -k 1 --elf "$tmp/a.elf" --label device=1 "$tmp/sites.p"
expect "--label of coverage with a recording: status 2" 2 '' $weft coverage --elf "$tmp/a.elf" --label site=1 "$tmp/a1.weft"

if command -v mpirun >/dev/null && [ -x build/host/weft-mpi ]; then
    ranks="mpirun --allow-run-as-root --oversubscribe -n 4"
    # Of four, two would wait for a processor, and a rank that waits for another takes all of one.
    two=$ranks
    in_long || two=${ranks%4}2
    images="--elf $tmp/a.elf --elf $tmp/b.elf"
    verdict "the help of weft-mpi has each of its options" \
        "$(build/host/weft-mpi --help | grep -cE '^  (-o, --output|-k K|--elf|--label|--mpi|--json) ')" = 6
    $ranks $weft merge $images --mpi "$tmp/list" -o "$tmp/mpi.p" >"$tmp/log" 2>&1
    verdict "four ranks give the same profile" "$(cksum <"$tmp/mpi.p")" = "$(cksum <"$tmp/all.p")"
    verdict "and leave no parts" ! -e "$tmp/mpi.p.parts"
    { cat "$tmp/list"; echo "$tmp/none.weft"; head -n 3 "$tmp/list"; } >"$tmp/worse"
    $two $weft merge $images --mpi "$tmp/worse" -o "$tmp/worse.p" --json >"$tmp/log" 2>&1
    verdict "a bad recording and three repeated ones are left out" "$(grep -c '"recordings":48,"skipped":4' "$tmp/log")" = 1
    verdict "and the others count once" "$(cksum <"$tmp/worse.p")" = "$(cksum <"$tmp/all.p")"
    { seq -f "$tmp/missing%05g.weft" 3000; cat "$tmp/list"; } >"$tmp/missing"
    $two $weft merge $images --mpi "$tmp/missing" -o "$tmp/missing.p" >"$tmp/log" 2>&1
    verdict "3,000 names that are missing are printed whole, in their order" \
        "$(sed -n 's/^weft merge: left out: \(.*\): cannot read it: .*/\1/p' "$tmp/log" | cksum)" = "$(head -n 3000 "$tmp/missing" | cksum)"
    # A rank is killed when the first block is done.
    for i in $(seq 1 $(in_long && echo 20 || echo 6)); do sed "s/device=/site=s$i,device=/" "$tmp/list"; done >"$tmp/long"
    $ranks $weft merge $images --mpi "$tmp/long" -o "$tmp/killed.p" >"$tmp/log" 2>&1 &
    job=$!
    for _ in $(seq 1 500); do
        ls "$tmp"/killed.p.parts/*.weft-profile >/dev/null 2>&1 && break
        sleep 0.02
    done
    rank=$(for p in $(pgrep -P $job); do cat /proc/"$p"/comm 2>/dev/null | grep -qx 'weft-mpi' && echo "$p"; done | head -n 1)
    kill -9 "$rank" 2>/dev/null
    wait $job
    killed=$?
    parts=$(ls "$tmp"/killed.p.parts/*.weft-profile 2>/dev/null | wc -l)
    verdict "a rank that dies ends the job" $killed -ne 0
    verdict "when some blocks were done" "$parts" -gt 0 -a ! -e "$tmp/killed.p"
    cp -r "$tmp/killed.p.parts" "$tmp/stale.p.parts"
    $two $weft merge $images --mpi "$tmp/long" -o "$tmp/killed.p" >"$tmp/log" 2>&1
    $weft merge $images --list "$tmp/long" -o "$tmp/long.p" >"$tmp/log" 2>&1
    verdict "the same command again does the rest" "$(cksum <"$tmp/killed.p")" = "$(cksum <"$tmp/long.p")"
    # Each input is another recording now: parts of the old ones do not count.
    set -- $(cut -f 1 "$tmp/list" | head -n 2)
    cp "$1" "$tmp/first.weft" && cp "$2" "$1"
    $two $weft merge $images --mpi "$tmp/long" -o "$tmp/stale.p" >"$tmp/log" 2>&1
    $weft merge $images --list "$tmp/long" -o "$tmp/changed.p" >"$tmp/log" 2>&1
    verdict "parts of inputs that have changed are made anew" "$(cksum <"$tmp/stale.p")" = "$(cksum <"$tmp/changed.p")"
    cp "$tmp/first.weft" "$1"

    # The same with hosts of their own: four network namespaces with their own names, one rank on each.
    . tests/lib/hosts.sh
    if ! in_long; then
        echo "# four hosts: in make test-long"
    elif hosts_up 4; then
        $hosts_mpirun $weft merge $images --mpi "$tmp/worse" -o "$tmp/hosts.p" --json >"$tmp/log" 2>&1
        verdict "four hosts: a bad recording and three repeated ones are left out" \
            "$(grep -c '"recordings":48,"skipped":4' "$tmp/log")" = 1
        verdict "the bad one is named" "$(grep -c "$tmp/none.weft" "$tmp/log")" -ge 1
        verdict "the profile is that of one process" "$(cksum <"$tmp/hosts.p")" = "$(cksum <"$tmp/all.p")"
        $hosts_mpirun $weft merge $images --mpi "$tmp/long" -o "$tmp/lost.p" >"$tmp/log" 2>&1 &
        job=$!
        for _ in $(seq 1 3000); do
            ls "$tmp"/lost.p.parts/*.weft-profile >/dev/null 2>&1 && break
            kill -0 $job 2>/dev/null || break
            sleep 0.02
        done
        for p in $(ip netns pids "$hosts_id-3"); do
            grep -qx weft-mpi "/proc/$p/comm" 2>/dev/null && kill -9 "$p"
        done
        wait $job
        verdict "the rank on the third host dies, and with it the job" $? -ne 0
        verdict "which has left no profile" ! -e "$tmp/lost.p"
        $hosts_mpirun $weft merge $images --mpi "$tmp/long" -o "$tmp/lost.p" >"$tmp/log" 2>&1
        verdict "the same command on four hosts does the rest: each recording counts once" \
            "$(cksum <"$tmp/lost.p")" = "$(cksum <"$tmp/long.p")"
    else
        echo "ok four hosts: left out, $hosts_why"
    fi
else
    echo "ok no MPI here: weft works without"
fi
