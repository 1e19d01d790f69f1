/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/semihost.h"

#include <stddef.h>

enum { READ = 0x06, TMPNAM = 0x0d, GET_CMDLINE = 0x15, HEAPINFO = 0x16, ELAPSED = 0x30 };

unsigned wet_semihost_writes(uint32_t request, uint32_t parameters, uint32_t result, wet_word_reader *read,
                             void *context, wet_range ranges[2])
{
    uint32_t first, second, third;
    bool one = read(context, parameters, &first), two = read(context, parameters + 4, &second);
    switch (request) {
    case READ: /* file, buffer, size; the result is how much of it was not filled */
        if (!two || !read(context, parameters + 8, &third) || result > third)
            return 0;
        ranges[0] = (wet_range){second, third - result};
        return third > result;
    case TMPNAM: /* buffer, number, size */
        if (!one || !read(context, parameters + 8, &third))
            return 0;
        ranges[0] = (wet_range){first, third};
        return 1;
    case GET_CMDLINE: /* buffer, size; the size is changed */
        if (!one || !two)
            return 0;
        ranges[0] = (wet_range){first, second};
        ranges[1] = (wet_range){parameters + 4, 4};
        return 2;
    case HEAPINFO: /* where four words go */
        ranges[0] = (wet_range){first, 16};
        return one;
    case ELAPSED:
        ranges[0] = (wet_range){parameters, 8};
        return 1;
    default:
        return 0;
    }
}

const char *wet_semihost_name(uint32_t request)
{
    static const char *const names[] = {
        NULL,         "SYS_OPEN",   "SYS_CLOSE",   "SYS_WRITEC",      "SYS_WRITE0",  "SYS_WRITE",
        "SYS_READ",   "SYS_READC",  "SYS_ISERROR", "SYS_ISTTY",       "SYS_SEEK",    NULL,
        "SYS_FLEN",   "SYS_TMPNAM", "SYS_REMOVE",  "SYS_RENAME",      "SYS_CLOCK",   "SYS_TIME",
        "SYS_SYSTEM", "SYS_ERRNO",  NULL,          "SYS_GET_CMDLINE", "SYS_HEAPINFO"};
    if (request == ELAPSED)
        return "SYS_ELAPSED";
    if (request == 0x31)
        return "SYS_TICKFREQ";
    return request < sizeof names / sizeof *names ? names[request] : NULL;
}
