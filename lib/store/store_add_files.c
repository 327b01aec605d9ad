/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adding streams; see store_add_files.h.
 */
#include "base/clock.h"
#include "record/bench_csv.h"
#include "store/store_add_files.h"
#include "store/store_priv.h"
#include "store/store_report.h"

/* Returns whether the input had headers only. */
static bool ingest_is_empty(const struct ingest *in)
{
	return !in->rows && !in->runs && !in->facts.newests && !in->facts.sets;
}

/* Adds the ingested rows and facts, or spools them. 0 or -1. */
static int add_ingested(struct store *s, struct ingest *in, bool rows, struct buf *report,
    struct buf *warnings, struct fault *f)
{
	struct store_added added;
	struct store_spooled spooled;
	int status;

	ingest_finish(in);
	if (ingest_is_empty(in) && !db_exists(s->name)) { /* makes no database of nothing */
		store_report_added(report, &(struct store_added){ 0 }, rows);
		return 0;
	}
	if (store_add(s, in, &added, f) < 0)
		return store_spool_rows(s, in, report, warnings, f);
	store_report_added(report, &added, rows);
	store_report_incomplete(warnings, &added);
	if (added.rows)
		store_report_future(warnings, in, clock_realtime_ns());
	status = store_take_spool(s, &spooled, f);
	store_report_spooled(report, &spooled);
	store_report_incomplete(warnings, &spooled.added);
	store_spooled_free(&spooled);
	return status;
}

int store_add_files(struct store *s, const struct store_add_opts *opts, struct buf *report,
    struct buf *warnings, struct fault *f)
{
	static const struct bench_csv_sink sink = { .row = ingest_add_row,
		.end_mark = ingest_add_end_mark,
		.fact = ingest_add_fact };
	struct ingest *in = ingest_open();
	struct bench_csv *stream = bench_csv_open(&sink, in);
	int status = bench_csv_melt(stream, opts->melt->item, opts->melt->count, f);

	if (status == 0)
		status = bench_csv_read_all(stream, opts->path, opts->count, f);
	if (status == 0 && !bench_csv_has_rows(stream) && !bench_csv_has_facts(stream))
		status = fault_set(f, "no table of measurements or facts in the input");
	if (status == 0 && ingest_is_empty(in))
		buf_str(report, "the input has a header, but no rows\n");
	if (status == 0)
		status =
		    add_ingested(s, in, bench_csv_has_rows(stream), report, warnings, f);
	if (status == 0)
		store_report_skipped(report, bench_csv_skipped(stream));
	ingest_close(in);
	bench_csv_close(stream);
	return status;
}
