#!/bin/bash
# SPDX-License-Identifier: MIT
# The emulator is the oracle: what a target recorded of itself must be what the emulator saw from outside.
#
#     tests/target/oracle.sh                      four small workloads, each at one or two levels and in one or two
#                                                 ways, and thermostat on a microbit; WEFT_LONG: each in all, by UART,
#                                                 too
#     tests/target/oracle.sh APP [OPT [MAKE...]]  one program: a workload, a C file or a folder of C files, and
#                                                 which of its sites differ. MAKE...: settings of `make firmware`, such
#                                                 as CODER=loops
#
# For each: the program prints the same with probes as without; nothing is lost; order, blocks and accesses are the
# emulator's (tests/target/oracle_check.c), and with PROBES=values the values; and of the announced accesses at most one
# in a thousand is not there.
set -u
. tests/lib/check.sh
export tmp
check=build/host/tests/target/oracle_check
make -s $check || { echo "not ok the oracle: $check does not build"; exit 1; }

# firmware MAKE...: builds it, prints the ELF's name.
firmware() {
    make -s build-firmware "$@" 2>"$tmp/build.$BASHPID" | tail -n 1
}

# one NAME SINK OPT APP MAKE...
one() {
    local name=$1 sink=$2 opt=$3 app=$4 elf plain out=$tmp/$BASHPID status time= printed
    # By the host's clock, a watched processor is so slow that interrupts leave it no time. Code that is not optimised
    # gets a processor of 62 MHz, other code one of 31.
    case $app$opt in
    interrupts-O0) time="--icount ${ORACLE_ICOUNT:-4}" ;;
    interrupts* | threads*) time="--icount ${ORACLE_ICOUNT:-5}" ;;
    esac
    shift 4
    elf=$(firmware "APP=$app" "OPT=$opt" "SINK=$sink" ORACLE=1 "$@")
    plain=$(firmware "APP=$app" "OPT=${plain_opt:-$opt}" "$@" PROBES=none)
    if [ ! -f "$elf" ] || [ ! -f "$plain" ]; then
        sed 's/^/# /' "$tmp"/build.* | tail -n 20
        echo "not ok $name: it does not build"
        return
    fi
    # What a program prints without probes is the same in all of its ways: it runs once.
    printed=$tmp/plain.${plain//\//_}
    if [ ! -f "$printed" ]; then
        build/host/weft capture "$plain" --timeout "${ORACLE_TIMEOUT:-600}" --count "$out.count" 2>"$printed" ||
            echo "# status $? without probes"
    fi
    build/host/weft capture "$elf" --timeout "${ORACLE_TIMEOUT:-600}" $time -o "$out.weft" --watch "$out.watch" >"$out.result" 2>"$out.printed"
    status=$?
    if [ $status -ne 0 ]; then
        sed 's/^/# /' "$out.printed" | tail -n 20
        echo "not ok $name: capture ended with status $status, $(cat "$out.result")"
        return
    fi
    if cmp -s "$printed" "$out.printed"; then
        echo "ok $name prints the same with probes as without"
    else
        diff "$printed" "$out.printed" | head -n 10 | sed 's/^/# /'
        echo "not ok $name prints the same with probes as without"
    fi
    if build/host/tests/target/oracle_check "$elf" "$out.weft" "$out.watch" -v >"$out.check" 2>&1; then
        echo "ok $name: $(cut -d, -f1,3 "$out.result"), $(grep -a '^order' "$out.check") $(grep -a '^control' "$out.check")"
    else
        grep -av '^# ' "$out.check" | sed 's/^/# /'
        echo "not ok $name: the trace is not what the emulator saw"
    fi
    if grep -aq '^honesty' "$out.check"; then
        if grep -a '^honesty' "$out.check" | tr '= ' '\n\n' | awk '/^[a-z]/ { key = $0 }
            /^[0-9]/ { all += $0; if (key == "moved" || key == "removed") odd += $0 } END { exit odd * 1000 > all }'; then
            echo "ok $name: $(grep -a '^honesty' "$out.check")"
        else
            echo "not ok $name: $(grep -a '^honesty' "$out.check")"
        fi
    fi
    if grep -aq '^values' "$out.check"; then
        if grep -aq '^values equal=[1-9][0-9]* other=0$' "$out.check"; then
            echo "ok $name: $(grep -a '^values' "$out.check")"
        else
            echo "not ok $name: $(grep -a '^values' "$out.check")"
        fi
    fi
    [ -z "${verbose:-}" ] || grep -a '^# ' "$out.check"
    rm -f "$out".*
}

# Every way of one workload, one after the other. The objects do not depend on the sink, so they are compiled once.
workload() {
    local app=$1 accesses ways
    # What a program prints does not depend on its level of optimisation.
    plain_opt=-O0
    for opt in $opts; do
        # At -O2 and -Os, tests/target/values.sh compares the accesses of others.
        accesses=1
        in_long || case $app$opt in interrupts-O2 | kernels-O2 | threads-O0) ;; *) accesses= ;; esac
        [ -z "$accesses" ] || one "$app $opt" semihost "$opt" "$app"
        # Without accesses, loops of one path record their passes where they end.
        ways=paths,packs,accesses
        in_long || case $app$opt in
        interrupts-Os) ways=accesses ;;
        jpeg-O2) ways=packs ;;
        kernels-O0) ways=paths ;;
        *) ways= ;;
        esac
        [[ $ways != *paths* ]] || one "$app $opt, paths only" semihost "$opt" "$app" PROBES=paths PACK=0
        [[ $ways != *packs* ]] || one "$app $opt, packs" semihost "$opt" "$app" PROBES=paths PACK=1
        [[ $ways != *accesses* ]] || one "$app $opt, packs with accesses" semihost "$opt" "$app" PROBES=mem PACK=1
    done
    # tests/target/sinks.sh and uarts.sh compare what the UART carries with what the oracle has compared here.
    in_long || return
    one "$app uart" uart -O2 "$app"
}
export -f workload one firmware in_long

if [ $# -gt 0 ]; then
    app=$1 opt=${2:--O2}
    shift $(($# > 1 ? 2 : 1))
    verbose=1 one "$(basename "$app") $opt" semihost "$opt" "$app" "$@"
    exit
fi

# The longest first.
apps=$(cd tests/workloads && ls -d */ | tr -d / | grep -vx adding | sed 's/^lua$/0 lua/; t; s/^/1 /' | sort | cut -d ' ' -f 2)
export opts="-O0 -O2 -Os"
[ -z "${WEFT_QUICK:-}" ] || { apps=kernels opts=-O2; }
one "structures and their parts" semihost -O2 tests/target/programs/aggregates.c
[ -n "${WEFT_QUICK:-}" ] || one "thermostat on the microbit" semihost -O2 thermostat BOARD=microbit PROBES=values
printf '%s\0' $apps | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'workload "$1"' _ | grep --line-buffered -a ''
