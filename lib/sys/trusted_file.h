/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks whether a file is safe to run as code: only root and the user who runs this
 * program can have created it, and can change it.
 */
#ifndef SYS_TRUSTED_FILE_H
#define SYS_TRUSTED_FILE_H

#include "base/base.h"

/*
 * Resolves a path to a regular file, link by link, and checks each directory on the way,
 * each link and the file: they must belong to root or to the effective user, and nobody
 * else may write to them. There are two exceptions: sticky directories of root, such as
 * /tmp, where users cannot replace each other's files; and write permission for a group
 * that has the user's name and no other members. Nobody else can change the checked path,
 * so the returned path, which the caller frees, still leads to the file when it is opened.
 * Returns NULL and the reason if the file is refused or absent.
 */
char *trusted_file_path(const char *path, struct fault *f);

#endif
