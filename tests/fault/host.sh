#!/bin/bash
# SPDX-License-Identifier: MIT
# The host fails under each command: memory, writes, reads, open files, processes (tests/lib/host_faults.py). A clear
# error, a status that is not 0, and no output that looks whole. One fault per command; more with HOST_FAULTS=some
# in the environment, and each with HOST_FAULTS=all (make host-faults) or WEFT_LONG.
. tests/lib/check.sh
weft=$PWD/build/host/weft
gcc -shared -fPIC -O1 -o "$tmp/alloc.so" tests/lib/alloc_faults.c
. tests/lib/host_inputs.sh
python3 tests/lib/host_faults.py "$weft" "$tmp/alloc.so" "$tmp/in" tests/fault/host.commands
