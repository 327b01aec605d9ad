/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON, the one module that includes jansson: documents of others are read into values that
 * are asked by name, and texts are written as JSON has them.
 */
#ifndef IO_JSON_DOC_H
#define IO_JSON_DOC_H

#include "base/base.h"

struct json_t; /* a value of a document; NULL is a value that is not there */

/*
 * Parses a document. NaN and Infinity, which Python and others write though JSON has none,
 * are null. A document that is nested too deep, names a member twice, is no UTF-8, holds
 * \u0000 or a number beyond doubles is refused. Returns NULL and the message, which begins
 * with the name. doc_free.
 */
struct json_t *doc_read(struct text t, const char *name, struct fault *f);
void doc_free(struct json_t *document);

bool doc_is_object(const struct json_t *v);
bool doc_is_array(const struct json_t *v);
bool doc_is_null(const struct json_t *v); /* or not there */
/* The member of an object; NULL when it is no object or has none of that name. */
const struct json_t *doc_member(const struct json_t *v, const char *name);
/* How many values an array has, 0 when it is none. */
size_t doc_length(const struct json_t *v);
const struct json_t *doc_item(const struct json_t *array, size_t i);
/* Whether it is a text or number; then *out is it. The text lives as long as the document.
 */
bool doc_text(const struct json_t *v, struct text *out);
bool doc_number(const struct json_t *v, double *out);
/* Returns whether the value is an integer that is known exactly. */
bool doc_integer(const struct json_t *v, int64_t *out);
bool doc_is_truth(const struct json_t *v);
bool doc_true(const struct json_t *v);
/* Call for each member of an object, in its order, until one returns -1. */
typedef int doc_each_fn(
    void *ctx, struct text name, const struct json_t *v, struct fault *f);
int doc_each(const struct json_t *object, doc_each_fn *each, void *ctx, struct fault *f);

/*
 * Appends a text in quotes. A byte that is not valid UTF-8, which JSON cannot represent,
 * becomes the four characters \xNN, and so does a NUL, which many readers refuse.
 */
void doc_put_text(struct buf *b, struct text t);
/*
 * Appends the shortest number that reads back, or null when it is none. Negative zero is
 * -0.0, because readers take -0 for an integer.
 */
void doc_put_number(struct buf *b, double x);

#endif
