/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the lists and properties of a store.
 */
#include <stdlib.h>
#include <string.h>

#include "store/store_annotate.h"
#include "store/store_priv.h"
#include "store/store_spool.h"
#include "text/near_name.h"

/* The lists, as queries around the condition of the filter, which uses $1 and so on. */
static const struct list {
	const char *name, *before, *after;
} lists[] = {
	{ "runs",
	    "SELECT run, coalesce(min(time), '') AS time, min(host) AS host, min(env) AS "
	    "env,"
	    " min(commit_id) AS \"commit\", count(DISTINCT bench) AS benches,"
	    " count(*) AS series, sum(row_count) AS rows, sum(failed) AS failed,"
	    " (SELECT %s(tag, ' ') FROM (SELECT tag FROM run_tags AS t"
	    " WHERE t.run_id = h.run_id ORDER BY tag) AS tag) AS tags,"
	    " min(completeness) AS completeness FROM benchmark_history AS h",
	    "GROUP BY run_id, run ORDER BY min(at), run_id" },
	{ "benches",
	    "SELECT kind, bench, count(DISTINCT factors) AS variants,"
	    " count(DISTINCT metric) AS metrics, count(DISTINCT run_id) AS runs,"
	    " sum(row_count) AS rows, sum(failed) AS failed, min(at) AS first,"
	    " max(at) AS last FROM benchmark_history",
	    "GROUP BY kind, bench ORDER BY kind, bench" },
	/* The host that has been silent longest comes first. */
	{ "hosts",
	    "SELECT host, count(DISTINCT env) AS envs, count(DISTINCT run_id) AS runs,"
	    " sum(row_count) AS rows, sum(failed) AS failed, min(at) AS first,"
	    " max(at) AS last FROM benchmark_history",
	    "GROUP BY host ORDER BY max(at), host" },
	{ "tags",
	    "SELECT tag, count(DISTINCT run_id) AS runs, min(at) AS first, max(at) AS last"
	    " FROM run_tags JOIN benchmark_history USING (run_id)",
	    "GROUP BY tag ORDER BY tag" },
	{ "facts",
	    "SELECT r.run, i.env, i.fact, i.value FROM run_facts AS i"
	    " JOIN benchmark_runs AS r USING (run_id)"
	    " WHERE run_id IN (SELECT run_id FROM benchmark_history",
	    ") ORDER BY coalesce(r.time, r.added), run_id, i.env, i.fact" },
};
static const char annotations[] = "annotations";
const char *const store_lists[] = { "runs", "benches", "hosts", "tags", "facts",
	annotations, NULL };

int store_list(struct store *s, const char *what, const struct store_filter *filter,
    struct store_output *out, struct fault *f)
{
	struct query *q;
	char *before;
	size_t i = 0;
	int status;

	while (i < COUNT(lists) && strcmp(what, lists[i].name) != 0)
		i++;
	if (strcmp(what, annotations) == 0)
		return store_list_annotations(s, filter, out, f);
	if (i == COUNT(lists)) {
		struct known_names known = { 0 };

		known_names_add_all(
		    &known, store_lists, sizeof(*store_lists), COUNT(store_lists) - 1);
		return unknown_name(f, "unknown list", text_of(what), &known);
	}
	before = str_format(lists[i].before, db_word(s->db, DB_JOIN_TEXTS));
	q = store_filter_query(s->db, filter, before, lists[i].after, 1, f);
	status = q ? store_print(q, out, f) : -1;
	query_close(q);
	free(before);
	return status;
}

/*
 * The rows of info: statements that return one value, or words of the dialect that are
 * such statements.
 */
static const struct {
	const char *field, *sql;
	enum db_word word;
} infos[] = {
	{ "driver", NULL, DB_VERSION },
	{ "journal", NULL, DB_JOURNAL },
	{ "schema", NULL, DB_SCHEMA },
	{ "size_bytes", NULL, DB_SIZE },
	{ "runs", "SELECT count(*) FROM benchmark_runs", 0 },
	{ "incomplete_runs",
	    "SELECT count(*) FROM benchmark_runs WHERE row_count < expected_rows", 0 },
	{ "unknown_runs", "SELECT count(*) FROM benchmark_runs WHERE expected_rows IS NULL",
	    0 },
	{ "series", "SELECT count(*) FROM benchmark_results", 0 },
	{ "rows", "SELECT coalesce(sum(row_count), 0) FROM benchmark_results", 0 },
	{ "facts", "SELECT count(*) FROM hardware_info", 0 },
	{ "tags", "SELECT count(DISTINCT tag) FROM run_tags", 0 },
	{ "annotations", "SELECT count(*) FROM annotations", 0 },
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
		render_row(r, (struct cell[]){
		                  CELL_OF_TEXT(text_of(field)), store_cell(q, 0, &made) });
	buf_free(&made);
	query_close(q);
	return got < 0 ? -1 : 0;
}

/* Prints the number of spooled files, and the spool directories of other users. */
static void put_waiting(struct store *s, struct render *r)
{
	uint64_t waiting, refused;
	char **others;
	size_t count = store_spool_others(s, &others);

	store_count_spool(s, &waiting, &refused);
	render_row(r, (struct cell[]){ CELL_OF_TEXT(TEXT("waiting")),
	                  CELL_OF_INTEGER((int64_t)waiting) });
	render_row(r, (struct cell[]){ CELL_OF_TEXT(TEXT("refused")),
	                  CELL_OF_INTEGER((int64_t)refused) });
	for (size_t i = 0; i < count; i++) {
		render_row(r, (struct cell[]){ CELL_OF_TEXT(TEXT("spool_of_other_user")),
		                  CELL_OF_TEXT(text_of(others[i])) });
		free(others[i]);
	}
	free(others);
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
	r = render_open(&out->to, columns, COUNT(columns));
	render_row(r, (struct cell[]){
	                  CELL_OF_TEXT(TEXT("database")), CELL_OF_TEXT(text_of(s->name)) });
	for (size_t i = 0; i < COUNT(infos) && status == 0; i++)
		status = put_info(s, r, infos[i].field,
		    infos[i].sql ? infos[i].sql : db_word(s->db, infos[i].word), f);
	db_rollback(s->db);
	db_guard(s->db, guarded);
	if (status == 0)
		put_waiting(s, r);
	if (store_printed(r, out, status == 0 ? f : &late) < 0)
		status = -1;
	return status;
}
