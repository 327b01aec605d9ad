/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening a store, and what is asked of it in a few lines of SQL: lists, tags, its state,
 * and the user's own statements.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/paths.h"
#include "store/store_priv.h"

struct store *store_open(const char *name, int flags, double wait_ns, struct fault *f)
{
	struct buf schema = { 0 };
	struct store *s = NULL;
	struct db *db = NULL;
	int how =
	    (flags & STORE_READ ? DB_READ : 0) | (flags & STORE_CREATE ? DB_CREATE : 0) |
	    (flags & STORE_EMPTY ? DB_EMPTY : 0) | (flags & STORE_DEFER ? DB_DEFER : 0);

	if (share_read("store/schema.sql", &schema, f) == 0)
		db =
		    db_open(name, how, (struct text){ schema.ptr, schema.len }, wait_ns, f);
	if (db) {
		s = mem_zero(1, sizeof(*s));
		*s = (struct store){ db, str_copy(db_name(db)), flags & STORE_READ };
	}
	buf_free(&schema);
	return s;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	db_close(s->db);
	free(s->name);
	free(s);
}

bool store_locked(const struct store *s)
{
	return db_trouble(s->db) == DB_LOCKED;
}

int store_copy(struct store *s, const char *path, struct fault *f)
{
	return db_copy(s->db, path, f);
}

void store_warn_location(const struct store *s, struct buf *out)
{
	db_warn_location(s->db, out);
}

char *store_default_name(struct fault *f)
{
	const char *name = getenv("BENCH_DB"), *data = getenv("XDG_DATA_HOME"),
	           *home = getenv("HOME");

	if (name && *name)
		return str_copy(name);
	if (data && *data)
		return str_format("%s/benchutils/bench.db", data);
	if (home && *home)
		return str_format("%s/.local/share/benchutils/bench.db", home);
	fault_set(f, "which database? -D or $BENCH_DB names one, and there is neither "
	             "$XDG_DATA_HOME nor $HOME to keep your own in");
	return NULL;
}

int store_make_folder(const char *name, struct fault *f)
{
	char *path;
	int status = 0;

	if (!db_is_file(name))
		return 0;
	path = str_copy(name);
	for (char *slash = strchr(path + 1, '/'); slash && status == 0;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0777) < 0 && errno != EEXIST)
			status = fault_errno(f, "%s", path);
		*slash = '/';
	}
	free(path);
	return status;
}

int store_printed(struct render *r, struct store_output *out, struct fault *f)
{
	if (render_close(r) == 0)
		return 0;
	out->error = errno;
	return fault_errno(f, "standard output");
}

static void put_hex(struct buf *b, struct text bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		buf_printf(b, "%02x", (unsigned char)bytes.ptr[i]);
}

/* A cell of what a query gives; text that has to be made goes into b. */
static struct cell cell_of(struct query *q, int column, struct buf *b)
{
	int64_t n;

	b->len = 0;
	switch (query_type(q, column)) {
	case QUERY_INTEGER:
		n = query_integer(q, column);
		if (n > -(INT64_C(1) << 53) && n < INT64_C(1) << 53)
			return CELL_OF_INTEGER(n);
		buf_printf(b, "%" PRId64, n);
		return CELL_OF_TEXT(((struct text){ b->ptr, b->len }));
	case QUERY_NUMBER:
		return CELL_OF_NUMBER(query_number(q, column));
	case QUERY_TEXT:
		return CELL_OF_TEXT(query_text(q, column));
	case QUERY_BYTES:
		put_hex(b, query_bytes(q, column));
		return CELL_OF_TEXT(((struct text){ b->ptr, b->len }));
	default:
		return (struct cell){ .kind = CELL_EMPTY };
	}
}

int store_print(struct query *q, struct store_output *out, struct fault *f)
{
	size_t columns = (size_t)query_columns(q);
	struct render_column *column = mem_zero(columns, sizeof(*column));
	struct cell *cells = mem_zero(columns, sizeof(*cells));
	struct buf *made = mem_zero(columns, sizeof(*made));
	struct render *r;
	int got;

	query_many(q);
	got = query_next(q, f); /* may fail before anything is printed */

	for (size_t i = 0; i < columns; i++)
		column[i].name = query_name(q, (int)i);
	r = got < 0 ? NULL : render_open(out->file, out->format, column, columns);
	for (; got > 0; got = query_next(q, f)) {
		for (size_t i = 0; i < columns; i++)
			cells[i] = cell_of(q, (int)i, &made[i]);
		render_row(r, cells);
	}
	if (r && store_printed(r, out, f) < 0)
		got = -1;
	for (size_t i = 0; i < columns; i++)
		buf_free(&made[i]);
	free(made);
	free(cells);
	free(column);
	return got;
}

/* $1 and so on of a list are the filter's. */
static const struct list {
	const char *name, *before, *after;
} lists[] = {
	{ "runs",
	    "SELECT run, coalesce(min(time), '') AS time, min(host) AS host, min(env) AS "
	    "env,"
	    " min(commit_id) AS \"commit\", count(DISTINCT bench) AS benches,"
	    " count(*) AS series, sum(row_count) AS rows, sum(failed) AS failed,"
	    " (SELECT %s(tag, ' ') FROM (SELECT tag FROM run_tags AS t"
	    " WHERE t.run_id = h.run_id ORDER BY tag) AS tag) AS tags FROM "
	    "benchmark_history AS h",
	    "GROUP BY run_id, run ORDER BY min(at), run_id" },
	{ "benches",
	    "SELECT kind, bench, count(DISTINCT factors) AS variants,"
	    " count(DISTINCT metric) AS metrics, count(DISTINCT run_id) AS runs,"
	    " sum(row_count) AS rows, sum(failed) AS failed, min(at) AS first,"
	    " max(at) AS last FROM benchmark_history",
	    "GROUP BY kind, bench ORDER BY kind, bench" },
	{ "tags",
	    "SELECT tag, count(DISTINCT run_id) AS runs, min(at) AS first, max(at) AS last"
	    " FROM run_tags JOIN benchmark_history USING (run_id)",
	    "GROUP BY tag ORDER BY tag" },
};
const char *const store_lists[] = { "runs", "benches", "tags", NULL };

int store_list(struct store *s, const char *what, const struct store_filter *filter,
    struct store_output *out, struct fault *f)
{
	struct query *q;
	char *before;
	size_t i = 0;
	int status;

	while (i < COUNT(lists) && strcmp(what, lists[i].name) != 0)
		i++;
	if (i == COUNT(lists))
		return fault_set(
		    f, "there is no list '%s' (there are runs, benches and tags)", what);
	before = str_format(lists[i].before, db_word(s->db, DB_JOIN_TEXTS));
	q = store_filter_query(s->db, filter, before, lists[i].after, 1, f);
	status = q ? store_print(q, out, f) : -1;
	query_close(q);
	free(before);
	return status;
}

/* What info tells: a statement of one value each, or the dialect's. */
static const struct {
	const char *field, *sql;
	enum db_word word;
} infos[] = {
	{ "driver", NULL, DB_VERSION },
	{ "journal", NULL, DB_JOURNAL },
	{ "schema", NULL, DB_SCHEMA },
	{ "size_bytes", NULL, DB_SIZE },
	{ "runs", "SELECT count(*) FROM benchmark_runs", 0 },
	{ "series", "SELECT count(*) FROM benchmark_results", 0 },
	{ "rows", "SELECT coalesce(sum(row_count), 0) FROM benchmark_results", 0 },
	{ "facts", "SELECT count(*) FROM hardware_info", 0 },
	{ "tags", "SELECT count(DISTINCT tag) FROM run_tags", 0 },
	{ "first", "SELECT min(at) FROM benchmark_history", 0 },
	{ "last", "SELECT max(at) FROM benchmark_history", 0 },
};

static int put_info(
    struct store *s, struct render *r, const char *field, const char *sql, struct fault *f)
{
	struct query *q = db_query(s->db, sql, f);
	struct buf made = { 0 };
	int got = q ? query_next(q, f) : -1;

	if (got > 0)
		render_row(r,
		    (struct cell[]){ CELL_OF_TEXT(text_of(field)), cell_of(q, 0, &made) });
	buf_free(&made);
	query_close(q);
	return got < 0 ? -1 : 0;
}

int store_info(struct store *s, struct store_output *out, struct fault *f)
{
	static const struct render_column columns[] = { { .name = "field" },
		{ .name = "value" } };
	bool guarded = db_guard(s->db, false);
	int status = db_begin_reading(s->db, f);
	struct fault late;
	struct render *r;

	if (status < 0)
		return -1;
	r = render_open(out->file, out->format, columns, COUNT(columns));
	render_row(r, (struct cell[]){
	                  CELL_OF_TEXT(TEXT("database")), CELL_OF_TEXT(text_of(s->name)) });
	for (size_t i = 0; i < COUNT(infos) && status == 0; i++)
		status = put_info(s, r, infos[i].field,
		    infos[i].sql ? infos[i].sql : db_word(s->db, infos[i].word), f);
	db_rollback(s->db);
	db_guard(s->db, guarded);
	if (store_printed(r, out, status == 0 ? f : &late) < 0)
		status = -1;
	return status;
}

/* Run a statement of ($1: tag, $2: run) for each selected run. */
static int for_each_run(struct store *s, const char *sql, const char *tag,
    const struct store_filter *filter, uint64_t *count, struct fault *f)
{
	struct query *runs = store_filter_query(s->db, filter,
	                 "SELECT DISTINCT run_id FROM benchmark_history", "", 1, f),
	             *change = runs ? db_query(s->db, sql, f) : NULL;
	int64_t *ids = NULL;
	size_t n = 0, cap = 0;
	int got = change ? 1 : -1;

	while (got > 0 && (got = query_next(runs, f)) > 0)
		*VEC_ADD(ids, n, cap) = query_integer(runs, 0);
	for (size_t i = 0; i < n && got == 0; i++) {
		query_bind_text(change, 1, text_of(tag));
		query_bind_integer(change, 2, ids[i]);
		got = query_run(change, f);
	}
	*count = n;
	free(ids);
	query_close(change);
	query_close(runs);
	return got;
}

static int change_tags(struct store *s, const char *sql, const char *tag,
    const struct store_filter *filter, uint64_t *count, struct fault *f)
{
	int status;

	if (!*tag)
		return fault_set(f, "a tag cannot be empty");
	do {
		status = db_begin(s->db, f);
		if (status == 0 && (for_each_run(s, sql, tag, filter, count, f) < 0 ||
		                       db_commit(s->db, f) < 0)) {
			db_rollback(s->db);
			status = -1;
		}
	} while (status < 0 && db_retry(s->db));
	return status;
}

int store_tag(struct store *s, const char *tag, const struct store_filter *filter,
    uint64_t *count, struct fault *f)
{
	return change_tags(s,
	    "INSERT INTO run_tags (tag, run_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
	    tag, filter, count, f);
}

int store_untag(struct store *s, const char *tag, const struct store_filter *filter,
    uint64_t *count, struct fault *f)
{
	struct store_filter tagged = *filter;

	if (!tagged.tag.count)
		tagged.tag = (struct store_filter_names){ &tag, 1 };
	return change_tags(s, "DELETE FROM run_tags WHERE tag = $1 AND run_id = $2", tag,
	    &tagged, count, f);
}

char *store_run(struct store *s, const char *prefix, struct fault *f)
{
	struct query *q = db_query(s->db,
	    "SELECT run FROM benchmark_runs WHERE substr(run, 1, length($1)) = $1"
	    " ORDER BY run <> $1, run LIMIT 2",
	    f);
	struct text found;
	char *run = NULL;
	int got;

	if (!q)
		return NULL;
	query_bind_text(q, 1, text_of(prefix));
	got = query_next(q, f);
	if (got > 0) {
		found = query_text(q, 0);
		run = mem_text(found.ptr, found.len);
		got = strcmp(run, prefix) == 0 ? 0 : query_next(q, f);
		if (got > 0)
			fault_set(f, "several runs begin with '%s'", prefix);
	} else if (got == 0) {
		fault_set(f, "no run is named, or begins with, '%s'", prefix);
	}
	query_close(q);
	if (got == 0)
		return run;
	free(run);
	return NULL;
}

int store_sql(struct store *s, const char *sql, char *const *value, size_t values,
    struct store_output *out, struct fault *f)
{
	struct query *q;
	size_t most = 0;
	bool end = false;
	int status = 0;

	while (status == 0 && (q = db_query_next(s->db, &sql, &end, f))) {
		size_t wanted = (size_t)query_placeholders(q);

		if (wanted > values)
			status = fault_set(f,
			    "the statement has %zu placeholders, but %zu values were given",
			    wanted, values);
		most = wanted > most ? wanted : most;
		for (size_t i = 0; i < wanted && status == 0; i++)
			query_bind_text(q, (int)i + 1, text_of(value[i]));
		if (status == 0)
			status =
			    query_columns(q) ? store_print(q, out, f) : query_run(q, f);
		query_close(q);
	}
	if (status < 0 || !end)
		return -1;
	if (most < values)
		return fault_set(
		    f, "%zu values were given for %zu placeholders", values, most);
	return 0;
}
