/* SPDX-License-Identifier: MIT */
/* A merged profile in the place of a recording, for the subcommands that take both. */
#ifndef WEFT_TOOLS_WEFT_FLEET_INPUT_H
#define WEFT_TOOLS_WEFT_FLEET_INPUT_H

#include "tools/lib/fleet/restore.h"

/* EXIT_DONE: the labels that an option gives are such as profiles keep apart. Else the exit status, after a message. */
int fleet_labels(const char *name, const char *option, const char *text);
/* `--label`: of the profiles read from now on, only recordings with these labels; NULL: all. Checks that they are
 * labels, and that the inputs (which end with NULL) are profiles. EXIT_DONE or the exit status, after a message. */
int fleet_choose(const char *name, const char *labels, char *const *paths);
/* Reads a profile and finds the image that the questions are about (app: NULL if no ELF is given). EXIT_DONE or the
 * exit status, after a message. *all is to be freed in any case. */
int fleet_input(merged **all, uint32_t *number, const char *name, const char *path, const program *app);
/* After fleet_input, of a command that adds up several inputs: EXIT_INPUT, after a message, if a recording of this
 * profile is also in one of those before. */
int fleet_once(const merged *all, const char *name, const char *path);
/* Before the first input of such a command (NULL ends the list): EXIT_INPUT, after a message, if a profile holds one of
 * the recordings (held_in). */
int fleet_disjoint(const char *name, char *const *paths);
/* Says on standard error what is missing. EXIT_DONE or EXIT_GAPS. */
int fleet_warn(const merged *all, uint32_t number, const char *name, const char *path);
/* Where recordings have gaps, more may be lost than is counted: --json then has "lost_is":"at least" (json_remark). */
void fleet_remark(merged_totals t);
/* Refuses a profile where only a recording will do: EXIT_INPUT after a message. EXIT_DONE: it is not one. */
int fleet_refuse(const char *name, const char *path);

#endif
