#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What commands say of a recording with probes, against what a naive program computes from `weft dump --json`:
    answers_check.py WEFT RECORDING [ELF [OPTION]...]
paths, loops, grammar and hot (of all, of each context, of each function), calls and callers of functions, coverage of
functions and its sums over contexts, addresses of each site, device accesses, the filters of dump and info; the same
numbers in text and in --json; the same answers by 1 and by 3 threads; --top. Prints what differs, and the number of
commands; the status says whether all agree."""
import collections
import json
import subprocess
import sys

WEFT, RECORDING = sys.argv[1], sys.argv[2]
ELF = ['--elf', sys.argv[3]] if len(sys.argv) > 3 else []
OPTIONS = sys.argv[4:]
wrong = 0
asked_count = 0


def asked(command, *more, elf=True, file=RECORDING, ok=(0, 3)):
    """Status and standard output of a command about the recording."""
    global asked_count
    asked_count += 1
    done = subprocess.run([WEFT, *command.split(), *(ELF if elf else []), *OPTIONS, *more, file],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in ok:
        say(f'{command} {more}: status {done.returncode}: {done.stderr.decode()[:200]}')
    return done.returncode, done.stdout.decode(errors='replace')


def of(command, *more, **how):
    status, out = asked(command + ' --json', *more, **how)
    try:
        return json.loads(out)
    except ValueError:
        say(f'{command} {more}: no JSON: {out[:100]!r} (status {status})')
        return collections.defaultdict(list)


def say(what):
    global wrong
    if 'status 1' in what and ('PROBES=mem does' in what or 'announces its loads' in what):
        return
    wrong += 1
    if wrong < 40:
        print('#', what[:600].replace(chr(10), ' '))


def same(what, mine, theirs):
    if mine != theirs:
        if isinstance(mine, dict) and isinstance(theirs, dict):
            keys = [k for k in {**mine, **theirs} if mine.get(k) != theirs.get(k)][:4]
            mine, theirs = [(k, mine.get(k)) for k in keys], [(k, theirs.get(k)) for k in keys]
        elif isinstance(mine, list) and isinstance(theirs, list):
            at = next((i for i, (a, b) in enumerate(zip(mine, theirs)) if a != b), min(len(mine), len(theirs)))
            mine, theirs = (len(mine), at, mine[at:at + 3]), (len(theirs), at, theirs[at:at + 3])
        say(f'{what}: naive {str(mine)[:250]}, weft {str(theirs)[:250]}')


status, text = asked('dump --json --forward')
events = [json.loads(line) for line in text.splitlines()]
contexts = sorted({e['context'] for e in events if 'context' in e})
functions = sorted({e['function'] for e in events if 'function' in e})


def chosen(context=None, function=None):
    out = []
    for e in events:
        if e['event'] == 'gap' and out and out[-1] != 'gap':
            out.append('gap')
        elif e['event'] == 'path' and context in (None, e['context']) and function in (None, e.get('function')):
            out.append(e['path'])
    return out[:-1] if out and out[-1] == 'gap' else out


def filters():
    yield [], chosen()
    for c in contexts:
        yield ['--context', str(c)], chosen(context=c)
    for f in functions if ELF else []:
        yield ['--function', f], chosen(function=f)
    for f in functions if ELF else []:
        for c in contexts[:3]:
            yield ['--function', f, '--context', str(c)], chosen(c, f)


def expand(nest):
    """The symbols of a printed loop nest."""
    stack = [[]]
    for token in nest.split():
        if token == '(':
            stack.append([])
        elif token.startswith(')^'):
            body = stack.pop()
            stack[-1] += body * int(token[2:])
        else:
            stack[-1].append(token if token == 'gap' else int(token))
    return stack[0]


def expand_grammar(rules):
    known = {}

    def rule(n):
        if n not in known:
            known[n] = []
            out = []
            for s in rules[n]:
                out += rule(s['rule']) if isinstance(s, dict) else [s]
            known[n] = out
        return known[n]
    return rule(0) if rules else []


def streams():
    for more, stream in filters():
        same(f'loops {more}', stream, expand(of('loops', *more)['nest'] or ''))
        same(f'loops --greedy {more}', stream, expand(of('loops --greedy', *more)['nest'] or ''))
        same(f'loops --window 16 {more}', stream, expand(of('loops --window 16', *more)['nest'] or ''))
        stream = [p for p in stream if p != 'gap']
        said = of('grammar', *more)
        same(f'grammar {more}', (stream, len(stream)), (expand_grammar(said['grammar']), said['length']))
        counts = {}
        if '--function' in more:
            continue  # it needs the image, which gives each path another cost
        for sub in of('hot --min-length 1 --min-cost 2', *more, elf=False)['subpaths']:
            path = tuple(sub['path'])
            if len(path) not in counts:
                counts[len(path)] = collections.Counter(
                    zip(*(stream[i:] for i in range(len(path)))))
            same(f'hot {more} {path}', (counts[len(path)][path], len(path) * counts[len(path)][path]),
                 (sub['count'], sub['cost']))


def activations():
    """(context, function, caller, paths) of each activation, in the order of their entries."""
    stacks, all_of = {}, []
    for e in events:
        stack = stacks.setdefault(e.get('context', 0), [])
        if e['event'] == 'entry':
            stack.append([e['context'], e['function'], stack[-1][1] if stack else None, []])
            all_of.append(stack[-1])
        elif e['event'] == 'path':
            if not stack:
                stack.append([e['context'], e.get('function'), None, []])
                all_of.append(stack[-1])
            stack[-1][3].append(e['path'])
        elif e['event'] == 'exit' and stack:
            stack.pop()
    return all_of


def sequences(acts, k):
    counts = collections.Counter()
    for _, _, _, path in acts:
        for i in range(len(path)):
            for n in range(1, k + 1):
                if i >= n - 1:
                    counts[tuple(path[i - n + 1:i + 1])] += 1
    return counts


def path_counts():
    if not ELF:
        for more, stream in filters():
            same(f'paths {more}', collections.Counter((p,) for p in stream if p != 'gap'),
                 {tuple(p['path']): p['count'] for p in of('paths', *more)['paths']})
        return
    acts = activations()
    for k in (1, 2, 3):
        for more, part in [([], acts)] + [(['--context', str(c)], [a for a in acts if a[0] == c]) for c in contexts] + [
                (['--function', f], [a for a in acts if a[1] == f]) for f in functions]:
            said = of(f'paths -k {k} --from control', *more)
            mine = dict(sequences(part, k))
            same(f'paths -k {k} {more}', mine, {tuple(p['path']): p['count'] for p in said['paths']})
            same(f'events of paths -k {k} {more}', sum(len(a[3]) for a in part), said['events'])
            if k == 2 and not more:
                _, out = asked('paths -k 2 --from control')
                rows = [line.split('\t') for line in out.splitlines() if not line.startswith('#')]
                same('paths -k 2 as text', mine, {tuple(map(int, r[1].split())): int(r[0]) for r in rows})
                for top in (0, 1, 3, 10 ** 9):
                    got = [p['count'] for p in of(f'paths -k 2 --top {top} --from control')['paths']]
                    want = sorted(mine.values(), reverse=True)
                    same(f'paths --top {top}', want[:top] if top else want, got)


def function_calls():
    acts = activations()
    for more, part in [([], acts)] + [(['--context', str(c)], [a for a in acts if a[0] == c]) for c in contexts]:
        said = of('functions --unit instructions', *more)
        same(f'calls {more}', dict(collections.Counter(a[1] for a in part)),
             {f['name']: f['calls'] for f in said['functions'] if f['calls']})
        mine = collections.Counter((a[2], a[1]) for a in part if a[2])
        theirs, back = collections.Counter(), collections.Counter()
        for f in said['functions']:
            for c in f['callers']:
                theirs[c['name'], f['name']] += c['calls']
            for c in f['callees']:
                back[f['name'], c['name']] += c['calls']
        same(f'callers {more}', dict(mine), dict(theirs))
        same(f'callees {more}', dict(mine), dict(back))
        same(f'total {more}', sum(f['self'] for f in said['functions']), said['total'])
        for f in said['functions']:
            if f['calls'] and not f['min'] <= f['mean'] <= f['max']:
                say(f'{f["name"]} {more}: min, mean, max {f["min"]} {f["mean"]} {f["max"]}')
        same(f'overview {more}', [(f['name'], f['calls'], f['self'], f['inclusive']) for f in said['functions']],
             [(f['name'], f['calls'], f['self'], f['inclusive']) for f in of('overview', *more)['functions']])
    whole = {f['name']: f['self'] for f in of('functions --unit instructions')['functions']}
    parts = collections.Counter()
    for c in contexts:
        for f in of('functions --unit instructions', '--context', str(c))['functions']:
            parts[f['name']] += f['self']
    same('self by contexts', whole, dict(parts))


def coverage():
    acts = activations()
    sums = collections.Counter()
    for more, part in [([], acts)] + [(['--context', str(c)], [a for a in acts if a[0] == c]) for c in contexts]:
        said = of('coverage', *more)
        mine = collections.Counter(a[1] for a in part)
        same(f'coverage of functions {more}', dict(mine),
             {f['name']: f['count'] for file in said['files'] for f in file['functions'] if f['count']})
        lines = {(file['file'], line['line']): line['count'] for file in said['files'] for line in file['lines']}
        ways = {(file['file'], b['line'], b['block'], b['way'], i, b.get('function')): (b['taken'], b['not_taken'])
                for file in said['files'] for i, b in enumerate(file['branches'])}
        same(f'paths of coverage {more}', sum(len(a[3]) for a in part), said['paths'])
        same(f'lines_hit {more}', (sum(1 for n in lines.values() if n), len(lines)),
             (said['lines_hit'], said['lines_all']))
        if not more:
            whole, whole_ways = lines, ways
            _, out = asked('coverage --lines')
            rows = [line.split('\t') for line in out.splitlines() if '\t' in line]
            same('coverage --lines', {f'{f}:{n}': c for (f, n), c in lines.items()}, {r[1]: int(r[0]) for r in rows})
        else:
            sums.update(lines)
            sums.update({('way',) + k: v[0] for k, v in ways.items()})
    if contexts:
        same('lines by contexts', {k: v for k, v in whole.items() if v},
             {k: v for k, v in sums.items() if v and k[0] != 'way'})
        same('branches by contexts', {('way',) + k: v[0] for k, v in whole_ways.items() if v[0]},
             {k: v for k, v in sums.items() if v and k[0] == 'way'})


def bound(terms, outer, upper):
    values = []
    for t in terms:
        n = t['constant'] + sum(a * b for a, b in zip(t['slopes'], outer))
        values.append(n // t['divisor'] if upper else -(-n // t['divisor']))
    return min(values) if upper else max(values)


def generate(nest):
    out, most = list(nest.get('values', [])), nest['accesses']
    if out:
        return [a & 0xffffffff for a in out]

    def loop(level, outer):
        if len(out) >= most:
            return
        if level == nest['depth']:
            out.append((nest['base'] + sum(a * b for a, b in zip(nest['coefficients'], outer))) & 0xffffffff)
            return
        for i in range(bound(nest['lower'][level], outer, False), bound(nest['upper'][level], outer, True) + 1):
            loop(level + 1, outer + [i])
            if len(out) >= most:
                return
    loop(0, [])
    return out


def addresses():
    for more, keep in [([], None)] + [(['--context', str(c)], c) for c in contexts]:
        mine = collections.defaultdict(list)
        for e in events:
            if e['event'] in ('load', 'store') and e.get('address') is not None and keep in (None, e['context']):
                mine[e['site']].append(e['address'])
        said = of('model', *more)
        theirs = {s['site']: [a for n in s['nests'] for a in generate(n)] for s in said['sites']}
        same(f'sites {more}', sorted(mine), sorted(theirs))
        for site in mine:
            same(f'addresses of site {site} {more}', mine[site], theirs.get(site))


def device_accesses():
    if not any(e['event'] in ('load', 'store') for e in events):
        return
    mine = [(e['context'], e['address'], e['event'] == 'store') for e in events if e['event'] in ('load', 'store') and
            e.get('address') is not None and (0x40000000 <= e['address'] < 0x60000000 or e['address'] >= 0xe0000000)]
    same('io', mine, [(a['context'], a['address'], a['store']) for a in of('io')['accesses']])


def infos():
    kinds = collections.Counter(e['event'] for e in events)
    said = of('info')
    same('paths of info', kinds['path'], said['paths']['recorded'])
    if ELF:
        d = said.get('derived') or {}
        same('values of info', kinds['value'], said['values']['recorded'])
        same('accesses', kinds['load'] + kinds['store'], sum(d.values()))
    for c in contexts:
        part = of('info', '--context', str(c)).get('chosen') or {}
        k = collections.Counter(e['event'] for e in events if e.get('context') == c)
        same(f'chosen {c}', k['path'], part.get('paths'))
        if ELF:
            same(f'chosen {c}', (k['load'] + k['store'], k['value']), (part.get('accesses'), part.get('values')))


def dumps():
    for c in contexts:
        _, out = asked('dump --json --forward', '--context', str(c))
        same(f'dump --context {c}', [e for e in events if (e.get('context') == c and e['event'] != 'context') or
                                     e['event'] == 'gap'],
             [e for e in map(json.loads, out.splitlines()) if e['event'] != 'context'])
    for f in functions if ELF else []:
        _, out = asked('dump --json --forward', '--function', f)
        got = [e for e in map(json.loads, out.splitlines())]
        same(f'dump --function {f}', [e for e in events if e.get('function') == f],
             [e for e in got if 'function' in e])
    control = {'entry', 'exit', 'block', 'path', 'context', 'event', 'stamp', 'control', 'place', 'gap', 'stacked',
               'frame'}
    for kinds, names in (('control', control), ('bus', {'load', 'store'}), ('values', {'value'}),
                         ('bus,values', {'load', 'store', 'value'})):
        _, out = asked('dump --json --forward', '--events', kinds)
        same(f'dump --events {kinds}', [e for e in events if e['event'] in names],
             [e for e in map(json.loads, out.splitlines()) if e['event'] in names or e['event'] not in ('gap',)])


def threads():
    of_image = ['functions', 'coverage', 'paths -k 3', 'model', 'overview', 'irq', 'stack', 'race', 'io']
    for command in ['loops', 'grammar', 'hot'] + (of_image if ELF else []):
        for as_json in ('', ' --json'):
            one = asked(command + as_json + ' --threads 1')
            same(f'{command}{as_json} by 3 threads', one, asked(command + as_json + ' --threads 3'))


OF_IMAGE = [function_calls, coverage, addresses, device_accesses] if ELF else []
for part in [infos, dumps, streams, path_counts, *OF_IMAGE, threads]:
    try:
        part()
    except (KeyError, TypeError, ValueError, IndexError) as error:  # an answer of another form than it has to have
        say(f'{part.__name__}: {error!r}')
print(f'{len(events)} events, {len(contexts)} contexts, {asked_count} commands, {wrong} differences')
sys.exit(wrong != 0)
