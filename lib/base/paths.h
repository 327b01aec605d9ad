/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths of installed files and of files of the user. Files that are read at run time are in
 * ../share/benchutils, relative to the running program, so that an installed tree and
 * build/ both work. $BENCH_SHARE names another directory.
 */
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

#include "base/base.h"

/* Returns the path of a file in share; allocated. */
char *share_path(const char *name);
/* Reads a file in share. Returns 0 or -1. */
int share_read(const char *name, struct buf *out, struct fault *f);
/* Returns the path of a shared object in ../lib/benchutils; allocated. */
char *lib_path(const char *name);
/* Returns the path of a program in the directory of this one; allocated. */
char *bin_path(const char *name);
/* Returns the path of a program in ../libexec/benchutils; allocated. */
char *libexec_path(const char *name);
/*
 * Returns the path of a file of the user: in the directory that an environment variable of
 * the XDG Base Directory Specification names, or else in this directory of $HOME;
 * allocated. As the specification demands, a relative path is ignored. NULL: there is no
 * directory.
 */
char *user_path(const char *variable, const char *in_home, const char *name);

#endif
