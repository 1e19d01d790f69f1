/* SPDX-License-Identifier: MIT */
#include "tools/lib/input/grammar_tokens.h"

#include <string.h>

bool grammar_is_rule_name(const char *token)
{
    if (token[0] != 'R' || !token[1])
        return false;
    return token[1 + strspn(token + 1, "0123456789")] == 0;
}

char *grammar_count_of(char *token)
{
    char *mark = strrchr(token, '^');
    return mark && mark > token && mark[1] && !mark[1 + strspn(mark + 1, "0123456789")] ? mark : NULL;
}
