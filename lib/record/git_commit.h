/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commit of the working directory, according to git. A repository may come from
 * someone else, such as in an archive, so programs that its configuration names are not
 * executed.
 */
#ifndef RECORD_GIT_COMMIT_H
#define RECORD_GIT_COMMIT_H

#include "base/base.h"

/*
 * Returns the commit that is checked out in the working directory, allocated, with "-dirty"
 * if files differ from it. Outside of a repository the text is empty, and git is not called
 * if neither the directory nor one above it has .git. If git does not answer in time, the
 * text is empty and notes gets a line.
 *
 * Filters (gitattributes(5)) that are defined only in the repository's configuration are
 * not run, and files that they would change count as changed.
 */
char *git_commit(struct buf *notes);

#endif
