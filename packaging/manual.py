# SPDX-License-Identifier: MIT
"""Manual pages and completions, from what `weft --help` and `weft COMMAND --help` print.

    manual.py WEFT OUTPUT-FOLDER

OUTPUT-FOLDER gets man1/weft.1, man1/weft-COMMAND.1, weft.bash, _weft (zsh) and weft.fish.
"""
import os, re, subprocess, sys


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout


def roff(text):
    return "".join(("\\&" if line[:1] in ".'" else "") + line.replace("\\", "\\e").replace("-", "\\-") + "\n"
                   for line in text.splitlines())


def page(title, name, text, also, version):
    usage, rest = text.split("\n\n", 1)
    usage = re.sub(r"^(usage: |       )", "", usage, flags=re.M)
    body = ""
    for part in rest.strip("\n").split("\n\n"):
        plain = not part.startswith(" ")
        body += (".PP\n%s" if plain else ".PP\n.nf\n%s.fi\n") % roff(part)
    return ('.TH "%s" 1 "" "weft %s" "User Commands"\n.nh\n.ad l\n.SH NAME\n%s.SH SYNOPSIS\n.nf\n%s.fi\n.SH DESCRIPTION\n%s'
            ".SH SEE ALSO\n%s" % (title.upper(), version, roff(name), roff(usage.strip()), body[4:], roff(also)))


def choices_of(text):
    """{option: [what its value may be]}, where the help lists words."""
    found = {}
    for option, words in re.findall(r"(--?[\w-]+) ([a-z0-9-]+(?:\|[\w-]+)+)", text):
        found.setdefault(option, words.split("|"))
    # --format F   of a raw stream: text (default), chars, u8 or u16
    for option, said in re.findall(r"^ +(?:-\w, )?(--[\w-]+) [A-Z]\S* +\S(.*(?:\n {8,}.*)*)", text, re.M):
        match = re.search(r": ([a-z0-9]+(?: \(default\))?(?:,\s+[a-z0-9]+)+(?:\s+or [a-z0-9]+)?)(?: \(|;|\.|$)", said)
        if match:
            found.setdefault(option, re.findall(r"[a-z0-9]+", re.sub(r" \(default\)|\bor\b", "", match[1])))
    # --as FORMAT: and a line for each
    for option, lines in re.findall(r"^  (--[\w-]+) [A-Z]+:\n((?: {4,}.*\n)+)", text, re.M):
        found.setdefault(option, re.findall(r"^    ([a-z]\w*)  ", lines, re.M))
    return found


def options_of(text):
    """[(option, needs a value, what it does, [what the value may be])], each once."""
    found, choices = {}, choices_of(text)
    for line in text.splitlines():
        match = re.match(r"\s+((?:-\w, )?(?:--?[\w-]+))(?:, (--[\w-]+))?((?: [A-Z]\S*)*)(?:\s\s+(.*))?:?$", line)
        if not match:
            continue
        for option in match[1].split(", ") + ([match[2]] if match[2] else []):
            found.setdefault(option, (bool(match[3].strip()), (match[4] or "").strip()))
    usage = re.sub(r"^.*?(?=\bweft )", "", text.split("\n\n", 1)[0], flags=re.M)  # mpirun -n is not ours
    for option, value in re.findall(r"(?<![\w-])(--[a-z][\w-]*|-[a-z])(?!\w)( [A-Z|a-z]+\b)?", usage):
        found.setdefault(option, (bool(value), ""))
    found.setdefault("--help", (False, "how it is used"))
    return [(option, *found[option], choices.get(option, [])) for option in sorted(found)]


def bash(commands):
    lines = ["# SPDX-License-Identifier: MIT", "# Completion of weft for bash.", "_weft() {",
             "    local words choice='' current=${COMP_WORDS[COMP_CWORD]}", "    COMPREPLY=()",
             "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
             "        words='%s --help --version'" % " ".join(c[0] for c in commands), "    else",
             "        case ${COMP_WORDS[1]} in"]
    for name, _, options, words in commands:
        lines.append("        %s) words='%s' ;;" % (name, " ".join(words + [o[0] for o in options])))
    lines += ["        esac", "        case ${COMP_WORDS[1]}${COMP_WORDS[COMP_CWORD - 1]} in"]
    for name, _, options, _ in commands:
        lines += ["        %s%s) words='%s' choice=1 ;;" % (name, option, " ".join(choices))
                  for option, _, _, choices in options if choices]
    lines += ["        esac", "    fi", "    if [ -n \"$choice\" ]; then",
              "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")", "        return", "    fi",
              "    if [ \"$COMP_CWORD\" -eq 1 ] || [[ $current == -* ]]; then",
              "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")", "    else",
              "        mapfile -t COMPREPLY < <(compgen -f -W \"${words//--*/}\" -- \"$current\")", "    fi", "}",
              "complete -o filenames -F _weft weft"]
    return "\n".join(lines) + "\n"


def quoted(text):
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh(commands):
    lines = ["#compdef weft", "# SPDX-License-Identifier: MIT", "local -a commands", "commands=("]
    lines += ["    '%s:%s'" % (name, quoted(does)) for name, does, _, _ in commands]
    lines += [")", "if (( CURRENT == 2 )); then", "    _describe command commands", "    return", "fi",
              "case $words[2] in"]
    for name, _, options, words in commands:
        lines.append("%s) _arguments '1:command:' \\" % name)
        for option, value, does, choices in options:
            lines.append("    '%s[%s]%s' \\" % (option, quoted(does), ":value:(%s)" % " ".join(choices) if choices
                                                else ":value:_files" if value else ""))
        lines.append("    %s'*:file:_files' ;;" % ("'2:what:(%s)' " % " ".join(words) if words else ""))
    return "\n".join(lines + ["esac"]) + "\n"


def fish(commands):
    lines = ["# SPDX-License-Identifier: MIT", "# Completion of weft for fish."]
    for name, does, options, words in commands:
        lines.append("complete -c weft -n __fish_use_subcommand -f -a %s -d '%s'" % (name, does.replace("'", "\\'")))
        seen = "complete -c weft -n '__fish_seen_subcommand_from %s'" % name
        lines += ["%s -a %s" % (seen, word) for word in words]
        for option, value, does_, choices in options:
            kind = "-l " + option[2:] if option.startswith("--") else "-s " + option[1:]
            takes = " -x -a '%s'" % " ".join(choices) if choices else " -r" if value else ""
            lines.append("%s %s%s -d '%s'" % (seen, kind, takes,
                                              does_.replace("\\", "\\\\").replace("'", "\\'")))
    return "\n".join(lines) + "\n"


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def main():
    weft, folder = sys.argv[1:3]
    os.makedirs(folder + "/man1", exist_ok=True)
    version = run(weft, "--version").split()[1]
    text = run(weft, "--help")
    commands = []
    for name, does in re.findall(r"^  ([a-z]\S*) +(\S.*)$", text, re.M):
        said = run(weft, name, "--help")
        words = list(dict.fromkeys(re.findall(r"weft %s ([a-z]+)\b" % name, said.split("\n\n", 1)[0])))
        commands.append((name, does, options_of(said), words))
        write("%s/man1/weft-%s.1" % (folder, name), page("weft-" + name, "weft-%s - %s" % (name, does), said,
                                                         "weft(1)", version))
    also = ", ".join("weft-%s(1)" % command[0] for command in commands)
    write(folder + "/man1/weft.1", page("weft", "weft - records everything that a microcontroller's program does",
                                        text, also, version))
    write(folder + "/weft.bash", bash(commands))
    write(folder + "/_weft", zsh(commands))
    write(folder + "/weft.fish", fish(commands))


main()
