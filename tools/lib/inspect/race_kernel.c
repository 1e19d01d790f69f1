/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/race_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* One function of each file of FreeRTOS, with a name that no other program uses. */
static const char *const of_freertos[] = {"vTaskSwitchContext",  "xQueueGenericSend",     "vListInsertEnd",
                                          "xPortStartScheduler", "xTimerCreateTimerTask", "xStreamBufferGenericCreate",
                                          "xEventGroupSetBits",  "pvPortMalloc"};
/* And some of Zephyr's kernel, whose files are in a folder of their own. */
static const char *const of_zephyr[] = {"z_impl_k_sem_give", "z_unpend_first_thread", "z_impl_k_mutex_lock"};

static const char *file_of(const image *im, uint32_t address)
{
    const image_line *line = image_line_at(im, address);
    return line ? line->file : NULL;
}

static const char *file_of_function(const image *im, const char *name)
{
    uint32_t address, size;
    const image_line *line = image_symbol_named(im, name, &address, &size) ? image_function_line(im, address) : NULL;
    return line ? line->file : NULL;
}

/* Compiled from core/ and port/ of one folder, or from one file. */
static void find_engine(race_kernel *k)
{
    const char *file = file_of_function(k->im, "weft_recorder_init"), *slash = file ? strrchr(file, '/') : NULL;
    size_t before = slash ? (size_t)(slash - file) : 0;
    k->engine = file;
    k->engine_folder = before >= 4 && !strncmp(slash - 4, "core", 4) && (before == 4 || slash[-5] == '/');
    k->engine_size = k->engine_folder ? before - 4 : file ? strlen(file) + 1 : 0;
}

void race_kernel_find(race_kernel *k, const image *im)
{
    *k = (race_kernel){.im = im};
    find_engine(k);
    for (size_t i = 0; i < sizeof of_freertos / sizeof *of_freertos; i++) {
        const char *file = file_of_function(im, of_freertos[i]);
        if (!file)
            continue;
        k->files = memory_room(k->files, k->count, &k->max, sizeof *k->files);
        k->files[k->count++] = file;
    }
    for (size_t i = 0; i < sizeof of_zephyr / sizeof *of_zephyr && !k->folder; i++) {
        const char *file = file_of_function(im, of_zephyr[i]), *slash = file ? strrchr(file, '/') : NULL;
        if (slash && slash - file >= 7 && !strncmp(slash - 7, "/kernel", 7))
            k->folder = memory_got(strndup(file, (size_t)(slash + 1 - file)));
    }
}

void race_kernel_free(race_kernel *k)
{
    free(k->files);
    free(k->folder);
}

static bool is_own(const race_kernel *k, uint32_t pc)
{
    const image_symbol *f = image_function(&k->im->symbols, pc);
    if (f && !strncmp(f->name, "_tx_", 4))
        return true;
    const char *file = file_of(k->im, pc);
    if (file && k->folder && !strncmp(file, k->folder, strlen(k->folder)))
        return true;
    for (size_t i = 0; file && i < k->count; i++)
        if (!strcmp(file, k->files[i]))
            return true;
    return false;
}

static bool is_engine_file(const race_kernel *k, const char *file)
{
    if (!file || !k->engine || strncmp(file, k->engine, k->engine_size))
        return false;
    file += k->engine_size;
    return !k->engine_folder || !strncmp(file, "core/", 5) || !strncmp(file, "port/", 5);
}

/* Inline functions of headers are part of its functions, so the file where the function begins counts, too. */
static bool is_engine(const race_kernel *k, uint32_t pc)
{
    const image_symbol *f = image_function(&k->im->symbols, pc);
    if (f && (!strncmp(f->name, "weft_", 5) || !strncmp(f->name, "__weft_", 7)))
        return true;
    const image_line *line = f ? image_function_line(k->im, f->address) : NULL;
    return is_engine_file(k, file_of(k->im, pc)) || (line && is_engine_file(k, line->file));
}

bool race_kernel_engine(const race_kernel *k, const race *r)
{
    return is_engine(k, r->step[0].pc) || is_engine(k, r->step[1].pc) || is_engine(k, r->step[2].pc);
}

bool race_kernel_own(const race_kernel *k, const race *r)
{
    return is_own(k, r->step[0].pc) && is_own(k, r->step[1].pc) && is_own(k, r->step[2].pc);
}
