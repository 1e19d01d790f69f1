#!/bin/bash
# SPDX-License-Identifier: MIT
# Names each file of C, C++ and JavaScript that .clang-format would write otherwise, and each line that goes beyond
# column 120: all lines of these, the comments of scripts and makefiles. Names each source that has more than 400 lines,
# and each test script that cannot be run.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

sources() { # NAME-PATTERN...: the project's files of these names, each ended by a zero byte
    local names=(-false)
    for pattern in "$@"; do
        names+=(-o -name "$pattern")
    done
    find core hal port boards linker tools tests docs Makefile -type f \( "${names[@]}" \) -print0
}

verdict() { # NAME FILE: what is wrong is in FILE
    if [ -s "$2" ]; then
        sed 's/^/# /' "$2"
        echo "not ok $1"
    else
        echo "ok $1"
    fi
}

unformatted() { # names of files on standard input, each ended by a zero byte
    xargs -0 -n 250 -P "${JOBS:-2}" clang-format --dry-run >"$out/log" 2>&1
    sed -nE 's/^([^: ]+):[0-9]+:[0-9]+: .*/\1: run clang-format -i/p' "$out/log" | sort -u
    grep -E '^(error|Error|YAML|xargs)' "$out/log"
}

too_long() { # names as above
    LC_ALL=C.UTF-8 xargs -0 grep -HnE '^.{121,}' | grep -E '^[^:]*\.(c|h|cc|js|ld):|^[^:]*:[0-9]+:[[:space:]]*#' | cut -c 1-100
}

too_large() { # names as above
    xargs -0 awk 'FNR == 401 { print FILENAME ": more than 400 lines" }'
}

not_runnable() { # FOLDER...
    find "$@" -name '*.sh' -type f ! -perm -u+x
}

sources '*.c' '*.h' '*.cc' '*.js' >"$out/files"
# Versions differ in what they make of some lines.
version=$(clang-format --version | sed -E 's/.* version ([0-9]+).*/\1/')
if [ "$version" = 14 ]; then
    unformatted <"$out/files" >"$out/found"
    verdict "$(tr -cd '\0' <"$out/files" | wc -c) files are formatted by .clang-format" "$out/found"
else
    echo "# the files are formatted by clang-format 14; this is version $version, so they are not compared"
fi

sources '*.c' '*.h' '*.cc' '*.js' '*.sh' '*.py' '*.mk' '*.ld' Makefile run setup fetch compare_builds | too_long >"$out/found"
verdict "no line goes beyond column 120" "$out/found"

sources '*.c' '*.h' '*.cc' '*.py' '*.sh' | too_large >"$out/found"
verdict "no source has more than 400 lines" "$out/found"

not_runnable tests/golden tests/fault tests/freestanding tests/target tests/bench >"$out/found"
verdict "each test script can be run" "$out/found"

# What is opened by that name is emptied if it is a file, as the log is: what failed before would be lost.
grep -rnE '(tee|>) */dev/std(err|out)' tests --include='*.sh' >"$out/found"
verdict "no test empties its own log" "$out/found"

# What is wrong is found.
cp .clang-format "$out"
printf '/* %0120d */\nint  main(void) { return 0; }\n' 0 >"$out/planted.c"
planted() { # NAME FILTER
    if [ "$(printf '%s\0' "$out/planted.c" | $2 | grep -c '^/.*planted.c:')" -eq 1 ]; then
        echo "ok found: $1"
    else
        echo "not ok found: $1"
    fi
}
planted "a file that is not formatted" unformatted
planted "a line of 126 columns" too_long
yes '' | head -400 >>"$out/planted.c"
planted "a file of 402 lines" too_large
touch "$out/planted.sh"
[ "$(not_runnable "$out")" = "$out/planted.sh" ] && echo "ok found: a script that cannot be run" ||
    echo "not ok found: a script that cannot be run"
