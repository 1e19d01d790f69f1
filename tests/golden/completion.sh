#!/bin/bash
# SPDX-License-Identifier: MIT
# Manual pages and completions are made of what --help prints. Each option that a command takes is in its --help, and
# each in the --help that it takes is offered by bash, zsh and fish; and none that it does not take. `make test` asks
# the command only for those that are in no table of options; `make test-long` for each.
. tests/lib/check.sh
build=$PWD/build/host
python3 packaging/manual.py "$build/weft" "$tmp/made"
missing=$(for command in $("$build/weft" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
    [ -s "$tmp/made/man1/weft-$command.1" ] || echo "$command"
done)
verdict "each subcommand has a manual page" "$missing" = ""
verdict "whose synopsis has its lines below each other" \
    "$(cat "$tmp"/made/man1/*.1 | grep -c '^ weft')" -eq 0
completes() { # WORD...: what bash offers for the last of them
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weft; echo "${COMPREPLY[*]}"' "$tmp/made/weft.bash" "$@"
}
verdict "bash completes an option" "$(completes weft capture --mach)" = --machine
verdict "and the words of a list" "$(completes weft export --as s)$(completes weft loops --format u)" = \
    'speedscope sqliteu8 u16 u32'
python3 tests/golden/completion.py "$build/weft" "$tmp/made"
