#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs.py FILE...: what is wrong with documents, a line each (see docs.sh). Run at the root of the project."""
import functools
import glob
import itertools
import os
import re
import sys

SOURCES = ["core", "hal", "port", "boards", "linker", "tools", "tests", "packaging", "Makefile"]
FILES = (".c", ".h", ".s", ".cc", ".sh", ".mk", ".ld", ".md", ".py")


def files_of(folder):
    if os.path.isfile(folder):
        yield folder
    for where, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f not in ("build", ".git")]
        yield from (os.path.join(where, name) for name in names)


@functools.cache
def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def listed(globs):
    return sorted(itertools.chain.from_iterable(glob.glob(pattern) for pattern in globs))


identifiers = {w for folder in SOURCES for path in files_of(folder) for w in re.findall(r"\w+", read(path))}
names = {os.path.basename(path) for path in files_of(".")}
rules = "\n".join(read(p) for p in listed(["Makefile", "tools/*.mk", "tools/*/*.mk", "port/*.mk", "tests/*.mk", "packaging/*.mk"]))
targets = {t for left in re.findall(r"^((?:[a-z0-9-]+ )*[a-z0-9-]+):", rules, re.M) for t in left.split()}
commands = set(re.findall(r'\{"([a-z]+)", command_', read("tools/weft/main.c")))


def words(text):
    """What stands in backticks outside of code blocks."""
    code, found = False, set()
    for line in text.split("\n"):
        if re.match(r" *```", line):
            code = not code
        elif not code and not line.startswith("    "):
            found.update(re.findall(r"`([^`]+)`", line))
    return sorted(found)


def braces(pattern):
    """As a shell expands {a,b}."""
    at = re.search(r"\{([^{}]*,[^{}]*)\}", pattern)
    if not at:
        return [pattern]
    return [p for one in at[1].split(",") for p in braces(pattern[:at.start()] + one + pattern[at.end():])]


def is_file(word):
    if all(os.path.exists(p) or glob.glob(p) or os.path.exists(p + ".h") for p in braces(word)):
        return True
    return "/" not in word and any(re.fullmatch(word.replace(".", r"\.").replace("*", ".*"), name) for name in names)


def wrong(word):
    """None, or what is wrong with a word that names something."""
    first, _, rest = word.partition(" ")
    if re.match(r"make [a-z]", word):
        return None if rest.split(" ")[0] in targets else "no such target of make"
    if re.match(r"weft [a-z]", word):
        return None if rest.split(" ")[0] in commands else "no such subcommand"
    if "NAME" in word or " " in word or word.startswith(("build/", "$", "/", "-")) or "://" in word:
        return None
    if re.fullmatch(r"\w+\(\)", word):
        return None if word[:-2] in identifiers else "no such function"
    if re.match(r"(weft_[a-z].*[^/]|WEFT_[A-Z].*|__weft_.*|wet_[a-z].*)$", word):
        return None if not re.fullmatch(r"\w+", word) or word in identifiers else "no such identifier"
    if not re.fullmatch(r"[][A-Za-z0-9_.*{},/+-]+", word) or not ("/" in word or word.endswith(FILES)):
        return None
    return None if re.search(r"/[A-Z]+/", f"/{word}/") or is_file(word) else "no such file"


@functools.cache
def options_of(command):
    """What the sources of a subcommand name with two dashes, in its help or in its table."""
    defines = rf"^int command_{command}\("
    own = [p for p in glob.glob("tools/weft/*.c") if re.match(rf"{command}(_|\.)", os.path.basename(p)) or
           re.search(defines, read(p), re.M)]
    text = "".join(read(p) for p in own + ["tools/weft/options.c", "tools/weft/options.h"])
    return set(re.findall(r"--([a-z][a-z-]*)", text)) | set(re.findall(r'\{"([a-z-]+)", \.', text))


def options(text):
    """Options that a subcommand does not have, wherever its command line stands: in code blocks, too."""
    for command, rest in re.findall(r"\bweft ([a-z]+)\b([^`\n|#;&]*)", text.replace("\\\n", " ")):
        if command in commands:
            own = re.split(r"  +(?=[a-z])|weft ", rest)[0]  # another command may follow on the line
            for option in re.findall(r"(?<=[ \[])--([a-z][a-z-]*)", own):
                if option not in options_of(command):
                    yield f"no such option: weft {command} --{option}"


def pairs(text):
    """`name()` in `file`: that is where it is."""
    for name, where in re.findall(r"`([a-z_0-9]+)\(\)`(?: in|,) +`([a-z][A-Za-z0-9_./-]*\.[ch]c?)`", text.replace("\n", " ")):
        if os.path.exists(where) and not re.search(rf"^[a-z].*\b{name}\(", read(where), re.M):
            yield f"{name}() is not in {where}"


for file in sys.argv[1:]:
    content = read(file)
    bad = [f"{what}: {word}" for word in words(content) for what in [wrong(word)] if what]
    for number, line in enumerate(content.split("\n"), 1):
        if line.startswith("|") and len(line) > 100:
            bad.append(f"{number}: a table of {len(line)} columns")
        if len(line) > 120:
            bad.append(f"{number}: a line of {len(line)} columns")
    bad += list(pairs(content)) + list(options(content))
    for what in bad:
        print(f"# {file}: {what}")
    print("not ok" if bad else "ok", f"what {file} names exists")
