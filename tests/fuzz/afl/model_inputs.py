#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# First inputs for the fuzzer of models: model_inputs.py WEFT FOLDER
# Nests of several bounds, tiles and remainders, binary and as text; and text with what only others write.
import os
import subprocess
import sys

weft, folder = sys.argv[1:]
STREAMS = {
    "triangle": [i * 64 + j * 4 for i in range(9) for j in range(i + 1)],
    "mixed": [100 + i * 3 for i in range(30)] + [7, 900, 13, 5] + [i * 8 - j for i in range(5) for j in range(6)],
    "tiles": [(ti * 4 + i) * 40 + tj * 4 + j for ti in range(3) for tj in range(3)
              for i in range(min(4, 10 - 4 * ti)) for j in range(min(4, 10 - 4 * tj))],
    "backward": [j - 3 * i for i in range(6) for j in range(0, 12, 2)],
}
TEXTS = {
    "rounding": "for (i1 = 0; i1 <= 9; i1++)\n for (i2 = ceild(i1 - 3, 2); i2 <= floord(2*i1 + 1, 3); i2++)\n"
                "  access(4*i1 - i2 + 100);\n",
    "bounds": "while (n++ < 7)\nfor (i1 = max(0, -2); i1 <= min(3, 5, 2); i1++)\n for (i2 = -i1; i2 <= i1; i2++)\n"
              "  access(i1);\n// a comment\naccess(1, -2, 3000000000);\n",
}


def put(name, content):
    open(os.path.join(folder, "model-" + name), "wb").write(b"\0" + content)


numbers, binary = os.path.join(folder, ".numbers"), os.path.join(folder, ".binary")
for name, stream in STREAMS.items():
    open(numbers, "w").write("\n".join(map(str, stream)))
    text = subprocess.run([weft, "model", numbers, "-o", binary], stdout=subprocess.PIPE, check=True).stdout
    put(name + "-text", text)
    put(name, open(binary, "rb").read())
for name, text in TEXTS.items():
    put(name, text.encode())
os.remove(numbers)
os.remove(binary)
