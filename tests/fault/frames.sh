#!/bin/bash
# SPDX-License-Identifier: MIT
# Frames of a recording that are missing, doubled or in another order (tests/fault/frames.py): with status 0 the answer
# is that of the whole recording. WEFT_LONG: every way.
. tests/lib/check.sh
weft=$PWD/build/host/weft
elf=$(make -s build-firmware APP=kernels PROBES=mem OPT=-O2 | tail -n 1)
$weft capture "$elf" -o "$tmp/whole.weft" >/dev/null 2>&1
python3 tests/fault/frames.py "$weft" "$tmp/whole.weft" "$elf" $([ -n "${WEFT_LONG:-}" ] && echo 0 || echo 24)
