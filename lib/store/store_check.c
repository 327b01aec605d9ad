/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether all is there and as it was added. The engine's own check comes first; then each
 * run is read from its first row to its last, and summed.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "store/store_check.h"
#include "store/store_series.h"
#include "sys/kernel_files.h"
#include "text/display_text.h"

struct store_checking {
	struct store *store;
	struct store_checked *checked;
	void (*finding)(void *ctx, const char *text);
	void *ctx;
	struct buf text; /* of the finding under way */
	struct store_series series;
};

static void report_finding(struct store_checking *c)
{
	c->checked->findings++;
	c->finding(c->ctx, c->text.ptr);
	c->text.len = 0;
}

/* The engine's own check, of its structures and of references. */
static int check_engine(struct store_checking *c, struct fault *f)
{
	struct db *db = c->store->db;
	bool guarded = db_guard(db, false);
	struct query *q = db_query(db, db_word(db, DB_CHECK), f);
	int got = q ? 1 : -1;

	while (got > 0 && (got = query_next(q, f)) > 0) {
		for (struct text lines = query_text(q, 0); lines.len;) {
			struct text line = text_next_line(&lines);

			if (!line.len || line.ptr[0] == '*') /* a title */
				continue;
			display_text_clean(&c->text, line);
			report_finding(c);
		}
	}
	query_close(q);
	db_guard(db, guarded);
	return got;
}

static void begin_text(struct store_checking *c, struct text run, bool series)
{
	c->text.len = 0;
	buf_str(&c->text, "run ");
	display_text_clean(&c->text, run);
	if (series) {
		buf_str(&c->text, ", ");
		store_series_name(&c->series, &c->text);
	}
	buf_str(&c->text, ": ");
}

/* Read the chunks of a series; true when they are sound. */
static int check_series(struct store_checking *c, struct text run, struct checksum *sum,
    bool *sound, struct fault *f)
{
	struct store_series *s = &c->series;
	struct checksum common = checksum_series(s->cell, s->factors);
	int64_t rows = 0, chunks = 0;
	bool damaged;
	int got;

	while ((got = store_series_rows(s, &damaged, f)) > 0) {
		char time[STAMP_MAX];

		if (s->chunk != chunks++ || s->chunk_rows != (int64_t)s->rows.count) {
			begin_text(c, run, true);
			buf_printf(&c->text,
			    "chunk %" PRId64 " with %zu rows of %" PRId64
			    " stands where chunk %" PRId64 " should",
			    s->chunk, s->rows.count, s->chunk_rows, chunks - 1);
			report_finding(c);
		}
		for (size_t i = 0; i < s->rows.count; i++)
			checksum_row(sum, &common, &s->rows.row[i],
			    pack_time_text(&s->rows.row[i], &s->texts, time),
			    intern_text(&s->texts, s->rows.row[i].status));
		rows += (int64_t)s->rows.count;
	}
	c->checked->rows += (uint64_t)rows;
	*sound = got == 0;
	if (damaged) {
		begin_text(c, run, true);
		buf_str(&c->text, f->text);
		report_finding(c);
		return 0;
	}
	if (got == 0 && (rows != s->row_count || s->n < 0 || s->failed < 0 ||
	                    s->n + s->failed > s->row_count)) {
		begin_text(c, run, true);
		buf_printf(&c->text,
		    "%" PRId64 " rows are there, of %" PRId64 " (%" PRId64
		    " counted, %" PRId64 " failed)",
		    rows, s->row_count, s->n, s->failed);
		report_finding(c);
		*sound = false;
	}
	return got;
}

static int check_run(struct store_checking *c, struct query *q, struct fault *f)
{
	struct text run = query_text(q, 1);
	struct checksum sum = { 0 }, kept;
	bool sound = true, all = true;
	int got;

	store_series_begin(&c->series, query_integer(q, 0));
	while ((got = store_series_next(&c->series, f)) > 0) {
		if (check_series(c, run, &sum, &sound, f) < 0)
			return -1;
		all = all && sound;
		c->checked->series++;
	}
	if (got < 0)
		return -1;
	c->checked->runs++;
	if (query_type(q, 2) == QUERY_NULL) {
		c->checked->unsummed++;
		return 0;
	}
	if (!checksum_parse(query_text(q, 2), &kept) ||
	    (all && memcmp(&kept, &sum, sizeof(sum)) != 0)) {
		begin_text(c, run, false);
		buf_str(&c->text,
		    "the checksum is not that of its rows: some were changed or are "
		    "lost");
		report_finding(c);
	}
	return 0;
}

static int check_runs(struct store_checking *c, struct fault *f)
{
	struct query *q = db_query(c->store->db,
	    "SELECT run_id, run, checksum FROM benchmark_runs ORDER BY run_id", f);
	int got = q ? store_series_open(&c->series, c->store, f) : -1;

	if (q)
		query_many(q);
	if (got == 0)
		while ((got = query_next(q, f)) > 0)
			if (check_run(c, q, f) < 0) {
				got = -1;
				break;
			}
	store_series_close(&c->series);
	query_close(q);
	return got;
}

int store_check(struct store *s, struct store_checked *checked,
    void (*finding)(void *ctx, const char *text), void *ctx, struct fault *f)
{
	struct store_checking c = { s, checked, finding, ctx, { 0 }, { 0 } };
	int status = db_begin_reading(s->db, f);

	*checked = (struct store_checked){ 0 };
	if (status < 0)
		return -1;
	status = check_engine(&c, f);
	if (status == 0)
		status = check_runs(&c, f);
	/* Where the engine found damage, that it cannot read on is no other trouble. */
	if (status < 0 && checked->findings)
		status = 0;
	db_rollback(s->db);
	buf_free(&c.text);
	return status;
}
