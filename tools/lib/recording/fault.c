/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/recording/fault.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/recording/host_frame.h"

/* The record: eight bytes of magic, then words; the stack; the check. */
enum { MAGIC_SIZE = 8, HEAD_SIZE = sizeof(weft_fault_head), CHECK_SIZE = 4, HEAD_WORDS = (HEAD_SIZE - MAGIC_SIZE) / 4 };

/* The head's words, all but the magic, lie in the struct as in the record. */
_Static_assert(offsetof(weft_fault_head, version) == MAGIC_SIZE && HEAD_SIZE % 4 == 0, "words without gaps");

/* The body of a FAULT frame: the record without its magic. */
static bool read_body(fault *f, const uint8_t *body, size_t size)
{
    weft_reader r;
    uint32_t words[HEAD_WORDS];
    weft_reader_init(&r, body, size);
    for (size_t i = 0; i < HEAD_WORDS; i++)
        words[i] = weft_read_u32(&r);
    if (r.status != WEFT_OK)
        return false;
    memcpy(f->head.magic, WEFT_FAULT_MAGIC, MAGIC_SIZE);
    memcpy(&f->head.version, words, sizeof words);
    if (f->head.version != WEFT_FAULT_VERSION || f->head.size < HEAD_SIZE + CHECK_SIZE ||
        f->head.size > HEAD_SIZE + 4 * FAULT_STACK_MAX + CHECK_SIZE || f->head.size - MAGIC_SIZE > size)
        return false;
    f->stack_words = (f->head.size - HEAD_SIZE - CHECK_SIZE) / 4;
    f->stack = body + r.at;
    f->bytes = body;
    f->size = f->head.size - MAGIC_SIZE;
    return f->head.stack_words <= f->stack_words;
}

/* Reads the record at `bytes`, magic included, of which `size` bytes are there. False: it is not one, or damaged. */
static bool fault_read(fault *f, const uint8_t *bytes, size_t size)
{
    weft_reader check;
    if (size < HEAD_SIZE + CHECK_SIZE || memcmp(bytes, WEFT_FAULT_MAGIC, MAGIC_SIZE) ||
        !read_body(f, bytes + MAGIC_SIZE, size - MAGIC_SIZE))
        return false;
    size_t covered = f->head.size - CHECK_SIZE;
    weft_reader_init(&check, bytes + covered, CHECK_SIZE);
    return weft_crc32(0, bytes, covered) == weft_read_u32(&check);
}

size_t fault_find(fault *f, const uint8_t *image, size_t size, size_t from)
{
    const uint8_t *end = image + size, *at = image + from;
    while ((at = memmem(at, (size_t)(end - at), WEFT_FAULT_MAGIC, MAGIC_SIZE))) {
        if (fault_read(f, at, (size_t)(end - at)))
            return (size_t)(at - image);
        at++;
    }
    return size;
}

bool fault_write(const fault *f, const weft_frame *like, FILE *out)
{
    return host_frame_write(like, WEFT_FRAME_FAULT, f->bytes, f->size, out);
}

bool fault_of(const container *file, fault *f, uint32_t *recording, uint8_t **buffer)
{
    size_t count = container_frame_count(file), last = count;
    for (size_t i = container_next(file, WEFT_FRAME_FAULT, 0); i < count;
         i = container_next(file, WEFT_FRAME_FAULT, i + 1))
        last = i;
    if (last == count)
        return false;
    container_frame frame;
    container_read(file, last, &frame, buffer);
    if (recording)
        *recording = frame.recording;
    return read_body(f, frame.frame.body, frame.frame.body_size);
}

/* Bits of CFSR (ARMv7-M manual, B3.2.15), as the manual words them. */
static const struct {
    uint32_t bit;
    const char *text;
} causes[] = {{1u << 0, "instruction fetch from a protected address"},
              {1u << 1, "access to a protected address"},
              {1u << 3, "protected address when an exception returned"},
              {1u << 4, "protected address when an exception stored its frame (a stack overflow?)"},
              {1u << 5, "protected address when floating point registers were stored"},
              {1u << 8, "bus fault at an instruction fetch"},
              {1u << 9, "bus fault at an access"},
              {1u << 10, "bus fault at an earlier store (imprecise)"},
              {1u << 11, "bus fault when an exception returned"},
              {1u << 12, "bus fault when an exception stored its frame (a stack overflow?)"},
              {1u << 13, "bus fault when floating point registers were stored"},
              {1u << 16, "undefined instruction"},
              {1u << 17, "no Thumb state (a jump to an even address?)"},
              {1u << 18, "bad return from an exception"},
              {1u << 19, "no coprocessor (is the FPU on?)"},
              {1u << 20, "stack overflow (below its limit)"},
              {1u << 24, "unaligned access"},
              {1u << 25, "division by zero"}};

enum { EXCEPTION_NMI = 2, HFSR_VECTTBL = 1 << 1, HFSR_DEBUGEVT = (int)(1u << 31), CFSR_MMARVALID = 1 << 7 };
enum { CFSR_BFARVALID = 1 << 15 };

static const char *exception_name(uint32_t exception)
{
    static const char *const names[] = {"NMI", "HardFault", "MemManage", "BusFault", "UsageFault", "SecureFault"};
    return exception - EXCEPTION_NMI < WEFT_COUNT(names) ? names[exception - EXCEPTION_NMI] : "exception";
}

bool fault_address(const fault *f, uint32_t *address)
{
    const weft_fault_head *h = &f->head;
    bool bus = h->cfsr & CFSR_BFARVALID, memory = h->cfsr & CFSR_MMARVALID;
    if (!(h->flags & WEFT_FAULT_STATUS) || (!bus && !memory))
        return false;
    *address = bus ? h->bfar : h->mmfar;
    return true;
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

void fault_name(const fault *f, char *text, size_t size)
{
    const weft_fault_head *h = &f->head;
    const char *before = ": ";
    uint32_t address;
    char at[24];
    snprintf(text, size, "%s", exception_name(h->exception));
    for (size_t i = 0; h->flags & WEFT_FAULT_STATUS && i < WEFT_COUNT(causes); i++) {
        if (!(h->cfsr & causes[i].bit))
            continue;
        append(text, size, before);
        append(text, size, causes[i].text);
        before = ", ";
    }
    if (h->flags & WEFT_FAULT_STATUS && h->hfsr & HFSR_VECTTBL)
        append(text, size, ": the vector table could not be read");
    if (!fault_address(f, &address))
        return;
    snprintf(at, sizeof at, " at 0x%08x", address);
    append(text, size, at);
}

uint32_t fault_stack_word(const fault *f, uint32_t index)
{
    weft_reader r;
    weft_reader_init(&r, f->stack + 4 * (size_t)index, 4);
    return weft_read_u32(&r);
}
