#!/bin/bash
# SPDX-License-Identifier: MIT
# The dependency rule (tests/freestanding/layers.py), and that it finds what is planted; core calls neither the heap nor
# stdio; licenses.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
check="python3 -B tests/freestanding/layers.py"
$check . calls build/host build/fw/mps2-an385/obj

# A copy in which one thing is wrong.
mkdir -p "$out/tests"
cp -r core hal port boards tools "$out"
cp -r tests/lib "$out/tests"
planted() { # NAME FAULT: the copy fails, and the fault is named
    $check "$out" ${3:-} >"$out/log"
    if grep -q -- "^# *$2" "$out/log"; then
        echo "ok found: $1"
    else
        echo "not ok found: $1"
    fi
}
mv "$out/tools/lib/base/room.h" "$out"
planted "a room without its header" "tools/lib/base/room.h is missing"
echo "/* base */" >"$out/tools/lib/base/room.h"
planted "a room that says nothing" "tools/lib/base/room.h has no comment"
mv "$out/room.h" "$out/tools/lib/base"
header=$(cd tools/lib/wet && ls ./*.h | head -n 1)
echo "#include \"tools/lib/wet/${header#./}\"" >"$out/tools/lib/base/upward.c"
planted "an include of a room above" "tools/lib/base/upward.c includes tools/lib/wet/"
echo '#include "core/recorder.h"' >"$out/core/tre_upward.h"
planted "an analysis that includes the recorder" "core/tre_upward.h includes core/recorder.h"
echo '#include "core/recorder.h"' >"$out/tools/lib/recording/reader.c"
planted "a reader that includes the recorder" "tools/lib/recording/reader.c includes core/recorder.h"
rm "$out/tools/lib/base/upward.c" "$out/core/tre_upward.h" "$out/tools/lib/recording/reader.c"
printf '#include "tools/lib/base/planted_b.h"\n' >"$out/tools/lib/base/planted_a.c"
: >"$out/tools/lib/base/planted_a.h"
printf '#include "tools/lib/base/planted_a.h"\n' >"$out/tools/lib/base/planted_b.h"
planted "a circle of a source and a header" "circle: tools/lib/base/planted_a, tools/lib/base/planted_b"
plant() { # UNIT TEXT: tools/lib/base/planted_UNIT.c
    printf "$2" >"$out/tools/lib/base/planted_$1.c"
}
plant a 'void b_planted(void);\nvoid a_planted(void)\n{\n    b_planted();\n}\n'
plant b 'void a_planted(void);\nvoid b_planted(void)\n{\n    a_planted();\n}\n'
rm "$out"/tools/lib/base/planted_?.h
planted "a circle of calls" "circle: tools/lib/base/planted_a, tools/lib/base/planted_b" calls
for unit in a b; do
    mv "$out/tools/lib/base/planted_$unit.c" "$out/core/planted_$unit.c"
    mkdir -p "$out/objects/core"
    gcc -c "$out/core/planted_$unit.c" -o "$out/objects/core/planted_$unit.o"
done
planted "a circle of calls between objects" "circle: core/planted_a, core/planted_b" "calls $out/objects"
rm "$out"/core/planted_?.c
plant a 'void planted_uncalled(void)\n{\n}\n'
planted "a function that no other file calls" "tools/lib/base/planted_a: no other file uses planted_uncalled" calls

# docs/ARCHITECTURE.md lists the rooms in the order that the rule knows.
listed=$(sed -n '/^| room in `tools.lib/,/^$/s/^| `\([a-z]*\)` .*/\1/p' docs/ARCHITECTURE.md | tr '\n' ' ')
known=$(python3 -B -c 'import sys; sys.path.insert(0, "tests/freestanding"); import layers; print(*layers.ROOMS)')
if [ "$listed" = "$known " ]; then
    echo "ok docs/ARCHITECTURE.md lists the rooms in their order"
else
    printf '# %s\n# %s\nnot ok docs/ARCHITECTURE.md lists the rooms in their order\n' "$listed" "$known"
fi

unmarked=$(grep -L '#include "core/own.h"' core/*.c port/cortex-m/*.c boards/*/*.c)
[ -z "$unmarked" ] || echo "$unmarked" | sed 's/^/# /'
if [ -z "$unmarked" ]; then echo "ok each source file of the target is marked as Weft's own"; else echo "not ok each source file of the target is marked as Weft's own"; fi

if grep -nE '\b(malloc|calloc|realloc|free|alloca|printf|puts)[[:space:]]*\(' core/*.[ch] | sed 's/^/# /' | grep .; then
    echo "not ok core calls neither the heap nor stdio"
else
    echo "ok core calls neither the heap nor stdio"
fi
missing=$(find core hal port boards linker tools tests -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.mk' -o -name '*.py' -o -name '*.ld' -o -name '*.sh' \) \
    -exec awk 'FNR == 1 { if (file != "") print "# " file; file = FILENAME }
        FNR <= 2 && /SPDX-License-Identifier: MIT/ { file = "" } FNR == 2 { nextfile } END { if (file != "") print "# " file }' {} +)
if [ -z "$missing" ]; then
    echo "ok every source file says its license"
else
    echo "$missing"
    echo "not ok every source file says its license"
fi
