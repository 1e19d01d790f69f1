#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation test of core/ (make mutants): mutants.py BUILD [FILE...]
Each comparison, logical and arithmetic operator and each constant of the files (all of core/ if none is named) is
changed once. Each such mutant is compiled and run against the unit tests and quick property tests that concern its
file, then against those unit tests with the sanitizers. A test that fails, ends badly or takes three times its
processor time kills it. A mutant whose machine code is that of the original is none. What survives is printed, unless
tests/mutants/equivalent says why no test can tell it from the original.

SAMPLE=N in the environment: N mutants of each file, chosen by SEED (1). JOBS=N: N at a time (1). LONGEST=N: tests
that take more than N seconds of processor time (20) are left out, and named; at least one stays. SHORT_STEPS=1: with
the smaller steps of a Cortex-M0 (core/recorder_history.h).

Verdicts are kept in BUILD/mutants/verdicts: what was interrupted goes on where it was, as long as no source of core and
of its tests has changed."""
import concurrent.futures
import hashlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))
from core_tests import (LIBS, all_tests, compiled, concerned, core_sources, library_without_core,  # noqa: E402
                        source_of, support_of)

BUILD = sys.argv[1]
SHORT = ['-DWEFT_SHORT_STEPS=1'] if os.environ.get('SHORT_STEPS') else []
WORK = f'{BUILD}/mutants{"-short" if SHORT else ""}'
SAMPLE, SEED, JOBS, LONGEST = (int(os.environ.get(name) or usual) for name, usual in
                               (('SAMPLE', 0), ('SEED', 1), ('JOBS', 1), ('LONGEST', 20)))
LISTED = 'tests/mutants/equivalent'
PLAIN, CHECKED = ('-O1', *SHORT), ('-O1', *SHORT, '-fsanitize=address,undefined', '-fno-sanitize-recover=all')
KILLED, SURVIVED, EQUIVALENT, SAME, NOT_COMPILED = 'killed', 'survived', 'equivalent', 'same code', 'not compiled'

# ---- the changes

BINARY = {'==': '!=', '!=': '==', '<': '<=', '<=': '<', '>': '>=', '>=': '>', '&&': '||', '||': '&&', '+': '-',
          '-': '+', '*': '+', '/': '*', '%': '/', '&': '|', '|': '&', '^': '&', '<<': '>>', '>>': '<<', '+=': '-=', '-=': '+=',
          '*=': '+=', '/=': '*=', '%=': '/=', '&=': '|=', '|=': '&=', '^=': '&=', '<<=': '>>=', '>>=': '<<='}
UNARY = {'++': '--', '--': '++', '-': '', '~': '', '!': ''}
TOKEN = re.compile(r'''(?P<skip> /\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | [A-Za-z_]\w*
                               | ^\#[ ]*define[ ]\w+(?:\([^)]*\))? | ^\#(?:\\\n|[^\n])* | -> )
                     | (?P<number> (?:0[xX][0-9a-fA-F]+|\d+)[uUlL]* )
                     | (?P<op> <<=|>>=|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|[-+*/%&|^<>~!] )''',
                   re.S | re.X | re.M)


def next_number(text):
    digits, suffix = re.match(r'(0[xX][0-9a-fA-F]+|\d+)(.*)', text).groups()
    base = 16 if digits[:2] in ('0x', '0X') else 10
    value = int(digits, base)
    value += -1 if value in (2**32 - 1, 2**64 - 1) else 1
    return (hex(value) if base == 16 else str(value)) + suffix


class Mutant:
    """A change of `file` at a place: `old` becomes `new`."""

    def __init__(self, file, text, at, old, new):
        start, end = text.rfind('\n', 0, at) + 1, text.find('\n', at)
        self.file, self.line = file, text.count('\n', 0, at) + 1
        self.source = text[:at] + new + text[at + len(old):]
        self.was = ' '.join(text[start:end].split())
        self.becomes = ' '.join((text[start:at] + new + text[at + len(old):end]).split())

    def key(self):
        return self.file, self.was, self.becomes


def mutants_of(file):
    """The tokens say which are operators of two operands: clang-format puts space around those only."""
    text = open(file).read()
    for match in TOKEN.finditer(text):
        at, old = match.start(), match.group()
        if match.group('number'):
            yield Mutant(file, text, at, old, next_number(old))
        elif match.group('op'):
            spaced = text[at - 1].isspace() and text[match.end()].isspace()
            new = (BINARY if spaced else UNARY).get(old)
            if new is not None:
                yield Mutant(file, text, at, old, new)


# ---- building and running

class Tests:
    """The test programs of one file, each linked once but for the objects that the file changes."""

    def __init__(self, file, folder, library):
        self.file, self.folder, self.archive = file, folder, library
        self.shadow = f'{folder}/shadow'
        shutil.rmtree(self.shadow, ignore_errors=True)  # the last mutant of the file before: this one may include it
        os.makedirs(f'{self.shadow}/core', exist_ok=True)
        self.tests = list(concerned(file))
        self.core = [source for source in core_sources() if self.includes(source)]
        self.own = {test: self.includes(source_of(test)) for test in self.tests}
        self.set(open(file).read())
        self.prepared, self.seconds = {}, {}
        self.original = self.objects(PLAIN)
        for test in self.tests:
            self.prepare(test, PLAIN)
            self.measure(test)
        self.tests.sort(key=self.seconds.get)
        while len(self.tests) > 1 and self.seconds[self.tests[-1]] > 3 * LONGEST:
            print(f'{file}: without {self.tests.pop()}, which takes longer than {LONGEST} s', flush=True)

    def includes(self, source):
        found = subprocess.run(['gcc', '-MM', '-I.', source], stdout=subprocess.PIPE, check=True).stdout.decode()
        return self.file in found.replace('\\\n', ' ').split()

    def set(self, text):
        with open(f'{self.shadow}/{self.file}', 'w') as out:
            out.write(text)

    def build(self, source, flags):
        """The object of a source that includes the file, or is it."""
        where = f'{self.shadow}/{source}' if source == self.file else source
        return compiled(where, f'{self.folder}/{"checked" if flags is CHECKED else "plain"}/{source[:-2]}.o',
                        *flags, '-I' + self.shadow)

    def objects(self, flags):
        """The bytes of all objects of core that the file changes; None: one does not compile."""
        paths = [self.build(source, flags) for source in self.core]
        return None if None in paths else [open(path, 'rb').read() for path in paths]

    def prepare(self, test, flags):
        """Links all that the file does not change."""
        kind = 'checked' if flags is CHECKED else 'plain'
        target = f'{self.folder}/{kind}/{test}.pre.o'
        same = [source for source in core_sources() if source not in self.core] + support_of(test)
        same += [] if self.own[test] else [source_of(test)]
        parts = [compiled(source, f'{self.folder}/{kind}/{source[:-2]}.o', *flags) for source in same]
        subprocess.run(['gcc', '-r', '-Wl,-S', *parts, self.archive, '-o', target], check=True)
        self.prepared[test, flags] = target

    def link(self, test, flags):
        kind = 'checked' if flags is CHECKED else 'plain'
        program = f'{self.folder}/{kind}/{test}'
        parts = [f'{self.folder}/{kind}/{source[:-2]}.o' for source in self.core]
        if self.own[test]:
            parts.append(self.build(source_of(test), flags))
            if parts[-1] is None:
                return None
        parts.append(self.archive)  # for what only the test itself needs
        command = ['gcc', *flags, self.prepared[test, flags], *parts, '-Wl,--as-needed', *LIBS, '-o', program]
        return program if subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0 else None

    def measure(self, test):
        program = self.link(test, PLAIN)
        linked = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds[test] = 600
        if not program or self.fails(test, program):
            sys.exit(f'{test} fails without a mutant')
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds[test] = 3 * (after.ru_utime + after.ru_stime - linked.ru_utime - linked.ru_stime)

    def fails(self, test, program, factor=1):
        """Runs a test until its first failure."""
        limit = int(self.seconds[test] * factor) + 1

        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if factor == 1:
                resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
        process = subprocess.Popen([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limits,
                                   env={**os.environ, 'WEFT_QUICK': '1', 'ASAN_OPTIONS': 'detect_leaks=0'})
        asleep = threading.Timer(60 + 20 * limit, process.kill)
        asleep.start()
        bad = False
        for line in process.stdout:
            bad = line.startswith(b'not ok')
            if bad:
                process.kill()
                break
        process.stdout.close()
        bad = process.wait() != 0 or bad
        asleep.cancel()
        return bad

    def judge(self, mutant):
        self.set(mutant.source)
        objects = self.objects(PLAIN)
        if objects is None:
            return NOT_COMPILED
        if objects == self.original and not any(self.own.values()):
            return SAME
        for test in self.tests:
            program = self.link(test, PLAIN)
            if program is None:
                return NOT_COMPILED
            if self.fails(test, program):
                return KILLED
        return KILLED if self.is_unsound(mutant) else SURVIVED

    def is_unsound(self, mutant):
        """Whether the sanitizers see it in a unit test."""
        units = [test for test in self.tests if test.startswith('test_')]
        for test in units:
            if (test, CHECKED) not in self.prepared:
                self.prepare(test, CHECKED)
        if not units or self.objects(CHECKED) is None:
            return False
        for test in units:
            program = self.link(test, CHECKED)
            if program is None or self.fails(test, program, 10):
                return True
        return False


# ---- all of it

def read_listed():
    """(file, line's text, the text it becomes) -> reason"""
    listed = {}
    for line in open(LISTED) if os.path.exists(LISTED) else []:
        parts = [part.strip() for part in line.split(' @ ')]
        if len(parts) == 4:
            listed[tuple(parts[:3])] = parts[3]
    return listed


class Verdicts:
    """Those of earlier runs with the same sources."""

    def __init__(self):
        self.path, self.known = f'{WORK}/verdicts', {}
        sources = sorted(source for test in all_tests() for source in [source_of(test)] + support_of(test))
        sources += sorted(f'core/{name}' for name in os.listdir('core') if name[-2:] in ('.c', '.h'))
        self.sources = hashlib.sha1(b''.join(open(source, 'rb').read() for source in sources)).hexdigest()
        for line in open(self.path) if os.path.exists(self.path) else []:
            sources, mutant, verdict = json.loads(line)
            if sources == self.sources:
                self.known[mutant] = verdict

    @staticmethod
    def name(mutant):
        return hashlib.sha1((mutant.file + mutant.source).encode()).hexdigest()

    def of(self, mutant, judge):
        name = self.name(mutant)
        if name not in self.known:
            self.known[name] = judge()
            with open(self.path, 'a') as out:
                print(json.dumps([self.sources, name, self.known[name]]), file=out)
        return self.known[name]


def run_file(file, library, listed, verdicts):
    mutants = list(mutants_of(file))
    if SAMPLE and SAMPLE < len(mutants):
        chosen = random.Random(f'{SEED} {file}').sample(range(len(mutants)), SAMPLE)
        mutants = [mutants[i] for i in sorted(chosen)]
    free = []
    if any(verdicts.name(mutant) not in verdicts.known for mutant in mutants):
        free = [Tests(file, f'{WORK}/{i}', library) for i in range(JOBS)]
    counts = dict.fromkeys((KILLED, SURVIVED, EQUIVALENT, SAME, NOT_COMPILED), 0)

    def judged(mutant):
        tests = free.pop()
        verdict = tests.judge(mutant)
        free.append(tests)
        return verdict

    def one(mutant):
        verdict = verdicts.of(mutant, lambda: judged(mutant))
        return mutant, EQUIVALENT if verdict == SURVIVED and mutant.key() in listed else verdict
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for mutant, verdict in pool.map(one, mutants):
            counts[verdict] += 1
            if verdict == SURVIVED:
                print(f'{file}:{mutant.line}: survives\n    {mutant.was}\n    {mutant.becomes}', flush=True)
            if verdict == KILLED and mutant.key() in listed:
                print(f'{file}:{mutant.line}: is listed in {LISTED}, but killed\n    {mutant.becomes}', flush=True)
    summary = ', '.join(f'{n} {verdict}' for verdict, n in counts.items())
    print(f'{file:28} {len(mutants):5} mutants: {summary}', flush=True)
    return counts[SURVIVED]


def main():
    files = sys.argv[2:] or sorted(source for source in os.listdir('core') if source[-2:] in ('.c', '.h'))
    files = [file if '/' in file else 'core/' + file for file in files]
    os.makedirs(WORK, exist_ok=True)
    library = library_without_core(BUILD, f'{WORK}/lib.a')
    verdicts = Verdicts()
    survived = sum(run_file(file, library, read_listed(), verdicts) for file in files if any(mutants_of(file)))
    print(f'{survived} survived')
    sys.exit(survived != 0)


main()
