/* SPDX-License-Identifier: MIT */
/* What the debugger interface of an emulator answers, as the reader of the fuzzer called `answers` has it: a stopped
 * program is looked at as weft capture does it, and each answer comes from the input. Nothing is started.
 *
 * The linker puts functions of answers.c in place of the system's (tests/fuzz/fuzz.mk): connecting opens the input,
 * what is sent goes nowhere, a byte ANSWERS_SILENCE is a time in which nothing comes, and the child has ended. */
#ifndef WEFT_TESTS_LIB_ANSWERS_H
#define WEFT_TESTS_LIB_ANSWERS_H

enum { ANSWERS_SILENCE = 4 };

/* answers INPUT ring, box or none, APP.elf, OUT: what is read from the memory. */
int command_answers(int argc, char **argv);

#endif
