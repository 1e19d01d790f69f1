/* SPDX-License-Identifier: MIT */
/* There is no randomness here. The library of C++ asks for it where strings are linked. */
#include <errno.h>
#include <stddef.h>

#include "core/own.h"

__attribute__((used)) int getentropy(void *bytes, size_t size);

int getentropy(void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    errno = ENOSYS;
    return -1;
}
