/* SPDX-License-Identifier: MIT */
/* What GCC appends to the names of functions. */
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/image/symbols.h"

static void copies_have_the_name_of_their_function(void)
{
    static const char *const copies[] = {"put.isra.0",         "put.part.12", "put.constprop.0.isra.0",
                                         "put.constprop.isra", "put.cold",    "put.part.0.cold",
                                         "put.lto_priv.3"};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        CHECK_EQ(image_copied_name(copies[i]), strlen("put"));
}

static void other_names_are_whole(void)
{
    static const char *const names[] = {"",          "put",       "rgb.2",          "put.",       ".cold",
                                        "put.isra.", "put.israx", "put.isra.0.rgb", "put.isra.x", "put.partial.0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_EQ(image_copied_name(names[i]), strlen(names[i]));
}

int main(void)
{
    RUN(copies_have_the_name_of_their_function);
    RUN(other_names_are_whole);
    return check_failed();
}
