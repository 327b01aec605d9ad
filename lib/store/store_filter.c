/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts filters to conditions. The user's expression is the only text that becomes a
 * part of a statement. It is first prepared alone, so that it cannot close the
 * parenthesis around it, under a guard that allows only reading.
 */
#include <stdlib.h>
#include <string.h>

#include "record/factors.h"
#include "record/metric_filter.h"
#include "store/store_filter.h"
#include "text/stamp.h"

bool store_filter_is_empty(const struct store_filter *f)
{
	return !f->bench.count && !f->metric.count && !f->commit.count && !f->tag.count &&
	       !f->host.count && !f->env.count && !f->factor.count && !f->run.count &&
	       !f->has_since && !f->has_until && !f->last && !f->where;
}

bool store_filter_is_of_runs(const struct store_filter *f)
{
	return !f->bench.count && !f->metric.count && !f->factor.count && !f->where;
}

/* Appends a condition with $at in place of %. */
static void put_test(struct buf *sql, const char *test, int at)
{
	for (; *test; test++)
		if (*test == '%')
			buf_printf(sql, "$%d", at);
		else
			buf_byte(sql, *test);
}

static void put_names(
    struct buf *sql, const struct store_filter_names *names, const char *test, int *next)
{
	for (size_t i = 0; i < names->count; i++) {
		buf_str(sql, i ? " OR " : " AND (");
		put_test(sql, test, (*next)++);
	}
	if (names->count)
		buf_byte(sql, ')');
}

static void put_patterns(struct buf *sql, const struct db *db, const char *column,
    const struct store_filter_names *names, int *next)
{
	char *test = str_format("%s %s %%", column, db_word(db, DB_GLOB));

	put_names(sql, names, test, next);
	free(test);
}

int store_filter_check(const struct store_filter *f, struct fault *why)
{
	for (size_t i = 0; i < f->factor.count; i++) {
		const char *equals = strchr(f->factor.item[i], '=');

		if (!equals || equals == f->factor.item[i])
			return fault_set(why,
			    "--factor: '%s' is not of the form name=value",
			    f->factor.item[i]);
	}
	return 0;
}

static struct text factor_name(const char *item)
{
	return (struct text){ item, strcspn(item, "=") };
}

/* Returns whether an earlier factor has the same name. */
static bool named_before(const struct store_filter_names *factors, size_t i)
{
	for (size_t before = 0; before < i; before++)
		if (text_equal(
		        factor_name(factors->item[before]), factor_name(factors->item[i])))
			return true;
	return false;
}

static void put_factors(struct buf *sql, const struct db *db,
    const struct store_filter_names *factors, int *next)
{
	for (size_t i = 0; i < factors->count; i++) {
		if (named_before(factors, i))
			continue;
		buf_str(sql, " AND (FALSE");
		for (size_t j = i; j < factors->count; j++) {
			const char *item = factors->item[j];
			struct text name = factor_name(item);

			if (!text_equal(name, factor_name(factors->item[i])))
				continue;
			buf_str(sql, " OR ");
			put_test(sql,
			    db_word(
			        db, item[name.len + 1] ? DB_HAS_FACTOR : DB_LACKS_FACTOR),
			    *next + (int)j);
		}
		buf_byte(sql, ')');
	}
	*next += (int)factors->count;
}

static void bind_factors(
    struct query *q, const struct store_filter_names *factors, int *next)
{
	struct buf json = { 0 };

	for (size_t i = 0; i < factors->count; i++) {
		const char *item = factors->item[i];
		struct text name = factor_name(item), value = text_of(item + name.len + 1);

		json.len = 0;
		factors_write(&json, &(struct factor){ name, value }, 1);
		/* Without the braces and, if the value is empty, without the value. */
		query_bind_copy(q, (*next)++,
		    (struct text){ json.ptr + 1, json.len - 2 - (value.len ? 0 : 2) });
	}
	buf_free(&json);
}

static void put_conditions(
    struct buf *sql, const struct db *db, const struct store_filter *f, int *next)
{
	buf_str(sql, "TRUE");
	put_patterns(sql, db, "bench", &f->bench, next);
	put_patterns(sql, db, "metric", &f->metric, next);
	put_patterns(sql, db, "host", &f->host, next);
	put_patterns(sql, db, "env", &f->env, next);
	put_factors(sql, db, &f->factor, next);
	put_names(sql, &f->commit, "substr(commit_id, 1, length(%)) = %", next);
	put_names(
	    sql, &f->tag, "run_id IN (SELECT run_id FROM run_tags WHERE tag = %)", next);
	put_names(sql, &f->run, "run = %", next);
	if (f->has_since)
		buf_printf(sql, " AND at >= $%d", (*next)++);
	if (f->has_until)
		buf_printf(sql, " AND at < $%d", (*next)++);
	if (f->where)
		buf_printf(sql, " AND (%s\n)", f->where);
}

static void bind_names(struct query *q, const struct store_filter_names *names, int *next)
{
	for (size_t i = 0; i < names->count; i++)
		query_bind_text(q, (*next)++, text_of(names->item[i]));
}

static void bind_patterns(
    struct query *q, const struct db *db, const struct store_filter_names *names, int *next)
{
	for (size_t i = 0; i < names->count; i++) {
		struct buf pattern = { 0 };

		db_pattern(db, text_of(names->item[i]), &pattern);
		query_bind_copy(q, (*next)++, text_in(&pattern));
		buf_free(&pattern);
	}
}

static void bind_time(struct query *q, bool given, int64_t ns, int *next)
{
	char text[STAMP_MAX];

	if (given)
		query_bind_copy(
		    q, (*next)++, (struct text){ text, stamp_print(text, ns, 9) });
}

/*
 * Checks the user's expression: it must not close its parenthesis or contain
 * placeholders.
 */
static int try_where(struct db *db, const char *where, struct fault *f)
{
	char *sql = str_format("SELECT 1 FROM benchmark_history WHERE\n%s\n", where);
	char *inside = str_format("SELECT (%s\n) FROM benchmark_history", where);
	bool guarded = db_guard(db, true);
	struct query *q = db_query(db, sql, f), *in = q ? db_query(db, inside, f) : NULL;
	int status = in ? 0 : -1;

	db_guard(db, guarded);
	if (in && query_placeholders(in) > 0)
		status = fault_set(f, "placeholders are not allowed here");
	query_close(in);
	query_close(q);
	free(inside);
	free(sql);
	if (status < 0)
		fault_prefix(f, "--where");
	return status;
}

/*
 * Returns whether few series have the only benchmark of the filter. If so, its runs are
 * found from these series; otherwise by reading runs from the newest one on. -1 and the
 * message on failure.
 */
static int is_rare(struct db *db, const struct store_filter *filter, struct fault *f)
{
	enum { FEW = 3000 };
	struct buf sql = { 0 };
	struct query *q;
	int next = 1, rare = -1;

	if (filter->bench.count != 1)
		return 0;
	buf_str(&sql, "SELECT count(*) FROM (SELECT 1 FROM benchmark_results WHERE TRUE");
	put_patterns(&sql, db, "bench", &filter->bench, &next);
	buf_printf(&sql, " LIMIT %d) AS few", FEW);
	q = db_query(db, sql.ptr, f);
	buf_free(&sql);
	next = 1;
	if (q)
		bind_names(q, &filter->bench, &next);
	if (q && query_next(q, f) > 0)
		rare = query_integer(q, 0) < FEW;
	query_close(q);
	return rare;
}

/*
 * Appends the query for the newest $limit runs with a series that meets all conditions.
 */
static void put_newest(struct buf *sql, const struct db *db,
    const struct store_filter *filter, bool rare, int first, int limit)
{
	if (rare)
		buf_str(sql, " AND run_id IN (SELECT run_id FROM benchmark_history WHERE ");
	else
		buf_str(sql, " AND run_id IN (SELECT run_id FROM benchmark_runs AS newest"
		             " WHERE EXISTS (SELECT 1 FROM benchmark_history AS h"
		             " WHERE h.run_id = newest.run_id AND ");
	put_conditions(sql, db, filter, &first);
	if (rare)
		buf_str(sql, " GROUP BY run_id, at ORDER BY at DESC");
	else
		buf_str(sql, ") ORDER BY coalesce(time, added) DESC");
	buf_printf(sql, ", run_id DESC LIMIT $%d)", limit);
}

/* Checks that the database has metrics for all patterns of the lists. Returns 0, or -1 and
 * a message that names its metrics. */
static int check_metrics(
    struct db *db, const struct store_filter_names *lists, struct fault *f)
{
	struct metric_filter *filter;
	struct query *q;
	int status;

	if (!lists->count)
		return 0;
	q = db_query(db, "SELECT DISTINCT metric FROM benchmark_results ORDER BY 1", f);
	if (!q)
		return -1;
	filter = metric_filter_open(lists->item, lists->count, f);
	status = filter ? 1 : -1;
	while (status > 0 && (status = query_next(q, f)) > 0)
		metric_filter_selects(filter, query_text(q, 0));
	if (status == 0)
		status = metric_filter_check(filter, f);
	metric_filter_close(filter);
	query_close(q);
	return status;
}

struct query *store_filter_query(struct db *db, const struct store_filter *filter,
    const char *before, const char *after, int first, struct fault *f)
{
	struct buf sql = { 0 };
	struct query *q;
	bool guarded;
	int next = first;

	if (filter->where && try_where(db, filter->where, f) < 0)
		return NULL;
	if (check_metrics(db, &filter->metric_lists, f) < 0)
		return NULL;
	if (filter->where)
		db_allow_long(db);
	buf_printf(&sql, "%s WHERE ", before);
	put_conditions(&sql, db, filter, &next);
	if (filter->last) {
		int rare = is_rare(db, filter, f);

		if (rare < 0) {
			buf_free(&sql);
			return NULL;
		}
		put_newest(&sql, db, filter, rare, first, next);
	}
	buf_printf(&sql, " %s", after);
	guarded = db_guard(db, true);
	q = db_query(db, sql.ptr, f);
	db_guard(db, guarded);
	buf_free(&sql);
	if (!q)
		return NULL;
	next = first;
	bind_patterns(q, db, &filter->bench, &next);
	bind_patterns(q, db, &filter->metric, &next);
	bind_patterns(q, db, &filter->host, &next);
	bind_patterns(q, db, &filter->env, &next);
	bind_factors(q, &filter->factor, &next);
	bind_names(q, &filter->commit, &next);
	bind_names(q, &filter->tag, &next);
	bind_names(q, &filter->run, &next);
	bind_time(q, filter->has_since, filter->since, &next);
	bind_time(q, filter->has_until, filter->until, &next);
	if (filter->last)
		query_bind_integer(q, next, (int64_t)filter->last);
	return q;
}
