#!/bin/bash
# SPDX-License-Identifier: MIT
# Every command with paths that are not the files it expects (tests/lib/hostile_paths.py): nothing hangs or crashes, the
# status is right, a message is printed, inputs stay as they are, and no half an output is left.
. tests/lib/check.sh
weft=$PWD/build/host/weft
. tests/lib/host_inputs.sh
python3 tests/lib/hostile_paths.py "$weft" "$tmp/in" tests/fault/host.commands
