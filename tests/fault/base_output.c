/* SPDX-License-Identifier: MIT */
/* An output file appears whole under its name, or not at all. */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/check.h"
#include "tools/lib/base/output.h"

static char message[300];

/* What the folder holds: the number of files, and the first letter of `name`, or 0. */
static int files(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    for (struct dirent *e; (e = readdir(folder));)
        count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(folder);
    return count;
}

static int letter(const char *name)
{
    FILE *file = fopen(name, "r");
    int c = file ? getc(file) : 0;
    if (file)
        fclose(file);
    return c;
}

static bool write_letter(const char *name, char c, bool named, bool commit)
{
    output *out = (named ? output_open_named : output_open)(name, message, sizeof message);
    EXPECT(out);
    fputc(c, output_stream(out));
    if (commit)
        return output_commit(out, message, sizeof message);
    output_discard(out);
    return true;
}

static void a_file_has_its_name_when_it_is_whole(void)
{
    for (int named = 0; named < 2; named++) {
        CHECK(write_letter("a", 'x', named, false));
        CHECK_EQ(files(), 0);
        CHECK(write_letter("a", 'x', named, true));
        CHECK(write_letter("a", 'y', named, false));
        CHECK_EQ(letter("a"), 'x');
        CHECK(write_letter("a", 'z', named, true));
        CHECK_EQ(letter("a"), 'z');
        CHECK_EQ(files(), 1);
        unlink("a");
    }
}

static void a_link_keeps_standing(void)
{
    struct stat about;
    CHECK(write_letter("a", 'x', false, true));
    CHECK(chmod("a", 0640) == 0 && symlink("a", "l") == 0);
    CHECK(write_letter("l", 'y', false, true));
    CHECK(lstat("l", &about) == 0 && S_ISLNK(about.st_mode));
    CHECK_EQ(letter("a"), 'y');
    CHECK(stat("a", &about) == 0);
    CHECK_EQ(about.st_mode & 0777, 0640);
    unlink("a");
    CHECK(!output_open("l", message, sizeof message));
    unlink("l");
}

static void a_full_disk_leaves_the_earlier_file(void)
{
    struct rlimit old, small;
    CHECK(write_letter("a", 'x', false, true));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 100000;
    for (int named = 0; named < 2; named++) {
        output *out = (named ? output_open_named : output_open)("a", message, sizeof message);
        CHECK(out);
        setrlimit(RLIMIT_FSIZE, &small);
        for (int i = 0; i < 200000; i++)
            fputc('y', output_stream(out));
        bool good = output_commit(out, message, sizeof message);
        setrlimit(RLIMIT_FSIZE, &old);
        CHECK(!good);
        CHECK(!strcmp(message, "cannot write 'a': File too large"));
        CHECK_EQ(letter("a"), 'x');
        CHECK_EQ(files(), 1);
    }
    unlink("a");
}

static void what_is_not_a_file_is_written_directly(void)
{
    CHECK(write_letter("/dev/null", 'x', false, true));
    CHECK(!output_open_named("/dev/null", message, sizeof message));
    CHECK(!strcmp(message, "cannot write '/dev/null': it is not a file on a disk"));
    CHECK(!write_letter("/dev/full", 'x', false, true));
    CHECK(!strcmp(message, "cannot write '/dev/full': No space left on device"));
}

static void what_cannot_be_is_refused(void)
{
    CHECK(!output_open("nothing/a", message, sizeof message));
    CHECK(!strcmp(message, "cannot write 'nothing/a': No such file or directory"));
    CHECK(!output_open(".", message, sizeof message));
    CHECK(!output_open("", message, sizeof message));
    CHECK_EQ(files(), 0);
}

/* A child opens an output and exits. With `grandchild`, a child of that child exits first. */
static void end_early(bool grandchild)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        output *out = output_open_named("a", message, sizeof message);
        if (grandchild && fork() == 0)
            exit(out ? 0 : 1);
        while (grandchild && wait(NULL) > 0)
            ;
        if (grandchild) /* _exit runs no clean-up, so the unfinished output stays */
            _exit(access(output_path(out), F_OK) == 0 ? 0 : 1);
        exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void an_exit_anywhere_leaves_no_half_file(void)
{
    end_early(false);
    CHECK_EQ(files(), 0);
}

static void a_child_that_exits_leaves_its_parents_file(void)
{
    end_early(true);
    CHECK_EQ(files(), 1);
    if (system("rm -f .weft-*.part")) /* its owner left by _exit, which does not remove it */
        return;
}

int main(void)
{
    char folder[] = "/tmp/weft-test-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    RUN(a_file_has_its_name_when_it_is_whole);
    RUN(a_link_keeps_standing);
    RUN(a_full_disk_leaves_the_earlier_file);
    RUN(what_is_not_a_file_is_written_directly);
    RUN(what_cannot_be_is_refused);
    RUN(an_exit_anywhere_leaves_no_half_file);
    RUN(a_child_that_exits_leaves_its_parents_file);
    if (chdir("/") == 0)
        rmdir(folder);
    return check_failed();
}
