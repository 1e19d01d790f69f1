#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Gives the descriptors of an image the check sum of tests/lib/unchecked.h, in place: descriptors.py IMAGE
# A record ends with bytes 8 to 23 of its head again, and the sum (tools/lib/image/descriptor_format.h).
import subprocess
import sys

path = sys.argv[1]
sections = subprocess.run(["arm-none-eabi-objdump", "-h", path], capture_output=True, text=True, check=True).stdout
offset, size = next((int(line.split()[5], 16), int(line.split()[2], 16))
                    for line in sections.splitlines() if ".weft.desc" in line.split()[1:2])
image = bytearray(open(path, "rb").read())
at = offset
while at < offset + size:
    length = int.from_bytes(image[at:at + 4], "little")
    copy = image.rfind(image[at + 8:at + 24], at + 24, at + length)
    assert image[at + 4:at + 6] == b"WD" and copy > 0, at
    image[copy + 16:copy + 20] = b"\x20\x20\x20\x20"
    at += length
open(path, "wb").write(image)
