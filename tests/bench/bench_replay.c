/* SPDX-License-Identifier: MIT */
/* How fast the host decodes: frames checked and indexed, control symbols alone, and the whole replay. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/lib/model.h"
#include "tools/lib/recording/control.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void)
{
    static model program;
    static uint8_t frame[4096];
    static weft_slot slots[256];
    static uint32_t history[WEFT_HISTORY_WORDS(256)];
    check_random random = {5};
    run r = {.program = &program};
    weft_recorder_config config = {.bytes = frame,
                                   .bytes_size = sizeof frame,
                                   .slots = slots,
                                   .slots_max = 256,
                                   .history = history,
                                   .history_max = 256};
    model_make(&program, &random, 70, 0);
    double start = seconds();
    run_program(&r, &config, 2000000, 1);
    double recorded = seconds();
    char message[200];
    container *file = container_open_bytes(r.sink.bytes, r.sink.size, "bench", message, sizeof message);
    double opened = seconds();
    control *c = control_open(file);
    control_event e;
    uint64_t symbols = 0, events = 0;
    while (control_next(c, &e))
        symbols++;
    control_close(c);
    double controlled = seconds();
    replay *all = replay_open(file, (replay_model){&program, model_script});
    for (replay_event event; replay_next(all, &event);)
        events += event.kind == REPLAY_ACCESS || event.kind == REPLAY_PATH;
    replay_close(all);
    double replayed = seconds();
    printf("%zu events in %zu bytes; recorded on the host in %.2f s\n", r.count, r.sink.size, recorded - start);
    printf("index and check   %8.1f million events/s\n", (double)r.count / (opened - recorded) / 1e6);
    printf("control symbols   %8.1f million symbols/s\n", (double)symbols / (controlled - opened) / 1e6);
    printf("replay            %8.1f million events/s\n", (double)events / (replayed - controlled) / 1e6);
    container_close(file);
    run_free(&r);
    return 0;
}
