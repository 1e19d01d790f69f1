# SPDX-License-Identifier: MIT
"""blocks_check.py WEFT X.wet APP.elf: of each handler of tests/target/wet/blocks.c, the stacked xPSR that `weft gdb` shows
before its first instruction is what that loads. Prints `HANDLERS WITHIN-BLOCKS WRONG`."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from remote import Remote  # noqa: E402

weft, wet, elf = sys.argv[1:]
names = subprocess.run(["arm-none-eabi-nm", elf], stdout=subprocess.PIPE, check=True, text=True).stdout
handler = [int(line.split()[0], 16) for line in names.splitlines() if line.endswith(" SysTick_Handler")][0]
r = Remote.started(weft, "gdb", wet, "--elf", elf, "--stdio")
r.ask("?")
r.ask("Z0,%x,2" % handler)
count = within = wrong = 0
while "replaylog" not in r.ask("c"):
    sp = r.registers()[13]
    shown = int.from_bytes(r.memory(sp + 28, 4), "little")
    r.ask("s")
    loaded = r.registers()[0]
    count += 1
    within += loaded & 0x0600fc00 != 0
    wrong += shown != loaded
print(count, within, wrong)
