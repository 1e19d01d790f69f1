/* SPDX-License-Identifier: MIT */
/* What the files of weft-mpi share: the job of a rank, and its steps. */
#ifndef WEFT_TOOLS_WEFT_MPI_JOB_H
#define WEFT_TOOLS_WEFT_MPI_JOB_H

#include "tools/lib/fleet/gather.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

enum { MPI_PATH_MAX = 4200 };

typedef struct job {
    const char *name, *out, *label, *list_path;
    command_texts elf;
    event_choice choice;
    long long k;
    bool as_json;
    int rank, ranks;
    intake *in;
    gather_list *list;
    size_t block, blocks; /* entries of a block; blocks of the list */
    size_t next;          /* rank 0: the next block to give */
    int asking;           /* rank 0: the others that do not know yet that all are given */
    merged *all;
    digests refused; /* recordings that count elsewhere */
    size_t *own;     /* blocks of this rank */
    size_t own_count, own_max;
    uint64_t skipped;
} job;

/* Ends the job on all ranks. */
void mpi_fail(const job *j, int status, const char *what, const char *why);
/* OUT.parts/BLOCK.KIND */
void mpi_part_path(const job *j, size_t block, const char *kind, char path[MPI_PATH_MAX]);
void mpi_write_file(const job *j, const char *path, const void *bytes, size_t size);

/* Step 4: the profile of all ranks at rank 0; then, there, OUT and what is printed: the exit status. */
void mpi_reduce(const job *j);
int mpi_finish(const job *j, uint64_t skipped);

#endif
