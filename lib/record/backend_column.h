/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns that describe a backend. Backends that run the same kernel or model differ
 * in them. Pure.
 */
#ifndef RECORD_BACKEND_COLUMN_H
#define RECORD_BACKEND_COLUMN_H

#include <stdbool.h>

/* Returns whether a column with this name describes a backend. */
bool backend_column(const char *name);

#endif
