/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads files of the formats that pages of bench-format-page(5) describe.
 */
#ifndef CONVERT_FORMAT_READER_H
#define CONVERT_FORMAT_READER_H

#include "convert/convert.h"
#include "convert/format_page.h"

/* Returns whether a source has what the page needs. The source of a JSON page is parsed. */
bool format_page_recognize(const struct format_page *page, const struct source *s);
/* Reads the source by its page, as the function of struct format does. */
int format_page_read(const struct source *s, struct row_builder *out, struct fault *f);
/* Sets the message about a source in which the page finds no record. Returns -1. */
int format_page_no_rows(const struct source *s, struct fault *f);

#endif
