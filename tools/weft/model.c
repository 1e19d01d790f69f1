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
#include "tools/weft/model_sites.h"
#include "tools/weft/options.h"
#include "tools/weft/symbol_run.h"
#include "tools/weft/symbol_stream.h"

/* Lines of a summary: a screenful. */
enum { SITES_SHOWN = 17 }; /* with the other lines: 23, a screenful */

enum { READ_SIZE = 65536 };

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

/* Version 2 ends with the CRC-32 of all before. Version 1 had none. */
static const char binary_head[8] = {'W', 'E', 'F', 'T', 'M', 'O', 'D', 2};
enum { VERSION_AT = sizeof binary_head - 1, CRC_SIZE = 4 };

typedef struct arguments {
    model_options options;
    unsigned sites; /* of a recording, modelled at once */
    unsigned top;
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
    for (unsigned shift = 0; shift < 8 * CRC_SIZE; shift += 8)
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
    size_t size = bytes.size + sizeof binary_head + CRC_SIZE;
    if (a->out)
        status = write_binary(a->out, &bytes);
    if (a->json)
        print_json(&m, size);
    for (size_t i = 0; i < m.nests && !a->json; i++)
        affine_print(&m.nest[i], stdout);
    if (m.nests == 0 && !a->json)
        fputs("// no accesses\n", stdout); /* an empty file is not a model */
    if (!a->json)
        fprintf(stderr, "%" PRIu64 " accesses, %zu nests, %zu bytes, exact: %s\n", m.accesses, m.nests, size,
                m.exact ? "yes" : "no");
    free(bytes.bytes);
    model_free(&m);
    free_stream(&s);
    return status;
}

/* ---- the way back ---- */

typedef struct expansion {
    input_format format;
    bool misfit; /* a value that the format cannot hold */
} expansion;

static bool write_values(void *context, const int64_t *values, size_t count)
{
    expansion *e = context;
    if (e->format == INPUT_I64 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return fwrite(values, sizeof *values, count, stdout) == count;
    for (size_t i = 0; i < count; i++)
        if (!input_write_value(values[i], e->format, stdout)) {
            e->misfit = true;
            return false;
        }
    return true;
}

static bool expand_nest(void *context, affine_nest *nest)
{
    bool done = affine_generate(nest, write_values, context);
    affine_nest_free(nest);
    return done;
}

/* Takes the check sum of version 2 off the bytes after the head. False: it is wrong. */
static bool check_sum(const char *head, const uint8_t *bytes, size_t *size)
{
    if (head[VERSION_AT] == 1)
        return true;
    if (*size < CRC_SIZE)
        return false;
    *size -= CRC_SIZE;
    weft_reader reader;
    weft_reader_init(&reader, bytes + *size, CRC_SIZE);
    uint32_t crc = weft_crc32(0, (const uint8_t *)head, sizeof binary_head);
    return weft_read_u32(&reader) == weft_crc32(crc, bytes, *size);
}

/* The file is open, and its head was read. */
static int expand_binary(const char *path, FILE *file, const char *head, expansion *e)
{
    size_t size = 0, room = 0, at = 0, got;
    uint8_t *bytes = NULL;
    int status = EXIT_DONE;
    do {
        bytes = memory_room(bytes, size + READ_SIZE - 1, &room, 1);
        got = fread(bytes + size, 1, READ_SIZE, file);
        size += got;
    } while (got);
    if (!check_sum(head, bytes, &size))
        status = command_fail("model", EXIT_INPUT, "%s: the check sum is wrong: it is damaged or cut", path);
    while (at < size && status == EXIT_DONE) {
        affine_nest nest;
        if (!affine_decode(&nest, bytes, size, &at) || !expand_nest(e, &nest))
            status = ferror(stdout)
                         ? EXIT_INPUT
                         : command_fail("model", EXIT_INPUT, "%s: byte %zu: %s", path, at + sizeof binary_head,
                                        e->misfit ? "a value does not fit the format" : "this nest is damaged");
    }
    free(bytes);
    if (status == EXIT_DONE && head[VERSION_AT] == 1)
        command_fail("model", EXIT_DONE, "%s: unchecked: a file of version 1 has no check sum", path);
    return status;
}

static int expand_text(const char *path, FILE *file, expansion *e)
{
    char error[160];
    if (affine_parse(file, expand_nest, e, error))
        return command_fail("model", EXIT_DONE,
                            "%s: text unchecked: it has no check sum, and is taken as it is (-o writes one)", path);
    if (ferror(stdout))
        return EXIT_INPUT; /* main says so */
    return command_fail("model", EXIT_INPUT, "%s: %s%s", path, error,
                        e->misfit ? " (a value does not fit the format)" : "");
}

static int run_expand(const arguments *a)
{
    expansion e = {.format = a->format};
    char head[sizeof binary_head];
    FILE *file = strcmp(a->expand, "-") ? fopen(a->expand, "rb") : stdin;
    if (!file)
        return command_fail("model", EXIT_INPUT, "%s: %s", a->expand, strerror(errno));
    int first = getc(file), status;
    if (first == EOF && ferror(file)) {
        status = command_fail("model", EXIT_INPUT, "%s: %s", a->expand, strerror(errno));
    } else if (first == EOF) {
        status = command_fail("model", EXIT_INPUT, "%s: it is empty, not a model", a->expand);
    } else if (first == binary_head[0]) {
        head[0] = (char)first;
        bool right = fread(head + 1, 1, sizeof head - 1, file) == sizeof head - 1 &&
                     !memcmp(head, binary_head, VERSION_AT) && head[VERSION_AT] >= 1 &&
                     head[VERSION_AT] <= binary_head[VERSION_AT];
        status = right ? expand_binary(a->expand, file, head, &e)
                       : command_fail("model", EXIT_INPUT, "%s: byte 0: neither loops nor a model", a->expand);
    } else {
        ungetc(first, file);
        status = expand_text(a->expand, file, &e);
    }
    if (file != stdin)
        fclose(file);
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
    long long depth = AFFINE_DEPTH, threads = 0, top = SITES_SHOWN;
    const char *limit = NULL;
    const command_option list[] = {{"single", .flag = &a->options.single},
                                   {"json", .flag = &a->json},
                                   {"summary", .flag = &a->summary},
                                   {"nests", .flag = &a->nests},
                                   {"top", .number = &top, .min = 0, .max = INT32_MAX},
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
    if (status != OPTIONS_READ)
        return status;
    a->options.depth_max = (unsigned)depth;
    a->options.threads = threads && threads < MODEL_THREADS ? (unsigned)threads : MODEL_THREADS;
    a->sites = threads ? (unsigned)threads : many_threads();
    a->top = (unsigned)top;
    if (argc - optind != !a->expand)
        return command_fail("model", EXIT_USAGE, "%s; see weft model --help",
                            a->expand ? "--expand takes no other input" : "exactly one input is wanted");
    a->in = argv[optind];
    status = command_keep_input("model", a->in, a->out);
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
    model_sites_options o = {.path = a->in,
                             .elf = a->elf,
                             .choice = a->choice,
                             .form = a->json   ? MODEL_JSON
                                     : summary ? MODEL_SUMMARY
                                               : MODEL_NESTS,
                             .top = a->top,
                             .models = {.model = a->options, .threads = a->sites}};
    return symbol_run_is(a->in) ? model_run(&o) : model_container(&o);
}

int command_model(int argc, char **argv)
{
    arguments a = {.format = INPUT_TEXT};
    model_defaults(&a.options);
    if (isatty(STDERR_FILENO))
        a.options.progress = progress;
    int status = read_arguments(&a, argc, argv);
    if (status != OPTIONS_READ)
        return status;
    if (!a.expand && symbol_stream_has_paths(a.in))
        return run_recording(&a);
    if (a.elf || a.summary || a.nests || a.choice.context || a.choice.function)
        return symbol_stream_refuse("model", a.in,
                                    a.elf               ? "--elf goes"
                                    : a.choice.context  ? "--context goes"
                                    : a.choice.function ? "--function goes"
                                    : a.summary         ? "--summary goes"
                                                        : "--nests goes");
    return a.expand ? run_expand(&a) : run_model(&a);
}
