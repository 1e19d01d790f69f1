/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tests/lib/readers.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/lib/answers.h"
#include "tools/lib/recording/chosen.h"
#include "tools/weft/command.h"

#define FIXED "tests/fuzz/fixed/"
#define ELF " --elf " FIXED
#define PROBED ELF "probed.elf"
#define BARE ELF "bare.elf"

enum { WORDS_MAX = 16, PATH_SIZE = 256 };

static const char *const container[] = {"dump @" PROBED,
                                        "info @",
                                        "info --json @",
                                        "dump --json @" PROBED,
                                        "dump @",
                                        "paths -k 3 @",
                                        "paths -k 2 --from profile --json @" PROBED,
                                        "loops --tree @" PROBED,
                                        "grammar @",
                                        "hot --min-cost 2 @",
                                        "model --threads 1 --nests @" PROBED,
                                        "functions --tree @" PROBED,
                                        "coverage --lines @" PROBED,
                                        "stack @" PROBED,
                                        "irq @" PROBED,
                                        "io --log @" PROBED,
                                        "export --as callgrind -o %o @" PROBED,
                                        "export --as perfetto -o %o @" PROBED,
                                        "export --as pprof -o %o @" PROBED,
                                        "export --as csv -o %o @" PROBED,
                                        "report -o %o @" PROBED,
                                        "diff @ " FIXED "probed.weft" PROBED,
                                        "merge --jobs 1 -o %o @" PROBED,
                                        "capture --from-memory @ -o %o",
                                        "dump --recording 2 @" PROBED,
                                        "dump --context thread --function main --json @" PROBED,
                                        NULL};
static const char *const full[] = {"dump @" BARE,
                                   "info --json @",
                                   "wet build @ -o %o" BARE,
                                   "wet build --tier 1 @ -o %o" BARE,
                                   "functions --tree @" BARE,
                                   "coverage --lines @" BARE,
                                   "stack @" BARE,
                                   "irq @" BARE,
                                   "io --log @" BARE,
                                   "race @" BARE,
                                   "export --as perfetto -o %o @" BARE,
                                   "export --as drcov -o %o @" BARE,
                                   "report -o %o @" BARE,
                                   "diff @ " FIXED "bare.weft" BARE,
                                   "paths -k 3 @" BARE,
                                   "hot --min-cost 2 @" BARE,
                                   "loops --tree --context thread @" BARE,
                                   "model --threads 1 --nests @" BARE,
                                   NULL};
static const char *const wet[] = {"wet control @",
                                  "wet control --backward @",
                                  "wet values @ --at 0x94",
                                  "wet addresses @ --at main" BARE,
                                  "wet slice @ --at result --json" BARE,
                                  "wet slice @ --at 0x94 --forward --instances",
                                  "wet why @ --at result --depth 20" BARE,
                                  "functions @" BARE,
                                  "coverage @" BARE,
                                  "export --as drcov -o %o @" BARE,
                                  "paths -k 3 @" BARE,
                                  "grammar @" BARE,
                                  "info --json @",
                                  "dump --json @",
                                  "stack @" BARE,
                                  "irq @" BARE,
                                  "race @" BARE,
                                  "diff @ " FIXED "bare.weft" BARE,
                                  NULL};
static const char *const squeezed[] = {"unsqueeze @", "unsqueeze --backward --format text @", "unsqueeze --json @",
                                       NULL};
static const char *const model[] = {"model --expand @", NULL}, *const nest[] = {"loops --expand @", NULL},
                         *const dumped[] = {"capture --from-memory @ -o %o", NULL};
static const char *const grammar[] = {"grammar --expand --limit 100000 @",
                                      "grammar --expand --limit 100000 --format chars @", NULL};
static const char *const profile[] = {"fleet top -k 4 @",
                                      "fleet rare @",
                                      "fleet compare --all --before v=1 --after v=2 @",
                                      "fleet uncovered @",
                                      "fleet top --json @" PROBED,
                                      "merge --jobs 1 -o %o @",
                                      NULL};
static const char *const images[] = {"dump " FIXED "probed.weft --elf @",
                                     "functions " FIXED "probed.weft --elf @",
                                     "coverage --lines " FIXED "probed.weft --elf @",
                                     "size @",
                                     "wet build " FIXED "bare.weft --elf @ -o %o",
                                     "wet why " FIXED "bare.wet --at result --elf @",
                                     "wet values " FIXED "bare.wet --at bare.c:35 --elf @",
                                     "functions " FIXED "bare.weft --elf @",
                                     "coverage --lines " FIXED "bare.weft --elf @",
                                     "race " FIXED "bare.weft --elf @",
                                     "stack " FIXED "bare.weft --elf @",
                                     "export --as callgrind -o %o " FIXED "bare.weft --elf @",
                                     NULL};
static const char *const svd[] = {"io " FIXED "bare.weft --svd @" BARE, NULL};
static const char *const stream[] = {"loops --format chars @",
                                     "loops --greedy --format chars --binary %o @",
                                     "loops --near-optimal @",
                                     "loops --window 16 @",
                                     "grammar --lookahead 1 @",
                                     "grammar --runs --format chars @",
                                     "grammar -o %o @",
                                     "hot --min-cost 3 @",
                                     "hot --costs @ " FIXED "numbers",
                                     "paths -k 3 @",
                                     "model --threads 1 --max-depth 3 @",
                                     "model --format u32 --threads 1 --single --max-depth 2 -o %o @",
                                     "squeeze @ -o %o",
                                     "squeeze --format i64 --backward @ -o %o",
                                     "squeeze --format u16 @ -o %o",
                                     "merge --jobs 1 --list @ -o %o",
                                     NULL};
static const char *const packets[] = {"gdb --stdio " FIXED "bare.wet" BARE, NULL};
static const char *const arrivals[] = {"capture --from-swo @ -o %o",
                                       "capture --from-swo @ --tpiu 1 -o %o",
                                       "capture --from-swo @ --itm-port 33 --json -o %o",
                                       "capture --follow - --swo --until-end -o %o",
                                       "capture --follow - -o %o",
                                       "wet build - -o %o" BARE,
                                       NULL};
static const char *const answers[] = {"answers @ ring " FIXED "probed.elf %o", "answers @ none " FIXED "probed.elf %o",
                                      NULL};
static const char *const messages[] = {"dap " FIXED "bare.wet" BARE, "dap " FIXED "probed.weft" PROBED, NULL};

const reader readers[] = {{"container", container, READER_FILE, {FIXED "probed.weft"}},
                          {"full", full, READER_FILE, {FIXED "bare.weft"}},
                          {"wet", wet, READER_FILE, {FIXED "bare.wet"}},
                          {"squeezed", squeezed, READER_FILE, {NULL}},
                          {"model", model, READER_FILE, {NULL}},
                          {"nest", nest, READER_FILE, {NULL}},
                          {"grammar", grammar, READER_FILE, {NULL}},
                          {"profile", profile, READER_PROFILE, {NULL}},
                          {"image", images, READER_FILE, {FIXED "probed.elf", FIXED "bare.elf"}},
                          {"svd", svd, READER_FILE, {NULL}},
                          {"stream", stream, READER_FILE, {NULL}},
                          {"packets", packets, READER_PACKETS, {NULL}},
                          {"arrivals", arrivals, READER_INPUT, {FIXED "probed.weft", FIXED "bare.weft"}},
                          {"messages", messages, READER_MESSAGES, {NULL}},
                          {"memory", dumped, READER_FILE, {NULL}},
                          {"answers", answers, READER_ANSWERS, {NULL}},
                          {NULL, NULL, READER_FILE, {NULL}}};

const reader *reader_find(const char *name)
{
    for (const reader *r = readers; r->name; r++)
        if (!strcmp(r->name, name))
            return r;
    return NULL;
}

/* ---- memory ---- */

/* STANDS_FOR: memory that commands may use for what an input stands for (command_memory), less here than by default.
 * BEYOND: how much more may be live at any time, as the tables of a recording have up to 2^24 slots
 * (tools/lib/recording/frames.c). */
#define STANDS_FOR ((uint64_t)32 << 20)
#define BEYOND ((size_t)1 << 30)

/* These belong to the sanitizer's run-time library; Debian's gcc has no header for them. Without it there is no
 * limit. */
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *)) __attribute__((weak));
size_t __sanitizer_get_allocated_size(const volatile void *memory) __attribute__((weak));

static atomic_size_t live;

uint64_t __wrap_command_memory(const char *path);
uint64_t __wrap_command_memory(const char *path)
{
    (void)path;
    return STANDS_FOR;
}

static void allocated(const volatile void *memory, size_t size)
{
    if (memory && atomic_fetch_add(&live, size) + size > STANDS_FOR + BEYOND) {
        fputs("readers: more memory is taken than the limit\n", stderr);
        abort();
    }
}

static void freed(const volatile void *memory)
{
    if (memory)
        atomic_fetch_sub(&live, __sanitizer_get_allocated_size(memory));
}

/* ---- the run that gdb requests ask about ---- */

/* Opened once per process, since that takes a hundred times as long as a few packets. Nothing that a client sends
 * changes it. */
struct debug_run;
struct debug_run *__real_debug_run_open(const char *trace, const char *elf, char *message, size_t message_size);
struct debug_run *__wrap_debug_run_open(const char *trace, const char *elf, char *message, size_t message_size);
void __wrap_debug_run_close(struct debug_run *run);

struct debug_run *__wrap_debug_run_open(const char *trace, const char *elf, char *message, size_t message_size)
{
    static struct debug_run *kept;
    if (!kept)
        kept = __real_debug_run_open(trace, elf, message, message_size);
    return kept;
}

void __wrap_debug_run_close(struct debug_run *run)
{
    (void)run;
}

/* ---- running ---- */

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"answers", command_answers},
                {"capture", command_capture},
                {"coverage", command_coverage},
                {"dap", command_dap},
                {"diff", command_diff},
                {"dump", command_dump},
                {"export", command_export},
                {"fleet", command_fleet},
                {"functions", command_functions},
                {"gdb", command_gdb},
                {"grammar", command_grammar},
                {"hot", command_hot},
                {"info", command_info},
                {"io", command_io},
                {"irq", command_irq},
                {"loops", command_loops},
                {"merge", command_merge},
                {"model", command_model},
                {"paths", command_paths},
                {"race", command_race},
                {"report", command_report},
                {"size", command_size},
                {"squeeze", command_squeeze},
                {"stack", command_stack},
                {"unsqueeze", command_unsqueeze},
                {"wet", command_wet}};

static char input[PATH_SIZE], output[PATH_SIZE];

/* A few bytes may stand for an endless output. The process ends after OUTPUT_MAX bytes of it, as no fuzzer should
 * spend its time there. Input that makes a command run for ever without output is still found. Files cannot grow
 * beyond that size either. */
enum { OUTPUT_MAX = 4 << 20 };
static size_t printed;

static ssize_t count_output(void *unused, const char *bytes, size_t size)
{
    (void)unused;
    (void)bytes;
    printed += size;
    if (printed > OUTPUT_MAX)
        _exit(EXIT_DONE);
    return (ssize_t)size;
}

void readers_start(const char *folder)
{
    snprintf(input, sizeof input, "%s/in.%d", folder, (int)getpid());
    snprintf(output, sizeof output, "%s/out.%d", folder, (int)getpid());
    const struct rlimit file_size = {OUTPUT_MAX, OUTPUT_MAX};
    if (!freopen("/dev/null", "w", stdout) || setrlimit(RLIMIT_FSIZE, &file_size))
        exit(EXIT_HOST);
    signal(SIGXFSZ, SIG_IGN);
    stdout = fopencookie(NULL, "w", (cookie_io_functions_t){.write = count_output});
    if (__sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(allocated, freed);
}

static size_t command_count(const reader *r)
{
    size_t count = 0;
    while (r->commands[count])
        count++;
    return count;
}

size_t reader_first(const reader *r, size_t n, uint8_t *bytes, size_t max)
{
    size_t count = command_count(r), files = sizeof r->sound / sizeof *r->sound;
    const char *path = n / count < files ? r->sound[n / count] : NULL;
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file)
        return 0;
    bytes[0] = (uint8_t)(n % count);
    size_t size = 1 + fread(bytes + 1, 1, max - 1, file);
    fclose(file);
    return size;
}

void reader_run(const reader *r, const uint8_t *bytes, size_t size)
{
    char line[512], *words[WORDS_MAX + 1];
    size_t count = command_count(r), known = 0;
    int argc = 0;
    if (!size)
        return;
    snprintf(line, sizeof line, "%s", r->commands[bytes[0] % count]);
    readers_put(r->kind, input, bytes + 1, size - 1);
    for (char *word = strtok(line, " "); word && argc < WORDS_MAX; word = strtok(NULL, " "))
        words[argc++] = !strcmp(word, "@") ? input : !strcmp(word, "%o") ? output : word;
    words[argc] = NULL;
    while (strcmp(commands[known].name, words[0]))
        known++;
    recording_choose(0);
    printed = 0;
    commands[known].run(argc, words);
    fflush(stdout);
    unlink(output);
    unlink(input);
}
