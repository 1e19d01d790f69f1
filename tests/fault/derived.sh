#!/bin/bash
# SPDX-License-Identifier: MIT
# Files that Weft derives from a stream - nests, paths, squeezed numbers, models, grammars in JSON: exit status 0
# means the stream that was put in. Bits flipped (every 19th, with WEFT_LONG each), and cuts, through each command that
# reads the file. Old versions are read.
. tests/lib/check.sh
weft=build/host/weft
derived=tests/golden/derived

back() { # KIND FILE: the stream that it stands for
    case $1 in
    nest) $weft loops --expand "$2" ;;
    wpp | json) $weft grammar --expand "$2" ;;
    sqz) $weft unsqueeze "$2" ;;
    mod) $weft model --expand "$2" ;;
    esac
}

for file in $derived/*-[0-9]; do
    kind=${file##*.} kind=${kind%-*}
    back "$kind" "$file" >"$tmp/back"
    verdict "$(basename "$file")_is_read" "$(cmp "$tmp/back" "${file%.*}" && echo same)" = same
done

# damaged KIND FILE STREAM: prints how many flips and cuts were tried, and how many gave another stream with status 0.
damaged() {
    python3 - "$weft" "$@" <<'PY'
import os, subprocess, sys
weft, kind, path, stream = sys.argv[1:5]
command = {"nest": ["loops", "--expand"], "wpp": ["grammar", "--expand"], "json": ["grammar", "--expand"], "text": ["grammar", "--expand"],
           "sqz": ["unsqueeze"], "mod": ["model", "--expand"]}[kind]
content, wanted = open(path, "rb").read(), open(stream, "rb").read()
tried = wrong = killed = 0
def attempt(data):
    global tried, wrong, killed
    run = subprocess.run([weft] + command + ["-"], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    tried += 1
    killed += run.returncode < 0
    allowed = b"unchecked" in run.stderr and (kind != "text" or data == content[:len(data)])
    wrong += run.returncode == 0 and run.stdout != wanted and not allowed
# The step is odd, so each bit of a byte has its turn.
step = 1 if os.environ.get("WEFT_LONG") else 19
for bit in range(0, 8 * len(content), step):
    flipped = bytearray(content)
    flipped[bit // 8] ^= 1 << bit % 8
    attempt(bytes(flipped))
for cut in range(0, len(content), (step + 2) // 3):
    attempt(content[:cut])
print("# %s: %d bytes, %d flips and cuts" % (kind, len(content), tried), file=sys.stderr)
print("%d wrong, %d killed" % (wrong, killed))
PY
}
for file in $derived/*.{nest,wpp,sqz,mod}-*; do
    kind=${file##*.} kind=${kind%-*}
    verdict "no_flip_or_cut_of_$(basename "$file")_changes_its_stream_in_silence" \
        "$(damaged $kind "$file" "${file%.*}")" = '0 wrong, 0 killed'
done
# A cut may take a text's sum away. Then the text is called unchecked.
$weft grammar $derived/words >"$tmp/paths.text"
verdict "no_flip_of_a_grammar's_text_changes_its_stream_in_silence" \
    "$(damaged text "$tmp/paths.text" $derived/words)" = '0 wrong, 0 killed'
