/* SPDX-License-Identifier: MIT */
#include "tools/weft/symbol_stream.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/input/input.h"
#include "tools/lib/input/is_container.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/symbol_run.h"

bool symbol_stream_has_paths(const char *path)
{
    return symbol_run_is(path) || input_is_container(path);
}

void symbol_stream_image(symbol_options *options, const char *path, bool summary)
{
    if (options->elf || !symbol_stream_has_paths(path))
        return;
    if (summary)
        options->elf = elf_beside(NULL, path);
    else
        options->unprinted = elf_to_read(path, options->choice);
}

static int open_run(symbol_source *source, const char *name, const char *path, const symbol_options *options)
{
    symbol_run *run;
    const char *elf = options->elf ? options->elf : options->unprinted;
    if (!elf)
        return elf_missing(name, path);
    int status = symbol_run_open(&run, name, elf, options->choice);
    if (status == EXIT_DONE)
        status = symbol_run_add(run, path);
    if (status == EXIT_DONE)
        symbol_source_feed(source, symbol_run_feed(run), options);
    else
        symbol_run_close(run);
    return status;
}

int symbol_stream_refuse(const char *name, const char *path, const char *options)
{
    struct stat status;
    if (strcmp(path, "-") && stat(path, &status) != 0)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", path, strerror(errno));
    return command_fail(name, EXIT_USAGE, "%s with a recording", options);
}

int symbol_stream_open(symbol_source *source, const char *name, const char *path, const symbol_options *options)
{
    char message[300];
    if (symbol_run_is(path))
        return open_run(source, name, path, options);
    if ((options->elf || options->choice.context || options->choice.function) && !input_is_container(path))
        return symbol_stream_refuse(name, path, "--elf, --context and --function go");
    if (!symbol_source_open(source, path, options, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s", message);
    return EXIT_DONE;
}

int symbol_stream_check(const symbol_source *source, const char *name, const char *path)
{
    const char *error = symbol_source_error(source);
    if (source->feed.own && symbol_run_check(source->feed.own) == EXIT_INPUT)
        return EXIT_INPUT;
    return error ? command_fail(name, EXIT_INPUT, "%s: %s", path, error) : EXIT_DONE;
}

int symbol_stream_close(symbol_source *source, const char *name, int status)
{
    if (status == EXIT_DONE && symbol_source_gaps(source, name))
        status = EXIT_GAPS;
    if (status == EXIT_DONE && source->feed.own)
        status = symbol_run_check(source->feed.own);
    symbol_run_close(source->feed.own);
    symbol_source_close(source);
    return status;
}

grammar *symbol_stream_grammar(symbol_source *source, const char *name, const char *path, const symbol_options *options,
                               bool lookahead, bool runs, wpp_ahead *ahead, int *status)
{
    *status = symbol_stream_open(source, name, path, options);
    if (*status != EXIT_DONE)
        return NULL;
    grammar *g = symbol_source_grammar(source, lookahead, runs, ahead);
    *status = symbol_stream_check(source, name, path);
    if (*status == EXIT_DONE)
        return g;
    grammar_free(g);
    *status = symbol_stream_close(source, name, *status);
    return NULL;
}
