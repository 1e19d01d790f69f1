# SPDX-License-Identifier: MIT
"""MSP and PSP in the debugger: `debug_stacks.py WEFT X.wet APP.elf`. The program reads them (mrs): what it read must be
what the server shows before. At each instant sp is one of them, and in a handler MSP; the other one changes only where
an instruction or an exception says so. The walk backwards must show the same. From main to printf."""
import re
import subprocess
import sys

sys.path.insert(0, "tests/lib")
from remote import Remote


def reads_of(elf):
    """Address of each mrs of MSP or PSP: its register, and which it reads."""
    text = subprocess.run(["arm-none-eabi-objdump", "-d", elf], capture_output=True, text=True).stdout
    found = re.findall(r"^\s*([0-9a-f]+):\s[0-9a-f ]+\tmrs\tr(\d+), (MSP|PSP)", text, re.M)
    return {int(pc, 16): (int(register), name) for pc, register, name in found}


def numbers_of(remote):
    """The protocol's numbers of both, from the description."""
    first = int(re.search(r'name="msp"[^>]*regnum="(\d+)"', remote.ask("qXfer:features:read:target.xml:0,4000"))[1])
    return {"MSP": first, "PSP": first + 1}


def word(answer):
    return None if "x" in answer or answer.startswith("E") else int.from_bytes(bytes.fromhex(answer), "little")


def start_of(elf, name):
    text = subprocess.run(["arm-none-eabi-nm", elf], capture_output=True, text=True).stdout
    return int(re.search(r"^(\w+) T %s$" % name, text, re.M)[1], 16)


def walk(remote, numbers, step, end):
    states = []
    while not states or states[-1][0][15] != end:
        stacks = {name: word(remote.ask("p%x" % n)) for name, n in numbers.items()}
        states.append((remote.registers(), stacks))
        remote.ask(step)
    return states


def say(name, good):
    print("ok" if good else "not ok", name)


def main():
    weft, file, elf = sys.argv[1:]
    remote = Remote.started(weft, "gdb", file, "--elf", elf, "--stdio")
    numbers, reads = numbers_of(remote), reads_of(elf)
    first, last = start_of(elf, "main"), start_of(elf, "printf")
    remote.ask("Z0,%x,2" % first)
    remote.ask("c")
    states = walk(remote, numbers, "s", last)
    remote.ask("bs")
    back = walk(remote, numbers, "bs", first)
    remote.close()
    read = wrong = astray = kept = 0
    for (g, stacks), (after, stacks_after) in zip(states, states[1:]):
        handler = g[16] & 511
        astray += g[13] not in stacks.values() or (handler and g[13] != stacks["MSP"])
        if g[15] in reads and after[15] == g[15] + 4:
            register, name = reads[g[15]]
            read += 1
            wrong += after[register] != stacks[name]
        same_mode = handler == after[16] & 511
        other = "PSP" if g[13] == stacks["MSP"] else "MSP"
        if same_mode and stacks[other] != stacks_after[other]:
            kept += 1
    print(f"# {len(states)} instants; {read} reads of MSP and PSP; {kept} changes of the one that sp was not")
    say("stacks_read_by_the_program_are_those_shown", wrong == 0 and read > 10)
    say("stacks_sp_is_one_of_them_and_MSP_in_a_handler", astray == 0)
    say("stacks_the_other_one_changes_by_msr_alone", 0 < kept <= 4)
    say("stacks_backwards_are_the_same", back == states[::-1])


main()
