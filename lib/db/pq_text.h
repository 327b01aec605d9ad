/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts strings and statements between bench-store and PostgreSQL. Pure.
 */
#ifndef DB_PQ_TEXT_H
#define DB_PQ_TEXT_H

#include "base/base.h"

/*
 * Appends a string as UTF-8 that a server accepts. A NUL, and each byte b that is not part
 * of valid UTF-8, becomes the character U+10FE00 + b, of a private use area. Each byte of a
 * character of that area is converted in the same way, so every string can be restored.
 */
void pq_text_encode(struct buf *out, struct text t);
/* Returns whether a string must be decoded. */
bool pq_text_encoded(struct text t);
/* Appends the original of an encoded string. */
void pq_text_decode(struct buf *out, struct text t);

/* Appends the bytes that a server writes as \x and hexadecimal digits. */
void pq_text_bytes(struct buf *out, struct text hex);

/* Appends the regular expression that matches the same strings as a shell pattern. */
void pq_text_pattern(struct buf *out, struct text pattern);

/*
 * Returns the first statement of an SQL text, without surrounding space and comments, and
 * moves *sql after it. Returns an empty string if there are no more statements.
 */
struct text pq_text_statement(const char **sql);
/* Returns whether the first word of a statement is the first word of one that only reads.
 */
bool pq_text_reads(struct text statement);

/* Returns whether a cursor can be declared for a statement. */
bool pq_text_selects(struct text statement);

/* Appends a part of share/store/schema.sql, converted to the dialect of PostgreSQL. */
void pq_text_schema(struct buf *out, struct text sql);

#endif
