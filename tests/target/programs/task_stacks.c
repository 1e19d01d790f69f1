/* SPDX-License-Identifier: MIT */
/* Tasks as FreeRTOS keeps them, in lists by what they wait for, each with a stack that was filled with a byte. The
 * first argument: how many of them have used all of theirs; the second, if there is one: where the first link of a list
 * leads that is damaged, or `fault`: a fault ends it. Nothing is scheduled: only their memory is looked at, when the
 * program has ended. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 8, STACK = 256, NAME_MAX = 12, PRIORITIES = 3, FILL = 0xa5 };

typedef struct ListItem {
    uint32_t xItemValue;
    struct ListItem *pxNext, *pxPrevious;
    void *pvOwner, *pvContainer;
} ListItem_t;

typedef struct MiniListItem {
    uint32_t xItemValue;
    ListItem_t *pxNext, *pxPrevious;
} MiniListItem_t;

typedef struct {
    volatile uint32_t uxNumberOfItems;
    ListItem_t *pxIndex;
    MiniListItem_t xListEnd;
} List_t;

typedef struct {
    volatile uint32_t *pxTopOfStack;
    ListItem_t xStateListItem, xEventListItem;
    uint32_t uxPriority;
    uint32_t *pxStack;
    char pcTaskName[NAME_MAX];
} TCB_t;

TCB_t *volatile pxCurrentTCB;
static List_t pxReadyTasksLists[PRIORITIES], xDelayedTaskList1, xDelayedTaskList2, xPendingReadyList;
static List_t xSuspendedTaskList;
static TCB_t tasks[TASKS];
static uint32_t stacks[TASKS][STACK / 4];
static int spent;

static void empty(List_t *list)
{
    list->uxNumberOfItems = 0;
    list->xListEnd.pxNext = list->xListEnd.pxPrevious = (ListItem_t *)&list->xListEnd;
}

static void insert(List_t *list, ListItem_t *item, TCB_t *task)
{
    ListItem_t *last = list->xListEnd.pxPrevious;
    *item = (ListItem_t){0, (ListItem_t *)&list->xListEnd, last, task, list};
    last->pxNext = list->xListEnd.pxPrevious = item;
    list->uxNumberOfItems++;
}

static void make(int i, List_t *list)
{
    TCB_t *task = &tasks[i];
    memset(stacks[i], i < spent ? 1 : FILL, STACK);
    task->pxStack = stacks[i];
    task->pxTopOfStack = &stacks[i][STACK / 8];
    task->pcTaskName[0] = 'T';
    task->pcTaskName[1] = (char)('0' + i);
    insert(list, &task->xStateListItem, task);
}

int main(int argc, char **argv)
{
    spent = argc > 1 ? atoi(argv[1]) : 0;
    List_t *lists[] = {&pxReadyTasksLists[0], &pxReadyTasksLists[1], &pxReadyTasksLists[2],
                       &xDelayedTaskList1,    &xDelayedTaskList2,    &xSuspendedTaskList};
    enum { LISTS = sizeof lists / sizeof *lists };
    for (int i = 0; i < LISTS; i++)
        empty(lists[i]);
    for (int i = 0; i < TASKS; i++)
        make(i, lists[i % LISTS]);
    empty(&xPendingReadyList); /* whose tasks are in another list, too */
    insert(&xPendingReadyList, &tasks[0].xEventListItem, &tasks[0]);
    pxCurrentTCB = &tasks[0];
    if (argc > 2 && argv[2][0] == 'f')
        __asm volatile("udf #0");
    else if (argc > 2)
        xDelayedTaskList1.xListEnd.pxNext = (ListItem_t *)strtoul(argv[2], NULL, 0);
    return 0;
}
