# SPDX-License-Identifier: MIT
# Each option that a document gives to a subcommand of weft is in its --help. Prints those that are not.
#     docs_options.py WEFT DOCUMENT...
import functools
import re
import subprocess
import sys


@functools.lru_cache(None)
def help_of(*command):
    return subprocess.run([sys.argv[1], *command, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()


commands = set(re.findall(r"^  ([a-z]+) ", help_of(), re.M))
checked = 0
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as document:
        text = document.read().replace("\\\n", " ")
    for command, rest in re.findall(r"\bweft ([a-z]+)\b([^\n`|;&]*)", text):
        rest = re.split(r" #|\bweft\b|\s{2,}[a-z]", rest)[0]
        for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", rest) if command in commands else []:
            checked += 1
            if not re.search(r"(?<![\w-])%s(?![\w-])" % option, help_of(command) + " --help"):
                print("%s: weft %s has no %s" % (path, command, option))
print("%d options" % checked)
