/* SPDX-License-Identifier: MIT */
/* weft-mpi: `weft merge --mpi LIST -o OUT` under mpirun. The only program that needs MPI.
 *
 * 1. The list is cut into blocks of a fixed number of entries, whatever the number of ranks. Ranks get blocks from rank
 *    0 as they get free. It answers between two of its own entries. (One-sided windows would need no answers, but not
 *    every transport between hosts has them.)
 * 2. The profile of a block is renamed into OUT.parts when it is whole. A block that is there already is only read,
 *    unless its inputs have changed: so after a rank has died, which ends the job, the same command does the rest, and
 *    each recording counts once.
 * 3. Ranks tell each other which recordings they have. One that several have stays with the lowest rank.
 * 4. The profiles of the ranks are merged by a tree; rank 0 writes OUT and removes OUT.parts. */
#include <errno.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/fleet/restore.h"
#include "tools/weft/mpi_job.h"

enum { ASK = 1, ANSWER }; /* tags: of step 1; those of profiles are 0 */

enum { BLOCKS = 256, BLOCK_MAX = 1024 };

static const char help[] =
    "usage: mpirun -n N weft merge [-k K] [--elf APP.elf]... [--label K=V,...] [--json] --mpi LIST "
    "-o OUT.weft-profile\n\n"
    "  --mpi LIST         a line for each recording: FILE, or FILE, a tab and K=V,... of it alone\n"
    "  -o, --output OUT   the profile to write\n"
    "  -k K               longest sequence of paths, 2 to 64 (default 4)\n"
    "  --elf APP.elf      an image that recordings come from; may come several times\n"
    "  --label K=V,...    of all recordings whose line has none\n"
    "  --context NAME, --function NAME\n"
    "                     only what happened in this context, or in this function\n"
    "  --json             one JSON object\n\n"
    "weft merge --help says more.\n";

/* ---- steps 1 and 2 ---- */

/* Only recordings that are not in the profile, and do not count elsewhere. */
static bool is_new(void *own, uint64_t digest)
{
    const job *j = own;
    return !digests_has(&j->all->recordings, digest) && !digests_has(&j->refused, digest);
}

/* Rank 0: a block for a rank that is free; `blocks`: there is none. */
static uint64_t give_block(job *j)
{
    return j->next < j->blocks ? j->next++ : j->blocks;
}

/* Rank 0: answers those that ask for a block; `all`: waits until no rank is left that may ask. */
static void answer(job *j, bool all)
{
    while (j->asking) {
        MPI_Status from;
        int asked = 1;
        if (all)
            MPI_Probe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &from);
        else
            MPI_Iprobe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &asked, &from);
        if (!asked)
            return;
        uint64_t block = give_block(j);
        MPI_Recv(NULL, 0, MPI_BYTE, from.MPI_SOURCE, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&block, 1, MPI_UINT64_T, from.MPI_SOURCE, ANSWER, MPI_COMM_WORLD);
        j->asking -= block == j->blocks;
    }
}

static uint64_t ask_block(job *j)
{
    uint64_t block;
    if (!j->rank) {
        answer(j, false);
        return give_block(j);
    }
    MPI_Send(NULL, 0, MPI_BYTE, 0, ASK, MPI_COMM_WORLD);
    MPI_Recv(&block, 1, MPI_UINT64_T, 0, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return block;
}

/* What is left out of an entry. */
typedef struct left_out {
    FILE *names;
    const char *path;
    uint64_t count;
} left_out;

static bool note_left(void *own, const char *why)
{
    left_out *left = own;
    fprintf(left->names, "%s: %s\n", left->path, why);
    left->count++;
    return true;
}

/* Gathers the entries of a block. BLOCK.KIND gets the names of those that are left out, which rank 0 prints at the
 * end: what ranks print at the same time may come out mixed. */
static uint64_t gather_block(job *j, size_t block, merged *to, const char *kind)
{
    size_t end = (block + 1) * j->block, count = gather_list_count(j->list), text_size = 0;
    uint64_t left = 0;
    char path[MPI_PATH_MAX], *text = NULL;
    FILE *names = memory_stream(&text, &text_size);
    for (size_t i = block * j->block; i < end && i < count; i++) {
        char why[400];
        answer(j, false);
        gather_input entry = gather_list_at(j->list, i);
        entry.labels = entry.labels ? entry.labels : j->label;
        left_out one = {names, entry.path, 0};
        if (gather_add(to, j->in, entry, &(intake_left){note_left, &one}, why, sizeof why) == GATHER_BROKEN)
            mpi_fail(j, EXIT_INPUT, entry.path, why);
        left += one.count;
    }
    fclose(names);
    mpi_part_path(j, block, kind, path);
    mpi_write_file(j, path, text, text_size);
    free(text);
    return left;
}

/* What tells whether the inputs of a block are those that its part was made of. */
static uint64_t state_of(job *j, size_t block)
{
    size_t end = (block + 1) * j->block, count = gather_list_count(j->list);
    uint64_t digest = 0;
    for (size_t i = block * j->block; i < end && i < count; i++) {
        struct stat at;
        if (stat(gather_list_at(j->list, i).path, &at))
            at = (struct stat){0};
        const int64_t said[] = {at.st_size, at.st_mtim.tv_sec, at.st_mtim.tv_nsec, at.st_ctim.tv_sec,
                                at.st_ctim.tv_nsec};
        digest = digest_of(digest, said, sizeof said);
    }
    return digest;
}

/* A part that is there, of inputs as they are now. */
static bool part_holds(job *j, size_t block)
{
    char path[MPI_PATH_MAX];
    uint64_t state = state_of(j, block);
    whole_file file;
    mpi_part_path(j, block, "weft-profile", path);
    if (access(path, R_OK) != 0)
        return false;
    mpi_part_path(j, block, "inputs", path);
    if (!whole_file_open(&file, path))
        return false;
    bool same = file.size == sizeof state && !memcmp(file.bytes, &state, sizeof state);
    whole_file_close(&file);
    return same;
}

static void make_part(job *j, size_t block, const char *path)
{
    char inputs_path[MPI_PATH_MAX];
    uint64_t state = state_of(j, block); /* before they are read */
    const char *why = NULL;
    size_t size = 0;
    merged *part = merged_new();
    gather_block(j, block, part, "skipped");
    uint8_t *bytes = profile_write(part, &size, &why);
    if (!bytes)
        mpi_fail(j, EXIT_INPUT, "a block", why);
    unlink(path); /* an older one does not go with the new state of the inputs */
    mpi_part_path(j, block, "inputs", inputs_path);
    mpi_write_file(j, inputs_path, &state, sizeof state);
    mpi_write_file(j, path, bytes, size);
    free(bytes);
    merged_free(part);
}

static uint64_t skipped_of(const job *j, size_t block)
{
    char path[MPI_PATH_MAX];
    uint64_t lines = 0;
    whole_file file;
    mpi_part_path(j, block, "skipped", path);
    if (!whole_file_open(&file, path))
        return 0;
    for (size_t i = 0; i < file.size; i++)
        lines += file.bytes[i] == '\n';
    whole_file_close(&file);
    return lines;
}

/* Whether a recording of a part counts already. */
static bool repeats(const job *j, const char *path)
{
    char message[400];
    merged *part = merged_new();
    bool found = false;
    if (!restore_file(part, path, message, sizeof message))
        mpi_fail(j, EXIT_INPUT, "a part", message);
    for (size_t i = 0; i < part->recordings.max && !found; i++)
        found = part->recordings.slots[i] && !is_new((void *)(uintptr_t)j, part->recordings.slots[i]);
    merged_free(part);
    return found;
}

static void take_block(job *j, size_t block)
{
    char path[MPI_PATH_MAX], message[400];
    mpi_part_path(j, block, "again", path);
    unlink(path); /* of a job that was ended */
    mpi_part_path(j, block, "weft-profile", path);
    if (!part_holds(j, block))
        make_part(j, block, path);
    if (repeats(j, path)) { /* gathered again, without what counts already */
        intake_on_claim(j->in, is_new, j);
        j->skipped += gather_block(j, block, j->all, "again");
        intake_on_claim(j->in, NULL, NULL);
        return;
    }
    j->skipped += skipped_of(j, block);
    if (!restore_file(j->all, path, message, sizeof message))
        mpi_fail(j, EXIT_INPUT, "a part", message);
}

static void take_blocks(job *j)
{
    j->asking = j->rank ? 0 : j->ranks - 1;
    for (uint64_t block; (block = ask_block(j)) < j->blocks;) {
        j->own = memory_room(j->own, j->own_count, &j->own_max, sizeof *j->own);
        j->own[j->own_count++] = block;
        take_block(j, block);
    }
    answer(j, true);
}

/* ---- step 3 ---- */

/* Refuses what a lower rank has; true if that changes the profile of this one. */
static bool refuse(job *j, const uint64_t *digest, const int *count, const int *first)
{
    bool changes = false;
    for (int r = 0; r < j->rank; r++)
        for (int i = 0; i < count[r]; i++)
            if (digests_has(&j->all->recordings, digest[first[r] + i])) {
                digests_add(&j->refused, digest[first[r] + i]);
                changes = true;
            }
    return changes;
}

static void settle(job *j)
{
    int mine = (int)j->all->recordings.count, sum = 0;
    int *count = memory_zero((size_t)j->ranks, sizeof *count), *first = memory_zero((size_t)j->ranks, sizeof *first);
    MPI_Allgather(&mine, 1, MPI_INT, count, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < j->ranks; r++) {
        first[r] = sum;
        if (__builtin_add_overflow(sum, count[r], &sum))
            mpi_fail(j, EXIT_HOST, j->list_path, "more than 2^31 recordings");
    }
    uint64_t *own = digests_sorted(&j->all->recordings), *all = memory_zero((size_t)sum + 1, sizeof *all);
    MPI_Allgatherv(own, mine, MPI_UINT64_T, all, count, first, MPI_UINT64_T, MPI_COMM_WORLD);
    if (refuse(j, all, count, first)) {
        merged_free(j->all);
        j->all = merged_new();
        j->skipped = 0;
        for (size_t i = 0; i < j->own_count; i++)
            take_block(j, j->own[i]);
    }
    free(own);
    free(all);
    free(count);
    free(first);
}

/* ---- before all of it ---- */

/* OUT.parts names what its parts are of; one that is there must be of the same. */
static void open_parts(const job *j)
{
    char path[MPI_PATH_MAX], text[200];
    whole_file file;
    uint64_t digest = digest_of(intake_digest(j->in), j->label ? j->label : "", j->label ? strlen(j->label) : 0);
    snprintf(path, sizeof path, "%s.parts", j->out);
    if (mkdir(path, 0777) && errno != EEXIST)
        mpi_fail(j, EXIT_HOST, path, strerror(errno));
    snprintf(path, sizeof path, "%s.parts/list", j->out);
    int size = snprintf(text, sizeof text, "weft-parts 1\n%016" PRIx64 " %016" PRIx64 " %zu %zu\n",
                        gather_list_digest(j->list), digest, gather_list_count(j->list), j->block);
    if (whole_file_open(&file, path)) {
        if (file.size != (size_t)size || memcmp(file.bytes, text, file.size))
            mpi_fail(j, EXIT_INPUT, path,
                     "its parts are of another list, or of other options: remove the folder to begin anew");
        whole_file_close(&file);
    } else {
        mpi_write_file(j, path, text, (size_t)size);
    }
}

static void prepare(job *j)
{
    char message[400];
    j->in = intake_new((unsigned)j->k);
    intake_choose(j->in, j->choice);
    j->all = merged_new();
    for (size_t i = 0; i < j->elf.count; i++)
        if (!intake_image(j->in, j->elf.all[i], message, sizeof message))
            mpi_fail(j, EXIT_INPUT, "--elf", message);
    j->list = gather_list_open(j->list_path, message, sizeof message);
    if (!j->list)
        mpi_fail(j, EXIT_INPUT, "--mpi", message);
    size_t count = gather_list_count(j->list), block = count / BLOCKS;
    j->block = block < 1 ? 1 : block > BLOCK_MAX ? BLOCK_MAX : block;
    j->blocks = (count + j->block - 1) / j->block;
    if (!j->rank)
        open_parts(j);
    MPI_Barrier(MPI_COMM_WORLD);
}

static int run(job *j)
{
    uint64_t skipped = 0;
    int status = EXIT_DONE;
    threads_choose(1); /* the ranks are as many as there are cores */
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &j->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j->ranks);
    prepare(j);
    take_blocks(j);
    settle(j);
    MPI_Reduce(&j->skipped, &skipped, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    mpi_reduce(j);
    if (!j->rank)
        status = mpi_finish(j, skipped);
    fflush(stdout);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    gather_list_close(j->list);
    intake_free(j->in);
    merged_free(j->all);
    digests_free(&j->refused);
    free(j->own);
    return status;
}

int main(int argc, char **argv)
{
    job j = {.name = "merge", .k = 4};
    const command_option list[] = {{"output", .text = &j.out},
                                   {"o", .text = &j.out},
                                   {"label", .text = &j.label},
                                   {"mpi", .text = &j.list_path},
                                   {"elf", .texts = &j.elf},
                                   {"k", .number = &j.k, .min = 2, .max = MERGED_K_MAX},
                                   {"json", .flag = &j.as_json},
                                   {"context", .text = &j.choice.context},
                                   {"function", .text = &j.choice.function},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status == OPTIONS_READ && (!j.out || !j.list_path || optind != argc))
        status = command_fail(j.name, EXIT_USAGE, "needs --mpi LIST, -o OUT, and no other inputs");
    if (status == OPTIONS_READ && strlen(j.out) > MPI_PATH_MAX - 100)
        status = command_fail(j.name, EXIT_USAGE, "the name of OUT is too long");
    if (status == OPTIONS_READ)
        status = run(&j);
    free(j.elf.all);
    return status;
}
