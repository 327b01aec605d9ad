/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commit of the working directory, as git sees it. A repository may come from somebody
 * else, such as in an archive: no program that its own configuration names is executed.
 */
#ifndef RECORD_GIT_COMMIT_H
#define RECORD_GIT_COMMIT_H

#include "base/base.h"

/*
 * Returns the commit checked out in the working directory, with "-dirty" when files differ
 * from it; empty outside git. Allocated. git is not called where no .git is above. If git
 * does not answer in time, the commit is empty and notes gets a line.
 *
 * Filters (gitattributes(5)) that only the repository's own configuration defines are not
 * run: files that they would change count as changed.
 */
char *git_commit(struct buf *notes);

#endif
