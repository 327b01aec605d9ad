/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds runs by filters, and by prefixes of their names.
 */
#include <stdlib.h>
#include <string.h>

#include "store/store_priv.h"

int store_select_runs(struct store *s, const struct store_filter *filter, int64_t **ids,
    size_t *count, struct fault *f)
{
	struct query *q = store_filter_query(
	    s->db, filter, "SELECT DISTINCT run_id FROM benchmark_history", "", 1, f);
	size_t cap = 0;
	int got = q ? 1 : -1;

	*ids = NULL;
	*count = 0;
	while (got > 0 && (got = query_next(q, f)) > 0)
		*VEC_ADD(*ids, *count, cap) = query_integer(q, 0);
	query_close(q);
	return got;
}

static char *find_run(struct store *s, const char *prefix, struct fault *f)
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
			fault_set(
			    f, "several runs have names that begin with '%s'", prefix);
	} else if (got == 0) {
		fault_set(f, "no run has a name that begins with '%s'", prefix);
	}
	query_close(q);
	if (got == 0)
		return run;
	free(run);
	return NULL;
}

char **store_find_runs(struct store *s, char *const *prefix, size_t count, struct fault *f)
{
	char **run = mem_zero(count + 1, sizeof(*run));

	for (size_t i = 0; i < count; i++) {
		/* An empty prefix, as from an unset variable of a script, would name
		 * the only run. */
		if (!*prefix[i])
			fault_set(f, "the name of a run is empty");
		else
			run[i] = find_run(s, prefix[i], f);
		if (!run[i]) {
			store_free_runs(run);
			return NULL;
		}
	}
	return run;
}

void store_free_runs(char **run)
{
	for (size_t i = 0; run && run[i]; i++)
		free(run[i]);
	free(run);
}
