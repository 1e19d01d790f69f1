# SPDX-License-Identifier: MIT
# What a summary shows of sequences of paths, from what `weft paths` prints in full on standard input: COUNT, tab, path
# numbers, tab, "function file.c:1-2,3 | ...". A line for each sequence, sorted.
import itertools
import sys


def shown(numbers, places):
    before = [None, None]
    parts = []
    for _, run in itertools.groupby(zip(numbers, places), key=lambda pair: pair[0]):
        run = list(run)
        function, _, lines = run[0][1].partition(' ')
        same = function == before[0] and lines != ''
        text, file = '' if same else function, before[1] if same else None
        for at, one in enumerate(lines.replace(' ', ',').split(',') if lines else []):
            if at == 3:
                text += ',..'
                break
            name, colon, rest = one.rpartition(':')
            if colon and name != file:
                text += (' ' if text else '') + one
                file = name
            else:
                text += (',' if at else '') + rest
        parts.append(text + (f' x{len(run)}' if len(run) > 1 else ''))
        before = [function, file] if function else [None, None]
    return ' | '.join(parts)


all_lines = []
for line in sys.stdin:
    _, numbers, places = line.rstrip('\n').split('\t')
    all_lines.append(shown(numbers.split(' '), places.split(' | ')))
print('\n'.join(sorted(all_lines)))
