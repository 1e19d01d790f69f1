#!/bin/bash
# SPDX-License-Identifier: MIT
# Fuzzes the readers (tests/lib/readers.c) with afl++, SECONDS each, two at a time, and prints a line for each:
# executions, edges, covered lines of the reader's rooms, findings.
#     run.sh SECONDS READER...        what it finds stays in build/fuzz/out/READER
set -u
seconds=$1
shift
fuzz=build/fuzz
out=${FUZZ_OUT:-$fuzz/out}
memory=/dev/shm
[ -w $memory ] || memory=${TMPDIR:-/tmp}
folder=$(mktemp -d $memory/weft-fuzz.XXXXXX)
trap 'rm -rf "$folder"' EXIT
export AFL_QUIET=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
    AFL_IMPORT_FIRST=1 AFL_HANG_TMOUT=20000 \
    ASAN_OPTIONS=malloc_context_size=0:abort_on_error=1:detect_leaks=0:symbolize=0:allocator_may_return_null=1:max_allocation_size_mb=4096 \
    UBSAN_OPTIONS=abort_on_error=1:symbolize=0

fuzz_one() { # READER
    rm -rf "$out/$1"
    mkdir -p "$out/$1" "$folder/$1" "$folder/inputs/$1"
    cp "${FUZZ_INPUTS:-tests/fuzz/corpus}/$1"/* "$folder/inputs/$1"
    "${FUZZ_PROGRAM:-$fuzz/readers}" --first "$1" "$folder/inputs/$1"
    local words=tests/fuzz/afl/$1.dict
    # shellcheck disable=SC2046 # an option and its file
    nice -n 19 afl-fuzz $([ ! -e "$words" ] || echo -x "$words") -i "$folder/inputs/$1" -o "$out/$1" -V "$seconds" -m none -t 20000 -G 65536 \
        -- "${FUZZ_PROGRAM:-$fuzz/readers}" "$1" "$folder/$1" >"$out/$1/log" 2>&1
    tail -n 3 "$out/$1/log" | grep -i abort
}

stat_of() { # READER KEY
    sed -n "s/^$2 *: //p" "$out/$1/default/fuzzer_stats"
}
export -f fuzz_one
export fuzz out folder seconds
mkdir -p "$out"
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -I{} bash -c 'fuzz_one {}'

# The rooms that hold a reader.
sources_of() { # READER
    case $1 in
    container) echo core/frame{,_open}.c core/bytes{,_read}.c $(ls tools/lib/recording/*.c | grep -v full) ;;
    full) echo tools/lib/recording/full*.c tools/lib/profile/execution_full.c tools/lib/wet/gather*.c ;;
    wet) echo tools/lib/wet/{open,directory*,stream,past,word*}.c tools/lib/squeeze/cursor*.c ;;
    squeezed) echo tools/lib/squeeze/{cursor,words}*.c tools/weft/squeeze.c ;;
    model) echo tools/lib/affine/{binary,text}.c ;;
    nest) echo tools/lib/loops/{binary,file}.c ;;
    grammar) echo tools/lib/grammar/{reading,wpp*}.c tools/lib/input/grammar*.c ;;
    profile) echo tools/lib/fleet/{profile_read,merged,restore}.c ;;
    image) echo tools/lib/image/*.c ;;
    svd) echo tools/lib/inspect/svd*.c ;;
    stream) echo tools/lib/input/{input,source,terminals}.c ;;
    packets) echo tools/lib/debug/*.c ;;
    arrivals) echo tools/lib/recording/{swo,follow}.c tools/weft/follow_{run,source}.c ;;
    messages) echo tools/lib/debug/dap*.c tools/lib/base/json_tree.c ;;
    answers) echo tools/lib/emulator/{gdb,visit}.c tools/weft/capture_{memory,health}.c ;;
    memory) echo tools/lib/recording/{ring,blackbox*,fault}.c tools/weft/capture_dump.c ;;
    esac
}

# Lines and branches of these that the inputs reach, in percent.
covered() { # READER
    local data="$folder/$1.data"
    mkdir -p "$folder/replay-$1"
    ln -s "$PWD/$out/$1/default/queue" "$folder/replay-$1/$1"
    LLVM_PROFILE_FILE="$data.%4m" "$fuzz/cover/readers" "$folder/replay-$1" >"$out/$1/replay" 2>&1
    llvm-profdata merge -o "$data" "$data".* 2>/dev/null || return
    llvm-cov report "$fuzz/cover/readers" -instr-profile="$data" $(sources_of "$1") |
        tee "$out/$1/coverage" | awk '$1 == "TOTAL" { print $10, $13 }'
}

status=0
printf '%-10s %10s %9s %7s %7s %8s %9s %9s\n' reader executions a_second inputs edges lines branches findings
for reader; do
    findings=$(find "$out/$reader" \( -path '*/crashes/id*' -o -path '*/hangs/id*' \) | wc -l)
    read -r lines branches < <(covered "$reader")
    printf '%-10s %10s %9s %7s %7s %8s %9s %9s\n' "$reader" "$(stat_of "$reader" execs_done)" \
        "$(stat_of "$reader" execs_per_sec)" "$(stat_of "$reader" corpus_count)" \
        "$(stat_of "$reader" edges_found)" "${lines:--}" "${branches:--}" "$findings"
    [ "$findings" -eq 0 ] && [ "$(stat_of "$reader" execs_done)" -gt 0 ] || status=1
done
exit $status
