/* SPDX-License-Identifier: MIT */
/* Step 4 of mpi_main.c, and what its steps share. */
#include <errno.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/whole_file.h"
#include "tools/weft/mpi_job.h"

enum { CHUNK = 1 << 30 }; /* bytes of a message at most */

void mpi_fail(const job *j, int status, const char *what, const char *why)
{
    command_fail(j->name, status, "rank %d: %s: %s", j->rank, what, why);
    MPI_Abort(MPI_COMM_WORLD, status);
}

void mpi_part_path(const job *j, size_t block, const char *kind, char path[MPI_PATH_MAX])
{
    snprintf(path, MPI_PATH_MAX, "%s.parts/%06zu.%s", j->out, block, kind);
}

void mpi_write_file(const job *j, const char *path, const void *bytes, size_t size)
{
    char message[400];
    output *out = output_open(path, message, sizeof message);
    if (out && size)
        fwrite(bytes, 1, size, output_stream(out));
    if (!out || !output_commit(out, message, sizeof message))
        mpi_fail(j, EXIT_HOST, "a part", message);
}

/* ---- step 4 ---- */

static void send_profile(const job *j, int to)
{
    const char *why = NULL;
    size_t size = 0;
    uint8_t *bytes = profile_write(j->all, &size, &why);
    if (!bytes)
        mpi_fail(j, EXIT_INPUT, j->list_path, why);
    uint64_t whole = size;
    MPI_Send(&whole, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
    for (size_t at = 0; at < size; at += CHUNK)
        MPI_Send(bytes + at, (int)(size - at < CHUNK ? size - at : CHUNK), MPI_BYTE, to, 0, MPI_COMM_WORLD);
    free(bytes);
}

static void receive_profile(const job *j, int from)
{
    uint64_t size;
    size_t used;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    uint8_t *bytes = memory_zero(size + 1, 1);
    for (size_t at = 0; at < size; at += CHUNK)
        MPI_Recv(bytes + at, (int)(size - at < CHUNK ? size - at : CHUNK), MPI_BYTE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    const char *why = profile_read(j->all, bytes, size, &used);
    free(bytes);
    if (why)
        mpi_fail(j, EXIT_INPUT, j->list_path, why);
}

void mpi_reduce(const job *j)
{
    for (int step = 1; step < j->ranks; step *= 2) {
        if (j->rank % (2 * step)) {
            send_profile(j, j->rank - step);
            return;
        }
        if (j->rank + step < j->ranks)
            receive_profile(j, j->rank + step);
    }
}

/* The names that were left out, in the order of the list. */
static void print_skipped(const job *j)
{
    char path[MPI_PATH_MAX];
    whole_file file;
    for (size_t i = 0; i < j->blocks; i++) {
        mpi_part_path(j, i, "again", path);
        if (access(path, R_OK) != 0)
            mpi_part_path(j, i, "skipped", path);
        if (!whole_file_open(&file, path))
            mpi_fail(j, EXIT_HOST, path, strerror(errno));
        const char *at = (const char *)file.bytes, *end = at + file.size;
        for (const char *next; at < end; at = next + 1) {
            next = memchr(at, '\n', (size_t)(end - at));
            next = next ? next : end;
            command_fail(j->name, EXIT_INPUT, "left out: %.*s", (int)(next - at), at);
        }
        whole_file_close(&file);
    }
}

static void remove_parts(const job *j)
{
    char path[MPI_PATH_MAX];
    for (size_t i = 0; i < j->blocks; i++) {
        mpi_part_path(j, i, "weft-profile", path);
        unlink(path);
        mpi_part_path(j, i, "skipped", path);
        unlink(path);
        mpi_part_path(j, i, "again", path);
        unlink(path);
        mpi_part_path(j, i, "inputs", path);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s.parts/list", j->out);
    unlink(path);
    snprintf(path, sizeof path, "%s.parts", j->out);
    rmdir(path);
}

int mpi_finish(const job *j, uint64_t skipped)
{
    const char *why = NULL;
    size_t size = 0;
    merged_totals t = merged_totals_of(j->all);
    uint8_t *bytes = profile_write(j->all, &size, &why);
    if (!bytes)
        mpi_fail(j, EXIT_INPUT, j->list_path, why);
    print_skipped(j);
    mpi_write_file(j, j->out, bytes, size);
    free(bytes);
    remove_parts(j);
    if (t.gapped)
        json_remark("lost_is", "at least");
    if (j->as_json) {
        json *out = json_begin(stdout);
        json_object(out, NULL);
        json_unsigned(out, "recordings", t.recordings);
        json_unsigned(out, "skipped", skipped);
        json_unsigned(out, "paths", t.paths);
        json_unsigned(out, "devices", j->all->devices.count);
        json_unsigned(out, "lost", t.lost);
        json_integer(out, "ranks", j->ranks);
        json_unsigned(out, "bytes", size);
        json_end_object(out);
        json_finish(out);
    } else {
        printf("%" PRIu64 " recordings of %zu devices, %" PRIu64 " paths, %s%" PRIu64 " lost; %zu bytes; %" PRIu64
               " inputs left out\n",
               t.recordings, j->all->devices.count, t.paths, t.gapped ? "at least " : "", t.lost, size, skipped);
    }
    return t.gapped || skipped ? EXIT_GAPS : EXIT_DONE;
}
