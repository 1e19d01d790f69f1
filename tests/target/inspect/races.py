# SPDX-License-Identifier: MIT
"""A program with planted races, and with the same things done right.

    races.py SEED COUNT PROGRAM.c EXPECTED     writes COUNT races and about as many protected variants
    races.py --compare EXPECTED RACES.json     what was not found, what was found that is none

Each variant has an object of its own, v0, v1, ...; code that thread mode (or a less urgent handler) runs, and code that
a more urgent handler runs. EXPECTED has a line "vN KIND" for each race, and "vN -" for each protected
variant; "?" says that either is right."""
import json, random, re, sys

HEAD = """/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

#include "port/cortex-m/cortexm.h"

#define APART __attribute__((noinline, noclone))
enum { URGENT = 20, LOW = 21, ALSO_LOW = 22, NEVER = 23 };

static volatile uint32_t noise;
static APART void pause(void)
{
    for (uint32_t n = noise & 3; n; n--)
        __asm volatile("nop");
}

static inline uint32_t basepri_raise(uint32_t to)
{
    uint32_t old;
    __asm volatile("mrs %0, basepri\\n\\tmsr basepri, %1" : "=&r"(old) : "r"(to) : "memory");
    return old;
}
static inline void basepri_set(uint32_t to)
{
    __asm volatile("msr basepri, %0" ::"r"(to) : "memory");
}
/* And the handler comes now, before the next instruction. */
static inline void pend(uint32_t irq)
{
    weft_irq_pend(irq);
    __asm volatile("dsb\\n\\tisb" ::: "memory");
}
static inline void mask(void)
{
    __asm volatile("cpsid i" ::: "memory");
}
static inline void unmask(void)
{
    __asm volatile("cpsie i" ::: "memory");
}

typedef struct pair {
    uint32_t a, b, c;
} pair;
typedef struct bits {
    unsigned low : 3, high : 5;
} bits;
typedef struct __attribute__((packed)) packed {
    uint8_t first;
    uint32_t value;
} packed;
typedef struct node {
    struct node *next;
} node;
"""

TAIL = """
static void (*volatile urgent_work)(void), (*volatile low_work)(void), (*volatile also_low_work)(void);

void IRQ20_Handler(void);
void IRQ21_Handler(void);
void IRQ22_Handler(void);
void IRQ20_Handler(void)
{
    urgent_work();
}
void IRQ21_Handler(void)
{
    low_work();
}
void IRQ22_Handler(void)
{
    also_low_work();
}

int main(void)
{
    weft_irq_priority(URGENT, 0x40);
    weft_irq_priority(LOW, 0x80);
    weft_irq_priority(ALSO_LOW, 0x80);
    urgent_work = low_work = also_low_work = pause;
    weft_irq_enable(URGENT);
    weft_irq_enable(LOW);
    weft_irq_enable(ALSO_LOW);
    for (int round = 0; round < 3; round++) {
%s    }
    return 0;
}
"""

INTS = ("uint8_t", "uint16_t", "uint32_t", "int8_t", "int16_t", "int32_t")

# name: kind, declaration, less urgent code, more urgent code. V: the object; T: an integer type; P: pause() or nothing.
LOST, READ, WRITE, NONE, ANY = "lost update", "torn read", "torn write", "-", "?"
RACES = [
    (LOST, "static volatile T V;", "V++;", "V += 3;"),
    (LOST, "static T V;", "V = (T)(V + 5);", "V = (T)(V * 3 + 1);"),
    (LOST, "static volatile T V;", "T old = V; P old = (T)(old | 4); P V = old;", "V ^= 1;"),
    (LOST, "static volatile T V;", "V &= (T)~2;", "V |= 2; V++;"),
    (LOST, "static bits V;", "V.low++;", "V.high++;"),
    (LOST, "static volatile T V = 1;", "if (V > 0) { P V = 0; }", "V = (T)(V + 1);"),
    (LOST, "static T V[4];", "for (int i = 0; i < 4; i++) V[i]++;", "V[2] += 7;"),
    (LOST, "static pair V;", "pair *p = &V; P p->b += p->a;", "V.b++;"),
    (LOST, "static uint32_t V[2];", "V[0] += 3; V[1] += 5;", "V[0] += 7;"),  # by one load and one store of both
    (LOST, "static volatile float V;", "V += 1.5f;", "V *= 2.0f;"),
    (LOST, "static volatile T V;", "mask(); T old = V; unmask(); P mask(); V = (T)(old + 1); unmask();", "V++;"),
    (LOST, "static volatile T V;", "uint32_t m = basepri_raise(0x80); V++; basepri_set(m);", "V++;"),
    (LOST, "static volatile T V;", "weft_irq_disable(NEVER); V++; weft_irq_enable(NEVER);", "V++;"),
    (LOST, "static volatile T V;", "mask(); unmask(); V++;", "V--;"),
    (LOST, "static volatile T V; static APART T getV(void) { return V; } static APART void setV(T x) { V = x; }",
     "setV((T)(getV() + 1));", "V += 2;"),
    (LOST, "static node nodeV, freeV[2]; static node *V;", "node *n = &nodeV; n->next = V; P V = n;",
     "node *n = &freeV[noise & 1]; noise = noise + 1; n->next = V; V = n;"),
    (LOST, "static volatile T V;", "T n = V; if (n < 100) n++; else n = 0; V = n;", "V = (T)(V + 9);"),
    (LOST, "static volatile uint64_t V;", "V += 1;", "V += 0x100000001ull;"),
    (LOST, "static volatile T V;", "__atomic_fetch_add(&V, 1, __ATOMIC_RELAXED); V++;", "V++;"),
    (READ, "static volatile uint64_t V; static volatile uint32_t outV;", "outV = (uint32_t)(V >> 7);",
     "V += 0xffffffffull;"),
    (READ, "static volatile double V; static volatile double outV;", "outV = V;", "V = V + 0.3;"),
    (READ, "static pair V, outV;", "outV = V; P", "V.a++; V.b += 2; V.c += 3;"),
    (READ, "static uint32_t V[8], outV[8];", "memcpy(outV, V, sizeof V); P", "for (int i = 0; i < 8; i++) V[i] += 3;"),
    (WRITE, "static volatile uint64_t V; static volatile uint32_t outV;", "V = 0x123456789aull + noise;",
     "outV = (uint32_t)V + (uint32_t)(V >> 32);"),
    (WRITE, "static pair V, outV;", "static const pair from = {1, 2, 3}; V = from; P", "outV = V;"),
    (WRITE, "static uint32_t V[6], outV[6];", "memcpy(V, outV, sizeof V); P",
     "uint32_t s = 0; for (int i = 0; i < 6; i++) s += V[i]; noise = s;"),
    (READ, "static struct { uint32_t id; volatile uint64_t at; } V; static volatile uint64_t outV;", "outV = V.at;",
     "V.at += 77;"),
]
PROTECTED = [
    ("static volatile T V;", "mask(); V++; unmask();", "V += 3;"),
    ("static volatile T V;", "uint32_t m = weft_mask_interrupts(); V++; P weft_restore_interrupts(m);", "V += 3;"),
    ("static volatile T V;", "uint32_t m = basepri_raise(0x40); V++; basepri_set(m);", "V += 3;"),
    ("static volatile T V;", "weft_irq_disable(URGENT); V++; P weft_irq_enable(URGENT);", "V += 3;"),
    ("static T V;", "__atomic_fetch_add(&V, 1, __ATOMIC_RELAXED);", "__atomic_fetch_add(&V, 3, __ATOMIC_RELAXED);"),
    ("static T V;", "__atomic_fetch_or(&V, 1, __ATOMIC_SEQ_CST);", "V += 3;"),
    ("static volatile T V, outV;", "outV = V; P outV = V;", "V++;"),
    ("static volatile T V, outV;", "V++; P V += 2;", "outV = V;"),
    ("static volatile T V;", "if (V) { P V = 0; pause(); }", "V = 1;"),
    ("static volatile T V;", "V = 7; P", "V = 9;"),
    ("static volatile uint64_t V; static volatile uint32_t outV;", "mask(); outV = (uint32_t)(V >> 7); unmask();",
     "V += 0xffffffffull;"),
    ("static pair V, outV;", "uint32_t m = weft_mask_interrupts(); outV = V; weft_restore_interrupts(m);",
     "V.a++; V.b += 2; V.c += 3;"),
    ("static pair V, outV;", "outV.a = V.b; outV.b = V.c;", "V.a++; V.b += 2;"),
    ("static volatile uint32_t V[8], headV, tailV;",
     "uint32_t t = tailV; if (t != headV) { noise = V[t & 7] & 3; tailV = t + 1; }",
     "uint32_t h = headV; if (h - tailV < 8) { V[h & 7] = h; headV = h + 1; }"),
    ("static volatile T V; static T privateV;", "privateV++; V = privateV; P", "if (V > 1) noise = 1;"),
    ("static T V[2];", "V[0]++; P", "V[1] += 3;"),
]


def variant(number, declaration, less, more, kind, r):
    low = kind != NONE and r.random() < 0.25  # the less urgent code is in a handler
    if "URGENT" in less and low:
        low = False
    pause = r.choice(("", "pause();", "noise = noise + 1;" if not low else ""))
    type_ = r.choice(INTS)

    def fill(text):
        text = re.sub(r"\bP\b", pause, text)
        text = re.sub(r"\bT\b", type_, text)
        text = re.sub(r"\b(node|free|out|get|set|head|tail|private)V\b", r"\1_v%d" % number, text)
        return re.sub(r"V\b(?!_)", "v%d" % number, text)
    # Not static: else the compiler sees that an object is never read.
    text = re.sub(r"\bstatic (?!APART)", "", fill(declaration)) + "\n"
    text += "static APART void less%d(void)\n{\n    %s\n}\n" % (number, fill(less))
    text += "static APART void more%d(void)\n{\n    %s\n}\n" % (number, fill(more))
    call = "        urgent_work = more%d;\n" % number
    if low:
        call += "        low_work = less%d;\n        pend(LOW);\n        pend(URGENT);\n" % number
    else:
        call += "        pend(URGENT);\n        less%d();\n        pend(URGENT);\n" % number
    return text + "\n", call


def same_priority(number):
    """Two handlers that cannot interrupt each other."""
    text = "static volatile uint32_t v%d;\n" % number
    for name in ("less", "more"):
        text += "static APART void %s%d(void)\n{\n    v%d++;\n}\n" % (name, number, number)
    return text + "\n", ("        low_work = less%d;\n        also_low_work = more%d;\n"
                         "        pend(LOW);\n        pend(ALSO_LOW);\n" % (number, number))


def generate(seed, count, path, expected):
    r = random.Random(seed)
    races = [RACES[i] if i < len(RACES) else r.choice(RACES) for i in range(count)]
    todo = [(kind, d, less, more) for kind, d, less, more in races]
    todo += [(NONE, d, less, more) for d, less, more in PROTECTED] * max(1, count // len(PROTECTED) - 1)
    r.shuffle(todo)
    text, calls, lines = HEAD, "", []
    for number, (kind, declaration, less, more) in enumerate(todo):
        body, call = variant(number, declaration, less, more, kind, r)
        text, calls = text + body, calls + call
        lines.append("v%d %s" % (number, kind))
    body, call = same_priority(len(todo))
    lines.append("v%d -" % len(todo))
    lines.append("noise ?")  # several contexts change it in their pauses
    open(path, "w").write(text + body + TAIL % (calls + call))
    open(expected, "w").write("\n".join(lines) + "\n")


def compare(expected, answer):
    want = dict(line.rstrip().split(" ", 1) for line in open(expected))
    got = {}
    for race in json.load(open(answer))["races"]:
        got.setdefault(re.split(r"[.\[+]", race["object"])[0], set()).add(race["kind"])
    races = [v for v in want if want[v] not in (NONE, ANY)]
    missed = [v for v in races if want[v] not in got.get(v, ())]
    wrong = [v for v in got if want.get(v, NONE) == NONE]
    for v in missed:
        print("missed", v, want[v])
    for v in wrong:
        print("wrong", v, sorted(got[v]))
    protected = sum(k == NONE for k in want.values())
    print("found %d of %d, wrong %d of %d" % (len(races) - len(missed), len(races), len(wrong), protected))


if sys.argv[1] == "--compare":
    compare(sys.argv[2], sys.argv[3])
else:
    generate(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4])
