/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports of bench-store on standard error. Each function appends lines that end in a
 * newline.
 */
#ifndef STORE_STORE_REPORT_H
#define STORE_STORE_REPORT_H

#include "store/store_check.h"
#include "store/store_prune.h"
#include "store/store_spool.h"

/* Reports an addition. rows: whether the input had rows, not only facts. */
void store_report_added(struct buf *out, const struct store_added *a, bool rows);
/* Reports extra columns, which are not stored; appends nothing if there are none. */
void store_report_skipped(struct buf *out, const struct intern *names);
/* Reports incomplete runs; appends nothing if there are none. */
void store_report_incomplete(struct buf *out, const struct store_added *a);
/* Reports runs that begin more than an hour after a time, which is now, in ns since 1970;
 * appends nothing if there are none. */
void store_report_future(struct buf *out, const struct ingest *in, int64_t now);
/* Reports spooled files that were added or skipped; appends nothing if there are none. */
void store_report_spooled(struct buf *out, const struct store_spooled *s);
/* Reports the number of runs that were tagged or, if away, untagged. */
void store_report_tagged(struct buf *out, uint64_t runs, bool away);
/* Reports the number of annotated runs or moments. */
void store_report_annotated(struct buf *out, uint64_t count, bool moment);
/* Reports the runs that were removed or, if dry, would be. */
void store_report_pruned(struct buf *out, const struct store_pruned *p, bool dry);
/* Reports a check. waiting, refused: the counts of store_count_spool. */
void store_report_checked(
    struct buf *out, const struct store_checked *c, uint64_t waiting, uint64_t refused);
/* Reports the number of runs that check --seal sealed. */
void store_report_sealed(struct buf *out, uint64_t runs);
/* Reports why check --seal sealed nothing. */
void store_report_unsealed(struct buf *out, const struct store_checked *c);
/* Reports refused spooled files; appends nothing if there are none. */
void store_report_refused(struct buf *out, uint64_t refused);

#endif
