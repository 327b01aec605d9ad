/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts on their way to PostgreSQL and back. Pure.
 */
#ifndef DB_PQ_TEXT_H
#define DB_PQ_TEXT_H

#include "base/base.h"

/*
 * Append a text that a server will take as UTF-8. A byte b that is no part of valid UTF-8,
 * and a NUL, becomes the character U+10FE00 + b, of an area for private use; characters of
 * that area become as many as they have bytes. So every text comes back.
 */
void pq_text_encode(struct buf *out, struct text t);
/* Whether a text has to be decoded. */
bool pq_text_encoded(struct text t);
void pq_text_decode(struct buf *out, struct text t);

/* Append the bytes that a server writes as \x and hexadecimal digits. */
void pq_text_bytes(struct buf *out, struct text hex);

/* Append the regular expression that is true where a pattern of the shell is. */
void pq_text_pattern(struct buf *out, struct text pattern);

/*
 * The first statement of an SQL text, without what stands before and behind it; *sql moves
 * behind it. Empty when none is left.
 */
struct text pq_text_statement(const char **sql);
/* Whether the first word of a statement is that of one that can only read. */
bool pq_text_reads(struct text statement);

/* Whether it is one that a cursor can be made of. */
bool pq_text_selects(struct text statement);

/* Append a part of share/store/schema.sql in the words of PostgreSQL. */
void pq_text_schema(struct buf *out, struct text sql);

#endif
