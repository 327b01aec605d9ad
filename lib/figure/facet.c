/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The choice of columns; see facet.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "figure/facet_priv.h"
#include "record/derived_columns.h"
#include "text/display_text.h"
#include "text/near_name.h"
#include "text/units.h"

enum { SERIES_BY_DEFAULT = 8 };

bool columns_hold(const struct columns *c, size_t id)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->id[i] == id)
			return true;
	return false;
}

static void append(struct columns *c, size_t id)
{
	if (!columns_hold(c, id))
		*VEC_ADD(c->id, c->count, c->cap) = id;
}

void columns_add(struct columns *c, const struct columns *more)
{
	for (size_t i = 0; i < more->count; i++)
		append(c, more->id[i]);
}

size_t facet_partition(const struct facet *fa, const struct columns *c, size_t *part)
{
	struct intern seen = { 0 };
	struct buf key = { 0 };
	size_t parts;

	for (size_t i = 0; i < fa->picks; i++) {
		size_t number;

		key.len = 0;
		for (size_t k = 0; k < c->count; k++) {
			struct text t = facet_cell(fa, i, c->id[k]);

			buf_put(&key, &t.len, sizeof(t.len));
			buf_text(&key, t);
		}
		number = intern_add(&seen, text_in(&key));
		if (part)
			part[i] = number;
	}
	parts = seen.count;
	intern_free(&seen);
	buf_free(&key);
	return parts;
}

/* Finds the columns that distinguish picks which the given columns do not, except those in
 * except. */
static struct columns parting_except(
    const struct facet *fa, const struct columns *given, const bool *except)
{
	struct columns sum = { 0 }, found = { 0 };
	size_t parts, more;

	columns_add(&sum, given);
	parts = facet_partition(fa, &sum, NULL);
	for (size_t i = 0; i < fa->all.count; i++) {
		if (columns_hold(&sum, fa->all.id[i]) || (except && except[i]))
			continue;
		append(&sum, fa->all.id[i]);
		more = facet_partition(fa, &sum, NULL);
		if (more > parts)
			append(&found, fa->all.id[i]);
		else
			sum.count--;
		parts = more;
	}
	free(sum.id);
	return found;
}

struct columns facet_parting(const struct facet *fa, const struct columns *given)
{
	return parting_except(fa, given, NULL);
}

/* Finds the candidate columns in order of preference: bench, factors in their order, then
 * kind, commit, host, env. */
static void find_columns(struct facet *fa)
{
	static const size_t last[] = { COL_KIND, COL_COMMIT, COL_HOST, COL_ENV };
	size_t *id, count = groups_columns(fa->groups, &id);

	for (size_t i = 0; i < count; i++)
		if (id[i] == COL_BENCH || id[i] >= COL_FACTORS)
			append(&fa->all, id[i]);
	for (size_t k = 0; k < COUNT(last); k++)
		for (size_t i = 0; i < count; i++)
			if (id[i] == last[k])
				append(&fa->all, id[i]);
	free(id);
}

static bool any_text(const struct facet *fa, size_t column)
{
	for (size_t i = 0; i < fa->picks; i++)
		if (facet_cell(fa, i, column).len)
			return true;
	return false;
}

static int named_columns(const struct facet *fa, char letter, const char *list,
    struct columns *out, struct fault *f)
{
	const struct schema *schema = groups_schema(fa->groups);
	static const size_t never[] = { COL_METRIC, COL_UNIT, COL_VALUE, COL_STATUS,
		COL_T };

	while (list && *list) {
		size_t len = strcspn(list, ",");
		struct text name = { list, len };
		long id = schema_find(schema, name);

		for (size_t i = 0; i < COUNT(never); i++)
			if (id == (long)never[i])
				return fault_set(f,
				    "-%c %.*s: a plot cannot be divided by this column",
				    letter, (int)len, list);
		if (id < 0 || !any_text(fa, (size_t)id)) {
			char *what = str_format("-%c: unknown column", letter);
			struct known_names known = { 0 };

			for (size_t i = 0; i < fa->all.count; i++)
				known_names_add(
				    &known, text_of(schema->name[fa->all.id[i]]));
			unknown_name(f, what, name, &known);
			free(what);
			return -1;
		}
		append(out, (size_t)id);
		list += len + (list[len] == ',');
	}
	return 0;
}

bool facet_numeric(const struct facet *fa, size_t column)
{
	double x;

	for (size_t i = 0; i < fa->picks; i++)
		if (!number_parse(facet_cell(fa, i, column), &x))
			return false;
	return true;
}

/* Chooses as x the first preferred column that varies and, if x must be numeric, has only
 * numbers. Returns whether there is one. */
static bool prefer_x(struct facet *fa, const struct facet_opts *opts)
{
	const struct schema *schema = groups_schema(fa->groups);

	for (const char *list = opts->prefer_x; list;) {
		long id = schema_find(schema, facet_next_name(&list));
		size_t column = (size_t)id;
		struct columns one = { &column, 1, 0 };

		if (id < 0 || !any_text(fa, column) ||
		    facet_partition(fa, &one, NULL) < 2 ||
		    (opts->numeric_x && !facet_numeric(fa, column)))
			continue;
		append(&fa->x, column);
		return true;
	}
	return false;
}

/* Chooses the x of a line: the only numeric factor that varies, or the only numeric factor.
 * Returns 0, or -1 and the message. */
static int choose_numeric_x(
    struct facet *fa, const struct facet_opts *opts, struct fault *f)
{
	struct buf names = { 0 };
	size_t found[2] = { 0 }, last[2] = { 0 };
	const struct schema *schema = groups_schema(fa->groups);
	bool workers = opts->prefer_x && strncmp(opts->prefer_x, "workers", 7) == 0;

	for (size_t i = 0; i < fa->all.count; i++) {
		size_t id = fa->all.id[i];
		struct columns one = { &id, 1, 0 };

		if (id < COL_FACTORS || !facet_numeric(fa, id))
			continue;
		bool varies = facet_partition(fa, &one, NULL) > 1;
		found[varies]++;
		last[varies] = id;
		buf_str(&names, names.len ? ", " : "");
		display_text_label(&names, text_of(schema->name[id]), true);
	}
	bool varies = found[true] > 0;
	if (found[varies] == 1)
		append(&fa->x, last[varies]);
	else if (names.len)
		fault_set(f,
		    "several numeric factors: choose one for the line with -x (%s)",
		    names.ptr);
	else
		fault_set(
		    f, workers
		           ? "no column workers or threads, which a speedup needs: measure "
		             "with bench-run -J 1,2,4 or -j 1,2,4"
		           : "no numeric factor for -x, which a line needs: draw a bar or "
		             "box instead");
	buf_free(&names);
	return found[varies] == 1 ? 0 : -1;
}

/* Chooses the first column that varies for the lanes, and the others for series if there
 * are few of them. */
static void choose_lanes(struct facet *fa, const struct facet_opts *opts)
{
	struct columns varying = facet_parting(fa, &fa->series), rest = { 0 };
	bool free_series = !opts->group && !opts->all_x;

	for (size_t i = 1; i < varying.count; i++)
		append(&rest, varying.id[i]);
	if (varying.count && free_series &&
	    (!rest.count || facet_partition(fa, &rest, NULL) <= SERIES_BY_DEFAULT)) {
		append(&fa->x, varying.id[0]);
		columns_add(&fa->series, &rest);
	} else
		columns_add(&fa->x, &varying);
	if (!fa->x.count && any_text(fa, COL_BENCH) &&
	    !columns_hold(&fa->series, COL_BENCH))
		append(&fa->x, COL_BENCH);
	free(varying.id);
	free(rest.id);
}

static void choose_series(struct facet *fa, const struct facet_opts *opts)
{
	bool *derived = mem_zero(fa->all.count + 1, sizeof(*derived));
	bool along = opts->numeric_x && fa->x.count == 1;
	struct columns none = { 0 }, varying;

	if (along)
		derived_columns_find(fa->groups,
		    &(struct derived_opts){ .group = fa->pick,
		        .groups = fa->picks,
		        .x = fa->x.id[0],
		        .column = fa->all.id,
		        .columns = fa->all.count },
		    derived);
	/* A line joins no benchmarks, even if x alone would distinguish them. */
	for (size_t i = 0; along && i < fa->all.count; i++)
		derived[i] = derived[i] || fa->all.id[i] == fa->x.id[0];
	varying = parting_except(fa, along ? &none : &fa->x, derived);
	free(derived);
	if (opts->all_x || (!opts->numeric_x && !opts->all_series &&
	                       facet_partition(fa, &varying, NULL) > SERIES_BY_DEFAULT))
		columns_add(&fa->x, &varying);
	else
		columns_add(&fa->series, &varying);
	free(varying.id);
}

/* Chooses the first column that varies for the lanes of a grid, and the others for its
 * columns. */
static void choose_grid(struct facet *fa, const struct facet_opts *opts)
{
	struct columns given = { 0 }, varying;

	columns_add(&given, &fa->x);
	columns_add(&given, &fa->series);
	varying = facet_parting(fa, &given);
	for (size_t i = 0; i < varying.count; i++)
		if (!opts->group && !fa->x.count)
			append(&fa->x, varying.id[i]);
		else if (!opts->x)
			append(&fa->series, varying.id[i]);
	if (!fa->x.count && !opts->group && any_text(fa, COL_BENCH) &&
	    !columns_hold(&fa->series, COL_BENCH))
		append(&fa->x, COL_BENCH);
	free(varying.id);
	free(given.id);
}

/* Makes all columns series, without x: those that -x and -g name, or those that vary, or
 * the benchmark. */
static void choose_all_series(struct facet *fa, const struct facet_opts *opts)
{
	columns_add(&fa->series, &fa->x);
	fa->x.count = 0;
	if (!fa->series.count)
		choose_series(fa, opts);
	if (!fa->series.count && any_text(fa, COL_BENCH))
		append(&fa->series, COL_BENCH);
}

/* Chooses the x of a line unless -x names it, and checks that it is a column of numbers.
 * Returns 0, or -1 and the message. */
static int choose_line_x(struct facet *fa, const struct facet_opts *opts, struct fault *f)
{
	if (!opts->x && choose_numeric_x(fa, opts, f) < 0)
		return -1;
	if (fa->x.count != 1)
		return fault_set(f, "-x %s: a line has only one x column", opts->x);
	for (size_t i = 0; i < fa->picks; i++) {
		struct text t = facet_cell(fa, i, fa->x.id[0]);
		double x;

		if (!number_parse(t, &x))
			return fault_set(f,
			    "-x %s: '%.*s' is not a number, and a line needs a number in "
			    "every row: draw a bar or box instead",
			    groups_schema(fa->groups)->name[fa->x.id[0]],
			    t.len > 40 ? 40 : (int)t.len, t.ptr);
	}
	return 0;
}

static int choose_columns(struct facet *fa, const struct facet_opts *opts, struct fault *f)
{
	if (named_columns(fa, 'x', opts->x, opts->grid ? &fa->series : &fa->x, f) < 0 ||
	    named_columns(fa, 'g', opts->group, opts->grid ? &fa->x : &fa->series, f) < 0)
		return -1;
	if (opts->grid) {
		choose_grid(fa, opts);
		return 0;
	}
	if (opts->all_series) {
		choose_all_series(fa, opts);
		return 0;
	}
	if (opts->x || !prefer_x(fa, opts)) {
		if (opts->numeric_x && choose_line_x(fa, opts, f) < 0)
			return -1;
		if (!opts->numeric_x && !opts->x) {
			choose_lanes(fa, opts);
			return 0;
		}
	}
	if (!opts->group)
		choose_series(fa, opts);
	return 0;
}

static bool has_place(const struct collected *c, const struct facet_opts *opts)
{
	return c->count || (opts->limits && c->missing->limits);
}

/* Removes groups without values, such as skipped subjects, which may lack x. */
static void drop_placeless(struct facet *fa, const struct facet_opts *opts)
{
	size_t kept = 0;

	for (size_t i = 0; i < fa->picks; i++)
		kept += has_place(collect_group(opts->values, fa->pick[i]), opts);
	if (!kept)
		return;
	kept = 0;
	for (size_t i = 0; i < fa->picks; i++) {
		const struct collected *c = collect_group(opts->values, fa->pick[i]);

		if (has_place(c, opts))
			fa->pick[kept++] = fa->pick[i];
		else
			fa->failed += c->missing->failed;
	}
	fa->picks = kept;
}

int facet_choose(struct facet *fa, const struct groups *groups,
    const struct facet_opts *opts, struct fault *f)
{
	fa->groups = groups;
	if (facet_choose_metric(fa, opts, f) < 0)
		return -1;
	if (opts->numeric_x && opts->values)
		drop_placeless(fa, opts);
	find_columns(fa);
	return choose_columns(fa, opts, f);
}

void facet_free(struct facet *fa)
{
	free(fa->pick);
	free(fa->all.id);
	free(fa->x.id);
	free(fa->series.id);
	*fa = (struct facet){ 0 };
}
