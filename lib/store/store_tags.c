/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tags of runs, and runs by the beginnings of their names.
 */
#include <stdlib.h>
#include <string.h>

#include "store/store_priv.h"
#include "store/store_seal.h"

/* Adds or removes a tag, and keeps the seal of the tags. */
struct tag_change {
	const char *sql; /* $1: tag, $2: run; gives the rows that it makes or removes */
	int (*seal)(struct store_seal *s, enum seal_table table, struct query *q,
	    struct checksum *sum, uint64_t *count, struct fault *f);
	const char *tag;
};

/* Changes the tag of each selected run. */
static int for_each_run(struct store *s, const struct tag_change *c,
    const struct store_filter *filter, uint64_t *count, struct fault *f)
{
	struct query *runs = store_filter_query(s->db, filter,
	                 "SELECT DISTINCT run_id FROM benchmark_history", "", 1, f),
	             *change = runs ? db_query(s->db, c->sql, f) : NULL;
	struct store_seal seal;
	int64_t *ids = NULL;
	size_t n = 0, cap = 0;
	int got = change ? 1 : -1;

	store_seal_open(&seal, s->db);
	while (got > 0 && (got = query_next(runs, f)) > 0)
		*VEC_ADD(ids, n, cap) = query_integer(runs, 0);
	for (size_t i = 0; i < n && got == 0; i++) {
		query_bind_text(change, 1, text_of(c->tag));
		query_bind_integer(change, 2, ids[i]);
		got = c->seal(
		    &seal, SEAL_TAG, change, &seal.change[STORE_SEAL_TAGS], NULL, f);
	}
	if (got == 0)
		got = store_seal_write(&seal, f);
	store_seal_close(&seal);
	*count = n;
	free(ids);
	query_close(change);
	query_close(runs);
	return got;
}

static int change_tags(struct store *s, const struct tag_change *c,
    const struct store_filter *filter, uint64_t *count, struct fault *f)
{
	int status;

	if (!*c->tag)
		return fault_set(f, "a tag cannot be empty");
	do {
		status = db_begin(s->db, f);
		if (status == 0 &&
		    (for_each_run(s, c, filter, count, f) < 0 || db_commit(s->db, f) < 0)) {
			db_rollback(s->db);
			status = -1;
		}
	} while (status < 0 && db_retry(s->db));
	return status;
}

int store_tag(struct store *s, const char *tag, const struct store_filter *filter,
    uint64_t *count, struct fault *f)
{
	const struct tag_change change = {
		"INSERT INTO run_tags (tag, run_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
		" RETURNING tag, run_id",
		store_seal_made, tag
	};

	return change_tags(s, &change, filter, count, f);
}

int store_untag(struct store *s, const char *tag, const struct store_filter *filter,
    uint64_t *count, struct fault *f)
{
	const struct tag_change change = {
		"DELETE FROM run_tags WHERE tag = $1 AND run_id = $2 RETURNING tag, run_id",
		store_seal_removed, tag
	};
	struct store_filter tagged = *filter;

	if (!tagged.tag.count)
		tagged.tag = (struct store_filter_names){ &tag, 1 };
	return change_tags(s, &change, &tagged, count, f);
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
