/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that have several JSON documents, one after the other: of programs that append to
 * their file, or that write one in each line. Pure.
 */
#ifndef IO_JSON_DOCUMENTS_H
#define IO_JSON_DOCUMENTS_H

#include "base/base.h"

/* Returns whether a text has more than one JSON array or object. */
bool json_documents_several(struct text t);
/* Removes the next document, which may be invalid, and space after it from the rest of a
 * text. Returns false if the rest does not begin with a document. */
bool json_documents_next(struct text *rest, struct text *document);

/*
 * Returns whether the first object of a text, which may be the first value of an array, can
 * have a member of one of these names. It copies nothing, and does not decode escapes: a
 * name that has some can be any.
 */
bool json_documents_may_have(struct text t, const char *const *names, size_t count);

#endif
