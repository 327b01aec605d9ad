/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shows long output on a terminal in a pager, as git does.
 */
#ifndef IO_PAGER_H
#define IO_PAGER_H

#include "base/base.h"

/*
 * Shows text in the pager, and waits until the user ends it. The pager is BENCH_PAGER,
 * else PAGER, both commands of the shell, else less, in which long lines scroll sideways if
 * the text is wide. Returns false, and has shown nothing,
 * if fd is not a terminal, the text fits on its screen, the pager is empty, "cat" or not
 * installed, or TERM is "dumb".
 */
bool pager_show(int fd, struct text text, bool wide);

#endif
