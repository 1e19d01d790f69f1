#!/bin/bash
# SPDX-License-Identifier: MIT
# Peak memory in MB of every command that takes a recording, for three lengths of one program (rounds.c), as a table in
# Markdown: with probes and memory, and full recordings. The last column is what the longest takes more than the
# shortest, in bytes for each byte of the recording: 0.0 where nothing grows with the run.
#     tests/bench/memory.sh
. tests/lib/check.sh
probes="5 10 20" full="1 2 4"
[ -z "${WEFT_QUICK:-}" ] || { probes="1 2 4" full="1 2 4"; }

record() { # KIND ROUNDS FLAGS...: $tmp/KIND.ROUNDS.weft and its image
    local kind=$1 rounds=$2 elf
    shift 2
    elf=$(make -s build-firmware APP=tests/bench/rounds.c VARIANT="rounds$rounds" APP_CFLAGS="-DROUNDS=$rounds" \
        "PROBES=$kind" 2>"$tmp/log" | tail -n 1)
    cp "$elf" "$tmp/$kind.$rounds.elf"
    build/host/weft capture "$@" "$elf" -o "$tmp/$kind.$rounds.weft" >"$tmp/log" 2>&1 || cat "$tmp/log"
}

peak() { # COMMAND...: KB
    /usr/bin/env time -f "peak %M" -o "$tmp/time" build/host/weft "$@" >/dev/null 2>"$tmp/log" </dev/null
    local status=$?
    case $status in 0 | 3) sed -n 's/^peak //p' "$tmp/time" ;; *) echo 0 ;; esac
}

row() { # KIND ROUNDS NAME COMMAND...: IN is the recording, APP its image, OUT a file to write
    local kind=$1 rounds=$2 name=$3 line first='' kb size=0 least=0
    shift 3
    line="| $name"
    for n in $rounds; do
        local all=("${@//APP/$tmp/$kind.$n.elf}")
        all=("${all[@]//OUT/$tmp/out.$n}")
        kb=$(peak "${all[@]//IN/$tmp/$kind.$n.weft}")
        line+=" | $(awk "BEGIN { printf \"%.1f\", $kb / 1024 }")"
        size=$(stat -c %s "$tmp/$kind.$n.weft")
        [ -n "$first" ] || first=$kb least=$size
        rm -rf "$tmp/out.$n"
    done
    echo "$line | $(awk "BEGIN { printf \"%.1f\", ($kb - $first) * 1024 / ($size - $least) }") |"
}

table() { # KIND ROUNDS: rows from standard input, `NAME: COMMAND`
    local kind=$1 rounds=$2 head="| command"
    for n in $rounds; do
        head+=" | $(awk "BEGIN { printf \"%.1f MB\", $(stat -c %s "$tmp/$kind.$n.weft") / 1e6 }")"
    done
    printf '%s | grows |\n|---|--:|--:|--:|--:|\n' "$head"
    while IFS=: read -r name command; do
        # The words of a command have no blanks.
        row "$kind" "$rounds" "$name" $command
    done
}

for n in $probes; do record mem "$n"; done
for n in $full; do record none "$n" --full; done
echo "With probes and memory:"
table mem "$probes" <<'ROWS'
info: info IN
info --elf: info --elf APP IN
overview: overview --elf APP IN
dump: dump --elf APP IN
dump --times: dump --times --elf APP IN
dump --backward: dump --backward --elf APP IN
paths -k 4: paths -k 4 --elf APP IN
functions: functions --elf APP IN
coverage: coverage --elf APP IN
stack: stack --elf APP IN
irq: irq --elf APP IN
io: io --elf APP IN
race: race --elf APP IN
diff with itself: diff --elf APP IN IN
report: report -o OUT --elf APP IN
merge: merge --elf APP IN -o OUT
grammar: grammar IN
grammar -o: grammar -o OUT IN
hot: hot IN
loops --window 64: loops --window 64 IN
loops: loops IN
model: model --elf APP IN
export folded: export --as folded -o OUT --elf APP IN
export pprof: export --as pprof -o OUT --elf APP IN
export sqlite: export --as sqlite -o OUT --elf APP IN
export perfetto: export --as perfetto -o OUT --elf APP IN
export ctf: export --as ctf -o OUT --elf APP IN
export csv: export --as csv -o OUT --elf APP IN
ROWS
echo
echo "Full recordings:"
table none "$full" <<'ROWS'
info: info IN
info --elf: info --elf APP IN
overview: overview --elf APP IN
dump: dump --elf APP IN
functions: functions --elf APP IN
coverage: coverage --elf APP IN
stack: stack --elf APP IN
irq: irq --elf APP IN
io: io --elf APP IN
race: race --elf APP IN
diff with itself: diff --elf APP IN IN
report: report -o OUT --elf APP IN
export folded: export --as folded -o OUT --elf APP IN
export sqlite: export --as sqlite -o OUT --elf APP IN
export perfetto: export --as perfetto -o OUT --elf APP IN
wet build: wet build --elf APP IN -o OUT
ROWS
