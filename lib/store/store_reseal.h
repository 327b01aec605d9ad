/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-store check --seal: seals a database of an older version, or a database that other
 * programs changed, in its current state.
 */
#ifndef STORE_STORE_RESEAL_H
#define STORE_STORE_RESEAL_H

#include "store/store.h"

/*
 * Computes all values that follow from the samples (the statistics that older versions did
 * not have, checksums, times and numbers of rows of runs) and seals the database. Call
 * store_check first: everything except damage is sealed in its current state. *sealed: the
 * number of runs whose seal changed. Returns 0, or -1 and the message.
 */
int store_reseal(struct store *s, uint64_t *sealed, struct fault *f);

#endif
