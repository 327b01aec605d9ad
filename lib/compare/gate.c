/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision of --gate; see gate.h.
 */
#include <math.h>
#include <stdlib.h>

#include "compare/compare_notes.h"
#include "compare/gate.h"
#include "text/display_text.h"
#include "text/units.h"

static const char *const gravity_names[] = {
	[GRAVITY_WORSE] = "worse",
	[GRAVITY_WARNING] = "warning",
	[GRAVITY_DIFFERS] = "differs",
};

/* Returns the kind of a row as if it decided. */
static enum gravity own_gravity(const struct comparison *row)
{
	static const enum gravity of[] = {
		[VERDICT_UNSURE] = GRAVITY_UNSURE,
		[VERDICT_SAME] = GRAVITY_SAME,
		[VERDICT_BETTER] = GRAVITY_BETTER,
		[VERDICT_WORSE] = GRAVITY_WORSE,
		[VERDICT_DIFFERS] = GRAVITY_DIFFERS,
	};

	if (row->result.basis == BASIS_NONE)
		return GRAVITY_NONE;
	return row->severity == SEVERITY_WARNING ? GRAVITY_WARNING
	                                         : of[row->result.verdict];
}

enum gravity gravity_of(const struct comparison *row)
{
	return row->decides ? own_gravity(row) : GRAVITY_OTHER;
}

void gate_count(const struct compare *c, bool allow_missing, struct gate *out)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	*out = (struct gate){ .any = compare_any(c) };
	for (size_t i = 0; i < count; i++)
		out->rows[gravity_of(&list[i])]++;
	out->compared = count - out->rows[GRAVITY_NONE] - out->rows[GRAVITY_OTHER];
	compare_vanished(c, &out->vanished);
	if (allow_missing)
		out->vanished = 0;
}

int gate_status(const struct gate *g)
{
	if (g->rows[GRAVITY_WORSE])
		return STATUS_NO;
	return g->any && !g->vanished ? STATUS_FINE : STATUS_TROUBLE;
}

void gate_put(struct buf *b, const struct gate *g)
{
	size_t warnings = g->rows[GRAVITY_WARNING];

	buf_printf(b, "%s: ", gate_status(g) == STATUS_FINE ? "PASS" : "FAIL");
	if (!g->any)
		buf_str(b, "nothing could be compared");
	else
		buf_printf(b,
		    "%zu compared: %zu worse, %zu warning%s, %zu unsure, %zu better, %zu "
		    "same",
		    g->compared, g->rows[GRAVITY_WORSE], warnings, warnings == 1 ? "" : "s",
		    g->rows[GRAVITY_UNSURE], g->rows[GRAVITY_BETTER],
		    g->rows[GRAVITY_SAME]);
	if (g->rows[GRAVITY_DIFFERS])
		buf_printf(b, ", %zu different", g->rows[GRAVITY_DIFFERS]);
	if (g->rows[GRAVITY_NONE])
		buf_printf(b, ", %zu on one side only", g->rows[GRAVITY_NONE]);
	if (g->vanished)
		buf_printf(b, ", %zu vanished", g->vanished);
}

static double change_of(const struct comparison *row)
{
	double change = fabs(log(row->result.ratio));

	return isnan(change) ? INFINITY : change;
}

static int by_gravity(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a,
	                        *y = *(const struct comparison *const *)b;
	int order = (int)gravity_of(x) - (int)gravity_of(y);
	double p = change_of(x), q = change_of(y);

	if (order == 0)
		order = (int)own_gravity(x) - (int)own_gravity(y);
	if (order == 0)
		order = (p < q) - (p > q);
	return order ? order : (x > y) - (x < y);
}

const struct comparison **gate_order(const struct compare *c)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);
	const struct comparison **order =
	    mem_zero(count + 1, sizeof(const struct comparison *));

	for (size_t i = 0; i < count; i++)
		order[i] = &list[i];
	qsort(order, count, sizeof(const struct comparison *), by_gravity);
	return order;
}

static void put_value(struct buf *b, double value, const char *unit)
{
	char text[64];
	size_t len = units_print(text, sizeof(text), value, unit);

	display_text_clean(b, (struct text){ text, len });
}

static void put_row(struct buf *b, const struct compare *c, const struct comparison *row)
{
	struct text unit = groups_cell(compare_groups(c), row->group, COL_UNIT);
	const struct two_sample *r = &row->result;
	char *unit_name = mem_text(unit.ptr, unit.len);

	buf_printf(b, "%s: ", gravity_names[gravity_of(row)]);
	compare_put_label(b, c, row);
	buf_str(b, ": ");
	display_text_clean(b, groups_cell(compare_groups(c), row->group, COL_METRIC));
	buf_byte(b, ' ');
	put_value(b, r->old, unit_name);
	buf_str(b, " -> ");
	put_value(b, r->new, unit_name);
	if (!isnan(r->ratio))
		buf_printf(b, ", %+.1f%%", (r->ratio - 1) * 100);
	if (!isnan(r->ratio_lo))
		buf_printf(b, " [%+.1f%%, %+.1f%%]", (r->ratio_lo - 1) * 100,
		    (r->ratio_hi - 1) * 100);
	buf_printf(b, ", margin %.3g%%\n", row->margin * 100);
	free(unit_name);
}

int gate_print(const struct compare *c, const struct gate *g, FILE *out)
{
	const struct comparison **order = gate_order(c);
	struct buf b = { 0 };
	size_t count;
	bool failed;

	compare_list(c, &count);
	for (size_t i = 0; i < count && gravity_of(order[i]) <= GRAVITY_DIFFERS; i++)
		put_row(&b, c, order[i]);
	gate_put(&b, g);
	buf_byte(&b, '\n');
	failed = fwrite(b.ptr, 1, b.len, out) != b.len || fflush(out) != 0;
	buf_free(&b);
	free(order);
	return failed ? -1 : 0;
}
