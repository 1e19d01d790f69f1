#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs longer than 2^32 instructions and ticks, made by tests/lib/stretched.py and stretched_full.py: what each command
# and each export says of them is what shorter runs of the same program promise, number by number
# (inspect/ages_check.py).
# make test-long: more than 2^32 paths, and instructions of a full recording, too, which takes six minutes.
. tests/lib/check.sh
weft=build/host/weft
cat >"$tmp/pprof.js" <<'JS'
const { gunzipSync } = require("zlib"), { readFileSync } = require("fs"), { Profile } = require("pprof-format");
const p = Profile.decode(gunzipSync(readFileSync(process.argv[2])));
console.log(JSON.stringify(p, (key, value) => typeof value === "bigint" ? Number(value) : value, 1));
JS

program() { # NAME MAKE...: $elf and $tmp/NAME.weft
    elf=$(make -s build-firmware APP=tests/target/inspect/ages.c PROBES=paths PACK=0 "${@:2}" 2>"$tmp/log" | tail -n 1)
    $weft capture "$elf" -o "$tmp/$1.weft" >"$tmp/log" 2>&1
}

text() { # WHAT RECORDING: all that it says
    case $1 in
    functions) $weft functions --json --unit instructions --elf "$elf" "$2" ;;
    tree) $weft functions --tree --json --unit instructions --elf "$elf" "$2" ;;
    paths) $weft paths -k 2 --json --elf "$elf" "$2" ;;
    coverage | irq | stack) $weft "$1" --json --elf "$elf" "$2" ;;
    report)
        $weft report --json --elf "$elf" "$2" -o "$tmp/page.html" | sed 's/"bytes":[0-9]*//'
        grep -o '"functions":\[\["[^{}]*' "$tmp/page.html"
        ;;
    *)
        local unit=()
        case $1 in speedscope | perfetto | chrome | ctf) unit=(--unit instructions) ;; esac
        rm -rf "$tmp/out"
        $weft export --as "$1" "${unit[@]}" -o "$tmp/out" --elf "$elf" "$2"
        case $1 in
        pprof) NODE_PATH=build/npm/node_modules node "$tmp/pprof.js" "$tmp/out" ;;
        perfetto) protoc --decode=Trace -I tests/target perfetto.proto <"$tmp/out" ;;
        ctf) babeltrace2 --clock-cycles "$tmp/out" | sed 's/(+[^)]*)//' ;;
        sqlite) sqlite3 "$tmp/out" .dump ;;
        *) cat "$tmp/out" ;;
        esac
        ;;
    esac
}

stretch() { # NAME TURNS: prints how many phases were stretched, and the paths
    python3 -B tests/lib/stretched.py "$tmp/$1.weft" "$tmp/$1.$2.weft" "$2"
}

affine() { # NAME TURNS LEAST WHAT...: each number of each is what 10 and 20 turns promise, and the largest is LEAST
    local name=$1 turns=$2 least=$3 what t
    for what in "${@:4}"; do
        for t in 10 20 "$turns"; do
            text "$what" "$tmp/$name.$t.weft" >"$tmp/$t" 2>"$tmp/log" || echo "status $?" >>"$tmp/$t"
        done
        python3 -B tests/target/inspect/ages_check.py 10 "$tmp/10" 20 "$tmp/20" "$turns" "$tmp/$turns" >"$tmp/result"
        sed "s/^/# $what: numbers, of these greater, the greatest: /" "$tmp/result"
        verdict "$name, $what: each number is what shorter runs promise" \
            "$(awk -v least="$least" 'NF == 3 && $2 > 0 && $3 >= least { print "yes" }' "$tmp/result")" = yes
    done
}

program labour
verdict 'a recording that was written again with as many turns is the same run' "$(stretch labour 10)" = '1 18' -a \
    "$($weft dump --events control "$tmp/labour.weft" | grep -c ' path ')" = 18 -a \
    "$($weft functions --elf "$elf" "$tmp/labour.weft" | cksum)" = "$($weft functions --elf "$elf" "$tmp/labour.10.weft" | cksum)"
for turns in 20 2000000 2000001; do stretch labour $turns >/dev/null; done
affine labour 2000000 6000000000 functions tree folded callgrind csv speedscope chrome pprof perfetto ctf sqlite irq report
affine labour 2000000 2000000 coverage lcov paths
expect 'the clock, too, has passed 2^32 ticks' 0 '.* 320001280 us, .*' $weft export --as chrome --unit us -o "$tmp/out" \
    --elf "$elf" "$tmp/labour.2000000.weft"
paths='"common":2000004,.*"count_a":2000008,"count_b":2000009,'
selfs='"a":{"calls":1.0,"self":6148006157.0},"b":{"calls":1.0,"self":6148009231.0}'
expect 'diff of two such runs, of which one has one turn more' 0 "{\"equal\":false,.*$paths.*$selfs.*" \
    $weft diff --json --elf "$elf" "$tmp/labour.2000000.weft" "$tmp/labour.2000001.weft"
# Calls. Those that stand one by one in a file are as many as they are.
program calls VARIANT=calls APP_CFLAGS=-DCALLS
for turns in 10 20 200000; do stretch calls $turns >/dev/null; done
affine calls 200000 600000000 functions callgrind sqlite folded

# Full recordings.
elf=$(make -s build-firmware APP=tests/target/inspect/ages.c PROBES=none VARIANT=registers APP_CFLAGS=-DREGISTERS \
    2>"$tmp/log" | tail -n 1)
$weft capture --full "$elf" -o "$tmp/full.weft" >"$tmp/log" 2>&1
for turns in 10 20 100; do
    python3 -B tests/lib/stretched_full.py "$tmp/full.weft" "$tmp/full.$turns.weft" $turns >"$tmp/made"
done
verdict 'a chunk of a full recording stands a hundred times more' "$(cut -d ' ' -f 1 "$tmp/made")" = 131072
affine full 100 15000000 functions callgrind perfetto sqlite

# More than 2^32 paths, or instructions of a full recording.
in_long || exit 0
python3 -B tests/lib/stretched_full.py "$tmp/full.weft" "$tmp/full.32800.weft" 32800 >"$tmp/made"
affine full 32800 4300000000 perfetto
program labour
for turns in 10 20 4400000000; do stretch labour $turns >/dev/null; done
affine labour 4400000000 13000000000000 perfetto
