/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names that consist of parts with slashes between them, some of which are parameters:
 * "BM_copy/64/threads:4/real_time" of Google Benchmark. Pure.
 */
#ifndef CONVERT_NAME_PARTS_H
#define CONVERT_NAME_PARTS_H

#include "record/row_builder.h"

/*
 * Sets the column bench to a name without its parts "key:value" after the first part, which
 * become factors. Parts that `settings` lists ("a:|b"; with a colon, by their key) are only
 * removed. Returns whether anything was removed.
 */
bool name_parts_set(struct row_builder *out, struct text name, const char *settings);

/* The settings of Google Benchmark. */
extern const char gbench_settings[];

#endif
