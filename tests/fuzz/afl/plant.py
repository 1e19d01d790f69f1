# SPDX-License-Identifier: MIT
"""Planted bugs: a copy of a source file of each reader in which one check is left out. The fuzzer of that reader must
find it (planted.sh).

    plant.py SET FOLDER      writes FOLDER/FILE for each file of the set, and the list FOLDER/list: READER, tab, FILE
    plant.py SET             prints the files

The sets are `planted`, and `planted-more` with a second bug for readers of several kinds of file.

A check that is no longer there as it stands here is an error: then the bug has to be planted elsewhere."""
import os
import sys

# set: reader: file, the check, what is left of it
BUGS = {"planted": {
    "container": ("tools/lib/recording/frames.c", "body->followers_log2 > 16 || ", ""),
    "full": ("tools/lib/recording/full.c", "r->run_next >= r->node_count || r->run_next > r->met", "false"),
    "wet": ("tools/lib/wet/directory_link.c", "if (edge->producers[i] >= d->f->producer_count)", "if (false)"),
    "squeezed": ("tools/lib/squeeze/words.c", "if (i >= size) {", "if (false) {"),
    "model": ("tools/lib/affine/binary.c", "head / 2 <= AFFINE_DEPTH && ", ""),
    "nest": ("tools/lib/loops/binary.c", "if (!r->wrong && value >= real)", "if (false && real)"),
    "grammar": ("tools/lib/grammar/grammar.c", "if (rule >= g->rules || ", "if ("),
    "profile": ("tools/lib/fleet/profile_read.c", "if (place >= r->name_count) {", "if (false) {"),
    "image": ("tools/lib/image/image.c", "(part.p_type == PT_LOAD && !is_inside", "(false && !is_inside"),
    "svd": ("tools/lib/inspect/svd_tree.c", "if (!t || !*t)\n        return false;\n", ""),
    "stream": ("tools/weft/hot.c", "bool is_number = cost && isdigit", "bool is_number = isdigit"),
    "packets": ("tools/lib/debug/server.c", "from = from < size ? from : size;\n", "\n"),
    "arrivals": ("tools/lib/recording/swo.c", "judge && s->ahead_count < SWO_AHEAD",
                 "judge && s->ahead_count <= SWO_AHEAD"),
    "messages": ("tools/lib/debug/dap_show.c", "reference < 1 || (size_t)reference > d->handle_count", "reference < 1"),
    "answers": ("tools/lib/emulator/gdb.c", "!end || end + 3 > g->input + g->have", "!end"),
    "memory": ("tools/lib/recording/blackbox_packed.c", "if (u.at >= u.ring_size)", "if (false)"),
}, "planted-more": {
    "container": ("tools/lib/recording/packs.c", "if (links && !count)", "if (links && false)"),
    "grammar": ("tools/lib/grammar/wpp_model.c", " && symbol < p->terminal_count;", ";"),
}}

bugs = BUGS[sys.argv[1]]
if len(sys.argv) == 2:
    print(*(file for file, _, _ in bugs.values()))
    sys.exit()
for file, check, left in bugs.values():
    text = open(file).read()
    if text.count(check) != 1:
        sys.exit(f"plant.py: {file} has the check '{check.strip()}' {text.count(check)} times, not once")
    out = os.path.join(sys.argv[2], file)
    os.makedirs(os.path.dirname(out), exist_ok=True)
    open(out, "w").write(text.replace(check, left))
open(os.path.join(sys.argv[2], "list"), "w").writelines(f"{name}\t{bug[0]}\n" for name, bug in bugs.items())
