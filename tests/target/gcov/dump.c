/* SPDX-License-Identifier: MIT */
/* At exit, prints the counters of gcov: "gcda FILE" and the file's bytes as hexadecimal digits. */
#include <gcov.h>
#include <stdint.h>
#include <stdlib.h>

extern const struct gcov_info *const gcov_first[] __asm__("__start_gcov_infos");
extern const struct gcov_info *const gcov_end[] __asm__("__stop_gcov_infos");

static char line[1000];
static unsigned used;

static void print(void)
{
    enum { SYS_WRITE0 = 4 };
    line[used] = 0;
    used = 0;
    register uint32_t operation __asm__("r0") = SYS_WRITE0;
    register const char *text __asm__("r1") = line;
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(text) : "memory");
}

static void add(char c)
{
    if (used + 1 == sizeof line)
        print();
    line[used++] = c;
}

static void add_text(const char *text)
{
    while (*text)
        add(*text++);
}

static void begin(const char *file, void *own)
{
    (void)own;
    add_text("\ngcda ");
    add_text(file);
    add('\n');
}

static void bytes(const void *data, unsigned size, void *own)
{
    const uint8_t *byte = data;
    (void)own;
    for (unsigned i = 0; i < size; i++) {
        add("0123456789abcdef"[byte[i] >> 4]);
        add("0123456789abcdef"[byte[i] & 15]);
    }
}

static void *room(unsigned size, void *own)
{
    (void)own;
    return malloc(size);
}

static __attribute__((destructor)) void dump(void)
{
    for (const struct gcov_info *const *info = gcov_first; info != gcov_end; info++)
        __gcov_info_to_gcda(*info, begin, bytes, room, NULL);
    add('\n');
    print();
}
