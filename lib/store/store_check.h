/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking for damage in a database.
 */
#ifndef STORE_STORE_CHECK_H
#define STORE_STORE_CHECK_H

#include "store/store.h"

struct store_checked {
	uint64_t runs, series, rows, findings;
	uint64_t unsummed; /* runs that have no checksum, from version 1 of the schema */
};

/*
 * Check the file and its references by the engine's own means, that each series has all its
 * rows, and that the rows of each run sum up to its checksum. Each thing found is told in
 * one line, clean for a terminal. 0, whatever was found, or -1 when it could not be looked
 * for.
 */
int store_check(struct store *s, struct store_checked *checked,
    void (*finding)(void *ctx, const char *text), void *ctx, struct fault *f);

#endif
