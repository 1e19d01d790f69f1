#!/bin/bash
# SPDX-License-Identifier: MIT
# Values as they were recorded on the target, plainly or by predictors, are what the emulator saw passed to the probes,
# and what it saw the machine load and store; the addresses beside them, by predictors and engines, are right as well.
# Here `interrupts` and `kernels` by predictors, bit-fields plainly, and inputs at -O2 (oracle.sh: thermostat plainly);
# with WEFT_LONG each workload in each way, and these at -O0, too.
set -u
export plain_opt=-O0
export ORACLE_ICOUNT=3 # fast enough to do, with all probes, what the interrupts ask for

# check APP OPT MAKE...
check() {
    tests/target/oracle.sh "$@" | grep -a -v '^# ' | sed "s|^\(not \)\?ok [^ ]* [^ :]*|& ${*:3}|"
}
workload() {
    [ -n "${WEFT_LONG:-}" ] || case $1 in bzip2 | jpeg | lua | lz4 | zlib | threads | thermostat) return ;; esac
    check "$1" -O2 PROBES=values VALUES=bfcm BUS=tre-bfcm CODER=loops
    [ -n "${WEFT_LONG:-}" ] || return
    check "$1" -Os PROBES=values
    check "$1" -O2 PROBES=values VALUES=bfcm BUS=bfcm
}
export -f check workload

for opt in ${WEFT_LONG:+-O0} -O2; do check tests/target/programs/bitfields.c $opt PROBES=values; done
for opt in ${WEFT_LONG:+-O0} -O2; do check tests/target/programs/inputs.c $opt PROBES=paths INPUTS=1; done
apps=$(cd tests/workloads && ls -d */ | tr -d / | grep -vx adding)
[ -z "${WEFT_QUICK:-}" ] || apps=kernels
printf '%s\0' $apps | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'workload "$1"' _ | grep --line-buffered -a ''
