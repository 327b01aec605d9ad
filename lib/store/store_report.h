/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bench-store reports to people about what it has done. Each function appends lines
 * that end in a newline.
 */
#ifndef STORE_STORE_REPORT_H
#define STORE_STORE_REPORT_H

#include "store/store_check.h"
#include "store/store_prune.h"
#include "store/store_spool.h"

/* rows: whether the input had rows, not only facts. */
void store_report_added(struct buf *out, const struct store_added *a, bool rows);
/* Appends nothing if no run is incomplete. */
void store_report_incomplete(struct buf *out, const struct store_added *a);
/* Appends nothing if no spooled file was added or skipped. */
void store_report_spooled(struct buf *out, const struct store_spooled *s);
void store_report_tagged(struct buf *out, uint64_t runs, bool away);
void store_report_annotated(struct buf *out, uint64_t count, bool moment);
void store_report_pruned(struct buf *out, const struct store_pruned *p, bool dry);
/* waiting, refused: numbers of spooled files, of store_count_spool. */
void store_report_checked(
    struct buf *out, const struct store_checked *c, uint64_t waiting, uint64_t refused);
/* Report the result of check --seal, or why nothing was sealed. */
void store_report_sealed(struct buf *out, uint64_t runs);
void store_report_unsealed(struct buf *out, const struct store_checked *c);
/* Appends nothing if no spooled file was refused. */
void store_report_refused(struct buf *out, uint64_t refused);

#endif
