/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sealing a database as it is: one of an older version, or one that was changed by other
 * means than bench-store.
 */
#ifndef STORE_STORE_RESEAL_H
#define STORE_STORE_RESEAL_H

#include "store/store.h"

/*
 * Computes what follows from the samples (the statistics that older versions did not have,
 * checksums, times and numbers of rows of runs) and seals all. What store_check finds
 * should be known before, since all but damage is sealed as it is. *sealed: how many runs
 * got another seal. 0 or -1.
 */
int store_reseal(struct store *s, uint64_t *sealed, struct fault *f);

#endif
