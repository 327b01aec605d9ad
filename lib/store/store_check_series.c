/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of a series: all its rows exist, and its summary matches them.
 */
#include <inttypes.h>
#include <math.h>

#include "store/store_check_priv.h"

/* Compilers and mathematical libraries of other machines may round differently. */
static const double near_relative = 1e-9, near_to_scale = 1e-12;

static bool near(double a, double b, double scale)
{
	double most = fmax(fabs(a), fabs(b));

	return a == b || fabs(a - b) <= near_relative * most ||
	       fabs(a - b) <= near_to_scale * scale;
}

/*
 * Returns the magnitude of the values, to which rounding errors of statistics are
 * relative.
 */
static double scale_of(const double value[STORE_STATISTICS])
{
	double scale = 0;

	for (size_t i = 0; i < STORE_STATISTICS; i++)
		if (!store_statistics[i].is_count && isfinite(value[i]))
			scale = fmax(scale, fabs(value[i]));
	return scale;
}

/* Returns whether a column may be NULL because the older version that added the run lacks
 * it. */
static bool is_missing_yet(const struct store_checking *c, int column)
{
	static const char first_new[] = "n_censored";

	if (c->run_sealed ||
	    query_type(c->series.series, SERIES_STATISTICS + column) != QUERY_NULL)
		return false;
	for (int i = 0; i <= column; i++)
		if (strcmp(store_statistics[i].name, first_new) == 0)
			return true;
	return false;
}

static bool is_kept(const struct store_checking *c, int column, double value, double scale)
{
	struct query *q = c->series.series;
	int at = SERIES_STATISTICS + column;

	if (is_missing_yet(c, column))
		return true;
	if (isnan(value))
		return query_type(q, at) == QUERY_NULL;
	if (store_statistics[column].is_count)
		return query_type(q, at) == QUERY_INTEGER &&
		       query_integer(q, at) == (int64_t)value;
	return query_type(q, at) == QUERY_NUMBER && near(query_number(q, at), value, scale);
}

static void check_summary(struct store_checking *c)
{
	double value[STORE_STATISTICS], scale;
	size_t before = 0;

	store_summary_finish(&c->counted, value);
	scale = scale_of(value);
	for (int i = 0; i < STORE_STATISTICS; i++) {
		if (is_kept(c, i, value[i], scale))
			continue;
		if (!before++) {
			store_check_begin(c, true);
			buf_str(&c->text, "does not follow from its samples: ");
		}
		buf_printf(
		    &c->text, "%s%s", before > 1 ? ", " : "", store_statistics[i].name);
	}
	if (before)
		store_check_report(c, STORE_CHECK_CHANGE);
}

static void note_time(struct store_checking *c, const struct pack_row *row)
{
	int64_t ns = row->time;
	int digits;

	if (row->time_form == PACK_TIME_NONE ||
	    (row->time_form == PACK_TIME_TEXT &&
	        !stamp_parse(
	            intern_text(&c->series.texts, (size_t)row->time), &ns, &digits)))
		return;
	if (!c->has_time || ns < c->time)
		c->time = ns;
	c->has_time = true;
}

void store_check_sum(struct store_checking *c)
{
	struct store_series *s = &c->series;
	struct checksum common = checksum_series(s->cell, s->factors, &c->hashed);
	struct checksum hash = store_seal_hash(&c->row, SEAL_CHUNK, s->chunks.query, 0);

	checksum_add(&c->seal, &hash);
	for (size_t i = 0; i < s->rows.count; i++) {
		char time[STAMP_MAX];

		checksum_row(&c->rows, &common, &s->rows.row[i],
		    pack_time_text(&s->rows.row[i], &s->texts, time),
		    intern_text(&s->texts, s->rows.row[i].status));
		note_time(c, &s->rows.row[i]);
	}
}

static void check_chunk(struct store_checking *c, int64_t number)
{
	struct store_series *s = &c->series;

	store_check_sum(c);
	if (s->chunk != number || s->chunk_rows != (int64_t)s->rows.count) {
		store_check_begin(c, true);
		buf_printf(&c->text,
		    "chunk %" PRId64 " with %zu rows of %" PRId64
		    " found instead of chunk %" PRId64,
		    s->chunk, s->rows.count, s->chunk_rows, number);
		store_check_report(c, STORE_CHECK_DAMAGE);
	}
	store_summary_count(&c->counted, &s->texts, s->rows.row, s->rows.count);
}

/* Reads the chunks. Returns 1 if all could be read, 0 if not, or -1. */
static int check_chunks(struct store_checking *c, struct fault *f)
{
	int64_t chunks = 0;
	bool damaged;
	int got;

	if (store_summary_begin(&c->counted, c->series.cell[COL_METRIC], f) < 0)
		return -1;
	while ((got = store_series_rows(&c->series, &damaged, f)) > 0)
		check_chunk(c, chunks++);
	if (!damaged)
		return got < 0 ? -1 : 1;
	store_check_begin(c, true);
	buf_str(&c->text, f->text);
	store_check_report(c, STORE_CHECK_DAMAGE);
	return 0;
}

int store_check_series(struct store_checking *c, struct query *run, struct fault *f)
{
	struct store_series *s = &c->series;
	struct checksum hash = store_seal_hash(&c->row, SEAL_SERIES, s->series, 0);
	int64_t rows;
	int whole;

	checksum_add(&c->seal, &hash);
	c->origin =
	    c->origin || (text_equal(s->cell[COL_HOST], query_text(run, RUN_HOST)) &&
	                     text_equal(s->cell[COL_ENV], query_text(run, RUN_ENV)) &&
	                     text_equal(s->cell[COL_COMMIT], query_text(run, RUN_COMMIT)));
	whole = check_chunks(c, f);
	rows = (int64_t)c->counted.rows;
	c->checked->series++;
	c->checked->rows += c->counted.rows;
	c->row_count += rows;
	if (whole > 0 && rows != s->row_count) {
		store_check_begin(c, true);
		buf_printf(
		    &c->text, "has %" PRId64 " of %" PRId64 " rows", rows, s->row_count);
		store_check_report(c, STORE_CHECK_DAMAGE);
		whole = 0;
	}
	if (whole > 0)
		check_summary(c);
	c->whole = c->whole && whole > 0;
	return whole < 0 ? -1 : 0;
}
