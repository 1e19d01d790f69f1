/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/sqlite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/json.h"
#include "tools/lib/image/vectors.h"

static const char schema[] =
    "CREATE TABLE about (key TEXT PRIMARY KEY, value);"
    "CREATE TABLE contexts (id INTEGER PRIMARY KEY, name TEXT, calls INTEGER, instructions INTEGER);"
    "CREATE TABLE functions (id INTEGER PRIMARY KEY, name TEXT, file TEXT, line INTEGER, calls INTEGER, self INTEGER,"
    " more INTEGER, estimated INTEGER, inclusive INTEGER, min INTEGER, mean REAL, max INTEGER, stack INTEGER);"
    "CREATE TABLE calls (caller INTEGER REFERENCES functions, callee INTEGER REFERENCES functions, file TEXT,"
    " line INTEGER, calls INTEGER, inclusive INTEGER);"
    "CREATE TABLE paths (id INTEGER PRIMARY KEY, function INTEGER REFERENCES functions, count INTEGER,"
    " instructions INTEGER);"
    "CREATE TABLE loops (function TEXT, file TEXT, line INTEGER, entered INTEGER, turns INTEGER);"
    "CREATE TABLE accesses (object TEXT, function INTEGER REFERENCES functions, loads INTEGER, stores INTEGER,"
    " bytes_loaded INTEGER, bytes_stored INTEGER);";

/* The rows of one table. */
typedef struct inserter {
    sqlite3 *db;
    sqlite3_stmt *row;
    int column; /* bound so far */
    uint64_t rows;
} inserter;

static void begin(inserter *in, const char *sql)
{
    sqlite3_finalize(in->row);
    in->row = NULL;
    sqlite3_prepare_v2(in->db, sql, -1, &in->row, NULL);
}

/* Errors need no check here: SQLite keeps the error's code in the database, and it is checked at the end. */
static void text(inserter *in, const char *value)
{
    if (value)
        sqlite3_bind_text(in->row, ++in->column, json_fit(value), -1, free);
    else
        sqlite3_bind_null(in->row, ++in->column);
}

static void number(inserter *in, uint64_t value)
{
    sqlite3_bind_int64(in->row, ++in->column, (sqlite3_int64)value);
}

static void maybe(inserter *in, bool known, uint64_t value)
{
    if (known)
        number(in, value);
    else
        sqlite3_bind_null(in->row, ++in->column);
}

static bool end_row(inserter *in)
{
    bool good = sqlite3_step(in->row) == SQLITE_DONE;
    sqlite3_reset(in->row);
    in->column = 0;
    in->rows++;
    return good;
}

static bool put_about(inserter *in, const export_run *run)
{
    const struct {
        const char *key;
        uint64_t value;
    } all[] = {{"format", 1},
               {"total", run->all->total},
               {"more", run->all->more},
               {"estimated", run->all->estimated},
               {"lost_paths", run->loss.paths},
               {"gaps", run->loss.gaps},
               {"cut", run->loss.cut}};
    begin(in, "INSERT INTO about VALUES (?, ?)");
    bool good = true;
    for (size_t i = 0; good && i < sizeof all / sizeof *all; i++) {
        text(in, all[i].key);
        number(in, all[i].value);
        good = end_row(in);
    }
    text(in, "unit");
    text(in, "instructions");
    good = good && end_row(in);
    if (!good || !run->loss.paths || !run->loss.at_least)
        return good;
    text(in, "lost_is");
    text(in, "at least");
    return end_row(in);
}

static bool put_contexts(inserter *in, const export_run *run)
{
    char name[VECTORS_NAME_MAX];
    const call_node *node = run->all->node;
    bool good = true;
    begin(in, "INSERT INTO contexts VALUES (?, ?, ?, ?)");
    for (uint32_t i = node[0].child; good && i; i = node[i].sibling) {
        uint64_t calls = 0;
        for (uint32_t k = 1; k < run->all->node_count; k++)
            calls += node[k].context == node[i].context ? node[k].calls : 0;
        number(in, node[i].context);
        text(in, vectors_name(run->im, node[i].context, name));
        number(in, calls);
        number(in, node[i].inclusive);
        good = end_row(in);
    }
    return good;
}

static bool put_functions(inserter *in, const functions *all)
{
    bool good = true;
    begin(in, "INSERT INTO functions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; good && i < all->count; i++) {
        const function_cost *f = &all->all[i];
        number(in, i);
        text(in, f->name);
        text(in, f->place.file);
        maybe(in, f->place.line, f->place.line);
        number(in, f->calls);
        number(in, f->self);
        number(in, f->more);
        number(in, f->estimated);
        number(in, f->inclusive);
        maybe(in, f->whole, f->min);
        if (f->whole)
            sqlite3_bind_double(in->row, ++in->column, (double)f->whole_sum / (double)f->whole);
        else
            maybe(in, false, 0);
        maybe(in, f->whole, f->max);
        maybe(in, f->stack_known, f->stack);
        good = end_row(in);
    }
    return good;
}

static bool put_calls(inserter *in, const functions *all)
{
    bool good = true;
    begin(in, "INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; good && i < all->edge_count; i++) {
        const call_edge *e = &all->edge[i];
        maybe(in, e->caller != FUNCTIONS_NONE, e->caller);
        number(in, e->callee);
        text(in, e->place.file);
        maybe(in, e->place.line, e->place.line);
        number(in, e->calls);
        number(in, e->inclusive);
        good = end_row(in);
    }
    return good;
}

static bool put_paths(inserter *in, const functions *all)
{
    bool good = true;
    begin(in, "INSERT INTO paths VALUES (?, ?, ?, ?)");
    for (size_t i = 0; good && i < all->path_count; i++) {
        number(in, all->path[i].path);
        number(in, all->path[i].function);
        number(in, all->path[i].count);
        number(in, all->path[i].self);
        good = end_row(in);
    }
    return good;
}

static bool put_loops(inserter *in, const coverage *covered)
{
    bool good = true;
    begin(in, "INSERT INTO loops VALUES (?, ?, ?, ?, ?)");
    for (size_t i = 0; good && i < covered->loop_count; i++) {
        const coverage_loop *l = &covered->loop[i];
        text(in, l->function);
        text(in, l->file);
        number(in, l->line);
        number(in, l->entered);
        number(in, l->turns);
        good = end_row(in);
    }
    return good;
}

static bool put_accesses(inserter *in, const access_table *all)
{
    bool good = true;
    begin(in, "INSERT INTO accesses VALUES (?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; good && i < all->count; i++) {
        const access_row *r = &all->row[i];
        text(in, r->object);
        number(in, r->function);
        number(in, r->loads);
        number(in, r->stores);
        number(in, r->bytes_loaded);
        number(in, r->bytes_stored);
        good = end_row(in);
    }
    return good;
}

static bool put_all(inserter *in, const export_run *run)
{
    /* The file has another name until it is whole, so no journal is needed. */
    return sqlite3_exec(in->db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;", NULL, NULL, NULL) ==
               SQLITE_OK &&
           sqlite3_exec(in->db, schema, NULL, NULL, NULL) == SQLITE_OK && put_about(in, run) && put_contexts(in, run) &&
           put_functions(in, run->all) && put_calls(in, run->all) && put_paths(in, run->all) &&
           put_loops(in, run->covered) && put_accesses(in, run->accesses) &&
           sqlite3_exec(in->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

uint64_t export_sqlite(const export_run *run, const char *path, char *message, size_t message_size)
{
    inserter in = {0};
    bool good = sqlite3_open(path, &in.db) == SQLITE_OK && put_all(&in, run);
    if (!good)
        snprintf(message, message_size, "SQLite: %s", in.db ? sqlite3_errmsg(in.db) : "no memory");
    sqlite3_finalize(in.row);
    sqlite3_close(in.db);
    return good ? in.rows : UINT64_MAX;
}
