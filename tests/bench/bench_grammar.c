/* SPDX-License-Identifier: MIT */
/* SEQUITUR on the host: speed as the stream grows, memory per symbol of the grammar, and the binary whole program path.
 *     bench_grammar [FILE.u32...]      without a file: LU class C only. tests/bench/grammar.sh makes the files. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/lib/nas.h"
#include "tools/lib/grammar/sequitur.h"
#include "tools/lib/grammar/wpp.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void row(const uint32_t *stream, size_t size, bool lookahead, bool pack)
{
    double start = now();
    grammar_builder *builder = grammar_builder_new(lookahead);
    for (size_t i = 0; i < size; i += 8192)
        grammar_push(builder, stream + i, size - i < 8192 ? size - i : 8192);
    double seconds = now() - start;
    size_t bytes = grammar_builder_bytes(builder);
    grammar *g = grammar_finish(builder);
    size_t symbols = grammar_symbols(g);
    printf("%9zu  %4d  %7.1f  %8.2f  %8zu  %9zu  %13.1f", size, lookahead, 1e9 * seconds / (double)size,
           (double)size / seconds / 1e6, g->rules, symbols, (double)bytes / (double)(symbols + g->rules));
    if (pack) {
        size_t packed;
        start = now();
        free(wpp_write(g, lookahead, NULL, &packed));
        printf("  %9zu  %6.1f", packed, 1e9 * (now() - start) / (double)size);
    }
    putchar('\n');
    grammar_free(g);
}

static void head(const char *name)
{
    printf("%s\n  symbols ahead  ns/sym.  Msym./s     rules  r.-h.symb.  bytes/element  wpp bytes  ns/sym.\n", name);
}

static void file(const char *path)
{
    static const size_t sizes[] = {1000000, 3000000, 10000000, 30000000};
    FILE *in = fopen(path, "rb");
    uint32_t *stream = malloc(sizes[3] * sizeof *stream);
    if (!in || !stream)
        exit(1);
    size_t size = fread(stream, sizeof *stream, sizes[3], in);
    fclose(in);
    head(path);
    for (unsigned i = 0; i < 4 && sizes[i] <= size; i++)
        row(stream, sizes[i], false, sizes[i] <= 10000000);
    row(stream, size < 10000000 ? size : 10000000, true, false);
    free(stream);
}

int main(int argc, char **argv)
{
    char *text = malloc(NAS_LU_C_SIZE);
    uint32_t *lu = malloc(NAS_LU_C_SIZE * sizeof *lu);
    nas_expand(NAS_LU_C, text, NAS_LU_C_SIZE);
    for (size_t i = 0; i < NAS_LU_C_SIZE; i++)
        lu[i] = (uint32_t)text[i];
    head("LU class C");
    row(lu, NAS_LU_C_SIZE, false, true);
    row(lu, NAS_LU_C_SIZE, true, true);
    free(text);
    free(lu);
    for (int i = 1; i < argc; i++)
        file(argv[i]);
    return 0;
}
