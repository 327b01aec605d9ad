/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file system below SQLite that fails at a chosen change of a file.
 */
#ifndef TESTS_STORE_POWER_CUT_VFS_H
#define TESTS_STORE_POWER_CUT_VFS_H

#include <stdint.h>

/* The power fails at a change; only one change fails; it and all later changes fail. */
enum cut_kind { CUT_POWER, CUT_FULL_ONCE, CUT_FULL_FROM_THEN_ON, CUT_KINDS };

/* Registers the file system as SQLite's default. */
void cut_install(void);
/* Makes changes fail from now on, as kind says, at change number at, from 1. */
void cut_begin(enum cut_kind kind, long at, uint64_t seed);
/*
 * Ends the failures. The disk then keeps none (seed 0), all (1) or some of what was
 * written since the last sync of a file, perhaps with a part of the last write.
 */
void cut_end(int seed);
/* Returns the number of changes since cut_begin. */
long cut_changes(void);

#endif
