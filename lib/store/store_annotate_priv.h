/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions on annotations for other modules of the store.
 */
#ifndef STORE_STORE_ANNOTATE_PRIV_H
#define STORE_STORE_ANNOTATE_PRIV_H

#include "store/store_seal.h"

/*
 * Copies the annotations of another database, of runs that are in both databases and of
 * moments, within a transaction of seal->db. Skips equal annotations. Returns 0, or -1 and
 * the message.
 */
int store_copy_annotations(struct store_seal *seal, struct db *from, struct fault *f);

#endif
