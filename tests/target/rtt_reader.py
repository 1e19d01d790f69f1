# SPDX-License-Identifier: MIT
"""Reads RTT out of a program in the emulator as debug probes do: rtt_reader.py SOCKET FIRST LAST [PAUSE]

SOCKET is the emulator's gdb stub, FIRST to LAST the RAM to search for the control block, by its id alone. What comes
on channel 0 goes to standard output, until the program ends. PAUSE seconds pass between two readings."""
import socket
import sys
import time


class Stub:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.have = b""

    def send(self, text):
        data = text.encode()
        self.socket.sendall(b"$" + data + b"#%02x" % (sum(data) & 255))

    def receive(self):
        while True:
            start = self.have.find(b"$")
            end = self.have.find(b"#", start)
            if start >= 0 and end >= 0 and len(self.have) >= end + 3:
                packet, self.have = self.have[start + 1:end], self.have[end + 3:]
                self.socket.sendall(b"+")
                return packet.decode()
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.have += more

    def ask(self, text):
        self.send(text)
        return self.receive()

    def read(self, address, size):
        out = b""
        while len(out) < size:
            part = min(2000, size - len(out))
            out += bytes.fromhex(self.ask("m%x,%x" % (address + len(out), part)))
        return out

    def word(self, address):
        return int.from_bytes(self.read(address, 4), "little")

    def run(self, seconds):
        """Lets the program run; false when it has ended."""
        self.send("c")
        time.sleep(seconds)
        self.socket.sendall(b"\x03")
        return not self.receive().startswith(("W", "X"))


def find(stub, first, last):
    memory = stub.read(first, last - first)
    at = memory.find(b"SEGGER RTT\0\0\0\0\0\0")
    return first + at if at >= 0 else None


def take(stub, block):
    """The bytes that are there; they are free then."""
    assert stub.word(block + 16) >= 1, "no channel up"
    channel = block + 24
    name, bytes_at, size, write_at, read_at, flags = (stub.word(channel + 4 * i) for i in range(6))
    if not bytes_at or write_at == read_at:
        return b""
    if write_at > read_at:
        got = stub.read(bytes_at + read_at, write_at - read_at)
    else:
        got = stub.read(bytes_at + read_at, size - read_at) + stub.read(bytes_at, write_at)
    assert stub.ask("M%x,4:%s" % (channel + 16, write_at.to_bytes(4, "little").hex())) == "OK"
    return got


def main():
    stub = Stub(sys.argv[1])
    first, last = (int(text, 0) for text in sys.argv[2:4])
    pause = float(sys.argv[4]) if len(sys.argv) > 4 else 0.002
    block = None
    try:
        stub.ask("?")
        while stub.run(pause):
            block = block or find(stub, first, last)
            if block:
                sys.stdout.buffer.write(take(stub, block))
    except (EOFError, ConnectionError):
        pass
    sys.exit(0 if block else "there is no control block")


if __name__ == "__main__":
    main()
