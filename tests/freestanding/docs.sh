#!/bin/bash
# SPDX-License-Identifier: MIT
# What the documents name in backticks exists, and a function is in the file they say (`name()` in `file`): files and
# folders, functions, identifiers of Weft, targets of make, subcommands of weft. Options that stand in a command line of
# weft, in code blocks too, are the subcommand's. No table is wider than 100 columns, no line than 120.
#     `some/path`, `file.c`, `core/ksf`   globs and {a,b} are allowed; a part in capitals (boards/NAME) stands for any
#                                         name
# Nothing unexpected stands at the root.
set -u
root=".ci .clang-format .clang-tidy .editorconfig .git-blame-ignore-revs .gitignore CHANGELOG.md LICENSE Makefile README.md \
boards core docs hal linker packaging port tests tools"
check="python3 -B tests/freestanding/docs.py"
$check README.md CHANGELOG.md docs/*.md core/FORMAT.md tools/qemu/FULL.md tools/lib/wet/FORMAT.md

# What is wrong is found.
planted=$(mktemp "${TMPDIR:-/tmp}/weft-README.XXXXXX")
not=no_such # no identifier of this file has these names
printf '%s\n' '`make no-such-target`, `weft no-such-command`, `core/none.c`, `weft_recorder_init()` in `core/bytes.c`,' \
    "\`${not}_function()\`, \`weft_${not}_thing\`" "| $(printf '%0100d' 0) |" \
    '`main()` in `core/bytes.c`, `weft info --no-such-option`' '    weft dump --events bus --no-such-option RUN.weft' \
    '    weft paths -k 2 RUN.weft  weft loops --tree RUN.weft, genhtml  tool --of-another' "$(printf '%0121d' 0)" \
    '`make test`, `weft info --elf`, `core/ksf`, `core/bytes.{c,h}`,' \
    '`boards/NAME/x.ld`, `weft_recorder_init()` in `core/recorder_init.c`' >"$planted"
found=$($check "$planted" | grep -c '^# ')
[ "$found" -eq 11 ] && echo "ok found: what a document names and there is not" ||
    { $check "$planted"; echo "not ok found: what a document names and there is not ($found of 11)"; }
echo '`weft_recorder_init()` in `core/bytes.c`' >"$planted"
$check "$planted" | grep -q '^not ok' && echo "ok a function that is in another file fails the document" ||
    echo "not ok a function that is in another file fails the document"
rm "$planted"

if [ -e .git ]; then
    stray=$(git ls-files | cut -d / -f 1 | sort -u | grep -vxF -f <(tr ' ' '\n' <<<"$root") | tr '\n' ' ')
    [ -z "$stray" ] || echo "# at the root: $stray"
    [ -n "$stray" ] && echo "not ok what stands at the root belongs there" || echo "ok what stands at the root belongs there"
fi
