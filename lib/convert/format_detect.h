/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists the formats of files without converting them.
 */
#ifndef CONVERT_FORMAT_DETECT_H
#define CONVERT_FORMAT_DETECT_H

#include "convert/convert.h"

/*
 * Writes a table with the columns file, format and convert: a row for each input, and for
 * each JSON document of an input that has several. The column convert is yes if other
 * programs of benchutils read the input only after a conversion, and no if they read it.
 * Both are empty for an input without a known format, and the reason is appended to notes,
 * one a line. Returns the number of these inputs, or -1 with errno set if the output cannot
 * be written.
 */
int formats_detect(const struct convert *c, const struct convert_input *in, size_t count,
    const struct output *out, struct buf *notes);

#endif
