# SPDX-License-Identifier: MIT
"""A client of gdb's remote protocol, for tests: it asks a server for what gdb would ask, and nothing by itself."""
import os
import socket
import subprocess


class Remote:
    def __init__(self, reader, writer, process=None):
        self.reader, self.writer, self.process = reader, writer, process
        self.quiet, self.buffer = False, b""
        self.features = self.ask("qSupported:swbreak+;hwbreak+")
        if "QStartNoAckMode+" in self.features:
            self.ask("QStartNoAckMode")
            self.quiet = True

    @classmethod
    def started(cls, *command):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        return cls(process.stdout.fileno(), process.stdin.fileno(), process)

    @classmethod
    def connected(cls, address, family=socket.AF_INET):
        s = socket.socket(family, socket.SOCK_STREAM)
        s.connect(address)
        self = cls(s.fileno(), s.fileno())
        self.socket = s
        return self

    def more(self):
        data = os.read(self.reader, 1 << 16)
        if not data:
            raise EOFError("the server went away")
        self.buffer += data

    def receive(self):
        while True:
            start = self.buffer.find(b"$")
            end = self.buffer.find(b"#", start) if start >= 0 else -1
            if end >= 0 and len(self.buffer) >= end + 3:
                break
            self.more()
        text = self.buffer[start + 1:end].decode("latin-1")
        self.buffer = self.buffer[end + 3:]
        if not self.quiet:
            os.write(self.writer, b"+")
        return text

    def ask(self, text):
        data = text.encode("latin-1")
        os.write(self.writer, b"$" + data + b"#%02x" % (sum(data) & 255))
        return self.receive()

    def close(self):
        try:
            self.ask("D")
        except (EOFError, OSError):
            pass
        if self.process:
            self.process.stdin.close()
            self.process.wait(10)

    # The most frequent requests.
    def registers(self):
        """r0..r15 and xPSR; None: not known."""
        g = self.ask("g")
        return [None if "x" in g[8 * i:8 * i + 8] else int.from_bytes(bytes.fromhex(g[8 * i:8 * i + 8]), "little")
                for i in range(17)]

    def memory(self, address, size):
        """The bytes up to the first that is not known. None if there are none."""
        answer = self.ask("m%x,%x" % (address, size))
        return None if answer.startswith("E") else bytes.fromhex(answer)

    def monitor(self, command):
        text, answer = "", self.ask("qRcmd," + command.encode().hex())
        while answer.startswith("O") and answer != "OK":
            text += bytes.fromhex(answer[1:]).decode()
            answer = self.receive()
        return text
