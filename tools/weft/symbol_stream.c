/* SPDX-License-Identifier: MIT */
#include "tools/weft/symbol_stream.h"

#include "tools/lib/input/input.h"
#include "tools/lib/input/is_container.h"
#include "tools/weft/command.h"

int symbol_stream_open(symbol_source *source, const char *name, const char *path, const symbol_options *options)
{
    char message[300];
    if ((options->elf || options->choice.context || options->choice.function) && !input_is_container(path))
        return command_fail(name, EXIT_USAGE, "--elf, --context and --function go with a container");
    if (!symbol_source_open(source, path, options, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s", message);
    return EXIT_DONE;
}

int symbol_stream_check(const symbol_source *source, const char *name, const char *path)
{
    const char *error = symbol_source_error(source);
    return error ? command_fail(name, EXIT_INPUT, "%s: %s", path, error) : EXIT_DONE;
}

int symbol_stream_close(symbol_source *source, const char *name, int status)
{
    if (status == EXIT_DONE && symbol_source_gaps(source, name))
        status = EXIT_GAPS;
    symbol_source_close(source);
    return status;
}

grammar *symbol_stream_grammar(symbol_source *source, const char *name, const char *path, const symbol_options *options,
                               bool lookahead, bool runs, int *status)
{
    *status = symbol_stream_open(source, name, path, options);
    if (*status != EXIT_DONE)
        return NULL;
    grammar *g = symbol_source_grammar(source, lookahead, runs);
    *status = symbol_stream_check(source, name, path);
    if (*status == EXIT_DONE)
        return g;
    grammar_free(g);
    *status = symbol_stream_close(source, name, *status);
    return NULL;
}
