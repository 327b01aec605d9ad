/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks a database. The engine's own check runs first. Then each run is read completely,
 * summarized and summed. The tables that do not belong to runs are last.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "store/store_check_priv.h"
#include "sys/kernel_files.h"
#include "text/display_text.h"

static void report_run(struct store_checking *c, const char *what)
{
	store_check_begin(c, false);
	buf_str(&c->text, what);
	store_check_report(c, STORE_CHECK_CHANGE);
}

/* Runs the engine's own checks of its structures, references and definitions. */
static int check_engine(struct store_checking *c, enum db_word word,
    enum store_check_gravity gravity, struct fault *f)
{
	struct db *db = c->store->db;
	bool guarded = db_guard(db, false);
	struct query *q = *db_word(db, word) ? db_query(db, db_word(db, word), f) : NULL;
	int got = q ? 1 : *db_word(db, word) ? -1 : 0;

	while (got > 0 && (got = query_next(q, f)) > 0) {
		for (struct text lines = query_text(q, 0); lines.len;) {
			struct text line = text_next_line(&lines);

			if (!line.len || line.ptr[0] == '*') /* a heading */
				continue;
			display_text_clean(&c->text, line);
			store_check_report(c, gravity);
		}
	}
	query_close(q);
	db_guard(db, guarded);
	return got;
}

static void begin_run(struct store_checking *c, struct query *q)
{
	struct checksum kept;

	c->run = query_text(q, RUN_NAME);
	c->rows = (struct checksum){ 0 };
	c->seal = store_seal_hash(&c->row, SEAL_RUN, q, 0);
	c->run_sealed = checksum_parse(query_text(q, RUN_SEAL), &kept);
	c->whole = true;
	c->has_time = c->origin = false;
	c->row_count = 0;
}

static bool is_hex(struct query *q, int column, const struct checksum *sum)
{
	char hex[CHECKSUM_HEX + 1];

	checksum_print(hex, sum);
	return query_type(q, column) == QUERY_TEXT && text_is(query_text(q, column), hex);
}

/*
 * Checks the checksum and seal of a run. A run of an older version may lack both, and its
 * number of rows.
 */
static void check_sums(struct store_checking *c, struct query *q)
{
	bool older = !c->sealed && query_type(q, RUN_SEAL) == QUERY_NULL;

	if (query_type(q, RUN_CHECKSUM) == QUERY_NULL) {
		if (!older)
			report_run(c, "has no checksum");
	} else if (c->whole && !is_hex(q, RUN_CHECKSUM, &c->rows)) {
		report_run(c,
		    "the checksum does not match its rows: some rows were changed or lost");
	}
	if (older)
		c->checked->unsealed++;
	else if (query_type(q, RUN_SEAL) == QUERY_NULL)
		report_run(c, "has no seal");
	else if (!is_hex(q, RUN_SEAL, &c->seal))
		report_run(c, "does not match its seal: another program changed it");
}

/* Checks the columns of a run that follow from its rows. */
static void check_derived(struct store_checking *c, struct query *q)
{
	char time[STAMP_MAX];
	size_t len = c->has_time ? stamp_print(time, c->time, 9) : 0;

	if (!c->whole)
		return;
	if (!text_equal(query_text(q, RUN_TIME), (struct text){ time, len }))
		report_run(c, "its time differs from the time of its first sample");
	if (query_integer(q, RUN_ROW_COUNT) != c->row_count)
		report_run(c, "its number of rows differs from the sum over its series");
	if (!c->origin) {
		store_check_begin(c, false);
		buf_str(&c->text, "none of its series has its host, env and commit");
		store_check_report(c, STORE_CHECK_DAMAGE);
	}
}

static int check_run(struct store_checking *c, struct query *q, struct fault *f)
{
	struct checksum kept;
	int got;

	begin_run(c, q);
	store_series_begin(&c->series, query_integer(q, RUN_ID));
	while ((got = store_series_next(&c->series, f)) > 0)
		if (store_check_series(c, q, f) < 0)
			return -1;
	if (got < 0 || store_check_facts(c, query_integer(q, RUN_ID), f) < 0)
		return -1;
	c->checked->runs++;
	check_sums(c, q);
	check_derived(c, q);
	if (checksum_parse(query_text(q, RUN_SEAL), &kept))
		checksum_add(&c->part[STORE_SEAL_RUNS], &kept);
	return 0;
}

static int check_runs(struct store_checking *c, struct fault *f)
{
	struct query *q = db_query(c->store->db,
	    "SELECT " SEAL_RUN_COLUMNS ", seal FROM benchmark_runs ORDER BY run_id", f);
	int got = q ? store_series_open(&c->series, c->store, f) : -1;

	if (q)
		query_many(q);
	if (got == 0)
		while ((got = query_next(q, f)) > 0)
			if (check_run(c, q, f) < 0) {
				got = -1;
				break;
			}
	query_close(q);
	return got;
}

void store_check_close(struct store_checking *c)
{
	for (size_t i = 0; i < COUNT(c->facts); i++)
		query_close(c->facts[i]);
	store_series_close(&c->series);
	store_summary_free(&c->counted);
	seal_row_free(&c->row);
	buf_free(&c->hashed);
	buf_free(&c->text);
}

int store_check(struct store *s, struct store_checked *checked,
    void (*finding)(void *ctx, const char *text), void *ctx, struct fault *f)
{
	struct store_checking c = {
		.store = s, .checked = checked, .finding = finding, .ctx = ctx
	};
	int status = db_begin_reading(s->db, f);

	*checked = (struct store_checked){ 0 };
	if (status < 0)
		return -1;
	status = check_engine(&c, DB_CHECK, STORE_CHECK_DAMAGE, f);
	if (status == 0)
		status = check_engine(&c, DB_DEFINITIONS, STORE_CHECK_CHANGE, f);
	if (status == 0)
		status = store_check_state(&c, f);
	if (status == 0)
		status = check_runs(&c, f);
	if (status == 0)
		status = store_check_parts(&c, f);
	/*
	 * A read error after the engine's check found damage is a consequence of the
	 * damage.
	 */
	if (status < 0 && checked->findings)
		status = 0;
	store_check_close(&c);
	db_rollback(s->db);
	return status;
}
