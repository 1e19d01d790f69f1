/* SPDX-License-Identifier: MIT */
/* The tokens of grammars as text (grammar.h), for their writer and their reader. */
#ifndef WEFT_TOOLS_LIB_INPUT_GRAMMAR_TOKENS_H
#define WEFT_TOOLS_LIB_INPUT_GRAMMAR_TOKENS_H

#include <stdbool.h>

/* R and digits. */
bool grammar_is_rule_name(const char *token);
/* The `^n` that a token ends with, or NULL. */
char *grammar_count_of(char *token);

#endif
