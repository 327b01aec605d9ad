/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV as a JSON document: an array of objects whose members are strings.
 */
#ifndef IO_CSV_DOC_H
#define IO_CSV_DOC_H

#include "io/json_doc.h"

/*
 * Reads CSV whose columns have different names, at most this number of rows. Rows that
 * repeat the header are ignored. Rows may have fewer fields than the header if
 * may_be_short. Returns a document, or NULL and the message; doc_free() frees it.
 */
struct json_t *csv_doc(
    struct text csv, bool may_be_short, size_t rows, const char *name, struct fault *f);

#endif
