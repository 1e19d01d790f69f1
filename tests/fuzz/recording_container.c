/* SPDX-License-Identifier: MIT */
/* Fuzzes the container reader, the replay and the reader of descriptors. Built with clang -fsanitize=fuzzer and
 * -DWEFT_LIBFUZZER it is a libFuzzer target. Otherwise main mutates the golden containers itself: `container [SECONDS
 * [SEED]]`. Half of the mutants get a right CRC, so that the damage reaches the readers. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/lib/model.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/recording/control.h"

static model program;

/* The program whose records of several paths are in tests/golden/packs; NULL: it is not there. */
static const descriptors *packed_program(void)
{
    static descriptors *known;
    static bool sought;
    static uint8_t bytes[4096];
    char message[300];
    FILE *file = sought ? NULL : fopen("tests/golden/packs/thermostat.desc", "rb");
    sought = true;
    if (file) {
        known = descriptors_parse(bytes, fread(bytes, 1, sizeof bytes, file), message, sizeof message);
        fclose(file);
    }
    return known;
}

static void read_control(const container *file)
{
    control *c = control_open(file);
    control_event e;
    for (uint64_t count = 0; count < 1000000 && control_next(c, &e); count++)
        ;
    control_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char message[300], text[300];
    container *file = container_open_bytes(bytes, size, "fuzz", message, sizeof message);
    if (file) {
        replay_event event;
        uint64_t count = 0;
        for (size_t i = 0; i < container_gap_count(file); i++)
            container_gap_text(container_gap_at(file, i), text, sizeof text);
        replay *events = replay_open(file, (replay_model){&program, model_script});
        while (count++ < 1000000 && replay_next(events, &event))
            ;
        replay_close(events);
        read_control(file);
        container_know(file, packed_program());
        read_control(file);
        container_close(file);
    }
    descriptors_free(descriptors_parse(bytes, size, message, sizeof message));
    return 0;
}

#ifndef WEFT_LIBFUZZER
enum { SEEDS_MAX = 64, SIZE_MAX_ = 1 << 16 };
static uint8_t *seeds[SEEDS_MAX];
static size_t seed_size[SEEDS_MAX];
static size_t seed_count;

static void read_seeds(const char *directory)
{
    char path[512];
    DIR *all = opendir(directory);
    for (struct dirent *one; all && (one = readdir(all)) && seed_count < SEEDS_MAX;) {
        size_t length = strlen(one->d_name);
        if (length < 6 || strcmp(one->d_name + length - 5, ".weft") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, one->d_name);
        FILE *file = fopen(path, "rb");
        seeds[seed_count] = malloc(SIZE_MAX_);
        seed_size[seed_count] = file ? fread(seeds[seed_count], 1, SIZE_MAX_, file) : 0;
        seed_count++;
        if (file)
            fclose(file);
    }
    if (all)
        closedir(all);
}

static void mutate_bytes(check_random *random, uint8_t *bytes, size_t size)
{
    for (uint32_t n = 1 + check_random_below(random, 6); n && size; n--) {
        uint8_t *at = bytes + check_random_below(random, (uint32_t)size);
        switch (check_random_below(random, 4)) {
        case 0:
            *at ^= (uint8_t)(1u << check_random_below(random, 8));
            break;
        case 1:
            *at = (uint8_t)check_random_next(random);
            break;
        case 2:
            *at = check_random_below(random, 2) ? 0xff : 0;
            break;
        default: {
            size_t left = (size_t)(bytes + size - at), many = 1 + check_random_below(random, 16);
            memmove(at, bytes + check_random_below(random, (uint32_t)size) / 2, many < left / 2 ? many : left / 2);
        }
        }
    }
}

/* Mutates one frame and seals it again. */
static size_t mutate_frame(check_random *random, uint8_t *bytes, size_t size)
{
    static uint8_t content[SIZE_MAX_ + 1024];
    size_t shift = WEFT_FRAME_SHIFT(SIZE_MAX_), content_size;
    size_t start = check_random_below(random, (uint32_t)size);
    while (start && bytes[start - 1])
        start--;
    uint8_t *end = memchr(bytes + start, 0, size - start);
    if (!end || !weft_cobs_decode(content + shift, &content_size, bytes + start, (size_t)(end - bytes) - start) ||
        content_size < 12)
        return size;
    mutate_bytes(random, content + shift + 2, content_size - 2 - WEFT_FRAME_CHECK_SIZE);
    size_t wire = weft_frame_seal(content, shift, content_size - WEFT_FRAME_CHECK_SIZE);
    size_t tail = size - (size_t)(end + 1 - bytes);
    if (start + wire + tail > SIZE_MAX_)
        return size;
    memmove(bytes + start + wire, end + 1, tail);
    memcpy(bytes + start, content, wire);
    return start + wire + tail;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : check_amount(2, 3, 30);
    check_random random = {argc > 2 ? (uint32_t)atoi(argv[2]) : 20260101};
    static uint8_t work[SIZE_MAX_];
    uint64_t runs = 0;
    model_make(&program, &random, 60, 50);
    read_seeds("tests/golden/packs");
    read_seeds("tests/golden/v1");
    clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (seed_count && clock() < until) {
        size_t seed = check_random_below(&random, (uint32_t)seed_count), size = seed_size[seed];
        memcpy(work, seeds[seed], size);
        for (uint32_t n = 1 + check_random_below(&random, 3); n && size; n--) {
            if (check_random_below(&random, 2))
                size = mutate_frame(&random, work, size);
            else
                mutate_bytes(&random, work, size);
        }
        if (size && check_random_below(&random, 4) == 0)
            size = check_random_below(&random, (uint32_t)size);
        LLVMFuzzerTestOneInput(work, size);
        runs++;
    }
    printf("# %llu mutants\n", (unsigned long long)runs);
    for (size_t i = 0; i < seed_count; i++)
        free(seeds[i]);
    puts(runs ? "ok mutants_of_containers_do_no_harm" : "not ok mutants_of_containers_do_no_harm");
    return runs == 0;
}
#endif
