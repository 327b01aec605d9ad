/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names in a directory. */
#ifndef BASE_DIR_NAMES_H
#define BASE_DIR_NAMES_H

#include <stddef.h>

/*
 * Lists the names in a directory, without those that begin with a dot, sorted as versions
 * (strverscmp). Returns how many. When the directory cannot be read, names is NULL and
 * errno is set. Free with dir_names_free.
 */
size_t dir_names(const char *path, char ***names);
/* Lists names as dir_names() does, for a path relative to an open directory. */
size_t dir_names_at(int dir, const char *path, char ***names);
void dir_names_free(char **names, size_t count);

#endif
