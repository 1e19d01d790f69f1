#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Branch coverage of core/ by its unit tests (make core-coverage): core.py BUILD [--missed]
Compiles core/ and the tests with gcc's counters, runs them, and prints branches and taken branches of each file.
--missed also lists each line with a branch that is not taken."""
import glob
import json
import os
import re
import subprocess
import sys

build = sys.argv[1]
work = f'{build}/coverage'
FLAGS = '-std=gnu11 -g -O0 -I. -pthread'.split()
SUPPORT = ['tests/lib/check.c', 'tests/lib/check_host.c']


def call(*words, **more):
    return subprocess.run(words, check=True, **more)


def compiled(source, *flags):
    target = f'{work}/{source[:-2]}.o'
    os.makedirs(os.path.dirname(target), exist_ok=True)
    call('gcc', *FLAGS, *flags, '-c', source, '-o', target)
    return target


def build_tests():
    core = [compiled(source, '--coverage') for source in sorted(glob.glob('core/*.c'))]
    support = [compiled(source) for source in SUPPORT]
    for source in sorted(glob.glob('tests/unit/test_*.c')):
        program = f'{work}/{os.path.basename(source)[:-2]}'
        # Functions in headers of core count too, so the test has counters.
        call('gcc', '--coverage', compiled(source, '--coverage'), *support, *core, '-lm', '-pthread', '-o', program)
        yield program


def branches():
    """(file, line) -> counts of its branches, added up over all objects."""
    found = {}
    for data in glob.glob(f'{work}/**/*.gcda', recursive=True):
        out = call('gcov', '-b', '-j', '--stdout', data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        for text in out.decode().splitlines():
            for file in json.loads(text)['files']:
                if not re.match(r'core/\w+\.[ch]$', file['file']):
                    continue
                for line in file['lines']:
                    counts = [b['count'] for b in line['branches']]
                    old = found.setdefault((file['file'], line['line_number']), [0] * len(counts))
                    if len(old) == len(counts):
                        found[file['file'], line['line_number']] = [a + b for a, b in zip(old, counts)]
    return found


def main():
    for data in glob.glob(f'{work}/**/*.gcda', recursive=True):
        os.remove(data)
    for program in list(build_tests()):
        if subprocess.run([program], stdout=subprocess.DEVNULL).returncode:
            sys.exit(f'{program} fails')
    totals = {}
    for (file, number), counts in sorted(branches().items()):
        missed = counts.count(0)
        total = totals.setdefault(file, [0, 0])
        total[0] += len(counts)
        total[1] += len(counts) - missed
        if missed and '--missed' in sys.argv:
            text = open(file).read().splitlines()[number - 1].strip()
            print(f'{file}:{number}: {missed} of {len(counts)} not taken: {text}')
    for file, (count, taken) in totals.items():
        if count:
            print(f'{file:28} {count:6} branches {taken:6} taken')
    print(f'{"all":28} {sum(t[0] for t in totals.values()):6} branches {sum(t[1] for t in totals.values()):6} taken')


main()
