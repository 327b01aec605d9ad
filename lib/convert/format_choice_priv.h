/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds formats by their names and by the contents of files.
 */
#ifndef CONVERT_FORMAT_CHOICE_PRIV_H
#define CONVERT_FORMAT_CHOICE_PRIV_H

#include "convert/convert.h"

/*
 * Returns the format of this name that can be written or read; NULL and the message if
 * there is none. A format that can be read may be a page: if so, it is one of pages, which
 * may be NULL.
 */
const struct format *format_find(
    const char *name, bool writes, struct format_pages *pages, struct fault *f);
/*
 * Returns the format of the source, which is `from` unless that is NULL; NULL and the
 * message if the source is not JSON although the format is, if pages, which may be NULL,
 * cannot be loaded, or if no format fits, and only then *unknown is true. Sets *doc if the
 * source is JSON; the caller frees it.
 */
const struct format *source_open(struct source *s, const struct format *from,
    struct format_pages *pages, struct json_t **doc, bool *unknown, struct fault *f);
/* Returns whether a format whose files are not text recognizes a source. */
bool source_is_binary(const struct source *s);
/* Appends a note for each other format that recognizes a source, and for JSON at its end,
 * if the format allows other lines in its files. pages may be NULL. */
void formats_note_others(const struct source *s, const struct format *from,
    struct format_pages *pages, struct buf *notes);

#endif
