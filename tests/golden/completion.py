# SPDX-License-Identifier: MIT
"""Options by --help, by the command line's tables and by the completions of three shells (tests/golden/completion.sh).

    completion.py WEFT FOLDER     FOLDER: what packaging/manual.py made. Prints `ok NAME` or `not ok NAME` lines
"""
import glob, os, re, subprocess, sys

weft, folder = sys.argv[1:]


def run(*words):
    done = subprocess.run([weft, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.decode(), done.stderr.decode()


def taken(command, option):
    return not re.search("unrecognized option|invalid option", run(command, option)[1])


def in_table(command):
    """Of the tables in the files of that name; gdb.c holds debug's, too."""
    found = set()
    for path in glob.glob("tools/weft/%s.c" % command) + glob.glob("tools/weft/%s_options.c" % command):
        with open(path) as file:
            found |= set(re.findall(r'\{"([a-z-]+)",\s+\.(?:flag|text|texts|number|format)\b', file.read()))
    return {("--" if len(name) > 1 else "-") + name for name in found}


def bash(command):
    words = open(folder + "/weft.bash").read().split("\n        %s) words='" % command)[1].split("'")[0].split()
    return {word for word in words if word[0] == "-"}


def zsh(command):
    case = open(folder + "/_weft").read().split("\n%s) _arguments" % command)[1].split(";;")[0]
    return set(re.findall(r"^    '(--?[\w-]+)\[", case, re.M))


def fish(command):
    found = re.findall(r"^complete -c weft -n '__fish_seen_subcommand_from %s' -([ls]) ([\w-]+)" % command,
                       open(folder + "/weft.fish").read(), re.M)
    return {("--" if kind == "l" else "-") + name for kind, name in found}


def verdict(name, wrong):
    print("ok" if not wrong else "not ok", name)
    for line in wrong:
        print("#", line)


def main():
    silent, wrong, count = [], [], 0
    for command in re.findall(r"^  ([a-z]+) ", run("--help")[0], re.M):
        text = re.sub("(mpirun|mpiexec|srun|capture) --?[a-z-]+", "", run(command, "--help")[0])  # those of others
        table = in_table(command)
        known = set() if os.environ.get("WEFT_LONG") else table
        told = {"--help"} | {option for option in set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text))
                             if option in known or taken(command, option)}
        count += len(told)
        silent += ["%s %s" % (command, option) for option in sorted(table - told)
                   if taken(command, option)]
        for shell in bash, zsh, fish:
            wrong += ["%s, %s: %s" % (shell.__name__, command, option) for option in sorted(told ^ shell(command))]
    verdict("each option of a command is in its --help", silent)
    verdict("each option of --help, and no other, is offered by bash, zsh and fish", wrong)
    verdict("these are all of them", [] if count > 300 else ["only %d" % count])


main()
