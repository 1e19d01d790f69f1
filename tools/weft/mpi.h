/* SPDX-License-Identifier: MIT */
/* `weft merge --mpi` is another program, weft-mpi, so that weft needs no MPI. */
#ifndef WEFT_TOOLS_WEFT_MPI_H
#define WEFT_TOOLS_WEFT_MPI_H

/* Becomes weft-mpi, which stands beside weft or in ../lib/weft, with the same arguments. Returns only if that fails:
 * the exit status, after a message. */
int mpi_start(int argc, char **argv);

#endif
