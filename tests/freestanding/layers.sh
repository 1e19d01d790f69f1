#!/bin/bash
# SPDX-License-Identifier: MIT
# The dependency rule, read off the #include lines:
#   base, config, format <- bytes <- the analyses, frame <- recorder (weft.h above it) -> hal <- port <- boards
# Analyses never include each other. tools use core and hal. Only port/cortex-m and the workloads use boards/board.h.
set -u

includes() { # FILE: the project's headers that it includes, one a line
    sed -nE 's/^[[:space:]]*#[[:space:]]*include "([^"]+)".*/\1/p' "$1"
}

# allowed FILE HEADER
allowed() {
    local file=$1 header=$2 module
    module=$(basename "${file%.*}")
    # A module may have parts: bfcm_word.h belongs to bfcm.
    module=${module%%_*}
    case $header in
    core/$module.h | core/${module}_*.h) return 0 ;;
    esac
    case $file in
    core/base.h | core/config.h | core/format.h) [[ $header == core/config.h ]] ;;
    core/bytes.*) [[ $header == core/base.h ]] ;;
    core/weft.h) [[ $header == core/* ]] ;;
    core/recorder.* | core/recorder_*) [[ $header == core/* || $header == hal/* ]] && [[ $header != core/weft.h ]] ;;
    core/frame.*) [[ $header =~ ^core/(base|bytes|format)\.h$ ]] ;;
    core/*) [[ $header =~ ^core/(base|config|bytes)\.h$ ]] ;;
    hal/*) [[ $header =~ ^(core/base\.h|hal/.*)$ ]] ;;
    port/cortex-m/check_target.c) [[ $header =~ ^(port/cortex-m/.*|tests/lib/check\.h)$ ]] ;;
    port/cortex-m/*) [[ $header =~ ^(core|hal|port/cortex-m)/ || $header == boards/board.h ]] ;;
    boards/*) [[ $header =~ ^(hal|port/cortex-m)/ || $header == boards/board.h ]] ;;
    tools/*) [[ $header =~ ^(core|hal|tools)/ || $header != */* ]] ;;
    esac
}

for layer in core hal port boards tools; do
    bad=0
    files=0
    while read -r file; do
        files=$((files + 1))
        while read -r header; do
            if ! allowed "$file" "$header"; then
                echo "# $file includes $header"
                bad=1
            fi
        done < <(includes "$file")
    done < <(find $layer -name '*.[ch]' -o -name '*.cc' | sort)
    if [ $bad -eq 0 ] && [ $files -gt 0 ]; then
        echo "ok $layer ($files files) keeps to the dependency rule"
    else
        echo "not ok $layer ($files files) keeps to the dependency rule"
    fi
done

if grep -nE '\b(malloc|calloc|realloc|free|alloca|printf|puts)[[:space:]]*\(' core/*.[ch] | sed 's/^/# /' | grep .; then
    echo "not ok core calls neither the heap nor stdio"
else
    echo "ok core calls neither the heap nor stdio"
fi
missing=$(find core hal port boards linker tools tests -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.mk' -o -name '*.ld' -o -name '*.sh' \) \
    -exec sh -c 'head -n 2 "$1" | grep -q "SPDX-License-Identifier: MIT" || echo "# $1"' _ {} \;)
if [ -z "$missing" ]; then
    echo "ok every source file says its license"
else
    echo "$missing"
    echo "not ok every source file says its license"
fi
