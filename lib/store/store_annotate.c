/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Annotations; see store_annotate.h.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "store/store_annotate.h"
#include "store/store_annotate_priv.h"
#include "store/store_priv.h"
#include "text/stamp.h"
#include "text/units.h"

int store_annotation_init(struct store_annotation *annotation,
    const struct store_annotation_opts *opts, struct fault *f)
{
	struct store_filter others = *opts->filter;
	struct fault why;

	*annotation =
	    (struct store_annotation){ .text = opts->text, .is_moment = opts->at };
	if (!*opts->text)
		return fault_set(f, "an annotation cannot be empty");
	if (!opts->at)
		return 0;
	others.host = others.bench = (struct store_filter_names){ 0 };
	if (!store_filter_is_empty(&others) || opts->runs)
		return fault_set(
		    f, "annotate: --at can be combined only with --host and --bench");
	if (stamp_option(opts->at, opts->now_ns, &annotation->at, &why) < 0)
		return fault_set(f, "--at: %.900s", why.text);
	return 0;
}

/* The columns of SEAL_ANNOTATION in seal_columns. */
#define ANNOTATION "annotation_id, run_id, at, host, bench, text, author, added"

static const char add_to_run[] =
    "INSERT INTO annotations (text, author, added, run_id, host, bench)"
    " SELECT $1, $2, $3, run_id, '', '' FROM benchmark_runs WHERE run_id = $4 AND NOT "
    "EXISTS"
    " (SELECT 1 FROM annotations AS a WHERE a.run_id = $4 AND a.text = $1)"
    " RETURNING " ANNOTATION;
static const char add_to_named[] =
    "INSERT INTO annotations (text, author, added, run_id, host, bench)"
    " SELECT $1, $2, $3, r.run_id, '', '' FROM benchmark_runs AS r WHERE r.run = $4"
    " AND NOT EXISTS (SELECT 1 FROM annotations AS a WHERE a.run_id = r.run_id"
    " AND a.text = $1)"
    " RETURNING " ANNOTATION;
static const char add_moment[] =
    "INSERT INTO annotations (text, author, added, at, host, bench)"
    " SELECT $1, $2, $3, $4, $5, $6 WHERE NOT EXISTS (SELECT 1 FROM annotations AS a WHERE"
    " a.run_id IS NULL AND a.text = $1 AND a.at = $4 AND a.host = $5 AND a.bench = $6)"
    " RETURNING " ANNOTATION;

/* Runs a statement that adds annotations, and updates their seal. 0 or -1. */
static int add_sealed(struct store_seal *seal, struct query *q, struct fault *f)
{
	return store_seal_made(
	    seal, SEAL_ANNOTATION, q, &seal->change[STORE_SEAL_ANNOTATIONS], NULL, f);
}

/* Binds the first values of both statements; `now` holds the text of the current time. */
static void bind_annotation(
    struct query *q, const struct store_annotation *what, char now[STAMP_MAX])
{
	query_bind_text(q, 1, text_of(what->text));
	query_bind_text(q, 2, text_of(what->author));
	query_bind_text(
	    q, 3, (struct text){ now, stamp_print(now, clock_realtime_ns(), 9) });
}

static int annotate_runs(struct store *s, struct store_seal *seal,
    const struct store_annotation *what, const struct store_filter *filter, uint64_t *count,
    struct fault *f)
{
	struct query *q = db_query(s->db, add_to_run, f);
	char now[STAMP_MAX];
	int64_t *ids = NULL;
	size_t n = 0;
	int status = q ? store_select_runs(s, filter, &ids, &n, f) : -1;

	if (status == 0)
		bind_annotation(q, what, now);
	for (size_t i = 0; i < n && status == 0; i++) {
		query_bind_integer(q, 4, ids[i]);
		status = add_sealed(seal, q, f);
	}
	*count = n;
	free(ids);
	query_close(q);
	return status;
}

/* Returns the name at an index, or '' for all if there are no names. */
static struct text name_or_all(const struct store_filter_names *names, size_t i)
{
	return text_of(names->count ? names->item[i] : "");
}

static int annotate_moment(struct store *s, struct store_seal *seal,
    const struct store_annotation *what, const struct store_filter *filter, uint64_t *count,
    struct fault *f)
{
	size_t hosts = filter->host.count ? filter->host.count : 1,
	       benches = filter->bench.count ? filter->bench.count : 1;
	struct query *q = db_query(s->db, add_moment, f);
	char now[STAMP_MAX], at[STAMP_MAX];
	int status = q ? 0 : -1;

	if (status == 0) {
		bind_annotation(q, what, now);
		query_bind_text(q, 4, (struct text){ at, stamp_print(at, what->at, 9) });
	}
	for (size_t i = 0; i < hosts * benches && status == 0; i++) {
		query_bind_text(q, 5, name_or_all(&filter->host, i / benches));
		query_bind_text(q, 6, name_or_all(&filter->bench, i % benches));
		status = add_sealed(seal, q, f);
	}
	*count = hosts * benches;
	query_close(q);
	return status;
}

/* Adds annotations in a transaction that has begun, and commits. */
static int annotate_once(struct store *s, const struct store_annotation *annotation,
    const struct store_filter *filter, uint64_t *count, struct fault *f)
{
	struct store_seal seal;
	int status;

	store_seal_open(&seal, s->db);
	status = (annotation->is_moment ? annotate_moment : annotate_runs)(
	    s, &seal, annotation, filter, count, f);
	if (status == 0)
		status = store_seal_write(&seal, f);
	store_seal_close(&seal);
	return status == 0 ? db_commit(s->db, f) : -1;
}

int store_annotate(struct store *s, const struct store_annotation *annotation,
    const struct store_filter *filter, uint64_t *count, struct fault *f)
{
	int status;

	do {
		status = db_begin(s->db, f);
		if (status == 0 && annotate_once(s, annotation, filter, count, f) < 0) {
			db_rollback(s->db);
			status = -1;
		}
	} while (status < 0 && db_retry(s->db));
	return status;
}

/* Removes an annotation, which must exist. 0 or -1. */
static int remove_annotation(
    struct store_seal *seal, struct query *q, const char *number, struct fault *f)
{
	struct checksum *sum = &seal->change[STORE_SEAL_ANNOTATIONS];
	uint64_t removed = 0;
	int64_t id;

	if (!integer_parse(text_of(number), &id))
		return fault_set(f,
		    "'%s' is not the number of an annotation (use list annotations to see "
		    "the numbers)",
		    number);
	query_bind_integer(q, 1, id);
	if (store_seal_removed(seal, SEAL_ANNOTATION, q, sum, &removed, f) < 0)
		return -1;
	if (!removed)
		return fault_set(f,
		    "annotation %s does not exist (use list annotations to see the "
		    "numbers); "
		    "no annotation was removed",
		    number);
	return 0;
}

static int remove_annotations(
    struct store *s, char *const *number, size_t count, struct fault *f)
{
	struct query *q = db_query(s->db,
	    "DELETE FROM annotations WHERE annotation_id = $1 RETURNING " ANNOTATION, f);
	struct store_seal seal;
	int status = q ? 0 : -1;

	store_seal_open(&seal, s->db);
	for (size_t i = 0; i < count && status == 0; i++)
		status = remove_annotation(&seal, q, number[i], f);
	if (status == 0)
		status = store_seal_write(&seal, f);
	store_seal_close(&seal);
	query_close(q);
	return status;
}

int store_unannotate(struct store *s, char *const *number, size_t count, struct fault *f)
{
	int status;

	do {
		status = db_begin(s->db, f);
		if (status == 0 && (remove_annotations(s, number, count, f) < 0 ||
		                       db_commit(s->db, f) < 0)) {
			db_rollback(s->db);
			status = -1;
		}
	} while (status < 0 && db_retry(s->db));
	return status;
}

/* Appends the condition for annotations on the selected series. */
static void put_chosen(struct buf *sql, const struct store_filter *filter)
{
	char time[STAMP_MAX];

	buf_str(sql, " WHERE n.run_id IN (SELECT run_id FROM chosen) OR (n.run_id IS NULL"
	             " AND EXISTS (SELECT 1 FROM chosen AS c WHERE n.host IN ('', c.host)"
	             " AND n.bench IN ('', c.bench)) AND n.at >= ");
	if (filter->has_since) {
		stamp_print(time, filter->since, 9);
		buf_printf(sql, "'%s'", time);
	} else {
		buf_str(sql, "(SELECT min(c.at) FROM chosen AS c)");
	}
	if (filter->has_until) {
		stamp_print(time, filter->until, 9);
		buf_printf(sql, " AND n.at < '%s'", time);
	}
	buf_byte(sql, ')');
}

int store_list_annotations(struct store *s, const struct store_filter *filter,
    struct store_output *out, struct fault *f)
{
	struct buf after = { 0 };
	struct query *q;
	int status;

	buf_str(&after,
	    ") SELECT n.annotation_id AS annotation, coalesce(n.at, r.time, r.added) AS at,"
	    " coalesce(r.run, '') AS run, CASE WHEN r.run IS NULL THEN n.host ELSE r.host "
	    "END"
	    " AS host, n.bench, n.text, n.author, n.added"
	    " FROM annotations AS n LEFT JOIN benchmark_runs AS r ON r.run_id = n.run_id");
	if (!store_filter_is_empty(filter))
		put_chosen(&after, filter);
	buf_str(&after, " ORDER BY 2, 1");
	q = store_filter_query(s->db, filter,
	    "WITH chosen AS (SELECT run_id, host, bench, at FROM benchmark_history",
	    after.ptr, 1, f);
	status = q ? store_print(q, out, f) : -1;
	query_close(q);
	buf_free(&after);
	return status;
}

/* Copies the rows of a query on another database with a statement. 0 or -1. */
static int copy_annotations(struct store_seal *seal, struct db *from, const char *read,
    const char *write, int values, struct fault *f)
{
	struct query *q = db_query(from, read, f),
	             *add = q ? db_query(seal->db, write, f) : NULL;
	int got = add ? 1 : -1;

	if (q)
		query_many(q);
	while (got > 0 && (got = query_next(q, f)) > 0) {
		for (int i = 0; i < values; i++)
			query_bind_text(add, i + 1, query_text(q, i));
		if (add_sealed(seal, add, f) < 0)
			got = -1;
	}
	query_close(add);
	query_close(q);
	return got;
}

int store_copy_annotations(struct store_seal *seal, struct db *from, struct fault *f)
{
	if (copy_annotations(seal, from,
	        "SELECT text, author, n.added, run FROM annotations AS n"
	        " JOIN benchmark_runs USING (run_id) ORDER BY annotation_id",
	        add_to_named, 4, f) < 0)
		return -1;
	return copy_annotations(seal, from,
	    "SELECT text, author, added, at, host, bench FROM annotations"
	    " WHERE run_id IS NULL ORDER BY annotation_id",
	    add_moment, 6, f);
}
