/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports on standard error; see store_report.h.
 */
#include <inttypes.h>

#include "store/store_report.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/stamp.h"

void store_report_added(struct buf *out, const struct store_added *a, bool rows)
{
	if (rows)
		buf_printf(out,
		    "added %" PRIu64 " row%s in %" PRIu64 " run%s, %" PRIu64
		    " already in the database\n",
		    a->rows, plural_s(a->rows), a->runs, plural_s(a->runs), a->known);
	if (!rows || a->facts + a->facts_known + a->facts_changed)
		buf_printf(out,
		    "added %" PRIu64 " fact%s, changed %" PRIu64 ", %" PRIu64
		    " already in the database\n",
		    a->facts, plural_s(a->facts), a->facts_changed, a->facts_known);
}

void store_report_skipped(struct buf *out, const struct intern *names)
{
	enum { SHOWN = 4 };

	for (size_t i = 0; i < names->count && i < SHOWN; i++) {
		buf_str(out, i ? ", " : "not stored: ");
		display_text_clean(out, intern_text(names, i));
	}
	if (names->count > SHOWN)
		buf_printf(out, " and %zu more", names->count - SHOWN);
	if (names->count)
		buf_str(out, "; a database has no columns whose names begin with x_, but "
		             "bench-convert keeps them in CSV\n");
}

void store_report_incomplete(struct buf *out, const struct store_added *a)
{
	if (!a->incomplete)
		return;
	if (a->incomplete > 1)
		buf_printf(out, "%" PRIu64 " runs are incomplete; run %s", a->incomplete,
		    a->first.run);
	else
		buf_printf(out, "run %s is incomplete: it", a->first.run);
	buf_printf(out, " has %" PRId64 " of %" PRId64 " rows\n", a->first.rows,
	    a->first.expected);
}

void store_report_future(struct buf *out, const struct ingest *in, int64_t now)
{
	const int64_t hour = INT64_C(3600) * 1000 * 1000 * 1000;
	const struct ingest_run *first = NULL;
	struct buf name = { 0 };
	char time[STAMP_MAX];
	size_t count = 0;

	for (size_t i = 0; i < in->runs; i++)
		if (in->run[i].has_time && in->run[i].time > now + hour) {
			first = first ? first : &in->run[i];
			count++;
		}
	if (!first)
		return;
	display_text_clean(&name, text_of(first->name));
	stamp_print(time, first->time, 0);
	if (count > 1)
		buf_printf(out, "%zu runs begin in the future; the first is run %s, at %s",
		    count, name.ptr, time);
	else
		buf_printf(out, "run %s begins in the future, at %s", name.ptr, time);
	buf_str(out, ": check the clocks of its host and of this machine; "
	             "bench-store sorts runs by time\n");
	buf_free(&name);
}

void store_report_spooled(struct buf *out, const struct store_spooled *s)
{
	if (s->files)
		buf_printf(out, "added %" PRIu64 " spooled file%s with %" PRIu64 " row%s\n",
		    s->files, plural_s(s->files), s->added.rows, plural_s(s->added.rows));
	buf_text(out, text_in(&s->notes));
	if (s->passed > STORE_PASSED_SHOWN)
		buf_printf(
		    out, "%" PRIu64 " more skipped\n", s->passed - STORE_PASSED_SHOWN);
}

void store_report_tagged(struct buf *out, uint64_t runs, bool away)
{
	buf_printf(out, "%s %" PRIu64 " run%s\n", away ? "untagged" : "tagged", runs,
	    plural_s(runs));
}

void store_report_annotated(struct buf *out, uint64_t count, bool moment)
{
	buf_printf(out, "annotated %" PRIu64 " %s%s\n", count, moment ? "moment" : "run",
	    plural_s(count));
}

void store_report_pruned(struct buf *out, const struct store_pruned *p, bool dry)
{
	if (dry && !p->runs) {
		buf_str(out, "no run is selected; nothing would be removed\n");
		return;
	}
	buf_printf(out, "%s %" PRIu64 " run%s with %" PRIu64 " row%s\n",
	    dry ? "would remove" : "removed", p->runs, plural_s(p->runs), p->rows,
	    plural_s(p->rows));
}

void store_report_checked(
    struct buf *out, const struct store_checked *c, uint64_t waiting, uint64_t refused)
{
	uint64_t findings = c->findings + !!refused;

	buf_printf(out,
	    "checked %" PRIu64 " row%s in %" PRIu64 " run%s: %" PRIu64 " finding%s\n",
	    c->rows, plural_s(c->rows), c->runs, plural_s(c->runs), findings,
	    plural_s(findings));
	if (c->unsealed)
		buf_printf(out,
		    "%" PRIu64
		    " run%s without a seal, added by an older version (use check --seal to "
		    "add seals)\n",
		    c->unsealed, plural_s(c->unsealed));
	else if (!c->sealed)
		buf_str(out, "not sealed: created by an older version (use check --seal to "
		             "seal it)\n");
	if (waiting)
		buf_printf(out,
		    "%" PRIu64 " spooled file%s; your next bench-store add adds the rows\n",
		    waiting, plural_s(waiting));
}

void store_report_sealed(struct buf *out, uint64_t runs)
{
	buf_printf(out, "sealed %" PRIu64 " run%s\n", runs, plural_s(runs));
}

void store_report_unsealed(struct buf *out, const struct store_checked *c)
{
	buf_str(out, c->damages
	                 ? "not sealed: --seal does not repair damage\n"
	                 : "not sealed: use --force to seal the changes that were found\n");
}

void store_report_refused(struct buf *out, uint64_t refused)
{
	if (refused)
		buf_printf(out, "%" PRIu64 " spooled file%s could not be added\n", refused,
		    plural_s(refused));
}
