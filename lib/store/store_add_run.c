/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds or creates the runs that rows are added to. If the engine has row locks, a run is
 * locked until the transaction ends, so writers of different runs do not wait for each
 * other. A run that this transaction created has only the series that this transaction
 * adds, so no series of it must be searched for.
 */
#include <inttypes.h>

#include "store/store_add_priv.h"
#include "text/display_text.h"

/* Reads the run with a name, if the database has one. */
static int find_kept_run(
    struct store_addition *a, struct store_run_target *target, struct fault *f)
{
	struct query *q = a->query[STORE_ADD_FIND_RUN];
	int got = query_next(q, f);

	if (got > 0) {
		target->id = query_integer(q, RUN_ID);
		target->summed = checksum_parse(query_text(q, RUN_CHECKSUM), &target->sum);
		target->rows = query_integer(q, RUN_ROW_COUNT);
		store_seal_note_run(&a->seal, &target->seal, q);
		target->expected = query_type(q, RUN_EXPECTED_ROWS) == QUERY_NULL
		                       ? ROW_NONE
		                       : query_integer(q, RUN_EXPECTED_ROWS);
	}
	query_rewind(q);
	return got < 0 ? -1 : 0;
}

/*
 * Creates the run. Returns 0 with target->id set, 0 with target->id unset if another
 * writer was first, or -1.
 */
static int make_run(
    struct store_addition *a, const struct ingest_series *s, struct fault *f)
{
	const struct ingest_run *run = &a->in->run[s->run];
	struct store_run_target *target = &a->run[s->run];
	struct query *q = a->query[STORE_ADD_ADD_RUN];
	char time[STAMP_MAX];
	int got;

	query_bind_text(q, 1, text_of(run->name));
	query_bind_null(q, 2);
	if (run->has_time)
		query_bind_text(
		    q, 2, (struct text){ time, stamp_print(time, run->time, 9) });
	query_bind_text(q, 3, text_of(a->now));
	query_bind_text(q, 4, store_add_cell(a, s, COL_HOST));
	query_bind_text(q, 5, store_add_cell(a, s, COL_ENV));
	query_bind_text(q, 6, store_add_cell(a, s, COL_COMMIT));
	got = query_next(q, f);
	if (got > 0) {
		target->id = query_integer(q, 0);
		target->fresh = target->summed = target->seal.sealed = true;
		target->expected = ROW_NONE;
		got = query_run(q, f);
	}
	return got;
}

/* Runs the statement that sets an earlier time of a run, and records whether it did. */
static int note_earlier(struct query *q, struct store_run_target *target, struct fault *f)
{
	int got = query_next(q, f);

	target->touched = got > 0;
	query_rewind(q);
	return got < 0 ? -1 : 0;
}

int store_add_run(struct store_addition *a, const struct ingest_series *s, struct fault *f)
{
	const struct ingest_run *run = &a->in->run[s->run];
	struct store_run_target *target = &a->run[s->run];
	struct query *q = a->query[STORE_ADD_FIND_RUN];
	char time[STAMP_MAX];

	while (!target->id) {
		query_bind_text(q, 1, text_of(run->name));
		if (find_kept_run(a, target, f) < 0 ||
		    (!target->id && make_run(a, s, f) < 0))
			return -1;
		if (!target->id || target->fresh || !run->has_time)
			continue;
		q = a->query[STORE_ADD_EARLIER_RUN];
		query_bind_text(
		    q, 1, (struct text){ time, stamp_print(time, run->time, 9) });
		query_bind_integer(q, 2, target->id);
		if (note_earlier(q, target, f) < 0)
			return -1;
	}
	return 0;
}

static int fail_end(const struct ingest_run *run, int64_t there, struct fault *f)
{
	struct buf name = { 0 };

	display_text_clean(&name, text_of(run->name));
	fault_set(f,
	    "run %s: the end mark states %" PRId64 " rows in the input and %" PRId64
	    " in the database; nothing was added",
	    name.ptr, run->expected, there);
	buf_free(&name);
	return -1;
}

static void count_incomplete(
    struct store_added *added, const struct ingest_run *run, int64_t rows, int64_t expected)
{
	struct buf name = { 0 };

	if (added->incomplete++)
		return;
	display_text_clean(&name, text_of(run->name));
	snprintf(added->first.run, sizeof(added->first.run), "%s", name.ptr);
	added->first.rows = rows;
	added->first.expected = expected;
	buf_free(&name);
}

/* Compares the end mark of a run with the one in the database. 0 or -1. */
static int add_end(struct store_addition *a, size_t i, struct fault *f)
{
	const struct ingest_run *run = &a->in->run[i];
	struct store_run_target *target = &a->run[i];

	if (run->expected == ROW_NONE)
		return 0;
	if (!target->id) { /* the input has an end mark but no row of the run */
		query_bind_text(a->query[STORE_ADD_FIND_RUN], 1, text_of(run->name));
		if (find_kept_run(a, target, f) < 0)
			return -1;
		if (!target->id) {
			if (run->expected)
				count_incomplete(a->added, run, 0, run->expected);
			return 0;
		}
	}
	if (target->expected != ROW_NONE && target->expected != run->expected)
		return fail_end(run, target->expected, f);
	target->ends = target->expected == ROW_NONE;
	target->expected = run->expected;
	return 0;
}

int store_add_ends(struct store_addition *a, struct fault *f)
{
	for (size_t i = 0; i < a->in->runs; i++) {
		const struct store_run_target *target = &a->run[i];

		if (add_end(a, i, f) < 0)
			return -1;
		if (target->id && target->expected != ROW_NONE &&
		    target->rows < target->expected)
			count_incomplete(
			    a->added, &a->in->run[i], target->rows, target->expected);
	}
	return 0;
}

/* Binds the end mark of a run to placeholders at and at + 1. */
static void bind_end(struct store_addition *a, size_t i, struct query *q, int at)
{
	const struct store_run_target *target = &a->run[i];

	query_bind_null(q, at);
	query_bind_null(q, at + 1);
	if (target->expected == ROW_NONE)
		return;
	query_bind_integer(q, at, target->expected);
	if (target->ends)
		query_bind_text(q, at + 1, intern_text(&a->in->texts, a->in->run[i].ended));
}

static int sum_run(struct store_addition *a, size_t i, struct fault *f)
{
	const struct store_run_target *run = &a->run[i];
	struct query *q = a->query[STORE_ADD_SUM_RUN];
	char hex[CHECKSUM_HEX + 1];

	checksum_print(hex, &run->sum);
	if (run->summed)
		query_bind_text(q, 1, text_of(hex));
	else
		query_bind_null(q, 1);
	query_bind_integer(q, 2, run->rows);
	bind_end(a, i, q, 3);
	query_bind_integer(q, 5, run->id);
	return query_run(q, f);
}

int store_add_sums(struct store_addition *a, struct fault *f)
{
	for (size_t i = 0; i < a->in->runs; i++) {
		struct store_run_target *run = &a->run[i];

		if ((run->changed || run->ends) && sum_run(a, i, f) < 0)
			return -1;
		if ((run->changed || run->ends || run->touched) &&
		    store_seal_write_run(&a->seal, &run->seal, run->id, f) < 0)
			return -1;
	}
	return 0;
}
