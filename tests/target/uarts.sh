#!/bin/bash
# SPDX-License-Identifier: MIT
# The UART of each board with a board.c of its own carries the paths that semihosting carries. Without WEFT_LONG: of one
# board for each kind of UART; WEFT_QUICK: of one board only.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

paths() { # BOARD SINK: the paths, in order, with their places
    elf=$(make -s build-firmware BOARD="$1" APP=kernels OPT=-O2 PROBES=paths SINK="$2" | tail -n 1)
    build/host/weft capture "$elf" -o "$out/$1.weft" >"$out/$1.log" 2>&1 || return 1
    build/host/weft dump "$out/$1.weft" --elf "$elf" --events control | grep ' block '
}

one() { # BOARD
    paths "$1" semihost >"$out/$1.semihost" && paths "$1" uart >"$out/$1.uart" && cmp "$out/$1.semihost" "$out/$1.uart" &&
        [ "$(wc -l <"$out/$1.uart")" -gt 10000 ] && echo "ok the UART of $1 carries every path" && return
    sed 's/^/# /' "$out/$1.log"
    echo "not ok the UART of $1 carries every path"
}
export -f paths one
export out

# The UART of an AN505 and of an AN547 is that of an AN385, elsewhere.
boards=$(ls boards/*/board.c | cut -d / -f 2)
[ -n "${WEFT_LONG:-}" ] || boards=$(grep -vE '^mps2-an505$|^mps3-an547$' <<<"$boards")
[ -z "${WEFT_QUICK:-}" ] || boards=mps2-an385
xargs -P "${JOBS:-2}" -I {} bash -c 'one {}' <<<"$boards"
