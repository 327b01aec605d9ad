/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the table of functions; see flame_draw_priv.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "flame/flame_draw_priv.h"

/* Functions with smaller shares of both sides are left out. */
static const double least_share = 0.001;

static double share_of(const struct flame_plot *p, const double *value, int side)
{
	return p->total[side] > 0 ? value[side] / p->total[side] : 0;
}

static struct cell percent_of(const struct flame_plot *p, const double *value, int side)
{
	return CELL_OF_NUMBER(round(1e4 * share_of(p, value, side)) / 100);
}

static void put_one(struct render *r, const struct flame_plot *p,
    const struct flame_function *x, const char *unit)
{
	render_row(r,
	    (struct cell[]){ CELL_OF_TEXT(x->name), percent_of(p, x->self, FLAME_NEW),
	        percent_of(p, x->total, FLAME_NEW), CELL_IN_UNIT(x->self[FLAME_NEW], unit),
	        CELL_IN_UNIT(x->total[FLAME_NEW], unit), CELL_OF_TEXT(text_of(unit)) });
}

static void put_both(
    struct render *r, const struct flame_plot *p, const struct flame_function *x)
{
	static const char *const verdicts[] = { [FLAME_UNTESTED] = "",
		[FLAME_NOISE] = "within noise",
		[FLAME_MORE] = "more",
		[FLAME_LESS] = "less" };
	double points = share_of(p, x->self, FLAME_NEW) - share_of(p, x->self, FLAME_OLD);

	render_row(
	    r, (struct cell[]){ CELL_OF_TEXT(x->name), percent_of(p, x->self, FLAME_OLD),
	           percent_of(p, x->self, FLAME_NEW),
	           CELL_OF_NUMBER(round(1e4 * points) / 100),
	           percent_of(p, x->total, FLAME_OLD), percent_of(p, x->total, FLAME_NEW),
	           CELL_OF_NUMBER(x->p), CELL_OF_TEXT(text_of(verdicts[x->verdict])) });
}

int flame_table(struct buf *b, const struct flame_plot *p, const struct flame_words *w,
    enum render_format format, const struct flame_listed *listed, struct fault *f)
{
	static const struct render_column one[] = { { .name = "function" },
		{ .name = "self_pct" }, { .name = "total_pct" }, { .name = "self" },
		{ .name = "total" }, { .name = "unit", .plain_only = true } },
	                                  both[] = { { .name = "function" },
		                                  { .name = "self_old_pct" },
		                                  { .name = "self_new_pct" },
		                                  { .name = "difference" },
		                                  { .name = "total_old_pct" },
		                                  { .name = "total_new_pct" },
		                                  { .name = "p" }, { .name = "verdict" } };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	struct render *r;

	*listed->left_out = 0;
	if (!out)
		return fault_errno(f, "the table of functions");
	r = render_open(&OUTPUT_OF(out, format), p->both ? both : one,
	    p->both ? COUNT(both) : COUNT(one));
	for (size_t i = 0; i < listed->count; i++) {
		const struct flame_function *of = &listed->function[i];

		if (share_of(p, of->total, FLAME_NEW) < least_share &&
		    share_of(p, of->total, FLAME_OLD) < least_share)
			++*listed->left_out;
		else if (p->both)
			put_both(r, p, of);
		else
			put_one(r, p, of, w->unit);
	}
	render_close(r);
	fclose(out);
	buf_put(b, text, len);
	free(text);
	return 0;
}
