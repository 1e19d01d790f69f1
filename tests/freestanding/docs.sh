#!/bin/bash
# SPDX-License-Identifier: MIT
# What the documents name in backticks exists, and a function is in the file they say (`name()` in `file`): files and
# folders, functions, identifiers of Weft, targets of make, subcommands of weft. No table is wider than 100 columns, no
# line of README.md, docs and the FORMAT.md files than 120.
#     `some/path`, `file.c`, `core/ksf`   globs and {a,b} are allowed; a part in capitals (boards/NAME) stands for any
#                                         name
# Nothing unexpected stands at the root.
set -u
root=".ci .clang-format .clang-tidy .editorconfig .git-blame-ignore-revs .gitignore CHANGELOG.md LICENSE Makefile README.md \
boards core docs hal linker packaging port tests tools"
sources=(core hal port boards linker tools tests packaging Makefile)

# Words in backticks outside of code blocks, one per line.
words() { # FILE
    awk '/^ *```/ { code = !code; next } !code && !/^    /' "$1" | grep -oE '`[^`]+`' | tr -d '`' | sort -u
}

is_file() { # WORD
    local found
    shopt -s nullglob
    eval "found=($1)"
    [ -e "${found[0]:-}" ] || [ -e "$1.h" ] && return
    [[ $1 == */* ]] && return 1
    find . \( -path ./build -o -path ./.git \) -prune -o -name "$1" -print | grep -q .
}

# `name()` in `file`: that is where it is.
pairs() { # FILE
    tr '\n' ' ' <"$1" | grep -oE '`[a-z_0-9]+\(\)`( in|,) +`[a-z][A-Za-z0-9_./-]*\.[ch]c?`' | sed -E 's/`([a-z_0-9]+)\(\)`( in|,) +`(.*)`/\1 \3/' |
        while read -r name where; do
            [ ! -e "$where" ] || grep -qE "^[a-z].*\b$name\(" "$where" || echo "# $1: $name() is not in $where"
        done
}

# What is wrong with a word; nothing, if it is right or not one of those above.
wrong() { # WORD
    case $1 in
    "make "[a-z]*) grep -qE "^([a-z-]+ )*$(cut -d ' ' -f 2 <<<"$1")( [a-z-]+)*:" Makefile tools/*/*.mk tools/*.mk port/*.mk tests/*.mk packaging/*.mk ||
        echo "no such target of make" ;;
    "weft "[a-z]*) grep -q "{\"$(cut -d ' ' -f 2 <<<"$1")\", command_" tools/weft/main.c || echo "no such subcommand" ;;
    *NAME* | *\ * | build/* | \$* | /* | -* | *://*) ;;
    *'()') grep -rqw -- "${1%()}" "${sources[@]}" || echo "no such function" ;;
    weft_[a-z]*[!/] | WEFT_[A-Z]* | __weft_* | wet_[a-z]*)
        [[ $1 =~ ^[A-Za-z0-9_]+$ ]] || return
        grep -rqw -- "$1" "${sources[@]}" || echo "no such identifier" ;;
    */* | *.[chs] | *.cc | *.sh | *.mk | *.ld | *.md | *.py)
        [[ $1 =~ ^[][A-Za-z0-9_.*{},/+-]+$ ]] || return
        [[ /$1/ =~ /[A-Z]+/ ]] || is_file "$1" || echo "no such file" ;;
    esac
}

for file in README.md CHANGELOG.md docs/*.md core/FORMAT.md tools/qemu/FULL.md tools/lib/wet/FORMAT.md; do
    bad=$(words "$file" | while read -r word; do
        what=$(wrong "$word")
        [ -z "$what" ] || echo "# $file: $what: $word"
    done
    awk -v file="$file" '/^\|/ && length > 100 { print "# " file ":" NR ": a table of " length " columns" }
                         length > 120 && file ~ /^README|^docs|FORMAT/ { print "# " file ":" NR ": a line of " length " columns" }' "$file")
    bad+=$(pairs "$file")
    [ -z "$bad" ] || echo "$bad"
    [ -n "$bad" ] && echo "not ok what $file names exists" || echo "ok what $file names exists"
done

if [ -e .git ]; then
    stray=$(git ls-files | cut -d / -f 1 | sort -u | grep -vxF -f <(tr ' ' '\n' <<<"$root") | tr '\n' ' ')
    [ -z "$stray" ] || echo "# at the root: $stray"
    [ -n "$stray" ] && echo "not ok what stands at the root belongs there" || echo "ok what stands at the root belongs there"
fi
