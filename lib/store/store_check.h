/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-store check: finds damage and changes in a database.
 */
#ifndef STORE_STORE_CHECK_H
#define STORE_STORE_CHECK_H

#include "store/store.h"

struct store_checked {
	uint64_t runs, series, rows, findings;
	uint64_t damages;  /* findings that can never be sealed */
	uint64_t unsealed; /* runs without a seal in a database of an older version */
	bool sealed;       /* whether the database is sealed */
};

/*
 * Checks the file and its references with the engine's own checks, the rows and statistics
 * of each series, and the checksums and seals. Calls finding for each finding, with one
 * line without control characters. Returns 0, even if there are findings, or -1 if the
 * check failed.
 */
int store_check(struct store *s, struct store_checked *checked,
    void (*finding)(void *ctx, const char *text), void *ctx, struct fault *f);

#endif
