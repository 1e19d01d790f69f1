# SPDX-License-Identifier: MIT
# A decoder of whole execution traces, written from tools/lib/wet/FORMAT.md. It shares no code with Weft.
#     wet_format.py FILE            the run: a line for each statement, with its timestamp, address, what it defined and
#                                   accessed
#     wet_format.py --misses FILE   of even versions from 4 on, what missed: timestamp, kind, address
import os
import subprocess
import sys
from functools import lru_cache

sys.path.insert(0, os.path.dirname(__file__))
import thumb  # noqa: E402
from formats import Reader, crc32, wanted  # noqa: E402
from wet_stream_format import Stream  # noqa: E402

sys.setrecursionlimit(100000)
LOW32 = 2**32 - 1
FLAGS = thumb.FLAGS
CHUNK = 16384
KINDS = "branch", "load", "store", "fetch"


def unpacked(data):
    return subprocess.run(["zstd", "-dcq"], input=data, stdout=subprocess.PIPE, check=True).stdout


class Statement:
    def __init__(self, file, statics):
        self.exception, self.instruction = statics[file.varint()]
        self.passed, written, count = file.varint(), file.varint(), file.varint()
        self.written = [n for n in range(64) if written >> n & 1]
        self.accesses = []
        for _ in range(count):
            size = file.varint()
            self.accesses.append((size // 2, bool(size & 1)))
        self.operations = self.split_exception() if self.exception else self.split()
        self.slots = [slot for i, operation in enumerate(self.operations) for slot in self.slots_of(i, *operation)]
        self.slots = [slot + (file.varint(),) for slot in self.slots]

    def split(self):
        """(reads, defines, numbers of the accesses) of each operation."""
        i = self.instruction
        flags = i.reads & {FLAGS}
        if not self.passed:
            operations = [(flags, [], [])]
        elif i.access and len(i.access[3]) > 1 and len(i.access[3]) == len(self.accesses):
            operations = self.split_multiple(flags)
        elif i.access and len(self.accesses) == 1 and i.access[4] and i.access[1] in self.written:
            base = i.access[1]
            operations = [(i.reads, [n for n in self.written if n != base], [0]), (flags | {base}, [base], [])]
        else:
            operations = [(i.reads, self.written, list(range(len(self.accesses))))]
        if i.is_sum():
            return operations
        return [(reads | {FLAGS} if FLAGS in defines else reads, defines, at) for reads, defines, at in operations]

    def split_multiple(self, flags):
        store, base, _, list_, back = self.instruction.access
        operations = []
        for at, register in enumerate(list_):
            if store:
                operations.append((flags | {base, register} - {thumb.PC}, [], [at]))
            else:
                operations.append((flags | {base}, [register] if register in self.written else [], [at]))
        if back:
            operations.append((flags | {base}, [base] if base in self.written else [], []))
        return operations

    def split_exception(self):
        sp, operations = {thumb.SP}, []
        stacked = [{0}, {1}, {2}, {3}, {12}, {14}, set(), {FLAGS}]
        for at, register in enumerate(stacked if self.exception < 3 else []):
            operations.append((sp | register, [], [at]) if self.exception == 1 else (sp, sorted(register), [at]))
        operations.append((sp, [thumb.SP], []))
        return operations + ([(set(), sorted(set(self.written) - {thumb.SP}), [])] if self.exception != 2 else [])

    def events(self):
        """Those that an architecture history has bits for."""
        events = [] if self.exception else ["fetch"]
        events += [kind for kind, store in (("load", False), ("store", True)) if store in [a[1] for a in self.accesses]]
        return events + (["branch"] if not self.exception and self.instruction.branches else [])

    def data(self, number, values, words):
        """Of an access, given the values of the locations that were written, and the words of the access's own slots."""
        if "data" in words:
            return words["data"]
        defines = next(defines for _, defines, accesses in self.operations if number in accesses)
        return values[next(location for location in defines if location != FLAGS)]

    def address(self):
        return 0 if self.exception else self.instruction.pc

    def slots_of(self, operation, _, defines, accesses):
        """(operation, kind, location or number of the access)"""
        for location in defines:
            yield operation, "value", location
        for at in accesses:
            size, store = self.accesses[at]
            yield operation, "address", at
            one = len(accesses) == 1 and size <= 4 and len([d for d in defines if d != FLAGS]) == 1
            if not self.exception and (store or not one):
                yield operation, "data", at
                if size > 4:
                    yield operation, "high", at


class Edge:
    def __init__(self, node, timed):
        file = node.file
        self.producers = [file.varint() for _ in range(file.varint())]
        self.which = None if file.varint() else node.stream()
        self.mode = file.varint() if timed else None
        self.when = node.stream() if timed and self.mode != 2 else None


class Node:
    def __init__(self, trace):
        self.trace, self.file, self.streams = trace, trace.file, []
        file = self.file
        self.executions = file.varint()
        self.statements = [trace.statements[file.varint()] for _ in range(file.varint())]
        self.first_producer = trace.producers
        self.lay_out()
        file.varint()
        controls = file.varint()
        file.bytes(2 * len(self.operations))
        self.times = self.stream()
        self.columns = [self.stream() for _ in self.slots]
        self.input_edges = [Edge(self, False) for _ in self.inputs]
        for _ in range(controls):
            Edge(self, True)
        self.load_edges = {slot: self.load() for slot in self.loads}

    def stream(self):
        return Stream(self, self.executions)

    def load(self):
        parts = self.file.varint()
        if not parts:
            return [self.file.varint() for _ in range(self.file.varint())]
        return [(self.file.varint(), Edge(self, True)) for _ in range(parts)][-1][1]

    def lay_out(self):
        """Operations, slots, inputs and loads: section 3."""
        self.operations, self.slots, self.inputs, self.loads, local = [], [], [], [], {}
        for s in self.statements:
            first = len(self.operations)
            for number, (reads, defines, _) in enumerate(s.operations):
                uses = {}
                for location in sorted(reads):
                    if location not in local and location not in self.inputs:
                        self.inputs.append(location)
                    uses[location] = local.get(location)
                self.operations.append((s, uses))
                for slot in s.slots:
                    if slot[0] == number:
                        if slot[1] == "address" and not s.accesses[slot[2]][1]:
                            self.loads.append(len(self.slots))
                        self.slots.append((first + number,) + slot[1:])
            for number, (_, defines, _) in enumerate(s.operations):
                local.update({location: first + number for location in defines})
        self.trace.producers += len(self.operations)

    def find(self, operation, kind, what=None):
        for at, slot in enumerate(self.slots):
            if slot[:2] == (operation, kind) and what in (None, slot[2]):
                return at
        return sys.exit("wet_format.py: an edge leads to nothing")


class Trace:
    def __init__(self, data):
        head = Reader(data)
        wanted(head.bytes(7) == b"weftwet" and 1 <= data[7] <= 22, "another version")
        self.version = head.byte()
        self.block = 65536 if self.version < 7 else 16384
        crc = head.fixed(4)
        size = head.fixed(8)
        wanted(crc32(data[20 if self.version == 1 else 12:20 + size]) == crc, "the check sum of the directory is wrong")
        self.file, self.data, self.producers = Reader(unpacked(data[20:20 + size])), Reader(data[20 + size:]), 1
        file = self.file
        self.tier, self.times, self.executed = file.varint(), file.varint(), file.varint()
        for _ in range(file.varint()):
            file.bytes(file.varint())
        for _ in range(4 * file.varint()):
            file.varint()
        self.statics = [self.static() for _ in range(file.varint())]
        self.statements = [Statement(file, self.statics) for _ in range(file.varint())]
        self.nodes = [Node(self) for _ in range(file.varint())]
        self.window = file.varint() if self.version > 2 else 0
        # Snapshots and schedule: wet_moment_format.py reads them.
        self.moments = [self.packed() for first in (3, 7) if self.version >= first]
        self.missed = self.history() if self.version > 3 and self.version % 2 == 0 else []
        self.check(self.data.data)

    def packed(self):
        plain = self.file.varint()
        bytes_ = unpacked(self.take(self.file.varint()))
        wanted(len(bytes_) == plain, "the size of the snapshots or schedule is wrong")
        return bytes_

    def check(self, data):
        wanted(self.data.left() == 0, "there are more data")
        for at in range(0, len(data) if self.version > 1 else 0, CHUNK):
            wanted(crc32(data[at:at + CHUNK]) == self.file.fixed(4), "a check sum of the data is wrong")
        wanted(self.file.left() == 0, "the directory goes on")

    def history(self):
        """(timestamp, kind, address) of all that missed."""
        missed = []
        self.file.bytes(self.file.varint())
        for _ in KINDS:
            self.file.varint()
        for kind in KINDS:
            for node in self.nodes:
                node.streams = []
                for address in [s.address() for s in node.statements if kind in s.events()]:
                    missed += [(node.times.get(at), kind, address) for at in self.misses_of(node)]
        return sorted(missed)

    def misses_of(self, node):
        """The executions in which an event missed."""
        file, executions = self.file, range(node.executions)
        misses = file.varint()
        if misses in (0, node.executions):
            return executions if misses else []
        mode = file.varint()
        stream = Stream(node, [misses, node.executions - misses, (node.executions + 31) // 32][mode])
        if mode == 2:
            return [at for at in executions if stream.get(at // 32) >> at % 32 & 1]
        places = {stream.get(i) for i in range(stream.count)}
        return [at for at in executions if (at in places) == (mode == 0)]

    def take(self, size):
        return self.data.bytes(size)

    def static(self):
        file, exception = self.file, self.file.varint()
        if exception:
            return exception, (file.varint(), file.varint())
        pc = file.varint()
        code, condition = file.bytes(file.varint()), file.varint()
        for _ in range(4):
            file.varint()
        return 0, thumb.decode(pc, code, condition)

    def producer(self, number):
        return next((n, number - n.first_producer) for n in reversed(self.nodes) if n.first_producer <= number)

    @lru_cache(None)
    def executed_by(self, node, time):
        low, high = 0, node.executions
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if node.times.get(middle) <= time else (low, middle)
        return low

    def origin(self, edge, node, at, address):
        """The node, its operation and execution that an edge leads to; None: no producer."""
        time, mode, earlier = node.times.get(at), edge.mode, edge.mode is None
        ranks = []
        for number in edge.producers:
            own = number and self.producer(number)[0] is node
            ranks.append(0 if not number else at + (not earlier) if own else
                         self.executed_by(self.producer(number)[0], time - earlier))
        if edge.which:
            choice = edge.which.get(at)
        else:
            last = [self.producer(n)[0].times.get(r - 1) if r else 0 for n, r in zip(edge.producers, ranks)]
            choice = max(range(len(last)), key=lambda i: (last[i], not edge.producers[i]))
        if not edge.producers[choice]:
            return None
        when = edge.when.get(at) if edge.when else 0
        if mode == 0:
            execution = when
        elif mode in (4, 5, 6):
            execution = when + (address() >> mode - 4) & LOW32
        else:
            execution = ranks[choice] - 1 - when
        return self.producer(edge.producers[choice]) + (execution,)

    @lru_cache(None)
    def word(self, node, slot, at):
        if not node.columns[slot].inferred():
            return node.columns[slot].get(at)
        operation, kind, what, computed = node.slots[slot]
        statement, uses = node.operations[operation]
        if not computed:
            return self.loaded(node, operation, statement, at)

        def register(location):
            if location not in uses:
                return 0
            if uses[location] is not None:
                return self.word(node, node.find(uses[location], "value", location), at)
            origin = self.origin(node.input_edges[node.inputs.index(location)], node, at, None)
            return origin and self.word(origin[0], origin[0].find(origin[1], "value", location), origin[2]) or 0

        if kind == "value":
            return statement.instruction.value(what, register)
        if kind == "address":
            return statement.instruction.address(register) + 4 * what & LOW32
        size = statement.accesses[what][0]
        return register(statement.instruction.access[3][what]) & 2**(8 * size) - 1

    def loaded(self, node, operation, statement, at):
        slot = node.find(operation, "address")
        edge = node.load_edges[slot]
        if isinstance(edge, list):
            wanted(self.version >= 19, "a word without an edge")
            origin = self.stored(edge, node, at, operation, self.word(node, slot, at))
        else:
            origin = self.origin(edge, node, at, lambda: self.word(node, slot, at))
        if not origin:
            return 0
        data, address = [self.word(origin[0], origin[0].find(origin[1], kind), origin[2]) for kind in ("data", "address")]
        offset = self.word(node, slot, at) - address & 3
        size = statement.accesses[node.slots[slot][2]][0]
        return data >> 8 * offset & 2**(8 * size) - 1

    def stored(self, producers, node, at, before, address):
        """As origin: the last of the producers that wrote a byte before an operation of an execution."""
        found = []
        for source, operation in map(self.producer, producers):
            slot, rank = source.find(operation, "address"), self.executed_by(source, node.times.get(at))
            size = source.operations[operation][0].accesses[source.slots[slot][2]][0]
            if source is node and operation >= before:
                rank = at
            while rank and not 0 <= address - self.word(source, slot, rank - 1) < size:
                rank -= 1
            if rank:
                found.append((source.times.get(rank - 1), operation, source, rank - 1))
        wanted(found, "a word that nothing stored")
        _, operation, source, execution = max(found, key=lambda f: f[:2])
        return source, operation, execution

    def lines(self):
        when = sorted((n.times.get(at), i, at) for i, n in enumerate(self.nodes) for at in range(n.executions))
        wanted([w[0] for w in when] == list(range(1, self.times + 1)), "a timestamp is there twice, or not at all")
        for time, number, at in when:
            node, operation = self.nodes[number], 0
            for statement in node.statements:
                yield self.line(node, statement, operation, at, time)
                operation += len(statement.operations)

    def line(self, node, statement, first, at, time):
        values, accesses = {}, {}
        for slot, (operation, kind, what, _) in enumerate(node.slots):
            if not first <= operation < first + len(statement.operations):
                continue
            word = self.word(node, slot, at)
            if kind == "value":
                values[what] = word
            else:
                accesses.setdefault(what, {})[kind] = word
        if statement.exception:
            return f"{time} exception {statement.instruction[0]} {statement.instruction[1]}"
        text = [f"{time} {statement.instruction.pc:x}"] + [f"r{n}={values[n]:x}" for n in sorted(values)]
        for n in sorted(accesses):
            data = statement.data(n, values, accesses[n])
            text.append(f"{'store' if statement.accesses[n][1] else 'load'} {accesses[n]['address']:x} {data:x}")
        return " ".join(text)


if __name__ == "__main__":
    with open(sys.argv[-1], "rb") as opened:
        trace = Trace(opened.read())
    if sys.argv[1] == "--misses":
        for each in trace.missed:
            print(*each)
    else:
        for each in trace.lines():
            print(each)
