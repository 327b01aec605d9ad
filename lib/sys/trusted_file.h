/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a file is safe to run as code: whether nobody but root and the user who runs this
 * program could have put it where it is, or can change it.
 */
#ifndef SYS_TRUSTED_FILE_H
#define SYS_TRUSTED_FILE_H

#include "base/base.h"

/*
 * Resolves a path to a regular file, link by link, and checks each folder on the way, each
 * link and the file: they must belong to root or to the effective user, and nobody else may
 * write them. Exempt are folders of root that are sticky, such as /tmp, where others cannot
 * replace what is not theirs; and the group of a user's own name without other members may
 * write. As nobody else can change what was checked, the path that is returned (to be
 * freed) still leads there when it is opened. NULL and the reason when the file is refused
 * or not there.
 */
char *trusted_file_path(const char *path, struct fault *f);

#endif
