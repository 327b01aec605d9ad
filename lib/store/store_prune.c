/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes old runs. One query selects the candidates, newest first, with a row for each
 * benchmark and host of a run. Thinning is done here, because the calendar functions of
 * SQL dialects differ.
 */
#include <stdlib.h>

#include "store/store_priv.h"
#include "store/store_prune.h"
#include "store/store_seal.h"
#include "text/display_text.h"
#include "text/stamp.h"
#include "text/units.h"

/* The shortest time without runs that lets prune --keep distrust the clock. */
enum { CLOCK_GAP_DAYS = 180 };

/*
 * The periods. Times of one period have the same prefix of their text, or the same number
 * of weeks.
 */
static const struct store_period {
	const char *name;
	size_t prefix; /* 0: weeks */
} periods[] = {
	{ "hour", sizeof("2026-01-31T12") - 1 },
	{ "day", sizeof("2026-01-31") - 1 },
	{ "week", 0 },
	{ "month", sizeof("2026-01") - 1 },
	{ "year", sizeof("2026") - 1 },
};

int store_thin_parse(const char *text, struct store_thin *thin, struct fault *f)
{
	const char *slash = strchr(text, '/');
	int64_t count;

	if (slash && integer_parse((struct text){ text, (size_t)(slash - text) }, &count) &&
	    count > 0)
		for (size_t i = 0; i < COUNT(periods); i++)
			if (strcmp(slash + 1, periods[i].name) == 0) {
				*thin = (struct store_thin){ (uint64_t)count, &periods[i] };
				return 0;
			}
	return fault_set(f,
	    "'%s' is not of the form N/PERIOD, such as 1/week (a period is hour, day, "
	    "week, month or year)",
	    text);
}

struct prune_candidate {
	int64_t id, rows, series; /* of the selected series */
	bool stays;
	struct checksum seal; /* 0: none */
};

struct store_pruning {
	struct store *store;
	const struct store_keep *keep;
	struct prune_candidate *run;
	size_t runs, cap;
	struct intern periods; /* benchmark, host and period */
	uint64_t *kept;        /* by period: the number of runs that are kept */
	size_t kepts, kept_cap;
	struct buf key;
};

static void put_period(struct buf *key, const struct store_period *period, struct text at)
{
	enum { EPOCH_SINCE_MONDAY_DAYS = 3, WEEK_DAYS = 7 }; /* 1970 began on a Thursday */
	static const int64_t day_ns = INT64_C(86400000000000);
	int64_t ns, days;
	int digits;

	if (period->prefix) {
		buf_put(key, at.ptr, at.len < period->prefix ? at.len : period->prefix);
	} else if (stamp_parse(at, &ns, &digits)) {
		days = ns / day_ns - (ns % day_ns < 0) + EPOCH_SINCE_MONDAY_DAYS;
		buf_printf(
		    key, "%lld", (long long)(days / WEEK_DAYS - (days % WEEK_DAYS < 0)));
	}
}

/* Returns whether a run is among the newest of a benchmark and host in a period. */
static bool among_newest(struct store_pruning *p, struct query *q)
{
	size_t number;

	p->key.len = 0;
	for (int column = 3; column < 6; column++) {
		buf_text(&p->key, query_text(q, column));
		buf_byte(&p->key, '\0');
	}
	put_period(&p->key, p->keep->thin.period, query_text(q, 2));
	number = intern_add(&p->periods, text_in(&p->key));
	while (p->kepts <= number)
		*VEC_ADD(p->kept, p->kepts, p->kept_cap) = 0;
	return p->kept[number]++ < p->keep->thin.count;
}

static int find_candidates(
    struct store_pruning *p, const struct store_filter *filter, struct fault *f)
{
	struct store_filter older = *filter;
	struct query *q;
	int got;

	if (p->keep->has_until && (!older.has_until || p->keep->until < older.until)) {
		older.has_until = true;
		older.until = p->keep->until;
	}
	q = store_filter_query(p->store->db, &older,
	    "SELECT run_id, sum(row_count), at, kind, bench, host, count(*)"
	    " FROM benchmark_history",
	    "GROUP BY run_id, at, kind, bench, host ORDER BY at DESC, run_id DESC", 1, f);
	got = q ? 1 : -1;
	while (got > 0 && (got = query_next(q, f)) > 0) {
		int64_t id = query_integer(q, 0);
		struct prune_candidate *run = p->runs ? &p->run[p->runs - 1] : NULL;

		if (!run || run->id != id) {
			run = VEC_ADD(p->run, p->runs, p->cap);
			*run = (struct prune_candidate){ .id = id };
		}
		run->rows += query_integer(q, 1);
		run->series += query_integer(q, 6);
		if (p->keep->thin.count && among_newest(p, q))
			run->stays = true;
	}
	query_close(q);
	return got;
}

/*
 * Locks the runs that may be removed for other writers, so that the counts stay correct.
 * Locks the oldest run first, so that two processes that prune do not block each other.
 */
static int lock_candidates(struct store_pruning *p, struct fault *f)
{
	char *sql = str_format("SELECT seal FROM benchmark_runs WHERE run_id = $1%s",
	    db_word(p->store->db, DB_FOR_UPDATE));
	struct query *q = db_query(p->store->db, sql, f);
	int got = q ? 0 : -1;

	for (size_t i = p->runs; i-- > 0 && got >= 0;) {
		if (p->run[i].stays)
			continue;
		query_bind_integer(q, 1, p->run[i].id);
		got = query_next(q, f);
		p->run[i].stays = got == 0; /* removed by another process */
		if (got > 0 && !checksum_parse(query_text(q, 0), &p->run[i].seal))
			p->run[i].seal = (struct checksum){ 0 };
		query_rewind(q);
	}
	query_close(q);
	free(sql);
	return got < 0 ? -1 : 0;
}

/*
 * Keeps runs with series that were not selected and, with keep->tagged, runs with a tag.
 */
static int keep_others(struct store_pruning *p, struct fault *f)
{
	struct query *q = db_query(p->store->db,
	    "SELECT (SELECT count(*) FROM benchmark_results WHERE run_id = $1),"
	    " (SELECT count(*) FROM run_tags WHERE run_id = $1)",
	    f);
	int got = q ? 0 : -1;

	for (size_t i = 0; i < p->runs && got >= 0; i++) {
		struct prune_candidate *run = &p->run[i];

		if (run->stays)
			continue;
		query_bind_integer(q, 1, run->id);
		got = query_next(q, f);
		run->stays = got > 0 && (query_integer(q, 0) > run->series ||
		                            (p->keep->tagged && query_integer(q, 1)));
		query_rewind(q);
	}
	query_close(q);
	return got < 0 ? -1 : 0;
}

/*
 * Finds the last run before a time, or with after set, the first run from this time on.
 * Returns 1 and its name and time, 0 if there is none, or -1 and the message.
 */
static int find_neighbor(struct store *s, int64_t limit, bool after, struct buf *name,
    int64_t *at, struct fault *f)
{
	struct query *q = db_query(s->db,
	    after ? "SELECT run, coalesce(time, added) FROM benchmark_runs"
	            " WHERE coalesce(time, added) >= $1"
	            " ORDER BY coalesce(time, added), run_id LIMIT 1"
	          : "SELECT run, coalesce(time, added) FROM benchmark_runs"
	            " WHERE coalesce(time, added) < $1"
	            " ORDER BY coalesce(time, added) DESC, run_id DESC LIMIT 1",
	    f);
	char text[STAMP_MAX];
	int got = q ? 1 : -1, digits;

	if (q)
		query_bind_copy(q, 1, (struct text){ text, stamp_print(text, limit, 9) });
	if (got > 0)
		got = query_next(q, f);
	if (got > 0 && !stamp_parse(query_text(q, 1), at, &digits))
		got = 0;
	name->len = 0;
	if (got > 0)
		display_text_clean(name, query_text(q, 0));
	query_close(q);
	return got;
}

/*
 * Returns 0, or -1 and the message if a wrong clock may be the reason why runs are old:
 * the runs to be removed end long before the runs that stay begin, or before the clock if
 * none stays. A run after the clock is no evidence that the clock is right.
 */
static int check_clock(const struct store_pruning *p, struct fault *f)
{
	static const int64_t day_ns = INT64_C(86400000000000), hour_ns = day_ns / 24;
	const struct store_keep *keep = p->keep;
	struct buf old = { 0 }, next = { 0 };
	int64_t old_ns, next_ns, least_ns = keep->now - keep->until;
	char old_at[STAMP_MAX], next_at[STAMP_MAX];
	size_t gone = 0;
	int got;

	for (size_t i = 0; i < p->runs; i++)
		gone += !p->run[i].stays;
	if (!keep->has_until || !gone)
		return 0;
	if (least_ns < CLOCK_GAP_DAYS * day_ns)
		least_ns = CLOCK_GAP_DAYS * day_ns;
	got = find_neighbor(p->store, keep->until, false, &old, &old_ns, f);
	if (got > 0) {
		got = find_neighbor(p->store, keep->until, true, &next, &next_ns, f);
		if (got == 0 || (got > 0 && next_ns > keep->now + hour_ns)) {
			got = 1;
			next_ns = keep->now;
			next.len = 0;
		}
	}
	if (got > 0 && next_ns - old_ns > least_ns) {
		stamp_print(old_at, old_ns, 0);
		stamp_print(next_at, next_ns, 0);
		got = fault_set(f,
		    "--keep: no run is between %.300s (%s) and %s%.300s (%s), so the "
		    "clock may be wrong, and nothing is removed; if the clock is right, "
		    "use --until instead of --keep",
		    old.ptr, old_at, next.len ? "" : "now", next.len ? next.ptr : "",
		    next_at);
	}
	buf_free(&old);
	buf_free(&next);
	return got < 0 ? -1 : 0;
}

/* Runs a statement for each run that is removed, and prints the rows that it returns. */
static int for_each_gone(
    struct store_pruning *p, const char *sql, struct render *render, struct fault *f)
{
	struct query *q = db_query(p->store->db, sql, f);
	int got = q ? 0 : -1;

	for (size_t i = p->runs; i-- > 0 && got >= 0;) {
		const struct prune_candidate *run = &p->run[i];

		if (run->stays)
			continue;
		query_bind_integer(q, 1, run->id);
		got = query_next(q, f);
		if (got > 0 && render)
			render_row(render, (struct cell[]){ CELL_OF_TEXT(query_text(q, 0)),
			                       CELL_OF_TEXT(query_text(q, 1)),
			                       CELL_OF_TEXT(query_text(q, 2)),
			                       CELL_OF_INTEGER(run->rows) });
		query_rewind(q);
	}
	query_close(q);
	return got < 0 ? -1 : 0;
}

static int print_gone(struct store_pruning *p, struct store_output *out, struct fault *f)
{
	static const struct render_column columns[] = { { .name = "run" }, { .name = "at" },
		{ .name = "host", .rank = 2 }, { .name = "rows", .rank = 1 } };
	struct render *r = render_open(&out->to, columns, COUNT(columns));
	struct fault late;
	int status = for_each_gone(p,
	    "SELECT run, coalesce(time, added), host FROM benchmark_runs WHERE run_id = $1",
	    r, f);

	if (store_printed(r, out, status == 0 ? f : &late) < 0)
		status = -1;
	return status;
}

/* Removes rows that the seal of a part covers; the statement returns their columns. */
static int remove_sealed(struct store_pruning *p, struct store_seal *seal,
    enum seal_table table, enum store_seal_part part, struct fault *f)
{
	const struct seal_columns *c = &seal_columns[table];
	char *sql = str_format(
	    "DELETE FROM %s WHERE run_id = $1 RETURNING %s", c->table, c->columns);
	struct query *q = db_query(p->store->db, sql, f);
	int got = q ? 0 : -1;

	for (size_t i = p->runs; i-- > 0 && got >= 0;) {
		if (p->run[i].stays)
			continue;
		query_bind_integer(q, 1, p->run[i].id);
		got = store_seal_removed(seal, table, q, &seal->change[part], NULL, f);
	}
	query_close(q);
	free(sql);
	return got;
}

/*
 * Removes sets of facts that no run refers to. If the engine has row locks, locks the
 * sets first: a set to which another writer has added a reference is kept, and a writer
 * that adds a reference afterward fails and retries.
 */
static int remove_unused_facts(
    struct store_pruning *p, struct store_seal *seal, struct fault *f)
{
	static const char unused[] = "set_id NOT IN (SELECT set_id FROM run_fact_sets)";
	static const enum seal_table tables[] = { SEAL_FACT_SET_VALUE, SEAL_FACT_SET };
	char *sql = str_format("SELECT set_id FROM fact_sets WHERE %s ORDER BY set_id%s",
	    unused, db_word(p->store->db, DB_FOR_UPDATE));
	struct query *q = db_query(p->store->db, sql, f);
	int status = q ? query_run(q, f) : -1;

	query_close(q);
	free(sql);
	for (size_t i = 0; i < COUNT(tables) && status == 0; i++) {
		const struct seal_columns *c = &seal_columns[tables[i]];

		sql = str_format(
		    "DELETE FROM %s WHERE %s RETURNING %s", c->table, unused, c->columns);
		q = db_query(p->store->db, sql, f);
		status = q ? store_seal_removed(seal, tables[i], q,
		                 &seal->change[STORE_SEAL_FACTS], NULL, f)
		           : -1;
		query_close(q);
		free(sql);
	}
	return status;
}

static int seal_without_gone(struct store_pruning *p, struct fault *f)
{
	struct store_seal seal;
	int status;

	store_seal_open(&seal, p->store->db);
	for (size_t i = 0; i < p->runs; i++)
		if (!p->run[i].stays)
			checksum_subtract(&seal.change[STORE_SEAL_RUNS], &p->run[i].seal);
	status = remove_sealed(p, &seal, SEAL_TAG, STORE_SEAL_TAGS, f);
	if (status == 0)
		status =
		    remove_sealed(p, &seal, SEAL_ANNOTATION, STORE_SEAL_ANNOTATIONS, f);
	if (status == 0)
		status = remove_unused_facts(p, &seal, f);
	if (status == 0)
		status = store_seal_write(&seal, f);
	store_seal_close(&seal);
	return status;
}

/*
 * Removes the runs and all their rows. Not every engine has the foreign keys that would
 * remove the rows.
 */
static int remove_gone(struct store_pruning *p, struct fault *f)
{
	static const char *const statements[] = {
		("DELETE FROM raw_benchmark_data WHERE result_id IN"
		 " (SELECT result_id FROM benchmark_results WHERE run_id = $1)"),
		"DELETE FROM benchmark_results WHERE run_id = $1",
		"DELETE FROM run_fact_changes WHERE run_id = $1",
		"DELETE FROM run_fact_sets WHERE run_id = $1",
	};

	for (size_t i = 0; i < COUNT(statements); i++)
		if (for_each_gone(p, statements[i], NULL, f) < 0)
			return -1;
	if (seal_without_gone(p, f) < 0 ||
	    for_each_gone(p, "DELETE FROM benchmark_runs WHERE run_id = $1", NULL, f) < 0)
		return -1;
	return db_commit(p->store->db, f);
}

static int prune_once(struct store *s, const struct store_filter *filter,
    const struct store_keep *keep, struct store_output *dry, struct store_pruned *pruned,
    struct fault *f)
{
	struct store_pruning p = { .store = s, .keep = keep };
	int status = (dry ? db_begin_reading : db_begin)(s->db, f);

	*pruned = (struct store_pruned){ 0 };
	if (status < 0)
		return -1;
	status = find_candidates(&p, filter, f);
	if (status == 0 && !dry)
		status = lock_candidates(&p, f);
	if (status == 0)
		status = keep_others(&p, f);
	if (status == 0)
		status = check_clock(&p, f);
	if (status == 0)
		status = dry ? print_gone(&p, dry, f) : remove_gone(&p, f);
	if (status < 0 || dry)
		db_rollback(s->db);
	for (size_t i = 0; i < p.runs; i++)
		if (!p.run[i].stays) {
			pruned->runs++;
			pruned->rows += (uint64_t)p.run[i].rows;
		}
	intern_free(&p.periods);
	buf_free(&p.key);
	free(p.kept);
	free(p.run);
	return status;
}

int store_prune(struct store *s, const struct store_filter *filter,
    const struct store_keep *keep, struct store_output *dry, struct store_pruned *pruned,
    struct fault *f)
{
	int status;

	do
		status = prune_once(s, filter, keep, dry, pruned, f);
	while (status < 0 && !dry && db_retry(s->db));
	return status;
}

int store_vacuum(struct store *s, struct fault *f)
{
	return db_exec(s->db, db_word(s->db, DB_VACUUM), f);
}
