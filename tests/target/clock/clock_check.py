# SPDX-License-Identifier: MIT
"""Time against the truth (tests/target/clock.sh).

    clock_check.py timer DUMP     of a full recording: what the timer said at each reading is the emulator's virtual
                                  time, which is 1 ns an instruction
    clock_check.py stamps DUMP    of a recording: each event whose value is the time lies between its neighbouring
                                  stamps, all with one and the same offset between both clocks
    clock_check.py every N DUMP   the paths between two stamps
"""
import re, sys

TIMER, TICK_NS = 0x40001004, 40


def timer(lines):
    now, low, high, count = 0, -1 << 62, 1 << 62, 0
    for line in lines:
        if " instruction " in line:
            now += 1
        elif " load 0x40001004 4 value " in line:
            ticks = ~int(line.split()[5]) & 0xffffffff
            if ticks == 0xffffffff:
                continue  # not started yet
            # TICK_NS * ticks <= now + offset < TICK_NS * (ticks + 1)
            low, high = max(low, TICK_NS * ticks - now), min(high, TICK_NS * (ticks + 1) - now)
            count += 1
    verdict = "same" if low < high + 1 and count > 300 else "differs"
    print("%s: %d readings, offset %d to %d ns" % (verdict, count, low, high))


def stamps(lines):
    low, high, last, count, waiting, widest = -1 << 62, 1 << 62, None, 0, [], 0
    for line in lines:
        match = re.match(r"\d+ (stamp time|event id 1) (\d+)", line)
        if not match:
            continue
        value = int(match[2])
        if match[1] == "stamp time":
            for time in waiting:
                high = min(high, value - time)
                count += 1
            widest = max(widest, value - last) if last is not None and waiting else widest
            last, waiting = value, []
        elif last is not None:
            low = max(low, last - value)
            waiting.append(value)
    print("%s: %d events, offset %d to %d ticks, stamps at most %d apart" %
          ("between" if low <= high and count > 300 else "outside", count, low, high, widest))


def every(lines, most):
    paths, counts = 0, []
    for line in lines:
        if " path " in line:
            paths += 1
        elif " stamp time " in line:
            counts.append(paths)
            paths = 0
    counts = sorted(counts) or [1 << 30]
    verdict = "near" if counts[-1] <= most else "far"
    print("%s: %d stamps, %d paths between at most" % (verdict, len(counts), counts[-1]))


with open(sys.argv[-1], errors="replace") as dump:
    if sys.argv[1] == "timer":
        timer(dump)
    elif sys.argv[1] == "stamps":
        stamps(dump)
    else:
        every(dump, 2 * int(sys.argv[2]) + 512)  # a run of predicted paths is not interrupted
