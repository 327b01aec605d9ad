/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a file is safe to run as code: whether only root and the user who runs this
 * program could have created it, and can change it.
 */
#ifndef SYS_TRUSTED_FILE_H
#define SYS_TRUSTED_FILE_H

#include "base/base.h"

/*
 * Resolves a path to a regular file, link by link, and checks each folder on the way, each
 * link and the file: they must belong to root or to the effective user, and nobody else may
 * write to them. Exceptions: sticky folders of root, such as /tmp, where users cannot
 * replace each other's files; and write permission for a group with the user's name and
 * without other members. As nobody else can change the checked path, the returned path (to
 * be freed) still leads there when it is opened. NULL and the reason when the file is
 * refused or not there.
 */
char *trusted_file_path(const char *path, struct fault *f);

#endif
