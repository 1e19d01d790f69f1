/* SPDX-License-Identifier: MIT */
/* The power goes while a black box is emptied. After the head come pages that cannot be written, from any entry on: so
 * the call ends there, as it would. Then what is in memory is not a box, and a new one begins. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/blackbox.h"
#include "core/blackbox_packed.h"
#include "tests/lib/check.h"

enum { PACKED_SIZE = 6000 }; /* bytes after the head */

typedef struct form {
    size_t head;
    bool (*begin)(void *box, weft_blackbox_found *found);
    void (*open)(void *box, weft_blackbox_found found);
    void (*empty)(void *box);
} form;

static bool begin16(void *box, weft_blackbox_found *found)
{
    return weft_blackbox_begin(box, sizeof(weft_blackbox) + 4096, WEFT_BLACKBOX_PLAIN16, 7, found) == WEFT_OK;
}

static bool begin32(void *box, weft_blackbox_found *found)
{
    return weft_blackbox_begin(box, sizeof(weft_blackbox) + 4096, WEFT_BLACKBOX_PLAIN32, 7, found) == WEFT_OK;
}

static void open_plain(void *box, weft_blackbox_found found)
{
    weft_blackbox_open(box, found);
}

static void empty_plain(void *box)
{
    weft_blackbox_empty(box);
}

static bool begin_packed(void *box, weft_blackbox_found *found)
{
    return weft_blackbox_packed_begin(box, sizeof(weft_blackbox_packed) + PACKED_SIZE, 7, found) == WEFT_OK;
}

static void open_packed(void *box, weft_blackbox_found found)
{
    weft_blackbox_packed_open(box, found);
}

static void empty_packed(void *box)
{
    weft_blackbox_packed_empty(box);
}

static const form forms[] = {{sizeof(weft_blackbox), begin16, open_plain, empty_plain},
                             {sizeof(weft_blackbox), begin32, open_plain, empty_plain},
                             {sizeof(weft_blackbox_packed), begin_packed, open_packed, empty_packed}};

static sigjmp_buf power;

static void power_goes(int number)
{
    siglongjmp(power, number);
}

/* The box lies so that this many bytes after its head can be written. */
static void empty_until(const form *f, uint8_t *pages, size_t page, size_t written)
{
    void *box = pages + page - f->head - written;
    weft_blackbox_found found;
    memset(pages, 0x5a, 4 * page);
    CHECK(f->begin(box, &found) && found == WEFT_BLACKBOX_NOTHING);
    f->open(box, found);
    CHECK(f->begin(box, &found) && found == WEFT_BLACKBOX_WENT_ON);
    f->open(box, found);
    CHECK(mprotect(pages + page, page, PROT_READ) == 0);
    void (*usual)(int) = signal(SIGSEGV, power_goes);
    bool went = sigsetjmp(power, 1) != 0;
    if (!went)
        f->empty(box);
    signal(SIGSEGV, usual);
    CHECK(mprotect(pages + page, page, PROT_READ | PROT_WRITE) == 0);
    CHECK(went);
    CHECK(f->begin(box, &found) && found == WEFT_BLACKBOX_NOTHING);
}

static void a_box_that_was_being_emptied_is_none(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    for (size_t i = 0; pages != MAP_FAILED && i < WEFT_COUNT(forms); i++)
        for (size_t written = 0; written < 2048; written += written < 64 ? 4 : 252)
            empty_until(&forms[i], pages, page, written);
}

int main(void)
{
    RUN(a_box_that_was_being_emptied_is_none);
    return check_failed();
}
