/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tags of runs.
 */
#include <stdlib.h>

#include "store/store_priv.h"
#include "store/store_seal.h"

/*
 * A statement that adds or removes a tag, and the function that updates the seal of the
 * tags.
 */
struct tag_change {
	const char *sql; /* $1: tag, $2: run; returns the inserted or removed rows */
	int (*seal)(struct store_seal *s, enum seal_table table, struct query *q,
	    struct checksum *sum, uint64_t *count, struct fault *f);
	const char *tag;
};

/* Adds or removes the tag of each selected run. */
static int for_each_run(struct store *s, const struct tag_change *c,
    const struct store_filter *filter, uint64_t *count, struct fault *f)
{
	struct query *change = db_query(s->db, c->sql, f);
	struct store_seal seal;
	int64_t *ids = NULL;
	size_t n = 0;
	int got = change ? store_select_runs(s, filter, &ids, &n, f) : -1;

	store_seal_open(&seal, s->db);
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
