/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes files that are not text by their first bytes. */
#ifndef IO_FILE_KIND_H
#define IO_FILE_KIND_H

#include "base/base.h"

/* Returns whether a string begins as a file of a known kind that is not text. */
bool file_kind_detect(struct text t);
/* Returns the same; if it is true, appends what the file is and how its text is piped to
 * this program. */
bool file_kind_explain(struct text t, struct buf *b);

#endif
