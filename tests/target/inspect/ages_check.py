# SPDX-License-Identifier: MIT
"""Whether what is printed of a very long run is what its shorter runs promise: ages_check.py A A.txt B B.txt N N.txt

The texts belong to runs whose phases turn A, B and N times. Each number in the third must lie on the line through
those of the first two, exactly if it is an integer that they make one. Prints how many numbers were compared, how
many grow, and the largest; or the first that does not fit."""
import re
import sys
from fractions import Fraction

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w])")


def main():
    turns = [int(sys.argv[i]) for i in (1, 3, 5)]
    texts = [open(sys.argv[i], encoding="utf-8", errors="replace").read() for i in (2, 4, 6)]
    words = [NUMBER.split(t) for t in texts]
    if not words[0] == words[1] == words[2]:
        at = next((w for w in zip(*words) if len(set(w)) > 1), "not as many numbers: %s" % [len(w) for w in words])
        return print("other words", at)
    grow, largest = 0, 0
    for at, (a, b, n) in enumerate(zip(*map(NUMBER.findall, texts))):
        slope = (Fraction(b) - Fraction(a)) / (turns[1] - turns[0])
        wanted = Fraction(a) + slope * (turns[2] - turns[0])
        exact = all("." not in x and "e" not in x.lower() for x in (a, b, n)) and wanted.denominator == 1
        if abs(Fraction(n) - wanted) > (0 if exact else max(wanted / 10**5, 1)):
            return print("after", repr(words[0][at][-60:]), "stands", n, "and not", float(wanted), "from", a, b)
        grow, largest = grow + (slope != 0), max(largest, Fraction(n))
    print(len(words[0]) - 1, grow, int(largest))


main()
