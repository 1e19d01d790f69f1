/* SPDX-License-Identifier: MIT */
/* What is looked at in the memory of the stopped program, apart from the recording: whether the recording began
 * at all, whether the recorder refused to start, whether a fault's handler runs, and, of FreeRTOS, which tasks' stacks
 * are too small. Recording takes RAM and stack. So these fail first in a program that was not written for it, and after
 * that it may do anything.
 *
 * FreeRTOS fills a new stack with a byte, where its overflow checks or its trace facility are on. Its lists lead to all
 * tasks. They may be damaged by then: what they say is checked, and a walk ends after TASKS_MAX. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/image/variables.h"
#include "tools/weft/capturing.h"
#include "tools/weft/foreign.h"

#define FILL 0xa5 /* the byte */
#define ICSR 0xe000ed04u
#define LEAST 16      /* bytes that must still hold it: the kernel's own check takes as many */
#define TASKS_MAX 256 /* in one list */
#define SHOWN 5
#define READY_MAX 64 /* priorities */

/* Where members are, in bytes. */
typedef struct kernel {
    uint32_t stack, name, next, owner;
} kernel;

/* What is known of a task. */
typedef struct task {
    char name[17];
    bool filled, spent; /* the end of its stack holds the byte; it does not */
} task;

typedef struct tasks {
    capture *c;
    struct emulator_memory *memory;
    kernel k;
    task small[SHOWN];
    unsigned filled, spent;
} tasks;

static bool read_word(struct emulator_memory *memory, uint32_t address, uint32_t *word)
{
    uint8_t bytes[4];
    if (address % 4 || !emulator_read(memory, address, bytes, sizeof bytes))
        return false;
    *word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return true;
}

/* False: the image has no FreeRTOS, or no debug information of it. */
static bool find_kernel(const image *im, kernel *k)
{
    char message[200];
    uint32_t end, next, size;
    bool found = image_pointed_member(im, "pxCurrentTCB", "pxStack", &k->stack) &&
                 image_pointed_member(im, "pxCurrentTCB", "pcTaskName", &k->name) &&
                 image_variable(im, "xDelayedTaskList1.xListEnd", &end, &size, message, sizeof message) &&
                 image_variable(im, "xDelayedTaskList1.xListEnd.pxNext", &next, &size, message, sizeof message);
    k->next = found ? next - end : 0;
    k->owner = k->next + 8; /* after pxPrevious */
    return found;
}

static bool look_at_task(tasks *t, uint32_t tcb, task *found)
{
    uint8_t bytes[LEAST], name[sizeof found->name - 1];
    uint32_t stack;
    if (!read_word(t->memory, tcb + t->k.stack, &stack) || !stack ||
        !emulator_read(t->memory, stack, bytes, sizeof bytes) ||
        !emulator_read(t->memory, tcb + t->k.name, name, sizeof name))
        return false;
    unsigned left = 0, length = 0;
    while (left < LEAST && bytes[left] == FILL)
        left++;
    while (length < sizeof name && isprint(name[length]))
        length++;
    memcpy(found->name, name, length);
    found->name[length] = 0;
    found->filled = left == LEAST;
    found->spent = !found->filled;
    return length > 0;
}

static void add_task(tasks *t, uint32_t tcb)
{
    task found;
    if (!look_at_task(t, tcb, &found))
        return;
    t->filled += found.filled;
    if (found.spent && t->spent < SHOWN)
        t->small[t->spent] = found;
    t->spent += found.spent;
}

static bool add_list(tasks *t, const char *name)
{
    char end_name[80], message[200];
    uint32_t end, size, at, tcb;
    snprintf(end_name, sizeof end_name, "%s.xListEnd", name);
    if (!image_variable(firmware_image(t->c->firmware), end_name, &end, &size, message, sizeof message))
        return false;
    if (!read_word(t->memory, end + t->k.next, &at))
        return true;
    for (unsigned i = 0; i < TASKS_MAX && at && at != end; i++) {
        if (!read_word(t->memory, at + t->k.owner, &tcb) || !tcb)
            return true;
        add_task(t, tcb);
        if (!read_word(t->memory, at + t->k.next, &at))
            return true;
    }
    return true;
}

/* Those of xPendingReadyList are in one of these, too. */
static void add_lists(tasks *t)
{
    static const char *const lists[] = {"xDelayedTaskList1", "xDelayedTaskList2", "xSuspendedTaskList"};
    char name[40];
    for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++)
        add_list(t, lists[i]);
    for (unsigned i = 0; i < READY_MAX; i++) {
        snprintf(name, sizeof name, "pxReadyTasksLists[%u]", i);
        if (!add_list(t, name))
            break;
    }
}

static int say_stacks(const tasks *t)
{
    char names[SHOWN * 20 + 40] = "";
    for (unsigned i = 0; i < t->spent && i < SHOWN; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", t->small[i].name);
    if (t->spent > SHOWN)
        snprintf(names + strlen(names), sizeof names - strlen(names), " and %u more", t->spent - SHOWN);
    bool worker = firmware_board(t->c->firmware, "worker");
    return command_fail(t->c->name, EXIT_INPUT,
                        "%u of %u tasks used all of their stacks: %s. What the program did then may be wrong. Probes "
                        "take up to %s bytes of each: make the stacks larger%s",
                        t->spent, t->spent + t->filled, names, worker ? "200" : "1,250",
                        worker ? "" : ", or set WEFT_WORKER = auto, with which it is 200 (docs/ADOPTION.md, Stacks)");
}

/* Where no stack ends with the byte, the kernel does not write it, and nothing is known. */
static int judge_stacks(capture *c, struct emulator_memory *memory)
{
    tasks t = {.c = c, .memory = memory};
    if (!find_kernel(firmware_image(c->firmware), &t.k))
        return EXIT_DONE;
    add_lists(&t);
    return t.filled && t.spent ? say_stacks(&t) : EXIT_DONE;
}

/* Is the handler that runs that of a fault? A task that was deleted left no stack to look at: this may be all that is
 * seen of one that was too small. */
static void say_fault(const capture *c, struct emulator_memory *memory)
{
    static const char *const names[] = {"HardFault", "MemManage", "BusFault", "UsageFault", "SecureFault"};
    uint32_t word, running;
    if (!read_word(memory, ICSR, &word))
        return;
    running = word & 0x1ff;
    if (running >= 3 && running - 3 < sizeof names / sizeof *names)
        command_fail(c->name, EXIT_DONE,
                     "note: the program was in %s when it was stopped. If it does not fault without Weft, a stack "
                     "may be too small, of a deleted task too: probes take up to %s (docs/ADOPTION.md, Stacks)",
                     names[running - 3],
                     firmware_board(c->firmware, "worker")
                         ? "200 bytes of each task's stack, and 1,250 of the handlers'"
                         : "1,250 bytes of each");
}

/* What autostart.c left where the recorder refused to start. */
static int judge_start(const capture *c, struct emulator_memory *memory)
{
    uint32_t address = foreign_address(c->firmware, "weft_target_status");
    uint8_t status;
    if (!address || !emulator_read(memory, address, &status, 1) || (int8_t)status != WEFT_CONFIG)
        return EXIT_DONE;
    return command_fail(c->name, EXIT_INPUT, "%s: the recorder did not start: %s", c->elf,
                        firmware_board(c->firmware, "worker")
                            ? "WEFT_WORKER names no interrupt whose vector leads to Weft's handler, or auto found none "
                              "that is free, or a vector table that it cannot move (docs/ADOPTION.md, Stacks); or a "
                              "size in WEFT_DEFINES cannot work"
                            : "a size in WEFT_DEFINES cannot work");
}

/* What around_main.c left: whether the program came to its constructors or to main with Weft around them. */
static int judge_begin(const capture *c, struct emulator_memory *memory)
{
    const char *name = firmware_board(c->firmware, "begun");
    uint32_t address = foreign_address(c->firmware, name);
    uint8_t begun = 0;
    if (!name || (address && (!emulator_read(memory, address, &begun, 1) || begun)))
        return EXIT_DONE;
    return command_fail(c->name, EXIT_INPUT,
                        "%s: the recording never began: the program came neither to its constructors nor to main with "
                        "Weft around it. Is the start-up compiled with -flto? Then compile it with -fno-lto "
                        "(docs/ADOPTION.md, What can go wrong)",
                        c->elf);
}

bool capture_health(void *context, struct emulator_memory *memory)
{
    capture *c = context;
    c->health = judge_begin(c, memory);
    if (c->health != EXIT_DONE)
        return true; /* there is nothing to read */
    int start = judge_start(c, memory);
    c->health = start != EXIT_DONE ? start : judge_stacks(c, memory);
    if (c->health == EXIT_DONE)
        say_fault(c, memory);
    return !c->read || c->read(c, memory);
}
