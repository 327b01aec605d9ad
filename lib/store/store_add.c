/*
 * From what was ingested into the tables, in one transaction. A series that is new and in
 * order is kept as it was packed. One that has rows already, or whose rows came in
 * disorder, is unpacked, sorted with what is there, checked for one identity with two
 * values, and written anew, so that the chunks of a series are always in order and apart.
 *
 * Writers of different runs do not wait for each other where the engine has locks of rows:
 * a run is locked from when it is found, or made, to the end. So a run that is new here has
 * no series but those that this writer gives it, and none has to be looked for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "text/display_text.h"
#include "store/row_merge.h"
#include "store/store_chunks.h"
#include "store/store_write.h"
#include "text/display_text.h"

enum statement {
	FIND_RUN,
	ADD_RUN,
	EARLIER_RUN,
	SUM_RUN,
	FIND_SERIES,
	FIND_FACT,
	SET_FACT,
	STATEMENTS
};

/* With a word of the dialect behind it. */
static const struct {
	const char *sql;
	enum db_word word;
} statements[STATEMENTS] = {
	[FIND_RUN] = { "SELECT run_id, checksum FROM benchmark_runs WHERE run = $1",
	    DB_FOR_UPDATE },
	[ADD_RUN] = { "INSERT INTO benchmark_runs (run, time, added, host, env, commit_id)"
	              " VALUES ($1, $2, $3, $4, $5, $6)"
	              " ON CONFLICT (run) DO NOTHING RETURNING run_id",
	    DB_NOTHING },
	[EARLIER_RUN] = { "UPDATE benchmark_runs SET time = $1"
	                  " WHERE run_id = $2 AND (time IS NULL OR time > $1)",
	    DB_NOTHING },
	[SUM_RUN] = { "UPDATE benchmark_runs SET checksum = $1 WHERE run_id = $2",
	    DB_NOTHING },
	[FIND_SERIES] = { "SELECT result_id, host, env, commit_id FROM benchmark_results"
	                  " WHERE run_id = $1 AND bench = $2 AND metric = $3"
	                  " AND factors = $4 AND kind = $5 AND unit = $6",
	    DB_SAME_SUBJECT },
	[FIND_FACT] = { "SELECT value FROM hardware_info WHERE env = $1 AND fact = $2",
	    DB_NOTHING },
	[SET_FACT] = { "INSERT INTO hardware_info (env, fact, value) VALUES ($1, $2, $3)"
	               " ON CONFLICT (env, fact) DO UPDATE SET value = excluded.value",
	    DB_NOTHING },
};

/* The one run in the database that an ingested run is. */
struct target {
	int64_t id; /* 0: not looked for yet */
	bool fresh; /* made by this very transaction */
	bool changed;
	bool summed; /* unless an older version made it: then some rows are in no sum */
	struct checksum sum;
};

struct adding {
	struct store *store;
	struct ingest *in;
	struct store_added *added;
	struct query *query[STATEMENTS];
	struct target *run; /* by ingested run */
	char now[STAMP_MAX];
	struct buf factors, key;
	struct pack_rows rows;
	struct checksum series; /* of the series under way */
	struct store_write write;
	struct store_chunks kept; /* of a series that is there */
	struct intern subjects;   /* of the series so far, by run */
	size_t *of_subject, cap;  /* by subject: the series */
};

static int prepare(struct adding *a, struct fault *f)
{
	stamp_print(a->now, clock_realtime_ns(), 9);
	for (size_t i = 0; i < STATEMENTS; i++) {
		char *sql = str_format(
		    "%s%s", statements[i].sql, db_word(a->store->db, statements[i].word));

		a->query[i] = db_query(a->store->db, sql, f);
		free(sql);
		if (!a->query[i])
			return -1;
	}
	if (store_chunks_open(&a->kept, a->store, f) < 0)
		return -1;
	return store_write_open(&a->write, a->store, a->in->count, f);
}

static struct text cell_of(
    const struct adding *a, const struct ingest_series *s, enum column c)
{
	return groups_cell(a->in->groups, s->group, c);
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

/* 0 with target->id when this writer made it, without when another one was first, or -1. */
static int make_run(struct adding *a, const struct ingest_series *s, struct fault *f)
{
	const struct ingest_run *run = &a->in->run[s->run];
	struct target *target = &a->run[s->run];
	struct query *q = a->query[ADD_RUN];
	char time[STAMP_MAX];
	int got;

	query_bind_text(q, 1, text_of(run->name));
	query_bind_null(q, 2);
	if (run->has_time)
		query_bind_text(
		    q, 2, (struct text){ time, stamp_print(time, run->time, 9) });
	query_bind_text(q, 3, text_of(a->now));
	query_bind_text(q, 4, cell_of(a, s, COL_HOST));
	query_bind_text(q, 5, cell_of(a, s, COL_ENV));
	query_bind_text(q, 6, cell_of(a, s, COL_COMMIT));
	got = query_next(q, f);
	if (got > 0) {
		target->id = query_integer(q, 0);
		target->fresh = target->summed = true;
		got = query_run(q, f);
	}
	return got;
}

static int find_run(struct adding *a, const struct ingest_series *s, struct fault *f)
{
	const struct ingest_run *run = &a->in->run[s->run];
	struct target *target = &a->run[s->run];
	struct query *q = a->query[FIND_RUN];
	char time[STAMP_MAX];

	while (!target->id) {
		query_bind_text(q, 1, text_of(run->name));
		if (find_kept_run(q, target, f) < 0 ||
		    (!target->id && make_run(a, s, f) < 0))
			return -1;
		if (!target->id || target->fresh || !run->has_time)
			continue;
		q = a->query[EARLIER_RUN];
		query_bind_text(
		    q, 1, (struct text){ time, stamp_print(time, run->time, 9) });
		query_bind_integer(q, 2, target->id);
		if (query_run(q, f) < 0)
			return -1;
	}
	return 0;
}

/* One subject of one run has one origin: else its rows would be told apart by nothing. */
static int check_origin(struct adding *a, const struct ingest_series *s,
    const struct text there[3], struct fault *f)
{
	static const enum column origin[] = { COL_HOST, COL_ENV, COL_COMMIT };
	static const char *const names[] = { "host", "env", "commit" };

	for (size_t i = 0; i < COUNT(origin); i++) {
		struct text came = cell_of(a, s, origin[i]);
		struct buf what = { 0 };

		if (text_equal(there[i], came))
			continue;
		merge_name(&what, a->in, s);
		buf_printf(&what, ": %s is '", names[i]);
		text_clean(&what, came);
		buf_str(&what, "' here and '");
		text_clean(&what, there[i]);
		buf_str(&what, "' in rows of the same run; nothing was added");
		fault_set(f, "%s", what.ptr);
		buf_free(&what);
		return -1;
	}
	return 0;
}

/* Of a run that was there. *id: the series', 0 when it is new. */
static int find_series(
    struct adding *a, const struct ingest_series *s, int64_t *id, struct fault *f)
{
	struct query *q = a->query[FIND_SERIES];
	int got;

	query_bind_integer(q, 1, a->run[s->run].id);
	query_bind_text(q, 2, cell_of(a, s, COL_BENCH));
	query_bind_text(q, 3, cell_of(a, s, COL_METRIC));
	query_bind_text(q, 4, (struct text){ a->factors.ptr, a->factors.len });
	query_bind_text(q, 5, cell_of(a, s, COL_KIND));
	query_bind_text(q, 6, cell_of(a, s, COL_UNIT));
	got = query_next(q, f);
	*id = got > 0 ? query_integer(q, 0) : 0;
	if (got > 0 &&
	    check_origin(a, s,
	        (struct text[]){ query_text(q, 1), query_text(q, 2), query_text(q, 3) },
	        f) < 0)
		got = -1;
	query_rewind(q);
	return got < 0 ? -1 : 0;
}

static void add_key(struct buf *key, struct text t)
{
	buf_put(key, &t.len, sizeof(t.len));
	buf_text(key, t);
}

/* What was ingested before may not be in the tables yet. */
static int check_ingested(struct adding *a, const struct ingest_series *s, struct fault *f)
{
	static const enum column subject[] = { COL_BENCH, COL_METRIC, COL_KIND, COL_UNIT };
	size_t known = a->subjects.count, number;
	const struct ingest_series *first;

	a->key.len = 0;
	buf_put(&a->key, &s->run, sizeof(s->run));
	for (size_t i = 0; i < COUNT(subject); i++)
		add_key(&a->key, cell_of(a, s, subject[i]));
	buf_put(&a->key, a->factors.ptr, a->factors.len);
	number = intern_add(&a->subjects, (struct text){ a->key.ptr, a->key.len });
	if (number == known) {
		*VEC_ADD(a->of_subject, known, a->cap) = (size_t)(s - a->in->series);
		return 0;
	}
	first = &a->in->series[a->of_subject[number]];
	return check_origin(a, s,
	    (struct text[]){ cell_of(a, first, COL_HOST), cell_of(a, first, COL_ENV),
	        cell_of(a, first, COL_COMMIT) },
	    f);
}

/* Rows of the series under way into a checksum. */
static void sum_rows(struct adding *a, const struct ingest_series *s,
    const struct pack_row *rows, size_t count, struct checksum *sum)
{
	char time[STAMP_MAX];

	if (!a->run[s->run].summed)
		return;
	for (size_t i = 0; i < count; i++)
		checksum_row(sum, &a->series, &rows[i],
		    pack_time_text(&rows[i], &a->in->texts, time),
		    intern_text(&a->in->texts, rows[i].status));
}

static int write_new(
    struct adding *a, const struct ingest_series *s, int64_t *id, struct fault *f)
{
	struct store_subject subject = {
		.run_id = a->run[s->run].id,
		.bench = cell_of(a, s, COL_BENCH),
		.metric = cell_of(a, s, COL_METRIC),
		.factors = { a->factors.ptr, a->factors.len },
		.kind = cell_of(a, s, COL_KIND),
		.unit = cell_of(a, s, COL_UNIT),
		.host = cell_of(a, s, COL_HOST),
		.env = cell_of(a, s, COL_ENV),
		.commit = cell_of(a, s, COL_COMMIT),
	};

	return store_write_series(&a->write, &subject, id, f);
}

/* A new series in order: its chunks as they were packed. */
static int keep_chunks(struct adding *a, const struct ingest_series *s, struct fault *f)
{
	int64_t id;

	for (size_t i = 0; i < s->chunks; i++) {
		struct text bytes = { s->chunk[i].bytes, s->chunk[i].len };

		a->rows.count = 0;
		if (pack_decode(bytes, &a->in->texts, &a->rows, f) < 0)
			return -1;
		store_write_count(&a->write, &a->in->texts, a->rows.row, a->rows.count);
		sum_rows(a, s, a->rows.row, a->rows.count, &a->run[s->run].sum);
	}
	if (write_new(a, s, &id, f) < 0)
		return -1;
	for (size_t i = 0; i < s->chunks; i++)
		if (store_write_chunk(&a->write, id, (int64_t)i,
		        (struct text){ s->chunk[i].bytes, s->chunk[i].len },
		        s->chunk[i].rows, f) < 0)
			return -1;
	a->added->rows += s->rows;
	return 0;
}

static int read_kept(struct adding *a, int64_t id, struct fault *f)
{
	int got;

	store_chunks_begin(&a->kept, id);
	while ((got = store_chunks_next(&a->kept, f)) > 0)
		if (pack_decode(a->kept.data, &a->in->texts, &a->rows, f) < 0) {
			struct fault why = *f;

			store_chunks_end(&a->kept);
			return fault_set(f, "%s: %.900s", a->store->name, why.text);
		}
	return got;
}

/* Whether the chunks of a series are, byte for byte, those that are kept: 1, 0 or -1. */
static int same_chunks(
    struct adding *a, const struct ingest_series *s, int64_t id, struct fault *f)
{
	size_t same = 0;
	int got;

	store_chunks_begin(&a->kept, id);
	while ((got = store_chunks_next(&a->kept, f)) > 0) {
		if (same == s->chunks ||
		    !text_equal(a->kept.data,
		        (struct text){ s->chunk[same].bytes, s->chunk[same].len }))
			break;
		same++;
	}
	store_chunks_end(&a->kept);
	return got < 0 ? -1 : got == 0 && same == s->chunks;
}

/* The sum of a run in which the old rows of the series under way give way to all of them.
 */
static void sum_anew(struct adding *a, const struct ingest_series *s,
    const struct pack_rows *merged, const struct pack_row *old, size_t olds)
{
	struct checksum *sum = &a->run[s->run].sum, before = { 0 };

	sum_rows(a, s, old, olds, &before);
	checksum_subtract(sum, &before);
	sum_rows(a, s, merged->row, merged->count, sum);
}

/* What came, sorted in among what is there, in place of it. */
static int rewrite(struct adding *a, const struct ingest_series *s, int64_t id,
    const struct pack_rows *merged, struct fault *f)
{
	store_write_count(&a->write, &a->in->texts, merged->row, merged->count);
	if (!id) {
		if (write_new(a, s, &id, f) < 0)
			return -1;
	} else if (store_write_summary(&a->write, id, f) < 0 ||
	           store_write_drop(&a->write, id, f) < 0) {
		return -1;
	}
	return store_write_rows(
	    &a->write, id, &a->in->texts, merged->row, merged->count, f);
}

/* Sort the new rows in among those that are there, none when there is no id. */
static int merge_series(
    struct adding *a, const struct ingest_series *s, int64_t id, struct fault *f)
{
	struct pack_rows merged = { 0 };
	size_t old, fresh;
	int status = -1, same = id ? same_chunks(a, s, id, f) : 0;

	if (same < 0)
		return -1;
	if (same && s->as_kept) {
		a->added->known += s->rows;
		return 0;
	}
	a->rows.count = 0;
	if (id && read_kept(a, id, f) < 0)
		return -1;
	old = a->rows.count;
	if (ingest_series_rows(a->in, s, &a->rows, f) < 0)
		return -1;
	if (merge_rows(a->in, s, a->rows.row, old, a->rows.count, &merged, f) == 0) {
		fresh = merged.count - old;
		a->added->rows += fresh;
		a->added->known += s->rows - fresh;
		status = fresh ? rewrite(a, s, id, &merged, f) : 0;
		if (fresh)
			sum_anew(a, s, &merged, a->rows.row, old);
	}
	free(merged.row);
	return status;
}

static int keep_series(struct adding *a, const struct ingest_series *s, struct fault *f)
{
	struct target *run = &a->run[s->run];
	uint64_t before = a->added->rows;
	int64_t id = 0;

	a->factors.len = 0;
	ingest_series_factors(a->in, s, &a->factors);
	if (find_run(a, s, f) < 0 || check_ingested(a, s, f) < 0 ||
	    (!run->fresh && find_series(a, s, &id, f) < 0))
		return -1;
	a->series = ingest_series_checksum(a->in, s);
	store_write_begin(&a->write);
	if ((!id && s->as_kept ? keep_chunks(a, s, f) : merge_series(a, s, id, f)) < 0)
		return -1;
	if (a->added->rows > before) {
		a->added->runs += !run->changed;
		run->changed = true;
	}
	return 0;
}

static int keep_sums(struct adding *a, struct fault *f)
{
	struct query *q = a->query[SUM_RUN];
	char hex[CHECKSUM_HEX + 1];

	for (size_t i = 0; i < a->in->runs; i++) {
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

static int keep_fact(struct adding *a, const struct ingest_fact *fact, struct fault *f)
{
	struct text env = intern_text(&a->in->texts, fact->env),
	            name = intern_text(&a->in->texts, fact->fact),
	            value = intern_text(&a->in->texts, fact->value);
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
	for (size_t i = 0; i < a->in->count; i++)
		if (keep_series(a, &a->in->series[i], f) < 0)
			return -1;
	if (keep_sums(a, f) < 0)
		return -1;
	for (size_t i = 0; i < a->in->facts; i++)
		if (keep_fact(a, &a->in->fact[i], f) < 0)
			return -1;
	return db_flush(a->store->db, f);
}

static int add_once(
    struct store *s, struct ingest *in, struct store_added *added, struct fault *f)
{
	struct adding a = { .store = s, .in = in, .added = added };
	int status;

	*added = (struct store_added){ 0 };
	if (db_begin(s->db, f) < 0)
		return -1;
	a.run = mem_zero(in->runs, sizeof(*a.run));
	status = keep_all(&a, f);
	for (size_t i = 0; i < STATEMENTS; i++)
		query_close(a.query[i]);
	store_chunks_close(&a.kept);
	store_write_close(&a.write);
	if (status == 0)
		status = db_commit(s->db, f);
	if (status < 0)
		db_rollback(s->db);
	free(a.run);
	free(a.rows.row);
	free(a.of_subject);
	intern_free(&a.subjects);
	buf_free(&a.factors);
	buf_free(&a.key);
	return status;
}

int store_add(
    struct store *s, struct ingest *in, struct store_added *added, struct fault *f)
{
	int status;

	do
		status = add_once(s, in, added, f);
	while (status < 0 && db_again(s->db));
	return status;
}
