/* SPDX-License-Identifier: MIT */
/* `weft seal`: puts a check sum after the end of a linked image (tools/lib/image/seal.h). */
#include "tools/lib/image/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/image/linked.h"
#include "tools/lib/image/opened.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft seal [--again] [--check] APP.elf...\n\n"
    "Puts a check sum of all of the file after the end of a linked image, as the last step of a build; 16 bytes that\n"
    "linkers, debuggers and flash tools pass over. From then on every command refuses the image if anything in it is\n"
    "changed: a symbol, a line, an instruction. Of an image without a seal they say that it is unchecked. strip and\n"
    "objcopy drop the seal. A file that is sealed already is left as it is.\n\n"
    "Where the engine is weft.c, a check sum of what is loaded is first written into its place in the image. "
    "Recordings\n"
    "then name this very link, and another one is refused. So seal before the image is copied or flashed.\n\n"
    "  --again  seal anew what was edited on purpose after it was sealed\n"
    "  --check  change nothing; status 0: it is as it was sealed, 1: it has no seal, or is not as it was\n";

typedef struct seal_options {
    bool again, check;
} seal_options;

/* The bytes of the file without its seal; false, and a message: it cannot be read. */
static bool look(const char *path, seal_state *state, size_t *plain, uint8_t seal[SEAL_SIZE])
{
    whole_file file;
    if (!whole_file_open(&file, path))
        return false;
    *state = seal_of(file.bytes, file.size);
    *plain = file.size - (*state == SEAL_NONE ? 0 : SEAL_SIZE);
    seal_make(seal, file.bytes, *plain);
    whole_file_close(&file);
    return true;
}

/* False: errno says why, and the file has no seal. */
static bool put(const char *path, size_t at, const uint8_t seal[SEAL_SIZE])
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool good = pwrite(fd, seal, SEAL_SIZE, (off_t)at) == SEAL_SIZE;
    int error = errno;
    if (!good && ftruncate(fd, (off_t)at))
        error = errno;
    if (close(fd) && good) {
        good = false;
        error = errno;
    }
    errno = error;
    return good;
}

/* The engine's place for the check sum of the link (tools/lib/image/linked.h), if the image has one. */
static bool fill_in(const char *path, const image *im)
{
    size_t at = 0;
    uint32_t sum = linked_sum(im, &at);
    uint8_t bytes[LINKED_SIZE];
    for (unsigned i = 0; i < LINKED_SIZE; i++)
        bytes[i] = (uint8_t)(sum >> 8 * i);
    int fd = sum ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return !sum;
    bool good = pwrite(fd, bytes, LINKED_SIZE, (off_t)at) == LINKED_SIZE;
    return close(fd) == 0 && good;
}

static int check(const char *name, const char *path, seal_state state)
{
    if (state == SEAL_NONE)
        return command_fail(name, EXIT_INPUT, "%s: it has no seal", path);
    if (state == SEAL_WRONG)
        return command_fail(name, EXIT_INPUT, "%s: it is damaged, or was edited after it was sealed", path);
    return EXIT_DONE;
}

static int seal_one(const char *name, const char *path, seal_options o)
{
    char message[400];
    uint8_t seal[SEAL_SIZE];
    seal_state state;
    size_t plain;
    if (!look(path, &state, &plain, seal))
        return command_fail(name, EXIT_INPUT, "%s: %s", path, strerror(errno));
    if (o.check || state == SEAL_RIGHT || (state == SEAL_WRONG && !o.again))
        return check(name, path, state);
    if (state == SEAL_WRONG && truncate(path, (off_t)plain))
        return command_fail(name, EXIT_HOST, "cannot write '%s': %s", path, strerror(errno));
    image *im = image_open(path, message, sizeof message);
    if (state == SEAL_NONE && !im)
        return command_fail(name, EXIT_INPUT, "%s", message);
    bool good = !im || fill_in(path, im);
    image_close(im);
    seal_forget(path);
    return good && look(path, &state, &plain, seal) && put(path, plain, seal)
               ? EXIT_DONE
               : command_fail(name, EXIT_HOST, "cannot write '%s': %s", path, strerror(errno));
}

int command_seal(int argc, char **argv)
{
    seal_options o = {0};
    const command_option list[] = {{"again", .flag = &o.again}, {"check", .flag = &o.check}, {NULL}};
    int status = command_options(argc, argv, help, list), worst = EXIT_DONE;
    if (status != OPTIONS_READ)
        return status;
    if (argc == optind)
        return command_fail(argv[0], EXIT_USAGE, "takes an ELF file (see weft seal --help)");
    for (int i = optind; i < argc; i++) {
        status = seal_one(argv[0], argv[i], o);
        worst = status > worst ? status : worst;
    }
    return worst;
}
