# SPDX-License-Identifier: MIT
"""Reads RTT as no reader should: rtt_hostile.py SOCKET FIRST LAST OUT_A OUT_B SEED

As rtt_reader.py, but it begins late, stalls, takes parts of what is there, so that it leaves in the middle of frames,
and has a second reader, which takes what the first one then never sees. What each took goes to its file."""
import random
import sys

from rtt_reader import Stub, find


def take(stub, block, share):
    """That share of the bytes that are there, at least one; they are free then."""
    channel = block + 24
    _, bytes_at, size, write_at, read_at, _ = (stub.word(channel + 4 * i) for i in range(6))
    if not bytes_at or write_at == read_at:
        return b""
    count = max(1, int((write_at - read_at) % size * share))
    first = min(count, size - read_at)
    got = stub.read(bytes_at + read_at, first) + stub.read(bytes_at, count - first)
    left_at = (read_at + count) % size
    assert stub.ask("M%x,4:%s" % (channel + 16, left_at.to_bytes(4, "little").hex())) == "OK"
    return got


def main():
    stub = Stub(sys.argv[1])
    first, last = (int(text, 0) for text in sys.argv[2:4])
    files = [open(name, "wb") for name in sys.argv[4:6]]
    chance = random.Random(int(sys.argv[6]))
    block, rests = None, 4
    try:
        stub.ask("?")
        while stub.run(0.002):
            block = block or find(stub, first, last)
            rests -= block is not None
            if rests < 0:
                rests = chance.choice((0, 0, 0, 0, 3))
                chance.choice(files).write(take(stub, block, chance.random()))
    except (EOFError, ConnectionError):
        pass


if __name__ == "__main__":
    main()
