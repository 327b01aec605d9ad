/*
 * From what was gathered into the tables, in one transaction. A series that is new and in
 * order is kept as it was packed. One that has rows already, or whose rows came in
 * disorder, is unpacked, sorted with what is there, checked for one identity with two
 * values, and written anew, so that the chunks of a series are always in order and apart.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collect.h"
#include "merge.h"
#include "stats.h"
#include "store_parts.h"

/* The statistics of struct summary that have a column; the confidence is that of ci_lo. */
static const char *const kept[] = { "n", "failed", "mean", "sd", "min", "p5", "median",
	"p95", "max", "mad", "ci_lo", "ci_hi" };
#define CONFIDENCE 0.95

enum statement {
	FIND_RUN,
	ADD_RUN,
	EARLIER_RUN,
	SUM_RUN,
	FIND_SERIES,
	ADD_SERIES,
	SUMMARISE,
	READ_CHUNKS,
	DROP_CHUNKS,
	ADD_CHUNK,
	FIND_FACT,
	SET_FACT,
	STATEMENTS
};

static const char *const statements[STATEMENTS] = {
	[FIND_RUN] = "SELECT run_id, checksum FROM benchmark_runs WHERE run = $1",
	[ADD_RUN] = "INSERT INTO benchmark_runs (run, added, host, env, commit_id)"
	            " VALUES ($1, $2, $3, $4, $5)",
	[EARLIER_RUN] = "UPDATE benchmark_runs SET time = $1"
	                " WHERE run_id = $2 AND (time IS NULL OR time > $1)",
	[SUM_RUN] = "UPDATE benchmark_runs SET checksum = $1 WHERE run_id = $2",
	[FIND_SERIES] = "SELECT result_id, host, env, commit_id FROM benchmark_results"
	                " WHERE run_id = $1 AND bench = $2 AND metric = $3 AND factors = $4"
	                " AND kind = $5 AND unit = $6",
	[ADD_SERIES] =
	    "INSERT INTO benchmark_results (run_id, bench, metric, factors, kind,"
	    " unit, host, env, commit_id, row_count, n, failed)"
	    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, 0)",
	[READ_CHUNKS] = "SELECT data FROM raw_benchmark_data WHERE result_id = $1"
	                " ORDER BY chunk",
	[DROP_CHUNKS] = "DELETE FROM raw_benchmark_data WHERE result_id = $1",
	[ADD_CHUNK] = "INSERT INTO raw_benchmark_data (result_id, chunk, row_count, data)"
	              " VALUES ($1, $2, $3, $4)",
	[FIND_FACT] = "SELECT value FROM hardware_info WHERE env = $1 AND fact = $2",
	[SET_FACT] = "INSERT INTO hardware_info (env, fact, value) VALUES ($1, $2, $3)"
	             " ON CONFLICT (env, fact) DO UPDATE SET value = excluded.value",
};

/* The one run in the database that a gathered run is. */
struct target {
	int64_t id; /* 0: not looked for yet */
	bool changed;
	bool summed; /* unless an older version made it: then some rows are in no sum */
	struct checksum sum;
};

struct adding {
	struct store *store;
	struct gather *g;
	struct store_added *added;
	struct query *query[STATEMENTS];
	struct target *run; /* by gathered run */
	char now[STAMP_MAX];
	struct buf factors, packed;
	struct pack_rows rows;
	struct checksum series;  /* of the series under way */
	struct collect *collect; /* of it */
	uint64_t row_count;      /* of it */
	int64_t chunks;          /* of it, written */
};

static int prepare(struct adding *a, struct fault *f)
{
	struct buf summarise = { 0 };
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	stamp_print(a->now, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec, 9);
	buf_str(&summarise, "UPDATE benchmark_results SET row_count = $1");
	for (size_t i = 0; i < COUNT(kept); i++)
		buf_printf(&summarise, ", %s = $%zu", kept[i], i + 2);
	buf_printf(&summarise, " WHERE result_id = $%zu", COUNT(kept) + 2);
	for (size_t i = 0; i < STATEMENTS; i++) {
		a->query[i] = db_query(
		    a->store->db, i == SUMMARISE ? summarise.ptr : statements[i], f);
		if (!a->query[i])
			break;
	}
	buf_free(&summarise);
	return a->query[STATEMENTS - 1] ? 0 : -1;
}

static struct text cell_of(
    const struct adding *a, const struct gathered_series *s, enum column c)
{
	return groups_cell(a->g->groups, s->group, c);
}

/* The run that is there of a name, if there is one. */
static int find_kept_run(struct query *q, struct target *target, struct fault *f)
{
	int got = query_next(q, f);

	if (got > 0) {
		target->id = query_integer(q, 0);
		target->summed = checksum_parse(query_text(q, 1), &target->sum);
	}
	query_rewind(q);
	return got < 0 ? -1 : 0;
}

static int find_run(struct adding *a, const struct gathered_series *s, struct fault *f)
{
	const struct gathered_run *run = &a->g->run[s->run];
	struct target *target = &a->run[s->run];
	struct query *q = a->query[FIND_RUN];
	char time[STAMP_MAX];

	if (target->id)
		return 0;
	query_bind_text(q, 1, text_of(run->name));
	if (find_kept_run(q, target, f) < 0)
		return -1;
	if (!target->id) {
		q = a->query[ADD_RUN];
		query_bind_text(q, 1, text_of(run->name));
		query_bind_text(q, 2, text_of(a->now));
		query_bind_text(q, 3, cell_of(a, s, COL_HOST));
		query_bind_text(q, 4, cell_of(a, s, COL_ENV));
		query_bind_text(q, 5, cell_of(a, s, COL_COMMIT));
		if (query_run(q, f) < 0)
			return -1;
		target->id = db_last_id(a->store->db);
		target->summed = true;
	}
	if (!run->has_time)
		return 0;
	q = a->query[EARLIER_RUN];
	query_bind_text(q, 1, (struct text){ time, stamp_print(time, run->time, 9) });
	query_bind_integer(q, 2, target->id);
	return query_run(q, f);
}

static void bind_subject(
    struct adding *a, struct query *q, const struct gathered_series *s, int64_t run_id)
{
	query_bind_integer(q, 1, run_id);
	query_bind_text(q, 2, cell_of(a, s, COL_BENCH));
	query_bind_text(q, 3, cell_of(a, s, COL_METRIC));
	query_bind_text(q, 4, (struct text){ a->factors.ptr, a->factors.len });
	query_bind_text(q, 5, cell_of(a, s, COL_KIND));
	query_bind_text(q, 6, cell_of(a, s, COL_UNIT));
}

/* One subject of one run has one origin: else its rows would be told apart by nothing. */
static int check_origin(
    struct adding *a, struct query *q, const struct gathered_series *s, struct fault *f)
{
	static const enum column origin[] = { COL_HOST, COL_ENV, COL_COMMIT };
	static const char *const names[] = { "host", "env", "commit" };

	for (size_t i = 0; i < COUNT(origin); i++) {
		struct text kept_one = query_text(q, (int)i + 1),
		            came = cell_of(a, s, origin[i]);
		struct buf what = { 0 };

		if (text_equal(kept_one, came))
			continue;
		merge_name(&what, a->g, s);
		buf_printf(&what, ": %s is '", names[i]);
		text_clean(&what, came);
		buf_str(&what, "' here and '");
		text_clean(&what, kept_one);
		buf_str(&what, "' in rows of the same run; nothing was added");
		fault_set(f, "%s", what.ptr);
		buf_free(&what);
		return -1;
	}
	return 0;
}

/* The series' id, 0 when it is new. */
static int find_series(struct adding *a, const struct gathered_series *s, int64_t run_id,
    int64_t *id, struct fault *f)
{
	struct query *q = a->query[FIND_SERIES];
	int got;

	bind_subject(a, q, s, run_id);
	got = query_next(q, f);
	*id = got > 0 ? query_integer(q, 0) : 0;
	if (got > 0 && check_origin(a, q, s, f) < 0)
		got = -1;
	query_rewind(q);
	return got < 0 ? -1 : 0;
}

static int add_series(struct adding *a, const struct gathered_series *s, int64_t run_id,
    int64_t *id, struct fault *f)
{
	struct query *q = a->query[ADD_SERIES];

	bind_subject(a, q, s, run_id);
	query_bind_text(q, 7, cell_of(a, s, COL_HOST));
	query_bind_text(q, 8, cell_of(a, s, COL_ENV));
	query_bind_text(q, 9, cell_of(a, s, COL_COMMIT));
	if (query_run(q, f) < 0)
		return -1;
	*id = db_last_id(a->store->db);
	return 0;
}

static int write_chunk(
    struct adding *a, int64_t series_id, struct text bytes, size_t rows, struct fault *f)
{
	struct query *q = a->query[ADD_CHUNK];

	query_bind_integer(q, 1, series_id);
	query_bind_integer(q, 2, a->chunks++);
	query_bind_integer(q, 3, (int64_t)rows);
	query_bind_bytes(q, 4, bytes);
	return query_run(q, f);
}

/* Rows on their way into the statistics, by the rules that all readers of streams share. */
static void count_rows(struct adding *a, const struct pack_row *rows, size_t count)
{
	static const struct text no_cells[COL_FACTORS];

	a->row_count += count;
	for (size_t i = 0; i < count; i++) {
		struct text status = intern_text(&a->g->texts, rows[i].status);
		struct row row = { .cell = no_cells,
			.process = rows[i].process,
			.sample = rows[i].sample,
			.t = rows[i].t,
			.value = rows[i].value,
			.has_value = !isnan(rows[i].value),
			.ok = !status.len || text_is(status, "ok") };

		collect_into(a->collect, 0, &row);
	}
}

/* Rows of the series under way into a checksum. */
static void sum_rows(struct adding *a, const struct gathered_series *s,
    const struct pack_row *rows, size_t count, struct checksum *sum)
{
	char time[STAMP_MAX];

	if (!a->run[s->run].summed)
		return;
	for (size_t i = 0; i < count; i++)
		checksum_row(sum, &a->series, &rows[i],
		    pack_time_text(&rows[i], &a->g->texts, time),
		    intern_text(&a->g->texts, rows[i].status));
}

/* Chunks as they were packed. */
static int keep_chunks(
    struct adding *a, const struct gathered_series *s, int64_t id, struct fault *f)
{
	for (size_t i = 0; i < s->chunks; i++) {
		struct text bytes = { s->chunk[i].bytes, s->chunk[i].len };

		a->rows.count = 0;
		if (write_chunk(a, id, bytes, s->chunk[i].rows, f) < 0 ||
		    pack_decode(bytes, &a->g->texts, &a->rows, f) < 0)
			return -1;
		count_rows(a, a->rows.row, a->rows.count);
		sum_rows(a, s, a->rows.row, a->rows.count, &a->run[s->run].sum);
	}
	a->added->rows += s->rows;
	return 0;
}

static int read_kept(struct adding *a, int64_t id, struct fault *f)
{
	struct query *q = a->query[READ_CHUNKS];
	int got;

	query_bind_integer(q, 1, id);
	while ((got = query_next(q, f)) > 0)
		if (pack_decode(query_bytes(q, 0), &a->g->texts, &a->rows, f) < 0) {
			struct fault why = *f;

			query_rewind(q);
			return fault_set(f, "%s: %.900s", a->store->name, why.text);
		}
	return got;
}

static int rewrite(struct adding *a, int64_t id, const struct pack_row *rows, size_t count,
    struct fault *f)
{
	struct query *drop = a->query[DROP_CHUNKS];

	query_bind_integer(drop, 1, id);
	if (query_run(drop, f) < 0)
		return -1;
	for (size_t i = 0; i < count; i += PACK_ROWS) {
		size_t n = count - i < PACK_ROWS ? count - i : PACK_ROWS;

		a->packed.len = 0;
		pack_encode(rows + i, n, &a->g->texts, &a->packed);
		if (write_chunk(
		        a, id, (struct text){ a->packed.ptr, a->packed.len }, n, f) < 0)
			return -1;
	}
	count_rows(a, rows, count);
	return 0;
}

/* Whether the chunks of a series are, byte for byte, those that are kept: 1, 0 or -1. */
static int same_chunks(
    struct adding *a, const struct gathered_series *s, int64_t id, struct fault *f)
{
	struct query *q = a->query[READ_CHUNKS];
	size_t same = 0;
	int got;

	query_bind_integer(q, 1, id);
	while ((got = query_next(q, f)) > 0) {
		if (same == s->chunks ||
		    !text_equal(query_bytes(q, 0),
		        (struct text){ s->chunk[same].bytes, s->chunk[same].len }))
			break;
		same++;
	}
	query_rewind(q);
	return got < 0 ? -1 : got == 0 && same == s->chunks;
}

/* The sum of a run in which the old rows of the series under way give way to all of them.
 */
static void sum_anew(struct adding *a, const struct gathered_series *s,
    const struct pack_rows *merged, const struct pack_row *old, size_t olds)
{
	struct checksum *sum = &a->run[s->run].sum, before = { 0 };

	sum_rows(a, s, old, olds, &before);
	checksum_subtract(sum, &before);
	sum_rows(a, s, merged->row, merged->count, sum);
}

/* Sort the new rows in among those that are there. */
static int merge_series(
    struct adding *a, const struct gathered_series *s, int64_t id, struct fault *f)
{
	struct pack_rows merged = { 0 };
	size_t old, fresh;
	int status = -1, same = same_chunks(a, s, id, f);

	if (same < 0)
		return -1;
	if (same && s->as_kept) {
		a->added->known += s->rows;
		return 0;
	}
	a->rows.count = 0;
	if (read_kept(a, id, f) < 0)
		return -1;
	old = a->rows.count;
	if (gather_rows(a->g, s, &a->rows, f) < 0)
		return -1;
	if (merge_rows(a->g, s, a->rows.row, old, a->rows.count, &merged, f) == 0) {
		fresh = merged.count - old;
		a->added->rows += fresh;
		a->added->known += s->rows - fresh;
		status = fresh ? rewrite(a, id, merged.row, merged.count, f) : 0;
		if (fresh)
			sum_anew(a, s, &merged, a->rows.row, old);
	}
	free(merged.row);
	return status;
}

static int summarise(struct adding *a, int64_t id, struct fault *f)
{
	struct query *q = a->query[SUMMARISE];
	struct collected *c;
	struct summary summary;

	collect_finish(a->collect);
	c = collect_group(a->collect, 0);
	stats_summarise(c->value, c->count, CONFIDENCE, &summary);
	summary.failed = (double)c->failed;
	query_bind_integer(q, 1, (int64_t)a->row_count);
	for (size_t i = 0; i < COUNT(kept); i++) {
		const struct statistic *s = statistic_find(text_of(kept[i]));
		double x = statistic_get(s, &summary);

		if (s->kind == STATISTIC_COUNT)
			query_bind_integer(q, (int)i + 2, (int64_t)x);
		else
			query_bind_number(q, (int)i + 2, x);
	}
	query_bind_integer(q, (int)COUNT(kept) + 2, id);
	return query_run(q, f);
}

static int keep_series(struct adding *a, const struct gathered_series *s, struct fault *f)
{
	struct target *run = &a->run[s->run];
	uint64_t before = a->added->rows;
	int64_t id;
	int status;

	a->factors.len = 0;
	gather_factors(a->g, s, &a->factors);
	if (find_run(a, s, f) < 0 || find_series(a, s, run->id, &id, f) < 0)
		return -1;
	a->series = gather_checksum(a->g, s);
	a->collect = collect_open(NULL, 0);
	a->row_count = 0;
	a->chunks = 0;
	if (!id && s->as_kept)
		status =
		    add_series(a, s, run->id, &id, f) < 0 ? -1 : keep_chunks(a, s, id, f);
	else if (!id && add_series(a, s, run->id, &id, f) < 0)
		status = -1;
	else
		status = merge_series(a, s, id, f);
	if (status == 0 && a->added->rows > before) {
		status = summarise(a, id, f);
		a->added->runs += !run->changed;
		run->changed = true;
	}
	collect_close(a->collect);
	return status;
}

static int keep_sums(struct adding *a, struct fault *f)
{
	struct query *q = a->query[SUM_RUN];
	char hex[CHECKSUM_HEX + 1];

	for (size_t i = 0; i < a->g->runs; i++) {
		if (!a->run[i].changed || !a->run[i].summed)
			continue;
		checksum_print(hex, &a->run[i].sum);
		query_bind_text(q, 1, text_of(hex));
		query_bind_integer(q, 2, a->run[i].id);
		if (query_run(q, f) < 0)
			return -1;
	}
	return 0;
}

static int keep_fact(struct adding *a, const struct gathered_fact *fact, struct fault *f)
{
	struct text env = intern_text(&a->g->texts, fact->env),
	            name = intern_text(&a->g->texts, fact->fact),
	            value = intern_text(&a->g->texts, fact->value);
	struct query *find = a->query[FIND_FACT], *set = a->query[SET_FACT];
	bool same, known;
	int got;

	query_bind_text(find, 1, env);
	query_bind_text(find, 2, name);
	got = query_next(find, f);
	known = got > 0;
	same = known && text_equal(query_text(find, 0), value);
	query_rewind(find);
	if (got < 0)
		return -1;
	a->added->facts_known += same;
	a->added->facts_changed += known && !same;
	a->added->facts += !known;
	if (same)
		return 0;
	query_bind_text(set, 1, env);
	query_bind_text(set, 2, name);
	query_bind_text(set, 3, value);
	return query_run(set, f);
}

static int keep_all(struct adding *a, struct fault *f)
{
	if (prepare(a, f) < 0)
		return -1;
	for (size_t i = 0; i < a->g->count; i++)
		if (keep_series(a, &a->g->series[i], f) < 0)
			return -1;
	if (keep_sums(a, f) < 0)
		return -1;
	for (size_t i = 0; i < a->g->facts; i++)
		if (keep_fact(a, &a->g->fact[i], f) < 0)
			return -1;
	return 0;
}

int store_add(struct store *s, struct gather *g, struct store_added *added, struct fault *f)
{
	struct adding a = { .store = s, .g = g, .added = added };
	int status;

	*added = (struct store_added){ 0 };
	if (db_begin(s->db, f) < 0)
		return -1;
	a.run = mem_zero(g->runs, sizeof(*a.run));
	status = keep_all(&a, f);
	for (size_t i = 0; i < STATEMENTS; i++)
		query_close(a.query[i]);
	if (status == 0)
		status = db_commit(s->db, f);
	if (status < 0)
		db_rollback(s->db);
	free(a.run);
	free(a.rows.row);
	buf_free(&a.factors);
	buf_free(&a.packed);
	return status;
}
