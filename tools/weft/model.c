/* SPDX-License-Identifier: MIT */
/* `weft model`: a number stream as affine loop nests, and back. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/bytes.h"
#include "tools/lib/affine/json.h"
#include "tools/lib/affine/text.h"
#include "tools/lib/base/digits.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/input/input.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/model_expand.h"
#include "tools/weft/model_sites.h"
#include "tools/weft/options.h"
#include "tools/weft/symbol_run.h"
#include "tools/weft/symbol_stream.h"

/* Lines of a summary: a screenful. */
enum { SITES_SHOWN = 17, TOP_NONE = -1 }; /* with the other lines: 23, a screenful */

static const char help[] =
    "usage: weft model [OPTION]... IN\n"
    "       weft model [OPTION]... RECORDING --elf APP.elf\n"
    "       weft model --expand FILE [--format F]\n\n"
    "Writes a number stream (IN, or - for standard input) as affine loop nests that generate it exactly (Trace\n"
    "Reconstruction Engine). A nest that needs only its first N accesses begins with `while (n++ < N)`. Of a "
    "recording,\n"
    "models the addresses of each memory site; of a recording of instructions (full, or .wet), of each instruction "
    "that\n"
    "loads or stores.\n\n"
    "  --format F      text (default), chars, u8, u16, u32, i64\n"
    "  --single        single-domain nests only: lower bounds 0, one upper bound per loop\n"
    "  --max-depth D   at most D loops in a nest (1..12, default 12)\n"
    "  --time-limit S  seconds to search; what is left then is written as runs and plain values. Without it the "
    "search\n"
    "                  is bounded by a number of steps, so that the result is the same on every machine\n"
    "  --threads N     searches at once: of a stream, parameter sets where the first fails (1..4, default 4); of a\n"
    "                  recording, sites (1..64, default: as many as there are cores). The result is the same\n"
    "  --json          one JSON object: accesses, affine (of them in loops), nests (each depth, accesses, "
    "coefficients,\n"
    "                  base, upper, lower), bytes, exact; of a recording: sites (each with these, and where it "
    "stands)\n"
    "  -o FILE         also write the nests to FILE, as compact binary\n"
    "  --expand FILE   turn the loops, as printed or as binary, back into the stream, in the format given\n\n"
    "Of a recording (at most 8 million addresses are held: a longer one is modelled in pieces, and a loop that goes "
    "on\n"
    "from piece to piece is one nest):\n\n"
    "  --elf APP.elf   the program that it was recorded from\n"
    "  --context C     only accesses of this context (a handler's name, thread, or a number)\n"
    "  --function F    only accesses of this function\n"
    "  --summary       one line per site (the default on a terminal): which object it walks, from where to where; its\n"
    "                  share of all accesses; the steps of its loops, outermost first, in elements: `16, 0, 1 x 4 B`, "
    "or\n"
    "                  in bytes. Of the stack from its top, of the heap from its beginning, in bytes\n"
    "  --top N         sites in the summary, busiest first (default 17; 0: all)\n"
    "  --nests         the loops of each site (the default where output does not go to a terminal)\n";

static const char binary_head[] = MODEL_HEAD;

typedef struct arguments {
    model_options options;
    unsigned sites; /* of a recording, modelled at once */
    long long top;  /* TOP_NONE: not given */
    input_format format;
    const char *in, *out, *expand, *elf;
    event_choice choice;
    bool json, summary, nests;
} arguments;

/* ---- the stream in memory ---- */

typedef struct stream {
    const int64_t *values;
    size_t count;
    void *mapped; /* or NULL: values are from malloc */
    size_t mapped_size;
} stream;

/* A file of 64-bit numbers need not be copied. False: read it in the ordinary way. */
static bool map_stream(const char *path, stream *s)
{
    struct stat status;
    int file = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return false;
    bool fits = !fstat(file, &status) && S_ISREG(status.st_mode) && status.st_size > 0 && status.st_size % 8 == 0;
    if (fits) {
        s->mapped_size = (size_t)status.st_size;
        s->mapped = mmap(NULL, s->mapped_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (s->mapped == MAP_FAILED)
            s->mapped = NULL;
        s->values = s->mapped;
        s->count = s->mapped_size / 8;
    }
    close(file);
    return s->mapped != NULL;
}

static int read_stream(const arguments *a, stream *s)
{
    if (a->format == INPUT_I64 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && map_stream(a->in, s))
        return EXIT_DONE;
    input *in = input_open(a->in, a->format);
    if (!in)
        return command_fail("model", EXIT_INPUT, "%s: %s", a->in, strerror(errno));
    int status = EXIT_DONE;
    s->values = input_all_numbers(in, &s->count);
    if (!s->values)
        status = command_fail("model", EXIT_INPUT, "%s: %s", a->in, input_error(in));
    input_close(in);
    return status;
}

static void free_stream(stream *s)
{
    if (s->mapped)
        munmap(s->mapped, s->mapped_size);
    else
        free((void *)(uintptr_t)s->values);
}

/* ---- output ---- */

static void print_json(const model *m, size_t bytes)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "accesses", m->accesses);
    json_unsigned(j, "affine", model_affine(m));
    model_json_nests(j, m);
    json_unsigned(j, "bytes", bytes);
    json_bool(j, "exact", m->exact);
    json_end_object(j);
    json_finish(j);
}

static int write_binary(const char *path, const affine_bytes *bytes)
{
    char message[300];
    output *out = output_open(path, message, sizeof message);
    if (!out)
        return command_fail("model", EXIT_HOST, "%s", message);
    uint32_t crc = weft_crc32(0, (const uint8_t *)binary_head, sizeof binary_head);
    fwrite(binary_head, sizeof binary_head, 1, output_stream(out));
    if (bytes->size) {
        crc = weft_crc32(crc, bytes->bytes, bytes->size);
        fwrite(bytes->bytes, 1, bytes->size, output_stream(out));
    }
    for (unsigned shift = 0; shift < 8 * MODEL_CRC_SIZE; shift += 8)
        putc((int)(crc >> shift & 0xff), output_stream(out));
    if (!output_commit(out, message, sizeof message))
        return command_fail("model", EXIT_HOST, "%s", message);
    return EXIT_DONE;
}

static void progress(uint64_t done, uint64_t count)
{
    static uint64_t calls;
    if (++calls % 65536 == 0)
        fprintf(stderr, "\rweft model: %" PRIu64 " of %" PRIu64, done, count);
}

static int run_model(const arguments *a)
{
    stream s = {0};
    model m;
    int status = read_stream(a, &s);
    if (status != EXIT_DONE)
        return status;
    model_find(&m, s.values, s.count, &a->options);
    affine_bytes bytes = model_encode(&m);
    size_t size = bytes.size + sizeof binary_head + MODEL_CRC_SIZE;
    if (a->out)
        status = write_binary(a->out, &bytes);
    if (a->json)
        print_json(&m, size);
    bool lines = !a->json && command_says(a->out) == stdout;
    for (size_t i = 0; i < m.nests && lines; i++)
        affine_print(&m.nest[i], stdout);
    if (m.nests == 0 && lines)
        fputs("// no accesses\n", stdout); /* an empty file is not a model */
    if (!a->json)
        fprintf(stderr, "%" PRIu64 " accesses, %zu nests, %zu bytes, exact: %s\n", m.accesses, m.nests, size,
                m.exact ? "yes" : "no");
    free(bytes.bytes);
    model_free(&m);
    free_stream(&s);
    return status;
}

/* ---- arguments ---- */

static int read_time_limit(arguments *a, const char *limit)
{
    if (!digits_fraction(limit, &a->options.time_limit) || a->options.time_limit > 1e9)
        return command_fail("model", EXIT_USAGE, "--time-limit takes seconds, 0 or more");
    return OPTIONS_READ;
}

/* OPTIONS_READ, or the exit status. */
static int read_arguments(arguments *a, int argc, char **argv)
{
    long long depth = AFFINE_DEPTH, threads = 0;
    const char *limit = NULL;
    const command_option list[] = {{"single", .flag = &a->options.single},
                                   {"json", .flag = &a->json},
                                   {"summary", .flag = &a->summary},
                                   {"nests", .flag = &a->nests},
                                   {"top", .number = &a->top, .min = 0, .max = INT32_MAX},
                                   {"max-depth", .number = &depth, .min = 1, .max = AFFINE_DEPTH},
                                   {"threads", .number = &threads, .min = 1, .max = MANY_THREADS},
                                   {"time-limit", .text = &limit},
                                   {"format", .format = &a->format},
                                   {"expand", .text = &a->expand},
                                   {"elf", .text = &a->elf},
                                   {"context", .text = &a->choice.context},
                                   {"function", .text = &a->choice.function},
                                   {"o", .text = &a->out},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status == OPTIONS_READ && limit)
        status = read_time_limit(a, limit);
    if (status == OPTIONS_READ && a->expand)
        status = command_options_only("model", "expand", " expand format threads ");
    if (status != OPTIONS_READ)
        return status;
    a->options.depth_max = (unsigned)depth;
    a->options.threads = threads && threads < MODEL_THREADS ? (unsigned)threads : MODEL_THREADS;
    a->sites = threads ? (unsigned)threads : many_threads();
    if (argc - optind != !a->expand)
        return command_fail("model", EXIT_USAGE, "%s; see weft model --help",
                            a->expand ? "--expand takes no other input" : "exactly one input is wanted");
    a->in = argv[optind];
    status = command_keep_input("model", a->in, a->out);
    status = status == EXIT_DONE ? command_output("model", a->out, a->json, true) : status;
    return status == EXIT_DONE ? OPTIONS_READ : status;
}

static int run_recording(arguments *a)
{
    a->elf = elf_beside(a->elf, a->in);
    if (!a->elf)
        return command_fail("model", EXIT_USAGE, "a recording needs --elf APP.elf, which says the site of each access");
    if (a->out)
        return command_fail("model", EXIT_USAGE, "-o does not go with a recording");
    if (a->json + a->summary + a->nests > 1)
        return command_fail("model", EXIT_USAGE, "--json, --summary and --nests exclude each other");
    bool summary = a->summary || (!a->json && !a->nests && isatty(STDOUT_FILENO));
    if (a->top != TOP_NONE && !summary)
        return command_fail("model", EXIT_USAGE, "--top goes with --summary");
    model_sites_options o = {.path = a->in,
                             .elf = a->elf,
                             .choice = a->choice,
                             .form = a->json   ? MODEL_JSON
                                     : summary ? MODEL_SUMMARY
                                               : MODEL_NESTS,
                             .top = a->top == TOP_NONE ? SITES_SHOWN : (unsigned)a->top,
                             .models = {.model = a->options, .threads = a->sites}};
    return symbol_run_is(a->in) ? model_run(&o) : model_container(&o);
}

int command_model(int argc, char **argv)
{
    arguments a = {.format = INPUT_TEXT, .top = TOP_NONE};
    model_defaults(&a.options);
    if (isatty(STDERR_FILENO))
        a.options.progress = progress;
    int status = read_arguments(&a, argc, argv);
    if (status != OPTIONS_READ)
        return status;
    if (a.expand)
        return model_expand(a.expand, a.format);
    if (symbol_stream_has_paths(a.in))
        return run_recording(&a);
    if (a.elf || a.summary || a.nests || a.top != TOP_NONE || a.choice.context || a.choice.function)
        return symbol_stream_refuse("model", a.in,
                                    a.elf               ? "--elf goes"
                                    : a.choice.context  ? "--context goes"
                                    : a.choice.function ? "--function goes"
                                    : a.summary         ? "--summary goes"
                                    : a.nests           ? "--nests goes"
                                                        : "--top goes");
    return run_model(&a);
}
