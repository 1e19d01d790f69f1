/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/race_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* One function of each file of FreeRTOS: nobody else's has such a name. */
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
    return image_symbol_named(im, name, &address, &size) ? file_of(im, address) : NULL;
}

void race_kernel_find(race_kernel *k, const image *im)
{
    *k = (race_kernel){.im = im};
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
            k->folder = strndup(file, (size_t)(slash + 1 - file));
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

bool race_kernel_own(const race_kernel *k, const race *r)
{
    return is_own(k, r->step[0].pc) && is_own(k, r->step[1].pc) && is_own(k, r->step[2].pc);
}
