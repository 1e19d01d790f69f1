#!/bin/bash
# SPDX-License-Identifier: MIT
# weft report, as a table in Markdown: the run's instructions, the page's bytes, seconds and peak memory to make it,
# seconds until it is drawn in a headless Chromium. The last row is a long run (rounds.c).
#     tests/bench/report.sh [APP...]
. tests/lib/check.sh
apps=${*:-jpeg interrupts bzip2 lua}

row() { # NAME MAKE...
    local name=$1 elf
    shift
    elf=$(make -s build-firmware "$@" 2>"$tmp/log" | tail -n 1)
    build/host/weft capture "$elf" -o "$tmp/run.weft" >"$tmp/log" 2>&1
    /usr/bin/env python3 -B - "$elf" "$tmp" "$name" <<'PY'
import json, os, resource, subprocess, sys, tempfile, time
sys.path.insert(0, "tests/lib")
from browser import Browser
elf, folder, name = sys.argv[1:]
page = os.path.join(folder, "run.html")
began = time.time()
out = subprocess.run(["build/host/weft", "report", "--json", "--elf", elf, "-o", page, os.path.join(folder, "run.weft")],
                     capture_output=True, check=True)
seconds, used = time.time() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
result = json.loads(out.stdout)
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, Browser(profile) as browser:
    opened = min(browser.open("file://" + page, 1400, 900).seconds for _ in range(3))
print("| %s | %.1f | %.0f | %.1f (%.1f) | %.0f | %.2f |" % (name, result["total"] / 1e6, result["bytes"] / 1e3, seconds,
      used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, opened))
PY
}

echo "| run | million instructions | page, KB | seconds (of the processor) | MB of memory | opens in, seconds |"
echo "|---|--:|--:|--:|--:|--:|"
for app in $apps; do row "$app" APP="$app"; done
[ -n "${WEFT_QUICK:-}" ] || row rounds APP=tests/bench/rounds.c
