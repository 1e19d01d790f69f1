# SPDX-License-Identifier: MIT
"""Steps of a context, and the end of a handler: `debug_contexts.py WEFT RUN ELF NAME`. The run is walked instant by
instant; then each step of a context, forwards and backwards, must go to the next instant of that context in that walk,
and a handler's finish to where what it interrupted goes on."""
import os
import random
import re
import sys

sys.path.insert(0, "tests/lib")
from remote import Remote

SAMPLES = 250 if os.environ.get("WEFT_LONG") else 60
HANDLERS = 0x1000


class Run:
    def __init__(self, *command):
        self.remote = Remote.started(*command)
        self.contexts, self.places, self.pcs = [], [], []
        answer = self.remote.ask("?")
        while True:
            self.contexts.append(context_of(answer))
            self.places.append(self.place())
            self.pcs.append(pc_of(answer))
            answer = self.remote.ask("s")
            if "replaylog" in answer:
                break
        self.numbers = {place: i for i, place in enumerate(self.places)}

    def place(self):
        return re.search(r"(\d+\.\d+)", self.remote.monitor("weft time"))[1]

    def number(self):
        return self.numbers[self.place()]

    def go(self, i):
        self.remote.monitor("weft goto " + self.places[i])
        self.remote.ask("?")  # as a client that knows where it is

    def waiting(self, i):
        self.go(i)
        ids = self.remote.ask("qfThreadInfo")[1:].split(",")
        return [int(x, 16) for x in ids[1:]]


def context_of(answer):
    return int(re.search(r"thread:(\w+)", answer)[1], 16)


def pc_of(answer):
    return int.from_bytes(bytes.fromhex(re.search(r"0f:(\w{8})", answer)[1]), "little")


def stepped(run, i, by):
    """The instant after a step of the context at i, and whether the context is over then."""
    id, j = run.contexts[i], i + by
    if run.contexts[j] == id or id not in run.waiting(j):
        return j, run.contexts[j] != id
    while 0 <= j < len(run.contexts) and run.contexts[j] != id:
        j += by
    return (j, False) if 0 <= j < len(run.contexts) else (None, False)


def check_steps(run, by):
    edges = [i for i in range(1, len(run.contexts) - 1) if run.contexts[i] != run.contexts[i + by]]
    wrong = passed = 0
    chosen = random.sample(edges, min(SAMPLES, len(edges))) + random.sample(range(1, len(run.contexts) - 1), 50)
    for i in chosen:
        want, over = stepped(run, i, by)
        run.go(i)
        if by > 0:
            answer = run.remote.ask("vCont;s:%x;c" % run.contexts[i])
        else:
            run.remote.ask("Hc0")
            answer = run.remote.ask("bs")
        if want is None:
            wrong += "replaylog" not in answer
            continue
        passed += want != i + by
        wrong += run.number() != want or answer.startswith("T00") != over
    return wrong, passed


def check_waiting_steps(run):
    """A step of a context that waits is the instruction where it goes on."""
    wrong = count = 0
    handlers = [i for i, c in enumerate(run.contexts) if c >= HANDLERS]
    for i in random.sample(handlers, min(40, len(handlers))):
        for id in run.waiting(i):
            again = next((k for k in range(i, len(run.contexts)) if run.contexts[k] == id), None)
            if again is None or again + 1 >= len(run.contexts):
                continue
            want, _ = stepped(run, again, 1)
            run.go(i)
            run.remote.ask("vCont;s:%x;c" % id)
            wrong += want is not None and run.number() != want
            count += 1
    return wrong, count


def check_finish(run):
    wrong = count = 0
    handlers = [i for i, c in enumerate(run.contexts) if c >= HANDLERS]
    for i in random.sample(handlers, min(SAMPLES, len(handlers))):
        waiting = run.waiting(i)
        landing = next((k for k in range(i, len(run.contexts)) if run.contexts[k] in waiting), None)
        if landing is None:
            continue
        count += 1
        pc = run.pcs[landing]
        earlier = next((k for k in range(i + 1, landing) if run.pcs[k] == pc), landing)
        run.go(i)
        run.remote.ask("Z0,%x,2" % pc)
        answer = run.remote.ask("vCont;c")
        wrong += run.number() != earlier or answer.startswith("T00") != (earlier == landing)
        run.remote.ask("z0,%x,2" % pc)
    return wrong, count


def check_finish_into_blocks(run):
    """gdb puts its breakpoint for an instruction in an IT block at the block's start."""
    wrong = count = 0
    for i in range(1, len(run.contexts)):
        it = run.remote.memory(run.pcs[i] - 2, 2)
        if run.contexts[i - 1] < HANDLERS or run.contexts[i] >= HANDLERS or it[1] != 0xbf or not it[0] & 15:
            continue
        run.go(i - 1)
        run.remote.ask("Z0,%x,2" % (run.pcs[i] - 2))
        wrong += not run.remote.ask("vCont;c").startswith("T00") or run.number() != i
        run.remote.ask("z0,%x,2" % (run.pcs[i] - 2))
        count += 1
    return wrong, count


def check_goto(run):
    """After goto the client takes the context of the last stop for the current one."""
    wrong = 0
    handlers = [i for i, c in enumerate(run.contexts) if c >= HANDLERS and run.contexts[i + 1:i + 2] == [c]]
    for i in random.sample(handlers, min(20, len(handlers))):
        run.go(0)
        run.remote.monitor("weft goto " + run.places[i])
        run.remote.ask("vCont;s:%x;c" % run.contexts[0])
        wrong += run.number() != i + 1
    return wrong


def say(name, good):
    print("ok" if good else "not ok", name)


def main():
    weft, file, elf, name = sys.argv[1:]
    random.seed(16)
    run = Run(weft, "gdb", file, "--elf", elf, "--stdio")
    forward, over = check_steps(run, 1)
    backward, back_over = check_steps(run, -1)
    waiting, waited = check_waiting_steps(run)
    finish, finished = check_finish(run)
    goto = check_goto(run)
    blocks, into_blocks = check_finish_into_blocks(run)
    print(f"# {name}: {len(run.places)} instants; others passed in {over} steps on and {back_over} back; {waited} "
          f"steps of waiting contexts; {finished} handlers finished, {into_blocks} from within IT blocks")
    say(f"contexts_{name}_a_step_passes_what_interrupts_it", forward == 0 and over)
    say(f"contexts_{name}_and_so_does_a_step_back", backward == 0 and back_over)
    say(f"contexts_{name}_a_context_that_waits_can_be_stepped", waiting == 0 and waited)
    say(f"contexts_{name}_finish_goes_out_of_a_handler", finish == 0 and finished)
    say(f"contexts_{name}_into_an_IT_block_too", blocks == 0 and (into_blocks or name != "blocks"))
    say(f"contexts_{name}_a_step_after_goto_is_taken_there", goto == 0)
    say(f"contexts_{name}_an_unknown_thread_is_refused", run.remote.ask("Hg7777") == "E01")
    run.remote.close()


main()
