#!/bin/bash
# SPDX-License-Identifier: MIT
# Addresses and values by each coder on the target, as tables in Markdown. Bytes per access and per value are those of
# the sections that hold them (`weft info`), beside zstd -19 of the same raw numbers. Instructions per access and per
# value are all in: call of the probe, coder and frames; they are how much longer the program runs (the emulator plugin
# counts). `walk` (tests/bench/walk.c) is a program whose accesses and values are all predicted. Programs that wait for
# interrupts run for different times, so they have no instructions.
#     tests/bench/numbers.sh [APP...]
. tests/lib/check.sh
apps=${*:-walk $(cd tests/workloads && ls -d */ | tr -d / | grep -vxE "adding|thermostat")}
[ -z "${WEFT_QUICK:-}" ] || apps="walk kernels"
make -s build/host/tests/bench/raw_numbers >/dev/null || exit 1

# run NAME MAKE...: records $tmp/NAME.weft, and sets count_NAME (instructions), bus_NAME, values_NAME (bytes per event),
# hits_NAME
run() {
    local name=$1
    shift
    elf=$(make -s build-firmware "APP=$path" OPT=-O2 "$@" 2>"$tmp/log" | tail -n 1)
    build/host/weft capture "$elf" -o "$tmp/$name.weft" >"$tmp/log" 2>&1
    build/host/weft info "$tmp/$name.weft" >"$tmp/info"
    printf -v "bus_$name" %s "$(awk '$1 == "bus" && NF == 6 { printf "%.2f", $5 }' "$tmp/info")"
    printf -v "values_$name" %s "$(awk '$1 == "values" && NF == 6 { printf "%.2f", $5 }' "$tmp/info")"
    printf -v "hits_$name" %s "$(awk '$1 == "values" && $2 == "predicted" { printf "%.0f %%", $4 }' "$tmp/info")"
    build/host/weft capture "$elf" --count "$tmp/count" >"$tmp/log" 2>&1
    printf -v "count_$name" %s "$(awk '$1 == "total" { print $2 }' "$tmp/count")"
    calls=$(awk '$2 == "__weft_access" { accesses = $3 } $2 ~ /^__weft_value/ { values += $3 } END { print accesses, values }' "$tmp/count")
}

# zstd NAME accesses|values: bytes per number
zstd_of() {
    build/host/tests/bench/raw_numbers "$tmp/$1.weft" "$elf" "$2" >"$tmp/raw"
    awk -v size="$(zstd -19 -qc "$tmp/raw" | wc -c)" -v count="$3" 'BEGIN { printf "%.2f", size / count }'
}

each() { # MORE LESS COUNT: instructions
    case $path in */interrupts | */threads) echo - ;; *) awk "BEGIN { printf \"%.0f\", ($1 - $2) / $3 }" ;; esac
}

head_of() { echo "| workload | $1 |"; echo "|---|$(sed 's/[^|]*/--:/g' <<<"$1")|"; }
accesses_table=$(head_of "accesses | raw | plain | TRE | bfcm | TRE and bfcm | zstd -19 | instructions per access, plain | TRE | bfcm | TRE and bfcm")
values_table=$(head_of "values | plain | bfcm | predicted | zstd -19 | instructions per value, plain | bfcm")
for app in $apps; do
    path=tests/workloads/$app
    [ "$app" = walk ] && path=tests/bench/walk.c
    run paths PROBES=paths PACK=0
    for bus in tre bfcm tre-bfcm plain; do
        run "${bus/-/_}" PROBES=mem BUS=$bus
    done
    read -r accesses _ <<<"$calls"
    accesses_table+=$'\n'"| $app | $accesses | 4 | $bus_plain | $bus_tre | $bus_bfcm | $bus_tre_bfcm | $(zstd_of plain accesses "$accesses")"
    for bus in plain tre bfcm tre_bfcm; do
        count=count_$bus
        accesses_table+=" | $(each "${!count}" "$count_paths" "$accesses")"
    done
    accesses_table+=" |"
    run coded PROBES=values VALUES=bfcm
    run all PROBES=values
    read -r _ values <<<"$calls"
    values_table+=$'\n'"| $app | $values | $values_all | $values_coded | $hits_coded | $(zstd_of all values "$values") \
| $(each "$count_all" "$count_plain" "$values") | $(each "$count_coded" "$count_plain" "$values") |"
done
echo "Bytes and instructions per access (mps2-an385, -O2):"
echo
echo "$accesses_table"
echo
echo "Bytes and instructions per value:"
echo
echo "$values_table"
