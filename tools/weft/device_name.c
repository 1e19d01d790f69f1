/* SPDX-License-Identifier: MIT */
#include "tools/weft/device_name.h"

#include "tools/lib/base/text.h"
#include "tools/lib/inspect/svd.h"

const char *device_name(void *names, uint32_t address)
{
    static char name[128];
    const svd_register *found = svd_at(names, address);
    if (found)
        text_safe(name, sizeof name, found->name);
    return found ? name : NULL;
}
