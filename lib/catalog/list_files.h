/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-list for functions and commands.
 */
#ifndef CATALOG_LIST_FILES_H
#define CATALOG_LIST_FILES_H

#include "discover/benchmarks.h"
#include "io/render.h"

/* Begins the table. */
struct render *list_files_open(const struct output *out);
/* Adds a function of the object with this path and build ID. */
void list_files_function(struct render *table, const char *path, const char *build_id,
    const struct benchmark *b);
/* Adds the command with this path. */
void list_files_command(struct render *table, const char *path);

#endif
