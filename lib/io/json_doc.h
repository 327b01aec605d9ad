/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads JSON documents of other programs into values, and writes strings and numbers as
 * JSON.
 */
#ifndef IO_JSON_DOC_H
#define IO_JSON_DOC_H

#include "base/base.h"

struct json_t; /* a value of a document; NULL is an absent value */

/*
 * Parses a document, which the caller frees with doc_free. NaN and Infinity, which are not
 * JSON but which Python and others write, become values that are null. A document is
 * refused if it is nested too deeply, is not valid UTF-8, contains \u0000 or a number that
 * no double can hold, or has two members of one name in an object, unless they are the same
 * number, text or word. Returns NULL and the message, which begins with the name.
 */
struct json_t *doc_read(struct text t, const char *name, struct fault *f);
void doc_free(struct json_t *document);

bool doc_is_array(const struct json_t *v);
/* Returns whether the value is null, NaN, an infinity or absent. */
bool doc_is_null(const struct json_t *v);
bool doc_is_nan(const struct json_t *v);
/* Returns the member of an object, or NULL if v is not an object or lacks the member. */
const struct json_t *doc_member(const struct json_t *v, const char *name);
/* Returns the number of values in an array, and 0 if v is not an array. */
size_t doc_length(const struct json_t *v);
const struct json_t *doc_item(const struct json_t *array, size_t i);
/* Returns whether the value is a string, and sets *out to it. The string lives as long as
 * the document. */
bool doc_text(const struct json_t *v, struct text *out);
/* Returns whether the value is a number, and sets *out to it. */
bool doc_number(const struct json_t *v, double *out);
bool doc_is_truth(const struct json_t *v);
bool doc_true(const struct json_t *v);
/* Is called for each member of an object, in order, until a call returns -1. */
typedef int doc_each_fn(
    void *ctx, struct text name, const struct json_t *v, struct fault *f);
int doc_each(const struct json_t *object, doc_each_fn *each, void *ctx, struct fault *f);

/*
 * Appends a string in quotes. A byte that is not valid UTF-8, which JSON cannot represent,
 * or is a NUL, which many readers refuse, becomes the four characters \xNN.
 */
void doc_put_text(struct buf *b, struct text t);
/*
 * Appends the shortest text that parses to the same number, or null for a NAN or infinity.
 * Negative zero is written as -0.0, because readers parse -0 as an integer.
 */
void doc_put_number(struct buf *b, double x);

#endif
