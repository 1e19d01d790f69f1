#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Branch coverage of core/ by its unit and property tests (make core-coverage): core.py BUILD [--missed]
Compiles core/ and the tests with gcc's counters, runs them, and prints branches and taken branches of each file. Each
line with a branch that is not taken must stand in tests/coverage/reasons with the reason, and no other: else the status
is 1. --missed prints all such lines, listed or not."""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))
from core_tests import (LIBS, all_tests, compiled, core_sources, library_without_core, source_of,  # noqa: E402
                        support_of)

build = sys.argv[1]
work = f'{build}/coverage'
REASONS = 'tests/coverage/reasons'


def object_of(source, *flags):
    target = compiled(source, f'{work}/{source[:-2]}.o', '-g', *flags)
    return target or sys.exit(f'{source} does not compile')


def build_tests():
    library = library_without_core(build, f'{work}/lib.a')
    core = [object_of(source, '-O0', '--coverage') for source in core_sources()]
    for test in all_tests():
        program = f'{work}/{test}'
        # Functions in headers of core count too, so the test has counters.
        parts = [object_of(source_of(test), '-O0', '--coverage')]
        parts += [object_of(source, '-O1') for source in support_of(test)]
        subprocess.run(['gcc', '--coverage', *parts, *core, library, *LIBS, '-o', program], check=True)
        yield program


def fails(program):
    environment = {**os.environ, 'WEFT_QUICK': '1'}
    return subprocess.run([program], stdout=subprocess.DEVNULL, env=environment).returncode


def branches():
    """(file, line) -> counts of its branches, added up over all objects."""
    found = {}
    for data in glob.glob(f'{work}/**/*.gcda', recursive=True):
        out = subprocess.run(['gcov', '-b', '-j', '--stdout', data], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             check=True).stdout
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


def missed_lines(found):
    """[(file, line's text, branches not taken)]. Lines are known by their text, since their numbers change."""
    for (file, number), counts in sorted(found.items()):
        if 0 in counts:
            yield file, number, ' '.join(open(file).read().splitlines()[number - 1].split()), counts.count(0)


def reasons():
    """(file, line's text) -> branches not taken."""
    listed = {}
    for line in (line for line in open(REASONS) if not line.startswith('#')):
        parts = [part.strip() for part in line.split(' @ ')]
        if len(parts) == 4 and parts[3]:
            listed[parts[0], parts[2]] = listed.get((parts[0], parts[2]), 0) + int(parts[1])
    return listed


def unexplained(found):
    """Prints what is missed without a reason, and reasons that nothing needs; their number."""
    listed, missed, wrong = reasons(), {}, 0
    for file, number, text, count in missed_lines(found):
        if '--missed' in sys.argv:
            print(f'{file}:{number}: {count} not taken: {text}')
        missed[file, text] = missed.get((file, text), 0) + count
    for key in sorted(set(missed) | set(listed)):
        if missed.get(key, 0) != listed.get(key, 0):
            wrong += 1
            print(f'{key[0]}: {missed.get(key, 0)} branches not taken, {listed.get(key, 0)} in {REASONS}: {key[1]}')
    return wrong


def main():
    os.makedirs(work, exist_ok=True)
    for data in glob.glob(f'{work}/**/*.gc*', recursive=True):
        os.remove(data)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = list(build_tests())
        for program, failed in zip(programs, pool.map(fails, programs)):
            if failed:
                sys.exit(f'{program} fails')
    found, totals = branches(), {}
    for (file, _), counts in sorted(found.items()):
        total = totals.setdefault(file, [0, 0])
        total[0] += len(counts)
        total[1] += len(counts) - counts.count(0)
    for file, (count, taken) in totals.items():
        if count:
            print(f'{file:28} {count:6} branches {taken:6} taken')
    print(f'{"all":28} {sum(t[0] for t in totals.values()):6} branches {sum(t[1] for t in totals.values()):6} taken')
    sys.exit(unexplained(found) != 0)


main()
