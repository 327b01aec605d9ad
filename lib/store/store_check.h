/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking for damage in a database.
 */
#ifndef STORE_STORE_CHECK_H
#define STORE_STORE_CHECK_H

#include "store/store.h"

struct store_checked {
	uint64_t runs, series, rows, findings;
	uint64_t damages;  /* findings that cannot be sealed, whoever asks for it */
	uint64_t unsealed; /* runs without a seal in a database of an older version */
	bool sealed;       /* the database is */
};

/*
 * Checks the file and its references by the engine's own means; that each series has all
 * its rows, and the statistics that follow from them; and the checksums and seals. Reports
 * each finding in one line, clean for a terminal. 0, whatever was found, or -1 when it
 * could not be looked for.
 */
int store_check(struct store *s, struct store_checked *checked,
    void (*finding)(void *ctx, const char *text), void *ctx, struct fault *f);

#endif
