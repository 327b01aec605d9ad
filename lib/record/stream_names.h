/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names in a stream, which the shell completes.
 */
#ifndef RECORD_STREAM_NAMES_H
#define RECORD_STREAM_NAMES_H

#include "text/near_name.h"

/*
 * Adds the columns by which the rows of files can be grouped, without those that are empty,
 * or their metrics. Reads the first 10,000 rows; ignores files that cannot be read. The
 * strings are allocated and never freed.
 */
void stream_names_columns(struct known_names *k, char *const *file, size_t files);
void stream_names_metrics(struct known_names *k, char *const *file, size_t files);

#endif
