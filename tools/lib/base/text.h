/* SPDX-License-Identifier: MIT */
/* Text that comes from files - symbols, notes, source lines, file names - made fit for a terminal. Each byte of a
 * control character (escape sequences begin with one), of a character that changes the direction of writing, and each
 * byte that is not UTF-8 becomes \xNN; all other text stays as it is. Whatever prints such text for people does it
 * through these. */
#ifndef WEFT_TOOLS_LIB_BASE_TEXT_H
#define WEFT_TOOLS_LIB_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes it into `out`, ended by a zero byte, whole characters as far as they fit into `room` bytes (room > 0). Returns
 * the length. */
size_t text_safe(char *out, size_t room, const char *text);
void text_print(FILE *file, const char *text);

/* The last part of a file's path; NULL for NULL. */
const char *text_base(const char *path);

/* A column of a table: `text` made safe, cut at a whole character and marked by "..", or filled with blanks, to `width`
 * characters (4 or more). */
void text_cell(FILE *file, unsigned width, const char *text);

/* A line of a summary, with a newline: `head`, `what`, `tail`. `what` is cut, at a whole character and marked by "...",
 * so that the line has at most `columns` bytes, if `head` and `tail` leave it 12 or more. The texts are safe
 * already. */
void text_line(FILE *file, unsigned columns, const char *head, const char *what, const char *tail);

/* A row of a table, with a newline: the same, but `tail` ends where the line does, with blanks before it. */
void text_row(FILE *file, unsigned columns, const char *head, const char *what, const char *tail);

/* Lines, each with a newline, broken at blanks into lines of at most `columns` bytes. What follows the first of them
 * begins `indent` bytes further in than that. They are safe already. */
void text_folded(FILE *file, unsigned columns, unsigned indent, const char *lines);

/* "1,057,870": returns `text`. */
const char *text_grouped(uint64_t number, char text[32]);

/* A number with as many digits as tell it from all others of its type: float if `single`, else double. */
void text_real(char *out, size_t room, double number, bool single);

#endif
