/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learns the names of machines and users in a store, for exports and sites that replace
 * them.
 */
#ifndef STORE_STORE_NAMES_PRIV_H
#define STORE_STORE_NAMES_PRIV_H

#include "store/store_filter.h"
#include "store/store_priv.h"

/*
 * Learns the names in the series that a filter selects and in all facts. Call it before any
 * string is replaced. Fails if factors are damaged, because a name could be in them.
 * Returns 0, or -1 and the message.
 */
int store_learn_names(struct store *s, const struct store_filter *filter,
    struct anonymizer *names, struct fault *f);

#endif
