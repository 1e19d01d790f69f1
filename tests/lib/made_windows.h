/* SPDX-License-Identifier: MIT */
/* Windows of a debugger (tools/lib/debug/window_make.h) that are made in parts: checks of any `.wet` file and its
 * program. Nothing is checked of a file without snapshots. */
#ifndef WEFT_TESTS_LIB_MADE_WINDOWS_H
#define WEFT_TESTS_LIB_MADE_WINDOWS_H

/* They are those that are made at once. */
void made_windows_compare(const char *wet, const char *elf);
/* Who steps over a border finds the window beyond it made, from any distance, both ways. */
void made_windows_step(const char *wet, const char *elf);

#endif
