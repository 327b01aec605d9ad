/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learns names of machines and users; see store_names_priv.h. */
#include "record/anonymize.h"
#include "record/factors.h"
#include "store/store_names_priv.h"

static const char select_texts[] = "SELECT host, bench, factors FROM benchmark_history";
static const char select_facts[] =
    "SELECT fact, value FROM hardware_info UNION SELECT fact, value FROM fact_set_values"
    " UNION SELECT fact, value FROM run_fact_changes WHERE value IS NOT NULL";

static void learn_factor_names(void *ctx, struct factor f)
{
	anonymizer_learn(ctx, f.name, f.value);
}

static int learn_series_names(struct store *s, const struct store_filter *filter,
    struct anonymizer *names, struct fault *f)
{
	struct query *q = store_filter_query(
	    s->db, filter, select_texts, "GROUP BY host, bench, factors", 1, f);
	int got = q ? 1 : -1;

	if (q)
		query_many(q);
	while (got > 0 && (got = query_next(q, f)) > 0) {
		anonymizer_learn(names, TEXT("host"), query_text(q, 0));
		anonymizer_learn(names, TEXT("bench"), query_text(q, 1));
		if (!factors_read(query_text(q, 2), learn_factor_names, names))
			got = fault_set(
			    f, "%s: the factors of a series are damaged", s->name);
	}
	query_close(q);
	return got;
}

static int learn_fact_names(struct store *s, struct anonymizer *names, struct fault *f)
{
	struct query *q = db_query(s->db, select_facts, f);
	int got = q ? 1 : -1;

	if (q)
		query_many(q);
	while (got > 0 && (got = query_next(q, f)) > 0)
		anonymizer_learn(names, query_text(q, 0), query_text(q, 1));
	query_close(q);
	return got;
}

int store_learn_names(struct store *s, const struct store_filter *filter,
    struct anonymizer *names, struct fault *f)
{
	if (learn_series_names(s, filter, names, f) < 0)
		return -1;
	return learn_fact_names(s, names, f);
}
